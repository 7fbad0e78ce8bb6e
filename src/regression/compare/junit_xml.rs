//! A comparison as JUnit's XML, which most pipelines show as a list of tests.

use maud::{PreEscaped, html};

use super::check_limits::GateVerdict;
use super::comparison::Comparison;

/// One test for each figure. A worse figure fails; a figure without a decision is skipped.
pub(super) fn junit(comparison: &Comparison) -> String {
    let gates = &comparison.gates;
    let number = |is: fn(GateVerdict) -> bool| gates.iter().filter(|gate| is(gate.verdict)).count();
    let markup = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        testsuite name="agon" tests=(gates.len()) failures=(number(is_worse)) errors="0"
            skipped=(number(is_open)) {
            (PreEscaped("\n"))
            @for gate in gates {
                @let message = valid(&format!("{}; {}", gate.verdict.word(), gate.measure.basis));
                testcase name=(valid(&gate.name())) classname=(gate.measure.metric.word()) {
                    @if is_worse(gate.verdict) {
                        failure type="worse" message=(message) {}
                    } @else if is_open(gate.verdict) {
                        skipped message=(message) {}
                    }
                }
                (PreEscaped("\n"))
            }
        }
    };
    markup.into_string() + "\n"
}

fn is_worse(verdict: GateVerdict) -> bool {
    verdict == GateVerdict::Worse
}

/// Whether there is no decision.
fn is_open(verdict: GateVerdict) -> bool {
    verdict == GateVerdict::Undecided || !verdict.is_judged()
}

/// The text without characters that XML does not allow even as a reference.
fn valid(text: &str) -> String {
    let is_valid = |c: char| !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'));
    text.chars().map(|c| if is_valid(c) { c } else { '\u{fffd}' }).collect()
}
