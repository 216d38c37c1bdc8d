//! Strides fitted to the ground: where a stride puts its feet from a print, if it can.

use super::find::Variant;
use super::foothold::{Foothold, SoleSize, foothold};
use super::map::FootstepMap;
use crate::library::strides::{StandsAt, StrideKind, StrideReach, StrideStand};
use crate::math::{FloorPose, floor, single, wrap_angle};
use crate::rig::Side;
use glam::{Vec2, Vec3};

/// How a stride's last print is put otherwise than the clip has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Change {
    /// Metres.
    pub(super) along: f32,
    /// Metres, left positive.
    pub(super) across: f32,
    /// Radians, left positive.
    pub(super) turn: f32,
}

/// A print of a stride on the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct FittedPrint {
    pub(super) side: Side,
    pub(super) hold: Foothold,
    /// Seconds after the stride's first print.
    pub(super) time: f32,
    /// Whether it is an edge of a gap.
    pub(super) edge: bool,
}

/// A stride on the ground.
#[derive(Clone, Debug)]
pub(super) struct Fitted {
    pub(super) prints: Vec<FittedPrint>,
    /// Whether its first print is an edge of a gap.
    pub(super) leaves_edge: bool,
    /// What it costs over its seconds, preferences and changes, seconds.
    pub(super) extra: f32,
    /// How many times as dear its seconds are.
    pub(super) factor: f32,
}

/// Jumps begin as they were captured: no speed before them is farther off theirs.
pub(super) const MOST_SPECIAL: f32 = 0.75;
/// What a sole costs that is not carried, seconds.
const UNCARRIED: f32 = 2.0;
/// What a metre costs that the ground under a sole is off its plane, seconds: feet seek level places.
const UNEVEN: f32 = 8.0;
/// What a sole costs that has no room around it, seconds.
const TIGHT: f32 = 0.3;
/// A foot that stands beside the other is moved by this much at most, metres.
const BESIDE: f32 = 0.02;
/// What a metre costs that a print between is moved by, seconds.
const MOVED: f32 = 0.5;
/// What a metre costs that a step is higher than what is easy, seconds, and what that is, as a share of the highest step there is.
pub(super) const HIGH: f32 = 8.0;
pub(super) const HIGH_SHARE: f32 = 0.5;
/// What a metre costs that a step is longer than walks take them, seconds: legs are straight before it, and knees snap after it.
const TOO_LONG: f32 = 10.0;
/// What passing over a tread costs, seconds: stairs are taken one at a time.
const PASSED_OVER: f32 = 2.0;
/// Treads are this much higher or lower than both prints, metres, and longer than this share of a sole.
const TREAD_RISE: f32 = 0.06;
const TREAD: f32 = 0.7;
/// What a change of the whole slack costs, as a share of the stride's seconds.
pub(super) const CHANGED: f32 = 0.15;
/// Prints move only where the body has this much more room, metres: as far as smoothing moves them, and as the body sways.
const SPARE: f32 = 0.22;
/// The body's way is looked at this often, metres; more than a body is thick would let it through walls.
const BODY_STEP: f32 = 0.3;
/// Prints between are tried this much to the front and back, as shares of the slack along; and across likewise.
const NUDGES: [[f32; 2]; 15] = [
    [0.0, 0.0],
    [0.2, 0.0],
    [-0.2, 0.0],
    [0.0, 0.5],
    [0.0, -0.5],
    [0.4, 0.0],
    [-0.4, 0.0],
    [0.0, 1.0],
    [0.0, -1.0],
    [0.6, 0.0],
    [-0.6, 0.0],
    [0.4, 0.7],
    [0.4, -0.7],
    [-0.4, 0.7],
    [-0.4, -0.7],
];

impl Foothold {
    /// What it costs to stand where a sole is not carried, or has no room around it, seconds.
    fn cost(&self) -> f32 {
        UNCARRIED * self.uncarried + UNEVEN * self.uneven + TIGHT * self.tight
    }
}

impl StrideReach {
    /// What a change costs, seconds; `None` if it is beyond the slack.
    pub(super) fn cost_of(&self, change: Change) -> Option<f32> {
        let share = |value: f32, slack: f32| if value == 0.0 { 0.0 } else { value.abs() / slack.max(1e-6) };
        let Change { along, across, turn } = change;
        let shares = [share(along, self.slack.along), share(across, self.slack.across), share(turn, self.slack.turn)];
        let within = shares.iter().all(|share| *share <= 1.0 + 1e-4);
        within.then(|| CHANGED * self.seconds * shares.iter().map(|share| share * share).sum::<f32>())
    }

