//! Reads the environment variables of batch systems: the index of a task, the number of tasks, and
//! the number of processors that it may use.
//!
//! Nothing is guessed: exactly one convention must be present. If the variables give no count, the
//! user must give it.

use crate::arena::Shard;

/// An environment: the value of a variable, if it is set.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

#[derive(Debug, Clone, PartialEq, Eq)]
struct DetectedTask {
    name: &'static str,
    /// The variables with their values, for messages.
    variables: String,
    /// The variables that are not set.
    unset: Vec<String>,
    id: i64,
    ids: Ids,
    /// The convention belongs to a launcher that starts any number of processes. One process of one
    /// is then no shard.
    launcher: bool,
}

/// The numbers of tasks in a convention.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Ids {
    /// Numbers from the first one on, with the count if it is known.
    From(i64, Option<u64>),
    /// Numbers that the user chose, with the first, the last and the step if they are known.
    Chosen(Option<(i64, i64, i64)>),
}

/// Reads a shard from the environment. `shards` supplies or overrides the count. Also returns a
/// description of the variables.
pub fn shard(env: Env<'_>, shards: Option<u64>) -> Result<(Shard, String), String> {
    let mut found = conventions(env)?;
    if found.len() > 1 {
        let one =
            |found: &DetectedTask| found.launcher && found.id == 0 && found.count() == Some(1);
        if !found.iter().all(one) {
            found.retain(|found| !one(found));
        }
    }
    // `srun` also sets the variables of PMI if it supports PMI.
    if let [srun, pmi] = &found[..]
        && (srun.name, pmi.name) == (SRUN, PMI)
        && (srun.id, srun.count()) == (pmi.id, pmi.count())
    {
        found.pop();
    }
    match &found[..] {
        [found] => {
            let shard = found.shard(shards).map_err(|why| {
                let DetectedTask { name, variables, .. } = found;
                format!("`--shard auto`: {name} says {variables}, {why}")
            })?;
            Ok((shard, format!("{}: {}", found.name, found.variables)))
        }
        [] => Err(none_found(env)),
        many => {
            let all: Vec<String> =
                many.iter().map(|found| format!("{} ({})", found.name, found.variables)).collect();
            Err(format!(
                "`--shard auto`: more than one batch system is recognised: {}\n\
                 help: name the shard, such as `--shard \"$((OMPI_COMM_WORLD_RANK+1))/10\"`, \
                 or unset the variables of the others",
                all.join(", ")
            ))
        }
    }
}

/// The error if no batch system gives this process a number.
fn none_found(env: Env<'_>) -> String {
    let why = match env("SLURM_PROCID") {
        Some(_) => "SLURM_STEP_ID is not set, so this process was not started by `srun`".to_owned(),
        None => format!("none of these variables is set: {}", TASK_NUMBERS.join(", ")),
    };
    format!(
        "`--shard auto`: no batch system is recognised: {why}\n\
         help: name the shard, such as `--shard 3/10`"
    )
}

/// The variables with the number of a task.
const TASK_NUMBERS: [&str; 11] = [
    "SLURM_ARRAY_TASK_ID",
    "SLURM_PROCID",
    "OMPI_COMM_WORLD_RANK",
    "PMI_RANK",
    "PARALLEL_SEQ",
    "HQ_TASK_ID",
    "SGE_TASK_ID",
    "JOB_COMPLETION_INDEX",
    "PBS_ARRAY_INDEX",
    "LSB_JOBINDEX",
    "AWS_BATCH_JOB_ARRAY_INDEX",
];

/// A hint if the environment suggests a shard but `--shard` is not given.
pub fn hint(env: Env<'_>) -> Option<String> {
    let found = conventions(env).unwrap_or_default();
    let found = found.into_iter().find(|found| !found.launcher || found.count() != Some(1))?;
    Some(format!(
        "this is one task of many ({}: {}), but without `--shard auto` each plays everything",
        found.name, found.variables
    ))
}

const SRUN: &str = "srun";
const PMI: &str = "MPICH or Intel MPI";

