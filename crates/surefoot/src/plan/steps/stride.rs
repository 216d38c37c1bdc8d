//! A walk clip as a creature uses it: its poses, when each foot is in the air, and how feet go and pitch.

use super::gait::Cadence;
use crate::character::{Stand, StandLeg, smooth, supple};
use crate::math::{FloorPose, Rigid, floor, single, smoothstep};
use crate::motion::Clip;
use crate::rig::{LegId, ModelPose, Pose, Rig};
use glam::Vec3A;

/// How finely feet are stored over a cycle.
const LOOKS: usize = 96;
/// Pitches less than this are those of a foot that lies flat, radians.
const FLAT: f32 = 0.1;

/// Feet are pitched no more than this, radians: toes would go into the ground, but those that bend.
const STEEPEST: f32 = 0.6;
const STEEPEST_WITH_TOES: f32 = 1.0;
/// The speed at which feet pass from where they land to where they leave counts as that of a clip within these shares of the
/// speed of its lowest feet.
const SPEEDS: [f32; 2] = [0.7, 1.05];

/// Feet that roll over the tips of their toes are pitched no more than this, radians.
const STEEPEST_ON_TIP: f32 = 1.45;
/// A foot rolls over the tip of its toes where its ball goes up by this share of how far the tip is ahead of it, and the tip by no
/// more than this share of that, on average over the last third of its stance.
const OVER_TIP: [f32; 2] = [0.25, 0.4];

/// A foot on the tip of its toes is dragged along where it goes back over this share of the cycle at less than this share of its speed
/// in the middle of its stance.
const DRAGS: [f32; 2] = [0.04, 0.5];

/// Both feet of a pair stand for this share of the cycle at least before one leaves.
const BOTH_STAND: f32 = 0.02;

/// A foot is up on the tip of its toes where heel and ball are higher over the ground than this share of the leg.
const ON_TIP: f32 = 0.08;
/// A foot that is up on them for longer than this share of the cycle trails.
const TRAILS: f32 = 0.22;

/// A foot that goes back by less than this share of the body's way while it stands trails at the end.
const KEEPS_UP: f32 = 0.75;
/// A foot stands that goes back at more than this share of its own speed in the first half of its stance.
const STILL_STANDS: f32 = 0.1;
/// A foot that is slower for as long as this share of the cycle, later than half-way through its stance, has left.
const ENDS: f32 = 0.06;

/// From this share of its speed on a creature moves wholly as in its clip.
const WALKS: f32 = 0.35;

/// One leg of a walk clip.
#[derive(Clone, Debug, PartialEq)]
pub struct StrideLeg {
    /// When it leaves the ground, as a phase of the clip.
    pub lift: f32,
    /// For which share of the cycle it is in the air.
    pub air: f32,
    /// Where its sole is in the middle of its stance, from the middle of the idle pose's feet.
    pub anchor: FloorPose,
    /// The tip of its toes in the sole's own frame, metres, where the whole foot is drawn to roll over it as one piece: its toes do
    /// not bend, and its ball goes up with the heel.
    pub tip: Option<Vec3A>,
    /// How far its heel goes up in the air, radians, however steep feet may be pitched here.
    pub heel_up: f32,
    /// By phase: where its sole is, from the middle of the idle pose's feet, metres, and how far it is pitched, radians.
    soles: Vec<(Vec3A, f32)>,
}

/// A walk clip that goes round on the spot.
#[derive(Clone, Debug, PartialEq)]
pub struct Stride {
    /// The poses; its root is not used.
    pub clip: Clip,
    /// The speed at which its feet do not slide, m/s.
    pub speed: f32,
    /// By leg.
    pub legs: Vec<StrideLeg>,
    /// By phase: how far the body that its legs hang from is to the left of where it is on average, metres.
    sways: Vec<f32>,
}

