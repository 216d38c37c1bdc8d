//! Clean-up: every stance held at its print, everything else changed as little and as smoothly as can be.

use crate::analyse::{FootTrack, Found};
use crate::ik::{LegPose, TwoBone};
use crate::math::{Rigid, quat, smoothstep};
use crate::motion::{Clip, Stance, stance};
use crate::rig::{Leg, ModelPose, Pose, Rig};
use glam::{Quat, Vec3A};
use std::ops::Range;

/// How feet are cleaned. Lengths are for legs of 0.83 m and scale with the rig's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clean {
    /// Stances this near to the ground are put on it, metres; farther ones stand on something and keep their height.
    pub snap: f32,
    /// Longest time over which a foot eases into its print and out of it, seconds.
    pub ease: f32,
    /// Time over which a foot rolls from heel to flat to ball, seconds.
    pub roll: f32,
    /// The pelvis goes down by this much at most so that legs reach, metres.
    pub lower: f32,
    /// How legs stretch.
    pub legs: TwoBone,
}

impl Default for Clean {
    fn default() -> Self {
        Self { snap: 0.1, ease: 0.2, roll: 0.1, lower: 0.06, legs: TwoBone::default() }
    }
}

/// A cleaned clip and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Cleaned {
    /// The clip.
    pub clip: Clip,
    /// The stances as they are now held.
    pub stances: Vec<Stance>,
    /// How far the pelvis was moved, by frame, metres, upwards positive.
    pub pelvis: Vec<f32>,
    /// Greatest distance by which a held foot missed its place, metres, and the frame.
    pub missed: (f32, usize),
}

/// Where one foot should be: its ankle by frame, and whether it is held there.
struct Path {
    ankles: Vec<Rigid>,
    held: Vec<bool>,
}

impl Clean {
    /// Holds every stance of a clip at its print.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn run(&self, rig: &Rig, clip: &Clip, found: &Found) -> Cleaned {
        assert_eq!(clip.skeleton(), rig.skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let scale = rig.leg_length() / 0.83;
        let tracks = FootTrack::of_all(rig, clip);
        let stances = self.grounded(found, scale);
        let rise = body_rise(clip, &found.stances, &stances);
        let paths: Vec<Path> = rig
            .legs()
            .zip(&tracks)
            .map(|((id, leg), track)| self.path(clip, leg, track, stance::of_leg(&stances, id), &rise))
            .collect();
        let lowered = self.lowered(rig, clip, &paths, &rise, scale);
        let pelvis: Vec<f32> = rise.iter().zip(&lowered).map(|(rise, lowered)| rise - lowered).collect();
        let (clip, missed) = self.solve(rig, clip, &paths, &pelvis);
        Cleaned { clip, stances, pelvis, missed }
    }

    /// Prints on the ground, where they are near it.
    fn grounded(&self, found: &Found, scale: f32) -> Vec<Stance> {
        let mut stances = found.stances.clone();
        for stance in &mut stances {
            let y = &mut stance.print.world_from_sole.translation.y;
            if (*y - found.ground).abs() < self.snap * scale {
                *y = found.ground;
            }
        }
        stances
    }

