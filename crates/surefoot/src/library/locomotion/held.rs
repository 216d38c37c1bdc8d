//! Feet of a round held on their prints, as a live character holds them: at the clip's own speed it has nothing to change.

use super::LocomotionClip;
use super::clip::between;
use crate::character::{Character, StandLeg};
use crate::foot::drop_to_reach;
use crate::ik::foot_place::FootPlace;
use crate::ik::toes::{Toes, raise_toes};
use crate::ik::{BendLeg, LegEnd};
use crate::math::{FloorPose, Rigid, quat, smoothstep};
use crate::rig::{ModelPose, Pose};
use glam::Vec3A;

/// What a foot lacks to its print where it leaves it and comes to it is made up within this share of its flight.
const EASES: f32 = 0.4;
/// Toes that would be in the ground are turned up this long before and after, seconds.
const TOES: f32 = 0.04;
/// Toes are turned up so many times at most.
const ROUNDS: usize = 6;
/// Less than this is left as it is, radians or leg lengths.
const LITTLE: f32 = 2e-3;
/// A leg that stands reaches this share of its length, or as far as it is drawn.
const REACHED: f32 = 0.985;
/// A body is lowered this long before and after a leg asks for it, seconds, and by no more than this share of the leg's length.
const LOWERS: f32 = 0.2;
const LOWEST: f32 = 0.15;

/// How a foot that stands is off where its clip has it.
#[derive(Clone, Copy, Default)]
struct Lacks {
    /// The sole's place, metres.
    place: Vec3A,
    /// Its heading, radians.
    yaw: f32,
}

impl LocomotionClip {
    /// Where a foot's print is in the character's frame at a leg phase beside its stance, if the character goes as the clip does.
    fn print_at(&self, leg: usize, phase: f32) -> FloorPose {
        super::steady_place(self.stride(), -phase).then(self.legs[leg].place)
    }

    /// The sole of a foot that stands on its print, turned as `sole` but for its heading, and how that is off.
    fn on_print(&self, stand: &StandLeg, leg: usize, phase: f32, sole: Rigid) -> (Rigid, Lacks) {
        let print = self.print_at(leg, phase);
        let (yaw, rest) = quat::split_heading(quat::from_heading(-print.heading) * sole.rotation, 0.0);
        let yaw = if stand.foot.is_point() { 0.0 } else { yaw };
        let print = print.to_rigid();
        let turn = (print.rotation * rest * stand.sole_from_ankle.rotation).normalize();
        let ankle = FootPlace::default().ankle(&stand.foot, print, turn);
        let held = ankle * stand.foot.ankle_from_sole();
        (held, Lacks { place: held.translation - sole.translation, yaw: -yaw })
    }

    /// Holds all feet on their prints while they stand, and eases into the clip's own flights.
    pub(super) fn hold_feet(&mut self, character: &Character) {
        let (rig, skeleton) = (&character.rig, &character.rig.skeleton);
        let frames = self.poses.len() / self.joints;
        let soles = self.soles.clone();
        let drawn = |leg: usize, phase: f32| {
            let (first, second, share) = between(phase, frames);
            soles[leg][first].lerp(soles[leg][second], share)
        };
        let stances: Vec<f32> = self.legs.iter().map(|leg| leg.stance + self.offset).collect();
        let ends: Vec<[Lacks; 2]> = (0..self.legs.len())
            .map(|leg| {
                let cycle = &self.legs[leg];
                [cycle.off, cycle.strike - 1.0].map(|phase| {
                    self.on_print(&character.stand.legs[leg], leg, phase, drawn(leg, stances[leg] + phase)).1
                })
            })
            .collect();
        self.lower_body(character, &stances);
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        for f in 0..frames {
            pose.locals.copy_from_slice(&self.poses[f * self.joints..(f + 1) * self.joints]);
            pose.to_model(skeleton, &mut model);
            for (leg, stand) in character.stand.legs.iter().enumerate() {
                let cycle = &self.legs[leg];
                let sole = soles[leg][f];
                let phase = (f as f32 / frames as f32 - stances[leg]).rem_euclid(1.0);
                let wanted = if phase <= cycle.off || phase >= cycle.strike {
                    let beside = if phase <= cycle.off { phase } else { phase - 1.0 };
                    self.on_print(stand, leg, beside, sole).0
                } else {
                    let flight = EASES * (cycle.strike - cycle.off).max(1e-3);
                    let [after, before] =
                        [(phase - cycle.off), (cycle.strike - phase)].map(|away| 1.0 - smoothstep(away / flight));
                    let [off, strike] = ends[leg];
                    let yaw = after * off.yaw + before * strike.yaw;
                    let place = sole.translation + after * off.place + before * strike.place;
                    Rigid { rotation: (quat::from_heading(yaw) * sole.rotation).normalize(), translation: place }
                };
                let mut goal = wanted * stand.sole_from_ankle;
                if let LegEnd::Apart(_) = stand.chain.end {
                    let off = stand.chain.end_at(&model, goal) - model[stand.chain.joints[0]].translation;
                    goal.translation -= off.normalize_or_zero() * (off.length() - stand.length).max(0.0);
                }
                BendLeg::default().run(skeleton, &stand.chain, &mut pose, &mut model, goal);
            }
            for (leg, soles) in rig.legs.iter().zip(&mut self.soles) {
                soles[f] = model[leg.ankle()] * leg.foot.ankle_from_sole();
            }
            self.poses[f * self.joints..(f + 1) * self.joints].copy_from_slice(&pose.locals);
        }
        self.raise_toes(character);
    }

