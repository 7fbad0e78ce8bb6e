//! The page of a ladder: the ratings of a pool by date, and its games.

use std::time::{Duration, UNIX_EPOCH};

use maud::{Markup, html};

use super::page_sections;
use super::svg::chart_figure::{Figure, figure};
use super::svg::dot_and_interval_chart::{DotChart, DotRow, draw as dot_chart};
use super::svg::line_chart::{Axis, ChartPoint, LineChart, Series, draw};
use super::svg::svg_elements::LegendEntry;
use crate::ranked_list::RankedList;
use crate::text::number_format::{elo, elo_ends, elo_plus_minus, grouped};
use crate::text::text_table::TextTable;

/// The ratings at the end of a day.
pub struct LadderDay {
    /// The number of the day since 1970.
    pub day: u64,
    /// The games of all days up to this one.
    pub list: RankedList,
}

/// The most players in the chart: there are as many colours.
const LINES: usize = 6;
const SECONDS: u64 = 86_400;

/// A day as `2026-11-27`.
fn date(day: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_secs(day * SECONDS);
    humantime::format_rfc3339_seconds(time).to_string()[..10].to_owned()
}

/// The page of these days, the last one last. `cross_table` has the scores of the players.
pub fn ladder_page(name: &str, days: &[LadderDay], cross_table: Option<TextTable>) -> String {
    let Some(last) = days.last() else { return String::new() };
    let chart = ratings_by_date(days).map_or(html! {}, |figure| figure.on_page("ratings"));
    let games = format!("{} games up to {}", grouped(last.list.rows), date(last.day));
    let more = [
        ("cross-table", "Who beats whom?", table_content(cross_table)),
        ("days", "Days, the newest first", table_content(Some(days_table(days)))),
    ];
    page(name, &[last.list.verdict()], (&last.list, &games), &chart, more)
}

/// The page of one list.
pub fn ranked_page(list: &RankedList) -> String {
    let chart = ratings(list).map_or(html! {}, |figure| figure.on_page("ratings"));
    let pairs = ("pairings", "Who beats whom?", table_content(Some(list.pairs().table())));
    page(&list.name, &list.answers(), (list, &list.headline()), &chart, [pairs])
}

/// A page of a list, of which `games` says what was read, with `more` sections.
fn page(
    name: &str,
    answers: &[String],
    (list, games): (&RankedList, &str),
    chart: &Markup,
    more: impl IntoIterator<Item = (&'static str, &'static str, Markup)>,
) -> String {
    let mut sections = vec![
        ("strength", "Who is stronger?", page_sections::charts(chart, Some(&list.table()))),
        ("seats", "Does the seat matter?", table_content(list.seat_table())),
    ];
    sections.extend(more);
    let header = html! {
        h1 { (name) }
        ul class="verdicts" { @for answer in answers { li { (answer) } } }
        p { (games) }
        @for condition in &list.conditions { p { (condition) } }
        @for remark in list.remarks() { p { (remark) } }
    };
    page_sections::page(name, &header, &sections, None)
}

/// The ratings with their intervals; bounds are arrows.
fn ratings(list: &RankedList) -> Option<Figure> {
    let row = |(rank, player): (usize, usize)| {
        let [value, low, high] = list.numbers(player);
        let name = &list.players[player];
        let figures = format!("{} {}", elo_plus_minus([value, low, high]), elo_ends([low, high]));
        let title = format!("{name}: Elo {figures}");
        DotRow { label: format!("{rank}. {name}"), value, low, high, figures, title }
    };
    let rows: Vec<DotRow> = (1..).zip(list.order()).map(row).collect();
    let plain = DotChart::new("Rating list", "Elo", &elo, &rows);
    let lines = if list.any_time {
        "ratings have no intervals"
    } else {
        "lines: 95 % intervals; arrows: bounds"
    };
    figure("Rating list", dot_chart(&plain), lines)
}

fn table_content(table: Option<TextTable>) -> Markup {
    table.map_or(html! {}, |table| page_sections::charts(&html! {}, Some(&table)))
}

/// The ratings of the best players at the end of each day.
fn ratings_by_date(days: &[LadderDay]) -> Option<Figure> {
    let last = &days.last()?.list;
    let best: Vec<usize> = last.order().into_iter().take(LINES).collect();
    let spot = |day: &LadderDay, player: usize| {
        let number = day.list.players.iter().position(|name| *name == last.players[player])?;
        let [value, low, high] = day.list.numbers(number);
        let title = format!(
            "{}, {}: {}",
            last.players[player],
            date(day.day),
            elo_plus_minus([value, low, high])
        );
        Some(ChartPoint {
            x: day.day as f64,
            y: value?,
            ends: low.zip(high).map(|(low, high)| [low, high]),
            title,
        })
    };
    let series: Vec<Series> = (best.iter().enumerate())
        .map(|(number, &player)| {
            let spots = days.iter().filter_map(|day| spot(day, player)).collect();
            Series { number, band: days.len() > LINES, spots }
        })
        .collect();
    let day = |x: f64| date(x.max(0.0) as u64);
    let chart = draw(&LineChart {
        name: "Ratings by date",
        x: Axis { ticks: Some(dates_on_axis(days)), ..Axis::new("date", &day) },
        y: Axis::new("Elo", &elo),
        references: &[],
        series: &series,
        height: 220.0,
    });
    let legend = best.iter().enumerate();
    let legend =
        legend.map(|(number, &player)| LegendEntry::of_series(number, &last.players[player]));
    let note = "each point has all games up to its day; bands or lines: 95 % intervals";
    Some(Figure { legend: legend.collect(), ..figure("Ratings by date", chart, note)? })
}

/// Days at equal distances from the first to the last one; more dates would not fit below the chart.
fn dates_on_axis(days: &[LadderDay]) -> Vec<f64> {
    let all = days.iter().map(|day| day.day);
    let (first, last) = (all.clone().min().unwrap_or_default(), all.max().unwrap_or_default());
    let mut dates: Vec<u64> = (0..4).map(|part| first + (last - first) * part / 3).collect();
    dates.dedup();
    dates.into_iter().map(|day| day as f64).collect()
}

/// The days with their games and their best player, the newest first.
fn days_table(days: &[LadderDay]) -> TextTable {
    let mut table = TextTable::new("Days").text(["date"]).figures(["games"]).text(["first"]);
    for day in days.iter().rev() {
        let first = day.list.order().first().map(|&player| day.list.players[player].clone());
        table.row([date(day.day), grouped(day.list.rows), first.unwrap_or_default()]);
    }
    table.note("games: of all days up to this one");
    table
}
