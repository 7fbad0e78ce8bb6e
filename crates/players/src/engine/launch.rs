//! Splits a command line into words and finds the program.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::engine_error::{EngineError, EngineErrorKind};
use crate::util::unix::{self, Sandbox};
use std::collections::BTreeMap;

/// A program with everything needed to start it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The path of the executable.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The working directory; `None`: that of agon.
    pub dir: Option<PathBuf>,
    /// Environment variables in addition to those of agon.
    pub env: BTreeMap<String, String>,
    pub sandbox: Option<Sandbox>,
}

/// Splits a command line into words as a shell does. Nothing is expanded.
///
/// # Errors
/// A quote without an end, or a backslash at the end.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    shlex::split(line).ok_or_else(|| "a quote or a backslash has no end".to_owned())
}

/// The words of a command that is given as one text. A text that is the path of a program is this
/// program, whatever blanks and quotes it has. Any other text is split as in a shell.
///
/// # Errors
/// A text that cannot be split.
pub fn command_words(line: &str, dir: Option<&str>) -> Result<Vec<String>, String> {
    let line = line.trim();
    match words(line) {
        Ok(words) if words.len() > 1 && is_program(line, dir) => {
            let is_command = Launch::find(&words, dir, &BTreeMap::new()).is_ok();
            Ok(if is_command { words } else { vec![line.to_owned()] })
        }
        Err(_) if is_program(line, dir) => Ok(vec![line.to_owned()]),
        words => words,
    }
}

/// Whether a whole text is the path of a program.
fn is_program(line: &str, dir: Option<&str>) -> bool {
    line.contains('/') && is_executable(&path_in(dir, line))
}

/// A path that is relative to `dir`, or to the working folder.
fn path_in(dir: Option<&str>, path: &str) -> PathBuf {
    let path = expand_home(path);
    // Without the `.` of `./engine`.
    dir.map_or_else(|| path.clone(), |dir| expand_home(dir).join(&path).components().collect())
}

/// Folders in which Debian installs games. The PATH of root lacks them.
const GAME_FOLDERS: [&str; 2] = ["/usr/local/games", "/usr/games"];

