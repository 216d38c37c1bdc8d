//! A picture of what was understood of a body: skin, skeleton, legs and soles from the side, the front and above.

use crate::foot_name::side_word;
use crate::sheet::silhouette::outlines;
use crate::sheet::{FAINT, GRID, MARGIN, MIDDLE, PAPER, TEXT, coloured, panel};
use crate::svg::{Anchor, Stroke, Svg};
use surefoot::glam::Vec3A;
use surefoot::rig::{JointId, Leg, ModelPose, Side, Skeleton, Skin};

/// Pixels across.
const WIDTH: f32 = 1600.0;
/// Pixels between panels.
const GAP: f32 = 16.0;
/// Pixels beside a body, left and right: room for names.
const BESIDE: f32 = 190.0;
/// Pixels over and under a body: room for a panel's title and for the scale.
const OVER: f32 = 52.0;
/// Pixels that a body may be high, seen from the side, and from above: the picture fits a screen.
const TALL: f32 = 520.0;
const BROAD: f32 = 400.0;
/// Pixels that the table of legs needs at least, across.
const TABLE: f32 = 660.0;
/// Pixels from one line of small text to the next.
const LINE: f32 = 15.0;
/// Size of small text, pixels.
const SMALL: f32 = 11.0;
/// Letters that fit a name beside a body.
const NAME: usize = 19;
/// Letters of a line under the title: as many as its text may have, with room for wide ones.
const LETTERS: usize = 150;
/// Limbs shown that are no legs: more would hide each other.
const OTHERS: usize = 10;
/// Legs whose joints are named from the side and the front; of more, they are told apart from above only.
const FEW: usize = 4;
/// Where something is missing.
const WRONG: &str = "#c0392b";

/// What was understood of a body.
#[derive(Clone, Copy, Debug)]
pub struct RigPicture<'a> {
    /// The first line.
    pub title: &'a str,
    /// Lines below it: how the file was read, how sure the legs are.
    pub facts: &'a [String],
    /// The body.
    pub skeleton: &'a Skeleton,
    /// The pose that is drawn, facing +Z.
    pub pose: &'a ModelPose,
    /// Its mesh, if it has one.
    pub skin: Option<&'a Skin>,
    /// Its legs; where there are none, the limbs that may be some.
    pub limbs: &'a [PicturedLimb<'a>],
    /// Why it has no legs, if so.
    pub missing: Option<&'a str>,
    /// Joints at which something is missing, and what.
    pub marks: &'a [(JointId, String)],
}

/// A leg, or a limb that may be one.
#[derive(Clone, Copy, Debug)]
pub struct PicturedLimb<'a> {
    /// Its joints and its foot.
    pub leg: &'a Leg,
    /// Whether it is taken for a leg.
    pub taken: bool,
    /// How much speaks for it, 0 to 1; `None` where a person has said so.
    pub confidence: Option<f32>,
    /// What speaks against it, or what was assumed about it; empty if nothing.
    pub doubt: &'a str,
}

