//! The lock of a results folder: only one process at a time writes to a folder. The system holds the
//! lock while the process lives. The file names the owner of the lock, for users.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::results_folder::{Folder, LOCK};
use crate::rows::results_folder_errors::FolderError;
use crate::util::unix;

/// The right to write to a folder, until dropped.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    /// The file holds the lock while it is open.
    file: File,
}

impl FolderLock {
    /// Takes the lock of an existing folder, and removes what a killed owner has left.
    pub fn take(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join(LOCK);
        let disk = FolderError::disk("open", &path);
        loop {
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true).truncate(false);
            let mut file = unix::open_plain_file(options, &path).map_err(&disk)?;
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                let mut holder = String::new();
                let _ = (&file).take(200).read_to_string(&mut holder);
                let holder = holder.trim().to_owned();
                return Err(FolderError::unfit(
                    format!(
                        "another agon is writing to {}{}",
                        folder.display(),
                        if holder.is_empty() { holder } else { format!(": {holder}") }
                    ),
                    "wait for it, or `--out DIR` writes elsewhere",
                ));
            }
            // The previous owner may have removed the file just now.
            if is_same(&file, &path).map_err(&disk)? {
                let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
                let who = format!("process {} on {}", std::process::id(), name.trim());
                let written = file
                    .set_len(0)
                    .and_then(|()| file.rewind())
                    .and_then(|()| writeln!(file, "{}", who.trim_end_matches(" on ")));
                written.map_err(&disk)?;
                Folder::new(folder).sweep_as_owner();
                return Ok(FolderLock { path, file });
            }
        }
    }

    /// The lock of a process that has ended, if there is one.
    pub fn left_behind(folder: &Path) -> Option<Self> {
        folder.join(LOCK).exists().then(|| Self::take(folder).ok()).flatten()
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // If the folder was renamed meanwhile, another process may hold a different lock now.
        if is_same(&self.file, &self.path).unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether the path still leads to the open file.
pub(crate) fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    let there = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        there => there?,
    };
    Ok(unix::is_same_file(&file.metadata()?, &there))
}

pub(crate) fn vanished() -> io::Error {
    io::Error::other("it was removed or replaced while the run wrote it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_process_is_refused_with_the_owner_of_the_lock() {
        let dir = tempfile::tempdir().expect("a folder");
        let held = FolderLock::take(dir.path()).expect("free");
        let error = FolderLock::take(dir.path()).expect_err("held").to_string();
        assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
        drop(held);
        assert!(!dir.path().join(LOCK).exists());
        // The file of a killed process is not a lock.
        fs::write(dir.path().join(LOCK), "process 1").expect("writable");
        FolderLock::take(dir.path()).expect("no process holds it");
    }

    #[test]
    fn a_moved_folder_does_not_release_the_lock_of_another() {
        let dir = tempfile::tempdir().expect("a folder");
        let [here, there] = ["here", "there"].map(|name| dir.path().join(name));
        fs::create_dir(&here).expect("writable");
        let moved = FolderLock::take(&here).expect("free");
        fs::rename(&here, &there).expect("writable");
        fs::create_dir(&here).expect("writable");
        let second = FolderLock::take(&here).expect("free");
        drop(moved);
        FolderLock::take(&here).expect_err("the second is still there");
        drop(second);
    }
}
