//! Toes that would go into the ground bend up, as those of a shoe do.

use super::foot_path::HeldFoot;
use crate::foot::clear_swings;
use crate::math::{Rigid, floor, quat, single, smoothstep};
use crate::metrics::POP_FACTOR;
use crate::motion::{Clip, FootTrack, Stance, Take, stance};
use crate::rig::{JointId, LegId, ModelPose, Rig};
use crate::world::GroundAlong;
use glam::{Quat, Vec3, Vec3A};

/// Tips may be so much deeper than they were, in leg lengths: a millimetre or two of a person.
const DEEPER: f32 = 0.002;

/// Over a ground that rises, toes bend no faster than this, radians a second: as fast as heels rise in a walk, 400°/s.
const FASTEST: f32 = 7.0;

/// Of what a joint may turn faster than it did, toes take this share: legs turn under them, too.
const WITHIN: f32 = 0.8;

/// How toes bend up over a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BendToes {
    /// They bend by this much at most, radians: as far as a person's toes do when the heel is high.
    pub most: f32,
    /// Time in which they go up and down again, seconds.
    pub ease: f32,
}

impl Default for BendToes {
    fn default() -> Self {
        Self { most: 60.0_f32.to_radians(), ease: 0.05 }
    }
}

/// Time either side over which the toes of a foot that stands on its ball are calmed, seconds: markers on toes tremble, toes that
/// bear a body do not.
const CALM: f32 = 0.08;
/// The same of a foot that swings.
const CALM_SWING: f32 = 0.025;

/// Calms the toes of feet that are held anew: most while their balls hold.
pub(super) fn calm(rig: &Rig, clip: &mut Clip, standing: &[HeldFoot<'_>]) {
    let (frames, rate) = (clip.frames(), clip.rate());
    let (most, least) = ((CALM * rate) as usize, (CALM_SWING * rate) as usize);
    for (leg, standing) in rig.legs.iter().zip(standing) {
        let Some(toe) = leg.toe.filter(|toe| *toe != leg.ankle()) else { continue };
        let mut reaches = vec![0; frames];
        for near in standing.around_new_holds(most) {
            reaches[near].fill(least);
        }
        for span in standing.on_ball() {
            for f in span.clone() {
                // It grows with the distance from where the ball comes down and leaves.
                reaches[f] = (least + (f - span.start).min(span.end - 1 - f)).min(most);
            }
        }
        if reaches.iter().all(|reach| *reach == 0) {
            continue;
        }
        let own: Vec<Quat> = (0..frames).map(|f| clip.frame(f)[toe.index()].rotation).collect();
        for (f, reach) in reaches.into_iter().enumerate().filter(|(_, reach)| *reach > 0) {
            // As far to the one side as to the other, so that toes that bend steadily go on as they do.
            let reach = reach.min(f).min(frames - 1 - f);
            let near = own[f - reach..=f + reach].iter().map(|other| quat::nearest_sign(own[f], *other));
            let sum = near.fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, other| sum + other);
            clip.frame_mut(f)[toe.index()].rotation = sum.normalize();
        }
    }
}

impl BendToes {
    /// Bends the toes of a take up where their tips are in the ground. Feet without a joint at their toes stay as they are.
    ///
    /// # Panics
    /// If the take was made for another skeleton.
    pub(crate) fn run(&self, rig: &Rig, take: &mut Take, below: &GroundAlong<'_>) {
        let rate = take.clip.rate();
        let lacks = |_: usize, tip: Vec3A, f: usize| {
            let ground = below.at(floor::of_point(tip), f as f32 / rate);
            ground.map_or(0.0, |hit| hit.point.y - tip.y)
        };
        self.bend(rig, &mut take.clip, &lacks, &|_| FASTEST);
    }

    /// Bends toes up where their tips are below where their feet stand next or stood last.
    ///
    /// # Panics
    /// If the take was made for another skeleton.
    pub(super) fn over_prints(&self, rig: &Rig, take: &mut Take) {
        let levels = levels(rig, take);
        let lacks = |leg: usize, tip: Vec3A, f: usize| levels[leg][f] - tip.y;
        self.bend(rig, &mut take.clip, &lacks, &|_| FASTEST);
    }

