//! Feet raised so far that no skin of theirs is in the ground, whatever joints hold it.

use super::motion::SETTLED_RATE;
use super::{CreatureFrame, CreatureMotion};
use crate::adapt::FootAt;
use crate::character::MOST_LEGS;
use crate::foot::Settle;
use crate::math::smoothstep;
use crate::rig::{LegSkin, SkinPoint};
use crate::world::Ground;
use glam::{Vec3, Vec3A};

/// Skin may be so deep in the ground, in leg lengths: feet are soft, and 2 mm of a person are not seen.
const SOFT: f32 = 0.0025;
/// The same of bare bones, which are not.
const SOFT_BARE: f32 = 0.0008;
/// Skin that hangs from the body in part slides over the ground with it, whatever its foot does: better a little deeper than a
/// foot that stands on nothing else; in leg lengths.
const SOFT_FOREIGN: f32 = 0.006;
/// Skin that is deeper than this is not looked at, nor what is higher than this over the lowest of its leg; in leg lengths.
const DEEPEST: f32 = 0.25;
/// Skin that is deeper than this and free beside is in a riser, which no lift takes it out of; in leg lengths.
const RISER: f32 = 0.03;
/// Skin that goes with its foot by less than this share is not raised by raising the foot.
const LEAST_SHARE: f32 = 0.2;
/// A bare foot that is turned so far about its heel or ball, radians, begins to be raised, and is raised like one that flies.
const ROLLED: [f32; 2] = [0.03, 0.3];
/// Bare feet that are raised by no more than this share of it are left as they stand.
const LEAST_LIFTED: f32 = 0.15;
/// Feet are raised by so much at most for it, in leg lengths: while they stand, and while they fly.
const MOST: [f32; 2] = [0.08, 0.8];
/// The same while a foot stands that tilts with its lower leg, over a corner of its skin: a foot that is half as long as its leg
/// and cannot lie level stands on the highest of what is under it, and tilts as its leg swings over.
const MOST_TILTED: f32 = 0.12;
/// Feet are raised so often at most: what hangs from the lower leg too follows by a part only.
const LIFTINGS: usize = 4;
/// Over how many times either side a foot goes up and down for it, in seconds of a person.
const EASE: f32 = 0.03;

impl CreatureMotion {
    /// Looks over the whole walk how deep the skin of each foot is in the ground, and raises the foot by that, in time.
    pub(super) fn lift(&mut self, ground: &dyn Ground) {
        let times = self.times();
        let ease = (self.character.scale.time(EASE) * SETTLED_RATE).clamp(1.0, 12.0) as usize;
        let settle = Settle { hold: 2 * ease, ease, means: 2 };
        let mut needed = vec![vec![0.0_f32; times]; self.character.rig.legs.len()];
        for (k, needed) in needed.iter_mut().enumerate() {
            let known = self.known(|motion| motion.lift_of(k));
            needed[..known.len()].copy_from_slice(&known);
        }
        for _ in 0..LIFTINGS {
            if !self.needed_lifts(ground, &mut needed) {
                break;
            }
            let lifted = |(k, needed): (usize, &Vec<f32>)| {
                self.passed(settle.run(needed), |motion| motion.lift_of(k), |a, b, x| a + x * (b - a))
            };
            self.lifted = needed.iter().enumerate().map(lifted).collect();
        }
    }

    /// How far the foot of a leg is raised at even times; nothing if none is.
    pub(super) fn lift_of(&self, leg: usize) -> &[f32] {
        self.lifted.get(leg).map_or(&[], |lifted| lifted)
    }

    /// By which share of its lift a foot is raised: with skin wholly. Bare bones stand where they are planned to, and are raised as
    /// far as they fly or have rolled off the ground.
    pub(super) fn lift_share(&self, foot: &FootAt) -> f32 {
        let [begins, ends] = ROLLED;
        let rolled = smoothstep((foot.pitch.abs() - begins) / (ends - begins));
        if self.character.leg_skin.is_some() { 1.0 } else { 1.0 - foot.stands * (1.0 - rolled) }
    }

