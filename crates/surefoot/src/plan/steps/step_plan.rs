//! The plan of all steps: when every foot lands and leaves, and where it stands in between.

use super::course::{Course, CourseMoment, Pace, PlanCourse, RATE, steep};
use super::footfall::{Footfall, Roll};
use super::foothold::{FindFoothold, Look};
use super::gait::Gait;
use super::lie::Lie;
use super::reach::Rolled;
use super::stride::{Stride, StrideLeg};
use super::swing::SwingShape;
use super::uneven;
use crate::character::{LegOrder, MOST_LEGS, Stand, StandLeg};
use crate::ik::LegEnd;
use crate::math::{FloorPose, Rigid, floor, quat, smoothstep, wrap_angle};
use crate::motion::{Footprint, Span, Stance};
use crate::plan::Path;
use crate::random::{Rng, Seed};
use crate::rig::{GRAVITY, LegId};
use crate::world::{Ground, SurfaceId};
use glam::{Quat, Vec2, Vec3A};

/// Everything that is needed to look at a creature at any time.
#[derive(Clone, Debug, PartialEq)]
pub struct StepPlan {
    /// Where the body goes.
    pub course: Course,
    /// By leg, in order of time.
    pub legs: Vec<Vec<Footfall>>,
}

/// How steps are planned.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct PlanSteps {
    /// Speeds.
    pub course: PlanCourse,
    /// The order of feet.
    pub gait: Gait,
    /// How footholds are sought.
    pub foothold: FindFoothold,
    /// How far feet are raised, as a share of the hips' height.
    pub swing: f32,
    /// How far heels are up when feet leave, radians; less on short steps.
    pub heel_up: f32,
    /// How much farther heels of feet that hang outside their legs go up in the air than as they leave, radians; less on short steps.
    pub kicks: f32,
    /// How far toes are up when feet land, radians; less on short steps.
    pub toes_up: f32,
    /// A walk clip to go by; its poses, times and flights take the gait's place. Not stored with the settings (`serde`).
    #[cfg_attr(feature = "serde", serde(skip))]
    pub stride: Option<Stride>,
    /// By leg, how its steps differ from those of the others; legs without an entry step like all.
    pub feet: Vec<FootStyle>,
    /// How much earlier or later each foot of three and more steps than its gait says, as a share of the cycle at most.
    pub uneven: f32,
    /// Which of the many ways to be uneven is taken: no two creatures step alike.
    pub seed: Seed,
}

/// Toes are up by this at most when feet land as in a drawn walk, radians: legs reach farther back then.
const MOST_TOES_UP: f32 = 0.4;

/// Nor are heels up by more than this when feet leave, radians.
const MOST_HEEL_UP: f32 = 1.2;

/// Nor do heels go up in the air by more than this over how far they are up when feet leave, radians.
const MOST_KICKED: f32 = 0.6;

/// Feet that lie on ground that rises by 1 over this many are wholly uphill for what heels do: 30°.
const UPHILL: f32 = 1.7;

/// So much of how far a clip shows a heel up counts as reach: with all of it a leg that leaves has nothing left to bend by, and is flung.
const HEEL_COUNTS: f32 = 0.6;

/// The same of feet that walk from the idle pose: bodies would go down for the rest.
const ROLL_COUNTS: f32 = 0.45;

/// A clip raises its feet by this share of what they are raised by without one.
const RAISED_BY_CLIP: f32 = 0.7;

/// How the steps of one foot differ from those of the others.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct FootStyle {
    /// How many times as high it is raised.
    pub height: f32,
    /// How many times as far the body goes while it stands: less is the short step of a limp.
    pub length: f32,
    /// How much later it steps, as a share of the cycle.
    pub late: f32,
    /// How many times as far its heel is up when it leaves.
    pub heel_up: f32,
    /// The tip of its toes in the sole's own frame, metres, if the whole foot rolls over it as one piece; without one it rolls over its
    /// ball.
    pub tip: Option<Vec3A>,
}