    /// One foot's way: held in its stances, eased in and out of them, free in between.
    fn path<'a>(
        &self,
        clip: &Clip,
        leg: &Leg,
        track: &FootTrack,
        stances: impl Iterator<Item = &'a Stance>,
        rise: &[f32],
    ) -> Path {
        let free = |f: usize| {
            let ankle = track.ankles[f];
            Rigid { translation: ankle.translation + Vec3A::Y * rise[f], ..ankle }
        };
        let mut path = Path { ankles: (0..clip.frames()).map(free).collect(), held: vec![false; clip.frames()] };
        let stances: Vec<&Stance> = stances.collect();
        // Held frames first: what lies between them is eased from how far their edges had to be moved.
        let source = path.ankles.clone();
        let holds: Vec<Hold<'_>> = stances.iter().map(|stance| Hold::new(self, leg, stance, clip.rate())).collect();
        let mut held_already = Vec::new();
        let mut levels: Vec<Option<f32>> = vec![None; clip.frames()];
        for (stance, hold) in stances.iter().zip(&holds) {
            for f in stance.held() {
                path.ankles[f] = hold.ankle(f, &source);
                path.held[f] = true;
            }
            // A stance that is held already is left alone, edges and all: cleaning twice is cleaning once.
            let same = stance.held().all(|f| near(path.ankles[f], source[f]));
            if same {
                path.ankles[stance.held()].copy_from_slice(&source[stance.held()]);
            }
            held_already.push(same);
        }
        let dt = 1.0 / clip.rate();
        for (i, (stance, hold)) in stances.iter().zip(&holds).enumerate() {
            if held_already[i] {
                continue;
            }
            let around = (self.ease * clip.rate()) as usize;
            let near = stance.frames.start.saturating_sub(around)..(stance.frames.end + around).min(clip.frames());
            levels[near].fill(Some(hold.heel.y));
            // Over at most 45 % of the flight, so that two stances of one foot never meet. At the clip's ends there is
            // nothing to meet: the foot is still on its way there.
            let longest = self.ease * clip.rate();
            let reach = |gap: Option<usize>| gap.map_or(longest, |gap| longest.min(0.45 * gap as f32)) as usize;
            let (first, last) = (stance.held().start, stance.held().end - 1);
            let before = i.checked_sub(1).map(|k| first.saturating_sub(stances[k].held().end));
            let after = stances.get(i + 1).map(|next| next.held().start.saturating_sub(last + 1));
            let arrive = reach(before);
            if arrive > 0 && first > 0 {
                let edge = Edge::new(hold, first, &source, &path.ankles, first - 1, dt);
                for f in first.saturating_sub(arrive)..first {
                    path.ankles[f] = edge.ease(source[f], (first - f) as f32, arrive as f32 + 1.0, dt);
                }
            }
            let leave = reach(after);
            if leave > 0 && last + 1 < clip.frames() {
                let edge = Edge::new(hold, last, &source, &path.ankles, last + 1, dt);
                for f in last + 1..=(last + leave).min(clip.frames() - 1) {
                    path.ankles[f] = edge.ease(source[f], (f - last) as f32, leave as f32 + 1.0, dt);
                }
            }
        }
        path.lift(leg, &levels, clip.rate());
        path
    }

    /// How far the pelvis must go down, by frame, so that every held foot is in reach of a knee that is not locked: no
    /// more, and smoothly. Near full stretch a millimetre of unrest in the hips becomes degrees in the knee.
    fn lowered(&self, rig: &Rig, clip: &Clip, paths: &[Path], rise: &[f32], scale: f32) -> Vec<f32> {
        let skeleton = &rig.skeleton;
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        let need: Vec<f32> = (0..clip.frames())
            .map(|f| {
                pose.locals.copy_from_slice(clip.frame(f));
                pose.to_model(skeleton, &mut model);
                let mut need: f32 = 0.0;
                for (leg, path) in rig.legs.iter().zip(paths) {
                    let at = |joint| (clip.roots()[f] * model[joint]).translation;
                    let (hip, knee, ankle) = (at(leg.hip()), at(leg.chain[1]), at(leg.ankle()));
                    let length = (knee - hip).length() + (ankle - knee).length();
                    // A free leg may be as straight as it was.
                    let free = if path.held[f] { 0.0 } else { (ankle - hip).length() };
                    let reach = (self.legs.soft * length).max(free.min(0.999 * length));
                    let to = hip + Vec3A::Y * rise[f] - path.ankles[f].translation;
                    let level = to.x * to.x + to.z * to.z;
                    // A free leg needs no more than its path was moved.
                    let moved = path.ankles[f].translation - ankle - Vec3A::Y * rise[f];
                    let most = if path.held[f] { f32::INFINITY } else { moved.length() };
                    need = need.max((to.y - (reach * reach - level).max(0.0).sqrt()).min(most));
                }
                need.min(self.lower * scale)
            })
            .collect();
        // The greatest need nearby, then the mean of that: smooth, and never less than what is needed.
        let reach = ((0.12 * clip.rate()).round() as usize).max(1);
        let window = |f: usize| f.saturating_sub(reach)..(f + reach + 1).min(need.len());
        let most: Vec<f32> = (0..need.len()).map(|f| need[window(f)].iter().copied().fold(0.0, f32::max)).collect();
        box_mean(&most, reach)
    }

    /// Moves the pelvis and turns the legs so that every ankle is where its path says.
    fn solve(&self, rig: &Rig, clip: &Clip, paths: &[Path], pelvis: &[f32]) -> (Clip, (f32, usize)) {
        let skeleton = &rig.skeleton;
        let mut out = clip.clone();
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        let mut missed = (0.0, 0);
        for f in 0..clip.frames() {
            let world = clip.roots()[f];
            pose.locals.copy_from_slice(clip.frame(f));
            pose.to_model(skeleton, &mut model);
            // The pelvis moves, not a root below it that a game may steer by.
            let hips = skeleton.pelvis();
            let above = skeleton.parent(hips).map_or(Rigid::IDENTITY, |parent| model[parent]);
            let up = (world * above).inverse().transform_vector(Vec3A::Y * pelvis[f]);
            pose.locals[hips.index()].translation += up;
            model.refresh(skeleton, &pose, hips);
            for (leg, path) in rig.legs.iter().zip(paths) {
                let target = world.inverse() * path.ankles[f];
                let off = bend(self.legs, rig, leg, &mut pose, &mut model, target);
                if path.held[f] && off > missed.0 {
                    missed = (off, f);
                }
            }
            out.frame_mut(f).copy_from_slice(&pose.locals);
        }
        (out, missed)
    }
}

