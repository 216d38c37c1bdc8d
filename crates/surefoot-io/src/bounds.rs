//! What no real file exceeds: readers refuse beyond, so that no file costs more than its bytes are worth.

/// Joints nested deeper than this are no body.
pub(crate) const MAX_DEPTH: usize = 512;
/// The most joint transforms a file may unfold to, 1 GB of them: joints without channels cost text only once.
pub(crate) const MAX_TRANSFORMS: usize = 1 << 25;
/// Bytes that a joint's name may have; longer ones are cut.
pub(crate) const LONGEST_NAME: usize = 256;
/// Numbers above this are no place and no angle. File units, degrees.
pub(crate) const MAX_NUMBER: f64 = 1e9;
