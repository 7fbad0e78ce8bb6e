//! Trees for more than two players, solved by max^n (Luckhardt and Irani 1986, "An algorithmic
//! solution of n-person games").
//!
//! The file names the players. A node is a list with one whole number per player (a leaf), or a
//! table with the player who moves and the children:
//!
//! ```toml
//! players = ["A", "B", "C"]
//! A = [{ B = [[1, 2, 6], [4, 2, 3]] }, [5, 1, 1]]
//! ```
//!
//! Children are a list, or a table whose keys name the moves. Each player takes the move with the
//! largest own value, and the first of several.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::params::ParamError;
use crate::util::did_you_mean::did_you_mean;
use crate::util::toml_fault::{TomlFault, fault, parse_tree};

const MOST_PLAYERS: usize = 6;
const MAX_NODES: usize = 100_000;
const NODE: &str = "write a list with one value per player, or a table such as `{ A = […] }`";

/// A node with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct MultiPlayerNode {
    /// The parent's number; `None` at the root.
    pub parent: Option<u32>,
    pub children: Vec<u32>,
    /// The move that leads here; empty at the root.
    pub label: String,
    /// The number of the player who moves; `None` at a leaf.
    pub player: Option<usize>,
    /// The value for each player.
    pub values: Vec<i64>,
    /// The child that the player takes.
    pub best: Option<u32>,
}

/// A solved tree. Nodes are in depth-first order, and node 0 is the root.
#[derive(Debug, Clone, PartialEq)]
pub struct MultiPlayerTree {
    pub players: Vec<String>,
    pub nodes: Vec<MultiPlayerNode>,
}

impl MultiPlayerTree {
    /// Reads and solves a tree.
    ///
    /// # Errors
    /// The first mistake in the text, with `name` and its line.
    pub fn read(name: &str, text: &str) -> Result<Self, ParamError> {
        read(text).map_err(|fault| ParamError::new(fault.with_line(name, text), fault.help))
    }
}

fn read(text: &str) -> Result<MultiPlayerTree, TomlFault> {
    let file = parse_tree(text, "a tree may have 32 levels")?;
    let top = file.get_ref();
    let mut tree = MultiPlayerTree { players: players(top)?, nodes: Vec::new() };
    let number = tree.push(None, "", 0..0)?;
    tree.inner(number, top, 0..0)?;
    Ok(tree)
}

fn players(top: &DeTable<'_>) -> Result<Vec<String>, TomlFault> {
    let help = "write the names first, such as `players = [\"A\", \"B\", \"C\"]`";
    let Some((key, value)) = top.get_key_value("players") else {
        return fault(0..0, "the tree does not name its players", help);
    };
    let DeValue::Array(list) = value.get_ref() else {
        return fault(key.span(), "`players` is not a list", help);
    };
    let mut names: Vec<String> = Vec::new();
    for name in list {
        match name.get_ref() {
            DeValue::String(text) if is_name(text) => {
                if names.iter().any(|other| other == text) {
                    return fault(name.span(), format!("two players are named `{text}`"), help);
                }
                names.push(text.to_string());
            }
            _ => return fault(name.span(), "this is not the name of a player", help),
        }
    }
    if !(2..=MOST_PLAYERS).contains(&names.len()) {
        let message = format!("the tree has {} players", names.len());
        return fault(value.span(), message, format!("write 2 to {MOST_PLAYERS} names"));
    }
    Ok(names)
}

/// Names are printed, and are keys of the file.
fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(char::is_control) && text != "players"
}

impl MultiPlayerTree {
    /// The nodes of best play, from the root.
    pub fn line(&self) -> Vec<u32> {
        let mut line = vec![0];
        while let Some(best) = line.last().and_then(|&last| self.nodes[last as usize].best) {
            line.push(best);
        }
        line
    }

