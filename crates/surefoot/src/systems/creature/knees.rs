//! Bodies raised so far that no knee is in the ground: legs that are folded, or kneel as a clip has them, hang lower than their feet.

use super::motion::SETTLED_RATE;
use super::{CreatureFrame, CreatureMotion};
use crate::rig::SkinPoint;
use crate::world::Ground;

/// Skin of legs above their feet may be so deep in the ground, as a share of the hips' height: it is soft there, and who sits lies on it.
const SOFT: f32 = 0.02;
/// Bodies are raised for it by so much at most, likewise.
const MOST: f32 = 0.2;
/// Bodies are raised so often at most: knees follow by a part only.
const RISINGS: usize = 4;

impl CreatureMotion {
    /// Looks over the whole walk how deep the skin of legs above their feet is in the ground, and raises the body by that, in
    /// time, as far as the legs that stand reach; whether there was any.
    pub(super) fn rise_off_knees(&mut self, ground: &dyn Ground) -> bool {
        let hip = self.character.stand.hips_at;
        let mut risen = false;
        let known = self.raised.clone();
        let mut needed = vec![0.0_f32; self.times()];
        for _ in 0..RISINGS {
            if !self.knees_in_ground(ground, &mut needed) {
                break;
            }
            risen = true;
            needed.iter_mut().for_each(|needed| *needed = needed.min(MOST * hip));
            let more = self.settling().run(&needed);
            let raised = (0..more.len()).map(|i| known.get(i).copied().unwrap_or(0.0) + more[i]).collect();
            self.raised = self.passed(raised, |motion| &motion.raised, |a, b, x| a + x * (b - a));
            self.settle();
        }
        risen
    }

    /// Adds what skin of legs above their feet is in the ground by; whether there was any.
    fn knees_in_ground(&self, ground: &dyn Ground, needed: &mut [f32]) -> bool {
        let Some(skin) = &self.character.leg_skin else { return false };
        let soft = SOFT * self.character.stand.hips_at;
        let points: Vec<&SkinPoint> = skin.points().iter().filter(|point| !point.in_foot).collect();
        let mut frame = CreatureFrame::new(&self.character.rig);
        let mut any = false;
        for (i, needed) in needed.iter_mut().enumerate().skip(self.first_row()) {
            let t = i as f32 / SETTLED_RATE;
            self.pose_at(t, &mut frame);
            let root = frame.pose.root;
            let deep = |point: &&SkinPoint| {
                let place = root.transform_point(point.place(&frame.model));
                let deep = self.depth(place, t, ground) - soft;
                if deep > 0.0 && !self.in_riser(place, deep, t, ground) { deep } else { 0.0 }
            };
            let deepest = points.iter().map(deep).fold(0.0, f32::max);
            *needed += deepest;
            any |= deepest > 0.1 * soft;
        }
        any
    }
}
