//! Scores without luck beside the raw scores, and what the adjustment is worth.

use serde_json::{Value as Json, json};

use super::figure_list::FigureFormat::{Count, Percent};
use super::figure_list::FigureList;
use super::figure_list::FigureValue::Ends;
use super::run_results::Results;
use super::verdict_phrases::FEW;
use crate::arena::{LuckyGame, Pairing, PairingTally, Tally};
use crate::play::{Outcome, Roll};
use crate::stats::{Confidence, Interval, LogisticMap, LuckAdjusted, elo as elo_scale};
use crate::text::number_format::{
    NONE, counted, elo, elo_range, fixed, grouped, informative, percent, percents, signed,
};
use crate::text::text_table::TextTable;

/// Whether luck was measured in a pairing of two agents.
pub(crate) fn is_measured(tally: &Tally) -> bool {
    pairings(tally).next().is_some()
}

fn pairings(tally: &Tally) -> impl Iterator<Item = PairingLuck<'_>> {
    (tally.pairings.iter())
        .filter(|(pairing, played)| !pairing.is_self() && played.luck().is_some())
        .map(|(pairing, played)| PairingLuck::of(pairing, played))
}

/// The scores of a pairing with and without luck.
pub(crate) struct PairingLuck<'a> {
    pairing: &'a Pairing,
    luck: LuckAdjusted,
}

impl<'a> PairingLuck<'a> {
    pub fn of(pairing: &'a Pairing, played: &PairingTally) -> Self {
        PairingLuck { pairing, luck: played.luck().copied().unwrap_or_default() }
    }

    fn interval(&self) -> Option<Interval> {
        self.luck.interval(Confidence::P95)
    }

    fn asymptotic(&self) -> Option<Interval> {
        self.luck.asymptotic_interval(Confidence::P95)
    }

    /// Games with luck that show as much as the games of this pairing show without it.
    fn raw_games(&self) -> Option<u64> {
        let games = self.luck.samples() * if self.pairing.has_pairs() { 2 } else { 1 };
        Some((self.luck.worth()? * games as f64).round() as u64)
    }

    /// The same in words.
    fn as_good_as(&self) -> String {
        self.raw_games().map_or(NONE.to_owned(), |games| match games {
            0 => "< 1 game".to_owned(),
            games => counted(games, "game"),
        })
    }
}

/// The additional figures of a pairing if luck was measured, in the order of `pairings.csv`.
pub(crate) fn luck_figures<'a>() -> FigureList<PairingLuck<'a>> {
    FigureList::<PairingLuck<'a>>::new()
        .with("luck_samples", "", Count, |of| of.luck.samples().into())
        .with("luck_raw_score", "score %", Percent, |of| of.luck.raw_mean().into())
        .with("adjusted_score", "adjusted %", Percent, |of| of.luck.mean().into())
        .with("adjusted_low, adjusted_high", "95 %", Percent, |of| Ends(of.interval()))
        .with("adjusted_asymptotic_low, adjusted_asymptotic_high", "at any time", Percent, |of| {
            Ends(of.asymptotic())
        })
        .with("luck_variance_removed", "removed %", Percent, |of| of.luck.removed().into())
        .with("luck_raw_games", "", Count, |of| of.raw_games().into())
}

/// Raw and adjusted scores side by side; `None` if luck was not measured.
pub fn table(results: &Results) -> Option<TextTable> {
    const SCORES: [&str; 4] =
        ["luck_raw_score", "adjusted_score", "adjusted_low", "adjusted_asymptotic_low"];
    const REMOVED: &str = "luck_variance_removed";
    let (tally, figures) = (&results.tally, luck_figures());
    let title = TextTable::new("What are the scores without luck?").text(["agent", "against"]);
    let table = figures.heads(title, &SCORES).figures(["Elo"]);
    let mut table = figures.heads(table, &[REMOVED]).figures(["as good as"]);
    let mut skewed = None;
    for of in pairings(tally) {
        let [a, b] = [of.pairing.a, of.pairing.b].map(|agent| tally.names[agent].clone());
        let mut row = vec![a, b];
        row.extend(SCORES.map(|name| figures.show(name, &of)));
        row.push(elo_range(informative(of.interval()).map(Interval::elo)));
        row.extend([figures.show(REMOVED, &of), of.as_good_as()]);
        table.row(row);
        skewed = skewed.max(of.luck.samples_for_skewness());
    }
    table.note(
        "adjusted: the score minus the luck of chance and of the agents' random choices; removed: \
         of the variance",
    );
    table.note(
        "95 %: for a length chosen before the run; at any time: asymptotic, from 20 pairs on",
    );
    if let Some([odd, even]) = results.luck_maps.map(|maps| maps.map(map)) {
        table.note(format!("fitted: {odd} for odd pairs, {even} for even pairs"));
    }
    if let Some(needed) = skewed {
        let needed = grouped(needed);
        table.note(format!("adjusted scores are skewed: intervals need about {needed} pairs"));
    }
    is_measured(tally).then_some(table)
}

