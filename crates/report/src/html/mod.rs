//! `report.html`: a run as one page with charts, without external files.
//!
//! Charts are written by hand as SVG: scales and markers are functions of numbers, and each chart
//! is a function of counts. The style sheet defines the colours for light and dark mode. No
//! information depends on colour alone, and every marker shows its value.

mod all_positions_svg;
pub(crate) mod chart_file;
mod charts;
mod cost_charts;
mod depth_charts;
mod evidence_over_time_charts;
mod first_move_charts;
mod game_end_charts;
mod game_viewer;
mod ladder;
mod manifest_section;
mod move_quality_charts;
mod move_time_charts;
pub(crate) mod page_sections;
mod replay_data;
mod round_charts;
mod score_by_seat_chart;
mod strength_charts;
pub(crate) mod svg;
mod sweep;
mod trend_charts;
mod tune_chart;

use super::answer::{self, Answer};
use super::exporter_trait::{ExportSource, Exporter};
use super::figures::agent_figures::cost_table;
use super::figures::answers;
use super::figures::first_move_table;
use crate::arena::{DerivedFile, FolderError, Manifest, MoveStats, Replacement};
use crate::figures::notes_before_tables::{headline, remarks};
use crate::figures::run_results::Results;
use crate::play::AnyGame;
pub(crate) use all_positions_svg::contact_sheet;
pub use chart_file::{ChartFile, chart_files, chart_ids};
pub use ladder::{LadderDay, ladder_page, ranked_page};
use maud::{Markup, html};
pub use page_sections::BOARD_STYLE;
pub(crate) use page_sections::STYLE;
use page_sections::{TABLES, TIPS};
use std::collections::BTreeMap;
use svg::chart_figure::ChartSource;
pub use svg::live_board::live_board;
pub use sweep::{sweep_chart_files, sweep_page};
pub use trend_charts::{Trend, TrendPoint, trend_picture};

const SCRIPT: &str = include_str!("replay.js");
/// Maximum size of a page in bytes, without the markup around its parts.
const BYTES: usize = 960_000;

/// `report.html`.
pub struct ReportPage;

impl Exporter for ReportPage {
    fn file(&self) -> DerivedFile {
        DerivedFile::Page
    }

    fn write(&self, source: &ExportSource<'_>, out: &mut Replacement) -> Result<(), FolderError> {
        let (results, folder) = (source.results, source.folder);
        let Some(history) = source.history else { return Ok(()) };
        let names = &results.tally.names;
        let logs = history.highlights.faults.iter().map(|fault| {
            let agents = [fault.row.first, fault.row.second].map(|agent| names[agent].as_str());
            (fault.row.game, folder.logs(fault.row.game, agents))
        });
        let manifest = folder.manifest();
        let mut shown = history.highlights.games();
        shown.extend(results.luckiest.iter().map(|game| game.stored.row.game));
        let moves = MoveStats::of(folder, &shown, &results.tally)?;
        let content = Content {
            charts: ChartSource::new(source, history, &moves),
            manifest: manifest.as_ref(),
            any_game: source.experiment.map(|experiment| &experiment.any_game),
            logs: logs.collect(),
        };
        out.put(content.render().as_bytes())
    }
}

/// The data of a page.
struct Content<'a> {
    charts: ChartSource<'a>,
    /// The origin of the results, if known.
    manifest: Option<&'a Manifest>,
    /// The game, if known.
    any_game: Option<&'a AnyGame>,
    /// The existing log files of engine failures, by game.
    logs: BTreeMap<u64, Vec<String>>,
}

