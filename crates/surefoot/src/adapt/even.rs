//! Walks on the spot whose bodies go evenly over feet that go as they were drawn: as far as legs can follow, and no joint is thrown for it.

use super::clean::{Clean, Cleaned};
use crate::analyse::{Studied, Tread};
use crate::ik::{LegChain, LegGoal};
use crate::math::{Rigid, smoothstep};
use crate::metrics::worst_pop_in;
use crate::motion::{Stance, Take};
use crate::rig::{ModelPose, Pose};

/// Shares of what legs can follow by which bodies go more evenly, the first that throws no joint: knees that are drawn straight give
/// nothing.
pub(crate) const SHARES: [f32; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];

/// What is made of a clip that was studied by a share of how evenly it may go, and how far a joint is over its speed then, rad/s: as
/// evenly as is good for its joints. Clips that do not walk on the spot are made once.
pub(crate) fn evenest<T>(studied: &Studied, mut make: impl FnMut(f32) -> (f32, T)) -> T {
    let uneven = studied.cycle.as_ref().and_then(|cycle| cycle.tread.as_ref()).is_some_and(|tread| !tread.even);
    let (mut least, mut best) = make(SHARES[0]);
    for share in SHARES.into_iter().skip(1).filter(|_| uneven) {
        if least <= 0.0 {
            break;
        }
        let (over, other) = make(share);
        if over < least {
            (least, best) = (over, other);
        }
    }
    best
}

impl Clean {
    /// Holds every stance of a clip that was studied; one that walks on the spot goes more evenly than its feet, which were drawn to
    /// stop and go.
    pub(crate) fn run_evenly(&self, studied: &Studied) -> Cleaned {
        evenest(studied, |share| {
            let cleaned = self.run(&studied.rig, &self.led(studied, share).0);
            let [before, after] = [&studied.take.clip, &cleaned.take.clip];
            (worst_pop_in(&studied.rig.skeleton, before, after, studied.frames()).over(), cleaned)
        })
    }

    /// The take of a clip that was studied, its body led by a share of how evenly it may go over feet that stay where they are, and what
    /// it goes by then; one that does not walk on the spot is as it is.
    pub(crate) fn led(&self, studied: &Studied, share: f32) -> (Take, Option<Tread>) {
        let mut take = studied.take.clone();
        let Some((tread, led)) = studied.evened(share) else { return (take, None) };
        if led.iter().all(|by| by.length_squared() == 0.0) {
            return (take, Some(tread));
        }
        let skeleton = &studied.rig.skeleton;
        let limbs: Vec<LegChain> = studied.rig.legs.iter().map(LegChain::of_rig).collect();
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
        let mut goals = Vec::with_capacity(limbs.len());
        for f in 0..take.clip.frames() {
            let by = led[f % led.len()];
            let back = take.clip.roots()[f].inverse().transform_vector(-by);
            pose.locals.copy_from_slice(take.clip.frame(f));
            pose.to_model(skeleton, &mut model);
            goals.clear();
            goals.extend(limbs.iter().enumerate().map(|(k, limb)| {
                // Feet that stand stay behind by what their body is led by; those that fly go with it.
                let stays = near_ground(&studied.take, k, f as f32 / studied.take.clip.rate());
                let behind = Rigid::from_translation(stays * back);
                LegGoal {
                    ankle: behind * model[limb.ankle],
                    end: Some(behind.transform_point(limb.end(&model))),
                    turn_over: false,
                }
            }));
            for (limb, goal) in limbs.iter().zip(&goals) {
                self.legs.run(skeleton, limb, &mut pose, &mut model, *goal);
            }
            take.clip.frame_mut(f).copy_from_slice(&pose.locals);
            // It begins where it did, and so its prints are what moves.
            take.clip.roots_mut()[f].translation += by - led[0];
        }
        let prints = Rigid::from_translation(-led[0]);
        take.stances.iter_mut().filter(|stance| !stance.print.pinned).for_each(|stance| stance.transform(prints));
        (take, Some(tread))
    }
}

/// A foot that leaves is the ground's for the first share of its flight, while it is low, and its body's from the second on; likewise
/// before it lands.
const GOES_OVER: [f32; 2] = [0.12, 0.45];

/// How much a foot is the ground's rather than its body's at a time, seconds, from 0 to 1.
fn near_ground(take: &Take, leg: usize, time: f32) -> f32 {
    let own = || take.stances.iter().filter(|stance| stance.leg().index() == leg);
    let left = own().map(Stance::off).filter(|off| *off <= time).fold(f32::NEG_INFINITY, f32::max);
    let lands = own().map(Stance::strike).filter(|strike| *strike >= time).fold(f32::INFINITY, f32::min);
    if own().any(|stance| (stance.strike()..=stance.off()).contains(&time)) {
        return 1.0;
    }
    // At the ends of a take one of them is not known.
    let (since, until) = (time - left, lands - time);
    let flight = if (since + until).is_finite() { since + until } else { 2.0 * since.min(until) };
    let [low, high] = GOES_OVER;
    let near = |away: f32| 1.0 - smoothstep((away / flight.max(1e-6) - low) / (high - low));
    near(since).max(near(until))
}
