//! Text as lines of words with their places, for formats that mean something by a line.

use crate::bounds::MAX_NUMBER;
use crate::number::{is_blank, not_a_number, number, shorten};
use crate::{ImportError, TextPlace};

/// A word and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) at: usize,
}

/// Lines of words of a text. What follows a `#` at the start of a word is a comment.
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    /// A place whose line is known, and that line.
    counted: (usize, usize),
    /// Bytes that part words as blanks do.
    also_blank: &'static [u8],
    /// Whether a backslash before the line's end goes on with the next line.
    continued: bool,
}

impl<'a> Lines<'a> {
    /// ASF and AMC: brackets and commas are blanks.
    pub(crate) fn acclaim(bytes: &'a [u8]) -> Self {
        Self { bytes, at: mark(bytes), counted: (0, 1), also_blank: b"(),", continued: false }
    }

    /// OBJ: a backslash at a line's end goes on with the next line.
    pub(crate) fn obj(bytes: &'a [u8]) -> Self {
        Self { bytes, at: mark(bytes), counted: (0, 1), also_blank: b"", continued: true }
    }

    /// The words of the next line that has any; `false` at the end of the text.
    pub(crate) fn next(&mut self, words: &mut Vec<Word<'a>>) -> bool {
        words.clear();
        let bytes = self.bytes;
        while self.at < bytes.len() {
            let byte = bytes[self.at];
            if matches!(byte, b'\n' | b'\r') {
                self.at += 1;
                if !words.is_empty() {
                    return true;
                }
            } else if self.is_blank(byte) {
                self.at += 1;
            } else if byte == b'#' {
                self.at = line_end(bytes, self.at);
            } else if let Some(after) = self.continuation() {
                self.at = after;
            } else {
                let start = self.at;
                while self.at < bytes.len() && !self.is_blank(bytes[self.at]) && self.continuation().is_none() {
                    self.at += 1;
                }
                words.push(Word { text: &bytes[start..self.at], at: start });
            }
        }
        !words.is_empty()
    }

    /// Goes back to the line of a word, to give it out once more.
    pub(crate) fn back_to(&mut self, word: Word<'_>) {
        self.at = word.at;
    }

    /// Whether the text ended with the last line that was given out.
    pub(crate) fn ended(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// The line of a word, counted on from the last time: a text is gone through once.
    pub(crate) fn line_of(&mut self, word: Word<'_>) -> usize {
        let (from, line) = self.counted;
        if word.at < from {
            return 1 + TextPlace::line_ends(&self.bytes[..word.at], 0);
        }
        self.counted = (word.at, line + TextPlace::line_ends(&self.bytes[..word.at], from));
        self.counted.1
    }

    /// An error at the end of the text.
    pub(crate) fn error_at_end(&self, what: impl Into<String>) -> ImportError {
        ImportError::at(what, self.bytes, self.bytes.len(), self.bytes.len())
    }

    /// An error at a word.
    pub(crate) fn error(&self, what: impl Into<String>, word: Word<'_>) -> ImportError {
        ImportError::at(what, self.bytes, word.at, word.at + word.text.len())
    }

    /// The number that a word is.
    pub(crate) fn number(&self, word: Word<'_>, wanted: &str) -> Result<f64, ImportError> {
        match number(word.text, 0) {
            Some((value, _)) if value.abs() <= MAX_NUMBER => Ok(value),
            Some(_) => Err(self.error(format!("{} is out of range for {wanted}", shorten(word.text)), word)),
            None => Err(self.error(not_a_number(word.text, wanted), word)),
        }
    }

    /// The numbers that follow a line's first word: as many as `N`.
    pub(crate) fn numbers<const N: usize>(&self, words: &[Word<'_>], wanted: &str) -> Result<[f64; N], ImportError> {
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            let Some(word) = words.get(i + 1) else {
                let what = format!("{wanted} has {i} numbers where {N} belong");
                return Err(self.error(what, words[words.len() - 1]));
            };
            *value = self.number(*word, wanted)?;
        }
        Ok(values)
    }

    fn is_blank(&self, byte: u8) -> bool {
        is_blank(byte) || self.also_blank.contains(&byte)
    }

    /// Where the text goes on if a backslash stands at the end of a line here.
    fn continuation(&self) -> Option<usize> {
        if !self.continued || self.bytes[self.at] != b'\\' {
            return None;
        }
        let blanks = self.bytes[self.at + 1..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let end = self.at + 1 + blanks;
        match self.bytes.get(end..)? {
            [b'\r', b'\n', ..] => Some(end + 2),
            [b'\r' | b'\n', ..] => Some(end + 1),
            _ => None,
        }
    }
}

impl Word<'_> {
    /// Whether it is this keyword, in any case.
    pub(crate) fn is(self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// As text; bytes that are no UTF-8 are replaced.
    pub(crate) fn to_text(self) -> String {
        String::from_utf8_lossy(self.text).into_owned()
    }
}

/// Where the text begins after a UTF-8 byte order mark.
fn mark(bytes: &[u8]) -> usize {
    if bytes.starts_with(&[0xef, 0xbb, 0xbf]) { 3 } else { 0 }
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(bytes.len(), |n| from + n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut lines: Lines<'_>) -> Vec<Vec<String>> {
        let (mut words, mut all) = (Vec::new(), Vec::new());
        while lines.next(&mut words) {
            all.push(words.iter().map(|w| w.to_text()).collect());
        }
        all
    }

    #[test]
    fn lines_have_words_whatever_their_endings() {
        let text = b"\xef\xbb\xbf# note\r\n\r\nlimits (-1 2)\t(3,4) # more\rend";
        assert_eq!(all(Lines::acclaim(text)), [vec!["limits", "-1", "2", "3", "4"], vec!["end"]]);
        assert_eq!(
            all(Lines::obj(b"f 1 2 \\\r\n 3\\\n4\nv 1\\2\n\\")),
            [vec!["f", "1", "2", "3", "4"], vec!["v", "1\\2"], vec!["\\"],]
        );
        assert!(all(Lines::obj(b" \n#x")).is_empty(), "nothing in it");
    }

    #[test]
    fn words_know_their_lines() {
        let mut lines = Lines::obj(b"a\r\n\nb c");
        let mut words = Vec::new();
        assert!(lines.next(&mut words) && lines.next(&mut words), "two lines");
        assert_eq!((lines.line_of(words[0]), lines.line_of(words[1])), (3, 3));
        let error = lines.number(words[1], "x").unwrap_err();
        assert_eq!(error.place.map(|p| (p.line, p.column)), Some((3, 3)));
    }
}