/// Draws a body with its legs.
///
/// # Panics
/// If pose, skin or limbs are not of the skeleton.
#[must_use]
pub fn draw(rig: &RigPicture<'_>) -> Svg {
    let body = Body::of(rig);
    let lines: Vec<String> = rig.facts.iter().flat_map(|fact| wrapped(fact, LETTERS)).collect();
    let top = 60.0 + 18.0 * lines.len() as f32;

    let wide = WIDTH - 2.0 * MARGIN - GAP;
    let size = body.high - body.low;
    let scale = ((wide - TABLE - 2.0 * BESIDE) / size.z)
        .min((wide - 4.0 * BESIDE) / (size.z + size.x))
        .min(TALL / size.y)
        .min(BROAD / size.x);
    let [side_needs, front_needs] = [size.z, size.x].map(|across| scale * across + 2.0 * BESIDE);
    let front_needs = front_needs.max(TABLE);
    let side_wide = side_needs + 0.5 * (wide - side_needs - front_needs);
    let front_wide = wide - side_wide;
    let table = Table::of(rig, &body, front_wide);
    let names = |view| LINE * body.names(rig, view).len() as f32;
    let side_tall = (scale * size.y).max(names(View::Side)).max(names(View::Front)) + 2.0 * OVER;
    let top_tall = ((scale * size.x).max(0.6 * names(View::Top)) + 2.0 * OVER).max(table.height());

    let mut svg = Svg::new(WIDTH, (top + side_tall + GAP + top_tall + MARGIN).ceil(), PAPER);
    svg.text([MARGIN, 38.0], 24.0, TEXT, Anchor::Start, rig.title);
    for (i, line) in lines.iter().enumerate() {
        svg.text([MARGIN, 60.0 + 18.0 * i as f32], 13.0, FAINT, Anchor::Start, line);
    }
    let (right, below) = (MARGIN + side_wide + GAP, top + side_tall + GAP);
    let views = [
        (View::Side, [MARGIN, top, side_wide, side_tall]),
        (View::Front, [right, top, front_wide, side_tall]),
        (View::Top, [MARGIN, below, side_wide, top_tall]),
    ];
    for (view, frame) in views {
        Drawing { rig, body: &body, view, scale, frame: panel(frame, &mut svg) }.draw(&mut svg);
    }
    table.draw(panel([right, below, front_wide, top_tall], &mut svg), &mut svg);
    svg
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Side,
    Front,
    Top,
}

impl View {
    /// A point of the body as it is seen: to the right, and up. Metres.
    fn flat(self, p: Vec3A) -> [f32; 2] {
        match self {
            Self::Side => [p.z, p.y],
            Self::Front => [p.x, p.y],
            Self::Top => [p.z, p.x],
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Side => "side, seen from its right",
            Self::Front => "front: its left is on the right",
            Self::Top => "from above: its left is at the top",
        }
    }
}

/// A sole in the picture, metres.
enum Sole {
    /// It stands on one point.
    Point(Vec3A),
    /// Around it from the heel's left over the tip to the heel's right; and heel and ball.
    Flat { outline: Vec<Vec3A>, heel: Vec3A, ball: Vec3A, tip: Option<Vec3A> },
}

impl Sole {
    fn of(pose: &ModelPose, leg: &Leg) -> Self {
        let (foot, ankle) = (&leg.foot, pose[leg.ankle()]);
        if foot.is_point() {
            return Self::Point(ankle.transform_point(foot.ball));
        }
        let across = foot.ankle_from_sole().rotation * Vec3A::X * (0.5 * foot.width);
        let at = |point: Vec3A, aside: f32| ankle.transform_point(point + across * aside);
        let tip = foot.tip.map(|tip| pose[leg.toe.unwrap_or(leg.ankle())].transform_point(tip));
        let mut outline = vec![at(foot.heel, 1.0), at(foot.ball, 1.0)];
        outline.extend(tip);
        outline.extend([at(foot.ball, -1.0), at(foot.heel, -1.0)]);
        Self::Flat { outline, heel: at(foot.heel, 0.0), ball: at(foot.ball, 0.0), tip }
    }

    fn points(&self) -> &[Vec3A] {
        match self {
            Self::Point(point) => std::slice::from_ref(point),
            Self::Flat { outline, .. } => outline,
        }
    }
}

/// The body in the drawn pose, metres.
struct Body {
    /// Corners of its skin.
    vertices: Vec<Vec3A>,
    /// Bones that are drawn, and whether they are of the body or hang from what carries its pelvis.
    bones: Vec<([Vec3A; 2], bool)>,
    /// Of a body without limbs that could be legs: where its limbs end, the lowest first.
    ends: Vec<JointId>,
    /// Of each limb that is drawn.
    soles: Vec<Sole>,
    colours: Vec<&'static str>,
    /// The least box around all that is drawn.
    low: Vec3A,
    high: Vec3A,
    /// Height of the ground.
    ground: f32,
    /// Letters that all names of its legs' joints start with.
    prefix: usize,
}

