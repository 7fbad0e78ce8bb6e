//! Reads a tree from TOML; every error names its line.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::tree_nodes::{ChildLink, GameTree, Node, NodeKind};
use super::weight_fractions::{Fraction, proportions};
use crate::games::evaluator_trait::MAX_VALUE;
use crate::games::evaluator_weights::did_you_mean;
use crate::params::ParamError;
use crate::util::toml_fault::{TomlFault, fault, parse_tree};
use std::collections::BTreeMap;

/// Maximum depth of a tree: no search goes deeper, and recursion fits any stack.
const MAX_DEPTH: usize = 200;
const MAX_NODES: usize = 1_000_000;
const MAX_CHILDREN: usize = 10_000;

const NODE: &str = "a whole number, the name of a node, or a table with `max`, `min` or `chance`";

/// Reads the text of a tree. Errors belong to `key` and begin with `name` and the line.
///
/// # Errors
/// The first error in the text.
pub(super) fn read(key: &str, name: &str, text: &str) -> Result<GameTree, ParamError> {
    tree(text).map_err(|fault| ParamError::at(key, fault.with_line(name, text), fault.help))
}

fn tree(text: &str) -> Result<GameTree, TomlFault> {
    let less_deep = format!(
        "give nodes names under `[nodes]` and name them as children: so a tree may have {MAX_DEPTH} \
         levels"
    );
    let file = parse_tree(text, &less_deep)?;
    let top = file.get_ref();
    let mut named = BTreeMap::new();
    if let Some((key, nodes)) = top.get_key_value("nodes") {
        let DeValue::Table(nodes) = nodes.get_ref() else {
            return fault(key.span(), "`nodes` is not a table", "write `[nodes]` on a line");
        };
        for (name, node) in nodes {
            fit_for_a_name(name.get_ref(), name.span())?;
            named.insert(&**name.get_ref(), NamedNode { at: name.span(), node, used: false });
        }
    }
    let mut reader = Reader { named, path: Vec::new(), nodes: vec![], links: vec![] };
    reader.table(top, 0..0, None, true)?;
    if let Some((name, NamedNode { at, .. })) = reader.named.iter().find(|(_, node)| !node.used) {
        let message = format!("no path leads from the root to the node `{name}`");
        return fault(at.clone(), message, "name it as a child of another node, or remove it");
    }
    Ok(GameTree::new(reader.nodes, reader.links))
}

type Value<'a> = Spanned<DeValue<'a>>;

struct NamedNode<'a> {
    at: Range<usize>,
    node: &'a Value<'a>,
    /// Whether it is the child of a node.
    used: bool,
}

/// The state while the file is read from the root.
struct Reader<'a> {
    named: BTreeMap<&'a str, NamedNode<'a>>,
    /// The names on the path from the root, one for each level; empty for unnamed nodes.
    path: Vec<&'a str>,
    nodes: Vec<Node>,
    links: Vec<ChildLink>,
}

impl<'a> Reader<'a> {
    /// Adds a node and its descendants; returns its number.
    fn node(&mut self, value: &'a Value<'a>) -> Result<u32, TomlFault> {
        match value.get_ref() {
            DeValue::String(name) => self.reference(name, value.span()),
            _ => self.definition(value, ""),
        }
    }

    fn reference(&mut self, name: &'a str, at: Range<usize>) -> Result<u32, TomlFault> {
        let Some(node) = self.named.get_mut(name) else {
            let message = format!("there is no node `{name}` under `[nodes]`");
            let names: Vec<&str> = self.named.keys().copied().take(20).collect();
            let help = match self.named.is_empty() {
                true => format!("write {NODE}"),
                false => did_you_mean(name, &names),
            };
            return fault(at, message, help);
        };
        if let Some(begin) = self.path.iter().position(|on_path| *on_path == name) {
            let mut circle: Vec<&str> = self.path[begin..].to_vec();
            circle.retain(|name| !name.is_empty());
            circle.push(name);
            let message = format!("the tree runs in a circle: {}", circle.join(" → "));
            return fault(at, message, "a node cannot be its own descendant");
        }
        if std::mem::replace(&mut node.used, true) {
            let message = format!("the node `{name}` is named a second time");
            return fault(at, message, "every node has one parent: write a node of its own");
        }
        let value = node.node;
        if let DeValue::String(other) = value.get_ref() {
            let message = format!("the node `{name}` is only another name of `{other}`");
            return fault(value.span(), message, format!("write {NODE}"));
        }
        self.definition(value, name)
    }