    /// How much higher or lower than its first print its last one may be, metres: each step may rise; what flies is told as a whole.
    fn whole_rise(&self) -> f32 {
        let steps = if self.flight.is_some() { 1.0 } else { self.prints.len() as f32 };
        steps * self.slack.rise
    }

    /// A change with what it costs; `None` if it is beyond the slack.
    pub(super) fn variant(&self, change: Change) -> Option<Variant> {
        let end = self.end(FloorPose::ORIGIN, change);
        self.cost_of(change).map(|cost| Variant { change, cost, end })
    }

    /// Where it ends.
    pub(super) fn end(&self, from: FloorPose, change: Change) -> FloorPose {
        self.print_pose(from, self.prints.len() - 1, change)
    }

    /// How far away its last print may be, within its slack, metres.
    pub(super) fn longest(&self) -> f32 {
        let last = self.prints[self.prints.len() - 1].pose().position;
        let slack = Vec2::new(self.slack.along, self.slack.across).length();
        // A turn on the spot is about a point that may be anywhere.
        if self.turns_on_spot { f32::INFINITY } else { last.length() + slack }
    }

    /// A print's place where the stride is turned by more than the clip has it: who turns on the spot does so about his middle.
    fn turned_about(&self, place: Vec2, turn: f32) -> Vec2 {
        if !self.turns_on_spot {
            return place;
        }
        let last = self.prints[self.prints.len() - 1].pose();
        // The point that the first print and the last one have in common.
        let middle = turned_round(last);
        middle + floor::turned(place - middle, turn)
    }

    /// The change by which it ends at a pose, and the wrapped heading of that.
    pub(super) fn change_to(&self, from: FloorPose, to: FloorPose) -> Change {
        let at = floor::turned(to.position - from.position, -from.heading);
        self.change_ending(FloorPose::new(at, to.heading - from.heading))
    }

    /// The same for where it ends in the frame of its first print.
    pub(super) fn change_ending(&self, end: FloorPose) -> Change {
        let last = self.prints[self.prints.len() - 1];
        let (at, turn) = (end.position, wrap_angle(end.heading - last.heading));
        let own = self.turned_about(last.pose().position, turn);
        Change { along: at.y - own.y, across: at.x - own.x, turn }
    }

    /// Where one of its prints is: changes are taken by the flight if there is one, else by all steps.
    fn print_pose(&self, from: FloorPose, index: usize, change: Change) -> FloorPose {
        let print = self.prints[index];
        // Feet that stand beside each other do so as they were captured.
        let share = match (self.flight, self.stand) {
            (Some(flight), _) => f32::from(u8::from(index >= flight)),
            (None, Some(StrideStand { end: StandsAt::Start, .. })) => f32::from(u8::from(index > 0)),
            (None, Some(_)) if index + 2 == self.prints.len() => {
                let last = self.prints.len() - 1;
                let [own, end] = [index, last].map(|k| self.prints[k].pose());
                return self.print_pose(from, last, change).then(end.inverse().then(own));
            }
            (None, Some(_)) if index + 1 == self.prints.len() => 1.0,
            // By how far round it is.
            (None, _) if self.turns_on_spot => {
                let whole = self.prints[self.prints.len() - 1].heading;
                if whole.abs() > 1e-3 { (print.heading / whole).clamp(0.0, 1.0) } else { 1.0 }
            }
            (None, _) => print.time / self.seconds.max(1e-3),
        };
        let Change { along, across, turn } = change;
        let own = self.turned_about(print.pose().position, share * turn);
        let at = own + share * Vec2::new(across, along);
        from.then(FloorPose::new(at, print.heading + share * turn))
    }
}

impl FootstepMap {
    /// A stride from a foothold with a change; `None` where it does not fit the ground.
    pub(super) fn fit(&self, from: &Foothold, reach: &StrideReach, change: Change) -> Option<Fitted> {
        let end = self.end_hold(from, reach, change)?;
        self.fit_to(from, reach, change, end)
    }

    /// A stride from a foothold with a change; where it would not end in the middle of a tread, it is made a little longer or shorter.
    pub(super) fn fit_near(&self, from: &Foothold, reach: &StrideReach, change: Change) -> Option<Fitted> {
        let end = self.end_hold(from, reach, change);
        if let Some(end) = end.filter(|end| end.tight == 0.0 && end.uncarried == 0.0) {
            return self.fit_to(from, reach, change, end);
        }
        match self.onto_middle(from, reach, change) {
            Some(slid) => self.fit(from, reach, slid),
            None => self.fit_to(from, reach, change, end?),
        }
    }

