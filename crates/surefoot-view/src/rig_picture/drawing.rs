//! One view of a body: from its side, from the front or from above, on a panel of the picture.

use super::pictured_body::{Body, Sole, roles, shown};
use super::words::{round_length, said_metres};
use super::{LINE, RigPicture, SMALL, WRONG};
use crate::sheet::silhouette::outlines;
use crate::sheet::{FAINT, MIDDLE, TEXT};
use crate::svg::{Anchor, Stroke, Svg};
use surefoot::glam::Vec3A;
use surefoot::rig::Side;

/// Where a body is looked at from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    Side,
    Front,
    Top,
}

impl View {
    /// A point of the body as it is seen: to the right, and up. Metres.
    pub(super) fn flat(self, p: Vec3A) -> [f32; 2] {
        match self {
            Self::Side => [p.z, p.y],
            Self::Front => [p.x, p.y],
            Self::Top => [p.z, p.x],
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Side => "side, seen from its right",
            Self::Front => "front: its left is on the right",
            Self::Top => "from above: its left is at the top",
        }
    }
}

/// One view of the body.
pub(super) struct Drawing<'a> {
    pub(super) rig: &'a RigPicture<'a>,
    pub(super) body: &'a Body,
    pub(super) view: View,
    /// Pixels a metre.
    pub(super) scale: f32,
    /// x, y, width, height of its panel, pixels.
    pub(super) frame: [f32; 4],
}

