//! Reads the environment variables of Slurm: the index of a task, the number of tasks, and the number of
//! processors that it may use. Users of other batch systems name the shard: `--shard K/N`.
//!
//! Nothing is guessed: if the variables give no count, the user must give it.

use crate::arena::Shard;

/// An environment: the value of a variable, if it is set.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

const ARRAY: [&str; 5] = [
    "SLURM_ARRAY_TASK_ID",
    "SLURM_ARRAY_TASK_MIN",
    "SLURM_ARRAY_TASK_MAX",
    "SLURM_ARRAY_TASK_STEP",
    "SLURM_ARRAY_TASK_COUNT",
];
const STEP: [&str; 3] = ["SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"];

/// A task of an array, or a process that `srun` started.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Task {
    name: &'static str,
    /// The variables with their values, for messages.
    variables: String,
    /// The variables that are not set.
    unset: Vec<&'static str>,
    id: i64,
    numbers: Numbers,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Numbers {
    /// Numbers from 0, with the count if it is known.
    Step(Option<u64>),
    /// Numbers that the user chose, with the first, the last and the step if they are known.
    Array(Option<(i64, i64, i64)>),
}

/// Reads a shard from the environment. `shards` supplies or overrides the count. Also returns a
/// description of the variables.
pub fn shard(env: Env<'_>, shards: Option<u64>) -> Result<(Shard, String), String> {
    let task = match (array(env)?, step(env)?) {
        // A step of one process divides nothing.
        (Some(array), Some(step)) if step.count() == Some(1) => array,
        (Some(array), Some(step)) => {
            return Err(format!(
                "`--shard auto`: this is a task of an array ({}) and of a step ({})\n\
                 help: name the shard, such as `--shard \"$((SLURM_PROCID+1))/10\"`",
                array.variables, step.variables
            ));
        }
        (Some(task), None) | (None, Some(task)) => task,
        (None, None) => return Err(none_found(env)),
    };
    let shard = task
        .shard(shards)
        .map_err(|why| format!("`--shard auto`: {} says {}, {why}", task.name, task.variables))?;
    Ok((shard, format!("{}: {}", task.name, task.variables)))
}

/// The error if Slurm gives this process no number.
fn none_found(env: Env<'_>) -> String {
    let why = match env(STEP[0]) {
        Some(_) => "SLURM_STEP_ID is not set, so this process was not started by `srun`".to_owned(),
        None => format!("neither {} nor {} is set", ARRAY[0], STEP[0]),
    };
    format!(
        "`--shard auto`: Slurm did not start this process: {why}\n\
         help: name the shard, such as `--shard 3/10`; docs/endurance.md shows how in other batch systems"
    )
}

/// A hint if the environment suggests a shard but `--shard` is not given.
pub fn hint(env: Env<'_>) -> Option<String> {
    let step = || step(env).ok()?.filter(|step| step.count() != Some(1));
    let Task { name, variables, .. } = array(env).ok()?.or_else(step)?;
    Some(format!(
        "this is one task of many ({name}: {variables}), but without `--shard auto` each plays \
         everything"
    ))
}

/// The task of an array, if this process is one.
fn array(env: Env<'_>) -> Result<Option<Task>, String> {
    let [id, min, max, step, count] = ARRAY.map(|name| number(env, name));
    let Some(id) = id? else { return Ok(None) };
    let step = step?.unwrap_or(1);
    let mut ids = min?.zip(max?).map(|(first, last)| (first, last, step));
    // A list such as 1,3-5 has a step of 1 and fewer tasks than its first and last number suggest.
    if let (Some((first, last, step)), Some(tasks)) = (ids, count?)
        && (last - first) / step.max(1) + 1 != tasks
    {
        ids = Some((first, last, 0));
    }
    Ok(Some(Task::new("a Slurm array", env, &ARRAY, id, Numbers::Array(ids))))
}

