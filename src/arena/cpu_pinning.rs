//! Pins threads to cores: clocks then measure the agents more than the scheduling of the system.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::util::collect_lists::Gather;

fn cores() -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).gather()
}

/// Checks whether each of `threads` threads can have its own core.
pub fn check(threads: usize) -> Result<(), String> {
    match cores().len() {
        0 => Err("`--pin`: the system does not report its cores\n\
                  help: leave `--pin` out"
            .to_owned()),
        cores if threads > cores => Err(format!(
            "`--pin` needs one core for each of {threads} threads, but there are {cores}\n\
             help: use `--jobs {cores}`, or leave `--pin` out"
        )),
        _ => Ok(()),
    }
}

/// Pins this thread, and programs that it starts from now on, to the available core with this
/// index.
pub fn pin(number: usize) {
    let Some(&core) = cores().get(number) else { return };
    let mut only = CpuSet::new();
    only.set(core);
    // The check has shown that there are enough cores. If a core was removed since then, that was
    // intended.
    let _ = sched_setaffinity(None, &only);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_thread_has_one_core() {
        std::thread::spawn(|| {
            pin(0);
            assert_eq!(cores().len(), 1);
        })
        .join()
        .expect("no panic");
        assert!(check(1).is_ok());
        assert!(check(1 << 20).expect_err("no such machine").contains("help"));
    }
}