impl Content<'_> {
    fn render(&self) -> String {
        let source = &self.charts;
        let Results { heading, tally, ranking, luckiest, .. } = source.results;
        let highlights = &source.history.highlights;
        let score = |agent: usize| ranking.standing(agent)?.score;
        let mut sections = self.sections();
        // The games get the remaining bytes.
        let rest: usize = sections.iter().map(|(_, _, content)| content.0.len()).sum();
        let fixed = STYLE.len() + BOARD_STYLE.len() + SCRIPT.len() + TIPS.len() + TABLES.len();
        let room = BYTES.saturating_sub(rest + fixed);
        let replays = self.any_game.and_then(|any_game| {
            replay_data::collect(
                (any_game, &heading.name),
                tally,
                (highlights, luckiest),
                &source.moves.moves,
                score,
                room,
            )
        });
        let board = game_viewer::content(replays.as_ref());
        sections.iter_mut().filter(|(id, ..)| *id == "board").for_each(|s| s.2 = board.clone());
        let script = replays.is_some().then_some(SCRIPT);
        page_sections::page(&heading.name, &self.head(), &sections, script)
    }

    /// The sections with their ids and titles. The games follow later: they get the remaining bytes.
    fn sections(&self) -> Vec<(&'static str, &'static str, Markup)> {
        let source = &self.charts;
        let Results { tally, context, .. } = source.results;
        let highlights = &source.history.highlights;
        let charts = |section: &str| charts::of_section(section, source);
        vec![
            (
                "strength",
                match context.state.rates_agents() {
                    true => "Who is stronger?",
                    false => "Which values are best?",
                },
                strength_charts::content(source, &charts("strength")),
            ),
            (
                "seats",
                "First or second player?",
                page_sections::charts(
                    &charts("seats"),
                    Some(&first_move_table::table(tally, &source.seats)),
                ),
            ),
            ("depth", "What does depth gain?", page_sections::charts(&charts("depth"), None)),
            (
                "cost",
                "What does a move cost?",
                page_sections::charts(&charts("cost"), cost_table(source.results).as_ref()),
            ),
            (
                "answers",
                "What do the answers cost?",
                page_sections::figures(answers::cost_table::table(tally).as_ref()),
            ),
            (
                "moves-graded",
                "How good are the moves?",
                move_quality_charts::content(source, &charts("moves-graded")),
            ),
            ("endings", "How did the games end?", page_sections::charts(&charts("endings"), None)),
            ("board", "Selected games", html! {}),
            (
                "illegal",
                "Illegal moves",
                page_sections::figures(
                    answers::illegal_moves_table::table(source.results).as_ref(),
                ),
            ),
            ("faults", "Faults", game_end_charts::faults(tally, highlights, &self.logs)),
            ("origin", "Origin of the results", manifest_section::content(self.manifest)),
        ]
    }

    fn head(&self) -> Markup {
        let Results { heading, tally, context, .. } = self.charts.results;
        html! {
            h1 { (heading.name) }
            @if let Some(question) = &heading.question {
                p class="question" { (question) }
            }
            ul class="verdicts" {
                @for sentence in self.verdicts() { li { (sentence) } }
            }
            p class="headline" { (headline(heading, tally)) }
            @for remark in remarks(tally, context) {
                p class="remark" { "note: " (remark) }
            }
        }
    }

    /// The answer, the score without luck, and the score of moving first unless that is the answer.
    fn verdicts(&self) -> Vec<String> {
        let (results, all) = (self.charts.results, self.charts.seats.all().judged);
        let main = Answer::of(results);
        let first = main.compares_agents.then(|| answer::moving_first(results, &all));
        let without_luck = answer::without_luck(results);
        [main.sentence].into_iter().chain(without_luck).chain(first).collect()
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    /// The colours that a block of a style sheet defines, as red, green and blue.
    fn colours(css: &str) -> BTreeMap<String, [f64; 3]> {
        let named = css.split(['{', ';', '}']).filter_map(|rule| {
            let (name, value) = rule.trim().strip_prefix("--")?.split_once(": #")?;
            let digits: Vec<u32> =
                value.trim().chars().map(|c| c.to_digit(16)).collect::<Option<_>>()?;
            let channel = |i: usize| match digits.len() {
                3 => 17 * digits[i],
                _ => 16 * digits[2 * i] + digits[2 * i + 1],
            };
            Some((name.to_owned(), [0, 1, 2].map(|i| f64::from(channel(i)) / 255.0)))
        });
        named.collect()
    }

    /// The contrast ratio of two colours as WCAG 2.2 defines it, from 1 to 21.
    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let luminance = |colour: [f64; 3]| {
            let linear = |c: f64| {
                if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            let [red, green, blue] = colour.map(linear);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let [one, other] = [one, other].map(luminance);
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// The names of the first and second player had contrasts of 4.30 and 3.78 on the light page.
    #[test]
    fn text_has_the_contrast_that_wcag_asks_for() {
        assert!((contrast([1.0; 3], [0.0; 3]) - 21.0).abs() < 1e-9);
        // 4.54: this grey on white is often cited as the lightest with sufficient contrast.
        assert!((contrast([118.0 / 255.0; 3], [1.0; 3]) - 4.54).abs() < 0.005);
        let all = format!("{BOARD_STYLE}\n{STYLE}");
        let (screen, print) = all.split_once("@media print").expect("rules for paper");
        let (mut light, mut dark) = (String::new(), String::new());
        for part in screen.split("@media (prefers-color-scheme: dark)").enumerate() {
            let (own, rest) = match part {
                (0, first) => ("", first),
                (_, text) => text.split_once("\n}").expect("the end of the dark rules"),
            };
            dark.push_str(own);
            light.push_str(rest);
        }
        let light = colours(&light);
        let over = |more: &str| {
            let mut all = light.clone();
            all.extend(colours(more));
            all
        };
        for (scheme, colours) in [
            ("light", light.clone()),
            ("dark", over(&dark)),
            ("print from dark", over(&(dark.clone() + print))),
        ] {
            for (text, ground) in [
                ("ink", "paper"),
                ("soft", "paper"),
                ("first", "paper"),
                ("second", "paper"),
                // Digits inside bars and stones.
                ("paper", "first"),
                ("paper", "second"),
                ("ink", "draw"),
                ("soft", "warn"),
                ("ink", "changed"),
                ("paper", "ink"),
            ] {
                let seen = contrast(colours[text], colours[ground]);
                assert!(seen >= 4.5, "{scheme}: {text} on {ground}: {seen:.2}");
            }
        }
        let dark = over(&dark);
        assert!(light["paper"] != dark["paper"] && light["first"] != dark["first"]);
    }
}
