//! How far legs fold in the air: a foot that would come to its own hip stays lower, and lies flatter for it.

use super::Locomotor;
use super::foot::FootGoal;
use crate::character::Character;
use crate::library::locomotion::LocomotionClip;
use crate::math::{Rigid, quat, smoothstep};
use crate::rig::{ModelPose, Pose};
use glam::{Mat3A, Quat, Vec3A};

/// Legs fold to this share of how far clips fold them.
const FARTHER: f32 = 0.65;
/// To this share of their length they may always fold.
const ALWAYS: f32 = 0.5;
/// A leg folds more slowly from as much more than it may as this share: it neither stops nor begins at once.
const SOFT: f32 = 0.25;
/// A foot that is lowered lies flatter by this many times as much as a sole of its length needs to make up for it.
const TURNS: f32 = 1.5;
/// Poses of a round at which it is asked how far a leg is folded.
const LOOKS: usize = 48;
/// The shares of a flight within which this comes in after a foot has left, and goes out before it lands: prints stay where they are.
const COMES_IN: f32 = 0.2;
const GOES_OUT: f32 = 0.3;

/// How near the end of each leg may come to its hip while its foot is in the air, metres.
pub(super) fn nearest_of(character: &Character, clips: &[LocomotionClip]) -> Vec<f32> {
    let skeleton = &character.rig.skeleton;
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
    let mut nearest: Vec<f32> = character.stand.legs.iter().map(|leg| ALWAYS * leg.length / FARTHER).collect();
    for clip in clips.iter().filter(|clip| clip.moves()) {
        for look in 0..LOOKS {
            clip.pose_at(look as f32 / LOOKS as f32, &mut pose);
            pose.to_model(skeleton, &mut model);
            for (leg, least) in character.stand.legs.iter().zip(&mut nearest) {
                let hip = model[leg.chain.joints[0]].translation;
                *least = least.min((leg.chain.end(&model) - hip).length());
            }
        }
    }
    let legs = character.stand.legs.iter();
    legs.zip(nearest).map(|(leg, least)| (FARTHER * least).max(leg.nearest)).collect()
}

/// How much of this counts at a share of a flight, from 0 to 1.
pub(super) fn counts(flown: f32) -> f32 {
    smoothstep((flown / COMES_IN).min((1.0 - flown) / GOES_OUT))
}

/// A distance that comes no nearer than `least`, softly.
fn no_nearer(distance: f32, least: f32) -> f32 {
    let (low, high) = (least * (1.0 - SOFT), least * (1.0 + SOFT));
    if distance >= high {
        distance
    } else if distance <= low {
        least
    } else {
        least + (distance - low).powi(2) / (2.0 * (high - low))
    }
}

impl Locomotor {
    /// How much higher a hip should be for a foot in the air, metres; below 0 where it has room.
    pub(super) fn crowds(&self, k: usize, hip: Vec3A, end: Vec3A) -> f32 {
        let stand = &self.character.stand.legs[k];
        if !stand.hangs() {
            return f32::NEG_INFINITY;
        }
        let near = (1.0 + SOFT) * self.nearest[k];
        let off = end - hip;
        off.y + (near * near - off.with_y(0.0).length_squared()).max(0.0).sqrt()
    }

    /// Where an ankle in the air is to be, model space, lower where its leg would be folded too far, if not below the line between
    /// its prints.
    pub(super) fn unfolded(
        &self,
        k: usize,
        ankle: Rigid,
        foot: &FootGoal,
        model: &ModelPose,
        model_from_world: &Rigid,
    ) -> Rigid {
        let stand = &self.character.stand.legs[k];
        let Some(flown) = foot.flown.filter(|_| stand.hangs()) else { return ankle };
        let up = model_from_world.transform_vector(Vec3A::Y);
        let off = stand.chain.end_at(model, ankle) - model[stand.chain.joints[0]].translation;
        let high = off.dot(up);
        let aside = (off.length_squared() - high * high).max(0.0);
        let low = high.min(0.0);
        let distance = (aside + low * low).sqrt();
        let near = self.nearest[k];
        if distance >= (1.0 + SOFT) * near {
            return ankle;
        }
        let distance = no_nearer(distance, near);
        let wanted = (high + (distance * distance - aside).max(0.0).sqrt()).max(0.0) * counts(flown);
        let ankle_from_sole = stand.sole_from_ankle.inverse();
        let lowest = |turn: Quat| {
            let points = stand.sole.iter().chain(&stand.outline);
            points.map(|point| (turn * ankle_from_sole.transform_point(*point)).dot(up)).fold(f32::INFINITY, f32::min)
        };
        let low = lowest(ankle.rotation);
        // How high it is over the line between its prints.
        let room = (ankle.translation - model_from_world.transform_point(foot.base)).dot(up) + low;
        if stand.foot.is_point() {
            return Rigid { translation: ankle.translation - wanted.min(room.max(0.0)) * up, ..ankle };
        }
        // What its sole is lower by it makes up for by lying flatter.
        let ahead = (foot.ahead - foot.up * foot.ahead.dot(foot.up)).normalize_or(Vec3A::Z);
        let print = Quat::from_mat3a(&Mat3A::from_cols(foot.up.cross(ahead), foot.up, ahead));
        let flat = model_from_world.rotation * print * stand.sole_from_ankle.rotation;
        let gains = (lowest(flat) - low).max(0.0);
        let lowers = wanted.min((room + gains).max(0.0));
        // No farther than a sole that long needs to turn for it.
        let turns = TURNS * lowers.min(gains) / stand.foot.length.max(1e-3);
        let share = (turns / quat::angle_between(ankle.rotation, flat).max(1e-3)).min(1.0);
        let rotation = ankle.rotation.lerp(flat, share);
        Rigid { rotation, translation: ankle.translation - lowers * up }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leg_folds_ever_more_slowly_and_no_farther_than_it_may() {
        let least = 0.2;
        let mut before = no_nearer(0.0, least);
        let mut speed = 0.0;
        for i in 1..=4000 {
            let distance = 1e-4 * i as f32;
            let now = no_nearer(distance, least);
            assert!(now >= least.max(distance) - 1e-6, "{distance} comes to {now}");
            let own = (now - before) / 1e-4;
            assert!((own - speed).abs() < 0.02, "a jerk at {distance}: {speed} to {own}");
            (before, speed) = (now, own);
        }
        assert!((no_nearer(0.3, least) - 0.3).abs() < 1e-6, "what has room stays");
    }

    #[test]
    fn prints_stay_where_they_are() {
        assert!(counts(0.0) == 0.0 && counts(1.0) == 0.0 && counts(0.5) == 1.0);
    }
}
