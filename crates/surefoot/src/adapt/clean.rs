//! Clean-up: every stance held at its print, everything else changed as little and as smoothly as can be.

use super::foot_path::{FootPath, HIGH, HeldFoot, Rolling, Under};
use super::free_legs;
use super::pelvis::Moved;
use super::soft_knees::{GivesWay, SoftKnees};
use super::toes::BendToes;
use super::{is_drawn, knee, pelvis, toes};
use crate::ik::{BendLeg, LegChain, LegEnd, LegGoal, TwoBone};
use crate::math::{Rigid, quat};
use crate::metrics::{POP_MARGIN, SNAP};
use crate::motion::{Clip, FootTrack, Stance, StanceFrames, Take};
use crate::rig::{Foot, JointId, Leg, LegId, ModelPose, Pose, Rig, Scale, Skeleton};
use crate::world::GroundAlong;
use glam::{Quat, Vec3, Vec3A};
use std::ops::Range;

/// How feet are cleaned. Lengths are a person's ([`crate::rig::Scale`]).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Clean {
    /// Stances this near to the ground are put on it, metres; farther ones stand on something and keep their height.
    pub snap: f32,
    /// Longest time over which a foot eases into its print and out of it, seconds.
    pub ease: f32,
    /// Time over which a foot rolls from heel to flat to ball, seconds.
    pub roll: f32,
    /// Time either side over which the rotation of a rolling foot is smoothed, seconds.
    pub calm: f32,
    /// A stance that is cut by the clip's ends and of which less than this is left is held, but not slowed down for,
    /// seconds.
    pub brief: f32,
    /// A foot that flies flat and lower than this over level ground drags, and is raised to it, metres; 0 leaves it as it is.
    pub drags: f32,
    /// The pelvis goes down by this much at most so that legs reach, metres.
    pub lower: f32,
    /// How body and swinging feet give way where a held foot would jerk its knee in a clip that was drawn, which has few frames a
    /// second. It costs some of them more than it gives.
    pub drawn: GivesWay,
    /// Toes that bend up to stay out of the ground may turn faster than they did by a fifth and so much, radians a second.
    pub toes: f32,
    /// How legs bend: within the plane they are in, so that no knee swings that did not.
    pub legs: BendLeg,
}

/// Legs that keep their plane.
const IN_PLANE: BendLeg = BendLeg { stretch: TwoBone { soft: 0.992 }, hip_weight: 0.0, ankle_weight: 0.0 };

impl Default for Clean {
    fn default() -> Self {
        Self {
            snap: SNAP,
            ease: 0.2,
            roll: 0.15,
            calm: 0.03,
            brief: 0.025,
            drags: 0.0,
            lower: 0.06,
            drawn: GivesWay::No,
            toes: POP_MARGIN,
            legs: IN_PLANE,
        }
    }
}

/// A cleaned take and what it took.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Cleaned {
    /// The motion; its stances are those that are held.
    pub take: Take,
    /// How the pelvis was moved, by frame, metres, world.
    pub pelvis: Vec<Vec3A>,
    /// Greatest distance by which a held foot missed its place, by frame, metres.
    pub missed: Vec<f32>,
    /// Greatest distance by which the pelvis or an ankle was moved, metres.
    pub moved: f32,
}

/// How a foot is led away from where a clip has it: turned about the vertical through its sole, then shifted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FootLead {
    /// Metres, world.
    pub(crate) shift: Vec3A,
    /// Radians, left positive.
    pub(crate) turn: f32,
}

impl FootLead {
    /// The ankle of a foot that is led.
    pub(crate) fn led(&self, ankle: Rigid, foot: &Foot) -> Rigid {
        let sole = ankle.transform_point(0.5 * (foot.heel + foot.ball));
        let turn = quat::from_heading(self.turn);
        Rigid {
            rotation: (turn * ankle.rotation).normalize(),
            translation: sole + turn * (ankle.translation - sole) + self.shift,
        }
    }

    /// A lead between this and another.
    pub(crate) fn towards(&self, other: &Self, share: f32) -> Self {
        Self { shift: self.shift.lerp(other.shift, share), turn: self.turn + share * (other.turn - self.turn) }
    }
}

/// Where feet fly otherwise than in a clip, and over which ground.
#[derive(Clone, Copy)]
struct Over<'a> {
    feet: Feet<'a>,
    below: &'a GroundAlong<'a>,
}