/// The luckiest games with the rolls that decided them; `None` if luck was not measured.
pub(crate) fn luckiest_games(results: &Results) -> Option<TextTable> {
    let mut table = TextTable::new("Which games had the most luck?")
        .figures(["game"])
        .text(["lucky agent", "against", "result"])
        .figures(["luck"])
        .text(["most by"]);
    for game in &results.luckiest {
        let row = &game.stored.row;
        let [lucky, other] = game.agents.map(|agent| results.tally.names[agent].clone());
        let result = result(game);
        let rolls = game.rolls.iter().map(|roll| format!("{} {}", place(roll), points(roll.luck)));
        let rolls = rolls.collect::<Vec<_>>().join(", ");
        table.row([row.game.to_string(), lucky, other, result.into(), points(game.luck), rolls]);
    }
    table.note("luck in points: a win is 1; `agon replay DIR GAME` shows a game");
    (!table.rows.is_empty()).then_some(table)
}

/// The result of the lucky agent.
fn result(game: &LuckyGame) -> &'static str {
    let row = &game.stored.row;
    match (row.outcome, row.first == game.agents[0]) {
        (Outcome::First, true) | (Outcome::Second, false) => "won",
        (Outcome::First | Outcome::Second, _) => "lost",
        (Outcome::Draw | Outcome::Void, _) => "drawn",
    }
}

/// The fitted scales and the luckiest games in full precision; `None` if luck was not measured.
pub(crate) fn json(results: &Results) -> Option<Json> {
    let games: Vec<Json> = (results.luckiest.iter())
        .map(|game| {
            let [lucky, other] = game.agents.map(|agent| &results.tally.names[agent]);
            let rolls: Vec<Json> = (game.rolls.iter())
                .map(|roll| json!({ "after_ply": roll.ply, "outcome": roll.text, "luck": roll.luck }))
                .collect();
            json!({
                "game": game.stored.row.game,
                "lucky_agent": lucky,
                "against": other,
                "result": result(game),
                "luck": game.luck,
                "largest_rolls": rolls,
            })
        })
        .collect();
    let fitted = results.luck_maps.map(|maps| {
        let [odd, even] =
            maps.map(|LogisticMap { scale, offset }| json!({ "scale": scale, "offset": offset }));
        json!({ "odd_pairs": odd, "even_pairs": even })
    });
    (!games.is_empty()).then(|| json!({ "fitted": fitted, "luckiest_games": games }))
}

/// The luckiest games with the roll that decided most, in one line; `None` if luck was not measured.
pub(crate) fn games_to_look_at(results: &Results) -> Option<String> {
    let games = results.luckiest.iter().map(|game| {
        let (number, lucky) = (game.stored.row.game, &results.tally.names[game.agents[0]]);
        let most = game.rolls.first().map(|roll| format!(", most by {}", place(roll)));
        format!("{number} ({lucky} {}{})", points(game.luck), most.unwrap_or_default())
    });
    let games: Vec<String> = games.collect();
    (!games.is_empty()).then(|| format!("Luckiest games, in points: {}", games.join(", ")))
}

/// The outcome of a roll and its place in the game.
fn place(roll: &Roll) -> String {
    format!("{} after ply {}", roll.text, roll.ply)
}

fn map(LogisticMap { scale, offset }: LogisticMap) -> String {
    format!("scale {} and offset {}", three_digits(scale), three_digits(offset))
}

/// A number with at least three digits, without those that mean nothing.
fn three_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let decimals = (2.0 - value.abs().log10().floor()).clamp(0.0, 9.0) as usize;
    signed(value, decimals)
}

/// A number of points with its sign.
fn points(luck: f64) -> String {
    let sign = if luck < 0.0 { '−' } else { '+' };
    format!("{sign}{}", fixed(luck.abs(), 2))
}

/// One sentence for two agents; `None` if luck was not measured or more agents met.
pub(crate) fn sentence(tally: &Tally, fixed_length: bool) -> Option<String> {
    let mut all = pairings(tally);
    let of = all.next().filter(|_| all.next().is_none())?;
    let luck = &of.luck;
    let (interval, kind) = match fixed_length {
        true => (of.interval(), ""),
        false => (of.asymptotic(), " (asymptotic)"),
    };
    let mut text = format!(
        "Without luck: {} scores {} %",
        tally.names[of.pairing.a],
        percent(Some(luck.mean()?))
    );
    // The score has its interval; with fewer pairs, all other figures are random.
    let is_enough = luck.samples() >= FEW;
    if let Some(interval) = informative(interval) {
        text.push_str(&format!(" {}{kind}", percents(Some(interval))));
        let value = luck.mean().and_then(elo_scale::from_score);
        if let Some(value) = value.filter(|_| is_enough) {
            text.push_str(&format!(", Elo {} {}", elo(value), elo_range(Some(interval.elo()))));
        }
    }
    let worth = luck.worth().filter(|_| is_enough);
    text.push_str(&match (worth, of.raw_games()) {
        (Some(worth), Some(games)) if worth > 1.0 => {
            format!(", as good as {}: the better estimate.", counted(games, "raw game"))
        }
        (Some(_), _) => "; the score with luck is the better estimate.".to_owned(),
        _ => ".".to_owned(),
    });
    Some(text)
}