impl Default for FootStyle {
    fn default() -> Self {
        Self { height: 1.0, length: 1.0, late: 0.0, heel_up: 1.0, tip: None }
    }
}

impl Default for PlanSteps {
    fn default() -> Self {
        Self {
            course: PlanCourse::default(),
            gait: Gait::default(),
            foothold: FindFoothold::default(),
            swing: 0.12,
            heel_up: 0.6,
            kicks: 0.0,
            toes_up: 0.2,
            stride: None,
            feet: Vec::new(),
            uneven: 0.012,
            seed: Seed(1),
        }
    }
}

/// A foot that would move less than this share of its leg stays, and one that would turn less than this, radians.
const STAYS: [f32; 2] = [0.03, 0.07];
/// The shortest time in the air, as a share of the time in which a hip's height is fallen through, √(h/g).
const SHORTEST: f32 = 1.0;
/// Footholds are no nearer to the middle than this share of how they stand.
const NEAREST: f32 = 0.65;
/// Footholds keep this share of the least distance that feet have as they stand.
const APART: f32 = 0.6;
/// Legs that stand are folded so far at most, as a share of how they stand in the idle pose, where bodies are low.
const FOLDED: f32 = 0.45;
/// Feet have just left for this share of the time for which the next one stands.
const JUST_LEFT: f32 = 0.4;
/// How long it stands at the end, seconds.
const CLOSES: f32 = 0.4;

impl PlanSteps {
    /// With what a drawn walk of the same character shows of its steps, for who walks from the idle pose alone: how often feet go
    /// round, over which end of them they roll and how far, how far heels go up in the air, and how far toes are up when feet land.
    #[must_use]
    pub fn like(self, walk: &Stride) -> Self {
        let toes_up = walk.toes_up().clamp(self.toes_up, MOST_TOES_UP.max(self.toes_up));
        let kicks = (walk.heels_up() - self.heel_up).clamp(self.kicks, MOST_KICKED.max(self.kicks));
        // Who rolls over the tip of its toes rolls as far as drawn: over a ball it would slip.
        let heel_up = |leg: &StrideLeg| {
            leg.tip.map(|_| (leg.sole(leg.lift).1.min(MOST_HEEL_UP) / self.heel_up.max(1e-3)).max(1.0))
        };
        let foot = |(i, leg): (usize, &StrideLeg)| {
            let own = self.foot(i);
            FootStyle { tip: leg.tip, heel_up: heel_up(leg).unwrap_or(own.heel_up), ..own }
        };
        let feet = walk.legs.iter().enumerate().map(foot).collect();
        let course = PlanCourse { cadence: Some(walk.cadence()), ..self.course };
        Self { course, toes_up, kicks, feet, ..self }
    }

    /// Plans the steps of a creature along a path; the ground is asked for how it is when a foot comes down.
    #[must_use]
    pub fn run(&self, stand: &Stand, path: &Path, heading: Option<f32>, ground: &dyn Ground) -> StepPlan {
        let speed = self.course.fitted(stand, self.stride.as_ref()).speed;
        let pace = self.pace(stand, speed);
        let course = self.course.run(pace, path, heading, ground);
        let times = self.times(stand, &course);
        let mut legs: Vec<Vec<Footfall>> = Vec::with_capacity(stand.legs.len());
        for i in 0..stand.legs.len() {
            let first = Span { start: 0.0, end: times[i].first().map_or(course.seconds(), |t| t[0]) };
            let mut first = self.stance(pace, &legs, &course, first, 0.0, ground);
            first.stance.time.start = f32::NEG_INFINITY;
            let falls = self.footfalls(pace, &legs, &course, (vec![first], &times[i]), ground);
            legs.push(falls);
        }
        self.ended(course, legs)
    }