impl Drawing<'_> {
    pub(super) fn page(&self, point: Vec3A) -> [f32; 2] {
        let [x, y, w, h] = self.frame;
        let [right, up] = self.view.flat(point);
        let [low, high] = [self.body.low, self.body.high].map(|corner| self.view.flat(corner));
        let middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        [x + 0.5 * w + self.scale * (right - middle[0]), y + 0.5 * h - self.scale * (up - middle[1])]
    }

    pub(super) fn draw(&self, svg: &mut Svg) {
        let [x, y, w, h] = self.frame;
        if self.view != View::Top {
            let level = self.page(Vec3A::new(0.0, self.body.ground, 0.0))[1];
            svg.line([x + 12.0, level], [x + w - 12.0, level], Stroke::new(FAINT, 1.0));
            if self.view == View::Side {
                svg.text([x + 12.0, level + 13.0], SMALL, FAINT, Anchor::Start, "ground");
            }
        }
        svg.clipped(self.frame, |svg| self.body(svg));
        self.limbs(svg);
        self.names(svg);
        svg.text([x + 12.0, y + 20.0], 13.0, TEXT, Anchor::Start, self.view.title());
        match self.view {
            View::Front => self.height(svg),
            View::Side | View::Top => {
                let (tip, level) = (x + w - 14.0, y + h - 16.0);
                svg.text([tip - 52.0, level + 4.0], SMALL, TEXT, Anchor::End, "forward (+Z)");
                arrow([tip - 44.0, level], [tip, level], svg);
            }
        }
        if self.view == View::Side {
            let metres = round_length(130.0 / self.scale);
            let (from, to, level) = (x + 14.0, x + 14.0 + self.scale * metres, y + h - 16.0);
            let ends = [from, to].map(|at| [[at, level - 4.0], [at, level + 4.0]]);
            svg.segments(&[[[from, level], [to, level]], ends[0], ends[1]], Stroke::new(TEXT, 1.2));
            svg.text([to + 8.0, level + 4.0], SMALL, TEXT, Anchor::Start, &said_metres(metres));
        }
    }

    /// Skin and skeleton.
    pub(super) fn body(&self, svg: &mut Svg) {
        if let Some(skin) = self.rig.skin {
            let places: Vec<[f32; 2]> = self.body.vertices.iter().map(|v| self.page(*v)).collect();
            let corners: Vec<_> = skin.triangles.iter().map(|t| t.map(|corner| places[corner as usize])).collect();
            svg.area(&outlines(&corners), "#eceae4", Stroke::new("#b5b1a7", 0.9));
        }
        for (own, stroke) in [(false, Stroke::new(MIDDLE, 1.0).faded(0.3)), (true, Stroke::new(MIDDLE, 1.3).faded(0.6))]
        {
            let bones = self.body.bones.iter().filter(|(_, of_body)| *of_body == own);
            let lines: Vec<[[f32; 2]; 2]> = bones.map(|(bone, _)| bone.map(|end| self.page(end))).collect();
            svg.segments(&lines, stroke);
        }
        for joint in &self.body.ends {
            let at = self.page(self.rig.pose[*joint].translation);
            svg.circle(at, 3.4, MIDDLE);
            svg.circle(at, 1.5, "#ffffff");
        }
    }

    pub(super) fn limbs(&self, svg: &mut Svg) {
        let limbs = shown(self.rig.limbs);
        // Far ones first.
        let mut order: Vec<usize> = (0..limbs.len()).collect();
        let far = |i: &usize| {
            let at = self.rig.pose[limbs[*i].leg.ankle()].translation;
            match self.view {
                View::Side => at.x,
                View::Front => -at.z,
                View::Top => -at.y,
            }
        };
        order.sort_by(|a, b| far(b).total_cmp(&far(a)));
        for i in order {
            let (limb, colour, sole) = (limbs[i], self.body.colours[i], &self.body.soles[i]);
            let (leg, pose) = (limb.leg, self.rig.pose);
            let bold = if limb.taken { 1.0 } else { 0.55 };
            let mut line: Vec<[f32; 2]> =
                leg.chain[..leg.chain.len() - 1].iter().map(|joint| self.page(pose[*joint].translation)).collect();
            line.push(self.page(leg.shin_end(pose)));
            svg.polyline(&line, Stroke::new(colour, 3.4 * bold).faded(bold));
            if let Some(toe) = leg.toe {
                let foot = [leg.ankle(), toe].map(|joint| self.page(pose[joint].translation));
                svg.polyline(&foot, Stroke::new(colour, 2.4 * bold).faded(bold));
            }
            for (_, joint) in roles(self.rig.skeleton, leg) {
                let at = self.page(pose[joint].translation);
                svg.circle(at, 4.0 * bold.sqrt(), colour);
                svg.circle(at, 1.7 * bold.sqrt(), "#ffffff");
            }
            if limb.taken {
                self.sole(sole, colour, svg);
            }
            if self.view == View::Top {
                // The limb's number in the table, outside its foot.
                let point = sole.points()[0];
                let [px, py] = self
                    .page(sole.points().iter().copied().fold(point, |a, b| if b.x.abs() > a.x.abs() { b } else { a }));
                let out = if leg.side == Some(Side::Right) { 17.0 } else { -9.0 };
                svg.text([px, py + out], 12.0, colour, Anchor::Middle, &(i + 1).to_string());
            }
        }
        for (joint, _) in self.rig.marks {
            svg.circle(self.page(self.rig.pose[*joint].translation), 5.0, WRONG);
        }
    }

    pub(super) fn sole(&self, sole: &Sole, colour: &str, svg: &mut Svg) {
        match sole {
            Sole::Point(point) => {
                let [px, py] = self.page(*point);
                svg.line([px - 5.0, py], [px + 5.0, py], Stroke::new(colour, 2.0));
                svg.circle([px, py], 2.6, colour);
            }
            Sole::Flat { outline, heel, ball, tip } => {
                let outline: Vec<[f32; 2]> = outline.iter().map(|point| self.page(*point)).collect();
                svg.area(std::slice::from_ref(&outline), colour, Stroke::new(colour, 1.2).faded(0.3));
                svg.area(&[outline], "none", Stroke::new(colour, 1.4));
                let ends = [(*heel, "heel"), (*ball, "ball")].into_iter().chain(tip.map(|tip| (tip, "tip")));
                let long =
                    [Some(*heel), *tip].map(|end| end.map_or(f32::INFINITY, |end| self.scale * (end - *ball).length()));
                for (point, name) in ends {
                    let [px, py] = self.page(point);
                    svg.rect([px - 1.6, py - 1.6, 3.2, 3.2], TEXT);
                    // Names where they have room.
                    if self.view == View::Top && long.iter().all(|long| *long > 34.0) {
                        let anchor = if name == "heel" { Anchor::Start } else { Anchor::End };
                        let aside = if name == "heel" { 4.0 } else { -4.0 };
                        svg.text([px + aside, py + 3.5], 9.5, TEXT, anchor, name);
                    }
                }
            }
        }
    }

    /// Names in columns beside the body, each with a line to its joint, none over another.
    pub(super) fn names(&self, svg: &mut Svg) {
        let [_, y, _, h] = self.frame;
        let [low, high] = [self.body.low, self.body.high].map(|corner| self.page(corner)[0]);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for name in self.body.names(self.rig, self.view) {
            let column = if name.on_right { &mut right } else { &mut left };
            column.push((self.page(name.at), name));
        }
        for (mut column, edge, out) in [(left, low.min(high) - 26.0, -1.0), (right, low.max(high) + 26.0, 1.0)] {
            column.sort_by(|a, b| a.0[1].total_cmp(&b.0[1]));
            let wanted: Vec<f32> = column.iter().map(|(at, _)| at[1]).collect();
            let ground = self.page(Vec3A::new(0.0, self.body.ground, 0.0))[1] - 8.0;
            let lowest = if self.view == View::Top { y + h - 34.0 } else { ground };
            let levels = apart(&wanted, LINE, [y + 34.0, lowest]);
            for ((at, name), level) in column.iter().zip(levels) {
                let stroke = Stroke::new(name.colour, 0.8).faded(0.6);
                svg.polyline(&[*at, [edge, level], [edge + 6.0 * out, level]], stroke);
                let anchor = if out > 0.0 { Anchor::Start } else { Anchor::End };
                svg.text([edge + 9.0 * out, level + 4.0], SMALL, name.colour, anchor, &name.text);
            }
        }
    }

    /// How tall it is, beside it.
    pub(super) fn height(&self, svg: &mut Svg) {
        let (low, high) = (self.body.low, self.body.high);
        let x = self.page(low)[0] - 30.0;
        let [bottom, top] = [low.y.min(self.body.ground), high.y].map(|up| self.page(Vec3A::new(0.0, up, 0.0))[1]);
        let ends = [bottom, top].map(|at| [[x - 4.0, at], [x + 4.0, at]]);
        svg.segments(&[[[x, bottom], [x, top]], ends[0], ends[1]], Stroke::new(TEXT, 1.0));
        let tall = said_metres(high.y - low.y.min(self.body.ground));
        svg.text([x - 8.0, 0.5 * (bottom + top) + 4.0], 12.0, TEXT, Anchor::End, &tall);
    }
}

