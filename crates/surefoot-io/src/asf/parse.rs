//! ASF text to [`Document`]: sections, bones and the hierarchy.

use super::document::{Bone, Channel, Document};
use crate::bounds::{LONGEST_NAME, MAX_DEPTH};
use crate::lines::{Lines, Word};
use crate::number::shorten;
use crate::{ImportError, Warning};
use std::collections::BTreeMap;
use surefoot::glam::{DVec3, Vec3};
use surefoot::rig::Skeleton;

/// Reads the text of an ASF file.
///
/// # Errors
/// If the text is no ASF file; the error names line and column.
pub fn parse(bytes: &[u8]) -> Result<(Document, Vec<Warning>), ImportError> {
    let mut reader = Reader {
        lines: Lines::acclaim(bytes),
        words: Vec::new(),
        warnings: Vec::new(),
        length: 1.0,
        radians: false,
        bones: Vec::new(),
        names: BTreeMap::new(),
        parents: Vec::new(),
    };
    reader.sections()?;
    let bones = reader.in_order()?;
    Ok((Document { bones, length: reader.length as f32, radians: reader.radians }, reader.warnings))
}

struct Reader<'a> {
    lines: Lines<'a>,
    words: Vec<Word<'a>>,
    warnings: Vec<Warning>,
    length: f64,
    radians: bool,
    /// Bones in the order of the file, the root first, with their names; angles as written until the end.
    bones: Vec<(Bone, Word<'a>)>,
    names: BTreeMap<&'a [u8], usize>,
    parents: Vec<Option<usize>>,
}

impl<'a> Reader<'a> {
    fn sections(&mut self) -> Result<(), ImportError> {
        let (mut bonedata, mut hierarchy) = (false, false);
        while self.next() {
            let section = self.words[0];
            if section.is(":units") {
                self.units()?;
            } else if section.is(":root") {
                self.root(section)?;
            } else if section.is(":bonedata") {
                bonedata = true;
                self.bonedata()?;
            } else if section.is(":hierarchy") {
                hierarchy = true;
                self.hierarchy()?;
            } else if section.text.first() == Some(&b':') {
                // Version, name, documentation, skin: nothing that moves.
                while self.next_in_section() {}
            } else {
                let what = format!("expected a section such as :units or :root, found {}", shorten(section.text));
                return Err(self.lines.error(what, section));
            }
        }
        for (found, section) in [(!self.bones.is_empty(), ":root"), (bonedata, ":bonedata"), (hierarchy, ":hierarchy")]
        {
            if !found {
                return Err(self.lines.error_at_end(format!("an ASF file needs a section {section}; it has none")));
            }
        }
        Ok(())
    }

    fn next(&mut self) -> bool {
        self.lines.next(&mut self.words)
    }

    /// The next line, unless it starts another section.
    fn next_in_section(&mut self) -> bool {
        if !self.next() {
            return false;
        }
        let first = self.words[0];
        if first.text.first() == Some(&b':') {
            self.lines.back_to(first);
            return false;
        }
        true
    }

    fn units(&mut self) -> Result<(), ImportError> {
        while self.next_in_section() {
            let key = self.words[0];
            if key.is("length") {
                let [length] = self.lines.numbers(&self.words, "the unit of length")?;
                if !(1e-6..=1e6).contains(&length) {
                    return Err(self.lines.error(format!("a unit of length of {length} makes no body"), self.words[1]));
                }
                self.length = length;
            } else if key.is("angle") {
                self.radians = match self.words.get(1) {
                    Some(word) if word.is("deg") || word.is("degrees") => false,
                    Some(word) if word.is("rad") || word.is("radians") => true,
                    other => return Err(self.lines.error("angles are deg or rad", *other.unwrap_or(&key))),
                };
            }
        }
        Ok(())
    }

    fn root(&mut self, section: Word<'a>) -> Result<(), ImportError> {
        if !self.bones.is_empty() {
            return Err(self.lines.error("a second :root; there can be one", section));
        }
        let mut root = bone("root".into());
        while self.next_in_section() {
            let key = self.words[0];
            if key.is("order") {
                root.channels = self.channels("root")?;
            } else if key.is("axis") {
                root.axis_order = self.order(self.words.get(1).copied().unwrap_or(key))?;
            } else if key.is("position") {
                root.reach = self.lines.numbers(&self.words, "the root's position")?.map(|v: f64| v as f32);
            } else if key.is("orientation") {
                root.axis = self.lines.numbers(&self.words, "the root's orientation")?.map(|v: f64| v as f32);
            }
        }
        if root.channels.is_empty() {
            return Err(self.lines.error("the root has no order: there is nothing to move it by", section));
        }
        root.limits = vec![[f32::NEG_INFINITY, f32::INFINITY]; root.channels.len()];
        self.names.insert(b"root", 0);
        self.bones.push((root, section));
        self.parents.push(None);
        Ok(())
    }

