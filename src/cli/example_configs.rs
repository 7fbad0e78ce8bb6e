//! The experiments of `configs/`, compiled into the program.

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!("../../configs/", $path)))),*]
    };
}

/// The files of `configs/` with their contents.
pub const FILES: [(&str, &str); 48] = files![
    "backgammon.toml",
    "best.toml",
    "breakthrough.toml",
    "c4_accuracy.toml",
    "c4_depth.toml",
    "c4_self_play.toml",
    "c4_textbook.toml",
    "checkers.toml",
    "chess960.toml",
    "chess_depth.toml",
    "chess_options.toml",
    "deep_options.toml",
    "depth_and_rounds.toml",
    "einstein.toml",
    "go.toml",
    "kalah.toml",
    "luck-choices.toml",
    "luck.toml",
    "mnk_first_player.toml",
    "opponent_models.toml",
    "othello.toml",
    "pacman_trapped.toml",
    "pig.toml",
    "pruning.toml",
    "reductions.toml",
    "risk.toml",
    "smoke.toml",
    "star.toml",
    "swiss.toml",
    "trees.toml",
    "ttt_perfect.toml",
    "tune.toml",
    "tune_grid.toml",
    "tune_othello.toml",
    "layouts/chase.txt",
    "layouts/dead_end.txt",
    "trees/chance.toml",
    "trees/minimax.toml",
    "trees/three_players.toml",
    "trees/trap.toml",
    "tutorial/chance.toml",
    "tutorial/depth.toml",
    "tutorial/dice.toml",
    "tutorial/pruning.toml",
    "tutorial/quiescence.toml",
    "tutorial/risk.toml",
    "tutorial/sampling.toml",
    "tutorial/sequential.toml",
];

/// The experiments, by name; those of the tutorial begin with `tutorial/`.
pub fn experiments() -> impl Iterator<Item = (&'static str, &'static str)> {
    let named = |&(path, text): &(&'static str, &'static str)| {
        let name = path.strip_suffix(".toml")?;
        (!name.contains('/') || name.starts_with("tutorial/")).then_some((name, text))
    };
    FILES.iter().filter_map(named)
}
