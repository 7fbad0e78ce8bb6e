//! The sequential probability ratio test: play until one of two hypotheses
//! about the strength is accepted, and no longer.
//!
//! [`Settings`] say what is tested, [`Settings::check`] turns them into a
//! [`Design`] or an error with its remedy, and [`Sprt`] is fed the pairs in
//! schedule order until its verdict falls.
//!
//! ```
//! use agon::stats::Outcome::{Draw, Win};
//! use agon::stats::sprt::{Settings, Sprt, Verdict};
//!
//! let design = Settings { elo0: 0.0, elo1: 100.0, ..Settings::default() }.check()?;
//! let mut sprt = Sprt::new(design);
//! while sprt.verdict().is_none() {
//!     sprt.push_pair(Win, Draw);
//! }
//! assert_eq!(sprt.verdict(), Some(Verdict::AcceptH1));
//! # Ok::<(), agon::stats::sprt::SettingsError>(())
//! ```

pub mod bayes_elo;
mod design;
mod error;
mod length;
mod llr;
mod overshoot;
mod sequential;

pub use design::{Design, EloModel, Settings, Unit};
pub use error::SettingsError;
pub use length::Expected;
pub use llr::{llr_of_means, llr_of_t};
pub use overshoot::Overshoot;
pub use sequential::{Sprt, Verdict};
