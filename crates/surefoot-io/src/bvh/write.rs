//! Clips to BVH text.

use super::euler;
use crate::Unit;
use std::fmt::Write as _;
use surefoot::glam::Vec3A;
use surefoot::math::Rigid;
use surefoot::motion::Clip;
use surefoot::rig::{JointId, Skeleton};

/// How a clip is written as BVH.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BvhWriter {
    /// Unit of length in the file.
    pub unit: Unit,
    /// Digits after the point in motion rows, 0 to 9. Three keep 0.001°; offsets always have six.
    pub decimals: usize,
    /// Whether the rest pose goes before the motion as a row of its own, as in the CMU database.
    pub rest_row: bool,
}

impl Default for BvhWriter {
    fn default() -> Self {
        Self { unit: Unit::Metre, decimals: 6, rest_row: false }
    }
}

/// A joint that moves against its parent by more than this gets position channels. Metres; errors add up along a limb.
const MOVES: f32 = 1e-6;

/// Writes a clip as BVH text: Y up, facing +Z, rotations in the order Z Y X, position channels (the whole local
/// translation) on roots and on joints that move against their parent.
///
/// # Panics
/// If the clip was made for another skeleton.
#[must_use]
pub fn write(skeleton: &Skeleton, clip: &Clip, settings: &BvhWriter) -> String {
    assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
    let moves: Vec<bool> = skeleton.joints().map(|joint| moves(skeleton, clip, joint)).collect();
    let rows = clip.frames() + usize::from(settings.rest_row);
    let mut text = String::with_capacity(rows * skeleton.len() * 3 * (settings.decimals + 5));
    text.push_str("HIERARCHY\n");
    for root in skeleton.roots() {
        write_joints(skeleton, root, &moves, settings.unit, &mut text);
    }
    let frame_time = 1.0 / f64::from(clip.rate());
    // Ten digits, however small the time is.
    let digits = (10.0 - frame_time.log10().ceil()).clamp(4.0, 30.0) as usize;
    let _ = writeln!(text, "MOTION\nFrames: {rows}\nFrame Time: {frame_time:.digits$}");

    let mut row = Rows { skeleton, moves: &moves, settings, angles: vec![[0.0; 3]; skeleton.len()] };
    if settings.rest_row {
        // As CMU does: the rest pose stands where the motion starts.
        let mut rest = skeleton.rest().to_vec();
        for root in skeleton.roots() {
            rest[root.index()].translation = (clip.roots()[0] * clip.frame(0)[root.index()]).translation;
        }
        row.write(Rigid::IDENTITY, &rest, &mut text);
    }
    for frame in 0..clip.frames() {
        row.write(clip.roots()[frame], clip.frame(frame), &mut text);
    }
    text
}

fn moves(skeleton: &Skeleton, clip: &Clip, joint: JointId) -> bool {
    let rest = skeleton.rest()[joint.index()].translation;
    let far = |frame: usize| (clip.frame(frame)[joint.index()].translation - rest).length() > MOVES;
    skeleton.parent(joint).is_none() || (0..clip.frames()).any(far)
}

/// The tree below a root. A stack of open braces instead of recursion, as deep skeletons must not end the process.
fn write_joints(skeleton: &Skeleton, root: JointId, moves: &[bool], unit: Unit, text: &mut String) {
    let mut tips: Vec<Vec<Vec3A>> = vec![Vec::new(); skeleton.len()];
    for tip in skeleton.tips() {
        tips[tip.joint.index()].push(tip.offset);
    }
    let mut open: Vec<JointId> = Vec::new();
    for index in skeleton.subtree(root) {
        let joint = JointId(index as u16);
        while open.last().copied() != skeleton.parent(joint) {
            close(&mut open, text);
        }
        let indent = "\t".repeat(open.len());
        let keyword = if open.is_empty() { "ROOT" } else { "JOINT" };
        let offset = if open.is_empty() { Vec3A::ZERO } else { skeleton.rest()[index].translation };
        let positions = if moves[index] { "6 Xposition Yposition Zposition" } else { "3" };
        let _ = writeln!(text, "{indent}{keyword} {}\n{indent}{{", skeleton.name(joint));
        let _ = writeln!(text, "{indent}\tOFFSET {}", offset_text(offset, unit));
        let _ = writeln!(text, "{indent}\tCHANNELS {positions} Zrotation Yrotation Xrotation");
        for offset in &tips[index] {
            let end = offset_text(*offset, unit);
            let _ = writeln!(text, "{indent}\tEnd Site\n{indent}\t{{\n{indent}\t\tOFFSET {end}\n{indent}\t}}");
        }
        open.push(joint);
    }
    while !open.is_empty() {
        close(&mut open, text);
    }
}

fn close(open: &mut Vec<JointId>, text: &mut String) {
    open.pop();
    text.push_str(&"\t".repeat(open.len()));
    text.push_str("}\n");
}

fn offset_text(offset: Vec3A, unit: Unit) -> String {
    let [x, y, z] = offset.to_array().map(|v| f64::from(v) / f64::from(unit.metres()));
    let mut text = String::new();
    for (i, value) in [x, y, z].into_iter().enumerate() {
        if i > 0 {
            text.push(' ');
        }
        push_number(value, 6, &mut text);
    }
    text
}

struct Rows<'a> {
    skeleton: &'a Skeleton,
    moves: &'a [bool],
    settings: &'a BvhWriter,
    /// Angles of the row before, for continuous curves.
    angles: Vec<[f64; 3]>,
}

impl Rows<'_> {
    fn write(&mut self, root: Rigid, locals: &[Rigid], text: &mut String) {
        let decimals = self.settings.decimals.min(9);
        let unit = f64::from(self.settings.unit.metres());
        for (index, local) in locals.iter().enumerate() {
            let is_root = self.skeleton.parents()[index].is_none();
            let local = if is_root { root * *local } else { *local };
            if index > 0 {
                text.push(' ');
            }
            if self.moves[index] {
                for value in local.translation.to_array() {
                    push_number(f64::from(value) / unit, decimals, text);
                    text.push(' ');
                }
            }
            let angles = euler::zyx(local.rotation.normalize(), self.angles[index]);
            self.angles[index] = angles;
            for (i, angle) in angles.into_iter().enumerate() {
                if i > 0 {
                    text.push(' ');
                }
                push_number(angle.to_degrees(), decimals, text);
            }
        }
        text.push('\n');
    }
}

/// A number without trailing zeros and without a negative zero: files of a thousand zeros are common.
fn push_number(value: f64, decimals: usize, text: &mut String) {
    let start = text.len();
    let _ = write!(text, "{value:.decimals$}");
    if decimals > 0 {
        let kept = text.trim_end_matches('0').trim_end_matches('.').len();
        text.truncate(kept);
    }
    if text[start..] == *"-0" {
        text.replace_range(start.., "0");
    }
}