/// All conventions of the environment.
fn conventions(env: Env<'_>) -> Result<Vec<DetectedTask>, String> {
    let number = |name: &str| -> Result<Option<i64>, String> {
        match env(name) {
            None => Ok(None),
            Some(text) => text.trim().parse().map(Some).map_err(|_| {
                format!("`--shard auto`: {name} is `{text}`, which is not a number\nhelp: name the shard, such as `--shard 3/10`")
            }),
        }
    };
    let variables = |names: &[&str]| {
        let set = names.iter().filter_map(|name| Some(format!("{name}={}", env(name)?)));
        set.collect::<Vec<_>>().join(" ")
    };
    let count = |names: &[&str]| -> Result<Option<u64>, String> {
        for name in names {
            if let Some(count) = number(name)? {
                return Ok(u64::try_from(count).ok());
            }
        }
        Ok(None)
    };
    // The first number, the last number and the step of an array, if the variables are set.
    let array = |first: &str, last: &str, step: &str| -> Result<Option<(i64, i64, i64)>, String> {
        let step = number(step)?.unwrap_or(1);
        Ok(number(first)?.zip(number(last)?).map(|(first, last)| (first, last, step)))
    };
    let mut all = Vec::new();
    let mut add = |name, names: &[&str], id, ids, launcher| {
        let unset = names.iter().filter(|name| env(name).is_none());
        let unset = unset.map(|&name| name.to_owned()).collect();
        all.push(DetectedTask { name, variables: variables(names), unset, id, ids, launcher });
    };
    if let Some(id) = number("SLURM_ARRAY_TASK_ID")? {
        let names = ["MIN", "MAX", "STEP", "COUNT"].map(|end| format!("SLURM_ARRAY_TASK_{end}"));
        let [min, max, step, tasks] = &names;
        let mut ids = array(min, max, step)?;
        // A list such as 1,3-5 has a step of 1 and fewer tasks than its first and last number
        // suggest.
        if let (Some((first, last, step)), Some(tasks)) = (ids, number(tasks)?)
            && (last - first) / step.max(1) + 1 != tasks
        {
            ids = Some((first, last, 0));
        }
        let names = ["SLURM_ARRAY_TASK_ID", min, max, step, tasks];
        add("a Slurm array", &names, id, Ids::Chosen(ids), false);
    }
    // A batch script itself has no step.
    if env("SLURM_STEP_ID").is_some()
        && let Some(id) = number("SLURM_PROCID")?
    {
        let ids = Ids::From(0, count(&["SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"])?);
        add(SRUN, &["SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"], id, ids, true);
    }
    if let Some(id) = number("OMPI_COMM_WORLD_RANK")? {
        let ids = Ids::From(0, count(&["OMPI_COMM_WORLD_SIZE"])?);
        add("Open MPI", &["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"], id, ids, true);
    }
    if let Some(id) = number("PMI_RANK")? {
        let ids = Ids::From(0, count(&["PMI_SIZE"])?);
        add(PMI, &["PMI_RANK", "PMI_SIZE"], id, ids, true);
    }
    if let Some(id) = number("PARALLEL_SEQ")? {
        add("GNU parallel", &["PARALLEL_SEQ"], id, Ids::From(1, None), false);
    }
    if let Some(id) = number("HQ_TASK_ID")? {
        add("HyperQueue", &["HQ_TASK_ID"], id, Ids::Chosen(None), false);
    }
    // Tasks without an array have the word `undefined` here.
    if env("SGE_TASK_ID").is_some_and(|id| id != "undefined")
        && let Some(id) = number("SGE_TASK_ID")?
    {
        let ids = array("SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE")?;
        let names = ["SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"];
        add("Grid Engine", &names, id, Ids::Chosen(ids), false);
    }
    if let Some(id) = number("JOB_COMPLETION_INDEX")? {
        add("a Kubernetes Indexed Job", &["JOB_COMPLETION_INDEX"], id, Ids::From(0, None), false);
    }
    for name in ["PBS_ARRAY_INDEX", "PBS_ARRAYID"] {
        if let Some(id) = number(name)? {
            add("PBS", &[name], id, Ids::Chosen(None), false);
            break;
        }
    }
    // Jobs without an array have 0 here.
    if let Some(id) = number("LSB_JOBINDEX")?.filter(|&id| id > 0) {
        let step = number("LSB_JOBINDEX_STEP")?.unwrap_or(1);
        let ids = number("LSB_JOBINDEX_END")?.map(|last| (1, last, step));
        let names = ["LSB_JOBINDEX", "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP"];
        add("LSF", &names, id, Ids::Chosen(ids), false);
    }
    if let Some(id) = number("AWS_BATCH_JOB_ARRAY_INDEX")? {
        let ids = Ids::From(0, count(&["AWS_BATCH_JOB_ARRAY_SIZE"])?);
        let names = ["AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE"];
        add("AWS Batch", &names, id, ids, false);
    }
    Ok(all)
}

