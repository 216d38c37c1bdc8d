//! Names that strangers gave: what would steer a terminal is taken out, and what nobody can read to its end is cut.

use std::borrow::Cow;

/// The longest name that is kept, characters.
const LONGEST: usize = 200;

/// A name as it can be printed: control characters become �, and long ones end in ….
pub(crate) fn readable(name: &str) -> Cow<'_, str> {
    let long = name.char_indices().nth(LONGEST).map(|(end, _)| end);
    if long.is_none() && !name.contains(char::is_control) {
        return Cow::Borrowed(name);
    }
    let mut kept: String =
        name[..long.unwrap_or(name.len())].chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if long.is_some() {
        kept.push('…');
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_printable_and_short() {
        assert!(matches!(readable("Hüfte.L"), Cow::Borrowed("Hüfte.L")));
        assert_eq!(readable("a\u{1b}[31mb\n"), "a\u{fffd}[31mb\u{fffd}");
        assert_eq!(readable(&"é".repeat(1_000_000)).chars().count(), LONGEST + 1);
    }
}
