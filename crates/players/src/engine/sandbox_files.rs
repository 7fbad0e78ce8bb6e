//! The files that a program in a sandbox must see: its folder, its program, and what they name.

use std::path::{Component, Path, PathBuf};

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
    /// the files that the command names, and the folders in variables such as `PYTHONPATH`. Of
    /// folders around `dir`, which may have the programs of others, only the files are readable.
    pub fn of(launch: &Launch) -> Self {
        // As it is written, and without links.
        let dirs = launch.dir.as_deref().map(|dir| [canonical(dir), without_parents(dir)]);
        let begin = match &dirs {
            Some([dir, _]) => dir.clone(),
            None => std::env::current_dir().unwrap_or_default(),
        };
        let mut files = SandboxFiles {
            dir: begin.clone(),
            readable: own_program().into_iter().collect(),
            readable_files: Vec::new(),
        };
        files.add_program(&launch.program);
        for word in &launch.args {
            // An option may have a path as its value.
            let word = word.split_once('=').map_or(&**word, |(_, value)| value);
            files.add(&begin.join(word), dirs.is_some());
        }
        for folder in launch.env.values().flat_map(std::env::split_paths) {
            files.add(&begin.join(folder), dirs.is_some());
        }
        let dirs: Vec<PathBuf> = dirs.into_iter().flatten().collect();
        let is_in_dir = |path: &PathBuf| dirs.iter().any(|dir| path.starts_with(dir));
        files.readable.retain(|path| !is_in_dir(path));
        files.readable.extend(dirs);
        files
    }

    /// Adds a path if it exists. `has_dir`: the working folder is that of the program.
    fn add(&mut self, path: &Path, has_dir: bool) {
        let path = without_parents(path);
        if !path.exists() || has_dir && is_link_out(&path, &self.dir) {
            return;
        }
        let whole = canonical(&path);
        if whole.is_dir() && self.dir.starts_with(&whole) && !(has_dir && whole == self.dir) {
            // The root has no files that a program needs.
            self.readable_files.extend((whole != Path::new("/")).then_some(whole));
            return;
        }
        self.readable.extend([path, whole]);
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

/// The absolute path without `..`, as it is written: links are not followed.
pub fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// Whether a link inside a folder, which a hostile program may have brought, leads out of it.
pub fn is_link_out(path: &Path, folder: &Path) -> bool {
    let is_inside = path.ancestors().any(|around| canonical(around) == folder);
    is_inside && !canonical(path).starts_with(folder)
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
        assert!(!files.readable.contains(&agent), "its folder has it");
        assert!(files.readable.contains(&root.join("class/bob")));
        assert!(files.readable.contains(&own_program().expect("this test")));
        assert_eq!(installation(&root.join("x/shims/python3")), Some(root.join("x")));
        assert!(
            !files.readable.iter().any(|path| path.ends_with("class") || path.ends_with("eve"))
        );
    }
}
