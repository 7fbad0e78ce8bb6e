//! Plays the remaining games and writes the results.

use std::fs::File;
use std::path::PathBuf;

use super::super::run::sharding::Sharding;
use super::Job;
use crate::arena::{
    Begin, EarlyEnd, Event, Folder, FolderLock, Manifest, Observer, Outputs, Remaining, RunHistory,
    Runner, Status, Tally, Watchdog, count, find_changes, identify,
};
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{note, print};
use crate::cli::progress_listener::Listener;
use crate::cli::read_results_folder::results_of;
use crate::cli::run_files::Files;
use crate::config::NamedAgent;
use crate::engine::end_engines;
use crate::report::counted;

struct Run<'a, 'b> {
    job: &'a mut Job<'b>,
    manifest: Manifest,
    /// Number of games in the run as far as its rounds are known, or in the shard.
    games: u64,
}

impl Job<'_> {
    /// Plays the remaining games. Returns the exit code.
    pub(super) fn play(&mut self, begin: Begin, argv: &[String]) -> Result<u8, Failure> {
        self.check_before_resume()?;
        let Begin { remaining, tally, outputs, earlier, lock, .. } = begin;
        let lock = lock.map_or_else(|| FolderLock::take(self.folder.path()), Ok)?;
        let limit = |agent: &NamedAgent| match self.engine_context.why_forfeit(&agent.name) {
            Some(_) => 0,
            None => agent.needs.max_consecutive_forfeits,
        };
        let limits = self.experiment.agents.iter().map(limit).collect();
        let mut tally = tally.max_consecutive_failures(limits);
        tally.void_cost = earlier.as_ref().map_or(0, |earlier| (earlier.void_cost * 1e9) as u64);
        let mut run =
            Run::begin(self, argv, earlier, tally.rows + remaining.finished.len() as u64)?;
        let (tally, history) = run.play(outputs, &remaining, tally)?;
        match &run.job.sharding {
            Some(sharding) => run.end_shard(sharding, &tally, lock),
            None => run.end(tally, history, lock),
        }
    }
}

impl<'a, 'b> Run<'a, 'b> {
    /// Writes the config and the manifest to the folder. The folder already has `there` games.
    fn begin(
        job: &'a mut Job<'b>,
        argv: &[String],
        earlier: Option<Manifest>,
        there: u64,
    ) -> Result<Self, Failure> {
        job.write_config()?;
        if job.engine_context.transcripts.is_some() {
            job.folder.create_transcripts()?;
        }
        let mut manifest = job.manifest(argv);
        if let Some(earlier) = &earlier {
            job.remember(earlier);
        }
        if let Some(earlier) = earlier.filter(|_| there > 0) {
            earlier.programs.into_iter().for_each(|(agent, program)| {
                manifest.programs.insert(agent, program);
            });
            let now = job.experiment.schedule.games;
            let before = earlier.games_asked.into_iter().filter(|&games| games != now);
            manifest.games_asked = before.chain([now]).collect();
            manifest.started = earlier.started;
            manifest.peak_memory_bytes = earlier.peak_memory_bytes;
        }
        job.folder.write_manifest(&manifest)?;
        let units = match &job.sharding {
            Some(sharding) => sharding.shard.units(&job.schedule),
            None => 0..job.schedule.units(),
        };
        let games = match &job.sharding {
            Some(_) => {
                job.schedule.games_before(units.end) - job.schedule.games_before(units.start)
            }
            None => job.schedule.planned_games(),
        };
        if there > 0 {
            let are = if there == 1 { "is" } else { "are" };
            job.say(&format!("{there} of {games} games {are} complete already; the run continues"));
        }
        if job.args.verbose {
            let place = job.folder.path().display();
            note(format!(
                "{}, {}, {}, config {}, into {place}",
                counted(games, "game"),
                counted(job.lineup.openings(), "opening"),
                counted(job.jobs as u64, "thread"),
                manifest.config_hash
            ));
        }
        Ok(Run { job, manifest, games })
    }

