//! Progress bars: on standard error, and only where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many pieces of work.
pub(crate) fn bar(what: &'static str, pieces: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} {eta}");
    let bar = ProgressBar::new(pieces as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.with_message(what)
}

/// Moves a bar whose length becomes known with the first piece; pieces end on any thread, in any order.
pub(crate) fn follow(bar: &ProgressBar) -> impl Fn(usize, usize) + Sync + use<'_> {
    move |_, pieces| {
        bar.set_length(pieces as u64);
        bar.inc(1);
    }
}