impl DetectedTask {
    fn count(&self) -> Option<u64> {
        match self.ids {
            Ids::From(_, count) => count,
            Ids::Chosen(ids) => {
                let (first, last, step) = ids?;
                (step > 0).then(|| u64::try_from((last - first) / step + 1).ok())?
            }
        }
    }

    /// The shard, or the reason why there is none.
    fn shard(&self, shards: Option<u64>) -> Result<Shard, String> {
        let missing = || match &self.unset[..] {
            [] => "and has no variable for the number of tasks\nhelp: `--shards N`".to_owned(),
            unset => {
                let (names, are) = (unset.join(", "), if unset.len() == 1 { "is" } else { "are" });
                format!("but {names} {are} not set\nhelp: `--shards N`, or set the variable")
            }
        };
        let index = match (&self.ids, shards) {
            (Ids::From(base, _), _) => self.id - base + 1,
            // The user may have submitted a part of an array again. Its numbers are the numbers of
            // shards.
            (Ids::Chosen(Some((0, ..))), Some(_)) => self.id + 1,
            (Ids::Chosen(_), Some(_)) => self.id,
            (Ids::Chosen(None), None) => return Err(missing()),
            (Ids::Chosen(Some((first, last, step))), None) => {
                if *step < 1 || !(0..=1).contains(first) || last < first {
                    return Err("which is not an array from 0 or 1 without gaps, so that the \
                         number of shards is not known\nhelp: `--shards N`"
                        .to_owned());
                }
                (self.id - first) / step + 1
            }
        };
        let count = shards.or(self.count()).ok_or_else(missing)?;
        let shard = u64::try_from(index).ok().and_then(|index| Shard::new(index, count));
        shard.ok_or_else(|| {
            format!(
                "which is not a shard of {count}\n\
                 help: number the tasks from 1 to {count}, or `--shard K/{count}`"
            )
        })
    }
}

/// The number of threads that the batch system allows this process, if it gives one.
pub fn allowance(env: Env<'_>, cores: usize) -> Option<usize> {
    let number = |name: &str| env(name)?.trim().parse::<usize>().ok().filter(|&n| n > 0);
    let share = |size: usize| Some((cores / size).max(1));
    if env("SLURM_JOB_ID").is_some() {
        let alone = number("SLURM_STEP_NUM_TASKS").or(number("SLURM_NTASKS")).unwrap_or(1) == 1;
        let node = number("SLURM_CPUS_ON_NODE").filter(|_| alone);
        return number("SLURM_CPUS_PER_TASK").or(node).or((!alone).then_some(1));
    }
    if env("PBS_JOBID").is_some() {
        return number("NCPUS").or(number("PBS_NUM_PPN"));
    }
    if env("LSB_JOBID").is_some() {
        return number("LSB_DJOB_NUMPROC");
    }
    if let Some(list) = env("HQ_CPUS").filter(|_| env("HQ_TASK_ID").is_some()) {
        return Some(list.split(',').count());
    }
    if let Some(slots) = number("NSLOTS").filter(|_| env("SGE_TASK_ID").is_some()) {
        return Some(slots);
    }
    if let Some(size) = number("OMPI_COMM_WORLD_LOCAL_SIZE").or(number("MPI_LOCALNRANKS")) {
        return share(size);
    }
    // GNU parallel starts one process per core by default.
    env("PARALLEL_SEQ").map(|_| 1)
}