/// Whether a take is cleaned for the first time, or again, for what showed only then: what gave way the first time does so no more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    First,
    Again,
}

/// How feet fly, by leg and frame.
#[derive(Clone, Copy)]
enum Feet<'a> {
    /// So much higher while they are free, metres.
    Raised(&'a [Vec<f32>]),
    /// Led elsewhere.
    Led(&'a [Vec<FootLead>]),
}

impl Over<'_> {
    /// Where ankles are that are led, by leg and frame.
    fn led(&self, rig: &Rig, tracks: &[FootTrack]) -> Option<Vec<Vec<Rigid>>> {
        let Feet::Led(leads) = self.feet else { return None };
        let of = |((leads, track), leg): ((&Vec<FootLead>, &FootTrack), &Leg)| {
            leads.iter().zip(&track.ankles).map(|(lead, ankle)| lead.led(*ankle, &leg.foot)).collect()
        };
        Some(leads.iter().zip(tracks).zip(&rig.legs).map(of).collect())
    }
}

/// A foot that comes and goes may be so deep in the ground next to its stance, metres of a person: raising it for less is a
/// twitch that people see, and so little depth is not.
const GRAZES: f32 = 0.004;

/// A foot that flies lower than this is low, metres of a person.
const LOW: f32 = 0.025;

/// A foot this near to the ground does not come nearer for its knee's sake, metres of a person: wide soles touch it with their edges.
const CLOSE: f32 = 0.01;

/// A clip of which nothing would be moved farther than this is clean, metres.
const SETTLED: f32 = 2.5e-4;

/// A leg reaches what is within this share of its length.
const REACHED: f32 = 0.99;

impl Clean {
    /// Holds every stance of a take at its print, on level ground where it is near it.
    ///
    /// # Panics
    /// If the take was made for another skeleton.
    #[must_use]
    pub fn run(&self, rig: &Rig, take: &Take) -> Cleaned {
        self.run_leaving(rig, take, &[], Pass::First)
    }

    /// The same, but that feet stay as they are in stances that are `left`, by stance; none if there are fewer.
    pub(crate) fn run_leaving(&self, rig: &Rig, take: &Take, left: &[bool], pass: Pass) -> Cleaned {
        self.hold(rig, take, (self.grounded(take, rig.scale()), left), None, pass)
    }

    /// Holds every stance of a take that was laid on a ground at its print, as it is, and keeps free feet out of the ground.
    /// `raised` is how much higher than in the clip each foot flies, by leg and frame, metres.
    ///
    /// # Panics
    /// If the take was made for another skeleton, or there is not a height for each leg and frame.
    #[must_use]
    pub fn run_laid(&self, rig: &Rig, take: &Take, raised: &[Vec<f32>], below: &GroundAlong<'_>) -> Cleaned {
        assert!(
            raised.len() == rig.legs.len() && raised.iter().all(|leg| leg.len() == take.clip.frames()),
            "by leg and frame"
        );
        let over = Over { feet: Feet::Raised(raised), below };
        self.hold(rig, take, (take.stances.clone(), &[]), Some(over), Pass::First)
    }

    /// Holds every stance of a take at its print, which may be far from where the clip has its foot: `leads` say how each foot is
    /// led there, by leg and frame.
    ///
    /// # Panics
    /// If the take was made for another skeleton, or there is not a lead for each leg and frame.
    #[must_use]
    pub(crate) fn run_led(&self, rig: &Rig, take: &Take, leads: &[Vec<FootLead>], below: &GroundAlong<'_>) -> Cleaned {
        assert!(
            leads.len() == rig.legs.len() && leads.iter().all(|leg| leg.len() == take.clip.frames()),
            "by leg and frame"
        );
        let over = Over { feet: Feet::Led(leads), below };
        self.hold(rig, take, (take.stances.clone(), &[]), Some(over), Pass::First)
    }

