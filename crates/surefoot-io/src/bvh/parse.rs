//! Text to [`Document`]: every quirk of syntax, and an error with its place for everything else.

use super::document::{Channel, Document, Node};
use crate::bounds::{LONGEST_NAME, MAX_DEPTH, MAX_NUMBER, MAX_TRANSFORMS};
use crate::names::readable;
use crate::number::{is_blank, not_a_number, number, shorten, token_end};
use crate::{ImportError, TextPlace, Warning};
use std::collections::BTreeMap;
use surefoot::rig::Skeleton;

/// Reads the text of a BVH file. With `partial`, a file that ends early gives what is whole.
///
/// # Errors
/// If the text is no BVH file; the error names line and column.
pub fn parse(bytes: &[u8], partial: bool) -> Result<(Document, Vec<Warning>), ImportError> {
    let mut reader = Reader { bytes, at: 0, counted: (0, 1), warnings: Vec::new() };
    reader.skip_mark()?;
    let nodes = reader.hierarchy()?;
    let header = reader.motion_header()?;
    let document = reader.rows(nodes, &header, partial)?;
    reader.note_names(&document);
    Ok((document, reader.warnings))
}

struct Header {
    frames: usize,
    frame_time: f64,
    frame_time_decimals: Option<u32>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// A place whose line is known, and that line.
    counted: (usize, usize),
    warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
    // --- the text -------------------------------------------------------------------------------------------

    /// Steps over a UTF-8 byte order mark and refuses other encodings by name.
    fn skip_mark(&mut self) -> Result<(), ImportError> {
        if self.bytes.starts_with(&[0xef, 0xbb, 0xbf]) {
            self.at = 3;
        }
        if self.bytes.starts_with(&[0xff, 0xfe]) || self.bytes.starts_with(&[0xfe, 0xff]) {
            return Err(ImportError::new("the file is UTF-16 text; save it as UTF-8 or ASCII"));
        }
        if self.bytes.iter().all(|b| is_blank(*b)) {
            return Err(ImportError::new("the file is empty"));
        }
        Ok(())
    }

    fn skip_blanks(&mut self) {
        while self.bytes.get(self.at).is_some_and(|b| is_blank(*b)) {
            self.at += 1;
        }
    }