    fn bonedata(&mut self) -> Result<(), ImportError> {
        while self.next_in_section() {
            let word = self.words[0];
            if word.is("begin") {
                self.bone(word)?;
            } else {
                return Err(self.lines.error(format!("expected begin, found {}", shorten(word.text)), word));
            }
        }
        Ok(())
    }

    /// One bone from `begin` to `end`.
    fn bone(&mut self, begin: Word<'a>) -> Result<(), ImportError> {
        if self.bones.is_empty() {
            return Err(self.lines.error("bones come after :root", begin));
        }
        if self.bones.len() >= Skeleton::MAX_JOINTS {
            return Err(self.lines.error(format!("more than {} bones", Skeleton::MAX_JOINTS), begin));
        }
        let mut bone = bone(String::new());
        let (mut name, mut direction, mut length) = (None, DVec3::ZERO, 0.0);
        let mut in_limits = false;
        loop {
            if !self.next() {
                return Err(self.lines.error_at_end("a bone has no end: the file ends here"));
            }
            let key = self.words[0];
            // Limits go on over lines that hold numbers alone.
            in_limits = key.is("limits") || (in_limits && starts_number(key));
            if in_limits {
                self.limits(&mut bone)?;
            } else if key.is("end") {
                break;
            } else if key.is("name") {
                let word = self.words.get(1).copied().unwrap_or(key);
                if self.words.len() < 2 || word.text.len() > LONGEST_NAME {
                    return Err(self.lines.error(format!("a bone's name has 1 to {LONGEST_NAME} bytes"), word));
                }
                name = Some(word);
            } else if key.is("direction") {
                direction = DVec3::from(self.lines.numbers::<3>(&self.words, "the bone's direction")?);
            } else if key.is("length") {
                [length] = self.lines.numbers(&self.words, "the bone's length")?;
            } else if key.is("axis") {
                bone.axis = self.lines.numbers(&self.words, "the bone's axis")?.map(|v: f64| v as f32);
                if let Some(order) = self.words.get(4) {
                    bone.axis_order = self.order(*order)?;
                }
            } else if key.is("dof") {
                bone.channels = self.channels("a bone")?;
            } else if key.text.first() == Some(&b':') {
                return Err(self.lines.error("a bone has no end before this section", key));
            }
            // Masses, ids and whatever else there is do not move.
        }
        let Some(name) = name else {
            return Err(self.lines.error("a bone begins here that has no name", begin));
        };
        if self.names.insert(name.text, self.bones.len()).is_some() {
            return Err(self.lines.error(format!("a second bone named {}", shorten(name.text)), name));
        }
        bone.name = name.to_text();
        bone.reach = (direction.normalize_or_zero() * length).as_vec3().to_array();
        let (degrees, limits) = (bone.channels.len(), bone.limits.len());
        if limits != degrees && limits > 0 {
            let line = self.lines.line_of(name);
            self.warnings.push(Warning::LimitCount { line, bone: bone.name.clone(), degrees, limits });
        }
        bone.limits.resize(degrees, [f32::NEG_INFINITY, f32::INFINITY]);
        self.bones.push((bone, name));
        self.parents.push(None);
        Ok(())
    }