    /// The same steps up to a time (seconds), and then along another path: feet that are about to leave, or are in the air, come
    /// down where they should.
    #[must_use]
    pub(crate) fn lead_on(
        &self,
        stand: &Stand,
        plan: &StepPlan,
        from: f32,
        path: &Path,
        ground: &dyn Ground,
    ) -> StepPlan {
        let pace = self.pace(stand, self.course.fitted(stand, self.stride.as_ref()).speed);
        let course = self.course.lead_on(pace, &plan.course, from, path, ground);
        let times = self.times(stand, &course);
        let mut legs: Vec<Vec<Footfall>> = Vec::with_capacity(stand.legs.len());
        for (falls, times) in plan.legs.iter().zip(&times) {
            let mut kept = falls[..=kept_until(falls, from)].to_vec();
            let last = kept.len() - 1;
            kept[last].stance.time.end = f32::INFINITY;
            kept[last].heel_up = Roll::default();
            let stands = kept[last].stance.strike().max(from);
            let next = times.partition_point(|[left, _]| *left <= stands);
            let falls = self.footfalls(pace, &legs, &course, (kept, &times[next..]), ground);
            legs.push(falls);
        }
        self.ended(course, legs)
    }

    /// A plan that is over once all feet are in their places.
    fn ended(&self, mut course: Course, legs: Vec<Vec<Footfall>>) -> StepPlan {
        // It is over a little after the last foot has come to its place.
        let last = legs.iter().flatten().map(|fall| fall.stance.strike()).fold(0.0, f32::max);
        course.end_after(last + CLOSES);
        StepPlan { course, legs }
    }

    /// The greatest speed up to the one that is wished for at which legs reach their footholds on level ground, m/s: a course
    /// goes no faster.
    #[must_use]
    pub fn greatest_speed(&self, stand: &Stand) -> f32 {
        let stride = self.stride.as_ref();
        let reaches = |speed: f32| self.pace(stand, speed).most(speed, Lie::default()) >= speed;
        let wish = self.course.fitted(stand, stride).speed;
        let (mut low, mut high) = (0.0, wish);
        if reaches(wish) {
            return wish;
        }
        for _ in 0..24 {
            let middle = 0.5 * (low + high);
            if reaches(middle) { low = middle } else { high = middle }
        }
        low
    }

    /// When each foot leaves and lands, by leg: each leg's own clock runs with the cycle, late by its lag, and it is in the
    /// air at the start of its rounds.
    fn times(&self, stand: &Stand, course: &Course) -> Vec<Vec<[f32; 2]>> {
        let orders: Vec<LegOrder> = stand.legs.iter().map(|leg| leg.order).collect();
        let mut lags = [0.0; MOST_LEGS];
        let mut times: Vec<Vec<[f32; 2]>> = vec![Vec::new(); orders.len()];
        let mut random = Rng::new(self.seed).stream("feet");
        let uneven = if orders.len() > 2 { self.uneven } else { 0.0 };
        let mut late = uneven::late(uneven, &mut random, self.stride.as_ref(), orders.len());
        late.iter_mut().enumerate().for_each(|(i, late)| *late += self.foot(i).late);
        // By leg: the round it has stepped in last, and when it left if it is in the air.
        let mut rounds = vec![(f32::NEG_INFINITY, None); orders.len()];
        for (k, moment) in course.moments.iter().enumerate() {
            let t = k as f32 / RATE;
            let speed = moment.speed;
            let duty = self.gait.at(&orders, speed * speed / (GRAVITY * stand.hip), &mut lags);
            let next = course.moments.get(k + 1).unwrap_or(moment);
            // However fast feet go round, each flight takes its time.
            let least = SHORTEST * (stand.hip / GRAVITY).sqrt() * (next.cycles - moment.cycles) * RATE;
            let duty = |leg: usize| {
                // Where it is hardly its clip's yet, or no longer, a run on two legs does not fly: slow flights would be leaps.
                let by_clip = |stride: &Stride| {
                    let drawn = 1.0 - stride.legs[leg].air;
                    let slow = if orders.len() > 2 { 0.0 } else { 1.0 - stride.share(speed) };
                    drawn + (duty - drawn).max(0.0) * slow
                };
                let duty = self.stride.as_ref().map_or(duty, by_clip);
                (duty * self.foot(leg).length).min(1.0 - least).clamp(0.3, 0.9)
            };
            if let Some(stride) = &self.stride {
                lags.iter_mut().zip(&stride.legs).for_each(|(lag, leg)| *lag = leg.lift);
            }
            for (i, (round, left)) in rounds.iter_mut().enumerate() {
                let clock = moment.cycles - lags[i] - late[i];
                let (whole, part) = (clock.floor(), clock - clock.floor());
                match *left {
                    None if clock >= 0.0 && part < 0.3 * (1.0 - duty(i)) && whole > *round => {
                        (*round, *left) = (whole, Some(t));
                    }
                    Some(from) if part >= 1.0 - duty(i) || whole > *round => {
                        times[i].push([from, t]);
                        *left = None;
                    }
                    _ => {}
                }
            }
        }
        times
    }

