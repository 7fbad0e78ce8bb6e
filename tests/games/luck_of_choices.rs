//! The luck of agents' own random choices: known answers, and enumeration.

use std::collections::HashMap;

use agon::agents::{Agent, GameSoFar, MoveRequest, SearchInfo};
use agon::games::{Configurable, Game, GameTree, Pig, TicTacToe, Turn};
use agon::params::{Spec, Value, Values};
use agon::play::{
    AnyGame, ChoiceReader, LuckMeter, LuckSettings, RandomChoices, StreamRole, stream,
};

use super::luck::{games, lineup, random_meter, spec};
use crate::support::chance::{after, build, chances};

fn random() -> Spec {
    spec("random", &[])
}

/// `perfect` with a random choice between equal moves.
fn perfect() -> Spec {
    let mut spec = spec("perfect", &[]);
    spec.values.set("ties", Value::Text("random".into()));
    spec
}

fn noisy(key: &str, value: f64, agent: Spec) -> Spec {
    let mut values = Values::default();
    values.set("agent", Value::Spec(Box::new(agent)));
    values.set(key, Value::Float(value));
    Spec { kind: "noisy".into(), values }
}

fn agent<G: Configurable>(game: &G, spec: &Spec) -> Box<dyn Agent<G>> {
    agon::agents::build(game, spec).unwrap_or_else(|error| panic!("{error}"))
}

/// Asks an agent for a move, with the random numbers of this stream.
fn ask<G: Game>(agent: &mut dyn Agent<G>, game: &G, state: &G::State, number: u64) -> G::Move {
    let Turn::Player(player) = game.turn(state) else { panic!("a player is to move") };
    agent.new_game(game, player);
    let mut request = MoveRequest {
        game,
        state,
        player,
        history: &[],
        rng: &mut stream(1, StreamRole::First, number),
        search_info: &mut SearchInfo::default(),
        game_so_far: GameSoFar::nothing(),
    };
    agent.choose(&mut request).unwrap_or_else(|fault| panic!("{fault}"))
}

/// The legal moves with the probabilities that the agent reports. An agent that draws nothing plays
/// its move with probability 1.
fn policy<G: Game>(agent: &mut dyn Agent<G>, game: &G, state: &G::State) -> Vec<(G::Move, f64)> {
    let chosen = ask(agent, game, state, 1);
    let (mut moves, mut probabilities) = (Vec::new(), Vec::new());
    agent.move_probabilities(game, state, &mut probabilities);
    game.moves(state, &mut moves);
    if probabilities.is_empty() {
        probabilities = moves.iter().map(|mv| f64::from(*mv == chosen)).collect();
    }
    assert_eq!(probabilities.len(), moves.len());
    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    moves.into_iter().zip(probabilities).collect()
}

fn points<G: Game>(game: &G, state: &G::State) -> f64 {
    0.5 + 0.5 * f64::from(game.payoff(state).signum())
}

/// The first player's expected score when these agents play, for every position below this one.
fn values<G: Game>(
    agents: &mut [Box<dyn Agent<G>>; 2],
    game: &G,
    state: &G::State,
    all: &mut HashMap<String, f64>,
) -> f64 {
    let text = game.write_position(state);
    if let Some(value) = all.get(&text) {
        return *value;
    }
    let next: Vec<(f64, G::State)> = match game.turn(state) {
        Turn::Over => vec![],
        Turn::Chance => chances(game, state),
        Turn::Player(player) => {
            let moves = policy(&mut *agents[player.index()], game, state);
            moves.into_iter().map(|(mv, p)| (p, after(game, state, mv))).collect()
        }
    };
    let value = match game.turn(state) {
        Turn::Over => points(game, state),
        _ => next.iter().map(|(p, next)| p * values(agents, game, next, all)).sum(),
    };
    all.insert(text, value);
    value
}

