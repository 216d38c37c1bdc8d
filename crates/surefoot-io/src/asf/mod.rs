//! ASF and AMC, Acclaim's skeleton and motion files: the native form of the CMU motion capture database.
//!
//! An AMC file holds one number per degree of freedom and frame; what these turn is said in an ASF file, one for all
//! motions of a person. How they are read (column vectors, the file's own axes until the last step):
//!
//! - **A bone turns about its near end**, which is the far end of the bone it hangs from; bones of the root start at
//!   the root. It becomes a joint at its near end. At rest no joint is turned, so a joint lies at
//!   `direction × length` of its parent's bone, and a bone without children has a tip at its own `direction × length`.
//! - **`axis a b c XYZ`** turns the bone's degrees of freedom: `C = Rz(c) Ry(b) Rx(a)`, the first letter applied first.
//! - **`dof rx ry rz`** lists what moves, in the order of the numbers in the AMC file, which is the order in which
//!   they are applied: `M = Rz Ry Rx`. The joint is turned by `C M C⁻¹` in its parent's space. Since `C R(e) C⁻¹ =
//!   R(C e)`, that is a product of turns about the fixed axes `C x`, `C y`, `C z`; these are the [`Freedom`]s.
//! - **The root** moves and turns by `order`, likewise first listed, first applied. `position` and `orientation` move
//!   the whole motion: they are put before it.
//! - **`length 0.45`** in `:units` means that lengths are inches times 0.45: 1 unit is 0.0254 / 0.45 m.
//! - **Frame rate**: files rarely say one. CMU's captures have 120 Hz.

mod amc;
mod document;
mod interpret;
mod load;
mod parse;

pub use amc::{Motion, parse as parse_motion};
pub use document::{Bone, Channel, Document, Freedom, Movement};
pub use load::skeleton_beside;
pub(crate) use load::{Part, load_motion, part};
pub use parse::parse;

use crate::{Import, ImportError, ImportSettings};

/// Reads a skeleton (the text of an ASF file) as a body with one frame at rest.
///
/// # Errors
/// If the text is no ASF file; the error names line and column. Never panics, whatever the bytes.
pub fn read_skeleton(asf: &[u8], name: &str, settings: &ImportSettings) -> Result<Import, ImportError> {
    let (document, warnings) = parse(asf)?;
    interpret::interpret(&document, None, name, settings, warnings)
}

/// Reads a motion (the text of an AMC file) of a skeleton that was read by [`parse`].
///
/// # Errors
/// If the text is no AMC file, or one of another skeleton; the error names line and column. Never panics, whatever the
/// bytes.
pub fn read_motion(
    amc: &[u8],
    skeleton: &Document,
    name: &str,
    settings: &ImportSettings,
) -> Result<Import, ImportError> {
    let (motion, warnings) = parse_motion(amc, skeleton, settings.partial)?;
    interpret::interpret(skeleton, Some(&motion), name, settings, warnings)
}