impl Body {
    fn of(rig: &RigPicture<'_>) -> Self {
        let (skeleton, pose) = (rig.skeleton, rig.pose);
        let mut vertices = Vec::new();
        if let Some(skin) = rig.skin {
            let mut places = vec![surefoot::glam::Vec3::ZERO; skin.positions.len()];
            skin.deform(pose, &mut places);
            vertices = places.into_iter().map(Vec3A::from).collect();
        }
        let leads = leads_to_skin(skeleton, rig.skin);
        let mut bones = bones(skeleton, pose, &leads);
        let limbs = shown(rig.limbs);
        let soles: Vec<Sole> = limbs.iter().map(|limb| Sole::of(pose, limb.leg)).collect();
        let colours = coloured(limbs.iter().map(|limb| (limb.leg.ankle(), limb.leg.side)).collect());

        let corners = rig.skin.map_or(&[][..], |skin| &skin.triangles).as_flattened();
        let skin = corners.iter().map(|corner| vertices[*corner as usize]);
        let joints = limbs.iter().flat_map(|limb| limb.leg.chain.iter().map(|joint| pose[*joint].translation));
        let bare = bones.iter().filter(|(_, own)| *own && corners.is_empty()).flat_map(|(bone, _)| *bone);
        let under = soles.iter().flat_map(Sole::points).copied();
        let all = skin.chain(joints).chain(bare).chain(under).filter(|point| point.is_finite());
        let (mut low, mut high) =
            all.fold((Vec3A::INFINITY, Vec3A::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
        if !((high - low).max_element() > 0.0 && (high - low).is_finite()) {
            (low, high) = (Vec3A::splat(-0.5), Vec3A::splat(0.5));
        }
        let large = (high - low).max_element();
        // A flat body is drawn flat, but not with an endless scale.
        let thick = 0.02 * large;
        let room = (0.5 * (Vec3A::splat(thick) - (high - low))).max(Vec3A::ZERO);
        (low, high) = (low - room, high + room);

        let stands = limbs.iter().zip(&soles).filter(|(limb, _)| limb.taken);
        let ground = stands.flat_map(|(_, sole)| sole.points()).map(|point| point.y).fold(f32::INFINITY, f32::min);
        let ground = if ground.is_finite() { ground } else { low.y };
        let names = limbs.iter().flat_map(|limb| roles(skeleton, limb.leg)).map(|(_, joint)| skeleton.name(joint));
        let prefix = shared_start(&names.collect::<Vec<_>>());
        let colours = colours.into_iter().map(|(_, colour)| colour).collect();
        // What is outside the body is a handle.
        let inside = |p: &Vec3A| p.is_finite() && p.cmpge(low - 0.1 * large).all() && p.cmple(high + 0.1 * large).all();
        // So is what leads from above the pelvis down to the ground.
        let stays_up = |p: &Vec3A| p.y > ground + 0.15 * (high.y - low.y);
        bones.retain(|(bone, own)| bone.iter().all(|end| inside(end) && (*own || stays_up(end))));
        let mut ends = Vec::new();
        if limbs.is_empty() {
            let end =
                |joint: &JointId| leads[joint.index()] && !skeleton.children(*joint).any(|below| leads[below.index()]);
            ends = skeleton.joints().filter(end).filter(|joint| inside(&pose[*joint].translation)).collect();
            ends.sort_by(|a, b| pose[*a].translation.y.total_cmp(&pose[*b].translation.y));
            ends.truncate(OTHERS);
        }
        Self { vertices, bones, ends, soles, colours, low, high, ground, prefix }
    }

    fn name<'a>(&self, skeleton: &'a Skeleton, joint: JointId) -> &'a str {
        let name = skeleton.name(joint);
        name.get(self.prefix..).filter(|rest| !rest.is_empty()).unwrap_or(name)
    }

