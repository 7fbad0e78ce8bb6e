//! External engines and the communication with them.
//!
//! This layer handles processes, pipes, deadlines and protocols. It knows no game: positions and
//! moves are text here. Every wait has an absolute deadline, and output does not extend it. Every
//! buffer that an engine fills has a size limit.
//!
//! - [`Launch`]: a command line and its program
//! - [`Connection`]: a running process, its lines in both directions, its end
//! - [`UciCommand`], [`UciReply`], [`GtpCommand`], [`GtpAnswer`], [`GomocupCell`]: the lines of the
//!   protocols, for hosts and engines
//! - [`Protocol`]: the conversation of a host; [`Uci`] implements UCI and UGI, [`Gtp`] the Go Text
//!   Protocol, [`Gomocup`] the protocol of the Gomocup tournaments
//! - [`TimeControl`], [`Clock`]: time limits of a side
//! - [`EngineContext`]: the context that all engines of a run share

mod command_text;
mod connection;
mod conversation_log;
mod cost_faults;
mod engine_context;
mod engine_error;
mod engine_protocol;
mod final_score;
mod gomocup_protocol;
mod greet_in_groups;
mod gtp_protocol;
mod harness_delay;
mod launch;
mod messages;
mod protocol_trait;
mod sandbox_files;
mod time_control;
mod transcript;
mod uci_protocol;

pub use command_text::CommandText;
pub use connection::{Connection, Line};
pub use conversation_log::ConversationLog;
pub(crate) use conversation_log::{FLUSHES, shorten};
pub use cost_faults::CostFault;
pub use engine_context::EngineContext;
pub use engine_context::MAX_CONCURRENT_STARTS;
pub(crate) use engine_context::StartPermit;
pub use engine_error::{EngineError, EngineErrorKind};
pub use engine_protocol::EngineProtocol;
pub use final_score::{FinalScore, FinalScores};
pub use gomocup_protocol::Gomocup;
pub use greet_in_groups::greet_in_groups;
pub use gtp_protocol::Gtp;
pub use harness_delay::Delay;
pub use harness_delay::{Lateness, measuring_interval};
pub use launch::expand_home;
pub use launch::{Launch, command_words, words};
pub use messages::engine_option::{EngineOption, OptionType, check_option};
pub use messages::gomocup_cell::GomocupCell;
pub use messages::gtp_command::{GtpAnswer, GtpCommand, write_score};
pub use messages::uci_command::{GoCommand, UCI, UGI, UciCommand, Words};
pub use messages::uci_info::{AnswerCost, Details, EngineScore, Info};
pub use messages::uci_reply::UciReply;
pub use protocol_trait::{
    EngineAnswer, EngineSeed, EngineSettings, MoveLimits, Protocol, Question, Setting,
};
pub use sandbox_files::{SandboxFiles, is_link_out, without_parents};
pub use time_control::{Clock, TimeControl};
pub(crate) use transcript::SharedTranscript;
pub use transcript::{KeptTranscripts, TranscriptLine};
pub use uci_protocol::Uci;

pub use crate::util::unix::{
    Breach, Exit, Sandbox, adopt_orphans, become_sandbox_helper, free_processes, is_whole,
    missing_sandbox,
};
pub use crate::util::unix::{
    DESCRIPTORS_EACH, DESCRIPTORS_TO_START, end_engines, raise_descriptor_limit,
};
