//! Pins threads to cores: clocks then measure the agents more than the scheduling of the system.

use crate::util::unix::{cores, pin_to};

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
    // The check has shown that there are enough cores.
    if let Some(&core) = cores().get(number) {
        pin_to(core);
    }
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