    /// What is named in a view.
    fn names(&self, rig: &RigPicture<'_>, view: View) -> Vec<Name> {
        let limbs = shown(rig.limbs);
        let legs = limbs.iter().filter(|limb| limb.taken).count();
        let middle = 0.5 * (self.low + self.high);
        let mut names = Vec::new();
        for (i, limb) in limbs.iter().enumerate() {
            let left = limb.leg.side == Some(Side::Left);
            let ankle = rig.pose[limb.leg.ankle()].translation;
            let (here, on_right) = match view {
                _ if legs > FEW => (view == View::Top, ankle.z > middle.z),
                View::Side => (!left, legs <= 2 || ankle.z > middle.z),
                View::Front => (left, true),
                View::Top => (false, false),
            };
            if !here {
                continue;
            }
            let name = |joint| short(self.name(rig.skeleton, joint), NAME);
            if limb.taken {
                names.extend(roles(rig.skeleton, limb.leg).into_iter().map(|(role, joint)| Name {
                    at: rig.pose[joint].translation,
                    text: format!("{role} {}", name(joint)),
                    colour: self.colours[i],
                    on_right,
                }));
            } else {
                let score = limb.confidence.map(|c| format!(" {:.0} %", 100.0 * c)).unwrap_or_default();
                let text = format!("{}:{score} {}", i + 1, name(limb.leg.ankle()));
                names.push(Name { at: ankle, text, colour: self.colours[i], on_right });
            }
        }
        for joint in &self.ends {
            let at = rig.pose[*joint].translation;
            // Each once: those on its left from the front, the others from the side.
            let left = at.x > 0.02 * (self.high.x - self.low.x);
            let view_of_it = if left { View::Front } else { View::Side };
            if view == view_of_it && !rig.marks.iter().any(|(marked, _)| marked == joint) {
                let up = said_metres((at.y - self.ground).max(0.0));
                let text = format!("{} {up}", short(rig.skeleton.name(*joint), NAME - 3));
                names.push(Name { at, text, colour: MIDDLE, on_right: true });
            }
        }
        if view == View::Side {
            names.extend(rig.marks.iter().map(|(joint, text)| Name {
                at: rig.pose[*joint].translation,
                text: short(text, NAME + 8),
                colour: WRONG,
                on_right: false,
            }));
        }
        names
    }
}

/// A text beside a body that belongs to a point of it.
struct Name {
    at: Vec3A,
    text: String,
    colour: &'static str,
    on_right: bool,
}

/// The limbs that are drawn: all legs, and as many others as can be told apart, the likeliest first.
fn shown<'a>(limbs: &'a [PicturedLimb<'a>]) -> Vec<PicturedLimb<'a>> {
    let mut others: Vec<PicturedLimb<'a>> = limbs.iter().filter(|limb| !limb.taken).copied().collect();
    others.sort_by(|a, b| b.confidence.unwrap_or(0.0).total_cmp(&a.confidence.unwrap_or(0.0)));
    let legs = limbs.iter().filter(|limb| limb.taken).copied();
    legs.chain(others.into_iter().take(OTHERS)).collect()
}

/// The joints of a leg with what they are, each once.
fn roles(skeleton: &Skeleton, leg: &Leg) -> Vec<(&'static str, JointId)> {
    let last = leg.chain.len() - 1;
    let mut roles = Vec::new();
    for (i, joint) in leg.chain.iter().enumerate() {
        let role = match i {
            0 => "hip",
            _ if i == last => "ankle",
            _ => "knee",
        };
        // Where no joint carries the foot, the knee is named and no ankle.
        if i != last || !leg.foot_has_no_joint() {
            roles.push((role, *joint));
        }
    }
    roles.extend(leg.toe.filter(|toe| toe.index() < skeleton.len()).map(|toe| ("toe", toe)));
    roles
}

/// Whether each joint or one below it moves some skin; true for all of a body without any.
fn leads_to_skin(skeleton: &Skeleton, skin: Option<&Skin>) -> Vec<bool> {
    let mut leads = vec![skin.is_none(); skeleton.len()];
    if let Some(skin) = skin {
        for (bones, weights) in skin.joints.iter().zip(&skin.weights) {
            for (bone, weight) in bones.iter().zip(weights) {
                if let Some(bone) = skin.bones.get(usize::from(*bone)).filter(|_| *weight > 0.0) {
                    leads[bone.joint.index()] = true;
                }
            }
        }
        // Children come after their parents.
        for joint in skeleton.joints().collect::<Vec<_>>().into_iter().rev() {
            if let Some(parent) = skeleton.parent(joint).filter(|_| leads[joint.index()]) {
                leads[parent.index()] = true;
            }
        }
    }
    leads
}

/// The bones that lead to skin, and whether each is of the body: what hangs from above the pelvis may be a handle.
fn bones(skeleton: &Skeleton, pose: &ModelPose, leads: &[bool]) -> Vec<([Vec3A; 2], bool)> {
    let above: Vec<JointId> = skeleton.ancestry(skeleton.pelvis()).skip(1).collect();
    let bone = |joint: JointId| {
        let parent = skeleton.parent(joint).filter(|_| leads[joint.index()])?;
        Some(([pose[parent].translation, pose[joint].translation], !above.contains(&parent)))
    };
    let tips = skeleton.tips().iter().filter(|tip| leads[tip.joint.index()]);
    let tips = tips.map(|tip| ([pose[tip.joint].translation, pose[tip.joint].transform_point(tip.offset)], true));
    skeleton.joints().filter_map(bone).chain(tips).collect()
}

/// One view of the body.
struct Drawing<'a> {
    rig: &'a RigPicture<'a>,
    body: &'a Body,
    view: View,
    /// Pixels a metre.
    scale: f32,
    /// x, y, width, height of its panel, pixels.
    frame: [f32; 4],
}

