//! Changing one's mind on the way: over a plan that was mended, from the frame that is shown, without a pop.

use super::{FootstepStages, Footstepped, Footsteps, FootstepsError, FootstepsReport};
use crate::adapt::footsteps::Mark;
use crate::ik::{LegChain, LegGoal};
use crate::library::strides::Strides;
use crate::math::{Rigid, smoothstep};
use crate::motion::{Clip, Stance, Take};
use crate::plan::footsteps::{FootstepPlan, PlannedFootsteps, PlannedPrint, PlannedStride};
use crate::rig::{ModelPose, Pose, Rig};
use crate::world::Ground;

/// Strides before the frame that is shown that are played again, so that the new motion goes as the old one by then.
const BEFORE: usize = 2;
/// The old motion goes over into the new one within this time at most, seconds.
const OVER: f32 = 0.3;

/// Which frames of the old and the new motion are one and the same moment.
struct Joined {
    /// The first print of the old motion that the new one has, too.
    first: usize,
    /// The frame that is shown.
    now: usize,
    /// Frame 0 of the new motion is this frame of the old one; before its start if negative.
    offset: isize,
    /// From this frame on everything is of the new one.
    gone: usize,
}

impl Footsteps {
    /// Goes on over a plan that was mended while motion was shown
    /// (`PlanFootsteps::mend`). Frames up to `now` stay as they are, to the bit; from
    /// there the old motion goes over into the new one, along with it in pose and speed, and feet that stand stay where they are.
    /// Prints that were kept stay where the old motion has them.
    ///
    /// # Errors
    /// As [`Footsteps::run`].
    pub fn replan(
        &self,
        strides: &Strides,
        old: &Footstepped,
        mended: &PlannedFootsteps,
        now: usize,
        ground: &dyn Ground,
    ) -> Result<Footstepped, FootstepsError> {
        super::check(strides, &mended.plan)?;
        let rate = old.take.clip.rate();
        let now = now.min(old.take.clip.frames().saturating_sub(1));
        let times = &old.stages.times;
        let plan = &mended.plan;
        let begun = |stride: &PlannedStride| {
            stride.first < mended.kept && times.get(stride.first).is_some_and(|time| time * rate <= now as f32)
        };
        let under_way = plan.strides.iter().rposition(begun).unwrap_or(0);
        let from = under_way.saturating_sub(BEFORE);
        let rest = rest_of(plan, from, &old.as_stood(mended.kept));
        let first = plan.strides[from].first;
        let mut new = self.run(strides, &rest, ground)?;
        // What was only held for now is nobody's print for ever.
        for stance in &mut new.take.stances {
            let own = |(k, time): (usize, &f32)| {
                let print = plan.prints.get(first + k)?.print;
                (print.leg == stance.leg() && stance.time.start <= *time && stance.time.end >= *time).then_some(print)
            };
            let print = new.stages.times.iter().enumerate().find_map(own);
            stance.print.pinned = print.is_some_and(|print| print.pinned);
        }
        // The same moment between the same two prints.
        let last =
            (first..mended.kept.min(times.len())).rev().find(|k| times[*k] * rate <= now as f32).unwrap_or(first);
        let share = match times.get(last + 1) {
            Some(next) => ((now as f32 / rate - times[last]) / (next - times[last]).max(1e-3)).clamp(0.0, 1.0),
            None => 0.0,
        };
        let own = |k: usize| new.stages.times.get(k - first).copied().unwrap_or(0.0);
        let at = own(last) + share * (own(last + 1) - own(last)).max(0.0);
        let offset = now.cast_signed() - (at * rate).round() as isize;
        // No foot lands elsewhere before the old motion is over.
        let lands = mended.kept.checked_sub(first).and_then(|kept| new.stages.times.get(kept));
        let lands = lands.map_or(usize::MAX, |time| ((time - 0.2) * rate) as usize);
        let over = ((OVER * rate) as usize).min(lands.saturating_add_signed(offset).saturating_sub(now)).max(2);
        let gone = (now + over).min(old.take.clip.frames() - 1);
        Ok(Joined { first, now, offset, gone }.join(&strides.rig, self, old, new, plan))
    }
}