/// The games of tic-tac-toe between `first` and `second`: every one has the same score without luck
/// by the values of this play, and the score is known from enumerations without agon.
#[test]
fn with_the_values_of_the_pair_every_game_has_the_same_score() {
    let any = AnyGame::of(TicTacToe);
    let mixture = noisy("epsilon", 0.0, perfect());
    for (first, second, known) in [
        (random(), random(), 737.0 / 1260.0 + 8.0 / 126.0),
        (perfect(), random(), 75_257.0 / 77_760.0 + 2_503.0 / 155_520.0),
        (random(), perfect(), 757.0 / 6_804.0),
        (mixture, noisy("epsilon", 1.0, perfect()), 75_257.0 / 77_760.0 + 2_503.0 / 155_520.0),
        (noisy("temperature", 1e9, perfect()), perfect(), 757.0 / 6_804.0),
    ] {
        let mut agents = [&first, &second].map(|spec| agent(&TicTacToe, spec));
        let mut all = HashMap::new();
        let start = values(&mut agents, &TicTacToe, &TicTacToe.start(), &mut all);
        assert!((start - known).abs() < 1e-8, "{start} and {known}");
        let rules = any.clone();
        let mut own = LuckMeter::new(&any, move |state| all[&rules.write_position(state)]);
        let settings = Some(LuckSettings::Exact);
        let lineup = lineup(&any, vec![first.clone(), second.clone()], settings);
        let mut reader = ChoiceReader::new(&any, vec![first.clone(), second], 0, 7);
        let (mut game, mut scores) = (0, Vec::new());
        games(&lineup, [0, 1], 60, &mut |score, _, texts| {
            game += 1;
            let texts_of = (&*texts.opening, &*texts.moves);
            let agents = if game % 2 == 1 { [0, 1] } else { [1, 0] };
            // The agents report the same when they are asked again.
            assert_eq!(reader.choices(game, agents, texts_of).as_ref(), Ok(&texts.choices));
            if agents == [0, 1] {
                let luck = own.luck(texts_of.0, texts_of.1, &texts.choices, &mut |_| {});
                let adjusted = score - luck.expect("a game");
                assert!((adjusted - known).abs() < 1e-8, "{adjusted} and {known}");
                scores.push(score);
            }
        });
        assert!(scores.iter().any(|score| *score != scores[0]) || !(0.2..=0.9).contains(&known));
    }
}

/// A game with its probability.
struct Line {
    probability: f64,
    score: f64,
    moves: String,
    choices: RandomChoices,
}

/// All games below a position. Only the choices of the agents of these sides are reported.
fn enumerate<G: Game>(
    game: &G,
    agents: &mut [Box<dyn Agent<G>>; 2],
    state: &G::State,
    line: Line,
    out: &mut Vec<Line>,
) {
    let Line { probability, moves, mut choices, .. } = line;
    let next: Vec<(G::Move, f64)> = match game.turn(state) {
        Turn::Over => {
            out.push(Line { probability, score: points(game, state), moves, choices });
            return;
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let all: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
            let share = |weight: u32| f64::from(weight) / f64::from(all);
            outcomes.into_iter().map(|(mv, weight)| (mv, share(weight))).collect()
        }
        Turn::Player(player) => {
            let all = policy(&mut *agents[player.index()], game, state);
            if choices.sides[player.index()] {
                choices.moves.push(all.iter().map(|(_, p)| *p).collect());
            }
            all
        }
    };
    for (mv, share) in next.into_iter().filter(|(_, share)| *share > 0.0) {
        let mut text = String::new();
        game.write_move(state, mv, &mut text);
        let line = Line {
            probability: probability * share,
            score: 0.0,
            moves: format!("{moves} {text}").trim().to_owned(),
            choices: choices.clone(),
        };
        enumerate(game, agents, &after(game, state, mv), line, out);
    }
}

/// Enumerates all games from a position. No value function changes the mean of the scores without
/// luck. With the values of the play, they have no variance. If only the first player reports its
/// probabilities, the variance is that of the second player's choices.
fn check<G: Configurable>(make: &dyn Fn() -> G, specs: [&Spec; 2], position: &str, games: usize) {
    let (game, any) = (make(), AnyGame::of(make()));
    let mut agents = specs.map(|spec| agent(&game, spec));
    let state = game.read_position(position).expect("a position");
    let mut all = HashMap::new();
    let exact = values(&mut agents, &game, &state, &mut all);
    let lines = |sides, agents: &mut _| {
        let choices = RandomChoices { sides, moves: Vec::new() };
        let line = Line { probability: 1.0, score: 0.0, moves: String::new(), choices };
        let mut lines = Vec::new();
        enumerate(&game, agents, &state, line, &mut lines);
        assert!((lines.iter().map(|line| line.probability).sum::<f64>() - 1.0).abs() < 1e-12);
        lines
    };
    let opening = format!("position {position}");
    let moments = |lines: &[Line], meter: &mut LuckMeter| {
        let mut sums = [0.0; 2];
        for Line { probability, score, moves, choices } in lines {
            let luck = meter.luck(&opening, moves, choices, &mut |_| {}).expect("a game");
            sums[0] += probability * (score - luck);
            sums[1] += probability * (score - luck) * (score - luck);
        }
        [sums[0], sums[1] - sums[0] * sums[0]]
    };
    let own = |any: &AnyGame| {
        let (rules, all) = (any.clone(), all.clone());
        LuckMeter::new(any, move |state| all[&rules.write_position(state)])
    };
    let [both, first] = [[true; 2], [true, false]].map(|sides| lines(sides, &mut agents));
    assert_eq!(both.len(), games);
    for seed in 0..10 {
        let mut meter = random_meter(&any, seed);
        for lines in [&both, &first] {
            let [mean, variance] = moments(lines, &mut meter);
            assert!((mean - exact).abs() < 1e-12, "seed {seed}: {mean} and {exact}");
            assert!(variance > 0.01, "seed {seed}: {variance}");
        }
    }
    let [mean, variance] = moments(&both, &mut own(&any));
    assert!((mean - exact).abs() < 1e-12 && variance.abs() < 1e-12, "{mean}, {variance}");
    let [_, variance] = moments(&first, &mut own(&any));
    let left = spread_of_second(&mut agents, &game, &state, &all);
    assert!((variance - left).abs() < 1e-12 && left > 0.01, "{variance} and {left}");
}