    fn definition(&mut self, value: &'a Value<'a>, name: &'a str) -> Result<u32, TomlFault> {
        let at = value.span();
        if self.path.len() >= MAX_DEPTH {
            return fault(at, format!("more than {MAX_DEPTH} levels"), "make the tree less deep");
        }
        if self.nodes.len() >= MAX_NODES {
            return fault(at, format!("more than {MAX_NODES} nodes"), "make the tree smaller");
        }
        let own_name = (!name.is_empty()).then(|| name.into());
        self.path.push(name);
        let number = match value.get_ref() {
            DeValue::Integer(number) => {
                let value = whole(number, at)?;
                self.push(NodeKind::Leaf, value, own_name)
            }
            DeValue::Table(table) => self.table(table, at, own_name, false)?,
            DeValue::Float(number) => {
                let message = format!("the value {} is not a whole number", number.as_str());
                return fault(at, message, "multiply all values by 10 or 100");
            }
            DeValue::Array(_) => {
                return fault(
                    at,
                    "a list is not a node",
                    "write `{ max = […] }`, or `min`, `chance`",
                );
            }
            _ => return fault(at, "this is not a node", format!("write {NODE}")),
        };
        self.path.pop();
        Ok(number)
    }

    fn push(&mut self, kind: NodeKind, value: i32, name: Option<Box<str>>) -> u32 {
        self.nodes.push(Node { kind, value, links: 0..0, parent: (0, 0), name });
        self.nodes.len() as u32 - 1
    }

    /// A node with children: the whole file, or a table.
    fn table(
        &mut self,
        table: &'a DeTable<'a>,
        at: Range<usize>,
        name: Option<Box<str>>,
        top: bool,
    ) -> Result<u32, TomlFault> {
        let mut decides = None;
        let (mut weights, mut estimate) = (None, 0);
        for (key, value) in table {
            let kind = match &**key.get_ref() {
                "max" => NodeKind::Max,
                "min" => NodeKind::Min,
                "chance" => NodeKind::Chance,
                "weights" => {
                    weights = Some((key.span(), value));
                    continue;
                }
                "estimate" => {
                    let DeValue::Integer(number) = value.get_ref() else {
                        return fault(value.span(), "an estimate is a whole number", "");
                    };
                    estimate = whole(number, value.span())?;
                    continue;
                }
                "nodes" if top => continue,
                other => {
                    let message = format!("a node has no key `{other}`");
                    let keys = ["max", "min", "chance", "weights", "estimate"];
                    let keys = did_you_mean(other, &keys);
                    let help =
                        format!("{keys}; `agon solve --maxn FILE` reads trees of more players");
                    return fault(key.span(), message, help);
                }
            };
            if decides.replace((kind, value)).is_some() {
                let help = "only one of `max`, `min` and `chance`";
                return fault(key.span(), "two decide in one node", help);
            }
        }
        let Some((kind, value)) = decides else {
            let what = if top { "the root has" } else { "the node has" };
            let help = "write `max = […]`, `min = […]` or `chance = […]`";
            return fault(at, format!("{what} no children"), help);
        };
        let number = self.push(kind, estimate, name);
        let children = self.children(value)?;
        let weights = match weights {
            Some((at, _)) if kind != NodeKind::Chance => {
                return fault(at, "only chance has weights", "write `chance` or drop them");
            }
            Some((_, weights)) => read_weights(weights, &children)?,
            None => vec![1; children.len()],
        };
        let first = self.links.len() as u32;
        let links = children.into_iter().zip(weights);
        self.links.extend(links.map(|((label, to), weight)| ChildLink { to, weight, label }));
        self.nodes[number as usize].links = first..self.links.len() as u32;
        Ok(number)
    }

