//! Mathematics on counts: knows no game, no file and no clock.
