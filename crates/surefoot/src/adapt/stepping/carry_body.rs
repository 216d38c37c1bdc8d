//! How a body is carried over its feet: it bobs, sways, rolls and turns with its steps, leans, and lets arms, head and tail follow.
//!
//! Everything is told by where feet are at the moment and by the course, so that any time can be looked at in any order, and
//! what steps oddly moves oddly.

use super::{Flown, FootAt};
use crate::character::{BodyPlan, PlanJoint, PlanTail, Stand, StandLeg};
use crate::math::{Rigid, floor, quat, single, smoothstep};
use crate::plan::steps::{Course, CourseMoment};
use crate::rig::{GRAVITY, Pose};
use glam::{Quat, Vec3, Vec3A};
use std::f32::consts::TAU;

/// How much a body moves over its feet: 1 is usual, 0 not at all.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct CarryBody {
    /// Up and down as legs pass under it.
    pub bob: f32,
    /// To the side of the feet that stand.
    pub sway: f32,
    /// How stiff legs are for what hips do over them: 1 sends them down as sticks do where feet are apart, 0 leaves them level; as legs
    /// stand bent, if `None`.
    pub stiff: Option<f32>,
    /// Pelvis and shoulders turn with their legs, against each other.
    pub twist: f32,
    /// And they roll.
    pub roll: f32,
    /// How much later than feet ask for it goes up and down, aside, and rolls, radians of a foot's round.
    pub late: [f32; 3],
    /// The spine bends into turns, and the head looks ahead.
    pub bend: f32,
    /// It leans into speeding up, slowing down and turning.
    pub lean: f32,
    /// Shoulder blades and hip bones that carry one leg each swing with it: of front legs, and of all others.
    pub blades: [f32; 2],
    /// The same bones go ahead while their leg flies and back while it stands: thighs do, which bend their knee in the air; below 0
    /// the other way round.
    pub lifts: [f32; 2],
    /// Arms swing against the legs.
    pub arms: f32,
    /// Head, tail and ears come after it.
    pub follow: f32,
    /// How fast it goes down for legs to reach, and up again, at most, as a share of √(g h), h being the hips' height: 0.08 is 0.24 m/s
    /// for a person.
    pub heaves: f32,
    /// How far it is lower than it stands while it goes, as a share of the hips' height; below 0 it is higher.
    pub crouch: f32,
    /// How high the trunk is over the ground along the way at most while it goes, as a share of how high it stands; as its steps
    /// have it, if `None`.
    pub rides: Option<f32>,
}

/// How fast bodies go down for legs to reach, and up again, as is usual.
const HEAVES: f32 = 0.08;

impl Default for CarryBody {
    fn default() -> Self {
        Self {
            bob: 1.0,
            sway: 1.0,
            stiff: None,
            twist: 1.0,
            roll: 1.0,
            late: [0.0; 3],
            bend: 1.0,
            lean: 1.0,
            blades: [1.0; 2],
            lifts: [0.0; 2],
            arms: 1.0,
            follow: 1.0,
            heaves: HEAVES,
            crouch: 0.0,
            rides: None,
        }
    }
}

impl CarryBody {
    /// A statue: the idle pose goes over its feet as it is.
    pub const STILL: Self = Self {
        bob: 0.0,
        sway: 0.0,
        stiff: None,
        twist: 0.0,
        roll: 0.0,
        late: [0.0; 3],
        bend: 0.0,
        lean: 0.0,
        blades: [0.0; 2],
        lifts: [0.0; 2],
        arms: 0.0,
        follow: 0.0,
        heaves: HEAVES,
        crouch: 0.0,
        rides: None,
    };

    /// With little movement.
    #[must_use]
    pub fn calm() -> Self {
        Self::default().times(0.55)
    }

    /// With much movement.
    #[must_use]
    pub fn lively() -> Self {
        Self::default().times(1.6)
    }

    /// With much weight: it sways and rolls from foot to foot, and its limbs hang.
    #[must_use]
    pub fn heavy() -> Self {
        Self { bob: 1.5, sway: 2.2, twist: 1.7, roll: 1.7, arms: 0.7, follow: 1.3, ..Self::default() }
    }

    /// Low and quiet.
    #[must_use]
    pub fn sneaking() -> Self {
        Self { bob: 0.3, sway: 0.7, twist: 1.3, roll: 1.3, arms: 0.25, follow: 0.6, crouch: 0.14, ..Self::default() }
    }

