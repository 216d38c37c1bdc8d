//! The table of a body's legs: which joints they are, how large their soles, how sure that is.

use super::pictured_body::{Body, shown};
use super::words::{figures, short, wrapped};
use super::{LINE, RigPicture, SMALL, WRONG};
use crate::foot_name::side_word;
use crate::sheet::{FAINT, GRID, TEXT};
use crate::svg::{Anchor, Stroke, Svg};
use surefoot::rig::JointId;

/// What is known of every limb, in rows.
pub(super) struct Table {
    pub(super) title: String,
    /// What is above the rows, and what is below.
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<([String; 8], &'static str)>,
    pub(super) foot: Vec<String>,
}

/// Where the columns of the table start, as shares of its width.
pub(super) const COLUMNS: [f32; 8] = [0.0, 0.05, 0.12, 0.29, 0.46, 0.63, 0.80, 0.94];

impl Table {
    pub(super) fn of(rig: &RigPicture<'_>, body: &Body, width: f32) -> Self {
        // Letters of the small text are six pixels wide on the whole.
        let letters = (width / 6.4) as usize;
        let per_name = (0.165 * width / 6.8) as usize;
        let limbs = shown(rig.limbs);
        let mut rows = Vec::new();
        let mut doubts: Vec<(String, Vec<String>)> = Vec::new();
        for (i, limb) in limbs.iter().enumerate() {
            let (leg, number) = (limb.leg, (i + 1).to_string());
            let name = |joint: JointId| short(body.name(rig.skeleton, joint), per_name);
            let knees = &leg.chain[1..leg.chain.len() - 1];
            let knees: Vec<String> = knees.iter().map(|joint| name(*joint)).collect();
            let sole = match leg.foot.is_point() {
                true => "a point".into(),
                false => format!("{} × {}", figures(leg.foot.length), figures(leg.foot.width)),
            };
            rows.push((
                [
                    number.clone(),
                    side_word(leg.side).into(),
                    name(leg.hip()),
                    short(&knees.join(", "), per_name),
                    if leg.foot_has_no_joint() { "none".into() } else { name(leg.ankle()) },
                    leg.toe.map_or("none".into(), name),
                    sole,
                    limb.confidence.map_or("told".into(), |sure| format!("{:.0} %", 100.0 * sure)),
                ],
                body.colours[i],
            ));
            if !limb.doubt.is_empty() {
                match doubts.iter_mut().find(|(doubt, _)| doubt == limb.doubt) {
                    Some((_, numbers)) => numbers.push(number),
                    None => doubts.push((limb.doubt.to_owned(), vec![number])),
                }
            }
        }
        let legs = limbs.iter().filter(|limb| limb.taken).count();
        let title = match rig.missing {
            None => format!("{legs} legs"),
            Some(_) if limbs.is_empty() => "no legs, and no limb that could be one".into(),
            Some(_) => "no legs; limbs that could be some, with what speaks for them".into(),
        };
        let head = rig.missing.iter().flat_map(|why| wrapped(why, letters)).collect();
        let doubts =
            doubts.iter().flat_map(|(doubt, numbers)| wrapped(&format!("{}: {doubt}", numbers.join(", ")), letters));
        let mut foot: Vec<String> = doubts.collect();
        let left_out = rig.limbs.len() - limbs.len();
        if left_out > 0 {
            foot.push(format!("and {left_out} limbs more that hardly could"));
        }
        if !body.ends.is_empty() {
            foot.push("Grey rings: where limbs end, with their height over the lowest point.".into());
        }
        if legs > 0 {
            let rings = "Rings: joints. Outlines at the ground: soles, from the heel over the ball to the tip, as wide as they are; dots on them: heel, ball, tip.";
            foot.extend(wrapped(rings, letters));
        }
        if body.prefix > 0 {
            let start = rig.limbs.first().map(|limb| &rig.skeleton.name(limb.leg.hip())[..body.prefix]);
            foot.push(format!("names are without {:?}, which all start with", start.unwrap_or_default()));
        }
        Self { title, head, rows, foot }
    }

    pub(super) fn height(&self) -> f32 {
        let rows = if self.rows.is_empty() { 0.0 } else { 1.0 + self.rows.len() as f32 };
        60.0 + LINE * (self.head.len() as f32 + self.foot.len() as f32) + 18.0 * rows
    }

    pub(super) fn draw(&self, [x, y, w, _]: [f32; 4], svg: &mut Svg) {
        let (x, w) = (x + 12.0, w - 24.0);
        let mut line = y + 20.0;
        svg.text([x, line], 13.0, TEXT, Anchor::Start, &self.title);
        line += 6.0;
        for text in &self.head {
            line += LINE;
            svg.text([x, line], SMALL, WRONG, Anchor::Start, text);
        }
        if !self.rows.is_empty() {
            line += 20.0;
            let heads = ["", "side", "hip", "knee", "ankle", "toe", "sole, m", "sure"];
            for (head, at) in heads.iter().zip(COLUMNS) {
                svg.text([x + at * w, line], SMALL, FAINT, Anchor::Start, head);
            }
            svg.line([x, line + 5.0], [x + w, line + 5.0], Stroke::new(GRID, 1.0));
        }
        for (cells, colour) in &self.rows {
            line += 18.0;
            for (i, (cell, at)) in cells.iter().zip(COLUMNS).enumerate() {
                let fill = if i < 2 { colour } else { TEXT };
                svg.text([x + at * w, line], SMALL, fill, Anchor::Start, cell);
            }
        }
        line += 8.0;
        for text in &self.foot {
            line += LINE;
            svg.text([x, line], SMALL, FAINT, Anchor::Start, text);
        }
    }
}