impl Stride {
    /// From a cyclic clip, the speed its feet go at (m/s), and when each leg leaves the ground and lands, as phases in
    /// [0, 1). `None` if a leg has no such times, or the clip is not cyclic.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn new(rig: &Rig, stand: &Stand, clip: &Clip, speed: f32, steps: &[(LegId, [f32; 2])]) -> Option<Self> {
        clip.cycle()?;
        let clip = smooth(&rig.skeleton, &supple(rig, stand, clip))?;
        let mut pose = Pose::rest(&rig.skeleton);
        let mut model = ModelPose::new(&rig.skeleton);
        let mut soles: Vec<Vec<Rigid>> = vec![Vec::with_capacity(LOOKS); rig.legs.len()];
        let mut sways = Vec::with_capacity(LOOKS);
        let mut tips: Vec<Vec<f32>> = vec![Vec::with_capacity(LOOKS); rig.legs.len()];
        for look in 0..LOOKS {
            clip.sample(clip.duration() * look as f32 / LOOKS as f32, &mut pose);
            pose.to_model(&rig.skeleton, &mut model);
            for (leg, soles) in rig.legs.iter().zip(&mut soles) {
                soles.push(model[leg.ankle()] * leg.foot.ankle_from_sole());
            }
            sways.push(model[rig.body()].translation.x);
            for (leg, tips) in rig.legs.iter().zip(&mut tips) {
                let tip = leg.toe.zip(leg.foot.tip).map(|(toe, tip)| model[toe].transform_point(tip).y);
                tips.extend(tip);
            }
        }
        let middle = sways.iter().sum::<f32>() / LOOKS as f32;
        sways.iter_mut().for_each(|sway| *sway -= middle);
        let mut legs = Vec::with_capacity(rig.legs.len());
        let mut passed = 0.0;
        for (i, soles) in soles.iter().enumerate() {
            let (_, [lift, land]) = steps.iter().find(|(leg, _)| leg.index() == i)?;
            let at = |phase: f32| soles[((phase.rem_euclid(1.0) * LOOKS as f32) as usize).min(LOOKS - 1)];
            let up = on_tip(&stand.legs[i], at, [*land, *lift]);
            let tip = up.and_then(|_| over_tip(&stand.legs[i], at, &tips[i], [*land, *lift]));
            let early = if tip.is_some() { drags(at, [*land, *lift]) } else { up };
            // Not before the other foot of a pair is down, where none flew.
            let other = steps.iter().find(|(leg, _)| leg.index() != i && steps.len() == 2).map(|(_, [_, land])| *land);
            let lift = early.map_or(*lift, |early| supported([*land, early, *lift], other));
            // Of two legs that is the one that carries the body meanwhile.
            let early = (rig.legs.len() > 2).then(|| trails(at, [*land, lift], speed * clip.duration())).flatten();
            let (lift, land) = (early.unwrap_or(lift), *land);
            let over = tip.unwrap_or(stand.legs[i].rolls_over);
            let air = (land - lift).rem_euclid(1.0);
            let middle = at(land + 0.5 * (1.0 - air));
            let pitch = |sole: &Rigid| {
                let ahead = sole.rotation * Vec3A::Z;
                -single::asin(ahead.y.clamp(-1.0, 1.0))
            };
            let flat = pitch(&middle);
            let flies = |look: usize| (look as f32 / LOOKS as f32 - lift).rem_euclid(1.0) < air;
            let flying = soles.iter().enumerate().filter(|(look, _)| flies(*look));
            let heel_up = flying.map(|(_, sole)| pitch(sole) - flat).fold(0.0, f32::max);
            // What is nearly flat is flat, without a step.
            let pitched = |sole: &Rigid| {
                let off = pitch(sole) - flat;
                let most = match (tip, rig.legs[i].toe) {
                    (Some(_), _) => STEEPEST_ON_TIP,
                    (None, Some(_)) => STEEPEST_WITH_TOES,
                    (None, None) => STEEPEST,
                };
                (off * smoothstep((off.abs() - 0.5 * FLAT) / FLAT)).clamp(-STEEPEST, most)
            };
            // Where the foot would lie flat that is up on its ball or heel here.
            let print = |phase: f32| {
                let sole = at(phase);
                let (sin, cos) = single::sin_cos(pitched(&sole));
                let pivot = if sin > 0.0 { over } else { stand.legs[i].sole[0] };
                let rolled = Vec3A::new(0.0, pivot.y * cos - pivot.z * sin, pivot.y * sin + pivot.z * cos);
                sole.translation.z - (pivot - rolled).z
            };
            passed += (print(land) - print(lift)) / (1.0 - air).max(0.2);
            let ground = middle.translation.y;
            let place = |sole: &Rigid| (sole.translation - stand.middle).with_y(sole.translation.y - ground);
            let stood = &stand.legs[i];
            legs.push(StrideLeg {
                lift,
                air: air.clamp(0.1, 0.8),
                heel_up,
                tip,
                anchor: FloorPose::new(floor::of_point(middle.translation - stand.middle), stood.anchor.heading),
                soles: soles
                    .iter()
                    .map(|sole| (place(sole), if stood.foot.is_point() { 0.0 } else { pitched(sole) }))
                    .collect(),
            });
        }
        // Feet of drawn clips do not go evenly: the speed that takes them from where they land to where they leave keeps legs
        // within what the clip shows of them.
        let passes = passed / (legs.len() as f32 * clip.duration().max(1e-3));
        let speed = passes.clamp(SPEEDS[0] * speed, SPEEDS[1] * speed);
        (speed > 1e-3).then_some(Self { clip, speed, legs, sways })
    }

    /// How much of the clip is in the pose at a speed (m/s): none where it stands.
    #[must_use]
    pub fn share(&self, speed: f32) -> f32 {
        smoothstep(speed / (WALKS * self.speed))
    }

    /// How far a body that goes by it at a speed (m/s) is kept from swaying as it does, at a phase: metres to the left. Steps from
    /// side to side are as wide as the way ahead allows; who sways wholly while it hardly goes would go aside.
    #[must_use]
    pub(crate) fn held_from_swaying(&self, phase: f32, speed: f32) -> f32 {
        let ([i, next], x) = between(phase);
        let sway = self.sways[i] + x * (self.sways[next] - self.sways[i]);
        let goes = (speed / self.speed).clamp(0.0, 1.0);
        -sway * self.share(speed) * (1.0 - goes)
    }

    /// Cycles a second at a speed, m/s: slower and with shorter steps below the clip's own.
    #[must_use]
    pub fn rate(&self, speed: f32) -> f32 {
        self.cadence().at(speed)
    }

    /// How far its toes are up when its feet land, radians, on average.
    #[must_use]
    pub fn toes_up(&self) -> f32 {
        let up = |leg: &StrideLeg| (-leg.sole(leg.lift + leg.air).1).max(0.0);
        self.legs.iter().map(up).sum::<f32>() / self.legs.len().max(1) as f32
    }

    /// How far its heels go up in the air, radians, on average.
    #[must_use]
    pub fn heels_up(&self) -> f32 {
        self.legs.iter().map(|leg| leg.heel_up).sum::<f32>() / self.legs.len().max(1) as f32
    }

    /// How often its feet go round.
    #[must_use]
    pub fn cadence(&self) -> Cadence {
        Cadence { speed: self.speed, rate: 1.0 / self.clip.duration() }
    }
}

