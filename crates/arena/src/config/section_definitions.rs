//! The definitions of a config, for the reader, the JSON schema and `agon list`. A new section is an
//! entry in [`Definitions::new`]; docs/architecture.md names its other places.

use crate::config::build_context::{Described, Section as _};
use crate::config::kinds;
use crate::config::sections::adjudication_section::AdjudicationParams;
use crate::config::sections::grading_section::Grading;
use crate::config::sections::limits_section::GameLimits;
use crate::config::sections::luck_section::LuckParams;
use crate::config::sections::openings_section;
use crate::config::sections::output_section::Output;
use crate::config::sections::schedule_section::ScheduleConfig;
use crate::config::tree::config_kind::ConfigKind;
use crate::params::{Param, Params, Value};
use crate::play::Registry;

#[derive(Debug, Clone, PartialEq)]
pub enum SectionShape {
    /// A table with fixed keys.
    Keys(Vec<Param>),
    /// A table whose `kind` decides which other keys it has.
    OneOf {
        kinds: Vec<ConfigKind>,
        /// The default kind if the table is missing. `None`: the table is required.
        default: Option<&'static str>,
    },
    /// Any number of such tables, each with a name. Lists in them are sweeps.
    Agents(Vec<ConfigKind>),
    /// Keys that all agents share.
    Shared,
    /// Keys of other sections with lists of their values.
    Lists,
}

/// A table of the config.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its name, as in `[name]`.
    pub key: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    pub shape: SectionShape,
}

/// All sections and keys of a config.
#[derive(Debug, Clone, PartialEq)]
pub struct Definitions {
    /// The keys before the first table.
    pub top: Vec<Param>,
    /// The tables, in the order in which they are written.
    pub sections: Vec<Section>,
}

impl Definitions {
    /// The definitions for these games and agents.
    pub fn new(registry: &Registry) -> Self {
        use SectionShape::{Agents, Lists, OneOf, Shared};
        let mut sections = vec![
            section("game", "The game", OneOf { kinds: games(registry), default: None }),
            section("agents", "The agents: one table per agent", Agents(agents(registry))),
            section("each", "Keys for all agents that support them and do not set them", Shared),
            with_keys(ScheduleConfig::described()),
            section(
                "openings",
                "Openings; default: random openings if the game has enough of them (see `agon list games`), else the start",
                OneOf { kinds: openings_section::kinds(), default: Some("start") },
            ),
        ];
        sections.extend(kinds::sections().map(with_keys));
        sections.extend([
            section(
                "sweep",
                "Lists for `seed` and for keys of [game], [openings], [schedule] and [limits], \
                 such as \"game.columns\" = [5, 6, 7]; each combination is a run in a folder of \
                 its own",
                Lists,
            ),
            with_keys(GameLimits::described()),
            with_keys(AdjudicationParams::described()),
            with_keys(LuckParams::described()),
            with_keys(Output::described()),
            with_keys(Grading::described()),
        ]);
        Definitions { top: Top::list(), sections }
    }

    pub fn section(&self, key: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.key == key)
    }

    /// The kinds of a section; empty if the section has no kinds.
    pub fn kinds(&self, key: &str) -> &[ConfigKind] {
        match self.section(key).map(|section| &section.shape) {
            Some(SectionShape::OneOf { kinds, .. } | SectionShape::Agents(kinds)) => kinds,
            _ => &[],
        }
    }
}

crate::params! {
    /// The keys before the first table.
    #[derive(Debug)]
    pub(super) struct Top {
        /// name of the results folder; default: the name of the file
        name: Option<String> = None,
        /// question that the experiment answers, for the report
        question: Option<String> = None,
        /// seed of openings, dice and all other random choices
        seed: u64 [0..=i64::MAX] = 0,
    }
}

fn section(key: &'static str, summary: &'static str, shape: SectionShape) -> Section {
    Section { key, summary, shape }
}

fn with_keys(of: Described) -> Section {
    section(of.key, of.summary, SectionShape::Keys(of.params))
}

fn games(registry: &Registry) -> Vec<ConfigKind> {
    registry
        .games
        .iter()
        .map(|game| ConfigKind {
            kind: game.kind,
            summary: game.summary,
            params: game.params.clone(),
            example: match game.example {
                "" => example("[game]", game.kind, &game.params),
                lines => format!("[game]\n{lines}"),
            },
        })
        .collect()
}

/// An example of the kind, with its first default numbers.
fn example(head: &str, kind: &str, params: &[Param]) -> String {
    let numbers = params.iter().filter_map(|param| match &param.default {
        crate::params::Default::Is(value @ Value::Int(_)) => {
            Some(format!("{} = {value}", param.key))
        }
        _ => None,
    });
    let mut lines = vec![head.to_owned(), format!("kind = \"{kind}\"")];
    lines.extend(numbers.take(3));
    lines.join("\n")
}

fn agents(registry: &Registry) -> Vec<ConfigKind> {
    registry
        .agents
        .iter()
        .map(|agent| ConfigKind {
            kind: agent.kind,
            summary: agent.summary,
            params: agent.params.clone(),
            example: match agent.example {
                "" => example("[[agents]]", agent.kind, &agent.params),
                lines => format!("[[agents]]\n{lines}"),
            },
        })
        .collect()
}