    fn push(
        &mut self,
        parent: Option<u32>,
        label: &str,
        at: Range<usize>,
    ) -> Result<u32, TomlFault> {
        if self.nodes.len() >= MAX_NODES {
            return fault(at, format!("more than {MAX_NODES} nodes"), "make the tree smaller");
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(MultiPlayerNode {
            parent,
            children: Vec::new(),
            label: label.to_owned(),
            player: None,
            values: Vec::new(),
            best: None,
        });
        if let Some(parent) = parent {
            self.nodes[parent as usize].children.push(number);
        }
        Ok(number)
    }

    /// Reads a child and its descendants.
    fn child(
        &mut self,
        parent: u32,
        label: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), TomlFault> {
        let number = self.push(Some(parent), label, value.span())?;
        match value.get_ref() {
            DeValue::Array(list) => {
                let mut values = Vec::new();
                for item in list {
                    let whole = match item.get_ref() {
                        DeValue::Integer(number) => {
                            i64::from_str_radix(number.as_str(), number.radix()).ok()
                        }
                        _ => None,
                    };
                    match whole {
                        Some(whole) => values.push(whole),
                        None => return fault(item.span(), "a value is a whole number", NODE),
                    }
                }
                let [given, needed] = [values.len(), self.players.len()];
                if given != needed {
                    let s = if given == 1 { "" } else { "s" };
                    let message = format!("a leaf has {given} value{s} for {needed} players");
                    return fault(value.span(), message, "write one value per player");
                }
                self.nodes[number as usize].values = values;
                Ok(())
            }
            DeValue::Table(table) => self.inner(number, table, value.span()),
            _ => fault(value.span(), "this is not a node", NODE),
        }
    }

    /// Reads the children of a node, and takes the best of them for its player.
    fn inner(
        &mut self,
        number: u32,
        table: &DeTable<'_>,
        at: Range<usize>,
    ) -> Result<(), TomlFault> {
        let mut keys = table.iter().filter(|(key, _)| number > 0 || key.get_ref() != "players");
        let Some((key, value)) = keys.next() else {
            return fault(at, "the node has no children", NODE);
        };
        if let Some((other, _)) = keys.next() {
            return fault(other.span(), "two players move in one node", "keep one of them");
        }
        let Some(player) = self.players.iter().position(|name| *name == **key.get_ref()) else {
            let names: Vec<&str> = self.players.iter().map(String::as_str).collect();
            let message = format!("there is no player `{}`", key.get_ref());
            return fault(key.span(), message, did_you_mean(key.get_ref(), &names));
        };
        match value.get_ref() {
            DeValue::Array(list) => {
                for (i, child) in list.iter().enumerate() {
                    self.child(number, &(i + 1).to_string(), child)?;
                }
            }
            DeValue::Table(table) => {
                // The parser sorts keys by name; moves keep the order of the file.
                let mut moves: Vec<_> = table.iter().collect();
                moves.sort_by_key(|(label, _)| label.span().start);
                for (label, child) in moves {
                    self.child(number, label.get_ref(), child)?;
                }
            }
            _ => return fault(value.span(), "children are a list or a table", NODE),
        }
        let gain = |child: &u32| self.nodes[*child as usize].values[player];
        let children = &self.nodes[number as usize].children;
        // The first of equal moves.
        let Some(best) = children.iter().copied().rev().max_by_key(|child| gain(child)) else {
            return fault(value.span(), "the node has no children", NODE);
        };
        let values = self.nodes[best as usize].values.clone();
        let node = &mut self.nodes[number as usize];
        (node.player, node.best, node.values) = (Some(player), Some(best), values);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<i64> {
        MultiPlayerTree::read("t", text).expect("a tree").nodes[0].values.clone()
    }

    /// Figure 5.4 of Russell and Norvig, third edition.
    #[test]
    fn the_tree_of_the_textbook_has_its_values() {
        let text = include_str!("../../../../configs/trees/three_players.toml");
        let tree = MultiPlayerTree::read("t", text).expect("a tree");
        let of = |player: usize| {
            let nodes = tree.nodes.iter().filter(move |node| node.player == Some(player));
            nodes.map(|node| node.values.as_slice()).collect::<Vec<_>>()
        };
        assert_eq!(of(2), [[1, 2, 6], [6, 1, 2], [1, 5, 2], [5, 4, 5]]);
        assert_eq!(of(1), [[1, 2, 6], [1, 5, 2]]);
        assert_eq!(of(0), [[1, 2, 6]]);
    }

    #[test]
    fn the_first_of_equal_moves_is_taken() {
        let head = "players = ['A', 'B']\n";
        assert_eq!(values(&format!("{head}A = [[1, 7], [1, 8], [0, 9]]")), [1, 7]);
        assert_eq!(values(&format!("{head}A = {{ z = [1, 7], a = [1, 8] }}")), [1, 7]);
    }

    #[test]
    fn mistakes_have_their_line() {
        let head = "players = ['A', 'B']\n";
        for (text, message) in [
            ("A = [1]", "t:1: the tree does not name its players"),
            ("players = ['A']\nA = [[1]]", "t:1: the tree has 1 players"),
            ("players = ['A', 'A']\nA = [[1]]", "t:1: two players are named `A`"),
            ("players = 2\nA = [[1]]", "t:1: `players` is not a list"),
            (&format!("{head}A = [[1, 2],\n[3]]"), "t:3: a leaf has 1 value for 2 players"),
            (&format!("{head}A = [[1, 2, 3]]"), "t:2: a leaf has 3 values for 2 players"),
            (&format!("{head}A = [[1, 2.5]]"), "t:2: a value is a whole number"),
            (&format!("{head}A = [7]"), "t:2: this is not a node"),
            (&format!("{head}A = 7"), "t:2: children are a list or a table"),
            (&format!("{head}A = []"), "t:2: the node has no children"),
            (&format!("{head}A = [{{}}]"), "t:2: the node has no children"),
            ("players = ['A', \"B\\n\"]\nA = [[1]]", "t:1: this is not the name of a player"),
            (head, "t:1: the node has no children"),
            (&format!("{head}C = [[1, 2]]"), "t:2: there is no player `C`"),
            (&format!("{head}A = [[1, 2]]\nB = [[1, 2]]"), "t:3: two players move in one node"),
            (&format!("{head}A = ["), "t:2: "),
        ] {
            let error = MultiPlayerTree::read("t", text).expect_err(text);
            assert!(error.message.starts_with(message), "{text}: {}", error.message);
        }
    }
}