    /// How fast feet go round if that speed is wished for, m/s.
    fn pace<'a>(&'a self, stand: &'a Stand, speed: f32) -> Pace<'a> {
        // A clip shows by itself how far legs reach.
        let rolls = if self.stride.is_some() { 0.0 } else { ROLL_COUNTS };
        let rolls = [rolls * self.heel_up, rolls * self.toes_up];
        let (stride, duty) = (self.stride.as_ref(), self.duty(stand, speed));
        let (course, feet, trails) = (self.course, &self.feet[..], [0.0; MOST_LEGS]);
        Pace { stand, stride, course, duty, speed, rolls, feet, trails }.trailing()
    }

    /// The longest share of a cycle for which a foot stands, at the speed that is wished for.
    fn duty(&self, stand: &Stand, speed: f32) -> f32 {
        let orders: Vec<LegOrder> = stand.legs.iter().map(|leg| leg.order).collect();
        let gait = self.gait.at(&orders, speed * speed / (GRAVITY * stand.hip), &mut [0.0; MOST_LEGS]);
        self.stride.as_ref().map_or(gait, |stride| stride.legs.iter().map(|leg| 1.0 - leg.air).fold(0.0, f32::max))
    }

    fn foot(&self, leg: usize) -> FootStyle {
        self.feet.get(leg).copied().unwrap_or_default()
    }

    /// The footfalls of the next leg after those that it has already, where others stand.
    fn footfalls(
        &self,
        pace: Pace<'_>,
        others: &[Vec<Footfall>],
        course: &Course,
        (mut falls, times): (Vec<Footfall>, &[[f32; 2]]),
        ground: &dyn Ground,
    ) -> Vec<Footfall> {
        let (stand, end) = (pace.stand, course.seconds());
        let index = others.len();
        let leg = &stand.legs[index];
        for (k, [left, landed]) in times.iter().enumerate() {
            let next = times.get(k + 1).map_or(end, |next| next[0]);
            let span = Span { start: *landed, end: next };
            let mut fall = self.stance(pace, others, course, span, 0.5 * (landed + next), ground);
            let last = falls.len() - 1;
            let before = &mut falls[last];
            let way = fall.print().translation - before.print().translation;
            let turned = wrap_angle(heading(fall.print()) - heading(before.print())).abs();
            let turned = if leg.foot.is_point() { 0.0 } else { turned };
            if way.length() < STAYS[0] * leg.length && turned < STAYS[1] {
                continue;
            }
            before.stance.time.end = *left;
            fall.swing.height = self.swing(stand, course, index, before, &fall);
            let apart = matches!(leg.chain.end, LegEnd::Apart(_));
            if apart {
                // Its knee has nothing to do with how it lands.
                fall.swing.soft = 0.0;
            }
            // Long steps roll more.
            let long = (floor::of_point(way).length() / stand.hip).min(1.0);
            let air = landed - left;
            let stood = (left - before.stance.strike()).min(1.0);
            if !leg.foot.is_point() {
                let [rises, rolls] = leg.rolls();
                // On a slope the foot behind is low: its heel rises early, and as far as after a long step.
                let lies = before.print().rotation * Vec3A::Z;
                let up = smoothstep(UPHILL * lies.y / floor::of_point(lies).length().max(1e-3));
                let heel = self.heel_up * self.foot(index).heel_up * (long + up * (1.0 - long)) * rises;
                let early = (0.3 + 0.25 * up) * stood;
                fall.kicks = if apart { self.kicks * long * rises } else { 0.0 };
                before.heel_up = Roll { angle: heel, seconds: early.min((0.5 + 0.5 * up) * air) };
                // Who lands on its ball in a clip does not come down on its heel first.
                let drawn = self.stride.as_ref().map(|stride| stride.legs[index].sole(course.at(*landed).cycles).1);
                let toes = if drawn.is_some_and(|pitch| pitch > 0.0) { 0.0 } else { self.toes_up * long * rolls };
                fall.toes_up = Roll { angle: toes, seconds: (0.25 * (next - landed)).min(0.4 * air) };
            }
            falls.push(fall);
        }
        falls.iter_mut().for_each(Footfall::roll);
        falls
    }