    /// Turns toes up that are in the ground, smoothly.
    fn raise_toes(&mut self, character: &Character) {
        let skeleton = &character.rig.skeleton;
        let frames = self.poses.len() / self.joints;
        let reach = ((TOES / self.seconds * frames as f32).round() as usize).min(frames / 4);
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        for (leg, stand) in character.stand.legs.iter().enumerate() {
            let (Some(toe), Some(tip)) = (stand.toe, stand.foot.tip) else { continue };
            let ahead = quat::from_heading(self.legs[leg].place.heading) * Vec3A::Z;
            let toes = |least: f32, most: f32| Toes {
                toe,
                tip,
                ground: Vec3A::ZERO,
                up: Vec3A::Y,
                axis: ahead.cross(Vec3A::Y),
                least,
                most,
            };
            // Toes that point down are turned up by a part of what they lack.
            for _ in 0..ROUNDS {
                let mut raised = Vec::with_capacity(frames);
                for f in 0..frames {
                    pose.locals.copy_from_slice(&self.poses[f * self.joints..(f + 1) * self.joints]);
                    pose.to_model(skeleton, &mut model);
                    raised.push(raise_toes(skeleton, &mut pose, &mut model, toes(0.0, f32::INFINITY)));
                }
                if raised.iter().all(|raise| *raise < LITTLE) {
                    break;
                }
                for (f, raise) in about(&raised, reach).into_iter().enumerate() {
                    let locals = &mut self.poses[f * self.joints..(f + 1) * self.joints];
                    pose.locals.copy_from_slice(locals);
                    pose.to_model(skeleton, &mut model);
                    raise_toes(skeleton, &mut pose, &mut model, toes(raise, raise));
                    locals.copy_from_slice(&pose.locals);
                }
            }
        }
    }

    /// Lowers the body where a leg would not reach its print, smoothly: feet that stood still were not drawn so far apart.
    fn lower_body(&mut self, character: &Character, stances: &[f32]) {
        let skeleton = &character.rig.skeleton;
        let frames = self.poses.len() / self.joints;
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        let mut drops = vec![0.0_f32; frames];
        for (f, drop) in drops.iter_mut().enumerate() {
            pose.locals.copy_from_slice(&self.poses[f * self.joints..(f + 1) * self.joints]);
            pose.to_model(skeleton, &mut model);
            for (leg, stand) in character.stand.legs.iter().enumerate() {
                let cycle = &self.legs[leg];
                let phase = (f as f32 / frames as f32 - stances[leg]).rem_euclid(1.0);
                let beside = if phase <= cycle.off { phase } else { phase - 1.0 };
                if beside < cycle.strike - 1.0 {
                    continue;
                }
                let sole = self.on_print(stand, leg, beside, self.soles[leg][f]).0;
                let hip = model[stand.chain.joints[0]].translation;
                let own = (stand.chain.end(&model) - hip).length();
                let end = stand.chain.end_at(&model, sole * stand.sole_from_ankle);
                *drop = drop.max(drop_to_reach(hip, end, (REACHED * stand.length).max(own)));
            }
            *drop = drop.min(LOWEST * character.leg_length);
        }
        if drops.iter().all(|drop| *drop < LITTLE * character.leg_length) {
            return;
        }
        let reach = ((LOWERS / self.seconds * frames as f32).round() as usize).min(frames / 4);
        for (f, drop) in about(&drops, reach).into_iter().enumerate() {
            for joint in skeleton.roots() {
                self.poses[f * self.joints + joint.index()].translation.y -= drop;
            }
        }
    }
}

/// The greatest of a round's values nearby, smoothed: nowhere less than the value itself.
fn about(values: &[f32], reach: usize) -> Vec<f32> {
    let count = values.len();
    let near = |values: &[f32], f: usize| -> Vec<f32> {
        (0..=2 * reach).map(|k| values[(f + count + k - reach) % count]).collect()
    };
    let most: Vec<f32> = (0..count).map(|f| near(values, f).into_iter().fold(0.0, f32::max)).collect();
    (0..count).map(|f| near(&most, f).into_iter().sum::<f32>() / (2 * reach + 1) as f32).collect()
}
