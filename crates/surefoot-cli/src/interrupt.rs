//! Ctrl-C, and being asked to end: nothing half written stays behind.

use crate::progress;
use surefoot_io::files::remove_unfinished;

/// The exit code of what was interrupted, as shells have it: 128 and the signal's number.
const INTERRUPTED: i32 = 130;

/// From now on an interrupted command removes what it was writing and ends.
pub(crate) fn tidy_up() {
    // Where no handler can be set, interrupts end the process as they always do.
    let _ = ctrlc::set_handler(|| {
        remove_unfinished();
        progress::clear();
        std::process::exit(INTERRUPTED);
    });
}
