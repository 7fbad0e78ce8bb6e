//! Checks imports: no layer uses a layer above it, and no files of a folder form an import cycle.
//!
//! The order of the layers is the list in docs/architecture.md. A crate imports the modules of the
//! crates below it, so the modules of all crates are read as one tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The source folders, and the names of their crates in paths.
const CRATES: [(&str, &str); 5] = [
    ("crates/core/src", "agon_core"),
    ("crates/players/src", "agon_players"),
    ("crates/arena/src", "agon_arena"),
    ("crates/report/src", "agon_report"),
    ("src", "agon"),
];

/// The crate that is one layer, and this layer. The other crates have a folder for each layer.
const CRATE_OF_ONE_LAYER: (&str, &str) = ("agon_report", "report");

/// The path of a module from the root: `["search", "alphabeta"]`.
type Module = Vec<String>;

/// The imports of a file, without comments and tests.
#[derive(Default)]
struct File {
    /// `mod` lines that are not for tests only.
    children: BTreeSet<String>,
    /// Re-exports: name and original path.
    passed_on: Vec<(String, Vec<String>)>,
    /// Paths that the file itself uses.
    used: Vec<Vec<String>>,
}

impl File {
    fn read(path: &Path) -> File {
        let text = fs::read_to_string(path).expect("a source file");
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code = bare(text);
        let mut file = File::default();
        let mut rest = String::new();
        let mut test = false;
        // A list of imports in braces consists of several such pieces.
        for item in code.split_inclusive([';', '{', '}']) {
            rest.push_str(item);
            let start = rest.trim_start();
            let line = start.rsplit("]\n").next().unwrap_or(start).trim_start();
            test |= start.contains("#[cfg(test)]");
            let plain = line.strip_prefix("pub").map_or(line, |l| {
                l.strip_prefix('(')
                    .and_then(|l| l.split_once(')'))
                    .map_or(l, |(_, l)| l)
                    .trim_start()
            });
            let public = plain.len() < line.len();
            if let Some(import) = plain.strip_prefix("use ") {
                if !rest.trim_end().ends_with(';') {
                    continue;
                }
                let mut paths = Vec::new();
                leaves(&[], import.trim_end().trim_end_matches(';'), &mut paths);
                for (name, path) in paths {
                    match public {
                        true => file.passed_on.push((name, path)),
                        false if !test => file.used.push(path),
                        false => {}
                    }
                }
            } else if let Some(child) = plain.strip_prefix("mod ").and_then(|l| l.strip_suffix(';'))
            {
                if !test {
                    file.children.insert(child.trim().to_owned());
                }
            } else {
                file.used.extend(paths(&rest));
            }
            rest.clear();
            test = false;
        }
        file
    }
}

/// The text without comments and without the content of string literals.
fn bare(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let hashes = rest.strip_prefix('r').map(|r| r.len() - r.trim_start_matches('#').len());
        let skipped = if rest.starts_with("//") {
            rest.find('\n')
        } else if let Some(n) = hashes.filter(|n| rest[1 + n..].starts_with('"')) {
            let end = format!("\"{}", "#".repeat(n));
            rest[2 + n..].find(&end).map(|i| 2 + n + i + end.len())
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find("\'").map(|i| i + 2)
        } else if c == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map(|i| i + 2)
        } else {
            // Continue at the next character that can begin a part to skip.
            let next = rest[c.len_utf8()..].find(['/', '"', '\'', 'r']).map(|i| i + c.len_utf8());
            out.push_str(&rest[..next.unwrap_or(rest.len())]);
            next
        };
        rest = &rest[skipped.unwrap_or(rest.len())..];
    }
    out
}

/// The paths of an import, each with its imported name.
fn leaves(before: &[String], text: &str, out: &mut Vec<(String, Vec<String>)>) {
    let text = text.trim();
    if let Some((head, list)) = text.split_once('{') {
        let mut path = before.to_vec();
        path.extend(head.split("::").map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned));
        let list = list.trim_end().strip_suffix('}').expect("a list in braces");
        let (mut depth, mut first) = (0, 0);
        for (i, c) in list.char_indices().chain([(list.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    leaves(&path, &list[first..i], out);
                    first = i + 1;
                }
                _ => {}
            }
        }
    } else if !text.is_empty() {
        let (path, name) = text.split_once(" as ").map_or((text, None), |(p, n)| (p, Some(n)));
        let mut all = before.to_vec();
        all.extend(
            path.split("::")
                .map(|s| s.trim().to_owned())
                .filter(|s| s != "self" || before.is_empty()),
        );
        let name = name.unwrap_or(all.last().map_or("", String::as_str)).trim().to_owned();
        out.push((name, all));
    }
}