    /// Where a stride ends with a change; `None` if nobody can stand there, or the ground surely ends before it.
    fn end_hold(&self, from: &Foothold, reach: &StrideReach, change: Change) -> Option<Foothold> {
        let pose = reach.end(from.pose, change);
        let rise = reach.whole_rise();
        let place = floor::at_height(pose.position, from.y);
        if reach.flight.is_none() && self.cells.surely_off(from.place(), place, rise, self.limits.crack) {
            return None;
        }
        foothold(&self.world.ground, self.world.sole, pose, from.y, rise)
    }

    fn fit_to(&self, from: &Foothold, reach: &StrideReach, change: Change, end: Foothold) -> Option<Fitted> {
        let Self { world, .. } = self;
        let mut fitted = Fitted {
            prints: Vec::with_capacity(reach.prints.len()),
            leaves_edge: reach.flight == Some(0),
            extra: 0.0,
            factor: 1.0,
        };
        let mut before = *from;
        let mut body = self.body_over(&FittedPrint { side: Side::Right, hold: *from, time: 0.0, edge: false }, None);
        for (index, print) in reach.prints.iter().enumerate() {
            let last = index + 1 == reach.prints.len();
            let pose = reach.print_pose(from.pose, index, change);
            let flies = reach.flight == Some(index);
            let hold = if last {
                if !flies {
                    fitted.extra += self.step_cost(&before, &end)?;
                }
                (flies || (end.y - before.y).abs() <= reach.slack.rise.max(0.02)).then_some(end)?
            } else if let Some((hold, cost)) = reach.stand.and_then(|_| self.hold(&before, pose, reach, flies)) {
                // Beside the other foot, as it was captured.
                fitted.extra += cost;
                hold
            } else {
                let (hold, cost) = self.best_hold(&before, pose, reach, flies)?;
                // Who stands does so about as captured: the body is over both feet.
                if reach.stand.is_some() && hold.pose.position.distance(pose.position) > BESIDE {
                    return None;
                }
                fitted.extra += cost;
                hold
            };
            // Whoever walks, sets off or comes to stand takes steps about as long as walks do.
            let walks = reach.flight.is_none() && reach.kind != StrideKind::Run && self.limits.step > 0.0;
            let long = before.pose.position.distance(hold.pose.position) - self.limits.step;
            if walks && long > 0.0 {
                fitted.extra += TOO_LONG * long;
            }
            fitted.extra += hold.cost();
            fitted.factor = world.cost(reach.kind, hold.pose.position)?.max(fitted.factor);
            let edge = flies || reach.flight == Some(index + 1);
            let now = FittedPrint { side: print.side, hold, time: print.time, edge };
            let next = self.body_over(&now, Some(&before));
            if !self.body_passes(body, next) {
                return None;
            }
            (body, before) = (next, hold);
            fitted.prints.push(now);
        }
        fitted.factor *= self.cells.shy(self.body_place(&before));
        let rise = before.y - from.y - reach.prints[reach.prints.len() - 1].place.y;
        (rise.abs() <= reach.whole_rise() + 1e-3).then_some(fitted)
    }

    /// A foothold for a print that follows another, and what the step to it costs, seconds.
    fn hold(&self, before: &Foothold, pose: FloorPose, reach: &StrideReach, flies: bool) -> Option<(Foothold, f32)> {
        let rise = reach.slack.rise.max(0.02);
        let hold = foothold(&self.world.ground, self.world.sole, pose, before.y, rise)?;
        let cost = if flies { 0.0 } else { self.step_cost(before, &hold)? };
        Some((hold, cost))
    }

