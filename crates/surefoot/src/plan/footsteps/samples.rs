//! Samples: right prints strewn over the surfaces of a world, which strides join into a graph.

use super::find::Variant;
use super::fit::Change;
use super::foothold::{Foothold, foothold};
use super::map::FootstepMap;
use crate::library::strides::StrideReach;
use crate::math::{FloorPose, floor, single};
use crate::random::{Rng, Seed};
use glam::{IVec2, Vec2, Vec3};

/// How many samples a stride should find within its slack, on the average.
const WANTED: f32 = 3.0;
/// The fewest and the most samples on a square metre.
const DENSITY: [f32; 2] = [60.0, 600.0];
/// The size of the squares that samples are looked up in, metres.
const SQUARE: f32 = 0.25;
/// What is over a limit by this much at a first look is so however it rounds, metres and radians.
pub(super) const FAR_OFF: f32 = 0.01;

/// Right prints by place.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    holds: Vec<Foothold>,
    seed: Seed,
    low: IVec2,
    squares: IVec2,
    /// For each square, its first sample; one more at the end.
    first: Vec<u32>,
    /// The heading of each sample as a [`bearing`]; samples of a square are in their order.
    bearings: Vec<u32>,
}

/// A heading (radians) in parts of a turn of 2³², which is never wrapped: differences of them wrap by themselves.
fn bearing(heading: f32) -> u32 {
    let turns = f64::from(heading) / std::f64::consts::TAU;
    ((turns - turns.floor()) * 4_294_967_296.0) as u32
}

impl Samples {
    /// Strews samples over all cells where a body has room.
    pub(super) fn new(map: &FootstepMap, seed: Seed) -> Self {
        Self::indexed(strewn(map, seed, &|_| true), seed)
    }

    /// Strews samples anew within a box, its least and greatest corner, metres.
    pub(super) fn update(&mut self, map: &FootstepMap, [low, high]: [Vec3; 2]) {
        // Whose body is near is not as free as before.
        let more = Vec2::splat(map.world.body.radius + map.cells.size());
        let [low, high] = [Vec2::new(low.x, low.z) - more, Vec2::new(high.x, high.z) + more];
        let touched = |at: Vec2| at.cmpge(low).all() && at.cmple(high).all();
        let mut holds = std::mem::take(&mut self.holds);
        holds.retain(|hold| !touched(hold.pose.position));
        holds.extend(strewn(map, self.seed, &touched));
        *self = Self::indexed(holds, self.seed);
    }

