//! Refuses a folder with games of other external programs than those of the config.

use super::manifest::{Manifest, Status};
use super::results_folder::Folder;
use crate::arena::checks::program_identity::{
    FileRole, GAME, ProgramFile, Programs, agents_of_different_programs, differing,
};
use crate::rows::results_folder_errors::FolderError;

impl Folder {
    /// Refuses a folder whose games other programs played. A folder without identities is accepted.
    /// Returns the paths of interpreters that have changed.
    ///
    /// # Errors
    /// The agents, and the files that differ.
    pub fn check_programs(&self, here: &Programs) -> Result<Vec<String>, FolderError> {
        let has_games =
            |there: &Manifest| there.games > there.voids || there.status == Status::Running;
        let there = self.manifest().filter(has_games).map(|manifest| manifest.programs);
        let there = there.unwrap_or_default();
        let others = agents_of_different_programs(here, &there);
        let mut interpreters = Vec::new();
        let mut lines = String::new();
        for (name, program) in here {
            let Some(there) = there.get(name) else { continue };
            for (now, old) in differing(program, there) {
                match (now, old) {
                    (Some(now), Some(old)) if old.role == FileRole::Interpreter => {
                        if !interpreters.contains(&now.path) {
                            interpreters.push(now.path.clone());
                        }
                    }
                    _ => {
                        let path = now.or(old).map_or("", |file| &file.path);
                        lines += &format!("  {path}: now {}, there {}\n", shown(now), shown(old));
                    }
                }
            }
        }
        if others.is_empty() {
            return Ok(interpreters);
        }
        let names: Vec<String> = others.iter().map(|name| format!("`{name}`")).collect();
        Err(FolderError::unfit(
            format!(
                "{} has games of another program of {}:\n{lines}",
                self.path().display(),
                names.join(", ")
            ),
            match others.iter().all(|name| name == GAME) {
                true => {
                    "`--out DIR` plays all games with the new program; or put the old file back"
                }
                false => {
                    "`--out DIR` plays all games with the new program; or put the old file back, \
                     and add the new program as an agent under a new name, so that only its games \
                     are played"
                }
            },
        ))
    }
}

fn shown(file: Option<&ProgramFile>) -> String {
    match file {
        Some(file) => format!("{} bytes (SHA-256 {:.12}…)", file.bytes, file.sha256),
        None => "no such file".to_owned(),
    }
}