    /// The best foothold near where a print should be, and what the step to it and the move cost, seconds.
    fn best_hold(
        &self,
        before: &Foothold,
        pose: FloorPose,
        reach: &StrideReach,
        flies: bool,
    ) -> Option<(Foothold, f32)> {
        let nudge = |[along, across]: [f32; 2]| Vec2::new(across * reach.slack.across, along * reach.slack.along);
        let moved = |off: Vec2| {
            let to = FloorPose::new(pose.transform_point(off), pose.heading);
            let (hold, step) = self.hold(before, to, reach, flies)?;
            Some((hold, step, step + MOVED * off.length()))
        };
        let flat = |hold: &Foothold, step: f32| hold.uncarried == 0.0 && step == 0.0;
        let own = moved(Vec2::ZERO);
        if let Some((hold, _, cost)) = own.filter(|(hold, step, _)| flat(hold, *step) && hold.tight == 0.0) {
            return Some((hold, cost));
        }
        // Onto its tread first, if it is not there.
        let slid = self.onto_tread(pose, before.y, reach.slack.rise).map(|to| pose.inverse().transform_point(to));
        let slid = slid.filter(|off| off.y.abs() <= reach.slack.along && off.x.abs() <= reach.slack.across);
        let mut best: Option<(Foothold, f32)> = None;
        let others = slid.into_iter().chain(NUDGES.into_iter().skip(1).map(nudge)).map(|off| (off, moved(off)));
        for (off, found) in std::iter::once((Vec2::ZERO, own)).chain(others) {
            let Some((hold, step, cost)) = found else { continue };
            // With room around it, or in the middle of its tread.
            let good = hold.tight == 0.0 || slid.is_none_or(|slid| slid == off);
            if flat(&hold, step) && good {
                return Some((hold, cost));
            }
            if best.as_ref().is_none_or(|(other, least)| hold.cost() + cost < other.cost() + least) {
                best = Some((hold, cost));
            }
        }
        best
    }

    /// The change by which a stride ends on its tread as a whole, off both of its ends; `None` where it cannot.
    fn onto_middle(&self, from: &Foothold, reach: &StrideReach, change: Change) -> Option<Change> {
        let end = reach.end(from.pose, change);
        let to = self.onto_tread(end, from.y, reach.whole_rise())?;
        let slid = reach.change_to(from.pose, FloorPose { position: to, ..end });
        reach.cost_of(slid).map(|_| slid)
    }

    /// Where a sole lies on the level piece of ground under its middle as a whole, or hangs over either end of it alike, with the least
    /// move; `None` where it is so already, or there is no ground within a rise of a height, metres.
    fn onto_tread(&self, pose: FloorPose, y: f32, rise: f32) -> Option<Vec2> {
        const STEP: f32 = 0.03;
        const LEVEL: f32 = 0.02;
        const SPARE: f32 = 0.05;
        let top = y + rise + 0.01;
        let height = |at: Vec2| self.world.ground.footing_height(floor::at_height(at, top), 2.0 * (rise + 0.01));
        let own = height(pose.position)?;
        let SoleSize { back, front, half_width } = self.world.sole;
        // How far the ground goes on at its height.
        let level = |way: Vec2, wanted: f32| {
            let most = ((2.0 * wanted) / STEP).ceil() as usize;
            let on = |k: &usize| {
                height(pose.position + (k + 1) as f32 * STEP * way).is_some_and(|y| (y - own).abs() < LEVEL)
            };
            (0..most).take_while(on).count() as f32 * STEP
        };
        let moved = |way: Vec2, ahead: f32, behind: f32| {
            let least = behind + SPARE - level(-way, behind);
            let most = level(way, ahead) - ahead - SPARE;
            if least <= most { 0.0_f32.clamp(least, most) } else { 0.5 * (least + most) }
        };
        let (forward, left) = (pose.forward(), floor::turned(Vec2::X, pose.heading));
        let by = moved(forward, front, back) * forward + moved(left, half_width, half_width) * left;
        (by.length_squared() > 1e-6).then_some(pose.position + by)
    }

    /// What a step costs for its height, seconds.
    fn high(&self, from: &Foothold, to: &Foothold) -> f32 {
        HIGH * ((to.y - from.y).abs() - HIGH_SHARE * self.limits.rise).max(0.0)
    }

    /// What a step from one foothold to another costs, seconds: for its height, and for a tread between them that a foot could stand
    /// on. `None` over a wider crack than is stepped over.
    fn step_cost(&self, from: &Foothold, to: &Foothold) -> Option<f32> {
        const STEP: f32 = 0.05;
        let [a, b] = [from.place(), to.place()];
        let length = from.pose.position.distance(to.pose.position);
        let parts = (length / STEP).ceil().max(1.0) as usize;
        let (top, low) = (a.y.max(b.y) + 0.25, a.y.min(b.y) - 0.25);
        let (mut gap, mut widest) = (0.0_f32, 0.0_f32);
        // Level pieces half way up or down.
        let [least, most] = [a.y.min(b.y) + TREAD_RISE, a.y.max(b.y) - TREAD_RISE];
        let (mut level, mut tread, mut cost) = (f32::NAN, 0.0_f32, self.high(from, to));
        for part in 1..parts {
            let at = a.lerp(b, part as f32 / parts as f32);
            let hit = self.world.ground.footing_height(Vec3 { y: top, ..at }, top - low);
            gap = if hit.is_some() { 0.0 } else { gap + length / parts as f32 };
            widest = widest.max(gap);
            let y = hit.unwrap_or(f32::NAN);
            (level, tread) = match (y - level).abs() < 0.02 {
                true => (level, tread + length / parts as f32),
                false => (y, 0.0),
            };
            if tread > TREAD * self.world.sole.length() && (least..most).contains(&level) {
                (cost, tread) = (cost + PASSED_OVER, 0.0);
            }
        }
        (widest <= self.limits.crack).then_some(cost)
    }