    /// Pairs of numbers, `inf` allowed.
    fn limits(&self, bone: &mut Bone) -> Result<(), ImportError> {
        let words = if self.words[0].is("limits") { &self.words[1..] } else { &self.words[..] };
        let value = |word: &Word<'_>| match word.text {
            b"inf" | b"+inf" => Ok(f32::INFINITY),
            b"-inf" => Ok(f32::NEG_INFINITY),
            _ => self.lines.number(*word, "a limit").map(|v| v as f32),
        };
        for pair in words.chunks(2) {
            let [least, most] = pair else {
                return Err(self.lines.error("a limit is a pair of numbers; its second is missing", pair[0]));
            };
            bone.limits.push([value(least)?, value(most)?]);
        }
        Ok(())
    }

    /// The channels that a line lists after its keyword.
    fn channels(&self, whose: &str) -> Result<Vec<Channel>, ImportError> {
        let mut channels = Vec::new();
        for word in &self.words[1..] {
            let lower = word.text.to_ascii_lowercase();
            let channel = match &lower[..] {
                [b'r', axis @ b'x'..=b'z'] => Channel::Rotation(usize::from(axis - b'x')),
                [b't', axis @ b'x'..=b'z'] => Channel::Position(usize::from(axis - b'x')),
                b"l" => Channel::Length,
                _ => {
                    let what =
                        format!("{} is nothing that {whose} can do: give tx to tz, rx to rz or l", shorten(&lower));
                    return Err(self.lines.error(what, *word));
                }
            };
            if channels.contains(&channel) {
                return Err(self.lines.error(format!("{} is listed twice", shorten(&lower)), *word));
            }
            channels.push(channel);
        }
        Ok(channels)
    }

    /// An order such as `XYZ`.
    fn order(&self, word: Word<'_>) -> Result<[usize; 3], ImportError> {
        let axes: Vec<usize> =
            word.text.to_ascii_lowercase().iter().map(|b| usize::from(b.wrapping_sub(b'x'))).collect();
        match axes[..] {
            [a, b, c] if a < 3 && b < 3 && c < 3 && a != b && b != c && a != c => Ok([a, b, c]),
            _ => Err(self.lines.error(format!("{} is not an order of axes such as XYZ", shorten(word.text)), word)),
        }
    }

    /// Lines of a bone and those that hang from it, between `begin` and `end`.
    fn hierarchy(&mut self) -> Result<(), ImportError> {
        while self.next_in_section() {
            if self.words[0].is("begin") || self.words[0].is("end") {
                continue;
            }
            let parent = self.find(self.words[0])?;
            for word in &self.words[1..] {
                let child = self.find(*word)?;
                if child == 0 || self.parents[child].is_some() {
                    return Err(self.lines.error(format!("{} hangs from two bones", shorten(word.text)), *word));
                }
                self.parents[child] = Some(parent);
            }
        }
        Ok(())
    }

    fn find(&self, word: Word<'_>) -> Result<usize, ImportError> {
        let unknown = || self.lines.error(format!("there is no bone {}", shorten(word.text)), word);
        self.names.get(word.text).copied().ok_or_else(unknown)
    }

    /// The bones depth first, their parents and angles settled.
    fn in_order(&mut self) -> Result<Vec<Bone>, ImportError> {
        let loose = (1..self.bones.len()).find(|i| self.parents[*i].is_none());
        // What hangs from itself is not reached from the root.
        let order = Skeleton::depth_first(&self.parents);
        let mut place = vec![usize::MAX; self.bones.len()];
        order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        if let Some(lost) = loose.or_else(|| place.iter().position(|p| *p == usize::MAX)) {
            let what = format!("bone {:?} does not hang from the root", self.bones[lost].0.name);
            return Err(self.lines.error(what, self.bones[lost].1));
        }
        let unit = if self.radians { 1.0 } else { 1.0_f32.to_radians() };
        let mut depth = vec![0; order.len()];
        let mut bones = Vec::with_capacity(order.len());
        for (new, old) in order.into_iter().enumerate() {
            let (mut bone, word) = (std::mem::replace(&mut self.bones[old].0, bone(String::new())), self.bones[old].1);
            bone.parent = self.parents[old].map(|parent| place[parent]);
            bone.axis = (Vec3::from(bone.axis) * unit).to_array();
            depth[new] = bone.parent.map_or(0, |parent| depth[parent] + 1);
            if depth[new] > MAX_DEPTH {
                return Err(self.lines.error(format!("bones are nested more than {MAX_DEPTH} deep"), word));
            }
            bones.push(bone);
        }
        Ok(bones)
    }
}

fn bone(name: String) -> Bone {
    Bone {
        name,
        parent: None,
        reach: [0.0; 3],
        axis: [0.0; 3],
        axis_order: [0, 1, 2],
        channels: Vec::new(),
        limits: Vec::new(),
    }
}

fn starts_number(word: Word<'_>) -> bool {
    word.text.first().is_some_and(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.')) || word.is("inf")
}
