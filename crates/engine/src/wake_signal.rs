//! Waking a worker that sleeps in the kernel.

use std::os::unix::thread::RawPthread;
use std::sync::Once;

/// A real-time signal that no library claims; SIGRTMIN itself and its neighbours belong to libc.
fn wake_signal() -> libc::c_int {
    libc::SIGRTMIN() + 7
}

extern "C" fn ignore_signal(_: libc::c_int) {}

/// Makes the wake signal harmless: it interrupts a system call and does nothing else.
pub(crate) fn install_wake_handler() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: `action` is fully initialised and its handler does nothing, so it is
        // async-signal-safe. Without SA_RESTART, so that calls return.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = ignore_signal as extern "C" fn(libc::c_int) as usize;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(wake_signal(), &raw const action, std::ptr::null_mut());
        }
    });
}

/// Interrupts the system call that `thread` sleeps in. The thread must not have been joined.
pub(crate) fn wake_thread(thread: RawPthread) {
    // SAFETY: the caller holds the join handle, so the thread id is valid; the handler is
    // installed.
    unsafe { libc::pthread_kill(thread as libc::pthread_t, wake_signal()) };
}
