//! The log-likelihood of one row, with its derivatives.

/// The log-likelihood of one row as a function of its own variables: the log-strengths of its sides,
/// best first, and then the log-weights of ties.
#[derive(Default)]
pub(super) struct RowPoint {
    pub ln: f64,
    pub gradient: Vec<f64>,
    /// The negative second derivatives, row by row.
    pub information: Vec<f64>,
}

impl RowPoint {
    /// Sets everything to 0 for this number of variables.
    pub fn clear(&mut self, variables: usize) {
        self.ln = 0.0;
        self.gradient.clear();
        self.gradient.resize(variables, 0.0);
        self.information.clear();
        self.information.resize(variables * variables, 0.0);
    }
}
