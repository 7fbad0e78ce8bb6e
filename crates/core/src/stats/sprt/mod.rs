//! The sequential probability ratio test (SPRT): it stops as soon as one of two hypotheses about
//! the strength is accepted.
//!
//! [`SprtSettings`] define the test. [`SprtSettings::check`] converts them into a [`Design`] or an error
//! with advice. [`Sprt`] takes the pairs in the order of the schedule until it has a verdict.
//!
//! ```
//! # use agon_core as agon;
//! use agon::stats::GameScore::{Draw, Win};
//! use agon::stats::sprt::{Sprt, SprtSettings, SprtVerdict};
//!
//! let design = SprtSettings { elo0: 0.0, elo1: 100.0, ..SprtSettings::default() }.check()?;
//! let mut sprt = Sprt::new(design);
//! while sprt.verdict().is_none() {
//!     sprt.push_pair(Win, Draw);
//! }
//! assert_eq!(sprt.verdict(), Some(SprtVerdict::AcceptH1));
//! # Ok::<(), agon::stats::sprt::SettingsError>(())
//! ```

pub mod bayes_elo;
mod betting_test;
mod expected_length;
mod log_likelihood_ratio;
mod overshoot;
mod running_sprt;
mod sprt_design;
mod sprt_settings_error;

pub use betting_test::BettingTest;
pub use expected_length::Expected;
pub use log_likelihood_ratio::{llr_of_means, llr_of_t};
pub use overshoot::Overshoot;
pub use running_sprt::{Sprt, SprtVerdict};
pub use sprt_design::{Design, EloModel, SprtSettings, Unit};
pub use sprt_settings_error::SettingsError;
