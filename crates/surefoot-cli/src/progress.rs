//! Progress on standard error, and only where that is a terminal.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::sync::LazyLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Whatever lasts longer than this says that it is at work.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the sign of life moves.
const TICK: Duration = Duration::from_millis(120);

/// All that is shown at a time, each on a line of its own.
static SHOWN: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A bar for so many pieces of work.
pub(crate) fn bar(what: &'static str, pieces: usize) -> ProgressBar {
    let bar = ProgressBar::new(pieces as u64).with_style(style("{msg} {bar:40} {pos}/{len} {eta}"));
    SHOWN.insert(0, bar.with_message(what))
}

/// Moves a bar whose length becomes known with the first piece; pieces end on any thread, in any order.
pub(crate) fn follow(bar: &ProgressBar) -> impl Fn(usize, usize) + Sync + use<'_> {
    move |_, pieces| {
        bar.set_length(pieces as u64);
        bar.inc(1);
    }
}

/// Does a command's work, and shows for how long it has been at it if it lasts.
pub(crate) fn at_work<T>(work: impl FnOnce() -> T) -> T {
    let (done, over) = channel::<()>();
    let clock = std::thread::spawn(move || {
        if over.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        let spinner = ProgressBar::new_spinner().with_style(style("{spinner} at work for {elapsed}; Ctrl-C stops it"));
        let spinner = SHOWN.add(spinner.with_elapsed(PATIENCE));
        spinner.enable_steady_tick(TICK);
        // Until the other end is gone.
        let _ = over.recv();
        spinner.finish_and_clear();
    });
    let result = work();
    drop(done);
    let _ = clock.join();
    result
}

/// Takes everything off the screen that is shown.
pub(crate) fn clear() {
    let _ = SHOWN.clear();
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
