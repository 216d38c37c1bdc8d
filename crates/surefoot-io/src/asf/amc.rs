//! AMC text to numbers: one line per bone and frame.

use super::document::{Channel, Document};
use crate::bounds::MAX_TRANSFORMS;
use crate::lines::{Lines, Word};
use crate::number::shorten;
use crate::{ImportError, Warning};
use std::collections::BTreeMap;

/// An AMC file's content, in the columns of its skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Whether angles are in radians and not in degrees; `None`: as the skeleton says.
    pub radians: Option<bool>,
    /// Frames per second, where the file says so.
    pub rate: Option<f32>,
    /// Numbers per frame.
    pub columns: usize,
    /// Frames, one after the other; file units.
    pub values: Vec<f32>,
}

impl Motion {
    /// Number of frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }

    /// The numbers of one frame.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn frame(&self, frame: usize) -> &[f32] {
        &self.values[frame * self.columns..(frame + 1) * self.columns]
    }
}

/// Reads the text of an AMC file that was captured with this skeleton. With `partial`, a file that ends early gives
/// what is whole.
///
/// # Errors
/// If the text is no AMC file, or one of another skeleton; the error names line and column.
pub fn parse(bytes: &[u8], skeleton: &Document, partial: bool) -> Result<(Motion, Vec<Warning>), ImportError> {
    let bones = skeleton.bones.iter().enumerate();
    let motion = Motion { radians: None, rate: None, columns: skeleton.columns(), values: Vec::new() };
    let mut reader = Reader {
        lines: Lines::acclaim(bytes),
        skeleton,
        by_name: bones.map(|(i, bone)| (bone.name.as_bytes(), i)).collect(),
        first: skeleton.first_columns(),
        seen: vec![0; skeleton.bones.len()],
        count: 0,
        whole: None,
        motion,
        warnings: Vec::new(),
    };
    reader.run(partial)?;
    Ok((reader.motion, reader.warnings))
}

