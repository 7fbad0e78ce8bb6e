//! External engines and the communication with them.
//!
//! This layer handles processes, pipes, deadlines and protocols. It knows no game: positions and
//! moves are text here. Every wait has an absolute deadline, and output does not extend it. Every
//! buffer that an engine fills has a size limit.
//!
//! - [`Launch`]: a command line and its program
//! - [`Link`]: a running process, its lines in both directions, its end
//! - [`Protocol`]: the messages; [`Uci`] implements UCI and UGI, [`Gomocup`] the protocol of the
//!   Gomocup tournaments
//! - [`TimeControl`], [`Clock`]: time limits of a side
//! - [`House`]: the context that all engines of a run share

mod clock;
mod command;
mod gomocup;
mod house;
mod info;
mod lateness;
mod limits;
mod link;
mod options;
mod orphans;
mod process;
mod protocol;
mod transcript;
mod uci;

pub use clock::{Clock, TimeControl};
pub use command::{Launch, NotFound, words};
pub use gomocup::Gomocup;
pub(crate) use house::InTurn;
pub use house::{AT_A_TIME, House};
pub use info::{Details, Info, Score};
pub use lateness::{Delay, Lateness, measuring_interval};
pub use limits::{
    DESCRIPTORS_EACH, DESCRIPTORS_TO_START, free_processes, is_shortage, raise_descriptor_limit,
};
pub use link::{Link, QUIT};
pub use options::{EngineOption, OptionType, check_option};
pub use orphans::{adopt_orphans, end_engines};
pub use process::Exit;
pub use protocol::{
    Answer, Done, Go, Lots, Protocol, Question, Setting, Terms, Trouble, TroubleKind,
};
pub use transcript::{FLUSHES, Transcript, shorten};
pub use uci::{UCI, UGI, Uci, Words};