    /// Raises what is needed where skin is still in the ground; whether there was any.
    fn needed_lifts(&self, ground: &dyn Ground, needed: &mut [Vec<f32>]) -> bool {
        // Bare bones have heels and balls, which are on the ground where they stand already.
        let bare;
        let (skin, stand_lifts) = match &self.character.leg_skin {
            Some(skin) => (skin, true),
            None => {
                bare = LegSkin::of_bones(&self.character.rig);
                (&bare, false)
            }
        };
        let leg = self.character.leg_length;
        let mut frame = CreatureFrame::new(&self.character.rig);
        let mut any = false;
        let points: Vec<&SkinPoint> = skin
            .points()
            .iter()
            .filter(|point| point.with_foot > if stand_lifts { LEAST_SHARE } else { 0.5 })
            .collect();
        let mut places = vec![Vec3A::ZERO; points.len()];
        for i in self.first_row()..self.times() {
            let t = i as f32 / SETTLED_RATE;
            self.pose_at(t, &mut frame);
            let mut lacks = [0.0_f32; MOST_LEGS];
            let mut lowest = [f32::INFINITY; MOST_LEGS];
            let root = frame.pose.root;
            for (point, place) in points.iter().zip(&mut places) {
                *place = root.transform_point(point.place(&frame.model));
                lowest[point.leg.index()] = lowest[point.leg.index()].min(place.y);
            }
            for (point, place) in points.iter().zip(&places) {
                if place.y > lowest[point.leg.index()] + DEEPEST * leg {
                    continue;
                }
                let soft = match (stand_lifts, point.foreign) {
                    (false, _) => SOFT_BARE,
                    (true, true) => SOFT_FOREIGN,
                    (true, false) => SOFT,
                } * leg;
                let deep = self.depth(*place, t, ground) - soft;
                if deep <= 0.0 || (deep > RISER * leg && self.in_riser(*place, deep, t, ground)) {
                    continue;
                }
                let lack = &mut lacks[point.leg.index()];
                *lack = lack.max(deep / point.with_foot.max(0.5));
            }
            let lifts = |k: &usize| lacks[*k] > 0.0 && self.lift_share(&frame.feet[*k]) > LEAST_LIFTED;
            for (k, needed) in needed.iter_mut().enumerate().filter(|(k, _)| lifts(k)) {
                any |= lacks[k] > 0.1 * SOFT * leg;
                let now = self.lifted.get(k).map_or(0.0, |lifted| lifted[i]);
                let most = match frame.feet[k].flight {
                    Some(_) => MOST[1],
                    None if self.character.rig.legs[k].goes_with_shin() => MOST_TILTED,
                    None => MOST[0],
                } * leg;
                needed[i] = needed[i].max((now + lacks[k] / self.lift_share(&frame.feet[k])).min(most));
            }
        }
        any
    }

    /// How deep a point is in the ground, metres; below 0 over it.
    pub(super) fn depth(&self, place: Vec3A, t: f32, ground: &dyn Ground) -> f32 {
        let leg = self.character.leg_length;
        let above = Vec3::from(place) + DEEPEST * leg * Vec3::Y;
        ground.below(above, 2.0 * leg, t).map_or(0.0, |hit| hit.point.y - place.y)
    }

    /// Whether a point so deep in the ground is free half as far aside.
    pub(super) fn in_riser(&self, place: Vec3A, deep: f32, t: f32, ground: &dyn Ground) -> bool {
        let aside = 0.5 * deep;
        let ways = [Vec3A::X, Vec3A::Z, -Vec3A::X, -Vec3A::Z];
        ways.iter().any(|way| self.depth(place + aside * *way, t, ground) < 0.1 * deep)
    }
}
