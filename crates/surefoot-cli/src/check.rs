//! The last look at a result, which all commands share: what is off is told, and what is of no use is refused.

use crate::failure::Failure;
use surefoot::metrics::Fault;
use surefoot::rig::Skeleton;
use surefoot_io::ImportError;
use surefoot_io::exported::Exported;
use surefoot_view::report::fault;

/// Whether results that are far off are handed out.
#[derive(clap::Args)]
pub(crate) struct CheckArgs {
    /// Write the result even if feet or body are so far off that it would be refused
    #[arg(long)]
    anyway: bool,
}

/// What a reader gets back of a result, or a word about why that cannot be looked at.
pub(crate) fn exported(read: Result<Exported, ImportError>) -> Option<Exported> {
    read.inspect_err(|error| {
        eprintln!("warning: the result could not be read back from the file to be checked: {error}");
    })
    .ok()
}

impl CheckArgs {
    /// Whether results are written that are of no use.
    pub(crate) fn anyway(&self) -> bool {
        self.anyway
    }

    /// Tells faults on standard error, and refuses a result that is far off.
    pub(crate) fn judge(&self, faults: &[Fault], skeleton: &Skeleton) -> Result<(), Failure> {
        self.judge_or(faults, skeleton, "")
    }

    /// The same, with what to try instead.
    pub(crate) fn judge_or(&self, faults: &[Fault], skeleton: &Skeleton, instead: &str) -> Result<(), Failure> {
        let refused = |fault: &&Fault| fault.refused && !self.anyway;
        for fault in faults.iter().filter(|fault| !refused(fault)) {
            eprintln!("warning: {}", fault::line(fault, skeleton));
        }
        let why: Vec<String> = faults.iter().filter(refused).map(|fault| fault::line(fault, skeleton)).collect();
        if why.is_empty() {
            return Ok(());
        }
        Err(Failure::refused(format!("{}; {instead}--anyway writes the result all the same", why.join("; "))))
    }
}
