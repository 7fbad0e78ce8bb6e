//! Locks that a panic elsewhere does not close: the data in the locks of this program stay valid.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also after a panic of a thread with the lock.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