    /// The children of a node with the names of the moves to them.
    fn children(&mut self, value: &'a Value<'a>) -> Result<Vec<(Box<str>, u32)>, TomlFault> {
        let named = match value.get_ref() {
            DeValue::Array(list) => {
                let all_names = list.iter().all(|child| child.get_ref().is_str());
                let label = |(number, child): (usize, &'a Value<'a>)| match child.get_ref() {
                    DeValue::String(name) if all_names => (name.to_string(), child.span(), child),
                    _ => ((number + 1).to_string(), child.span(), child),
                };
                list.iter().enumerate().map(label).collect::<Vec<_>>()
            }
            DeValue::Table(table) => {
                let label = |(key, child): (&'a Spanned<_>, &'a Value<'a>)| {
                    let key: &Spanned<Cow<'_, str>> = key;
                    (key.get_ref().to_string(), key.span(), child)
                };
                let mut all: Vec<_> = table.iter().map(label).collect();
                // The parser sorts keys by name; moves keep the order of the file.
                all.sort_by_key(|(_, at, _)| at.start);
                all
            }
            _ => {
                let help = "write `[3, 12]`, or `{ left = 3, right = 12 }`";
                return fault(value.span(), "children are a list or a table", help);
            }
        };
        if named.is_empty() || named.len() > MAX_CHILDREN {
            let message = format!("{} children", named.len());
            return fault(value.span(), message, format!("a node has 1 to {MAX_CHILDREN}"));
        }
        let mut children = Vec::with_capacity(named.len());
        for (label, at, child) in named {
            fit_for_a_name(&label, at)?;
            children.push((label.into(), self.node(child)?));
        }
        Ok(children)
    }
}

/// Checks a name, because names appear in paths and in lists of moves.
fn fit_for_a_name(name: &str, at: Range<usize>) -> Result<(), TomlFault> {
    let unfit = |c: char| c.is_whitespace() || c.is_control() || ",/\"".contains(c);
    if name.is_empty() || name.contains(unfit) {
        let message = format!("`{}` cannot be a name", name.escape_debug());
        return fault(at, message, "no spaces, commas, slashes and quotes");
    }
    Ok(())
}

fn whole(number: &toml::de::DeInteger<'_>, at: Range<usize>) -> Result<i32, TomlFault> {
    let value = i64::from_str_radix(number.as_str(), number.radix()).ok();
    let value = value.filter(|value| value.unsigned_abs() <= MAX_VALUE as u64);
    match value {
        Some(value) => Ok(value as i32),
        None => {
            let help = format!("between -{MAX_VALUE} and {MAX_VALUE}");
            fault(at, format!("the value {number} is out of range"), help)
        }
    }
}

fn read_weights(value: &Value<'_>, children: &[(Box<str>, u32)]) -> Result<Vec<u32>, TomlFault> {
    let listed: Vec<&Value<'_>> = match value.get_ref() {
        DeValue::Array(list) => list.iter().collect(),
        DeValue::Table(table) => {
            if let Some(other) = table
                .keys()
                .find(|key| !children.iter().any(|(label, _)| **label == **key.get_ref()))
            {
                let message = format!("there is no outcome `{}`", other.get_ref());
                let outcomes: Vec<&str> =
                    children.iter().take(20).map(|(label, _)| &**label).collect();
                return fault(other.span(), message, did_you_mean(other.get_ref(), &outcomes));
            }
            children.iter().filter_map(|(label, _)| table.get(&**label)).collect()
        }
        _ => return fault(value.span(), "weights are a list or a table", "write `[1, 2]`"),
    };
    if listed.len() != children.len() {
        let [weights, outcomes] = [listed.len(), children.len()];
        let message = format!("the number of weights is {weights}, and of outcomes {outcomes}");
        return fault(value.span(), message, "one weight for each");
    }
    let mut fractions = Vec::with_capacity(listed.len());
    for weight in listed {
        let text: Cow<'_, str> = match weight.get_ref() {
            DeValue::Integer(number) => {
                match u64::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) => number.to_string().into(),
                    Err(_) => number.as_str().into(),
                }
            }
            DeValue::Float(number) => number.as_str().into(),
            DeValue::String(text) => (&**text).into(),
            _ => "".into(),
        };
        let Some(fraction) = Fraction::read(&text) else {
            let help = "positive whole numbers, decimals, or fractions such as \"1/3\"";
            return fault(weight.span(), format!("`{text}` is not a weight"), help);
        };
        if fraction.is_zero() {
            let help = "leave the outcome out, or give it a positive weight";
            return fault(weight.span(), "a weight of zero", help);
        }
        fractions.push(fraction);
    }
    match proportions(&fractions) {
        None => fault(value.span(), "these weights do not fit 32 bits", "use smaller numbers"),
        Some((_, false)) if fractions.iter().any(|fraction| !fraction.is_whole()) => {
            fault(value.span(), "these weights do not sum to 1", "write fractions such as \"1/3\"")
        }
        Some((weights, _)) => Ok(weights),
    }
}
