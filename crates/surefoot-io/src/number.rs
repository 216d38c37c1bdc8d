//! Numbers from text, fast: a motion file is a few joints and then millions of decimals.

/// Powers of ten that f64 holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Reads a decimal number that starts at `bytes[at]` and ends at white space or the end of the text. Gives the value
/// and where it ends; `None` for anything else, NaN and infinity included.
///
/// Up to 19 digits without an exponent take the fast way, which rounds exactly like the standard library: digits
/// below 2⁵³ divided by a power of ten that f64 holds exactly. The rest takes the standard library's.
#[inline]
pub(crate) fn number(bytes: &[u8], start: usize) -> Option<(f64, usize)> {
    let mut at = start;
    let negative = match bytes.get(at) {
        Some(b'-') => {
            at += 1;
            true
        }
        Some(b'+') => {
            at += 1;
            false
        }
        _ => false,
    };

    let mut mantissa: u64 = 0;
    let whole = at;
    while let Some(digit) = digit(bytes, at) {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
        at += 1;
    }
    let mut digits = at - whole;
    let mut decimals = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        let fraction = at;
        while let Some(digit) = digit(bytes, at) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(digit);
            at += 1;
        }
        decimals = at - fraction;
        digits += decimals;
    }

    let ended = bytes.get(at).is_none_or(|b| is_blank(*b));
    if ended && digits > 0 && digits <= 19 && mantissa < 1 << 53 {
        let value = mantissa as f64 / POWERS[decimals];
        return Some((if negative { -value } else { value }, at));
    }
    slow_number(bytes, start)
}

#[cold]
fn slow_number(bytes: &[u8], start: usize) -> Option<(f64, usize)> {
    let end = token_end(bytes, start);
    let token = &bytes[start..end];
    // The standard library also reads "inf", "nan" and "infinity": letters other than e are no number here.
    if token.iter().any(|b| !(b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'))) {
        return None;
    }
    let value: f64 = std::str::from_utf8(token).ok()?.parse().ok()?;
    value.is_finite().then_some((value, end))
}

#[inline]
fn digit(bytes: &[u8], at: usize) -> Option<u64> {
    let value = bytes.get(at)?.wrapping_sub(b'0');
    (value < 10).then_some(u64::from(value))
}

/// Space, tab, line ends, vertical tab, form feed, and the NUL that some exporters pad with.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | 0)
}

/// Where the token that starts at `start` ends.
pub(crate) fn token_end(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().position(|b| is_blank(*b)).map_or(bytes.len(), |n| start + n)
}

/// A word as an error shows it.
pub(crate) fn shorten(word: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(word).chars().take(24).collect();
    let ellipsis = if word.len() > 24 { "…" } else { "" };
    format!("{:?}", format!("{text}{ellipsis}"))
}

/// Why a word is no number for what was wanted.
pub(crate) fn not_a_number(word: &[u8], wanted: &str) -> String {
    let found = shorten(word);
    let lower = word.to_ascii_lowercase();
    if lower.windows(3).any(|w| w == b"nan" || w == b"inf") || word.contains(&b'#') {
        format!("{found} is not a finite number: {wanted} must be one")
    } else if word.contains(&b',') {
        format!("{found} is not a number for {wanted}: write decimals with a point, not a comma")
    } else {
        format!("{found} is not a number for {wanted}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str) -> Option<f64> {
        number(text.as_bytes(), 0).map(|(v, end)| {
            assert_eq!(end, text.find(' ').unwrap_or(text.len()), "{text}");
            v
        })
    }

    #[test]
    fn every_way_exporters_write_numbers() {
        for (text, expected) in [
            ("0", 0.0),
            ("-0.5", -0.5),
            ("+2", 2.0),
            (".0083333", 0.008_333_3),
            ("5.", 5.0),
            ("9.27476e-16", 9.274_76e-16),
            ("1E+3", 1000.0),
            ("-0.000000", -0.0),
            ("123456789012345678901234567890", 1.234_567_890_123_456_8e29),
            ("0.1234567890123456789012345", 0.123_456_789_012_345_68),
            ("17 18", 17.0),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in [
            "", "-", ".", "nan", "NaN", "-inf", "Infinity", "1.#IND", "1,5", "1e", "0x10", "1e999", "--1", "1.2.3",
            "12a", "e5",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_standard_library(v in -1e6_f64..1e6, decimals in 0_usize..12) {
            let text = format!("{v:.decimals$}");
            prop_assert_eq!(value(&text), Some(text.parse::<f64>().unwrap()));
        }

        #[test]
        fn any_bytes_give_a_value_or_none(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Some((v, end)) = number(&bytes, 0) {
                prop_assert!(v.is_finite() && end <= bytes.len());
            }
        }
    }
}
