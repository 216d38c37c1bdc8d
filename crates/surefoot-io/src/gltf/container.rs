//! The GLB container: a header and two chunks around JSON and one buffer.

use crate::ImportError;

/// The first four bytes of a GLB file.
const MAGIC: &[u8] = b"glTF";

/// Whether bytes look like glTF of either kind: the GLB mark, or JSON text.
#[must_use]
pub fn is_gltf(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || text(bytes).iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{')
}

/// The JSON text of a file, and the binary chunk if it is a GLB with one.
pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ImportError> {
    if !bytes.starts_with(MAGIC) {
        return Ok((text(bytes), None));
    }
    let word = |at: usize| {
        let four = bytes.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    let cut = || ImportError::new(format!("the GLB file ends early: it has only {} bytes", bytes.len()));
    let version = word(4).ok_or_else(cut)?;
    if version != 2 {
        return Err(ImportError::new(format!("GLB version {version}; only version 2 is read")));
    }
    let length = word(8).ok_or_else(cut)? as usize;
    if length > bytes.len() {
        let there = bytes.len();
        return Err(ImportError::new(format!("the GLB file ends early: it announces {length} bytes and has {there}")));
    }
    let (mut json, mut bin, mut at) = (None, None, 12);
    // The first chunk is JSON, the second may be binary; others are for extensions and are passed over.
    while at < length {
        let (Some(size), Some(kind)) = (word(at), word(at + 4)) else { return Err(cut()) };
        let end = (at + 8).checked_add(size as usize).filter(|end| *end <= bytes.len()).ok_or_else(cut)?;
        let chunk = &bytes[at + 8..end];
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(chunk),
            b"BIN\0" if bin.is_none() => bin = Some(chunk),
            _ => {}
        }
        at = end;
    }
    Ok((json.ok_or_else(|| ImportError::new("the GLB file has no JSON chunk"))?, bin))
}

/// A GLB file of a JSON text and a buffer; `None` if it would not fit into the 4 GB that its lengths can count.
pub(crate) fn join(mut json: Vec<u8>, mut bin: Vec<u8>) -> Option<Vec<u8>> {
    json.resize(json.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    let total = 12 + 8 + json.len() + 8 + bin.len();
    let mut glb = Vec::with_capacity(total);
    glb.extend(MAGIC);
    glb.extend(2_u32.to_le_bytes());
    glb.extend(u32::try_from(total).ok()?.to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &bin)] {
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(chunk);
    }
    Some(glb)
}

/// Without the mark of byte order that some editors put before text.
fn text(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