impl Footstepped {
    /// The first prints as the motion stands on them.
    fn as_stood(&self, count: usize) -> Vec<Option<Rigid>> {
        let stood = |(time, mark): (&f32, &Mark)| {
            let own = self.take.stances.iter().find(|stance| {
                let at = stance.print.world_from_sole.translation.with_y(0.0);
                stance.time.start <= *time && stance.time.end >= *time && at.distance(mark.place().with_y(0.0)) < 1e-2
            });
            Some(own.map_or(mark.sole(), |stance| stance.print.world_from_sole))
        };
        self.stages.times.iter().zip(&self.stages.prints).take(count).map(stood).collect()
    }
}

/// What a plan has from one of its strides on, with prints that are stood on already where they are.
fn rest_of(plan: &FootstepPlan, from: usize, stood: &[Option<Rigid>]) -> FootstepPlan {
    let first = plan.strides[from].first;
    let begin = plan.prints[first].time;
    let print = |(k, planned): (usize, &PlannedPrint)| {
        let mut planned = PlannedPrint { time: planned.time - begin, ..*planned };
        if let Some(Some(sole)) = stood.get(k) {
            planned.print.world_from_sole = *sole;
            (planned.print.pinned, planned.fixed) = (true, true);
        }
        planned
    };
    let stride =
        |stride: &PlannedStride| PlannedStride { first: stride.first - first, last: stride.last - first, ..*stride };
    FootstepPlan {
        prints: plan.prints.iter().enumerate().skip(first).map(print).collect(),
        strides: plan.strides[from..].iter().map(stride).collect(),
        seconds: plan.seconds - begin,
    }
}

impl Joined {
    /// The frame of the new motion.
    fn of_new(&self, frame: usize, frames: usize) -> usize {
        frame.saturating_add_signed(-self.offset).min(frames - 1)
    }

    /// How much of a frame is the new motion's.
    fn share(&self, frame: usize) -> f32 {
        smoothstep((frame as f32 - self.now as f32) / (self.gone - self.now).max(1) as f32)
    }

    fn join(
        &self,
        rig: &Rig,
        how: &Footsteps,
        old: &Footstepped,
        new: Footstepped,
        plan: &FootstepPlan,
    ) -> Footstepped {
        let take = Take {
            clip: self.clip(rig, how, &old.take.clip, &new.take.clip),
            stances: self.stances(&old.take, &new.take),
            ..old.take.clone()
        };
        let begin = plan.prints[self.first].time;
        let marks = |old: &[Mark], new: Vec<Mark>| {
            let later = new.into_iter().map(|mark| Mark { time: mark.time + begin, ..mark });
            old[..self.first.min(old.len())].iter().copied().chain(later).collect()
        };
        let rate = take.clip.rate();
        let (stages, was) = (new.stages, &old.stages);
        let later = |times: Vec<f32>| -> Vec<f32> {
            let kept = was.times[..self.first.min(was.times.len())].iter().copied();
            kept.chain(times.into_iter().map(|time| time + self.offset as f32 / rate)).collect()
        };
        let times = later(stages.times);
        let mut prints: Vec<Mark> = marks(&was.prints, stages.prints);
        prints.iter_mut().zip(&times).for_each(|(mark, time)| mark.time = *time);
        let stages = FootstepStages {
            planned: marks(&was.planned, stages.planned),
            smoothed: marks(&was.smoothed, stages.smoothed),
            played: self.by_frame(&was.played, &stages.played),
            played_prints: self.by_print(&was.played_prints, &stages.played_prints),
            refined: marks(&was.refined, stages.refined),
            planned_turns: self.by_print(&was.planned_turns, &stages.planned_turns),
            turns: self.by_print(&was.turns, &stages.turns),
            speeds: self.by_print(&was.speeds, &stages.speeds),
            blended: self.by_frame(&was.blended, &stages.blended),
            blended_prints: self.by_print(&was.blended_prints, &stages.blended_prints),
            prints,
            times,
            traced: self.by_frame(&was.traced, &stages.traced),
            body: self.by_frame(&was.body, &stages.body),
        };
        let report = FootstepsReport {
            prints: plan.prints.len(),
            frames: take.clip.frames(),
            seconds: take.clip.duration(),
            ..new.report
        };
        Footstepped {
            pelvis: self.by_frame(&old.pelvis, &new.pelvis),
            missed: self.by_frame(&old.missed, &new.missed),
            take,
            report,
            stages,
        }
    }