/// Turns one leg so that its ankle comes to `target` (model space); gives how far it missed, metres.
fn bend(legs: TwoBone, rig: &Rig, leg: &Leg, pose: &mut Pose, model: &mut ModelPose, target: Rigid) -> f32 {
    let skeleton = &rig.skeleton;
    let (hip, knee, ankle) = (leg.hip(), leg.chain[1], leg.ankle());
    let parent_rotation =
        |model: &ModelPose, joint| skeleton.parent(joint).map_or(Quat::IDENTITY, |p| model[p].rotation);
    let now = LegPose {
        hip: model[hip].translation,
        knee: model[knee].translation,
        ankle: model[ankle].translation,
        hinge: parent_rotation(model, knee) * leg.hinges[0],
    };
    let turn = legs.solve(&now, target.translation);
    let thigh = turn.thigh * model[hip].rotation;
    let shin = turn.shin * model[knee].rotation;
    let set = |pose: &mut Pose, model: &mut ModelPose, joint: crate::rig::JointId, rotation: Quat| {
        let local = parent_rotation(model, joint).conjugate() * rotation;
        let old = pose.locals[joint.index()].rotation;
        pose.locals[joint.index()].rotation = quat::nearest_sign(old, local).normalize();
        model.refresh(skeleton, pose, joint);
    };
    set(pose, model, hip, thigh);
    set(pose, model, knee, shin);
    set(pose, model, ankle, target.rotation);
    (model[ankle].translation - target.translation).length()
}

/// One stance as the ankle sees it: which point is held when, and how level the foot is.
struct Hold<'a> {
    leg: &'a Leg,
    /// Where heel and ball are held, world.
    heel: Vec3A,
    ball: Vec3A,
    /// `world_from_ankle` rotation of the foot flat on its print, by frame of the flat span.
    flat_rotation: Quat,
    flat: Range<usize>,
    heel_span: Range<usize>,
    ball_span: Range<usize>,
    roll: f32,
}

impl<'a> Hold<'a> {
    fn new(settings: &Clean, leg: &'a Leg, stance: &Stance, rate: f32) -> Self {
        let print = stance.print.world_from_sole;
        let ankle_from_sole = leg.foot.ankle_from_sole();
        let world_from_ankle = print * ankle_from_sole.inverse();
        let flat_rotation = world_from_ankle.rotation;
        Self {
            leg,
            heel: world_from_ankle.transform_point(leg.foot.heel),
            ball: world_from_ankle.transform_point(leg.foot.ball),
            flat_rotation,
            flat: stance.flat(),
            heel_span: stance.heel.clone(),
            ball_span: stance.ball.clone(),
            roll: (settings.roll * rate).max(1.0),
        }
    }

    /// The ankle at a frame of the stance, given where it is in the source.
    fn ankle(&self, f: usize, source: &[Rigid]) -> Rigid {
        let rotation = self.rotation(f, source);
        let share = self.ball_share(f);
        let by_heel = self.heel - rotation * self.leg.foot.heel;
        let by_ball = self.ball - rotation * self.leg.foot.ball;
        Rigid { rotation, translation: by_heel * (1.0 - share) + by_ball * share }
    }

    /// The point of the foot that is held at a frame, in ankle space.
    fn anchor(&self, f: usize) -> Vec3A {
        self.leg.foot.heel.lerp(self.leg.foot.ball, self.ball_share(f))
    }