impl StrideLeg {
    /// Where the sole is at a phase, from the middle of the idle pose's feet, metres, and how far it is pitched, radians.
    #[must_use]
    pub fn sole(&self, phase: f32) -> (Vec3A, f32) {
        let ([i, next], x) = between(phase);
        let (a, b) = (self.soles[i], self.soles[next]);
        (a.0.lerp(b.0, x), a.1 + x * (b.1 - a.1))
    }
}

/// The looks before and after a phase, and how far it is between them.
fn between(phase: f32) -> ([usize; 2], f32) {
    let x = (phase - phase.floor()) * LOOKS as f32;
    let i = (x as usize).min(LOOKS - 1);
    ([i, (i + 1) % LOOKS], x - i as f32)
}

/// The tip of the toes of a foot that is drawn to roll over it while it stands between these phases, in the sole's own frame, metres.
/// `tips` are how high it is at even phases, model space.
fn over_tip(leg: &StandLeg, sole: impl Fn(f32) -> Rigid, tips: &[f32], [land, lift]: [f32; 2]) -> Option<Vec3A> {
    let ([heel, ball], stands) = (leg.sole, (lift - land).rem_euclid(1.0));
    let far = heel.z + leg.foot.length - ball.z;
    if tips.len() < LOOKS || far <= 0.0 {
        return None;
    }
    let phases = |from: f32| {
        let count = (stands * (1.0 - from) * LOOKS as f32) as usize;
        (0..count).map(move |k| land + stands * from + k as f32 / LOOKS as f32)
    };
    let at_tip = |phase: f32| tips[((phase.rem_euclid(1.0) * LOOKS as f32) as usize).min(LOOKS - 1)];
    let at_ball = |phase: f32| sole(phase).transform_point(ball).y;
    let least = |at: &dyn Fn(f32) -> f32| phases(0.0).map(at).fold(f32::INFINITY, f32::min);
    let mean = |at: &dyn Fn(f32) -> f32| phases(0.67).map(at).sum::<f32>() / phases(0.67).count().max(1) as f32;
    let (up, tip) = (mean(&at_ball) - least(&at_ball), mean(&at_tip) - least(&at_tip));
    (up > OVER_TIP[0] * far && tip < OVER_TIP[1] * up).then(|| ball + Vec3A::Z * far)
}

