//! The files that a program in a sandbox must see: its folder, its program, and what they name.

use std::path::{Path, PathBuf};

use super::launch::{Launch, expand_home, own_program};

/// Files and folders for a sandbox. All paths are absolute.
pub struct SandboxFiles {
    /// The working folder.
    pub dir: PathBuf,
    pub readable: Vec<PathBuf>,
    /// Folders of which only the files are readable.
    pub readable_files: Vec<PathBuf>,
}

impl SandboxFiles {
    /// The files for a program: its `dir` if it is given, agon, the program with its installation,
    /// the files that the command names, and the folders in variables such as `PYTHONPATH`. Of folders around `dir`,
    /// which may have the programs of others, only the files are readable.
    pub fn of(launch: &Launch) -> Self {
        let dir = launch.dir.as_deref().map(canonical);
        let begin = dir.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        let mut files = SandboxFiles {
            dir: begin.clone(),
            readable: dir.into_iter().chain(own_program()).collect(),
            readable_files: Vec::new(),
        };
        files.add_program(&launch.program);
        for word in &launch.args {
            // An option may have a path as its value.
            let word = word.split_once('=').map_or(&**word, |(_, value)| value);
            files.add(&begin.join(word), &begin);
        }
        for folder in launch.env.values().flat_map(std::env::split_paths) {
            files.add(&begin.join(folder), &begin);
        }
        files
    }

    /// Adds a path if it exists. `dir` is the working folder.
    fn add(&mut self, path: &Path, dir: &Path) {
        if !path.exists() {
            return;
        }
        let whole = canonical(path);
        if whole.is_dir() && dir.starts_with(&whole) && self.readable.first() != Some(&whole) {
            // The root has no files that a program needs.
            self.readable_files.extend((whole != Path::new("/")).then_some(whole));
            return;
        }
        let typed = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let is_plain = typed.components().all(|part| part != std::path::Component::ParentDir);
        self.readable.extend((is_plain && typed != whole).then_some(typed));
        self.readable.push(whole);
    }

    /// Adds a program, the programs that its links name, and the rest of its installation.
    fn add_program(&mut self, program: &Path) {
        let mut path = program.to_owned();
        const MOST_LINKS: usize = 16;
        for _ in 0..MOST_LINKS {
            self.readable.push(path.clone());
            self.add_installation(&path);
            let Ok(target) = path.read_link() else { break };
            path = path.parent().unwrap_or(Path::new("/")).join(target);
        }
        let whole = canonical(program);
        self.add_installation(&whole);
        self.readable.push(whole);
    }

    /// Adds the installation of a program, unless it also has the working folder.
    fn add_installation(&mut self, program: &Path) {
        let installation = installation(program);
        self.readable.extend(installation.filter(|folder| !self.dir.starts_with(folder)));
    }
}

/// The folder of an installation: around `bin` and `lib`, as in a virtual environment, or around the
/// `shims` of a manager of versions such as pyenv. `None` for folders in which a person keeps more
/// than one installation.
fn installation(program: &Path) -> Option<PathBuf> {
    let place = program.parent()?;
    let folder = place.parent()?;
    let is_whole =
        place.ends_with("shims") || place.ends_with("bin") && folder.join("lib").is_dir();
    let is_shared = [expand_home("~/"), expand_home("~/.local")]
        .iter()
        .any(|shared| canonical(shared) == canonical(folder));
    (is_whole && !is_shared && folder != Path::new("/")).then(|| folder.to_owned())
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::fs;

    #[test]
    fn of_the_folders_around_a_program_only_the_files_are_readable() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = canonical(dir.path());
        for folder in ["class/bob", "class/eve", "python/bin", "python/lib"] {
            fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        let agent = root.join("class/bob/agent.py");
        fs::write(&agent, "").expect("a file");
        fs::write(root.join("python/bin/python3"), "").expect("a file");
        let launch = Launch {
            program: root.join("python/bin/python3"),
            args: vec!["agent.py".into(), "--depth".into(), "5".into()],
            dir: Some(root.join("class/bob")),
            env: BTreeMap::from([("PYTHONPATH".into(), "..".into())]),
            sandbox: None,
        };
        let files = SandboxFiles::of(&launch);
        assert_eq!(files.dir, root.join("class/bob"));
        assert_eq!(files.readable_files, [root.join("class")]);
        assert!(files.readable.contains(&root.join("python")), "{:?}", files.readable);
        assert!(files.readable.contains(&agent));
        assert!(files.readable.contains(&own_program().expect("this test")));
        assert_eq!(installation(&root.join("x/shims/python3")), Some(root.join("x")));
        assert!(
            !files.readable.iter().any(|path| path.ends_with("class") || path.ends_with("eve"))
        );
    }
}
