//! The identity of external programs: the files that played the games of a folder. A rebuilt or
//! corrected program is another program, and its games are not mixed with those of the old one.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::agents::{PlayerCommand, engine_starts};
use crate::config::Experiment;
use crate::engine::{CommandText, EngineError, Launch};
use crate::params::{Field, Spec, Value};
use crate::util::unix;
use std::collections::BTreeMap;

/// The role of a file in a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileRole {
    /// The executable, or another file of the program.
    #[default]
    Program,
    /// A program of the system that runs a script, such as `python3`. An update of the system may
    /// change it.
    Interpreter,
    /// Changed while the run was played, so the program probably writes it.
    Written,
}

/// A file in the command of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFile {
    /// The word in the command.
    pub word: String,
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
    #[serde(default)]
    pub role: FileRole,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Program {
    /// The name that it announced, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The executable, and each argument that is a file.
    pub files: Vec<ProgramFile>,
}

/// The external programs of a run, by agent.
pub type Programs = BTreeMap<String, Program>;

/// Sizes and sums of files that were read already. Many agents have the same interpreter.
type KnownFiles = BTreeMap<PathBuf, Option<(u64, String)>>;

/// The name of the program of the rules or of the referee among those of the agents.
pub const GAME: &str = "[game]";

/// The words and the start of the command of the rules or of the referee, if they are a program.
fn program_of_game(game: &Spec) -> Option<(Vec<String>, Result<Launch, EngineError>)> {
    let command = ["command", "referee"].iter().find_map(|key| game.values.get(key))?;
    let command = CommandText::read(command).ok()?;
    let dir = game.values.get("dir").and_then(Value::text);
    Some((command.words(dir).ok()?, command.launch(dir, &BTreeMap::new())))
}

/// The programs of an experiment as they are now. A program that is not found has no entry.
pub fn identify(experiment: &Experiment) -> Programs {
    let mut known = KnownFiles::new();
    let mut programs = Programs::new();
    if let Some((command, launch)) = program_of_game(&experiment.game) {
        let mut files = Vec::new();
        add_files(&command, &launch, &mut files, &mut known);
        if !files.is_empty() {
            programs.insert(GAME.to_owned(), Program { name: None, files });
        }
    }
    for agent in &experiment.agents {
        let mut files = Vec::new();
        engine_starts(&agent.spec)
            .iter()
            .for_each(|start| add_files(&start.command, &start.launch, &mut files, &mut known));
        if let Some(player) = PlayerCommand::of(&agent.spec) {
            let dir = experiment.game.values.get("dir").and_then(Value::text);
            let (command, launch) = player.start(dir);
            add_files(&command, &launch, &mut files, &mut known);
        }
        if !files.is_empty() {
            programs.insert(agent.name.clone(), Program { name: None, files });
        }
    }
    programs
}

fn add_files(
    command: &[String],
    launch: &Result<Launch, EngineError>,
    files: &mut Vec<ProgramFile>,
    known: &mut KnownFiles,
) {
    let Ok(launch) = launch else { return };
    let dir = launch.dir.as_deref().unwrap_or(Path::new(""));
    let arguments = launch.args.iter().map(|word| (word, dir.join(word)));
    let arguments: Vec<_> = arguments.filter(|(_, path)| path.is_file()).collect();
    let word = &command[0];
    let is_interpreter = !word.contains('/') && !arguments.is_empty();
    let mut role = if is_interpreter { FileRole::Interpreter } else { FileRole::Program };
    for (word, path) in [(word, launch.program.clone())].into_iter().chain(arguments) {
        if known.get(&path).is_none() {
            known.insert(path.clone(), size_and_sum(&path));
        }
        if let Some((bytes, sha256)) = known[&path].clone() {
            let path = path.display().to_string();
            files.push(ProgramFile { word: word.clone(), path, bytes, sha256, role });
        }
        role = FileRole::Program;
    }
}

fn size_and_sum(path: &Path) -> Option<(u64, String)> {
    let mut file = File::open(path).ok()?;
    let (mut hash, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer).ok()? {
            0 => break,
            count => {
                hash.update(&buffer[..count]);
                bytes += count as u64;
            }
        }
    }
    let digits: Vec<String> = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Some((bytes, digits.concat()))
}

/// The files of two programs that differ: here, there.
pub(crate) fn differing<'a>(
    here: &'a Program,
    there: &'a Program,
) -> Vec<(Option<&'a ProgramFile>, Option<&'a ProgramFile>)> {
    let find = |program: &'a Program, word: &str| program.files.iter().find(|f| f.word == word);
    let mut all: Vec<_> =
        here.files.iter().map(|file| (Some(file), find(there, &file.word))).collect();
    let gone = there.files.iter().filter(|file| find(here, &file.word).is_none());
    gone.for_each(|file| all.push((None, Some(file))));
    all.retain(|(a, b)| a.map(|file| &file.sha256) != b.map(|file| &file.sha256));
    all.retain(|(_, there)| there.is_none_or(|file| file.role != FileRole::Written));
    all
}

/// Agents whose program in one list is not that in the other; a changed interpreter is no other
/// program.
pub fn agents_of_different_programs(here: &Programs, there: &Programs) -> Vec<String> {
    let is_other = |(name, program): &(&String, &Program)| {
        there.get(*name).is_some_and(|there| {
            let other = |file: Option<&ProgramFile>| {
                file.is_none_or(|file| file.role != FileRole::Interpreter)
            };
            differing(program, there).iter().any(|(a, b)| other(*a) || other(*b))
        })
    };
    here.iter().filter(is_other).map(|(name, _)| name.clone()).collect()
}

/// Compares the programs with those at the start of the run. A file that is no program itself may
/// be a file that the program writes; it gets this role. Returns the paths of other files that
/// have changed.
pub fn find_changes(programs: &mut Programs, now: &Programs) -> Vec<String> {
    let mut changed = Vec::new();
    for (name, now) in now {
        let Some(program) = programs.get_mut(name) else { continue };
        let is_script = program.files.first().is_some_and(|f| f.role == FileRole::Interpreter);
        for (at, file) in program.files.iter_mut().enumerate() {
            let same = now.files.iter().find(|now| now.word == file.word);
            if same.is_none_or(|now| now.sha256 == file.sha256) || file.role != FileRole::Program {
                continue;
            }
            let may_run = Path::new(&file.path).metadata().is_ok_and(|d| unix::is_executable(&d));
            if at == 0 || may_run || (at == 1 && is_script) {
                changed.push(file.path.clone());
            } else {
                file.role = FileRole::Written;
            }
        }
    }
    changed
}