    /// Level on the print while heel and ball are down. While it rolls over one of them it is as in the source, but
    /// for what levelling changed at the edge, which fades; and never with the other point below the ground.
    fn rotation(&self, f: usize, source: &[Rigid]) -> Quat {
        let now = source[f].rotation;
        let (edge, outside) = if self.flat.is_empty() {
            return self.above_ground(f, now);
        } else if f < self.flat.start {
            (self.flat.start, self.flat.start - f)
        } else if f >= self.flat.end {
            (self.flat.end - 1, f + 1 - self.flat.end)
        } else {
            return self.flat_rotation;
        };
        let levelled = self.flat_rotation * source[edge].rotation.conjugate();
        let w = smoothstep(1.0 - outside as f32 / self.roll);
        let turn = Quat::IDENTITY.slerp(quat::nearest_sign(Quat::IDENTITY, levelled), w);
        self.above_ground(f, (turn * now).normalize())
    }

    /// The same rotation, pitched about the held point so that neither heel nor ball is below the print.
    fn above_ground(&self, f: usize, rotation: Quat) -> Quat {
        let along = rotation * (self.leg.foot.ball - self.leg.foot.heel);
        let Some(axis) = along.cross(Vec3A::Y).try_normalize() else { return rotation };
        let pitch = (along.y / along.length()).clamp(-1.0, 1.0).asin();
        // Held by the heel the ball must not be lower, and the other way round; between the two, neither by much.
        let share = self.ball_share(f);
        let (low, high) = (-0.2 * share / (1.0 - share).max(1e-6), 0.2 * (1.0 - share) / share.max(1e-6));
        let wrong = pitch - pitch.clamp(low, high);
        (Quat::from_axis_angle(axis.into(), -wrong) * rotation).normalize()
    }

    /// 0 where the heel is held, 1 where the ball is; passes over while both are down, when it makes no difference.
    fn ball_share(&self, f: usize) -> f32 {
        let (heel, ball) = (&self.heel_span, &self.ball_span);
        if heel.is_empty() {
            return 1.0;
        }
        if ball.is_empty() {
            return 0.0;
        }
        // Most feet land on the heel and leave from the ball; some do otherwise.
        let first = if ball.start < heel.start { 1.0 } else { 0.0 };
        let last = if ball.end >= heel.end { 1.0 } else { 0.0 };
        let (from, to) = if self.flat.is_empty() {
            // From the last frame of the one to the first of the other, so that each holds for just its own span.
            let (early, late) = if ball.start < heel.start { (ball, heel) } else { (heel, ball) };
            (early.end as f32 - 1.0, late.start as f32)
        } else {
            (self.flat.start as f32, self.flat.end as f32 - 1.0)
        };
        let x =
            if to <= from { f32::from(u8::from(f as f32 > from)) } else { smoothstep((f as f32 - from) / (to - from)) };
        first + (last - first) * x
    }
}

impl Path {
    /// Raises a free foot that would go into the ground near a stance, smoothly, and not at all where it is held.
    fn lift(&mut self, leg: &Leg, levels: &[Option<f32>], rate: f32) {
        let low = |ankle: &Rigid| ankle.transform_point(leg.foot.heel).y.min(ankle.transform_point(leg.foot.ball).y);
        let sunk = |f: usize| match levels[f] {
            Some(level) if !self.held[f] => (level - low(&self.ankles[f])).max(0.0),
            _ => 0.0,
        };
        let sunk: Vec<f32> = (0..self.ankles.len()).map(sunk).collect();
        if sunk.iter().all(|depth| *depth < 1e-4) {
            return;
        }
        let reach = ((0.04 * rate).round() as usize).max(1);
        let window = |f: usize| f.saturating_sub(reach)..(f + reach + 1).min(sunk.len());
        let most: Vec<f32> = (0..sunk.len()).map(|f| sunk[window(f)].iter().copied().fold(0.0, f32::max)).collect();
        let lift = box_mean(&most, reach);
        for f in 0..sunk.len() {
            // It comes in with the distance from the held frames.
            let held = window(f).filter(|g| self.held[*g]).map(|g| g.abs_diff(f)).min();
            let w = held.map_or(1.0, |distance| smoothstep(distance as f32 / (reach + 1) as f32));
            self.ankles[f].translation.y += w * lift[f];
        }
    }
}