    /// All movements so many times as large.
    #[must_use]
    pub fn times(self, share: f32) -> Self {
        Self {
            bob: share * self.bob,
            sway: share * self.sway,
            stiff: self.stiff,
            twist: share * self.twist,
            roll: share * self.roll,
            late: self.late,
            bend: self.bend,
            lean: self.lean,
            blades: self.blades,
            lifts: self.lifts,
            arms: share * self.arms,
            follow: share * self.follow,
            heaves: self.heaves,
            crouch: self.crouch,
            rides: self.rides,
        }
    }
}

/// What is known of a body when it is carried.
pub(crate) struct Carried<'a> {
    pub stand: &'a Stand,
    pub plan: &'a BodyPlan,
    pub course: &'a Course,
    pub moment: &'a CourseMoment,
    pub feet: &'a [FootAt],
    /// Seconds.
    pub time: f32,
    /// How it moves because it flies.
    pub flown: Flown,
    /// How much of the steps' own movement is added to what carries the legs: none where a clip has it already.
    pub body: f32,
    /// The same for head and tail.
    pub limbs: f32,
    /// The same for arms.
    pub arms: f32,
}

/// What legs that hang side by side do to the part of the body that they carry.
#[derive(Clone, Copy, Default)]
struct Girdle {
    /// How far it is lower at most than over feet that are under it, metres.
    deep: f32,
    /// The same at the moment, as a share.
    low: f32,
    /// From -1 (the left feet are in the air) to 1 (the right ones): for going aside, and for rolling.
    air: [f32; 2],
    /// How far right feet are ahead of left ones, in heights of the hips.
    ahead: f32,
    /// The same a quarter of a round later.
    goes: f32,
}

/// A body goes from this Froude speed v/√(g h) on: steps that are slow move it less often, not less far.
const GOES: f32 = 0.12;
/// From this one on it holds itself as under way.
const UNDER_WAY: f32 = 0.25;
/// Hips go up and down by this share of what stiff legs would do to them, and legs that are bent as they stand to this share of
/// their length give way: those to the other do not.
const BOB: f32 = 0.8;
const BENT_LEG: [f32; 2] = [0.4, 0.9];
/// They do not pull a body up and down by more than this share of gravity: what steps often bobs little.
const BOB_PULL: f32 = 1.0;
/// Feet are this share of their step ahead of their hips when they land, and behind them when they leave.
const STANDS_FOR: f32 = 0.3;
/// Hips go to the side by this share of how far their feet are beside them, which counts up to this share of the hips' height.
const SWAY: f32 = 0.18;
const WIDE: f32 = 0.3;
/// Nor do they go to the side faster than this share of how fast the body goes ahead.
const SWAYS: f32 = 0.35;
/// Hips roll by this while a foot of theirs is in the air, radians.
const ROLL: f32 = 0.035;
/// Hips turn by this for a step as long as they are high, radians.
const YAW: f32 = 0.25;
/// Shoulders turn against the hips by this share, and roll.
const AGAINST: [f32; 2] = [0.8, 0.4];
/// Arms swing by this for a step as long as the hips are high, radians.
const ARM: f32 = 1.0;
/// Arms swing, and heads nod, never farther than this, radians, however much they are asked to.
const SWUNG: f32 = 1.2;
const NODDED: f32 = 0.35;
/// Shoulder blades and hip bones take this share of their leg's swing.
pub(crate) const BLADE: f32 = 0.25;
/// Elbows bend while arms swing, radians, and by this share of the swing.
const ELBOW: [f32; 2] = [0.3, 0.5];
/// Hands hang behind the way their arms swing by this share of how fast they do, over a round.
const HAND: f32 = 0.6;
/// Tails swing by this to either side and up and down, radians, over all their joints.
const TAIL: [f32; 2] = [0.3, 0.12];
/// Each joint of a tail comes after the one before by this share of a cycle.
const LATER: f32 = 0.07;
/// Ears and the like nod by this, radians.
const EAR: f32 = 0.1;
/// Heads nod by this with every step, radians.
const NOD: f32 = 0.12;
/// Heads look as far ahead as a body goes on in this time, seconds of a person.
const LOOK: f32 = 0.45;
/// A body leans before it speeds up, seconds of a person.
const BEFORE: f32 = 0.12;
/// Bodies lean by this share of what would keep them in balance, and no farther than this, radians.
const LEAN: [f32; 2] = [0.6, 0.2];
/// So much of what steps do to a body does not become less with their length, down to this share of a stroll's speed.
const SHORT: f32 = 0.9;
const SLOW: f32 = 0.45;
/// Spines bend no farther than this, radians.
const BENT: f32 = 0.5;
/// Chests rise and fall with the breath by this, radians, this often a second for a person.
const BREATH: [f32; 2] = [0.012, 0.28];

