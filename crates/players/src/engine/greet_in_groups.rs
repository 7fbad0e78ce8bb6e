//! Waits for many engines at the same time.

use std::io;
use std::sync::mpsc::channel;
use std::time::Duration;

use super::engine_context::MAX_CONCURRENT_STARTS;

/// How long a few engines are waited for before the next few start, so that engines that do not
/// answer are waited for together.
const HEAD_START: Duration = Duration::from_secs(1);

/// Starts and greets `count` engines, a few at a time. `start` is called in this thread, because an
/// engine ends with the thread that started it; `None` means that there is nothing to greet. Each
/// call of `greet` has a thread of its own. Returns the engines for which the system has no thread.
pub fn greet_in_groups<E: Send>(
    count: usize,
    mut start: impl FnMut(usize) -> Option<E>,
    greet: impl Fn(usize, E) + Sync,
) -> Vec<(usize, io::Error)> {
    let greet = &greet;
    let mut refused = Vec::new();
    let all: Vec<usize> = (0..count).collect();
    std::thread::scope(|scope| {
        for few in all.chunks(MAX_CONCURRENT_STARTS) {
            let (done, answers) = channel::<()>();
            for &index in few {
                let Some(started) = start(index) else { continue };
                let done = done.clone();
                let greeting = move || {
                    let _done = done;
                    greet(index, started);
                };
                let thread = std::thread::Builder::new().spawn_scoped(scope, greeting);
                refused.extend(thread.err().map(|error| (index, error)));
            }
            drop(done);
            // The channel is closed when all of them have answered.
            let _ = answers.recv_timeout(HEAD_START);
        }
    });
    refused
}
