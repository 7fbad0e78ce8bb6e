//! Solvers: exact values of positions of one game each. They work on plain bits and know no
//! [`Game`](crate::games::Game), so that a game can offer its solver as
//! [`Exactness`](crate::games::Exactness).

pub mod connect4;