/// When a foot that lands at a phase leaves that should do so early, or late at most: once the other foot has landed, if that is
/// while this one still stands.
fn supported([land, early, late]: [f32; 3], other: Option<f32>) -> f32 {
    let since = |phase: f32| (phase - land).rem_euclid(1.0);
    let lands = other.map(since).filter(|lands| *lands < since(late)).map_or(0.0, |lands| lands + BOTH_STAND);
    (land + since(early).max(lands).min(since(late))).rem_euclid(1.0)
}

/// When a foot that stands between these phases no longer goes back as fast as the ground does: it is dragged along from there on.
fn drags(sole: impl Fn(f32) -> Rigid, [land, lift]: [f32; 2]) -> Option<f32> {
    let stands = (lift - land).rem_euclid(1.0);
    let back = |from: f32, long: f32| (sole(from).translation.z - sole(from + long).translation.z) / long;
    let usual = back(land + 0.25 * stands, 0.35 * stands);
    let looks = (0.5 * stands * LOOKS as f32) as usize;
    let mut phases = (1..looks).map(|k| land + 0.5 * stands + k as f32 / LOOKS as f32);
    phases.find(|phase| back(*phase, DRAGS[0]) < DRAGS[1] * usual).map(|phase| phase.rem_euclid(1.0))
}

/// When a foot that lands and leaves at these phases comes up on the tip of its toes in between: it no longer holds its place
/// there, and a leg that should would pull the body down. `sole` is where it is at a phase, model space.
fn on_tip(leg: &StandLeg, sole: impl Fn(f32) -> Rigid, [land, lift]: [f32; 2]) -> Option<f32> {
    let stands = (lift - land).rem_euclid(1.0);
    let low = |phase: f32| {
        leg.sole.map(|point| sole(phase).transform_point(point).y).into_iter().fold(f32::INFINITY, f32::min)
    };
    let ground = low(land + 0.5 * stands);
    let looks = (0.5 * stands * LOOKS as f32) as usize;
    let mut phases = (1..looks).map(|k| land + 0.5 * stands + k as f32 / LOOKS as f32);
    let up = phases.find(|phase| low(*phase) - ground > ON_TIP * leg.length)?;
    // The end of a usual step is short.
    (land + stands - up > TRAILS).then_some(up.rem_euclid(1.0))
}

/// When a foot that lands and leaves at these phases goes along with the body before it leaves: low as it still is, it stands no
/// longer, and a leg that held it would be drawn far behind. `sole` is where it is at a phase, model space; in a cycle the body
/// goes so many metres. `None` where the foot goes about as far as the body while it stands.
fn trails(sole: impl Fn(f32) -> Rigid, [land, lift]: [f32; 2], goes: f32) -> Option<f32> {
    let stands = (lift - land).rem_euclid(1.0);
    let looks = (stands * LOOKS as f32) as usize;
    let z = |look: usize| sole(land + look as f32 / LOOKS as f32).translation.z;
    let (half, span) = (looks / 2, (ENDS * LOOKS as f32) as usize);
    if z(0) - z(looks) > KEEPS_UP * goes * stands {
        return None;
    }
    let usual = (z(0) - z(half)) / half.max(1) as f32;
    let stays = |look: &usize| z(*look) - z(look + span) < STILL_STANDS * usual * span as f32;
    let from = (half..looks.saturating_sub(span)).find(stays).filter(|_| usual > 0.0)?;
    Some((land + from as f32 / LOOKS as f32).rem_euclid(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_leaves_once_the_other_is_down() {
        let near = |a: f32, b: f32| (a - b).abs() < 1e-5;
        // A man whose feet are drawn up on the tips of their toes: the left one lands at 0.354 and the right one at 0.854.
        assert!(near(supported([0.354, 0.771, 0.02], Some(0.854)), 0.854 + BOTH_STAND));
        assert!(near(supported([0.854, 0.24, 0.5], Some(0.354)), 0.354 + BOTH_STAND), "phases go round");
        assert!(near(supported([0.354, 0.9, 0.02], Some(0.854)), 0.9), "it is late enough");
        assert!(near(supported([0.354, 0.771, 0.8], Some(0.854)), 0.771), "both fly");
        assert!(near(supported([0.354, 0.771, 0.02], None), 0.771));
    }

    #[test]
    fn a_foot_that_is_dragged_along_has_left() {
        // It goes back for half of the cycle and stays behind the body for a sixth.
        let sole = |phase: f32| {
            let since = (phase - 0.35).rem_euclid(1.0);
            Rigid::from_translation(Vec3A::Z * (0.3 - 1.4 * since.min(0.5)))
        };
        let left = drags(sole, [0.35, 0.02]).expect("it is dragged");
        assert!((left - 0.85).abs() < DRAGS[0], "{left}");
    }
}
