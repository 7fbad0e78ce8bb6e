//! The definitions of a config, for the reader, the JSON schema and `agon list`. A new section is one
//! entry in [`Definitions::new`].

use super::kind::ConfigKind;
use super::{
    adjudication_section, grading_section, limits_section, openings_section, output_section,
    schedule_section, sprt_section,
};
use crate::params::{Param, Params, Value};
use crate::play::Registry;
use crate::util::collect_lists::{AddAll, Gather};

/// The shape of a section.
#[derive(Debug, Clone, PartialEq)]
pub enum SectionShape {
    /// A table with fixed keys.
    Keys(Vec<Param>),
    /// A table whose `kind` decides which other keys it has.
    OneOf {
        /// The registered kinds.
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
    /// Its keys or kinds.
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
        let section = |key, summary, shape| Section { key, summary, shape };
        Definitions {
            top: Top::list(),
            sections: vec![
                section(
                    "game",
                    "What is played",
                    SectionShape::OneOf { kinds: games(registry), default: None },
                ),
                section(
                    "agents",
                    "Who plays; one table each",
                    SectionShape::Agents(agents(registry)),
                ),
                section(
                    "each",
                    "Keys that every agent takes which knows them and does not set them",
                    SectionShape::Shared,
                ),
                section(
                    "schedule",
                    "Who meets whom, how often",
                    SectionShape::Keys(schedule_section::ScheduleConfig::list()),
                ),
                section(
                    "openings",
                    "Where games begin; without this section after random moves where the game has \
                     enough such openings (see `agon list games`), else at the start",
                    SectionShape::OneOf {
                        kinds: openings_section::kinds(),
                        default: Some("start"),
                    },
                ),
                section(
                    "sprt",
                    "A sequential test: play until it is decided; only if the section is there",
                    SectionShape::Keys(sprt_section::SprtParams::list()),
                ),
                section(
                    "sweep",
                    "Lists for `seed` and for keys of [game], [openings], [schedule] and [limits], \
                     such as \"game.columns\" = [5, 6, 7]; each combination is a run in a folder of \
                     its own",
                    SectionShape::Lists,
                ),
                section(
                    "limits",
                    "When games are cut short",
                    SectionShape::Keys(limits_section::GameLimits::list()),
                ),
                section(
                    "adjudication",
                    "Games that end because of how they stand; by default none",
                    SectionShape::Keys(adjudication_section::params()),
                ),
                section(
                    "output",
                    "What is written besides the tables",
                    SectionShape::Keys(output_section::Output::list()),
                ),
                section(
                    "grading",
                    "How good each move was, by exact values; only if the section is there",
                    SectionShape::Keys(grading_section::Grading::list()),
                ),
            ],
        }
    }

    /// The section of a name.
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
        /// names the results folder; the file's stem if not given
        name: Option<String> = None,
        /// what the experiment is to answer, for the report
        question: Option<String> = None,
        /// fixes openings, dice and every random choice
        seed: u64 [0..=i64::MAX] = 0,
    }
}

fn games(registry: &Registry) -> Vec<ConfigKind> {
    registry
        .games
        .iter()
        .map(|game| ConfigKind {
            kind: game.kind,
            summary: game.summary,
            params: game.params.clone(),
            example: example("[game]", game.kind, &game.params),
        })
        .gather()
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
    lines.add_all(numbers.take(3));
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
        .gather()
}