/// The paths in code: `crate::params::Value` and also `table::write`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = code.split(|c| !word(c)).filter(|w| w.contains("::") && !w.starts_with(':'));
    words.map(|w| w.split("::").map(str::to_owned).collect()).collect()
}

/// The module at the root of the crate that `name` means in the module `from`.
fn root(from: &Module, name: &str) -> Module {
    let (one, layer) = CRATE_OF_ONE_LAYER;
    let is_inside = name == "crate" && from.first().is_some_and(|first| first == layer);
    if is_inside || name == one { vec![layer.to_owned()] } else { Vec::new() }
}

struct Sources(BTreeMap<Module, File>);

impl Sources {
    fn read() -> Sources {
        let mut sources = Sources(BTreeMap::new());
        for (folder, name) in CRATES {
            let folder = Path::new(folder);
            sources.add(&folder.join("lib.rs"), folder, root(&Vec::new(), name));
        }
        sources
    }

    fn add(&mut self, path: &Path, folder: &Path, module: Module) {
        let file = File::read(path);
        for child in &file.children {
            let below = [module.as_slice(), std::slice::from_ref(child)].concat();
            let (flat, deep) = (folder.join(child).with_extension("rs"), folder.join(child));
            let path = if flat.exists() { flat } else { deep.join("mod.rs") };
            self.add(&path, &deep, below);
        }
        // The root has the re-exports of several `lib.rs`.
        let all = self.0.entry(module).or_default();
        all.passed_on.extend(file.passed_on);
        all.used.extend(file.used);
    }

    /// The module that a path refers to, if it is in these crates.
    fn end(&self, from: &Module, path: &[String], hops: u32) -> Option<Module> {
        let mut at = from.clone();
        for (i, part) in path.iter().enumerate() {
            match part.as_str() {
                name if i == 0 && (name == "crate" || CRATES.iter().any(|c| c.1 == name)) => {
                    at = root(from, name);
                }
                "self" if i == 0 => {}
                "super" => drop(at.pop()?),
                _ => {
                    let below = [at.as_slice(), std::slice::from_ref(part)].concat();
                    let file = self.0.get(&at)?;
                    if self.0.contains_key(&below) {
                        at = below;
                    } else if let Some((_, path)) =
                        file.passed_on.iter().find(|(name, _)| name == part && hops < 9)
                    {
                        at = self.end(&at, path, hops + 1).unwrap_or(at);
                        return Some(at);
                    } else if i == 0 {
                        return None;
                    } else {
                        break;
                    }
                }
            }
        }
        Some(at)
    }

    /// Every use of one module by another.
    fn uses(&self) -> BTreeSet<(Module, Module)> {
        let mut uses = BTreeSet::new();
        for (module, file) in &self.0 {
            let ends = file.used.iter().filter_map(|path| self.end(module, path, 0));
            uses.extend(ends.map(|end| (module.clone(), end)));
        }
        uses
    }
}

#[test]
fn no_layer_uses_one_above_it() {
    let page = fs::read_to_string("docs/architecture.md").expect("the page");
    let list = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next());
    let words = list.expect("a list of layers").lines().filter_map(|l| l.split_whitespace().next());
    let layers: Vec<&str> = words
        .filter(|word| word.ends_with('/') || word.ends_with(".rs"))
        .map(|word| word.trim_end_matches('/').trim_end_matches("/src").trim_end_matches(".rs"))
        .collect();
    let layer = |module: &Module| {
        let name = module.first()?;
        Some(layers.iter().position(|l| l == name).unwrap_or_else(|| {
            panic!("docs/architecture.md does not list {name} among the layers {layers:?}")
        }))
    };
    let sources = Sources::read();
    for name in layers.iter().filter(|name| **name != "main") {
        assert!(sources.0.contains_key(&vec![(*name).to_owned()]), "no crate has the layer {name}");
    }
    let uses = sources.uses();
    assert!(uses.len() > 500, "only {} imports were found", uses.len());
    let mut upward = Vec::new();
    for (from, to) in &uses {
        if let (Some(low), Some(high)) = (layer(from), layer(to))
            && high < low
        {
            upward.push(format!("{} uses {}", from.join("::"), to.join("::")));
        }
    }
    assert!(upward.is_empty(), "imports of a higher layer:\n{}", upward.join("\n"));
}