    /// Plays until no games remain or the run is stopped. Returns the history if the report needs
    /// it and this process played all games. The history of an earlier process is not known.
    fn play(
        &mut self,
        outputs: Outputs<File>,
        remaining: &Remaining,
        tally: Tally,
    ) -> Result<(Tally, Option<RunHistory>), Failure> {
        let job = &*self.job;
        let wanted = job.experiment.output.report && job.sharding.is_none() && tally.rows == 0;
        let listener = Listener::new(job.args.quiet, self.games, wanted);
        let observer = |event: &Event<'_>| match event {
            Event::GraceOver(tally) => self.give_up(tally, &listener),
            event => listener.on(event),
        };
        let watchdog = Watchdog {
            sync: job.experiment.output.sync(),
            files: files(&job.folder, &outputs)?,
            verdict: (job.sharding.as_ref())
                .filter(|_| job.experiment.kind.sequential_test().is_some())
                .map(|sharding| sharding.parent.stop_file()),
            grace: job.experiment.output.grace(),
        };
        let runner = Runner {
            lineup: job.lineup.clone(),
            schedule: &job.schedule,
            jobs: job.jobs,
            stop: job.stop.flag(),
            pin: job.args.pin,
            observer: &observer,
            watchdog,
        };
        let names = tally.names.clone();
        let result = job.stop.finishing(Some(job.experiment.output.grace()), || {
            runner.run(outputs, remaining, tally)
        });
        drop(runner);
        listener.clear();
        if result.is_err() {
            // If the disk is full, this fails too.
            let _ = job.folder.write_manifest(&self.ended_by_error(names));
        }
        job.warn_of_delay();
        job.note_attributes();
        job.engine_context
            .warnings()
            .iter()
            .for_each(|warning| job.say(&format!("warning: {warning}")));
        let (tally, schedule) = result?;
        let history = listener.history(&tally);
        if schedule.grows() {
            self.games = schedule.planned_games();
            self.job.schedule = schedule;
        }
        Ok((tally, history))
    }

    /// Exits while games are still running. Finished games are already in the files; only the
    /// running games are lost.
    fn give_up(&self, tally: &Tally, listener: &Listener) {
        let job = &*self.job;
        listener.clear();
        let _ = job.folder.write_manifest(&self.ended(tally, Status::Interrupted));
        job.say("games that ran longer than the grace period are dropped");
        job.stop.end_work();
        let known = if job.sharding.is_none() { self.write_finished() } else { Ok(self.games) };
        job.say(&resume_hint(tally.rows, known.unwrap_or(self.games), &self.manifest.argv));
        end_engines();
        std::process::exit(job.stop.code().unwrap_or(exit_codes::FAILED).into());
    }

    /// Writes the tables and the page of the games in the files. Returns the number of games in the
    /// run as far as its rounds are known.
    fn write_finished(&self) -> Result<u64, Failure> {
        let (job, mut schedule) = (&*self.job, self.job.schedule.clone());
        let (folder, experiment) = (&job.folder, job.experiment);
        let (mut results, history) =
            results_of(folder, experiment, &mut schedule, job.lineup.openings())?;
        let history = experiment.output.report.then_some(history);
        let experiment = Some(experiment);
        Files { folder, experiment, history, grading: None, manifest: None }.write(&mut results)?;
        Ok(schedule.planned_games())
    }

    fn ended(&self, tally: &Tally, status: Status) -> Manifest {
        let mut manifest = self.manifest.clone();
        manifest.delay = self.job.engine_context.worst_delay();
        manifest.final_scores = self.job.engine_context.final_scores();
        manifest.unavailable = self.job.engine_context.unavailable();
        for (agent, program) in manifest.programs.iter_mut() {
            program.name = self.job.engine_context.announced_name(agent).or(program.name.take());
        }
        for path in find_changes(&mut manifest.programs, &identify(self.job.experiment)) {
            note(format!(
                "warning: {path} was changed while the run was played; some of these games may be \
                 of the new file"
            ));
        }
        manifest.end(tally, status);
        manifest
    }

    /// The manifest of a run that ends with an error, with the number of games in the file.
    fn ended_by_error(&self, names: Vec<String>) -> Manifest {
        match count(&self.job.folder, Tally::new(names, &[]), None) {
            Ok((tally, _)) => self.ended(&tally, Status::Interrupted),
            Err(_) => Manifest { status: Status::Interrupted, ..self.manifest.clone() },
        }
    }

    /// Whether no games remain, and the manifest for that.
    fn outcome(&self, tally: &Tally) -> (bool, Manifest) {
        let complete = tally.rows == self.games || tally.is_decided();
        let status = if complete { Status::Complete } else { Status::Interrupted };
        (complete, self.ended(tally, status))
    }

    /// The exit code if a signal, an outage or the cost has stopped the games.
    fn stop_code(&self, tally: &Tally) -> Option<u8> {
        let code = |end: &EarlyEnd| match end {
            EarlyEnd::Outage(_) => exit_codes::UNAVAILABLE,
            EarlyEnd::Cost(_) => exit_codes::TOO_COSTLY,
        };
        self.job.stop.code().or(tally.early_end.as_ref().map(code))
    }

    /// Says that the games were stopped, and how to resume.
    fn say_stopped(&self, tally: &Tally) {
        // Also with `--quiet`: nothing else says why the run ends.
        match &tally.early_end {
            Some(EarlyEnd::Outage(why)) => note(why),
            Some(EarlyEnd::Cost(why)) => note(format!("{why}; raise `max_cost` to continue")),
            None => {}
        }
        self.job.say(&resume_hint(tally.rows, self.games, &self.manifest.argv));
    }

    /// Gives a complete shard its final name, and evaluates the sequential test of all shards.
    fn end_shard(
        &self,
        sharding: &Sharding,
        tally: &Tally,
        lock: FolderLock,
    ) -> Result<u8, Failure> {
        let job = &*self.job;
        let (complete, manifest) = self.outcome(tally);
        job.folder.write_manifest(&manifest)?;
        if complete {
            sharding.parent.publish(&job.folder, sharding.shard)?;
            drop(lock);
            job.say(&format!("{} is complete", sharding.shard));
            if let Some(words) = sharding.evaluate_test(job.experiment, &job.schedule)? {
                job.say(&format!(
                    "{words}; merge the shards with `agon merge {}`",
                    shell_path(&sharding.results)
                ));
            } else if sharding.all_complete()? {
                let parent = shell_path(&sharding.results);
                job.say(&format!("all shards are complete; merge them with `agon merge {parent}`"));
            }
            return Ok(exit_codes::DONE);
        }
        if let Some(code) = self.stop_code(tally) {
            self.say_stopped(tally);
            return Ok(code);
        }
        let (_, words) = sharding.parent.stopped().unwrap_or_default();
        job.say(&format!("{words}; {} is not needed", sharding.shard));
        Ok(exit_codes::DONE)
    }

    /// Writes the tables, grades if configured, and prints the results.
    fn end(
        &self,
        tally: Tally,
        history: Option<RunHistory>,
        lock: FolderLock,
    ) -> Result<u8, Failure> {
        let (job, experiment) = (&*self.job, self.job.experiment);
        let (complete, manifest) = self.outcome(&tally);
        let mut stopped = self.stop_code(&tally).filter(|_| !complete);
        if stopped.is_some() {
            // The process may be killed before the tables are written.
            job.folder.write_manifest(&manifest)?;
            self.say_stopped(&tally);
        } else if !manifest.programs.is_empty() {
            // `games.pgn` has the names that the programs announced.
            let programs = manifest.programs.clone();
            job.folder.write_manifest(&Manifest { programs, ..self.manifest.clone() })?;
        }
        let mut results = job.measured_results(tally)?;
        let files = Files {
            folder: &job.folder,
            experiment: Some(experiment),
            history: history.map_or_else(|| job.read_history(), |history| Ok(Some(history)))?,
            grading: experiment.grading.filter(|_| complete).map(|grading| job.grading(grading)),
            manifest: Some(manifest),
        };
        stopped = files.write(&mut results)?.or(stopped);
        drop(lock);
        let (rows, games) = (results.tally.rows, self.games);
        if complete {
            if job.prints {
                job.say(&format!("results are in {}", job.folder.path().display()));
            }
        } else if let Some(agent) = results.tally.gave_up {
            job.say(&format!(
                "given up after {rows} of {games} games: `{}` forfeited {} in a row \
                 (`max_consecutive_forfeits`); the reasons are in {}, and the same command continues",
                results.tally.names[agent],
                experiment.agents[agent].needs.max_consecutive_forfeits,
                job.folder.path().display(),
            ));
        } else if stopped.is_none() {
            job.say(&resume_hint(rows, games, &self.manifest.argv));
        }
        let printed = match job.prints {
            true => print(&mut results, Some(&job.folder), job.args.format, job.args.verbose),
            false => Ok(()),
        };
        match stopped {
            // After SIGHUP the terminal is closed, which is not an error.
            Some(code) => Ok(code),
            None => printed.map(|()| exit_codes::of_results(&results)),
        }
    }
}

/// How many games are done, and the command that resumes the run.
fn resume_hint(rows: u64, games: u64, argv: &[String]) -> String {
    let again = shell_command(argv);
    format!("stopped after {rows} of {games} games; the same command continues: {again}")
}

/// Opens the files again that are written game by game.
fn files(folder: &Folder, outputs: &Outputs<File>) -> Result<Vec<(PathBuf, File)>, Failure> {
    let all = [("moves.csv", outputs.moves.as_ref()), ("games.csv", Some(&outputs.games))];
    let open = |(name, file): (&str, Option<&File>)| {
        let file = file?.try_clone();
        Some(file.map(|file| (folder.file(name), file)))
    };
    Ok(all.into_iter().filter_map(open).collect::<Result<_, _>>()?)
}

/// A command in a form that can be pasted into a shell.
fn shell_command(argv: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,@%+".contains(c);
    let quoted = argv.iter().map(|word| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// A folder in a form that can be pasted into a shell.
fn shell_path(folder: &Folder) -> String {
    shell_command(&[folder.path().display().to_string()])
}