    /// How far a foot is raised on its way from one stance to the next: long steps are high ones.
    fn swing(&self, stand: &Stand, course: &Course, leg: usize, from: &Footfall, to: &Footfall) -> f32 {
        let step = to.print().translation - from.print().translation;
        let way = floor::of_point(step).length();
        let long = 0.5 + 0.5 * (way / stand.hip).min(1.0);
        // A clip raises its feet itself, as far as legs go by it: not where a body starts or stops, nor on steep ground.
        let steep = steep([step.y / way.max(1e-3), 0.0]);
        let by_clip = |stride: &Stride| {
            let (off, strike) = (from.stance.off(), to.stance.strike());
            [off, 0.5 * (off + strike), strike]
                .map(|t| stride.share(course.at(t).speed))
                .into_iter()
                .fold(1.0, f32::min)
        };
        let own = 1.0 - self.stride.as_ref().map_or(0.0, by_clip) * (RAISED_BY_CLIP - 0.45 * steep);
        own * self.swing * stand.hip * self.foot(leg).height * long
    }

    /// Seeks another foothold for a stance that the leg does not reach from where its hip truly is: `hips` are its places
    /// during the stance, metres, world.
    pub fn mend(
        &self,
        stand: &Stand,
        plan: &mut StepPlan,
        [leg, fall]: [usize; 2],
        hips: &[Vec3A],
        ground: &dyn Ground,
    ) {
        let (limb, falls) = (&stand.legs[leg], &mut plan.legs[leg]);
        if falls[fall].stance.print.pinned {
            return;
        }
        let reach = limb.reach();
        let beyond = |print: Rigid| {
            let end = print.translation + Vec3A::Y * limb.end_height;
            let far = hips.iter().map(|hip| (end - *hip).length() - reach).fold(0.0, f32::max);
            // Nor is a foot reached that is too near.
            let end = print.translation + print.rotation * Vec3A::Y * limb.end_height;
            let least = FOLDED * limb.stands_at;
            hips.iter().map(|hip| least - (end - *hip).length()).fold(far, f32::max)
        };
        let now = falls[fall].print();
        let mut place = FloorPose::new(floor::of_point(now.translation), heading(now));
        // Towards the hips.
        let middle = hips.iter().map(|hip| floor::of_point(*hip)).sum::<Vec2>() / hips.len().max(1) as f32;
        let inwards = (middle - place.position).clamp_length_max(beyond(now));
        place.position += inwards;
        let above = 0.8 * stand.hip + limb.anchor.position.length();
        let time = falls[fall].stance.strike().max(0.0);
        let look = Look { from: now.translation.y + above, reach: above + 2.0 * stand.hip, time };
        let at = plan.course.at(0.5 * (time + falls[fall].stance.off().min(plan.course.seconds())));
        // Better legs that come near to each other than a foot that stands on nothing.
        let seek = |apart: f32| {
            let strain = |print: Rigid| beyond(print) / limb.length + apart * crosses(limb, &at, print);
            self.foothold
                .run(ground, limb, place, (look, body_over(&at)), strain)
                .filter(|hold| beyond(hold.print) < beyond(now))
        };
        let Some(hold) = seek(1.0).or_else(|| seek(0.0)) else { return };
        falls[fall].put(limb, &hold);
        falls[fall].beyond = beyond(hold.print);
        falls[fall].grounded = true;
        for to in [fall, fall + 1] {
            if to > 0 && to < falls.len() {
                let height = self.swing(stand, &plan.course, leg, &falls[to - 1], &falls[to]);
                falls[to].swing = SwingShape { height, soft: falls[to].swing.soft, ..SwingShape::default() };
            }
        }
    }