struct Reader<'a> {
    lines: Lines<'a>,
    skeleton: &'a Document,
    by_name: BTreeMap<&'a [u8], usize>,
    /// First column of each bone.
    first: Vec<usize>,
    /// The frame, counted from 1, in which each bone was named last.
    seen: Vec<usize>,
    /// Bones named in the frame being read.
    count: usize,
    /// How many bones the first frame names: every other must name the same.
    whole: Option<usize>,
    motion: Motion,
    warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
    fn run(&mut self, partial: bool) -> Result<(), ImportError> {
        let mut words = Vec::new();
        let mut begun = 0;
        while self.lines.next(&mut words) {
            let first = words[0];
            let done = if first.text.first() == Some(&b':') && begun == 0 {
                self.header(&words)
            } else if words.len() == 1 && first.text.iter().all(u8::is_ascii_digit) {
                let closed = if begun > 0 { self.close(begun, Some(first)) } else { Ok(()) };
                begun += 1;
                closed.and_then(|()| self.open(first, begun))
            } else if begun == 0 {
                let what = format!("expected the number of the first frame, found {}", shorten(first.text));
                Err(self.lines.error(what, first))
            } else {
                self.bone(&words, begun)
            };
            match done {
                // A file cut off inside a line.
                Err(_) if partial && begun > 1 && self.lines.ended() => return self.drop_last(begun),
                done => done?,
            }
        }
        if begun == 0 {
            return Err(self.lines.error_at_end("there are no frames: no frame number follows the header"));
        }
        match self.close(begun, None) {
            Err(_) if partial && begun > 1 => self.drop_last(begun)?,
            closed => closed?,
        }
        self.note_rest();
        Ok(())
    }

    fn header(&mut self, words: &[Word<'a>]) -> Result<(), ImportError> {
        if words[0].is(":degrees") {
            self.motion.radians = Some(false);
        } else if words[0].is(":radians") {
            self.motion.radians = Some(true);
        } else if words[0].is(":samples-per-second") {
            let [rate] = self.lines.numbers(words, "the frame rate")?;
            if !(0.01..=1e5).contains(&rate) {
                return Err(self.lines.error(format!("{rate} is not a frame rate"), words[1]));
            }
            self.motion.rate = Some(rate as f32);
        }
        Ok(())
    }

    /// Begins a frame at rest.
    fn open(&mut self, number: Word<'a>, frame: usize) -> Result<(), ImportError> {
        if frame.saturating_mul(self.skeleton.bones.len()) > MAX_TRANSFORMS {
            let what = format!("{} bones in {frame} frames are too many to hold", self.skeleton.bones.len());
            return Err(self.lines.error(what, number));
        }
        let found = self.lines.number(number, "the number of a frame")?;
        if found != frame as f64 && !self.warnings.iter().any(|w| matches!(w, Warning::FrameNumber { .. })) {
            self.warnings.push(Warning::FrameNumber { found: found as usize, frame });
        }
        self.motion.values.resize(frame * self.motion.columns, 0.0);
        self.count = 0;
        Ok(())
    }

    /// One bone of a frame.
    fn bone(&mut self, words: &[Word<'a>], frame: usize) -> Result<(), ImportError> {
        let name = words[0];
        let Some(index) = self.by_name.get(name.text).copied() else {
            let what = format!("the skeleton has no bone {}: is this motion of another one?", shorten(name.text));
            return Err(self.lines.error(what, name));
        };
        let bone = &self.skeleton.bones[index];
        if self.seen[index] == frame {
            return Err(self.lines.error(format!("{:?} is named twice in frame {frame}", bone.name), name));
        }
        if frame > 1 && self.seen[index] == 0 {
            return Err(self.lines.error(format!("{:?} is not named in the first frame", bone.name), name));
        }
        let (numbers, wanted) = (words.len() - 1, bone.channels.len());
        if numbers != wanted {
            let what = format!(
                "{:?} has {numbers} numbers; the skeleton gives it {wanted} degrees of freedom ({})",
                bone.name,
                bone.channels.iter().map(|c| channel_name(*c)).collect::<Vec<_>>().join(" ")
            );
            return Err(self.lines.error(what, name));
        }
        let at = (frame - 1) * self.motion.columns + self.first[index];
        for (i, word) in words[1..].iter().enumerate() {
            self.motion.values[at + i] = self.lines.number(*word, "a degree of freedom")? as f32;
        }
        self.seen[index] = frame;
        self.count += 1;
        Ok(())
    }

    /// Ends a frame, before the next one's number or at the end of the file.
    fn close(&mut self, frame: usize, next: Option<Word<'a>>) -> Result<(), ImportError> {
        let whole = *self.whole.get_or_insert(self.count);
        if self.count == whole {
            return Ok(());
        }
        let count = self.count;
        Err(match next {
            Some(next) => {
                let what = format!("frame {frame} ends here with {count} of the {whole} bones that the first one has");
                self.lines.error(what, next)
            }
            None => self.lines.error_at_end(format!(
                "the file is cut short: frame {frame} has {count} of {whole} bones; with --partial it is dropped"
            )),
        })
    }

    fn drop_last(&mut self, begun: usize) -> Result<(), ImportError> {
        self.motion.values.truncate((begun - 1) * self.motion.columns);
        self.warnings.push(Warning::PartialRow { row: begun - 1 });
        self.note_rest();
        Ok(())
    }

    /// Bones that could move and are never named.
    fn note_rest(&mut self) {
        let bones = self.skeleton.bones.iter().zip(&self.seen);
        let still: Vec<&str> = bones
            .filter(|(bone, seen)| **seen == 0 && !bone.channels.is_empty())
            .map(|(b, _)| b.name.as_str())
            .collect();
        if let Some(first) = still.first() {
            self.warnings.push(Warning::BonesAtRest { count: still.len(), first: (*first).to_owned() });
        }
    }
}

fn channel_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Position(axis) => ["tx", "ty", "tz"][axis],
        Channel::Rotation(axis) => ["rx", "ry", "rz"][axis],
        Channel::Length => "l",
    }
}