impl Launch {
    /// The command that starts the program.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        // By default, Python buffers what it prints to a pipe.
        command.args(&self.args).env("PYTHONUNBUFFERED", "1");
        command.envs(own_program().map(|agon| ("AGON", agon)));
        for (name, value) in &self.env {
            command.env(name, value);
        }
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }

    /// Finds the program. A name with a slash is a path relative to `dir`. Any other name is
    /// searched on PATH and in the folders in which Debian installs games.
    ///
    /// # Errors
    /// A program that does not exist or cannot be run, with similar names.
    pub fn find(
        command: &[String],
        dir: Option<&str>,
        env: &BTreeMap<String, String>,
    ) -> Result<Self, EngineError> {
        let Some((program, args)) = command.split_first().filter(|(name, _)| !name.is_empty())
        else {
            return Err(EngineError::refused("the command is empty", "name a program"));
        };
        let typed_dir = dir;
        let dir = dir.map(expand_home);
        if let Some(dir) = dir.as_ref().filter(|dir| !dir.is_dir()) {
            let detail = format!("there is no folder {}", dir.display());
            return Err(EngineError::refused(detail, "`dir` is where the engine runs"));
        }
        let program = if program.contains('/') {
            check_executable(program, &path_in(typed_dir, program), typed_dir)?
        } else {
            let folders = search_folders();
            let found =
                folders.iter().map(|folder| folder.join(program)).find(|p| is_executable(p));
            found.ok_or_else(|| not_found(program, &folders, typed_dir))?
        };
        // The system would resolve a relative path from the engine's working directory.
        let program = std::path::absolute(&program).unwrap_or(program);
        Ok(Launch { program, args: args.to_vec(), dir, env: env.clone(), sandbox: None })
    }

    /// Finds the program of a command that is given as one text.
    ///
    /// # Errors
    /// As [`find`](Self::find); a text that cannot be split; a text that is the path of a program,
    /// and also another program with arguments.
    pub fn find_line(
        line: &str,
        dir: Option<&str>,
        env: &BTreeMap<String, String>,
    ) -> Result<Self, EngineError> {
        let line = line.trim();
        let words = command_words(line, dir)
            .map_err(|why| EngineError::refused(why, "close it, or give the words as a list"))?;
        if words.len() > 1 && is_program(line, dir) {
            let listed: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
            let listed = listed.join(", ");
            let program = &words[0];
            let detail = format!(
                "`{line}` is a program, and `{program}` is another one that may have arguments"
            );
            let help =
                format!("give the words as a list: `command=[{line:?}]` or `command=[{listed}]`");
            return Err(EngineError::refused(detail, help));
        }
        Self::find(&words, dir, env)
    }

    /// Why the system did not start the program. If the interpreter of a script is missing, the
    /// system only reports that a file does not exist.
    pub(super) fn start_error(&self, error: &io::Error) -> EngineError {
        let shown = self.program.display();
        let interpreter = interpreter(&self.program);
        let (why, help) = match (error.kind(), interpreter) {
            (io::ErrorKind::NotFound, Some(name)) if name.ends_with('\r') => {
                carriage_return(&self.program)
            }
            (io::ErrorKind::NotFound, Some(name)) => (
                format!("its interpreter `{name}` does not exist"),
                "install the interpreter, or correct the first line of the script".to_owned(),
            ),
            (io::ErrorKind::NotFound, None) => (
                "the dynamic loader that it needs does not exist".to_owned(),
                format!("`file {shown}` names the loader; build the program for this system"),
            ),
            // `io::ErrorKind` has no kind for ENOEXEC.
            _ if error.raw_os_error() == Some(8) => (
                "it is neither a program for this machine nor a script".to_owned(),
                SCRIPT_BEGINS.to_owned(),
            ),
            _ => (error.to_string(), "try the same command in a terminal".to_owned()),
        };
        let detail = format!("cannot start {shown}: {why}");
        match unix::is_shortage(error) {
            true => EngineError {
                kind: EngineErrorKind::Shortage,
                detail,
                help: "agon lacks descriptors, processes or memory: use fewer threads (`-j`), or \
                       raise the limit (`ulimit -n`, `ulimit -u`)"
                    .to_owned(),
            },
            false => EngineError::refused(detail, help),
        }
    }
}

/// What may be wrong with the first line of a script that has started and ended, with help.
pub(super) fn fault_of_first_line(program: &Path) -> Option<String> {
    let line = first_line(program)?;
    let (why, help) = if !line.starts_with("#!") {
        // The system starts it by the shell.
        let is_text = !line.contains(['\u{FFFD}', '\0']);
        is_text.then(|| {
            let why = "its first line names no interpreter, so the shell ran it".to_owned();
            (why, SCRIPT_BEGINS.to_owned())
        })?
    } else if line.ends_with('\r') {
        carriage_return(program)
    } else {
        return None;
    };
    Some(format!("{why}; {help}"))
}

/// This program, so that an engine can ask `agon serve` for the rules.
pub(super) fn own_program() -> Option<PathBuf> {
    std::env::current_exe().ok().filter(|path| path.exists())
}

const SCRIPT_BEGINS: &str = "a script begins with its interpreter, as in `#!/usr/bin/env python3`";

/// What is wrong, and help.
fn carriage_return(program: &Path) -> (String, String) {
    let help = format!("save it with line ends of Unix: `sed -i 's/\\r$//' {}`", program.display());
    ("its first line ends with a carriage return".to_owned(), help)
}

/// The interpreter in the first line of a script.
fn interpreter(program: &Path) -> Option<String> {
    let line = first_line(program)?;
    let rest = line.strip_prefix("#!")?.trim_start_matches([' ', '\t']);
    rest.split([' ', '\t']).next().map(str::to_owned)
}

fn first_line(program: &Path) -> Option<String> {
    const LONGEST: u64 = 256;
    let mut line = Vec::new();
    BufReader::new(File::open(program).ok()?).take(LONGEST).read_until(b'\n', &mut line).ok()?;
    Some(String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned())
}

/// Replaces a leading `~/` by the user's home directory.
pub fn expand_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(path),
    }
}

