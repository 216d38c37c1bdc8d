//! Rounds of clips in the character's own frame, its travel taken out.

use super::BandSample;
use super::clip::between;
use crate::character::{Character, smooth, supple};
use crate::math::{FloorPose, Rigid, floor, quat, wrap_angle};
use crate::motion::Clip;
use crate::rig::{ModelPose, Pose};
use glam::{Vec2, Vec3A};
use std::ops::Range;

/// Poses in the character's own frame, and where soles are in them.
pub(super) struct Baked {
    pub(super) poses: Vec<Rigid>,
    /// By leg, then by frame.
    pub(super) soles: Vec<Vec<Rigid>>,
    pub(super) frames: usize,
    /// Where the character's own frame is in that of the even travel.
    pub(super) even_from_own: FloorPose,
}

impl Baked {
    /// Frames of a clip, `character_at` being where the character's even travel has led in each, beside the first of them.
    pub(super) fn new(
        character: &Character,
        clip: &Clip,
        ground: f32,
        round: Range<usize>,
        character_at: impl Fn(usize) -> FloorPose,
    ) -> Self {
        let (rig, skeleton) = (&character.rig, &character.rig.skeleton);
        let start = FloorPose::below(clip.roots()[round.start]).unwrap_or_default();
        // How the root lies to the even travel on average: bodies sway and twist about it.
        let offset = |f: usize| {
            let even = start.then(character_at(f));
            let lies = even.to_rigid().inverse() * clip.roots()[f];
            Rigid { translation: lies.translation - Vec3A::Y * ground, ..lies }
        };
        let count = round.len() as f32;
        let (mut turn, mut aside) = (0.0, Vec2::ZERO);
        for f in round.clone() {
            let body = clip.body(skeleton, f);
            let even = start.then(character_at(f));
            let heading = quat::heading(clip.roots()[f].rotation).unwrap_or(even.heading);
            turn += wrap_angle(heading - even.heading) / count;
            aside += even.inverse().transform_point(floor::of_point(body.translation)) / count;
        }
        // Hips are over the same place of the character in every clip: where they are in the idle pose.
        let mut model = ModelPose::new(skeleton);
        character.stand.pose.to_model(skeleton, &mut model);
        let hips = floor::of_point(model[skeleton.pelvis()].translation);
        let even_from_own = FloorPose::new(aside, turn).then(FloorPose::new(-hips, 0.0));
        let own_from_even = even_from_own.inverse().to_rigid();
        let mut pose = Pose::rest(skeleton);
        let mut poses: Vec<Rigid> = Vec::with_capacity(round.len() * skeleton.len());
        let mut soles = vec![Vec::with_capacity(round.len()); rig.legs.len()];
        for f in round.clone() {
            let root = own_from_even * offset(f);
            pose.locals.copy_from_slice(clip.frame(f));
            for joint in skeleton.roots() {
                let local = &mut pose.locals[joint.index()];
                *local = root * *local;
            }
            pose.to_model(skeleton, &mut model);
            for (leg, soles) in rig.legs.iter().zip(&mut soles) {
                soles.push(model[leg.ankle()] * leg.foot.ankle_from_sole());
            }
            poses.extend_from_slice(&pose.locals);
        }
        Self { poses, soles, frames: round.len(), even_from_own }
    }

    /// The same without the corners of clips that were drawn at few poses a second.
    pub(super) fn smoothed(self, character: &Character, rate: f32) -> Self {
        let (rig, skeleton) = (&character.rig, &character.rig.skeleton);
        let Ok(clip) = Clip::new(skeleton, "round", rate, self.poses.clone()) else { return self };
        let Some(smooth) = smooth(skeleton, &supple(rig, &character.stand, &clip)) else { return self };
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        let mut soles = vec![Vec::with_capacity(smooth.frames()); rig.legs.len()];
        let mut poses = Vec::with_capacity(smooth.frames() * skeleton.len());
        for f in 0..smooth.frames() {
            pose.locals.copy_from_slice(smooth.frame(f));
            pose.to_model(skeleton, &mut model);
            for (leg, soles) in rig.legs.iter().zip(&mut soles) {
                soles.push(model[leg.ankle()] * leg.foot.ankle_from_sole());
            }
            poses.extend_from_slice(smooth.frame(f));
        }
        Self { poses, soles, frames: smooth.frames(), ..self }
    }

    /// The even motion of the character's own frame, given that of the frame it was told in.
    pub(super) fn motion(&self, even: BandSample) -> BandSample {
        let aside = self.even_from_own.position;
        // What is aside of the origin goes round it.
        let velocity = even.velocity + even.turn_rate * Vec2::new(aside.y, -aside.x);
        BandSample { velocity: floor::turned(velocity, -self.even_from_own.heading), ..even }
    }

    /// Where a sole is at a phase, the character's frame.
    pub(super) fn sole(&self, leg: usize, phase: f32) -> Rigid {
        let (first, second, share) = between(phase, self.frames);
        self.soles[leg][first].lerp(self.soles[leg][second], share)
    }

    /// When a leg stands best between these phases: its foot low and flat, and half way along its track under the body.
    pub(super) fn stance_phase(
        &self,
        character: &Character,
        leg: usize,
        from: f32,
        to: f32,
        motion: BandSample,
        seconds: f32,
    ) -> f32 {
        let points = character.stand.legs[leg].sole;
        let middle = 0.5 * (from + to);
        let track = motion.velocity.length() * seconds;
        let cost = |phase: f32| {
            let sole = self.sole(leg, phase);
            let high = points.map(|point| sole.transform_point(point).y).into_iter().fold(f32::NEG_INFINITY, f32::max);
            let aside = (phase - middle).abs();
            high / (0.2 * character.leg_length) + if track > 1e-4 { 4.0 * aside } else { 0.0 }
        };
        let looks = 24;
        let phases = (0..=looks).map(|k| from + (to - from) * k as f32 / looks as f32);
        phases.min_by(|a, b| cost(*a).total_cmp(&cost(*b))).unwrap_or(middle)
    }
}