    fn indexed(mut holds: Vec<Foothold>, seed: Seed) -> Self {
        let square = |hold: &Foothold| (hold.pose.position / SQUARE).floor().as_ivec2();
        let low = holds.iter().map(square).reduce(IVec2::min).unwrap_or_default();
        let high = holds.iter().map(square).reduce(IVec2::max).unwrap_or_default();
        let squares = high - low + 1;
        let index = |hold: &Foothold| {
            let at = square(hold) - low;
            (at.y * squares.x + at.x) as usize
        };
        holds.sort_by_key(|hold| (index(hold), bearing(hold.pose.heading)));
        let bearings = holds.iter().map(|hold| bearing(hold.pose.heading)).collect();
        let mut first = vec![0_u32; (squares.x * squares.y) as usize + 1];
        for hold in &holds {
            first[index(hold) + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        Self { holds, seed, low, squares, first, bearings }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.holds.len()
    }

    /// One of them.
    pub(super) fn hold(&self, index: u32) -> Foothold {
        self.holds[index as usize]
    }

    /// The samples that a stride leads to from a print within its slack, each with the change and its cost, seconds.
    pub(super) fn reached(&self, from: FloorPose, reach: &StrideReach, offer: &mut dyn FnMut(Variant, Option<u32>)) {
        let turned_back = single::sin_cos(-from.heading);
        let whole = reach.end(from, Change::default());
        let middle = whole.position;
        let far = Vec2::new(reach.slack.along, reach.slack.across).length();
        // Those that are not too far round, as far as a first look tells: from the least bearing on, past a whole turn where need be.
        let most = (reach.slack.turn + FAR_OFF).min(std::f32::consts::PI);
        let (least, within) = (bearing(whole.heading - most), bearing(2.0 * most).wrapping_sub(1));
        let [low, high] = [middle - far, middle + far].map(|at| (at / SQUARE).floor().as_ivec2() - self.low);
        for z in low.y.max(0)..=high.y.min(self.squares.y - 1) {
            for x in low.x.max(0)..=high.x.min(self.squares.x - 1) {
                let square = (z * self.squares.x + x) as usize;
                let [first, last] = [self.first[square] as usize, self.first[square + 1] as usize];
                let begins = first + self.bearings[first..last].partition_point(|bearing| *bearing < least);
                for index in (begins..last).chain(first..begins) {
                    if self.bearings[index].wrapping_sub(least) > within {
                        break;
                    }
                    let pose = self.holds[index].pose;
                    let at = floor::turned_by(pose.position - from.position, turned_back);
                    let end = FloorPose::new(at, pose.heading - from.heading);
                    let change = reach.change_ending(end);
                    if let Some(cost) = reach.cost_of(change) {
                        offer(Variant { change, cost, end }, Some(index as u32));
                    }
                }
            }
        }
    }
}

/// Right prints on all cells that have room and are within what is asked for.
fn strewn(map: &FootstepMap, seed: Seed, within: &dyn Fn(Vec2) -> bool) -> Vec<Foothold> {
    let mut rng = Rng::new(seed).stream("footstep samples");
    let room = |reach: &StrideReach| 8.0 * reach.slack.along * reach.slack.across * reach.slack.turn;
    let mut rooms: Vec<f32> = map.reaches.iter().filter(|reach| !reach.turns_on_spot).map(room).collect();
    rooms.sort_by(f32::total_cmp);
    let usual = rooms.get(rooms.len() / 2).copied().unwrap_or(1.0).max(1e-6);
    let density = (WANTED * std::f32::consts::TAU / usual).clamp(DENSITY[0], DENSITY[1]);
    let size = map.cells.size();
    let mut holds = Vec::new();
    let mut owed = 0.0;
    for cell in (0..map.cells.len()).map(|index| map.cells.cell(index)).filter(|cell| cell.clear) {
        let middle = Vec2::new(cell.place.x, cell.place.z);
        if !within(middle) {
            continue;
        }
        owed += density * size * size;
        while owed >= 1.0 {
            owed -= 1.0;
            let off = Vec2::new(rng.range(-0.5, 0.5), rng.range(-0.5, 0.5)) * size;
            let heading = rng.range(-std::f32::consts::PI, std::f32::consts::PI);
            let pose = FloorPose::new(middle + off, heading);
            let hold = foothold(&map.world.ground, map.world.sole, pose, cell.place.y, map.limits.rise);
            holds.extend(hold.filter(|hold| hold.uncarried == 0.0));
        }
    }
    holds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::strides::plain_strides;
    use crate::math::wrap_angle;
    use proptest::prelude::*;
    use std::f32::consts::PI;

    proptest! {
        #[test]
        fn a_stride_leads_to_the_samples_within_its_slack(
            seed in 0_u64..1000, at in prop::array::uniform2(-2.0_f32..2.0), heading in -7.0_f32..7.0, which in 0_usize..100,
        ) {
            let mut rng = crate::random::Rng::new(Seed(seed));
            let mut any = |most: f32| rng.range(-most, most);
            let hold = |pose: FloorPose| Foothold {
                pose, y: 0.0, normal: Vec3::Y, surface: crate::world::SurfaceId(0), uncarried: 0.0, uneven: 0.0, tight: 0.0,
            };
            let holds = (0..4000).map(|_| hold(FloorPose::new(Vec2::new(any(3.0), any(3.0)), any(PI)))).collect();
            let samples = Samples::indexed(holds, Seed(seed));
            let strides = plain_strides();
            let (reach, from) = (&strides[which % strides.len()], FloorPose::new(Vec2::from(at), heading));
            let mut found = Vec::new();
            samples.reached(from, reach, &mut |variant, index| found.push((index.unwrap(), variant.change)));
            found.sort_by_key(|(index, _)| *index);
            let whole = reach.end(from, Change::default());
            let by_hand: Vec<(u32, Change)> = (0..samples.len() as u32)
                .filter(|index| wrap_angle(samples.hold(*index).pose.heading - whole.heading).abs() < reach.slack.turn + 0.005)
                .map(|index| (index, reach.change_to(from, samples.hold(index).pose)))
                .filter(|(_, change)| reach.cost_of(*change).is_some())
                .collect();
            prop_assert_eq!(found, by_hand);
        }
    }
}