/// The variance of the second player's choices by these values, over all games below a position.
fn spread_of_second<G: Game>(
    agents: &mut [Box<dyn Agent<G>>; 2],
    game: &G,
    state: &G::State,
    all: &HashMap<String, f64>,
) -> f64 {
    let own = all[&game.write_position(state)];
    let (weight, next): (f64, Vec<_>) = match game.turn(state) {
        Turn::Over => return 0.0,
        Turn::Chance => (0.0, chances(game, state)),
        Turn::Player(player) => {
            let moves = policy(&mut *agents[player.index()], game, state);
            let next = moves.into_iter().map(|(mv, p)| (p, after(game, state, mv)));
            (player.index() as f64, next.collect())
        }
    };
    let mut spread = 0.0;
    for (p, next) in next {
        let off = all[&game.write_position(&next)] - own;
        spread += p * (weight * off * off + spread_of_second(agents, game, &next, all));
    }
    spread
}

#[test]
fn mean_and_variance_are_those_of_enumeration() {
    let noise = noisy("epsilon", 0.3, perfect());
    let tictactoe = || TicTacToe;
    check(&tictactoe, [&random(), &noise], "xo./.x./..o", 102);
    check(&tictactoe, [&noise, &noisy("temperature", 0.5, perfect())], "xo./.x./..o", 102);
    let text = "max = [{ chance = [1, -1], weights = [1, 3] }, { min = [1, 0, -1, -1] }, -1, \
                { min = [{ max = [1, -1, 0] }, 1, { chance = [1, -1, 0] }] }]\n";
    let tree = || build::<GameTree>(&[], &[("text", text)]);
    check(&tree, [&noise, &random()], "/", 14);
}

/// In Pig, the last move is `hold`, and no other move is legal then.
#[test]
fn a_constant_value_function_removes_nothing() {
    let game = AnyGame::of(Pig::new(20, 6).expect("Pig"));
    let lineup = lineup(&game, vec![random()], Some(LuckSettings::Exact));
    let mut none = LuckMeter::new(&game, |_| 0.0);
    games(&lineup, [0, 0], 20, &mut |_, measured, texts| {
        assert!(measured.is_some() && !texts.choices.moves.is_empty());
        let luck = none.luck(&texts.opening, &texts.moves, &texts.choices, &mut |_| {});
        assert_eq!(luck, Ok(0.0));
    });
}

/// The shares of 20 000 moves are within five standard errors of the reported probabilities.
#[test]
fn agents_draw_with_the_probabilities_that_they_report() {
    let mut minimax = spec("minimax", &[("depth", 1)]);
    minimax.values.set("ties", Value::Text("random".into()));
    let position = TicTacToe.read_position(".../.x./...").expect("a position");
    for spec in [
        random(),
        noisy("epsilon", 0.4, perfect()),
        noisy("epsilon", 0.4, noisy("epsilon", 0.5, minimax.clone())),
        noisy("temperature", 0.7, perfect()),
        minimax,
    ] {
        let mut agent = agent(&TicTacToe, &spec);
        assert!(agent.has_move_probabilities());
        let policy = policy(&mut *agent, &TicTacToe, &position);
        let mut counts = HashMap::new();
        for number in 0..20_000 {
            *counts.entry(ask(&mut *agent, &TicTacToe, &position, number)).or_insert(0.0) += 1.0;
        }
        assert!(counts.len() > 1, "{spec:?}");
        for (mv, p) in policy {
            let share = counts.get(&mv).unwrap_or(&0.0) / 20_000.0;
            let error = (p * (1.0 - p) / 20_000.0).sqrt();
            assert!((share - p).abs() <= 5.0 * error, "{spec:?}, {mv}: {share} and {p}");
        }
    }
}

#[test]
fn agents_without_random_choices_and_with_a_clock_report_nothing() {
    let any = AnyGame::of(TicTacToe);
    let timed = |kind: &str| {
        let mut spec = spec(kind, &[("movetime", 5)]);
        spec.values.set("ties", Value::Text("random".into()));
        spec
    };
    let hidden = noisy("epsilon", 0.5, timed("mcts"));
    for spec in [spec("perfect", &[]), timed("alphabeta"), timed("mcts"), hidden] {
        assert!(!any.reports_choices(&spec), "{spec:?}");
    }
    assert!(any.reports_choices(&perfect()) && any.reports_choices(&random()));
    let no_luck = any.check_luck(&LuckSettings::Exact, &[spec("perfect", &[])]);
    assert!(no_luck.expect_err("no luck").message.contains("no agent reports"));
}