fn search_folders() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> =
        std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
    for games in GAME_FOLDERS {
        let games = PathBuf::from(games);
        if !folders.contains(&games) {
            folders.push(games);
        }
    }
    folders
}

/// Whether the file exists and is executable.
fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| unix::is_executable(&data))
}

/// Checks the program at a path that was typed as `program`.
fn check_executable(program: &str, path: &Path, dir: Option<&str>) -> Result<PathBuf, EngineError> {
    let shown = path.display();
    let (detail, help) = if is_executable(path) {
        return Ok(path.to_owned());
    } else if path.is_dir() {
        (format!("{shown} is a folder"), "name the program in it".to_owned())
    } else if path.exists() {
        (format!("{shown} may not be run"), format!("`chmod +x {shown}` allows it"))
    } else {
        let parent = path.parent().unwrap_or(Path::new("."));
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        // Similar programs are named as this one was typed.
        let folder = program.rsplit_once('/').map_or("", |(folder, _)| folder);
        let help = match similar_programs(&name, &[parent.to_owned()], &format!("{folder}/")) {
            _ if !parent.as_os_str().is_empty() && !parent.is_dir() => {
                format!("there is no folder {}{}", parent.display(), begins_in(program, dir))
            }
            near if near.is_empty() => {
                let begin = begins_in(program, dir);
                format!("its folder has no program with a similar name{begin}")
            }
            near => format!("did you mean {near}?"),
        };
        (format!("there is no program {shown}"), help)
    };
    Err(EngineError::refused(detail, help))
}

/// Where a path begins that was typed as `program`; empty for an absolute path.
fn begins_in(program: &str, dir: Option<&str>) -> String {
    let folder = std::env::current_dir().unwrap_or_default();
    match dir {
        _ if expand_home(program).is_absolute() => String::new(),
        Some(dir) => format!("; a relative path begins in `dir`, which is {dir}"),
        None => format!(
            "; a relative path begins in the working folder, which is {} (`dir` sets another)",
            folder.display()
        ),
    }
}

fn not_found(program: &str, folders: &[PathBuf], dir: Option<&str>) -> EngineError {
    let searched: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
    let searched = format!("searched in {}", searched.join(":"));
    let local = format!("./{program}");
    let help = match similar_programs(program, folders, "") {
        _ if is_executable(&path_in(dir, &local)) => match dir {
            Some(dir) => format!("{dir} has one: write `{local}`, a path that begins in `dir`"),
            None => format!("the working folder has one: write `{local}`"),
        },
        near if near.is_empty() => format!("install it, or give its path; {searched}"),
        near => format!("did you mean {near}? {searched}"),
    };
    EngineError::refused(format!("there is no program `{program}` on PATH"), help)
}

