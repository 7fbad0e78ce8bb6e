//! A root finder for the ends of confidence intervals.

/// The point between `mean` and `limit` where `excess` changes its sign, to full precision. At
/// `mean` the excess is at most 0. `limit` counts as outside and is not evaluated.
///
/// T. Chandrupatla, "A new hybrid quadratic/bisection algorithm" (1997): uses bisection unless
/// inverse quadratic interpolation is safe.
pub(crate) fn find_root(mean: f64, limit: f64, excess: &dyn Fn(f64) -> f64) -> f64 {
    let (mut a, mut b) = (mean, limit);
    // Halve the range until the excess is known at a point outside.
    let (mut fa, mut fb) = (excess_at_mean(mean, limit, excess), f64::INFINITY);
    while fb == f64::INFINITY {
        let middle = f64::midpoint(a, b);
        if middle == a || middle == b {
            return b;
        }
        let f = excess(middle);
        if f <= 0.0 {
            (a, fa) = (middle, f);
        } else {
            (b, fb) = (middle, f);
        }
    }
    let mut t = 0.5;
    loop {
        let x = a + t * (b - a);
        let f = excess(x);
        // c is the point removed from the range a..b; the sign still changes within the range.
        let (c, fc);
        if (f > 0.0) == (fa > 0.0) {
            (c, fc) = (a, fa);
        } else {
            (c, fc) = (b, fb);
            (b, fb) = (a, fa);
        }
        (a, fa) = (x, f);
        let near = if fa.abs() < fb.abs() { a } else { b };
        let tolerance = (4.0 * f64::EPSILON * near.min(1.0 - near)).max(f64::MIN_POSITIVE);
        let floor = tolerance.max(f64::EPSILON * near / 2.0) / (b - a).abs();
        if f == 0.0 || floor >= 0.5 {
            return near;
        }
        let (xi, phi) = ((a - b) / (c - b), (fa - fb) / (fc - fb));
        let safe = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
        t = if safe {
            fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        } else {
            0.5
        };
        t = t.clamp(floor, 1.0 - floor);
    }
}

/// Nothing is evaluated at 0 and 1: the mean is inside by definition.
fn excess_at_mean(mean: f64, limit: f64, excess: &dyn Fn(f64) -> f64) -> f64 {
    if mean == limit || mean <= 0.0 || mean >= 1.0 { -1.0 } else { excess(mean).min(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn finds_ends_of_all_sizes() {
        for end in [0.999_999_999, 0.7, 0.500_000_000_1, 1e-3, 1e-12, 1e-200] {
            let up = find_root(0.0, 1.0, &|x| x - end);
            assert!((up / end - 1.0).abs() < 1e-14, "{up:e} for {end:e}");
        }
        for end in [1e-9, 0.2, 0.6] {
            let down = find_root(0.7, 0.0, &|x| end - x);
            assert!((down / end - 1.0).abs() < 1e-14, "{down:e} for {end:e}");
        }
    }

    #[test]
    fn all_inside_ends_at_the_limit() {
        assert_eq!(find_root(0.5, 1.0, &|_| -1.0), 1.0);
        assert_eq!(find_root(1.0, 1.0, &|_| f64::NAN), 1.0);
    }

    #[test]
    fn a_smooth_end_takes_few_looks() {
        let looks = Cell::new(0);
        find_root(0.5, 1.0, &|x| {
            looks.set(looks.get() + 1);
            (x - 0.5).powi(2) - 0.001 * x * (1.0 - x)
        });
        assert!(looks.get() < 20, "{}", looks.get());
    }
}