impl CarryBody {
    /// Carries a body over its feet: turns the joints of its pose, and gives how the body moves from where it is, in its own
    /// model space. Allocates nothing.
    #[must_use]
    pub(crate) fn run(&self, input: &Carried<'_>, pose: &mut Pose) -> Rigid {
        let Carried { stand, plan, course, moment, feet, time, flown, body, limbs, arms } = *input;
        let (hip, pace) = (stand.hip, stand.pace());
        let froude = moment.feet_speed(stand) / (GRAVITY * hip).sqrt();
        let (goes, under_way) = (smoothstep(froude / GOES), under_way(froude));
        let forward = forward(moment);
        let [front, back] = if plan.spine_bears && stand.ends.is_some() {
            [false, true].map(|behind| self.girdle(stand, forward, feet, |leg| stand.is_behind(leg) == behind))
        } else {
            [self.girdle(stand, forward, feet, |_| true); 2]
        };

        // Up, down and aside as both ends of the trunk do alike: by where the trunk is between them, feet of short front legs stood for
        // less of their time. Bodies that hang between spread legs and were fitted to a drawn walk (`stiff`) have that in what was fitted.
        let at = if self.stiff.is_some() { stand.along(plan.trunk_at.z) } else { 0.5 };
        let soon = time + BEFORE * pace;
        let [before, after] = [soon - 0.1 * pace, soon + 0.1 * pace].map(|t| course.at(t));
        let often = ((after.cycles - before.cycles) / (0.2 * pace)).max(0.1);
        let most = BOB_PULL * GRAVITY / (2.0 * TAU * often * 2.0 * TAU * often);
        let bob = |girdle: Girdle| {
            let deep = self.bob * BOB * girdle.deep;
            -body * (1.0 - flown.runs) * girdle.low * deep * most / (most + deep).max(1e-6)
        };
        let bobs = [front, back].map(bob);
        let wide = stand.legs.iter().map(|leg| leg.anchor.position.x.abs()).sum::<f32>() / stand.legs.len() as f32;
        let sway = self.sway * SWAY * wide.min(WIDE * hip);
        let widest = SWAYS * moment.feet_speed(stand) / (TAU * often);
        let sway = sway * widest / (widest * widest + sway * sway).max(1e-12).sqrt();
        let sway = body * goes * sway * (back.air[0] + at * (front.air[0] - back.air[0]));
        let crouch = self.crouch * hip * under_way;
        let flies = body * self.bob.min(1.0) * flown.height;
        let moved = Vec3A::new(sway, bobs[1] + at * (bobs[0] - bobs[1]) + flies - crouch, 0.0);
        let pitch = stand.ends.map_or(0.0, |[front, back]| single::atan((bobs[0] - bobs[1]) / (back - front)));

        // Lean: as it will speed up, and into turns.
        let lean = |pull: f32| (self.lean * LEAN[0] * pull / GRAVITY).clamp(-LEAN[1], LEAN[1]);
        let ahead = lean((after.speed - before.speed) / (0.2 * pace)) * (0.25 + 0.75 * plan.upright);
        let bank = -lean(moment.speed * moment.turning) * (0.4 + 0.6 * plan.upright);

        // Turns: the spine bends along the way, the head looks ahead.
        let goes_on = moment.speed.max(0.2 * (GRAVITY * hip).sqrt());
        let level = 1.0 - 0.7 * plan.upright;
        let bend = self.bend * (level * moment.turning * plan.back_length / goes_on).clamp(-BENT, BENT);
        let to_come = course.at(time + LOOK * pace).place.heading - moment.place.heading;
        let look = self.bend * (0.7 * to_come).clamp(-0.6, 0.6);

        // Slow steps are short, but move the body by more than their part.
        let usual = 0.4 * (GRAVITY * hip).sqrt();
        let speed = moment.speed / usual;
        let slow = 1.0 - SHORT + SHORT / (speed * speed + SLOW * SLOW).sqrt();
        // What pelvis, chest and head are turned by, as turns about left, up and ahead.
        let [yaw, roll] = [slow * body * self.twist * YAW, body * self.roll * ROLL];
        let turned = |girdle: Girdle| Vec3::new(0.0, yaw * girdle.ahead, roll * girdle.air[1]);
        let breath = BREATH[0] * single::sin(TAU * BREATH[1] / pace * time) * (1.0 - goes) * self.follow.min(1.0);
        let both = Vec3::new(pitch + ahead, 0.0, bank);
        let pelvis = both + turned(back) - Vec3::Y * 0.5 * bend;
        let chest = if plan.spine_bears {
            both + turned(front) + Vec3::Y * 0.5 * bend
        } else {
            let [yaw, roll] = AGAINST;
            both + turned(back) * Vec3::new(0.0, -yaw, -roll) + Vec3::Y * 0.5 * (bend + 0.4 * look)
        } + Vec3::X * breath;
        // The head keeps its look: it nods a little late, and stays level on slopes.
        let nod = within(limbs * goes * self.follow * NOD * (0.2 + 0.8 * level) * (front.low - 0.5), NODDED);
        let slope = if feet.len() > 2 { 0.45 * single::atan(moment.slope) } else { 0.0 };
        let head = Vec3::new(0.3 * both.x + nod + slope, look, 0.3 * bank);

        spread(pose, &plan.spine, chest - pelvis);
        spread(pose, &plan.neck, head - chest);
        let ahead = [0.5 * (front.ahead + back.ahead), 0.5 * (front.goes + back.goes)];
        self.swing_arms(plan, pose, [arms * slow, arms * under_way], ahead);
        self.swing_blades(plan, pose, body * slow, |leg| {
            let swung = swung(forward, &feet[leg]).map(|far| single::atan(far / stand.legs[leg].drop()));
            (stand.end_of(&stand.legs[leg]), swung)
        });
        let later = course.at(time - 0.25 * pace).place.heading - moment.place.heading;
        for tail in &plan.tails {
            self.trail(tail, pose, moment.cycles, limbs * goes, later);
        }

        let turn = quat::exp(pelvis);
        let pivot = stand.middle + plan.trunk_at;
        Rigid { rotation: turn, translation: pivot - turn * pivot + moved }
    }

