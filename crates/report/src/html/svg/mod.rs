//! Drawings: axes, bars, dots, lines, boards and brackets.

pub(crate) mod axis_scale;
pub(crate) mod bar_chart;
pub(crate) mod board_svg;
pub(crate) mod chart_figure;
pub(crate) mod dot_and_interval_chart;
pub(crate) mod knockout_bracket;
pub(crate) mod line_chart;
pub(crate) mod live_board;
pub(crate) mod svg_elements;
