//! External engines and the communication with them.
//!
//! This layer handles processes, pipes, deadlines and protocols. It knows no game: positions and
//! moves are text here. Every wait has an absolute deadline, and output does not extend it. Every
//! buffer that an engine fills has a size limit.
//!
//! - [`Launch`]: a command line and its program
//! - [`Connection`]: a running process, its lines in both directions, its end
//! - [`Protocol`]: the messages; [`Uci`] implements UCI and UGI, [`Gomocup`] the protocol of the
//!   Gomocup tournaments
//! - [`TimeControl`], [`Clock`]: time limits of a side
//! - [`EngineContext`]: the context that all engines of a run share

mod command_line;
mod connection;
mod context;
mod conversation_log;
mod engine_options;
mod error;
mod gomocup;
mod orphan_processes;
mod own_delay;
mod process;
mod protocol;
mod search_info;
mod system_limits;
mod time_control;
mod uci;

pub use command_line::{Launch, words};
pub use connection::{Connection, QUIT_TIMEOUT};
pub(crate) use context::StartPermit;
pub use context::{EngineContext, MAX_CONCURRENT_STARTS};
pub use conversation_log::{ConversationLog, FLUSHES, shorten};
pub use engine_options::{EngineOption, OptionType, check_option};
pub use error::{EngineError, EngineErrorKind};
pub use gomocup::Gomocup;
pub use orphan_processes::{adopt_orphans, end_engines};
pub use own_delay::{Delay, Lateness, measuring_interval};
pub use process::Exit;
pub use protocol::{
    EngineAnswer, EngineSettings, Exchange, MoveLimits, Protocol, Question, Seed, Setting,
};
pub use search_info::{Details, EngineScore, Info};
pub use system_limits::{
    DESCRIPTORS_EACH, DESCRIPTORS_TO_START, free_processes, is_shortage, raise_descriptor_limit,
};
pub use time_control::{Clock, TimeControl};
pub use uci::{UCI, UGI, Uci, Words};
