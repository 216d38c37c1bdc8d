//! What is wrong with a file, and where.

use std::fmt;

/// A place in a text file, with the line itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// The line, or the part of it around the column.
    pub excerpt: String,
    /// Where in `excerpt` the trouble starts, in characters.
    pub mark: usize,
    /// How many characters of it are in trouble.
    pub width: usize,
}

/// Why bytes are no motion, or no world.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportError {
    /// What is wrong, in words, with the names and numbers concerned.
    pub what: String,
    /// Where, if it has a place.
    pub place: Option<TextPlace>,
}

/// Characters shown either side of the trouble: rows of motion are thousands long.
const EXCERPT_REACH: usize = 40;

impl TextPlace {
    /// The place of `bytes[start..end]` in a text.
    #[must_use]
    pub fn of(bytes: &[u8], start: usize, end: usize) -> Self {
        let start = start.min(bytes.len());
        let end = end.clamp(start, bytes.len());
        let newline = |b: &u8| *b == b'\n' || *b == b'\r';
        let line_start = bytes[..start].iter().rposition(newline).map_or(0, |i| i + 1);
        let line_end = bytes[start..].iter().position(newline).map_or(bytes.len(), |i| start + i);

        let line = 1 + Self::line_ends(&bytes[..line_start], 0);

        let text = |range: &[u8]| String::from_utf8_lossy(range).replace(['\t', '\0'], " ");
        let lead = text(&bytes[line_start..start]);
        let trouble = text(&bytes[start..end.min(line_end)]);
        let rest = text(&bytes[end.min(line_end)..line_end]);
        let column = lead.chars().count() + 1;

        let cut = column.saturating_sub(1 + EXCERPT_REACH);
        let shown: String = lead.chars().skip(cut).collect();
        let lead = if cut > 0 { format!("…{shown}") } else { shown };
        let mark = lead.chars().count();
        let trouble: String = trouble.chars().take(EXCERPT_REACH).collect();
        let width = trouble.chars().count().max(1);
        let tail: String = rest.chars().take(EXCERPT_REACH).collect();
        let ellipsis = if rest.chars().count() > EXCERPT_REACH { "…" } else { "" };
        Self { line, column, excerpt: format!("{lead}{trouble}{tail}{ellipsis}"), mark, width }
    }
}

impl TextPlace {
    /// Line ends in `bytes[from..]`: CR LF counts once, as does a lone CR or LF.
    pub(crate) fn line_ends(bytes: &[u8], from: usize) -> usize {
        (from..bytes.len())
            .filter(|i| bytes[*i] == b'\n' && (*i == 0 || bytes[*i - 1] != b'\r') || bytes[*i] == b'\r')
            .count()
    }
}

impl ImportError {
    /// An error without a place.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), place: None }
    }

    /// An error at `bytes[start..end]`.
    #[must_use]
    pub fn at(what: impl Into<String>, bytes: &[u8], start: usize, end: usize) -> Self {
        Self { what: what.into(), place: Some(TextPlace::of(bytes, start, end)) }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(place) = &self.place else { return f.write_str(&self.what) };
        writeln!(f, "line {}, column {}: {}", place.line, place.column, self.what)?;
        let number = place.line.to_string();
        writeln!(f, "  {number} | {}", place.excerpt)?;
        write!(f, "  {} | {}{}", " ".repeat(number.len()), " ".repeat(place.mark), "^".repeat(place.width))
    }
}

impl std::error::Error for ImportError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_whatever_their_endings() {
        let text = b"a\r\nb\nc\rd x";
        let place = TextPlace::of(text, text.len() - 1, text.len());
        assert_eq!((place.line, place.column, place.excerpt.as_str()), (4, 3, "d x"));
    }

    #[test]
    fn long_rows_are_cut_around_the_trouble() {
        let row = [b"1.5 ".repeat(100), b"nan ".to_vec(), b"2.5 ".repeat(100)].concat();
        let error = ImportError::at("not a number", &row, 400, 403);
        let text = error.to_string();
        assert!(text.lines().all(|l| l.chars().count() < 110), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        let caret = lines[2].chars().position(|c| c == '^').unwrap();
        assert_eq!(lines[1].chars().skip(caret).take(3).collect::<String>(), "nan");
    }

    #[test]
    fn places_past_the_end_do_not_panic() {
        assert_eq!(TextPlace::of(b"", 5, 9).line, 1);
        assert_eq!(TextPlace::of(b"a\n", 2, 2).line, 2);
    }
}