    /// Arms go against the legs of their side, elbows bend with them, and hands come after them; by which shares they do.
    fn swing_arms(&self, plan: &BodyPlan, pose: &mut Pose, [swings, bends]: [f32; 2], [ahead, goes]: [f32; 2]) {
        let upright = 0.15 + 0.85 * plan.upright;
        for arm in &plan.arms {
            let side = if arm.left { 1.0 } else { -1.0 };
            let swing = within(swings * self.arms * upright * ARM * side * ahead, SWUNG);
            turn(pose, &arm.upper, Quat::from_rotation_x(-swing));
            if let Some(elbow) = &arm.elbow {
                let bend = plan.upright * (bends * ELBOW[0] * upright * self.arms.min(1.0) + ELBOW[1] * swing);
                turn(pose, elbow, Quat::from_rotation_x(-bend));
            }
            if let Some(hand) = &arm.hand {
                let behind = within(swings * self.arms * upright * ARM * side * goes, SWUNG);
                turn(pose, hand, Quat::from_rotation_x(HAND * behind));
            }
        }
    }

    /// Shoulder blades and hip bones go with their own legs; `swung` tells at which end of the body each leg
    /// is, how far it swings ahead, radians, and how far it would a quarter of a round later.
    fn swing_blades(&self, plan: &BodyPlan, pose: &mut Pose, share: f32, swung: impl Fn(usize) -> (usize, [f32; 2])) {
        for blade in &plan.blades {
            let (end, [ahead, lifted]) = swung(blade.leg);
            let swing = share * BLADE * (self.blades[end] * ahead + self.lifts[end] * lifted);
            turn(pose, &blade.joint, Quat::from_rotation_x(-swing));
        }
    }

    /// A tail swings as a wave that runs down it, and stays behind in turns; ears nod.
    fn trail(&self, tail: &PlanTail, pose: &mut Pose, cycles: f32, goes: f32, later: f32) {
        let count = tail.joints.len().max(1) as f32;
        let drawn = self.follow * (0.6 * later).clamp(-0.6, 0.6) / count;
        for (k, joint) in tail.joints.iter().enumerate() {
            let phase = cycles - LATER * (k + 2) as f32;
            // Up and down twice a cycle.
            let (sin, cos) = single::sin_cos(TAU * phase);
            let up = self.follow * goes * 2.0 * sin * cos;
            let change = if tail.of_trunk {
                let aside = self.follow * goes * sin;
                Vec3::new(TAIL[1] * up / count, TAIL[0] * aside / count + drawn, 0.0)
            } else {
                Vec3::new(EAR * up / count, 0.0, 0.0)
            };
            turn(pose, joint, quat::exp(change));
        }
    }
}

