//! A walk that is led elsewhere while it goes on: planned anew from a moment on, and passed into without a jump.

use super::motion::SETTLED_RATE;
use super::{Creature, CreatureFrame, CreatureMotion};
use crate::math::{Rigid, quat, smoothstep};
use crate::plan::Path;
use crate::rig::Pose;
use crate::world::Ground;
use glam::{Quat, Vec3A};
use std::sync::Arc;

/// A body passes into what was planned anew within this, seconds of a person.
const PASSES: f32 = 0.5;

/// What a creature did before it was led elsewhere, and how it passes on from there.
#[derive(Clone, Debug)]
pub(super) struct Earlier {
    /// What it did.
    pub motion: CreatureMotion,
    /// Until when, seconds.
    pub until: f32,
    /// For how long it passes into what it does then, seconds.
    takes: f32,
    /// By joint: how its turn at that time was off what it would be, in its parent's space.
    turns: Vec<Quat>,
    /// The same of the body: by which turn, and how far, metres, world.
    body: (Quat, Vec3A),
}

impl Earlier {
    /// How much of what it did before is left at a time, from 1 to 0.
    pub(super) fn share(&self, t: f32) -> f32 {
        1.0 - smoothstep((t - self.until) / self.takes)
    }

    /// Turns joints towards where they were.
    pub(super) fn pass(&self, share: f32, pose: &mut Pose) {
        for (local, turn) in pose.locals.iter_mut().zip(&self.turns) {
            local.rotation = (quat::nlerp(Quat::IDENTITY, *turn, share) * local.rotation).normalize();
        }
    }

    /// Moves a body towards where it was.
    pub(super) fn pass_root(&self, share: f32, root: Rigid) -> Rigid {
        let (turn, moved) = self.body;
        let rotation = (quat::nlerp(Quat::IDENTITY, turn, share) * root.rotation).normalize();
        Rigid { rotation, translation: root.translation + share * moved }
    }
}

impl Creature {
    /// Leads a walk elsewhere from a time (seconds) on: along `path` from where it is then. What it did before stays as it was, to
    /// the bit; feet that are in the air or about to leave land where they should, and the body goes on for half a second as heads
    /// have seen it coming. Only what comes is planned, so that a long way can be walked in short pieces, each planned before the
    /// one before it ends; a game that keeps on doing so may drop what is long over by taking up the last piece alone.
    #[must_use]
    pub fn replan(&self, motion: &CreatureMotion, from: f32, path: &Path, ground: &dyn Ground) -> CreatureMotion {
        let stand = &motion.character.stand;
        let until = if from.is_finite() { from.clamp(0.0, motion.seconds()) } else { 0.0 };
        let takes = PASSES * stand.pace();
        let plan = self.steps.lead_on(stand, &motion.plan, until, path, ground);
        let mut next = self.begun(&motion.character, plan);
        next.field = motion.field.clone();
        let still =
            Earlier { motion: motion.clone(), until, takes, turns: Vec::new(), body: (Quat::IDENTITY, Vec3A::ZERO) };
        next.earlier = Some(Arc::new(still.clone()));
        self.finish(&mut next, ground);

        // What is left of a difference at that time fades.
        let [mut was, mut is] = [(); 2].map(|()| CreatureFrame::new(&motion.character.rig));
        motion.pose_at(until, &mut was);
        next.pose_at(until, &mut is);
        let turns = was.pose.locals.iter().zip(&is.pose.locals);
        let turns = turns.map(|(was, is)| quat::nearest_sign(Quat::IDENTITY, was.rotation * is.rotation.conjugate()));
        let [was_at, is_at] = [&was, &is].map(|frame| frame.pose.root);
        let turn = quat::nearest_sign(Quat::IDENTITY, was_at.rotation * is_at.rotation.conjugate());
        let body = (turn, was_at.translation - is_at.translation);
        next.earlier = Some(Arc::new(Earlier { turns: turns.collect(), body, ..still }));
        next
    }
}

impl CreatureMotion {
    /// The first of the even times that is planned here rather than earlier.
    pub(super) fn first_row(&self) -> usize {
        self.earlier.as_ref().map_or(0, |earlier| (earlier.until * SETTLED_RATE) as usize)
    }

    /// The first footfall of a leg that is planned here.
    pub(super) fn first_fall(&self, leg: usize) -> usize {
        let kept = |earlier: &Arc<Earlier>| {
            let falls = &self.plan.legs[leg];
            1 + falls[..falls.len() - 1].iter().take_while(|fall| fall.leaves() <= earlier.until).count()
        };
        self.earlier.as_ref().map_or(0, kept)
    }

    /// What is known already of something at even times.
    pub(super) fn known<T: Copy>(&self, of: impl Fn(&Self) -> &[T]) -> Vec<T> {
        let Some(earlier) = &self.earlier else { return Vec::new() };
        let (old, count) = (of(&earlier.motion), self.first_row());
        let Some(last) = old.last() else { return Vec::new() };
        (0..count).map(|i| *old.get(i).unwrap_or(last)).collect()
    }

    /// Something at even times, passing from what it would have been into what it is.
    pub(super) fn passed<T: Copy>(
        &self,
        new: Vec<T>,
        of: impl Fn(&Self) -> &[T],
        mix: impl Fn(T, T, f32) -> T,
    ) -> Vec<T> {
        let Some(earlier) = &self.earlier else { return new };
        let old = of(&earlier.motion);
        let Some(last) = old.last() else { return new };
        let mixed = |(i, new): (usize, T)| match earlier.share(i as f32 / SETTLED_RATE).min(1.0) {
            share if share > 0.0 => mix(new, *old.get(i).unwrap_or(last), share),
            _ => new,
        };
        new.into_iter().enumerate().map(mixed).collect()
    }
}
