//! A lock that a panic elsewhere cannot break: tracing never brings its caller down.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also after another thread panicked while it held the lock; the data here is valid between any two statements.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
