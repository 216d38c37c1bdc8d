//! Samples: right prints strewn over the surfaces of a world, which strides join into a graph.

use super::find::Variant;
use super::fit::Change;
use super::foothold::{Foothold, foothold};
use super::map::FootstepMap;
use crate::library::strides::StrideReach;
use crate::math::{FloorPose, wrap_angle};
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
        holds.sort_by_key(index);
        let mut first = vec![0_u32; (squares.x * squares.y) as usize + 1];
        for hold in &holds {
            first[index(hold) + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        Self { holds, seed, low, squares, first }
    }

    /// The samples that a stride leads to from a print within its slack, each with the change and its cost, seconds.
    pub(super) fn reached(&self, from: FloorPose, reach: &StrideReach, offer: &mut dyn FnMut(Variant, Option<u32>)) {
        let to_stride = from.inverse();
        let whole = reach.end(from, Change::default());
        let middle = whole.position;
        let far = Vec2::new(reach.slack.along, reach.slack.across).length();
        // Most are too far round, which is told without a sine.
        let most_turn = reach.slack.turn + FAR_OFF;
        let [low, high] = [middle - far, middle + far].map(|at| (at / SQUARE).floor().as_ivec2() - self.low);
        for z in low.y.max(0)..=high.y.min(self.squares.y - 1) {
            for x in low.x.max(0)..=high.x.min(self.squares.x - 1) {
                let square = (z * self.squares.x + x) as usize;
                for index in self.first[square]..self.first[square + 1] {
                    let pose = self.holds[index as usize].pose;
                    if wrap_angle(pose.heading - whole.heading).abs() > most_turn {
                        continue;
                    }
                    let end = to_stride.then(pose);
                    let change = reach.change_to(FloorPose::ORIGIN, end);
                    if let Some(cost) = reach.cost_of(change) {
                        offer(Variant { change, cost, end }, Some(index));
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