    /// Bends toes up where their tips are deeper under level ground at a height (metres) than they were `before`: a foot that
    /// is turned to stand takes its toes with it. `were` is where feet were before. They turn faster than they did by no more than a fifth and
    /// `margin`, radians a second, and rather stay too deep.
    ///
    /// # Panics
    /// If a clip was made for another skeleton, or one has more frames than the other.
    pub(super) fn no_deeper(
        &self,
        rig: &Rig,
        (before, were): (&Clip, &[FootTrack]),
        after: &mut Clip,
        (ground, margin): (f32, f32),
    ) {
        assert_eq!(before.frames(), after.frames(), "one and the same motion");
        let deeper = DEEPER * rig.leg_length();
        let deep = |tip: Vec3A| (ground - tip.y).max(0.0);
        let lacks = |leg: usize, tip: Vec3A, f: usize| deep(tip) - deep(were[leg].tips[f]) - deeper;
        let fastest = |toe: JointId| {
            let own = top_speed(before.rate(), before.frames(), |f| before.frame(f)[toe.index()].rotation);
            WITHIN * (margin + (POP_FACTOR - 1.0) * own)
        };
        self.bend(rig, after, &lacks, &fastest);
    }

    /// Bends toes up by what their tips lack, metres: `lacks` is told the leg, its tip and the frame. `fastest` is how fast they
    /// bend at most, radians a second, by their joint.
    fn bend(
        &self,
        rig: &Rig,
        clip: &mut Clip,
        lacks: &dyn Fn(usize, Vec3A, usize) -> f32,
        fastest: &dyn Fn(JointId) -> f32,
    ) {
        let skeleton = &rig.skeleton;
        let tracks = FootTrack::of_all(rig, clip);
        let (frames, rate) = (clip.frames(), clip.rate());
        let mut model = ModelPose::new(skeleton);
        for (i, (leg, track)) in rig.legs.iter().zip(&tracks).enumerate() {
            let Some(toe) = leg.toe.filter(|_| leg.foot.tip.is_some()) else { continue };
            let depths: Vec<f32> = (0..frames).map(|f| lacks(i, track.tips[f], f).max(0.0)).collect();
            let free = vec![false; frames];
            let rises = clear_swings(&depths, &free, (self.ease * rate).round() as usize);
            if rises.iter().all(|rise| *rise == 0.0) {
                continue;
            }
            let mut toes: Vec<Rigid> = Vec::with_capacity(frames);
            let chain = skeleton.chains_to([toe]);
            for f in 0..frames {
                model.compose_some(skeleton, clip.frame(f), &chain);
                toes.push(clip.roots()[f] * model[toe]);
            }
            let lever = |f: usize| track.tips[f] - toes[f].translation;
            let wanted = rises.iter().enumerate().map(|(f, rise)| self.angle(lever(f), *rise));
            let angles = no_steeper(wanted.collect(), fastest(toe) / rate);
            // A turn in world space is one of the toes' own space, before the joint's own.
            let bent = |f: usize, share: f32| {
                let own = toes[f].rotation.conjugate() * turn(lever(f), share * angles[f]) * toes[f].rotation;
                (clip.frame(f)[toe.index()].rotation * own).normalize()
            };
            // Where the way that they bend turns, too, they bend less.
            let most = fastest(toe) + top_speed(rate, frames, |f| clip.frame(f)[toe.index()].rotation);
            let share =
                [1.0, 0.7, 0.4, 0.2].into_iter().find(|share| top_speed(rate, frames, |f| bent(f, *share)) <= most);
            let Some(share) = share else { continue };
            let rotations: Vec<Quat> = (0..frames).map(|f| bent(f, share)).collect();
            for (f, rotation) in rotations.into_iter().enumerate().filter(|(f, _)| angles[*f] > 0.0) {
                clip.frame_mut(f)[toe.index()].rotation = rotation;
            }
        }
    }