/// Whether two places of an ankle are the same to a tenth of a millimetre and a twentieth of a degree.
fn near(a: Rigid, b: Rigid) -> bool {
    (a.translation - b.translation).length() < 1e-4 && quat::angle_between(a.rotation, b.rotation) < 1e-3
}

/// The edge of a stance: how far the foot had to be moved and turned there, and how fast it came.
struct Edge {
    /// The held point, in ankle space.
    anchor: Vec3A,
    /// From where the source had it to where it is held, metres.
    moved: Vec3A,
    /// Its speed in the source there, away from the stance, metres per second of distance from it.
    speed: Vec3A,
    turned: Quat,
}

/// A foot whose first step away from its print is no more than this acceleration gives leaves it smoothly already. m/s².
const GENTLE: f32 = 20.0;

impl Edge {
    fn new(hold: &Hold<'_>, edge: usize, source: &[Rigid], held: &[Rigid], outside: usize, dt: f32) -> Self {
        let anchor = hold.anchor(edge);
        let at = |ankle: &Rigid| ankle.transform_point(anchor);
        let speed = (at(&source[outside]) - at(&source[edge])) / dt;
        let speed = speed * smoothstep((speed.length() - GENTLE * dt) / (GENTLE * dt));
        Self {
            anchor,
            moved: at(&held[edge]) - at(&source[edge]),
            speed,
            turned: held[edge].rotation * source[edge].rotation.conjugate(),
        }
    }

    /// The ankle `frames` away from the edge: moved all the way there, not at all `reach` frames off, and leaving
    /// the print without a start.
    fn ease(&self, source: Rigid, frames: f32, reach: f32, dt: f32) -> Rigid {
        let x = (frames / reach).min(1.0);
        let w = 1.0 - smoothstep(x);
        // Hermite: at the edge the offset undoes the source's own speed, so that the foot starts from rest.
        let velocity = -self.speed * (reach * dt) * (x * (1.0 - x) * (1.0 - x));
        let turn = Quat::IDENTITY.slerp(quat::nearest_sign(Quat::IDENTITY, self.turned), w);
        let rotation = (turn * source.rotation).normalize();
        let anchor = source.transform_point(self.anchor) + self.moved * w + velocity;
        Rigid { rotation, translation: anchor - rotation * self.anchor }
    }
}

/// How the body rises so that its feet come to their prints: the mean of the standing feet's needs, smoothed.
fn body_rise(clip: &Clip, before: &[Stance], after: &[Stance]) -> Vec<f32> {
    let mut sum = vec![0.0_f32; clip.frames()];
    let mut weight = vec![0.0_f32; clip.frames()];
    for (before, after) in before.iter().zip(after) {
        let need = after.print.world_from_sole.translation.y - before.print.world_from_sole.translation.y;
        // Weight comes and goes over the first and last third of a stance.
        let third = (before.frames.len() as f32 / 3.0).max(1.0);
        for f in before.frames.clone() {
            let (into, left) = ((f - before.frames.start) as f32 + 1.0, (before.frames.end - f) as f32);
            let w = smoothstep(into.min(left) / third);
            sum[f] += w * need;
            weight[f] += w;
        }
    }
    // Held over flights from both sides.
    let known: Vec<usize> = (0..clip.frames()).filter(|f| weight[*f] > 0.0).collect();
    if known.is_empty() {
        return vec![0.0; clip.frames()];
    }
    let mut next = 0;
    let raw: Vec<f32> = (0..clip.frames())
        .map(|f| {
            while next + 1 < known.len() && known[next + 1] <= f {
                next += 1;
            }
            let a = known[next];
            let b = known.get(next + 1).copied().unwrap_or(a);
            let at = |f: usize| sum[f] / weight[f];
            if f <= a || b <= a { at(a) } else { at(a) + (at(b) - at(a)) * (f - a) as f32 / (b - a) as f32 }
        })
        .collect();
    // Two means in a row: no corners.
    let reach = ((0.15 * clip.rate()).round() as usize).max(1);
    box_mean(&box_mean(&raw, reach), reach)
}

/// The mean over `reach` frames either side, by frame.
fn box_mean(values: &[f32], reach: usize) -> Vec<f32> {
    let window = |f: usize| f.saturating_sub(reach)..(f + reach + 1).min(values.len());
    (0..values.len()).map(|f| values[window(f)].iter().sum::<f32>() / window(f).len() as f32).collect()
}