    /// A stance between two times, where the foot would be in the idle pose at `middle`.
    fn stance(
        &self,
        pace: Pace<'_>,
        others: &[Vec<Footfall>],
        course: &Course,
        time: Span,
        middle: f32,
        ground: &dyn Ground,
    ) -> Footfall {
        let (stand, at) = (pace.stand, course.at(middle));
        let index = others.len();
        let leg = &stand.legs[index];
        // Feet that have just left are still there.
        let left = JUST_LEFT * (time.end - time.start).min(1.0);
        let near = standing(others, Span { start: time.start - left, ..time });
        let keep = APART * stand.least_distance();
        let mut anchor = leg.anchor;
        let walking = pace.middle(leg, [at.slope, at.side]);
        anchor.position = anchor.position.lerp(walking, pace.share(at.speed));
        let place = at.place.then(anchor);
        let ahead = anchor.position.y;
        let level = at.height + at.slope.clamp(-1.0, 1.0) * ahead;
        let ends = [course.at(time.start.max(0.0)), course.at(time.end)];
        // The body may go down for it.
        let reach = leg.reach();
        // A clip shows how far the heel is up when it leaves: by that the leg reaches farther back.
        let heel_up = pace.stride.map_or(0.0, |stride| {
            let of_clip = &stride.legs[index];
            of_clip.sole(of_clip.lift).1.max(0.0) * stride.share(ends[1].speed)
        });
        let tip = pace.stride.map_or(self.foot(index).tip, |stride| stride.legs[index].tip);
        let over = tip.unwrap_or(leg.rolls_over);
        let up = Quat::from_rotation_x(HEEL_COUNTS * heel_up) * (Vec3A::Y * leg.end_height - over) + over;
        let shown = (heel_up > 0.0).then_some(up);
        let rolled = pace.rolled(leg, ends.map(|moment| pace.step(&moment)), [at.slope, at.side]);
        let beyond = |print: Rigid| {
            let far = |(moment, rolled, shown): (&CourseMoment, Rolled, Option<Vec3A>)| {
                let flat = print.translation + Vec3A::Y * leg.end_height;
                let on = print.rotation * Vec3A::new(0.0, rolled.up, rolled.on);
                let end = shown.map_or(flat + on, |up| print.transform_point(up));
                let down = leg.hip_at(moment) - end;
                let lower = (down.y - leg.crouches() * stand.hip).max(down.y.min(0.0));
                // Nor does a leg that hangs stand on what is too near.
                let folds = if leg.hangs() { FOLDED * leg.stands_at - down.length() } else { 0.0 };
                (down.with_y(lower).length() - reach).max(folds)
            };
            [(&ends[0], rolled[0], None), (&ends[1], rolled[1], shown)].into_iter().map(far).fold(0.0, f32::max)
        };
        let look = |above: f32| {
            let reach = above + 2.0 * stand.hip + leg.anchor.position.length();
            let look = Look { from: level + above, reach, time: time.start.max(0.0) };
            self.foothold.run(ground, leg, place, (look, body_over(&at)), |print| {
                let crowded = near.iter().map(|(other, at)| crowds([leg, &stand.legs[*other]], [print, *at], keep));
                beyond(print) / leg.length + crosses(leg, &at, print) + crowded.fold(0.0, f32::max) / leg.length
            })
        };
        // Far from the body the ground may be higher than a look from the usual height sees.
        let found = look(0.8 * stand.hip).or_else(|| look(0.8 * stand.hip + leg.anchor.position.length()));
        let print = found.map_or_else(
            || Rigid { translation: floor::at_height(place.position, level).into(), ..place.to_rigid() },
            |hold| hold.print,
        );
        let surface = found.map_or(SurfaceId(0), |hold| hold.surface);
        let [heel_at, ball_at] = leg.sole.map(|point| print.transform_point(point));
        Footfall {
            stance: Stance {
                print: Footprint { surface, ..Footprint::new(LegId(index as u8), print) },
                time: Span { end: f32::INFINITY, ..time },
                heel: None,
                ball: None,
                heel_at,
                ball_at,
                open: false,
            },
            swing: SwingShape::default(),
            toes_up: Roll::default(),
            heel_up: Roll::default(),
            kicks: 0.0,
            rolls_over: over,
            toes_bend: leg.toes_bend() || tip.is_some(),
            beyond: beyond(print),
            grounded: found.is_some(),
        }
    }
}