    /// Where the body is over a print: half a step's width to the other side.
    fn body_over(&self, print: &FittedPrint, before: Option<&Foothold>) -> Vec3 {
        let aside = if print.side == Side::Right { 0.5 } else { -0.5 } * self.limits.width;
        let at = print.hold.pose.transform_point(Vec2::new(aside, 0.0));
        floor::at_height(at, before.map_or(print.hold.y, |before| print.hold.y.max(before.y)))
    }

    /// Whether the body has room over a print, and [`SPARE`] around it.
    pub(super) fn is_roomy_over(&self, print: &FittedPrint) -> bool {
        let at = self.body_over(print, None);
        self.world.has_room(at, SPARE)
    }

    /// Whether a stride can be taken over footholds that are given, its first right print first.
    pub(super) fn passes(&self, holds: &[Foothold], reach: &StrideReach) -> bool {
        let sides = std::iter::once(Side::Right).chain(reach.prints.iter().map(|print| print.side));
        let print = |(side, hold): (Side, &Foothold)| FittedPrint { side, hold: *hold, time: 0.0, edge: false };
        let prints: Vec<FittedPrint> = sides.zip(holds).map(print).collect();
        prints.windows(2).enumerate().all(|(index, pair)| {
            let [from, to] = [&pair[0], &pair[1]];
            let stepped = reach.flight == Some(index) || self.step_cost(&from.hold, &to.hold).is_some();
            stepped && self.body_passes(self.body_over(from, None), self.body_over(to, Some(&from.hold)))
        })
    }

    /// Whether the body has room all the way from one place to another.
    fn body_passes(&self, from: Vec3, to: Vec3) -> bool {
        let high = from.y.max(to.y);
        let parts = (from.distance(to) / BODY_STEP).ceil().max(1.0) as usize;
        (1..=parts).all(|part| {
            let at = Vec3 { y: high, ..from.lerp(to, part as f32 / parts as f32) };
            self.cells.is_roomy(at) || self.world.has_room(at, 0.0)
        })
    }

    /// Where the body is over a right print.
    pub(super) fn body_place(&self, hold: &Foothold) -> Vec3 {
        floor::at_height(hold.pose.transform_point(self.body_aside()), hold.y)
    }

    /// The same, in the frame of the print.
    pub(super) fn body_aside(&self) -> Vec2 {
        Vec2::new(0.5 * self.limits.width, 0.0)
    }

    /// The right print of a body that stands at a place, as the first stride stands that does so at that end; heights are looked for
    /// within the highest step.
    pub(super) fn stand(&self, place: Vec3, heading: f32, end: Option<StandsAt>) -> Option<Foothold> {
        let body = FloorPose::new(Vec2::new(place.x, place.z), heading);
        let stands = |end: StandsAt| self.reaches.iter().filter_map(|reach| reach.stand).find(|stand| stand.end == end);
        let pose = match end.and_then(stands) {
            Some(stand) => body.then(stand.body.inverse()),
            None => FloorPose::new(body.transform_point(Vec2::new(-0.5 * self.limits.width, 0.0)), heading),
        };
        foothold(&self.world.ground, self.world.sole, pose, place.y, self.world.ground.survey().step_height.max(0.3))
    }
}

/// The point about which a pose at the origin is turned to be another.
fn turned_round(to: FloorPose) -> Vec2 {
    // p - R p = place, of which (1 - cos)² + sin² is the determinant.
    let (sin, cos) = single::sin_cos(to.heading);
    let less = 1.0 - cos;
    let whole = (sin * sin + less * less).max(1e-6);
    let Vec2 { x, y } = to.position;
    Vec2::new(less * x + sin * y, less * y - sin * x) / whole
}

/// How fast a stride may lead on from a speed, as what it costs for a whole change of speed, seconds; `None` if it may not.
pub(super) fn change_of_speed(speed: f32, reach: &StrideReach) -> Option<f32> {
    const WHOLE: f32 = 0.4;
    let change = (reach.entry_speed - speed).abs();
    (reach.kind != StrideKind::Special || change <= MOST_SPECIAL).then_some(WHOLE * change)
}