    fn by_print<T: Copy>(&self, old: &[T], new: &[T]) -> Vec<T> {
        old.iter().take(self.first).chain(new).copied().collect()
    }

    fn by_frame<T: Copy>(&self, old: &[T], new: &[T]) -> Vec<T> {
        if new.is_empty() {
            return Vec::new();
        }
        let rest = new.iter().skip(self.of_new(self.now + 1, new.len()));
        old.iter().take(self.now + 1).chain(rest).copied().collect()
    }

    fn clip(&self, rig: &Rig, how: &Footsteps, old: &Clip, new: &Clip) -> Clip {
        let skeleton = &rig.skeleton;
        let end = new.frames().saturating_add_signed(self.offset).max(self.now + 1);
        let limbs: Vec<LegChain> = rig.legs.iter().map(LegChain::of_rig).collect();
        let mut locals: Vec<Rigid> = Vec::with_capacity(end * skeleton.len());
        locals.extend((0..=self.now).flat_map(|f| old.frame(f)));
        let mut pose = Pose::rest(skeleton);
        let mut models = [(); 3].map(|()| ModelPose::new(skeleton));
        let mut roots: Vec<Rigid> = old.roots()[..=self.now].to_vec();
        for f in self.now + 1..end {
            let g = self.of_new(f, new.frames());
            if f >= self.gone {
                locals.extend(new.frame(g));
                roots.push(new.roots()[g]);
                continue;
            }
            let share = self.share(f);
            pose.root = old.roots()[f].lerp(new.roots()[g], share);
            let mixed = old.frame(f).iter().zip(new.frame(g)).map(|(a, b)| a.lerp(*b, share));
            pose.locals.iter_mut().zip(mixed).for_each(|(local, mixed)| *local = mixed);
            // Feet where they are between both: those that stand do so in both.
            let [was, is, model] = &mut models;
            for (clip, frame, model) in [(old, f, was), (new, g, is)] {
                let own = Pose { root: clip.roots()[frame], locals: clip.frame(frame).to_vec() };
                own.to_model(skeleton, model);
            }
            pose.to_model(skeleton, model);
            for limb in &limbs {
                let [a, b] =
                    [(&models[0], old.roots()[f]), (&models[1], new.roots()[g])].map(|(m, root)| root * m[limb.ankle]);
                let ankle = pose.root.inverse() * a.lerp(b, share);
                how.clean.legs.run(skeleton, limb, &mut pose, &mut models[2], LegGoal::from(ankle));
            }
            locals.extend_from_slice(&pose.locals);
            roots.push(pose.root);
        }
        let mut clip = Clip::new(skeleton, old.name(), old.rate(), locals).expect("mixes of rigid poses are rigid");
        clip.roots_mut().copy_from_slice(&roots);
        clip
    }

    /// Stances of both: those that are under way begin as they did, and end as they will.
    fn stances(&self, old: &Take, new: &Take) -> Vec<Stance> {
        let rate = old.clip.rate();
        let (now, by) = (self.now as f32 / rate, self.offset as f32 / rate);
        let mut all: Vec<Stance> = old.stances.iter().filter(|stance| stance.time.start <= now).copied().collect();
        for stance in &new.stances {
            let later = Stance {
                time: stance.time.later(by),
                heel: stance.heel.map(|span| span.later(by)),
                ball: stance.ball.map(|span| span.later(by)),
                ..*stance
            };
            let same = |own: &&mut Stance| {
                let far = own.print.world_from_sole.translation.distance(later.print.world_from_sole.translation);
                own.leg() == later.leg() && far < 0.02 && own.time.shared(later.time).is_some()
            };
            match all.iter_mut().find(same) {
                Some(own) if own.time.end > now => {
                    own.time.end = later.time.end;
                    own.open = later.open;
                    for (own, later) in [(&mut own.heel, later.heel), (&mut own.ball, later.ball)] {
                        if let (Some(own), Some(later)) = (own.as_mut(), later)
                            && own.end > now
                        {
                            own.end = later.end.max(now);
                        }
                    }
                }
                Some(_) => {}
                None if later.time.start > now => all.push(later),
                None => {}
            }
        }
        all.sort_by(|a, b| a.leg().cmp(&b.leg()).then(a.strike().total_cmp(&b.strike())));
        all
    }
}
