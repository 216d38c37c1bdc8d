//! The body as it is drawn: its skin, bones, soles and the names of its joints, metres.

use super::drawing::View;
use super::words::{said_metres, shared_start, short};
use super::{FEW, NAME, OTHERS, PicturedLimb, RigPicture, WRONG};
use crate::sheet::{MIDDLE, coloured};
use surefoot::glam::Vec3A;
use surefoot::rig::{JointId, Leg, ModelPose, Side, Skeleton, Skin};

/// A sole in the picture, metres.
pub(super) enum Sole {
    /// It stands on one point.
    Point(Vec3A),
    /// Around it from the heel's left over the tip to the heel's right; and heel and ball.
    Flat { outline: Vec<Vec3A>, heel: Vec3A, ball: Vec3A, tip: Option<Vec3A> },
}

impl Sole {
    pub(super) fn of(pose: &ModelPose, leg: &Leg) -> Self {
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

    pub(super) fn points(&self) -> &[Vec3A] {
        match self {
            Self::Point(point) => std::slice::from_ref(point),
            Self::Flat { outline, .. } => outline,
        }
    }
}

/// The body in the drawn pose, metres.
pub(super) struct Body {
    /// Corners of its skin.
    pub(super) vertices: Vec<Vec3A>,
    /// Bones that are drawn, and whether they are of the body or hang from what carries its pelvis.
    pub(super) bones: Vec<([Vec3A; 2], bool)>,
    /// Of a body without limbs that could be legs: where its limbs end, the lowest first.
    pub(super) ends: Vec<JointId>,
    /// Of each limb that is drawn.
    pub(super) soles: Vec<Sole>,
    pub(super) colours: Vec<&'static str>,
    /// The least box around all that is drawn.
    pub(super) low: Vec3A,
    pub(super) high: Vec3A,
    /// Height of the ground.
    pub(super) ground: f32,
    /// Letters that all names of its legs' joints start with.
    pub(super) prefix: usize,
}

impl Body {
    pub(super) fn of(rig: &RigPicture<'_>) -> Self {
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

    pub(super) fn name<'a>(&self, skeleton: &'a Skeleton, joint: JointId) -> &'a str {
        let name = skeleton.name(joint);
        name.get(self.prefix..).filter(|rest| !rest.is_empty()).unwrap_or(name)
    }

    /// What is named in a view.
    pub(super) fn names(&self, rig: &RigPicture<'_>, view: View) -> Vec<Name> {
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
pub(super) struct Name {
    pub(super) at: Vec3A,
    pub(super) text: String,
    pub(super) colour: &'static str,
    pub(super) on_right: bool,
}

/// The limbs that are drawn: all legs, and as many others as can be told apart, the likeliest first.
pub(super) fn shown<'a>(limbs: &'a [PicturedLimb<'a>]) -> Vec<PicturedLimb<'a>> {
    let mut others: Vec<PicturedLimb<'a>> = limbs.iter().filter(|limb| !limb.taken).copied().collect();
    others.sort_by(|a, b| b.confidence.unwrap_or(0.0).total_cmp(&a.confidence.unwrap_or(0.0)));
    let legs = limbs.iter().filter(|limb| limb.taken).copied();
    legs.chain(others.into_iter().take(OTHERS)).collect()
}

/// The joints of a leg with what they are, each once.
pub(super) fn roles(skeleton: &Skeleton, leg: &Leg) -> Vec<(&'static str, JointId)> {
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
pub(super) fn leads_to_skin(skeleton: &Skeleton, skin: Option<&Skin>) -> Vec<bool> {
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
pub(super) fn bones(skeleton: &Skeleton, pose: &ModelPose, leads: &[bool]) -> Vec<([Vec3A; 2], bool)> {
    let above: Vec<JointId> = skeleton.ancestry(skeleton.pelvis()).skip(1).collect();
    let bone = |joint: JointId| {
        let parent = skeleton.parent(joint).filter(|_| leads[joint.index()])?;
        Some(([pose[parent].translation, pose[joint].translation], !above.contains(&parent)))
    };
    let tips = skeleton.tips().iter().filter(|tip| leads[tip.joint.index()]);
    let tips = tips.map(|tip| ([pose[tip.joint].translation, pose[tip.joint].transform_point(tip.offset)], true));
    skeleton.joints().filter_map(bone).chain(tips).collect()
}