    /// The next word without taking it; braces are words of their own.
    fn peek(&mut self) -> Option<&'a [u8]> {
        self.skip_blanks();
        let rest = &self.bytes[self.at..];
        match rest.first()? {
            b'{' | b'}' => Some(&rest[..1]),
            _ => {
                let end = rest.iter().position(|b| is_blank(*b) || matches!(b, b'{' | b'}')).unwrap_or(rest.len());
                Some(&rest[..end])
            }
        }
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        let word = self.peek()?;
        self.at += word.len();
        Some(word)
    }

    /// The rest of the line up to a brace, trimmed: a joint's name, which may hold blanks.
    fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r' | b'{' | b'}')).unwrap_or(rest.len());
        self.at += end;
        rest[..end].trim_ascii()
    }

    /// The line being read. Counted on from the last time, so that a file is gone through once.
    fn line(&mut self) -> usize {
        let (from, line) = self.counted;
        self.counted = (self.at, line + TextPlace::line_ends(&self.bytes[..self.at], from));
        self.counted.1
    }

    /// An error at the word that comes next, or at the end of the file.
    fn unexpected(&mut self, wanted: &str) -> ImportError {
        match self.peek() {
            Some(word) => {
                let found = shorten(word);
                self.error_here(format!("expected {wanted}, found {found}"), word.len())
            }
            None => self.error_here(format!("expected {wanted}, but the file ends here"), 1),
        }
    }

    fn error_here(&self, what: impl Into<String>, width: usize) -> ImportError {
        ImportError::at(what, self.bytes, self.at, self.at + width)
    }

    fn expect(&mut self, wanted: &str) -> Result<(), ImportError> {
        match self.peek() {
            Some(word) if is(word, wanted) => {
                self.at += word.len();
                Ok(())
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    fn number(&mut self, wanted: &str) -> Result<f64, ImportError> {
        self.skip_blanks();
        // In the hierarchy a number may touch a brace: "OFFSET 0 10 0}".
        let word = self.peek().unwrap_or_default();
        match number(word, 0) {
            Some((value, end)) if value.abs() <= MAX_NUMBER => {
                self.at += end;
                Ok(value)
            }
            Some(_) => Err(self.error_here(format!("{} is out of range for {wanted}", shorten(word)), word.len())),
            None if word.is_empty() => Err(self.unexpected(wanted)),
            None => Err(self.error_here(not_a_number(word, wanted), word.len())),
        }
    }

    // --- the hierarchy --------------------------------------------------------------------------------------

    fn hierarchy(&mut self) -> Result<Vec<Node>, ImportError> {
        match self.peek() {
            Some(word) if is(word, "HIERARCHY") => self.at += word.len(),
            Some(word) => {
                let found = shorten(word);
                return Err(
                    self.error_here(format!("not a BVH file: it should start with HIERARCHY, not {found}"), word.len())
                );
            }
            None => return Err(ImportError::new("the file is empty")),
        }
        let mut nodes: Vec<Node> = Vec::new();
        let mut roots = 0;
        while self.peek().is_some_and(|word| is(word, "ROOT")) {
            self.root(&mut nodes)?;
            roots += 1;
        }
        if roots == 0 {
            return Err(self.unexpected("ROOT"));
        }
        if roots > 1 {
            self.warnings.push(Warning::SeveralRoots { count: roots });
        }
        Ok(nodes)
    }

    /// One ROOT and everything in its braces. A stack instead of recursion: depth bombs must not end the process.
    fn root(&mut self, nodes: &mut Vec<Node>) -> Result<(), ImportError> {
        let mut open: Vec<usize> = Vec::new();
        self.begin_joint("ROOT", None, nodes)?;
        open.push(nodes.len() - 1);
        let mut has_offset = vec![false];
        while let Some(current) = open.last().copied() {
            let Some(word) = self.peek() else {
                let name = nodes[current].name.clone();
                return Err(
                    self.error_here(format!("the braces of joint {name:?} are never closed: the file ends here"), 1)
                );
            };
            if is(word, "OFFSET") {
                nodes[current].offset = self.offset()?;
                *has_offset.last_mut().expect("one per open joint") = true;
            } else if is(word, "CHANNELS") {
                self.channels(&mut nodes[current])?;
            } else if is(word, "JOINT") {
                if open.len() >= MAX_DEPTH {
                    return Err(self.error_here(format!("joints are nested more than {MAX_DEPTH} deep"), word.len()));
                }
                self.begin_joint("JOINT", Some(current), nodes)?;
                open.push(nodes.len() - 1);
                has_offset.push(false);
            } else if is(word, "End") || is(word, "EndSite") {
                let end = self.end_site()?;
                nodes[current].ends.push(end);
            } else if word == b"}" {
                if has_offset.pop() == Some(false) {
                    let (line, joint) = (self.line(), nodes[current].name.clone());
                    self.warnings.push(Warning::NoOffset { line, joint });
                }
                self.at += 1;
                open.pop();
            } else {
                return Err(self.unexpected("OFFSET, CHANNELS, JOINT, End Site or }"));
            }
        }
        Ok(())
    }

    fn begin_joint(&mut self, keyword: &str, parent: Option<usize>, nodes: &mut Vec<Node>) -> Result<(), ImportError> {
        self.expect(keyword)?;
        if nodes.len() >= Skeleton::MAX_JOINTS {
            return Err(self.error_here(format!("more than {} joints", Skeleton::MAX_JOINTS), 1));
        }
        let line = self.line();
        let raw = self.rest_of_line();
        let name = match std::str::from_utf8(raw) {
            Ok(name) if !name.is_empty() && name.len() <= LONGEST_NAME => readable(name).into_owned(),
            _ => {
                let lossy: String = String::from_utf8_lossy(raw).chars().take(LONGEST_NAME / 4).collect();
                let name = if lossy.is_empty() { format!("joint{}", nodes.len()) } else { lossy };
                self.warnings.push(Warning::NameReplaced { line, name: name.clone() });
                name
            }
        };
        self.expect("{")?;
        nodes.push(Node { name, parent, offset: [0.0; 3], channels: Vec::new(), ends: Vec::new() });
        Ok(())
    }

    fn offset(&mut self) -> Result<[f32; 3], ImportError> {
        self.expect("OFFSET")?;
        let mut offset = [0.0; 3];
        for component in &mut offset {
            *component = self.number("a number of OFFSET")? as f32;
        }
        Ok(offset)
    }

    fn channels(&mut self, node: &mut Node) -> Result<(), ImportError> {
        let line = self.line();
        self.expect("CHANNELS")?;
        let declared = self.number("the number of channels")?;
        if !(0.0..=6.0).contains(&declared) || declared.fract() != 0.0 {
            let what = format!("joint {:?} announces {declared} channels; a joint has 0 to 6", node.name);
            return Err(ImportError::at(what, self.bytes, self.at.saturating_sub(1), self.at));
        }
        let declared = declared as usize;
        let before = node.channels.len();
        while let Some(word) = self.peek() {
            let Some(channel) = channel(word) else { break };
            if node.channels.contains(&channel) {
                return Err(
                    self.error_here(format!("joint {:?} lists channel {} twice", node.name, shorten(word)), word.len())
                );
            }
            node.channels.push(channel);
            self.at += word.len();
        }
        let listed = node.channels.len() - before;
        if listed != declared {
            // A misspelt channel would shift every later column: only a list that ends cleanly may disagree.
            let clean =
                self.peek().is_some_and(|w| ["JOINT", "End", "EndSite", "OFFSET", "}"].iter().any(|k| is(w, k)));
            if listed < declared && !clean {
                return Err(self.unexpected("a channel such as Xposition or Zrotation"));
            }
            self.warnings.push(Warning::ChannelCount { line, joint: node.name.clone(), declared, listed });
        }
        Ok(())
    }

    fn end_site(&mut self) -> Result<[f32; 3], ImportError> {
        self.next();
        self.rest_of_line();
        self.expect("{")?;
        // Some exporters give end sites channels or nothing at all.
        let mut offset = [0.0; 3];
        loop {
            match self.peek() {
                Some(word) if is(word, "OFFSET") => offset = self.offset()?,
                Some(word) if is(word, "CHANNELS") => {
                    self.expect("CHANNELS")?;
                    if self.number("the number of channels")? != 0.0 {
                        return Err(self.unexpected("an End Site without channels"));
                    }
                }
                Some(b"}") => {
                    self.at += 1;
                    return Ok(offset);
                }
                _ => return Err(self.unexpected("OFFSET or } of the End Site")),
            }
        }
    }

    // --- the motion -----------------------------------------------------------------------------------------

    fn motion_header(&mut self) -> Result<Header, ImportError> {
        if self.peek() == Some(b"}") {
            return Err(self.error_here("a } too many: every joint is closed already", 1));
        }
        self.expect("MOTION")?;
        let (mut frames, mut time) = (None, None);
        while frames.is_none() || time.is_none() {
            match self.peek() {
                Some(word) if starts(word, "Frames") => {
                    self.label("Frames")?;
                    frames = Some(self.frame_count()?);
                }
                Some(word) if starts(word, "Frame") => {
                    self.at += word.len().min("Frame".len());
                    self.label("Time")?;
                    time = Some(self.frame_time()?);
                }
                _ => {
                    let wanted = if frames.is_none() { "Frames:" } else { "Frame Time:" };
                    return Err(self.unexpected(wanted));
                }
            }
        }
        let (frames, (frame_time, frame_time_decimals)) = (frames.unwrap_or_default(), time.unwrap_or_default());
        Ok(Header { frames, frame_time, frame_time_decimals })
    }

    /// A label and its colon, which may touch what follows or stand apart.
    fn label(&mut self, label: &str) -> Result<(), ImportError> {
        match self.peek() {
            Some(word) if starts(word, label) => self.at += label.len(),
            _ => return Err(self.unexpected(label)),
        }
        if self.peek().is_some_and(|w| w.first() == Some(&b':')) {
            self.at += 1;
        }
        Ok(())
    }

    fn frame_count(&mut self) -> Result<usize, ImportError> {
        self.skip_blanks();
        let (start, count) = (self.at, self.number("the number of frames")?);
        if count < 0.0 || count.fract() != 0.0 {
            return Err(ImportError::at(format!("{count} is not a number of frames"), self.bytes, start, self.at));
        }
        Ok(count as usize)
    }

    fn frame_time(&mut self) -> Result<(f64, Option<u32>), ImportError> {
        self.skip_blanks();
        let (start, time) = (self.at, self.number("the frame time")?);
        let printed = &self.bytes[start..self.at];
        if time <= 0.0 {
            let what = format!("a frame time of {time} s; it must be above 0");
            return Err(ImportError::at(what, self.bytes, start, self.at));
        }
        let decimals = (!printed.iter().any(|b| matches!(b, b'e' | b'E')))
            .then(|| printed.iter().position(|b| *b == b'.').map_or(0, |dot| (printed.len() - dot - 1) as u32));
        Ok((time, decimals))
    }

    fn rows(&mut self, nodes: Vec<Node>, header: &Header, partial: bool) -> Result<Document, ImportError> {
        let columns: usize = nodes.iter().map(|n| n.channels.len()).sum();
        if columns == 0 {
            return Err(ImportError::new("no joint has a channel: there is no motion to read"));
        }
        // The count in the header may be wrong or a lie; two bytes a number is what the text can hold at most.
        let left = self.bytes.len() - self.at;
        let rows_hint = header.frames.min(left / (2 * columns) + 1);
        let mut values = Vec::with_capacity(rows_hint * columns);
        loop {
            self.skip_blanks();
            let row = values.len() / columns;
            if self.at == self.bytes.len() {
                break;
            }
            if (row + 1).saturating_mul(nodes.len()) > MAX_TRANSFORMS {
                let what = format!("{} joints in more than {row} frames are too many to hold", nodes.len());
                return Err(self.error_here(what, 1));
            }
            if row >= header.frames && number(self.bytes, self.at).is_none() {
                // Not a number, and every announced row is there: a footer.
                let (line, bytes) = (self.line(), self.bytes.len() - self.at);
                self.warnings.push(Warning::TrailingText { line, bytes });
                break;
            }
            if !self.row(columns, row, &mut values, partial)? {
                break;
            }
        }
        let rows = values.len() / columns;
        if rows == 0 {
            return Err(self.error_here("there are no frames: no row follows the frame time", 1));
        }
        if rows != header.frames {
            // One row too few is a counting mistake; many are a file cut short.
            if rows + 1 < header.frames && !partial {
                let what = format!(
                    "the file is cut short: {rows} of {} rows are there; with --partial they are taken as they are",
                    header.frames
                );
                return Err(self.error_here(what, 1));
            }
            self.warnings.push(Warning::FrameCount { declared: header.frames, rows });
        }
        let Header { frame_time, frame_time_decimals, .. } = *header;
        Ok(Document { nodes, frame_time, frame_time_decimals, columns, values })
    }

    /// One row of numbers; it may run over several lines but must end at a line's end. `false` if it was cut short
    /// and dropped.
    fn row(&mut self, columns: usize, row: usize, values: &mut Vec<f32>, partial: bool) -> Result<bool, ImportError> {
        let start = self.at;
        for column in 0..columns {
            self.skip_blanks();
            match number(self.bytes, self.at) {
                Some((value, end)) if value.abs() <= MAX_NUMBER => {
                    values.push(value as f32);
                    self.at = end;
                }
                Some((value, end)) => {
                    let what = format!("{value} is out of range for column {} of row {row}", column + 1);
                    return Err(ImportError::at(what, self.bytes, self.at, end));
                }
                None if self.at == self.bytes.len() || self.ends_in_a_number() => {
                    values.truncate(row * columns);
                    if partial {
                        self.warnings.push(Warning::PartialRow { row });
                        return Ok(false);
                    }
                    let what = format!(
                        "the file is cut short: row {row} has {column} of {columns} numbers; with --partial it is dropped"
                    );
                    return Err(ImportError::at(what, self.bytes, start, self.at));
                }
                None => {
                    let end = token_end(self.bytes, self.at);
                    let word = &self.bytes[self.at..end];
                    let what = not_a_number(word, &format!("column {} of row {row}", column + 1));
                    return Err(ImportError::at(what, self.bytes, self.at, end));
                }
            }
        }
        let row_end = self.at;
        while self.bytes.get(self.at).is_some_and(|b| matches!(b, b' ' | b'\t' | 0)) {
            self.at += 1;
        }
        if self.bytes.get(self.at).is_some_and(|b| !is_blank(*b)) {
            let lines = self.bytes[start..row_end].iter().any(|b| matches!(b, b'\n' | b'\r'));
            let what = if lines {
                format!(
                    "row {row} starts here and does not end with a line: a row has {columns} numbers, as the channels say"
                )
            } else {
                format!("row {row} has more than the {columns} numbers that the channels say")
            };
            let place = if lines { start } else { self.at };
            return Err(ImportError::at(what, self.bytes, place, token_end(self.bytes, place)));
        }
        Ok(true)
    }

    /// Whether the last word of the file begins here and is what a number can begin with, such as `-` or `1e`.
    fn ends_in_a_number(&self) -> bool {
        let end = token_end(self.bytes, self.at);
        let begins = |b: &u8| b.is_ascii_digit() || b"+-.eE".contains(b);
        end == self.bytes.len() && self.bytes[self.at..end].iter().all(begins)
    }

    fn note_names(&mut self, document: &Document) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for node in &document.nodes {
            *counts.entry(&node.name).or_default() += 1;
        }
        let repeated = counts.into_iter().filter(|(_, count)| *count > 1);
        self.warnings.extend(repeated.map(|(name, count)| Warning::DuplicateName { name: name.into(), count }));
    }
}

fn is(word: &[u8], keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword.as_bytes())
}

fn starts(word: &[u8], keyword: &str) -> bool {
    word.get(..keyword.len()).is_some_and(|start| is(start, keyword))
}

fn channel(word: &[u8]) -> Option<Channel> {
    let axis = match word.first()?.to_ascii_lowercase() {
        b'x' => 0,
        b'y' => 1,
        b'z' => 2,
        _ => return None,
    };
    if is(&word[1..], "position") {
        Some(Channel::Position(axis))
    } else if is(&word[1..], "rotation") {
        Some(Channel::Rotation(axis))
    } else {
        None
    }
}