/// The number of threads: as requested, else what the scheduler allows, else one per physical core.
/// The default is at most what the system lets this process use.
pub fn jobs(asked: Option<u16>) -> usize {
    if let Some(jobs) = asked {
        return jobs.into();
    }
    let cores = num_cpus::get_physical();
    let env = |name: &str| std::env::var(name).ok();
    let most = std::thread::available_parallelism().map_or(cores, usize::from);
    allowance(&env, cores).unwrap_or(cores).clamp(1, most.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard_of(variables: &str, shards: Option<u64>) -> Result<(u64, u64), String> {
        let env = |name: &str| lookup(variables, name);
        shard(&env, shards).map(|(shard, _)| (shard.index, shard.count))
    }

    fn lookup(variables: &str, name: &str) -> Option<String> {
        let mut all = variables.split(' ').filter_map(|one| one.split_once('='));
        all.find(|(there, _)| *there == name).map(|(_, value)| value.to_owned())
    }

    fn slurm(id: u64, min: u64, max: u64, step: u64, count: u64) -> String {
        format!(
            "SLURM_ARRAY_TASK_ID={id} SLURM_ARRAY_TASK_MIN={min} SLURM_ARRAY_TASK_MAX={max} \
             SLURM_ARRAY_TASK_STEP={step} SLURM_ARRAY_TASK_COUNT={count} SLURM_PROCID=0 \
             SLURM_NTASKS=1"
        )
    }

    #[test]
    fn every_convention_with_its_base() {
        for (variables, shards, expected) in [
            (slurm(1, 1, 10, 1, 10), None, (1, 10)),
            (slurm(0, 0, 9, 1, 10), None, (1, 10)),
            (slurm(9, 0, 9, 1, 10), Some(10), (10, 10)),
            (slurm(9, 1, 10, 1, 10), Some(20), (9, 20)),
            (slurm(6, 0, 9, 3, 4), None, (3, 4)),
            ("SLURM_STEP_ID=0 SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=4".into(), None, (4, 4)),
            ("OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2".into(), None, (1, 2)),
            ("PMI_RANK=1 PMI_SIZE=2".into(), None, (2, 2)),
            ("PARALLEL_SEQ=3".into(), Some(3), (3, 3)),
            ("HQ_TASK_ID=7 HQ_JOB_ID=1".into(), Some(8), (7, 8)),
            (
                "SGE_TASK_ID=2 SGE_TASK_FIRST=1 SGE_TASK_LAST=5 SGE_TASK_STEPSIZE=1".into(),
                None,
                (2, 5),
            ),
            ("JOB_COMPLETION_INDEX=4".into(), Some(5), (5, 5)),
            ("PBS_ARRAY_INDEX=4".into(), Some(5), (4, 5)),
            ("PBS_ARRAYID=5".into(), Some(5), (5, 5)),
            ("LSB_JOBINDEX=2 LSB_JOBINDEX_END=3 LSB_JOBINDEX_STEP=1".into(), None, (2, 3)),
            ("AWS_BATCH_JOB_ARRAY_INDEX=0 AWS_BATCH_JOB_ARRAY_SIZE=6".into(), None, (1, 6)),
            ("AWS_BATCH_JOB_ARRAY_INDEX=5".into(), Some(6), (6, 6)),
        ] {
            assert_eq!(shard_of(&variables, shards), Ok(expected), "{variables} {shards:?}");
        }
    }

    #[test]
    fn part_of_an_array_keeps_its_numbers() {
        // As after `sbatch --array=3,7-9`.
        let part = slurm(7, 3, 9, 1, 4);
        assert_eq!(shard_of(&part, Some(10)), Ok((7, 10)));
        let error = shard_of(&part, None).expect_err("no count");
        assert!(error.contains("SLURM_ARRAY_TASK_ID=7") && error.contains("--shards"), "{error}");
        assert!(shard_of(&slurm(3, 3, 5, 1, 3), None).is_err());
    }

    #[test]
    fn what_is_not_clear_is_refused_and_said() {
        for (variables, shards, words) in [
            ("", None, "no batch system"),
            ("SGE_TASK_ID=undefined LSB_JOBINDEX=0", None, "no batch system"),
            // A batch script without a step.
            ("SLURM_PROCID=0 SLURM_NTASKS=4", None, "no batch system"),
            ("PARALLEL_SEQ=3", None, "PARALLEL_SEQ=3, and has no variable for the number of tasks"),
            ("JOB_COMPLETION_INDEX=3", None, "no variable for the number of tasks"),
            ("HQ_TASK_ID=3", None, "no variable for the number of tasks"),
            ("PBS_ARRAY_INDEX=3", None, "no variable for the number of tasks"),
            ("PMI_RANK=1", None, "PMI_RANK=1, but PMI_SIZE is not set"),
            ("OMPI_COMM_WORLD_RANK=1", None, "but OMPI_COMM_WORLD_SIZE is not set"),
            ("AWS_BATCH_JOB_ARRAY_INDEX=1", None, "but AWS_BATCH_JOB_ARRAY_SIZE is not set"),
            ("LSB_JOBINDEX=2", None, "but LSB_JOBINDEX_END, LSB_JOBINDEX_STEP are not set"),
            ("SLURM_PROCID=0 SLURM_NTASKS=4", None, "SLURM_STEP_ID is not set"),
            ("", None, "SLURM_ARRAY_TASK_ID"),
            ("PBS_ARRAY_INDEX=0", Some(3), "not a shard of 3"),
            ("PARALLEL_SEQ=4", Some(3), "not a shard of 3"),
            ("PARALLEL_SEQ=x", Some(3), "PARALLEL_SEQ is `x`"),
            (
                "PARALLEL_SEQ=1 JOB_COMPLETION_INDEX=0",
                Some(2),
                "GNU parallel (PARALLEL_SEQ=1), a Kubernetes",
            ),
            (
                "SLURM_ARRAY_TASK_ID=1 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2",
                Some(2),
                "a Slurm array (SLURM_ARRAY_TASK_ID=1), srun (SLURM_PROCID=1",
            ),
        ] {
            let error = shard_of(variables, shards).expect_err(variables);
            assert!(error.contains(words) && error.contains("help: "), "{variables}: {error}");
        }
    }

    #[test]
    fn a_launcher_of_one_process_divides_nothing() {
        let step = " SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1";
        assert_eq!(shard_of(&(slurm(2, 1, 3, 1, 3) + step), None), Ok((2, 3)));
        assert_eq!(shard_of(&("SLURM_PROCID=0".to_owned() + step), None), Ok((1, 1)));
        let both = "SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 PMI_RANK=1 PMI_SIZE=2";
        assert_eq!(shard_of(both, None), Ok((2, 2)));
        assert!(shard_of(&both.replace("PMI_SIZE=2", "PMI_SIZE=3"), None).is_err());
    }

    #[test]
    fn only_tasks_of_many_are_told_about_shards() {
        let hint = |variables: &str| hint(&|name: &str| lookup(variables, name));
        assert_eq!(hint(""), None);
        assert_eq!(hint("SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1"), None);
        assert!(hint("PARALLEL_SEQ=1").is_some_and(|text| text.contains("PARALLEL_SEQ=1")));
    }

    #[test]
    fn threads_are_what_the_scheduler_allows() {
        for (variables, threads) in [
            ("", None),
            ("OMP_NUM_THREADS=3", None),
            ("SLURM_JOB_ID=1 SLURM_CPUS_PER_TASK=4 SLURM_CPUS_ON_NODE=9", Some(4)),
            ("SLURM_JOB_ID=1 SLURM_CPUS_ON_NODE=3", Some(3)),
            ("SLURM_JOB_ID=1 SLURM_CPUS_ON_NODE=8 SLURM_NTASKS=8", Some(1)),
            ("PBS_JOBID=1 NCPUS=5", Some(5)),
            ("PBS_JOBID=1 PBS_NUM_PPN=6", Some(6)),
            ("LSB_JOBID=1 LSB_DJOB_NUMPROC=7", Some(7)),
            ("HQ_TASK_ID=1 HQ_CPUS=0,2,5", Some(3)),
            ("SGE_TASK_ID=undefined NSLOTS=2", Some(2)),
            ("OMPI_COMM_WORLD_LOCAL_SIZE=4", Some(2)),
            ("MPI_LOCALNRANKS=16", Some(1)),
            ("PARALLEL_SEQ=1", Some(1)),
        ] {
            assert_eq!(allowance(&|name: &str| lookup(variables, name), 8), threads, "{variables}");
        }
    }
}
