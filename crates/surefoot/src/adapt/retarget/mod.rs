//! Any motion on any body: postures read from one and taken up by the other, over ground of the same proportions.

pub(crate) mod build;
pub(crate) mod carry;
pub(crate) mod graph;
mod hands;
pub(crate) mod height;
pub(crate) mod posture;
pub(crate) mod same_build;
mod tips;

pub use build::Build;
pub(crate) use carry::{Carry, Lacking};
pub use carry::{ChainMode, ChainModes, RetargetError};
pub(crate) use posture::Posture;

use crate::analyse::placed;
use crate::math::{Rigid, quat};
use crate::motion::{Clip, FootTrack, Span, Stance, Take};
use crate::rig::{LegId, ModelPose, Pose};
use glam::Vec3A;

pub(crate) use height::Height;
use tips::clear_feet;

/// How motion is carried from one body to another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Retarget {
    /// How much larger the body's way is than the motion's; `None`: as their legs.
    pub travel: Option<f32>,
    /// How each chain of the body is told.
    pub modes: ChainModes,
    /// How far the body's hips are moved, metres, model space.
    pub pelvis_offset: Vec3A,
    /// How the body's height follows its feet.
    pub height: Height,
}

impl Default for Retarget {
    fn default() -> Self {
        Self { travel: None, modes: ChainModes::default(), pelvis_offset: Vec3A::ZERO, height: Height::default() }
    }
}

/// Motion on another body.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Retargeted {
    /// The motion, its stances where the body's feet come to stand; they are not held yet.
    pub take: Take,
    /// How much larger lengths are than in the motion as it came.
    pub scale: f32,
    /// What only one of the two bodies has.
    pub lacking: Vec<Lacking>,
}

impl Retarget {
    /// Carries a take over to another body. Its stances are those of the motion, at the places where the body's feet come to
    /// stand; the ground is the motion's, in the same proportion.
    ///
    /// # Errors
    /// If the bodies have not the same number of legs on each side.
    ///
    /// # Panics
    /// If the take was not made for `from`.
    pub fn run(&self, from: &Build, take: &Take, to: &Build) -> Result<Retargeted, RetargetError> {
        let carry = Carry::new(from, to, &self.modes)?;
        let scale = self.travel.filter(|travel| *travel > 0.0).unwrap_or(to.leg_length / from.leg_length);
        let mut clip = self.poses(from, &take.clip, to, &carry, scale);
        self.height.run((from, take), (to, &mut clip), &carry.legs, scale);
        self.place_hands((from, take), (to, &mut clip), scale);
        let stances = stances(from, take, (to, &clip), &carry.legs, scale);
        let mut take = Take { clip, stances, ground: take.ground * scale, sources: take.sources.clone() };
        clear_feet(to, &mut take);
        Ok(Retargeted { take, scale, lacking: carry.lacking })
    }

    /// Every pose of a clip, taken up by another body.
    fn poses(&self, from: &Build, clip: &Clip, to: &Build, carry: &Carry, scale: f32) -> Clip {
        let (skeleton, own) = (&from.rig.skeleton, &to.rig.skeleton);
        assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let scaled = |rigid: Rigid| Rigid { translation: rigid.translation * scale, ..rigid };
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
        let (mut own_pose, mut own_model) = (Pose::rest(own), ModelPose::new(own));
        let (mut posture, mut own_posture) = (from.posture(), to.posture());
        let mut locals = Vec::with_capacity(clip.frames() * own.len());
        for f in 0..clip.frames() {
            pose.locals.copy_from_slice(clip.frame(f));
            pose.to_model(skeleton, &mut model);
            from.read(&model, &mut posture);
            carry.run(&posture, &mut own_posture);
            own_posture.hips =
                own_posture.hips * (scale * from.leg_length / to.leg_length) + self.pelvis_offset / to.leg_length;
            to.write(&own_posture, &mut own_pose, &mut own_model);
            let before = locals.len().saturating_sub(own.len());
            for (joint, local) in own_pose.locals.iter_mut().enumerate() {
                let last: Option<&Rigid> = locals.get(before + joint);
                local.rotation = last.map_or(local.rotation, |last| quat::nearest_sign(last.rotation, local.rotation));
            }
            locals.extend_from_slice(&own_pose.locals);
        }
        let mut out = Clip::new(own, clip.name(), clip.rate(), locals).expect("rigid poses of this skeleton");
        for (new, old) in out.roots_mut().iter_mut().zip(clip.roots()) {
            *new = scaled(*old);
        }
        let course = clip.course().map(|course| course.iter().map(|v| *v * scale).collect());
        out.with_cycle(clip.cycle().map(scaled)).with_course(course)
    }
}

/// The stances of a take where another body's feet stand in them.
fn stances(from: &Build, take: &Take, (to, clip): (&Build, &Clip), legs: &[LegId], scale: f32) -> Vec<Stance> {
    let tracks = FootTrack::of_all(&to.rig, clip);
    let ground = take.ground * scale;
    let mut stances = Vec::new();
    for (id, leg) in to.rig.legs() {
        let theirs = legs[id.index()];
        let point = [leg, &from.rig.legs[theirs.index()]].iter().any(|leg| leg.foot.is_point());
        for stance in crate::motion::stance::of_leg(&take.stances, theirs) {
            let mut stance = *stance;
            if point {
                // A foot that has no heel, or that follows one that has none, stands on its ball.
                (stance.ball, stance.heel) = (stance.held(), None);
            }
            let mut frames = stance.frames(clip);
            if frames.whole.is_empty() {
                continue;
            }
            if frames.heel.is_empty() && frames.ball.is_empty() {
                frames.ball = frames.whole.clone();
                stance.ball = Span::of_frames(&frames.ball, clip.rate());
            }
            let at = placed(id, leg, &tracks[id.index()], &frames.whole, &frames.heel, &frames.ball, false);
            let height = ground + scale * (stance.print.world_from_sole.translation.y - take.ground);
            (stance.print, stance.heel_at, stance.ball_at) = (at.print, at.heel_at, at.ball_at);
            stance.set_height(height);
            stances.push(stance);
        }
    }
    stances
}