/// Programs in the folders with similar names, the most similar first, each after `lead`; empty if
/// there are none.
fn similar_programs(name: &str, folders: &[PathBuf], lead: &str) -> String {
    const SHOWN: usize = 3;
    let wanted = name.to_lowercase();
    let mut found: Vec<(f64, String)> = Vec::new();
    for entry in folders.iter().filter_map(|folder| folder.read_dir().ok()).flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let likeness = strsim::jaro_winkler(&wanted, &name.to_lowercase());
        let known = found.iter().any(|(_, known)| *known == name);
        if likeness > 0.88 && !known && is_executable(&entry.path()) {
            found.push((likeness, name));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let names: Vec<String> =
        found.into_iter().take(SHOWN).map(|(_, name)| format!("`{lead}{name}`")).collect();
    names.join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(command: &str, dir: Option<&str>) -> Result<Launch, EngineError> {
        Launch::find(&words(command).expect("words"), dir, &BTreeMap::new())
    }

    #[test]
    fn command_lines_split_as_in_a_shell() {
        let split = |line: &str| words(line).map(|words| words.join("|"));
        assert_eq!(split("  a  b "), Ok("a|b".into()));
        assert_eq!(split(r#"'a b' "c d"e '' x\ y"#), Ok("a b|c de||x y".into()));
        assert_eq!(split(r#""\"" '\'"#), Ok(r#""|\"#.into()));
        assert_eq!(split(""), Ok(String::new()));
        assert_eq!(split("a 'b"), Err("a quote or a backslash has no end".into()));
    }

    #[test]
    fn programs_are_found_by_name_and_by_path() {
        let sh = find("sh -c true", None).expect("a shell");
        assert!(sh.program.is_absolute() && sh.program.ends_with("sh"));
        assert_eq!(sh.args, ["-c", "true"]);
        assert_eq!(find("bin/sh", Some("/")).expect("a shell").program, Path::new("/bin/sh"));
    }

    #[test]
    fn a_path_with_blanks_is_one_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = folder.path().to_str();
        let program = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, "#!/bin/sh\n").expect("a script");
            std::fs::set_permissions(&path, unix::permissions(0o755)).expect("a program");
        };
        let found = |line: &str| {
            let found = Launch::find_line(line, dir, &BTreeMap::new())?;
            let name = found.program.file_name().expect("a name").to_string_lossy().into_owned();
            Ok::<_, EngineError>((name, found.args))
        };
        program("eng new");
        program("it's");
        assert_eq!(found("./eng new").expect("a program"), ("eng new".to_owned(), vec![]));
        assert_eq!(found(" ./it's ").expect("a program"), ("it's".to_owned(), vec![]));
        // With `./eng`, the text has two meanings.
        program("eng");
        let EngineError { detail, help, .. } = found("./eng new").expect_err("two programs");
        assert!(detail.contains("`./eng new` is a program, and `./eng` is another"), "{detail}");
        assert!(
            help.contains(r#"`command=["./eng new"]` or `command=["./eng", "new"]`"#),
            "{help}"
        );
        assert_eq!(found("'./eng new'").expect("a program").0, "eng new");
        let old = found("./eng old").expect("a program");
        assert_eq!(old, ("eng".to_owned(), vec!["old".to_owned()]));
    }

    #[test]
    fn a_program_of_the_folder_is_named_as_it_must_be_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("my-engine");
        std::fs::write(&path, "#!/bin/sh\n").expect("a script");
        std::fs::set_permissions(&path, unix::permissions(0o755)).expect("a program");
        let dir = folder.path().to_str().expect("text");
        let wrong = |command| find(command, Some(dir)).expect_err("no program").help;
        let help = format!("{dir} has one: write `./my-engine`, a path that begins in `dir`");
        assert_eq!(wrong("my-engine"), help);
        assert_eq!(wrong("./my-engin"), "did you mean `./my-engine`?");
        let help = format!(
            "its folder has no program with a similar name; a relative path begins in `dir`, \
             which is {dir}"
        );
        assert_eq!(wrong("./other"), help);
    }

    #[test]
    fn what_a_script_lacks_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("engine");
        let said = |text: &str| {
            std::fs::write(&path, text).expect("a script");
            let rights = unix::permissions(0o755);
            std::fs::set_permissions(&path, rights).expect("a program");
            let launch = find(path.to_str().expect("text"), None).expect("a program");
            let error = std::process::Command::new(&launch.program).spawn().expect_err("broken");
            launch.start_error(&error).to_string()
        };
        let missing = said("#! /usr/bin/python9 -u\nprint()\n");
        assert!(missing.contains("its interpreter `/usr/bin/python9` does not exist"), "{missing}");
        assert!(said("#!/bin/sh\r\necho\r\n").contains("carriage return"));
        assert!(said("print()\n").contains("neither a program"));
    }

    #[test]
    fn a_missing_program_is_an_error_with_help() {
        let wrong = |command, dir| {
            let EngineError { detail, help, .. } = find(command, dir).expect_err("no program");
            format!("{detail} ({help})")
        };
        let missing = wrong("sleeep", None);
        assert!(missing.starts_with("there is no program `sleeep` on PATH (did you mean `sleep`"));
        assert!(missing.contains("/usr/games"), "{missing}");
        assert!(wrong("", None).starts_with("the command is empty"));
        assert!(wrong("/bin", None).contains("is a folder"));
        assert!(wrong("/etc/passwd", None).contains("chmod +x"));
        assert!(wrong("/bin/slep", None).contains("did you mean `/bin/sleep`"));
        assert!(wrong("sh", Some("/no/such")).contains("no folder /no/such"));
    }
}
