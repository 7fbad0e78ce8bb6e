//! The protocols by name.

use super::gomocup_protocol::Gomocup;
use super::gtp_protocol::Gtp;
use super::messages::uci_command::{UCI, UGI};
use super::protocol_trait::Protocol;
use super::uci_protocol::Uci;

crate::choice! {
    /// What an engine speaks.
    pub enum EngineProtocol {
        /// The Universal Chess Interface.
        Uci = "uci",
        /// Its general counterpart.
        Ugi = "ugi",
        /// The protocol of the Gomocup tournaments.
        Gomocup = "gomocup",
        /// The Go Text Protocol, for Go and Othello.
        Gtp = "gtp",
    }
}

impl EngineProtocol {
    /// A new conversation.
    pub fn conversation(self) -> Box<dyn Protocol> {
        match self {
            EngineProtocol::Uci => Box::new(Uci::new(UCI)),
            EngineProtocol::Ugi => Box::new(Uci::new(UGI)),
            EngineProtocol::Gomocup => Box::new(Gomocup::default()),
            EngineProtocol::Gtp => Box::new(Gtp::default()),
        }
    }

    /// The first line to an engine, and the expected answer.
    pub fn greeting(self) -> (&'static str, &'static str) {
        match self {
            EngineProtocol::Uci => ("uci", "uciok"),
            EngineProtocol::Ugi => ("ugi", "ugiok"),
            EngineProtocol::Gomocup => ("START 15", "OK"),
            EngineProtocol::Gtp => ("1 name", "=1"),
        }
    }

    /// The line that asks an engine to quit.
    pub fn quit_line(self) -> &'static str {
        if self == EngineProtocol::Gomocup { "END\n" } else { "quit\n" }
    }

    /// Whether it is UCI or UGI. The other protocols have no limits on nodes and depth, and no
    /// commands during a search.
    pub fn is_uci(self) -> bool {
        matches!(self, EngineProtocol::Uci | EngineProtocol::Ugi)
    }
}