    /// `laid` is where feet fly otherwise than in the clip, and over which ground, if it is not level.
    fn hold(
        &self,
        rig: &Rig,
        take: &Take,
        (mut stances, left): (Vec<Stance>, &[bool]),
        laid: Option<Over<'_>>,
        pass: Pass,
    ) -> Cleaned {
        let clip = &take.clip;
        assert_eq!(clip.skeleton(), rig.skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let scale = rig.scale();
        let rate = clip.rate();
        let tracks = FootTrack::of_all(rig, clip);
        let led: Option<Vec<Vec<Rigid>>> = laid.and_then(|over| over.led(rig, &tracks));
        let sources: Vec<&[Rigid]> = match &led {
            Some(led) => led.iter().map(Vec::as_slice).collect(),
            None => tracks.iter().map(|track| track.ankles.as_slice()).collect(),
        };
        let rolling = Rolling {
            roll: self.roll * rate,
            calm: (self.calm * rate).round() as usize,
            brief: (self.brief * rate).round() as usize,
        };
        let limbs: Vec<LegChain> = rig.legs.iter().map(LegChain::of_rig).collect();
        let chains = knee::chains(rig, &limbs, clip);
        let held = |stances: &[Stance]| -> Vec<HeldFoot<'_>> {
            let of = |((id, leg), source): ((LegId, _), &&[Rigid])| {
                let left = left.iter().copied().chain(std::iter::repeat(false));
                let own = stances.iter().zip(left).filter(|(stance, _)| stance.leg() == id);
                HeldFoot::new(leg, own, (clip, *source), rolling)
            };
            rig.legs().zip(&sources).map(of).collect()
        };
        let mut standing = held(&stances);
        if self.release(rig, clip, &chains, &standing, &mut stances) {
            standing = held(&stances);
        }

        // The body moves so that standing legs keep their shape; free feet move with it.
        let hips: Vec<Vec<Vec3A>> = chains.iter().map(|chain| chain.iter().map(|leg| leg.hip).collect()).collect();
        let mut numbers = vec![0..; rig.legs.len()];
        let mut is_there = |stance: &Stance| {
            let leg = stance.leg().index();
            numbers[leg].next().is_some_and(|number: usize| standing[leg].is_there(number, sources[leg]))
        };
        let there: Vec<bool> = stances.iter().map(&mut is_there).collect();
        let rise = pelvis::rise(clip, &take.stances, &stances, &there);
        let mut moved = pelvis::steady(clip, turning_pelvis(rig).is_some(), &hips, &sources, &standing);
        moved.by.iter_mut().zip(&rise).for_each(|(moved, rise)| moved.y += *rise);
        let mut shifts = moved.hips(&hips);
        let path = |(leg, (standing, source)): (usize, (&HeldFoot<'_>, &&[Rigid]))| {
            let moved = |(ankle, shift): (&Rigid, &Vec3A)| Rigid { translation: ankle.translation + *shift, ..*ankle };
            let mut free: Vec<Rigid> = source.iter().zip(&shifts[leg]).map(moved).collect();
            if let Some(Over { feet: Feet::Raised(raised), .. }) = laid {
                free.iter_mut().zip(&raised[leg]).for_each(|(ankle, raised)| ankle.translation.y += raised);
            }
            let graze = if is_drawn(rate) { 0.0 } else { scale.length(GRAZES) };
            let under = laid.map_or(Under::Level { graze }, |over| Under::Ground(over.below));
            let mut path = standing.path(&free, self.ease * rate, rate, &under);
            if laid.is_none() && self.drags > 0.0 {
                path.undrag(&rig.legs[leg], take.ground, scale.length(self.drags), rate);
            }
            if laid.is_none() && !is_drawn(rate) && pass == Pass::First {
                let stands = risen(clip, leg, &take.stances, &stances);
                path.keep_high(&rig.legs[leg], source, &stands, (take.ground, scale.length(LOW)), rate);
            }
            path
        };
        let mut paths: Vec<FootPath> = standing.iter().zip(&sources).enumerate().map(path).collect();
        // Where the ends of legs should be: a foot that does not hang from its leg keeps its distance from the leg's end.
        let mut targets: Vec<Vec<Vec3A>> = (0..rig.legs.len())
            .map(|l| {
                let at = |f: usize| {
                    let gap = chains[l][f].end - tracks[l].ankles[f].translation;
                    end_at(&limbs[l], paths[l].ankles[f], gap)
                };
                (0..clip.frames()).map(at).collect()
            })
            .collect();
        let lowered =
            pelvis::lowered(self.legs.stretch, scale.length(self.lower), clip, &chains, (&paths, &targets), &shifts);
        let down = |way: &mut Vec<Vec3A>| way.iter_mut().zip(&lowered).for_each(|(moved, lowered)| moved.y -= lowered);
        shifts.iter_mut().chain([&mut moved.by]).for_each(down);
        if laid.is_none() {
            let high = take.ground + HIGH * rig.leg_length();
            for ((track, path), ends) in tracks.iter().zip(&mut paths).zip(&mut targets) {
                path.go_down(track, high, rate, &lowered, ends);
            }
        }
        if laid.is_none() && is_drawn(rate) && self.drawn != GivesWay::No {
            let near = (take.ground, scale.length(LOW));
            let hips = chains.iter().zip(&shifts);
            for (((hips, track), path), ends) in hips.zip(&tracks).zip(&mut paths).zip(&mut targets) {
                free_legs::keep_length(rate, hips, track, path, ends, near);
            }
        }
        // What is led far falls short of its way while it swings.
        if laid.is_some_and(|over| matches!(over.feet, Feet::Led(_))) && !is_drawn(rate) {
            for ((chain, path), (targets, shift)) in chains.iter().zip(&mut paths).zip(targets.iter_mut().zip(&shifts))
            {
                free_legs::keep_bent(rate, chain, path, targets, shift);
            }
        }
        let feet = paths.iter().zip(&sources).flat_map(|(path, source)| path.ankles.iter().zip(*source));
        let feet = feet.map(|(to, from)| (to.translation - from.translation).length());
        let farthest = feet.chain(shifts.iter().flatten().map(|shift| shift.length())).fold(0.0, f32::max);
        if farthest < SETTLED {
            // Clean already: it stays as it is, to the bit.
            let still = vec![Vec3A::ZERO; clip.frames()];
            let take = Take { stances, ..take.clone() };
            return Cleaned { take, pelvis: still, missed: vec![0.0; clip.frames()], moved: 0.0 };
        }
        let fresh: Vec<Vec<bool>> =
            standing.iter().map(|standing| fresh(standing, clip.frames(), self.ease * rate)).collect();
        if laid.is_none() && (!is_drawn(rate) || self.drawn != GivesWay::No) {
            let near = (take.ground, scale.length(CLOSE));
            let gives = if is_drawn(rate) { self.drawn } else { GivesWay::Softly };
            let find =
                |slow: &[Vec<bool>]| SoftKnees::find(rate, gives, &chains, (&paths, &targets), &shifts, (&fresh, slow));
            // A foot does not go into the ground so that its knee turns more slowly.
            let mut slow = fresh.clone();
            let mut soft = find(&slow);
            for last in [false, false, true] {
                let ends = soft.as_ref().map_or(&[][..], |soft| &soft.ends);
                let mut sunk = false;
                for (((path, leg), by), slow) in paths.iter().zip(&rig.legs).zip(ends).zip(&mut slow) {
                    for f in path.sinks(leg, by, near) {
                        let around = crate::math::window(f, (self.ease * rate) as usize, clip.frames());
                        sunk |= slow[around.clone()].iter().any(|slow| *slow);
                        slow[around].fill(false);
                    }
                }
                if !sunk {
                    break;
                }
                if last {
                    slow.iter_mut().for_each(|slow| slow.fill(false));
                }
                soft = find(&slow);
            }
            if let Some(soft) = soft {
                let up = |way: &mut Vec<Vec3A>| way.iter_mut().zip(&soft.pelvis).for_each(|(moved, up)| moved.y += up);
                shifts.iter_mut().chain([&mut moved.by]).for_each(up);
                for ((path, targets), ends) in paths.iter_mut().zip(&mut targets).zip(&soft.ends) {
                    for ((ankle, target), by) in path.ankles.iter_mut().zip(targets).zip(ends) {
                        ankle.translation += *by;
                        *target += *by;
                    }
                }
            }
        }
        let over: Vec<Vec<bool>> = chains
            .iter()
            .zip(targets.iter().zip(&shifts))
            .map(|(chain, (targets, shift))| {
                let distance = |f: usize| (targets[f] - chain[f].hip - shift[f]).length();
                knee::turned_over(chain, &(0..clip.frames()).map(distance).collect::<Vec<_>>())
            })
            .collect();
        let (mut solved, missed) = self.solve(rig, &limbs, clip, &paths, &over, (&moved, &hips));
        if laid.is_none() {
            toes::calm(rig, &mut solved, &standing);
            BendToes::default().no_deeper(rig, (clip, &tracks), &mut solved, (take.ground, self.toes));
        }
        let clip = solved;
        let take = Take { clip, stances, ground: take.ground, sources: take.sources.clone() };
        Cleaned { take, pelvis: moved.by, missed, moved: farthest }
    }

    /// Lets go of feet at the ends of their stances where their legs do not reach them, however low the body goes: on steep ground, and
    /// on shorter legs, a foot lands later and leaves earlier. Gives whether it did.
    fn release(
        &self,
        rig: &Rig,
        clip: &Clip,
        chains: &[Vec<knee::Chain>],
        standing: &[HeldFoot<'_>],
        stances: &mut [Stance],
    ) -> bool {
        let lower = rig.scale().length(self.lower);
        let mut any = false;
        for stance in stances.iter_mut().filter(|stance| !stance.print.pinned) {
            let leg = stance.leg().index();
            let reached = |f: &usize| {
                let knee::Chain { hip, end, reach, .. } = chains[leg][*f];
                let Some(ankle) = standing[leg].ankles[*f] else { return true };
                let down = ankle.translation - hip;
                let still = down + Vec3A::Y * (-down.y).clamp(0.0, lower);
                // Legs that are drawn straight reach what they reached.
                still.length() <= (REACHED * reach).max((end - hip).length())
            };
            let frames = stance.frames(clip);
            let mut kept = frames.held();
            let all = kept.len();
            let late = kept.clone().take_while(|f| !reached(f)).count();
            let early = kept.clone().rev().take_while(|f| !reached(f)).count();
            // One that is out of reach for most of its time is told as missed.
            if late + early == 0 || 2 * (late + early) > all {
                continue;
            }
            kept = kept.start + late..kept.end - early;
            let cut = |part: &Range<usize>| {
                let start = part.start.clamp(kept.start, kept.end);
                start..part.end.clamp(start, kept.end)
            };
            let whole = if late > 0 { kept.start } else { frames.whole.start }..if early > 0 {
                kept.end
            } else {
                frames.whole.end
            };
            let parts = StanceFrames { whole, heel: cut(&frames.heel), ball: cut(&frames.ball) };
            stance.set_frames(&parts, clip.rate());
            any = true;
        }
        any
    }

    /// Prints on the ground, where they are near it.
    fn grounded(&self, take: &Take, scale: Scale) -> Vec<Stance> {
        let mut stances = take.stances.clone();
        for stance in stances.iter_mut().filter(|stance| !stance.print.pinned) {
            let y = stance.print.world_from_sole.translation.y;
            if (y - take.ground).abs() < scale.length(self.snap) {
                stance.set_height(take.ground);
            }
        }
        stances
    }

    /// Moves the pelvis and turns the legs so that every ankle is where its path says.
    fn solve(
        &self,
        rig: &Rig,
        limbs: &[LegChain],
        clip: &Clip,
        paths: &[FootPath],
        over: &[Vec<bool>],
        (moved, hips): (&Moved, &[Vec<Vec3A>]),
    ) -> (Clip, Vec<f32>) {
        let skeleton = &rig.skeleton;
        let mut out = clip.clone();
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        let mut gaps = vec![Vec3A::ZERO; rig.legs.len()];
        let mut missed = vec![0.0_f32; clip.frames()];
        let carriers = rig.carriers();
        // Nothing else of the body is looked at.
        let legs = skeleton.chains_to(limbs.iter().flat_map(LegChain::moving).chain(carriers.iter().copied()));
        let turning = turning_pelvis(rig);
        let upper: Vec<JointId> = turning.iter().flat_map(|pelvis| upper_body(rig, *pelvis)).collect();
        for f in 0..clip.frames() {
            let world = clip.roots()[f];
            pose.locals.copy_from_slice(clip.frame(f));
            model.compose_some(skeleton, &pose.locals, &legs);
            // A foot that does not hang from its leg keeps the distance that it has from the leg's end.
            for (limb, gap) in limbs.iter().zip(&mut gaps) {
                *gap = limb.end(&model) - model[limb.ankle].translation;
            }
            // The pelvis moves, not a root below it that a game may steer by.
            for hips in carriers.iter().copied() {
                let above = skeleton.parent(hips).map_or(Rigid::IDENTITY, |parent| model[parent]);
                let up = (world * above).inverse().transform_vector(moved.by[f]);
                pose.locals[hips.index()].translation += up;
                model.compose_some(skeleton, &pose.locals, &legs);
            }
            if let Some(pelvis) = turning.filter(|_| moved.turned[f] != Vec3::ZERO) {
                let middle = pelvis::middle(hips, f) + moved.by[f];
                turn_pelvis(skeleton, &mut pose, (pelvis, &upper), world, (middle, quat::exp(moved.turned[f])));
                model.compose_some(skeleton, &pose.locals, &legs);
            }
            for (((limb, path), gap), over) in limbs.iter().zip(paths).zip(&gaps).zip(over) {
                let ankle = world.inverse() * path.ankles[f];
                let goal = LegGoal { ankle, end: Some(end_at(limb, ankle, *gap)), turn_over: over[f] };
                let outcome = self.legs.run(skeleton, limb, &mut pose, &mut model, goal);
                if path.held[f] {
                    missed[f] = missed[f].max(outcome.missed);
                }
            }
            out.frame_mut(f).copy_from_slice(&pose.locals);
        }
        (out, missed)
    }
}

/// Frames near stances of a foot that were not held before, by frame.
fn fresh(standing: &HeldFoot<'_>, frames: usize, reach: f32) -> Vec<bool> {
    let mut fresh = vec![false; frames];
    standing.around_new_holds(reach as usize).for_each(|near| fresh[near].fill(true));
    fresh
}

/// How much higher the prints of a leg are than they were, metres, by frame; between two, on the way from one to the next.
fn risen(clip: &Clip, leg: usize, before: &[Stance], after: &[Stance]) -> Vec<f32> {
    let height = |stance: &Stance| stance.print.world_from_sole.translation.y;
    let pairs = before.iter().zip(after).filter(|(stance, _)| stance.leg().index() == leg);
    let mut risen = vec![0.0; clip.frames()];
    let mut last: Option<(usize, f32)> = None;
    for (before, after) in pairs {
        let (frames, by) = (after.frames(clip).held(), height(after) - height(before));
        let (start, end) = (frames.start.min(clip.frames()), frames.end.min(clip.frames()));
        let (from, was) = last.unwrap_or((0, by));
        for f in from.min(start)..start {
            let share = (f - from) as f32 / (start - from) as f32;
            risen[f] = was + (by - was) * share;
        }
        risen[start..].fill(by);
        last = Some((end, by));
    }
    risen
}

/// The pelvis of a body that may turn it a little to steady one of its hips: one of two legs whose feet hang from them.
fn turning_pelvis(rig: &Rig) -> Option<JointId> {
    let whole = rig.legs.len() == 2 && rig.legs.iter().all(|leg| leg.shin.is_none());
    let carriers = rig.carriers();
    (whole && carriers.len() == 1).then(|| carriers[0])
}

/// What hangs from a pelvis beside its legs.
fn upper_body(rig: &Rig, pelvis: JointId) -> Vec<JointId> {
    let carries =
        |joint: JointId| rig.legs.iter().any(|leg| rig.skeleton.ancestry(leg.hip()).any(|above| above == joint));
    rig.skeleton.children(pelvis).filter(|child| !carries(*child)).collect()
}

/// Turns a pelvis about a place, both in the world; what hangs from it beside its legs stays turned as it was.
fn turn_pelvis(
    skeleton: &Skeleton,
    pose: &mut Pose,
    (pelvis, upper): (JointId, &[JointId]),
    world: Rigid,
    (middle, turn): (Vec3A, Quat),
) {
    let below = skeleton.ancestry(pelvis).skip(1).fold(Rigid::IDENTITY, |below, j| pose.locals[j.index()] * below);
    let above = world * below;
    let old = above * pose.locals[pelvis.index()];
    let new =
        Rigid { rotation: (turn * old.rotation).normalize(), translation: middle + turn * (old.translation - middle) };
    pose.locals[pelvis.index()] = above.inverse() * new;
    for joint in upper {
        let own = &mut pose.locals[joint.index()].rotation;
        *own = (new.rotation.conjugate() * old.rotation * *own).normalize();
    }
}

/// Where the end of a leg should be for an ankle's place; `gap` leads from the ankle to the end of a leg whose foot hangs
/// elsewhere, in the space of the ankle's place.
pub(super) fn end_at(limb: &LegChain, ankle: Rigid, gap: Vec3A) -> Vec3A {
    match limb.end {
        LegEnd::Ankle => ankle.translation,
        LegEnd::Point(point) => ankle.transform_point(point),
        LegEnd::Apart(_) => ankle.translation + gap,
    }
}