/// An arrow along a line of the page.
fn arrow(from: [f32; 2], to: [f32; 2], svg: &mut Svg) {
    let [x, y] = to;
    svg.line(from, [x - 6.0, y], Stroke::new(TEXT, 2.0));
    svg.area(&[vec![to, [x - 10.0, y - 5.0], [x - 10.0, y + 5.0]]], TEXT, Stroke::new(TEXT, 0.5));
}

/// Levels at least `gap` apart, in order, as near to the wanted ones as that allows, between two bounds if they fit.
fn apart(wanted: &[f32], gap: f32, [low, high]: [f32; 2]) -> Vec<f32> {
    // Less their gaps, levels may not fall: those that would are put together at their mean.
    let mut groups: Vec<(f32, usize)> = Vec::new();
    for (i, level) in wanted.iter().enumerate() {
        groups.push((level - gap * i as f32, 1));
        while let [.., before, last] = groups[..] {
            if before.0 <= last.0 {
                break;
            }
            let count = before.1 + last.1;
            groups.truncate(groups.len() - 2);
            groups.push(((before.0 * before.1 as f32 + last.0 * last.1 as f32) / count as f32, count));
        }
    }
    let most = high - gap * wanted.len().saturating_sub(1) as f32;
    let levels = groups.into_iter().flat_map(|(level, count)| std::iter::repeat_n(level.min(most).max(low), count));
    levels.enumerate().map(|(i, level)| level + gap * i as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_apart_and_within_their_panel() {
        let levels = apart(&[10.0, 10.0, 10.0, 95.0, 99.0], 15.0, [0.0, 100.0]);
        assert!(levels.windows(2).all(|pair| pair[1] - pair[0] > 14.99), "{levels:?}");
        assert!(levels[0] >= 0.0 && levels[4] <= 100.0, "{levels:?}");
    }
}