/// How much a body holds itself as under way at a Froude speed v/√(g h).
pub(crate) fn under_way(froude: f32) -> f32 {
    smoothstep(froude / UNDER_WAY)
}

fn forward(moment: &CourseMoment) -> Vec3A {
    floor::at_height(floor::direction(moment.place.heading), 0.0).into()
}

/// How far a foot is ahead of its hip, as its round tells, and how far it would be a quarter of a round later, metres.
fn swung(forward: Vec3A, foot: &FootAt) -> [f32; 2] {
    let (sin, cos) = single::sin_cos(foot.round);
    [sin, cos].map(|part| -STANDS_FOR * foot.step.dot(forward) * part)
}

/// How far a leg swings ahead of and behind its hip, radians, where steps are so long (metres).
pub(crate) fn swings(leg: &StandLeg, step: f32) -> f32 {
    single::atan(STANDS_FOR * step / leg.drop())
}

impl CarryBody {
    /// What legs do to what they carry, by where each is in its round.
    fn girdle(&self, stand: &Stand, forward: Vec3A, feet: &[FootAt], has: impl Fn(&StandLeg) -> bool) -> Girdle {
        let mut sum = Girdle::default();
        let mut pairs = 0.0_f32;
        for (leg, foot) in stand.legs.iter().zip(feet).filter(|(leg, _)| has(leg)) {
            let side = if leg.order.left { -0.5 } else { 0.5 };
            let (sin, cos) = single::sin_cos(foot.round);
            let [down, aside, rolled] = self.late;
            let bent = || smoothstep((leg.stands_at / leg.length - BENT_LEG[0]) / (BENT_LEG[1] - BENT_LEG[0]));
            let most = STANDS_FOR * foot.step.dot(forward);
            sum.deep += 0.5 * self.stiff.unwrap_or_else(bent) * most * most / (2.0 * stand.hip);
            sum.low += 0.25 * (1.0 - single::cos(2.0 * foot.round - down));
            for (air, late) in sum.air.iter_mut().zip([aside, rolled]) {
                *air += side * (1.0 - single::cos(foot.round - late));
            }
            sum.ahead -= side * most * sin / stand.hip;
            sum.goes -= side * most * cos / stand.hip;
            pairs += 0.5;
        }
        let pairs = pairs.max(0.5);
        Girdle {
            deep: sum.deep / pairs,
            low: sum.low / pairs,
            air: sum.air.map(|air| air / pairs),
            ahead: sum.ahead / pairs,
            goes: sum.goes / pairs,
        }
    }
}

/// A turn that comes near to its limit but never there, radians; in the middle of a swing, where it is fastest, it goes evenly.
fn within(turn: f32, most: f32) -> f32 {
    most * turn / (most * most + turn * turn).sqrt()
}

/// Turns joints in a row by an equal part each of a turn about left, up and ahead.
pub(crate) fn spread(pose: &mut Pose, joints: &[PlanJoint], whole: Vec3) {
    let part = quat::exp(whole / joints.len().max(1) as f32);
    joints.iter().for_each(|joint| turn(pose, joint, part));
}

/// Turns a joint by a turn in model space.
fn turn(pose: &mut Pose, joint: &PlanJoint, turn: Quat) {
    let local = &mut pose.locals[joint.joint.index()].rotation;
    *local = (joint.turn(turn) * *local).normalize();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_swings_far_goes_evenly_through_the_middle() {
        // A hand that is asked to swing by 2 rad was flung where it is fastest: its speed had a corner there.
        let asked = |x: f32| 2.0 * single::sin(x);
        let bends = |x: f32| [-0.01, 0.0, 0.01].map(|d| within(asked(x + d), SWUNG)).into_iter().zip([1.0, -2.0, 1.0]);
        let pull = |x: f32| bends(x).map(|(turn, weight)| weight * turn).sum::<f32>() / 0.01_f32.powi(2);
        assert!(pull(0.02).abs() < 0.6, "{}", pull(0.02));
        assert!(within(100.0, SWUNG) < SWUNG && within(0.1, SWUNG) > 0.099);
    }
}