/// How a body on spread legs is turned on its course, world from model: its back lies as the ground does.
fn body_over(at: &CourseMoment) -> Quat {
    quat::from_heading(at.place.heading) * quat::about_left(at.slope.clamp(-1.0, 1.0))
}

/// The last footfall of a leg that stays as it is where its walk is led elsewhere at a time, seconds.
fn kept_until(falls: &[Footfall], from: f32) -> usize {
    let begun = |fall: &Footfall| fall.leaves() <= from;
    falls[..falls.len() - 1].iter().take_while(|fall| begun(fall)).count()
}

/// By how much a print is too near to the feet of the other side, in leg lengths: legs do not cross.
fn crosses(leg: &StandLeg, at: &CourseMoment, print: Rigid) -> f32 {
    let aside = at.place.inverse().transform_point(floor::of_point(print.translation)).x;
    let side = if leg.order.left { 1.0 } else { -1.0 };
    (NEAREST * leg.anchor.position.x.abs() - side * aside).max(0.0) / leg.length
}

/// Legs that stand within a span of time, and their prints.
fn standing(legs: &[Vec<Footfall>], time: Span) -> Vec<(usize, Rigid)> {
    let mut near = Vec::new();
    for (i, falls) in legs.iter().enumerate() {
        let first = falls.partition_point(|fall| fall.stance.off() <= time.start);
        let during = falls[first..].iter().take_while(|fall| fall.stance.strike() < time.end);
        near.extend(during.map(|fall| (i, fall.print())));
    }
    near
}

/// By how much two prints are nearer to each other than they should be, metres; feet are as long as they are.
fn crowds(legs: [&StandLeg; 2], prints: [Rigid; 2], keep: f32) -> f32 {
    let between = floor::of_point(prints[1].translation - prints[0].translation);
    let ahead = floor::of_point(prints[0].rotation * Vec3A::Z).normalize_or_zero();
    let along = between.dot(ahead);
    let aside = between - ahead * along;
    let along = (along.abs() - 0.5 * (legs[0].long() + legs[1].long())).max(0.0);
    (keep - Vec2::new(aside.length(), along).length()).max(0.0)
}

fn heading(print: Rigid) -> f32 {
    FloorPose::below(print).map_or(0.0, |place| place.heading)
}
