//! How high a body rides: over what is under it, and no higher than in the walk that was drawn for it.

use super::motion::SETTLED_RATE;
use super::{CreatureFrame, CreatureMotion};
use crate::adapt::under_way;
use crate::character::StandLeg;
use crate::rig::{GRAVITY, JointId, ModelPose};
use crate::world::Ground;

/// Bodies between legs that hang keep this share of their height over what lies below them, and those between legs that are spread.
const KEEPS: [f32; 2] = [0.7, 0.95];
/// How high it rides is the mean of so many cycles either side, and of so many once more.
const MEANS: [f32; 2] = [0.5, 0.25];
/// It is held down to that from so much slower than under way on.
const SOON: f32 = 2.0;

impl CreatureMotion {
    /// Looks over the whole walk how far hips and belly come down to the ground between feet, and raises them over it in time;
    /// where they are higher than they ride in the walk that was drawn, as they are over short steps, it lowers them.
    pub(super) fn rise(&mut self, ground: &dyn Ground) {
        let (stand, leg) = (&self.character.stand, self.character.leg_length);
        let mut frame = CreatureFrame::new(&self.character.rig);
        let mut idle = ModelPose::new(&self.character.rig.skeleton);
        stand.pose.to_model(&self.character.rig.skeleton, &mut idle);
        // Joints that carry legs and are not on the floor already, with how near to it they may come.
        let of_legs = |joint: &JointId| stand.legs.iter().any(|leg| leg.chain.joints.contains(joint));
        let high = |joint: &JointId| idle[*joint].translation.y - stand.middle.y;
        // Low bodies between legs that are spread have nothing to give.
        let keeps = if stand.legs.iter().any(StandLeg::hangs) { KEEPS[0] } else { KEEPS[1] };
        let keeps = keeps * self.carry.rides.unwrap_or(1.0).min(1.0);
        let body: Vec<(JointId, f32)> = stand
            .bearing
            .iter()
            .filter(|joint| !of_legs(joint) && high(joint) > 0.3 * stand.hips_at)
            .map(|joint| (*joint, keeps * high(joint)))
            .collect();
        let (mut lacks, mut rides) = (Vec::new(), Vec::new());
        for i in self.first_row()..self.times() {
            let t = i as f32 / SETTLED_RATE;
            let root = self.before_legs(t, &mut frame);
            let lack = |(joint, room): &(JointId, f32)| {
                let point = root.transform_point(frame.model[*joint].translation);
                let above = glam::Vec3::from(point) + 0.3 * leg * glam::Vec3::Y;
                ground.below(above, leg, t).map_or(f32::NEG_INFINITY, |hit| hit.point.y + room - point.y)
            };
            lacks.push(body.iter().map(lack).fold(f32::NEG_INFINITY, f32::max));
            let trunk = frame.model[self.character.body_plan.trunk].translation;
            rides.push(self.rides_over(t, root.transform_point(trunk), ground));
        }
        let mut needed = self.known(|motion| &motion.raised);
        let mut over = vec![0.0; needed.len()];
        over.append(&mut rides);
        let over = MEANS.iter().fold(over, |over, reach| self.underfoot.mean(&over, *reach));
        let lower = |i: usize| over[i].max(0.0);
        let first = needed.len();
        needed.extend(lacks.iter().enumerate().map(|(k, lack)| (lack + lower(first + k)).max(0.0)));
        let raised = self.underfoot.hold(&needed, self.settling().run(&needed));
        let raised = raised.into_iter().enumerate().map(|(i, raised)| raised - lower(i)).collect();
        self.raised = self.passed(raised, |motion| &motion.raised, |a, b, x| a + x * (b - a));
    }

    /// How much higher its trunk is over the ground at a time (seconds) than it rides under way, metres; `trunk` is where, world.
    /// Nothing where it stands, or over nothing.
    fn rides_over(&self, t: f32, trunk: glam::Vec3A, ground: &dyn Ground) -> f32 {
        let Some(rides) = self.carry.rides else { return 0.0 };
        let (stand, moment) = (&self.character.stand, self.plan.course.at(t));
        let froude = moment.feet_speed(stand) / (GRAVITY * stand.hip).sqrt();
        let hit = ground.below(trunk.into(), 2.0 * stand.hips_at + self.character.leg_length, t);
        // Who rides lower than it stands comes down to that as it speeds up.
        let ride = rides.max(1.0 + under_way(froude) * (rides - 1.0)) * self.character.body_plan.trunk_at.y;
        hit.map_or(0.0, |hit| under_way(SOON * froude) * (trunk.y - hit.point.y - ride))
    }
}