    /// The angle that raises the end of a lever by `rise`, metres, in the upright plane through it, radians; less for one that
    /// hangs down, which has no such plane.
    fn angle(&self, lever: Vec3A, rise: f32) -> f32 {
        let length = lever.length();
        let steep = |y: f32| single::atan2(y, (length * length - y * y).max(0.0).sqrt());
        let ahead = floor::of_point(lever).length() / length.max(1e-9);
        let angle = (steep((lever.y + rise).min(length)) - steep(lever.y)).clamp(0.0, self.most);
        angle * smoothstep(2.0 * ahead)
    }
}

/// How high the ground is under each foot, by leg and frame, metres: where it stands next or stood last, whichever is nearer in
/// time; far below for a foot that never stands.
pub(super) fn levels(rig: &Rig, take: &Take) -> Vec<Vec<f32>> {
    let level = |leg: LegId, f: usize| {
        let t = f as f32 / take.clip.rate();
        let away = |stance: &&Stance| (stance.time.start - t).max(t - stance.time.end).max(0.0);
        let near = stance::of_leg(&take.stances, leg).min_by(|a, b| away(a).total_cmp(&away(b)));
        near.map_or(f32::NEG_INFINITY, |stance| stance.print.world_from_sole.translation.y)
    };
    rig.legs().map(|(leg, _)| (0..take.clip.frames()).map(|f| level(leg, f)).collect()).collect()
}

/// A turn of the end of a lever upwards, in the upright plane through it; none where there is no such plane.
fn turn(lever: Vec3A, angle: f32) -> Quat {
    let Some(axis) = lever.cross(Vec3A::Y).try_normalize() else { return Quat::IDENTITY };
    let (sin, cos) = single::sin_cos(0.5 * angle);
    let v = Vec3::from(axis) * sin;
    Quat::from_xyzw(v.x, v.y, v.z, cos)
}

/// The fastest that a joint turns, radians a second, `rotation` being its own by frame.
fn top_speed(rate: f32, frames: usize, rotation: impl Fn(usize) -> Quat) -> f32 {
    (1..frames).map(|f| quat::angle_between(rotation(f - 1), rotation(f))).fold(0.0, f32::max) * rate
}

/// Values that change by `step` at most from one to the next, and are nowhere more than they were.
fn no_steeper(mut values: Vec<f32>, step: f32) -> Vec<f32> {
    for f in 1..values.len() {
        values[f] = values[f].min(values[f - 1] + step);
    }
    for f in (1..values.len()).rev() {
        values[f - 1] = values[f - 1].min(values[f] + step);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lever_is_raised_by_what_is_asked_and_keeps_its_length_and_its_direction() {
        let toes = BendToes::default();
        let raised = |lever: Vec3A, rise: f32| turn(lever, toes.angle(lever, rise)) * lever;
        for (lever, rise) in [(Vec3A::new(0.0, -0.03, 0.07), 0.05), (Vec3A::new(0.05, 0.0, -0.03), 0.02)] {
            let turned = raised(lever, rise);
            assert!((turned.y - lever.y - rise).abs() < 1e-6, "{turned}");
            assert!((turned.length() - lever.length()).abs() < 1e-6, "{turned}");
            assert!(turned.cross(lever).dot(Vec3A::Y).abs() < 1e-6, "no turn aside: {turned}");
        }
        let most = raised(Vec3A::Z, 5.0);
        assert!((most.y - toes.most.sin()).abs() < 1e-6, "no farther than toes bend: {most}");
        assert_eq!(raised(Vec3A::ZERO, 0.1), Vec3A::ZERO);
        assert_eq!(raised(-Vec3A::Y, 0.1), -Vec3A::Y);
    }

    #[test]
    fn toes_bend_no_faster_than_they_may() {
        let angles = no_steeper(vec![0.0, 0.0, 1.0, 1.0, 0.1, 0.0], 0.2);
        assert!(angles.windows(2).all(|two| (two[1] - two[0]).abs() < 0.2 + 1e-6), "{angles:?}");
        assert!(angles[2] > 0.1 && angles[4] <= 0.1, "{angles:?}");
        assert!(no_steeper(Vec::new(), 1.0).is_empty());
    }
}
