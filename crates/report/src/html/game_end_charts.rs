//! The section on how games ended: their lengths, the reasons, and the faults of agents.

use maud::{Markup, html};

use super::page_sections::figures;
use crate::agents::FaultKind;
use crate::arena::{Highlights, Tally};
use crate::figures::forfeits_table;
use crate::html::svg::bar_chart::{Share, lengths, result_legend, results_in_words, shares};
use crate::html::svg::chart_figure::{ChartSource, Figure, figure};
use crate::play::Outcome;
use crate::text::number_format::{counted, grouped};
use crate::util::beginning_of_text::beginning;
use std::collections::BTreeMap;

pub fn game_lengths(source: &ChartSource<'_>) -> Option<Figure> {
    let plain = figure("Length of games", lengths(&source.history.lengths, 48), "")?;
    Some(Figure { legend: result_legend(), ..plain })
}

pub fn endings(source: &ChartSource<'_>) -> Option<Figure> {
    let mut reasons: Vec<(&str, [u64; 4])> = source.history.reasons.clone().into_iter().collect();
    reasons.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u64>()));
    let rows: Vec<Share> = (reasons.iter())
        .map(|(reason, [first, draw, second, void])| Share {
            label: (*reason).to_owned(),
            counts: [*first, *draw, *second],
            figures: match void {
                0 => grouped(first + draw + second),
                _ => format!("{} void", grouped(*void)),
            },
        })
        .collect();
    let words: Vec<String> = (reasons.iter())
        .filter(|(_, counts)| counts[3] == 0)
        .map(|(reason, [a, b, c, _])| format!("{reason}: {}", results_in_words(&[*a, *b, *c])))
        .collect();
    let name = "Why games ended";
    let plain = figure(name, shares(name, &rows, true), &words.join("; "))?;
    Some(Figure { legend: result_legend(), ..plain })
}

/// Games that ended by a fault. Each has the command that replays it and the log files of the
/// engine failure, by game.
pub fn faults(tally: &Tally, highlights: &Highlights, logs: &BTreeMap<u64, Vec<String>>) -> Markup {
    if highlights.faults.is_empty() {
        return html! {};
    }
    let all = tally.faults() + tally.voids();
    let logged = logs.values().any(|names| !names.is_empty());
    html! {
        (figures(forfeits_table::table(tally).as_ref()))
        div class="scroll" {
            table class="sortable" {
                thead {
                    tr {
                        th { "game" } th class="left" { "fault" } th class="left" { "agent" }
                        th class="left" { "against" } th { "plies" }
                        th class="left" { "moves" } th class="left" { "to replay it" }
                        @if logged { th class="left" { "engine log" } }
                    }
                }
                tbody {
                    @for stored in &highlights.faults {
                        @let row = &stored.row;
                        @let [first, second] = [row.first, row.second].map(|a| &tally.names[a]);
                        @let (of, against) = match row.outcome {
                            Outcome::First => (second.as_str(), first.as_str()),
                            Outcome::Second => (first.as_str(), second.as_str()),
                            // Of these games only the moves say whose answer was illegal.
                            _ if row.reason == FaultKind::IllegalVoid.reason() => ("", ""),
                            Outcome::Draw | Outcome::Void => ("the program", ""),
                        };
                        tr {
                            td { (row.game) } td class="left" { (row.reason) }
                            td class="left" { (of) } td class="left" { (against) }
                            td { (row.plies) }
                            td class="left moves" { (short(&stored.opening, &stored.moves)) }
                            td class="left" { code { "agon replay DIR " (row.game) } }
                            @if logged {
                                td class="left" {
                                    @for name in logs.get(&row.game).into_iter().flatten() {
                                        code { (name) } " "
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        p class="note" {
            @if all > highlights.faults.len() as u64 {
                "the first " (highlights.faults.len()) " of " (counted(all, "game")) "; "
            }
            "DIR is the folder of this page. " code { "agon replay" } " shows the recorded game. "
            code { "agon watch --config FILE --game N" } " plays game N again with the same opening \
            and seed. To play all games again and keep these results, run the same command with "
            code { "--out" } " and a new folder."
        }
    }
}

/// Opening and moves, shortened if they are long.
fn short(opening: &str, moves: &str) -> String {
    const MOST: usize = 120;
    let all = if opening.is_empty() { moves.to_owned() } else { format!("{opening} | {moves}") };
    beginning(&all, MOST)
}