impl Drawing<'_> {
    fn page(&self, point: Vec3A) -> [f32; 2] {
        let [x, y, w, h] = self.frame;
        let [right, up] = self.view.flat(point);
        let [low, high] = [self.body.low, self.body.high].map(|corner| self.view.flat(corner));
        let middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        [x + 0.5 * w + self.scale * (right - middle[0]), y + 0.5 * h - self.scale * (up - middle[1])]
    }

    fn draw(&self, svg: &mut Svg) {
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
    fn body(&self, svg: &mut Svg) {
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

    fn limbs(&self, svg: &mut Svg) {
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

    fn sole(&self, sole: &Sole, colour: &str, svg: &mut Svg) {
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
    fn names(&self, svg: &mut Svg) {
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
    fn height(&self, svg: &mut Svg) {
        let (low, high) = (self.body.low, self.body.high);
        let x = self.page(low)[0] - 30.0;
        let [bottom, top] = [low.y.min(self.body.ground), high.y].map(|up| self.page(Vec3A::new(0.0, up, 0.0))[1]);
        let ends = [bottom, top].map(|at| [[x - 4.0, at], [x + 4.0, at]]);
        svg.segments(&[[[x, bottom], [x, top]], ends[0], ends[1]], Stroke::new(TEXT, 1.0));
        let tall = said_metres(high.y - low.y.min(self.body.ground));
        svg.text([x - 8.0, 0.5 * (bottom + top) + 4.0], 12.0, TEXT, Anchor::End, &tall);
    }
}

/// What is known of every limb, in rows.
struct Table {
    title: String,
    /// What is above the rows, and what is below.
    head: Vec<String>,
    rows: Vec<([String; 8], &'static str)>,
    foot: Vec<String>,
}

/// Where the columns of the table start, as shares of its width.
const COLUMNS: [f32; 8] = [0.0, 0.05, 0.12, 0.29, 0.46, 0.63, 0.80, 0.94];

impl Table {
    fn of(rig: &RigPicture<'_>, body: &Body, width: f32) -> Self {
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

    fn height(&self) -> f32 {
        let rows = if self.rows.is_empty() { 0.0 } else { 1.0 + self.rows.len() as f32 };
        60.0 + LINE * (self.head.len() as f32 + self.foot.len() as f32) + 18.0 * rows
    }

    fn draw(&self, [x, y, w, _]: [f32; 4], svg: &mut Svg) {
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

/// The longest of 1, 2 or 5 times a power of ten that is no longer than this.
fn round_length(most: f32) -> f32 {
    let power = 10_f32.powf(most.max(1e-9).log10().floor());
    let times = [5.0, 2.0, 1.0].into_iter().find(|times| times * power <= most);
    times.unwrap_or(1.0) * power
}

/// A length in metres with three figures that count.
fn said_metres(metres: f32) -> String {
    format!("{} m", figures(metres))
}

fn figures(metres: f32) -> String {
    match metres.abs() {
        0.0 => "0".into(),
        100.0.. => format!("{metres:.0}"),
        10.0.. => format!("{metres:.1}"),
        0.1.. => format!("{metres:.2}"),
        0.01.. => format!("{metres:.3}"),
        0.001.. => format!("{metres:.4}"),
        _ => format!("{metres:.1e}"),
    }
}

/// A text of so many letters at most, cut in its middle: names differ at their ends.
fn short(text: &str, letters: usize) -> String {
    let all: Vec<char> = text.chars().collect();
    if all.len() <= letters {
        return text.to_owned();
    }
    let (start, end) = (letters / 2, letters - letters / 2 - 1);
    all[..start].iter().chain(&['…']).chain(&all[all.len() - end..]).collect()
}

/// How many bytes of a maker's prefix (`mixamorig:`) all names start with.
fn shared_start(names: &[&str]) -> usize {
    let Some(first) = names.first().filter(|_| names.len() > 1) else { return 0 };
    let end = first.rfind([':', '|']).map_or(0, |at| at + 1);
    let shared = |name: &&str| name.len() > end && name.starts_with(&first[..end]);
    if names.iter().all(shared) { end } else { 0 }
}

/// A text in lines of so many letters at most, broken between words.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::rig::ManyLegs;

    #[test]
    fn bodies_of_any_size_and_number_of_legs_are_drawn() {
        for (pairs, leg) in [(1, 0.001), (2, 0.6), (4, 300.0), (8, 0.6)] {
            let rig = ManyLegs { pairs, leg }.run();
            let pose = ModelPose::new(&rig.skeleton);
            let limb = |leg| PicturedLimb { leg, taken: true, confidence: Some(0.97), doubt: "" };
            let limbs: Vec<PicturedLimb<'_>> = rig.legs.iter().map(limb).collect();
            let (skeleton, pose) = (&rig.skeleton, &pose);
            let facts = ["in metres".to_owned()];
            let (limbs, missing, marks) = (&limbs[..], None, &[][..]);
            let picture =
                RigPicture { title: "made", facts: &facts, skeleton, pose, skin: None, limbs, missing, marks };
            let drawn = draw(&picture).finish();
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{pairs} pairs of {leg} m");
            // Each leg's hip is named once beside it, and once in the table.
            for leg in &rig.legs {
                let name = format!(">hip {}<", short(skeleton.name(leg.hip()), NAME));
                assert_eq!(drawn.matches(&name).count(), 1, "{name}");
            }
            assert_eq!(drawn.matches("97 %").count(), 2 * pairs);
            // Without legs the ends of limbs are named instead.
            let none = draw(&RigPicture { limbs: &[], missing: Some("no legs"), ..picture }).finish();
            assert!(none.contains("no limb that could be one") && none.contains("Grey rings"));
        }
    }

    #[test]
    fn names_keep_apart_and_within_their_panel() {
        let levels = apart(&[10.0, 10.0, 10.0, 95.0, 99.0], 15.0, [0.0, 100.0]);
        assert!(levels.windows(2).all(|pair| pair[1] - pair[0] > 14.99), "{levels:?}");
        assert!(levels[0] >= 0.0 && levels[4] <= 100.0, "{levels:?}");
    }

    #[test]
    fn lengths_of_scales_are_round_for_any_size() {
        for (most, round) in [(0.43, 0.2), (7.3, 5.0), (1.0, 1.0), (0.000_7, 0.000_5), (3e6, 2e6)] {
            assert!((round_length(most) / round - 1.0).abs() < 1e-4, "{most}: {}", round_length(most));
        }
    }

    #[test]
    fn names_are_cut_in_their_middle_and_without_what_all_start_with() {
        assert_eq!(short("LeftUpperLegTwistBone", 10), "LeftU…Bone");
        assert_eq!(short("føtter", 6), "føtter");
        assert_eq!(shared_start(&["rig:Hip", "rig:Knee"]), 4);
        assert_eq!(shared_start(&["rig:Hip", "Knee"]), 0);
        assert_eq!(wrapped("a bc def", 4), ["a bc", "def"]);
    }
}