/// The process of a step, if `srun` has started this process. A batch script itself has no step.
fn step(env: Env<'_>) -> Result<Option<Task>, String> {
    if env("SLURM_STEP_ID").is_none() {
        return Ok(None);
    }
    let [id, of_step, of_job] = STEP.map(|name| number(env, name));
    let Some(id) = id? else { return Ok(None) };
    let count = of_step?.or(of_job?).and_then(|count| u64::try_from(count).ok());
    Ok(Some(Task::new("srun", env, &STEP, id, Numbers::Step(count))))
}

fn number(env: Env<'_>, name: &str) -> Result<Option<i64>, String> {
    let Some(text) = env(name) else { return Ok(None) };
    text.trim().parse().map(Some).map_err(|_| {
        format!(
            "`--shard auto`: {name} is `{text}`, which is not a number\n\
             help: name the shard, such as `--shard 3/10`"
        )
    })
}

impl Task {
    fn new(
        name: &'static str,
        env: Env<'_>,
        names: &[&'static str],
        id: i64,
        numbers: Numbers,
    ) -> Self {
        let (set, unset): (Vec<_>, Vec<_>) = names.iter().partition(|name| env(name).is_some());
        let with_value = |name: &&str| format!("{name}={}", env(name).unwrap_or_default());
        let variables = set.iter().map(with_value).collect::<Vec<_>>().join(" ");
        Task { name, variables, unset, id, numbers }
    }

    fn count(&self) -> Option<u64> {
        match self.numbers {
            Numbers::Step(count) => count,
            Numbers::Array(ids) => {
                let (first, last, step) = ids?;
                (step > 0).then(|| u64::try_from((last - first) / step + 1).ok())?
            }
        }
    }

    /// The shard, or the reason why there is none.
    fn shard(&self, shards: Option<u64>) -> Result<Shard, String> {
        let missing = || {
            let (names, are) =
                (self.unset.join(", "), if self.unset.len() == 1 { "is" } else { "are" });
            format!("but {names} {are} not set\nhelp: `--shards N`, or set the variable")
        };
        let index = match (&self.numbers, shards) {
            (Numbers::Step(_), _) => self.id + 1,
            // The user may have submitted a part of an array again. Its numbers are the numbers of
            // shards.
            (Numbers::Array(Some((0, ..))), Some(_)) => self.id + 1,
            (Numbers::Array(_), Some(_)) => self.id,
            (Numbers::Array(None), None) => return Err(missing()),
            (Numbers::Array(Some((first, last, step))), None) => {
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

/// The number of threads that Slurm allows this process, if it gives one.
pub fn allowance(env: Env<'_>) -> Option<usize> {
    let number = |name: &str| env(name)?.trim().parse::<usize>().ok().filter(|&n| n > 0);
    env("SLURM_JOB_ID")?;
    let alone = number("SLURM_STEP_NUM_TASKS").or(number("SLURM_NTASKS")).unwrap_or(1) == 1;
    let node = number("SLURM_CPUS_ON_NODE").filter(|_| alone);
    number("SLURM_CPUS_PER_TASK").or(node).or((!alone).then_some(1))
}

/// The number of threads: as requested, else what Slurm allows, else one per physical core. The default
/// is at most what the system lets this process use.
pub fn jobs(asked: Option<u16>) -> usize {
    if let Some(jobs) = asked {
        return jobs.into();
    }
    let cores = num_cpus::get_physical();
    let env = |name: &str| std::env::var(name).ok();
    let most = std::thread::available_parallelism().map_or(cores, usize::from);
    allowance(&env).unwrap_or(cores).clamp(1, most.max(1))
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

    fn array_of(id: u64, min: u64, max: u64, step: u64, count: u64) -> String {
        format!(
            "SLURM_ARRAY_TASK_ID={id} SLURM_ARRAY_TASK_MIN={min} SLURM_ARRAY_TASK_MAX={max} \
             SLURM_ARRAY_TASK_STEP={step} SLURM_ARRAY_TASK_COUNT={count} SLURM_PROCID=0 \
             SLURM_NTASKS=1"
        )
    }

    #[test]
    fn arrays_begin_with_0_or_1_and_steps_with_0() {
        for (variables, shards, expected) in [
            (array_of(1, 1, 10, 1, 10), None, (1, 10)),
            (array_of(0, 0, 9, 1, 10), None, (1, 10)),
            (array_of(9, 0, 9, 1, 10), Some(10), (10, 10)),
            (array_of(9, 1, 10, 1, 10), Some(20), (9, 20)),
            (array_of(6, 0, 9, 3, 4), None, (3, 4)),
            ("SLURM_STEP_ID=0 SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=4".into(), None, (4, 4)),
            ("SLURM_STEP_ID=0 SLURM_PROCID=3".into(), Some(4), (4, 4)),
        ] {
            assert_eq!(shard_of(&variables, shards), Ok(expected), "{variables} {shards:?}");
        }
    }

    #[test]
    fn part_of_an_array_keeps_its_numbers() {
        // As after `sbatch --array=3,7-9`.
        let part = array_of(7, 3, 9, 1, 4);
        assert_eq!(shard_of(&part, Some(10)), Ok((7, 10)));
        let error = shard_of(&part, None).expect_err("no count");
        assert!(error.contains("SLURM_ARRAY_TASK_ID=7") && error.contains("--shards"), "{error}");
        assert!(shard_of(&array_of(3, 3, 5, 1, 3), None).is_err());
    }

    #[test]
    fn what_is_not_clear_is_refused_and_said() {
        let last = "SLURM_ARRAY_TASK_ID=1 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2";
        for (variables, shards, words) in [
            ("", None, "neither SLURM_ARRAY_TASK_ID nor SLURM_PROCID is set"),
            // A batch script without a step.
            ("SLURM_PROCID=0 SLURM_NTASKS=4", None, "SLURM_STEP_ID is not set"),
            (
                "SLURM_STEP_ID=0 SLURM_PROCID=1",
                None,
                "SLURM_PROCID=1, but SLURM_STEP_NUM_TASKS, SLURM_NTASKS are not set",
            ),
            ("SLURM_ARRAY_TASK_ID=3", None, "but SLURM_ARRAY_TASK_MIN, SLURM_ARRAY_TASK_MAX"),
            ("SLURM_ARRAY_TASK_ID=0", Some(3), "not a shard of 3"),
            ("SLURM_ARRAY_TASK_ID=4", Some(3), "not a shard of 3"),
            ("SLURM_ARRAY_TASK_ID=x", Some(3), "SLURM_ARRAY_TASK_ID is `x`"),
            (last, Some(2), "an array (SLURM_ARRAY_TASK_ID=1) and of a step (SLURM_PROCID=1"),
        ] {
            let error = shard_of(variables, shards).expect_err(variables);
            assert!(error.contains(words) && error.contains("help: "), "{variables}: {error}");
        }
    }

    #[test]
    fn a_step_of_one_process_divides_nothing() {
        let step = " SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1";
        assert_eq!(shard_of(&(array_of(2, 1, 3, 1, 3) + step), None), Ok((2, 3)));
        assert_eq!(shard_of(&("SLURM_PROCID=0".to_owned() + step), None), Ok((1, 1)));
    }

    #[test]
    fn only_tasks_of_many_are_told_about_shards() {
        let hint = |variables: &str| hint(&|name: &str| lookup(variables, name));
        assert_eq!(hint(""), None);
        assert_eq!(hint("SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1"), None);
        let text = hint("SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2");
        assert!(text.is_some_and(|text| text.contains("SLURM_PROCID=0")));
        let text = hint("SLURM_ARRAY_TASK_ID=1");
        assert!(text.is_some_and(|text| text.contains("SLURM_ARRAY_TASK_ID=1")));
    }

    #[test]
    fn threads_are_what_slurm_allows() {
        for (variables, threads) in [
            ("", None),
            ("OMP_NUM_THREADS=3", None),
            ("SLURM_JOB_ID=1 SLURM_CPUS_PER_TASK=4 SLURM_CPUS_ON_NODE=9", Some(4)),
            ("SLURM_JOB_ID=1 SLURM_CPUS_ON_NODE=3", Some(3)),
            ("SLURM_JOB_ID=1 SLURM_CPUS_ON_NODE=8 SLURM_NTASKS=8", Some(1)),
        ] {
            assert_eq!(allowance(&|name: &str| lookup(variables, name)), threads, "{variables}");
        }
    }
}