/// Files of one folder that form an import cycle, by folder.
fn circles(uses: &BTreeSet<(Module, Module)>) -> BTreeMap<String, BTreeSet<String>> {
    let mut edges: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for (from, to) in uses {
        // A file next to a folder of the same name is the root file of this folder.
        for depth in 1..=from.len().min(to.len()) {
            if from[..depth] != to[..depth] {
                break;
            }
            let node = |module: &Module| module.get(depth).map_or("mod", String::as_str).to_owned();
            let (a, b) = (node(from), node(to));
            if a != b {
                edges.entry(from[..depth].join("/")).or_default().insert((a, b));
            }
        }
    }
    let mut circles = BTreeMap::new();
    for (folder, edges) in edges {
        let mut reach = edges.clone();
        loop {
            let more: Vec<_> = reach
                .iter()
                .flat_map(|(a, b)| {
                    edges
                        .iter()
                        .filter(move |(c, _)| c == b)
                        .map(move |(_, d)| (a.clone(), d.clone()))
                })
                .filter(|pair| !reach.contains(pair))
                .collect();
            if more.is_empty() {
                break;
            }
            reach.extend(more);
        }
        let inside: BTreeSet<String> =
            reach.iter().filter(|(a, b)| a == b).map(|(a, _)| a.clone()).collect();
        if !inside.is_empty() {
            circles.insert(folder, inside);
        }
    }
    circles
}

#[test]
fn files_of_a_folder_do_not_use_each_other_in_a_circle() {
    let circles = circles(&Sources::read().uses());
    assert!(circles.is_empty(), "files of a folder that use each other in a circle: {circles:?}");
}

/// Every file in the source folders, with its text.
fn source_files() -> Vec<(PathBuf, String)> {
    let mut folders: Vec<_> = CRATES.iter().map(|(folder, _)| PathBuf::from(folder)).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                files.push((path, text));
            }
        }
    }
    files
}

/// Readers look through the names of a folder, so there are few.
#[test]
fn a_folder_has_at_most_twenty_files() {
    let mut sizes: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (path, _) in source_files() {
        *sizes.entry(path.parent().expect("a folder").to_owned()).or_default() += 1;
    }
    let large: Vec<_> = sizes.iter().filter(|(_, files)| **files > 20).collect();
    assert!(large.is_empty(), "folders with more than 20 files: {large:?}");
    assert!(sizes.len() > 50, "{sizes:?}");
}

/// A new kind of run is then added in a few files that one finds by their names.
#[test]
fn only_the_files_of_a_kind_name_it() {
    const OWN: [&str; 5] = [
        "arena/schedule/run_state.rs",
        "config/test_of_tune.rs",
        "report/src/plans/plan_in_rounds.rs",
        "report/src/html/round_charts.rs",
        "report/src/html/tune_chart.rs",
    ];
    let mut names = Vec::new();
    for (of, file) in
        [("RunKind", "config/kinds/mod.rs"), ("RunState", "arena/schedule/run_state.rs")]
    {
        let text = fs::read_to_string(Path::new("crates/arena/src").join(file)).expect("a file");
        let text = bare(&text);
        let list = text.split_once(&format!("pub enum {of} {{")).expect("the kinds").1;
        let list = list.split_once("\n}").expect("an end").0;
        // Kinds with a value: the fixed number of games is asked for nowhere.
        let kinds = list.lines().filter_map(|line| line.trim().split_once('('));
        names.extend(kinds.map(|(kind, _)| format!("{of}::{kind}(")));
    }
    assert!(names.len() >= 8, "{names:?}");
    let mut own = 0;
    for (path, text) in source_files() {
        if !names.iter().any(|name| bare(&text).contains(name)) {
            continue;
        }
        let shown = path.display().to_string();
        assert!(
            shown.contains("/kinds/") || OWN.iter().any(|own| shown.ends_with(own)),
            "{shown} asks which kind of run this is; let the kind answer"
        );
        own += 1;
    }
    assert!(own > OWN.len(), "{own}");
}

/// A port to a system without Unix calls is then the task of one folder.
#[test]
fn only_one_folder_needs_unix() {
    let mut found: Vec<PathBuf> = Vec::new();
    for (path, text) in source_files() {
        let code = bare(&text);
        let unix = ["std::os::", "rustix", "libc::", "signal_hook"];
        if unix.iter().any(|word| code.contains(word)) {
            found.push(path);
        }
    }
    let outside = |path: &&PathBuf| !path.starts_with("crates/core/src/util/unix");
    let outside: Vec<_> = found.iter().filter(outside).collect();
    assert_eq!(outside, [Path::new("src/cli/signals.rs")]);
    assert!(found.len() > 3, "{found:?}");
}

/// Two public types of one name are confused by readers and by `use`.
#[test]
fn no_public_type_has_the_name_of_another() {
    let mut seen: BTreeMap<String, PathBuf> = BTreeMap::new();
    for (path, text) in source_files() {
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("pub ") else { continue };
            let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_');
            if !matches!(words.next(), Some("struct" | "enum" | "trait" | "type")) {
                continue;
            }
            let name = words.next().unwrap_or_default().to_owned();
            if let Some(there) = seen.insert(name.clone(), path.clone()) {
                panic!("`{name}` is a type in {} and in {}", there.display(), path.display());
            }
        }
    }
    assert!(seen.len() > 200, "{}", seen.len());
}
