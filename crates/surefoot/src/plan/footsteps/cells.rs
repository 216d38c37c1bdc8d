//! Cells: where feet can be, on a grid with any number of floors, what leads from one to the next, and how far the goal is.

use super::fit::{HIGH, HIGH_SHARE};
use super::map::{FootstepWorld, Limits};
use crate::library::strides::StrideKind;
use crate::math::single;
use crate::plan::search::Queue;
use glam::{IVec2, Vec2, Vec3};
use std::ops::Range;

/// The size of a cell, metres: no larger than a foothold is long.
const CELL: f32 = 0.2;
/// The most columns of cells; larger worlds get larger cells.
const MOST_COLUMNS: f32 = 6e5;
/// The most hops that lead from one cell: the shortest ones, so that each gap is crossed from each of its edges.
const MOST_HOPS: usize = 12;

/// Where feet can be.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    low: Vec2,
    size: f32,
    columns: IVec2,
    /// For each column, its first cell; one more at the end.
    first: Vec<u32>,
    cells: Vec<Cell>,
    /// Ways over cracks and gaps, by the cell they lead from.
    hops: Vec<Hop>,
    /// For each cell, its first hop; one more at the end.
    first_hop: Vec<u32>,
}

/// A place where a foot can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    /// Its middle, metres.
    pub(super) place: Vec3,
    /// Whether the body has room over it.
    pub(super) clear: bool,
    /// Whether the body has room all over the cell, so that nobody needs to look closer.
    pub(super) roomy: bool,
    /// Whether the ground ends beside it.
    pub(super) edge: bool,
    /// The least that a metre costs on it, seconds, edges apart.
    metre: f32,
    /// How many times as dear it is because the ground ends nearby.
    pub(super) shy: f32,
}

impl Cell {
    /// The least that a metre costs on it, seconds.
    fn cost(&self) -> f32 {
        self.metre * self.shy
    }
}

/// How many times as dear a cell is at an edge, and how many beside such a cell: nobody walks along an edge who need not.
const SHY: [f32; 2] = [1.5, 1.2];

/// A way over ground that is not there, or too high a step for walking.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hop {
    from: u32,
    to: u32,
    length: f32,
    /// Whether it is a gap that only flights cross.
    flown: bool,
}

/// How far each cell is from a goal.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// At least so many seconds by the strides there are; infinite where nothing leads.
    pub(super) seconds: Vec<f32>,
}

impl Cells {
    pub(super) fn new(world: &FootstepWorld, limits: &Limits) -> Self {
        let mut low = Vec2::INFINITY;
        let mut high = Vec2::NEG_INFINITY;
        for corner in (0..world.ground.len()).flat_map(|i| world.ground.triangle(i)) {
            let at = Vec2::new(corner.x, corner.z);
            (low, high) = (low.min(at), high.max(at));
        }
        if !low.is_finite() {
            (low, high) = (Vec2::ZERO, Vec2::ZERO);
        }
        let extent = high - low;
        let size = CELL.max((extent.x * extent.y / MOST_COLUMNS).sqrt());
        // A cell's middle is never on the outermost edge.
        let columns = (extent / size).ceil().as_ivec2().max(IVec2::ONE);
        let low = low - 0.5 * (columns.as_vec2() * size - extent);
        let mut cells =
            Self { low, size, columns, first: vec![0], cells: Vec::new(), hops: Vec::new(), first_hop: vec![0] };
        for z in 0..columns.y {
            for x in 0..columns.x {
                cells.look(world, limits, IVec2::new(x, z));
                cells.first.push(cells.cells.len() as u32);
            }
        }
        cells.mark_edges(limits, None);
        cells.find_hops(world, limits, None);
        cells
    }

    /// Looks again at what is in a box, and at hops that may pass it.
    pub(super) fn update(&mut self, world: &FootstepWorld, limits: &Limits, [low, high]: [Vec3; 2]) {
        let radius = world.body.radius + world.spare + 2.0 * self.size;
        let near = |reach: f32| {
            let [low, high] = [Vec2::new(low.x, low.z) - reach, Vec2::new(high.x, high.z) + reach];
            move |p: Vec3| p.x >= low.x && p.x <= high.x && p.z >= low.y && p.z <= high.y
        };
        let touched = near(radius);
        let old = std::mem::take(&mut self.cells);
        let first = std::mem::replace(&mut self.first, vec![0]);
        let mut now = vec![u32::MAX; old.len()];
        let columns = self.columns;
        let all = (0..columns.y).flat_map(|z| (0..columns.x).map(move |x| IVec2::new(x, z)));
        for (column, at) in all.enumerate() {
            let middle = self.middle(at);
            if touched(Vec3::new(middle.x, 0.0, middle.y)) {
                self.look(world, limits, at);
            } else {
                for index in first[column]..first[column + 1] {
                    now[index as usize] = self.cells.len() as u32;
                    self.cells.push(old[index as usize]);
                }
            }
            self.first.push(self.cells.len() as u32);
        }
        self.mark_edges(limits, Some(&near(radius + 2.0 * self.size)));
        // Hops that pass the box are found again, the others are kept.
        let around = near(radius + limits.hop(self.size));
        let kept: Vec<Hop> = std::mem::take(&mut self.hops)
            .into_iter()
            .filter(|hop| !around(old[hop.from as usize].place))
            .map(|hop| Hop { from: now[hop.from as usize], to: now[hop.to as usize], ..hop })
            .filter(|hop| hop.from != u32::MAX && hop.to != u32::MAX)
            .collect();
        self.hops = kept;
        self.find_hops(world, limits, Some(&around));
    }

    fn middle(&self, column: IVec2) -> Vec2 {
        self.low + self.size * (column.as_vec2() + 0.5)
    }

    fn column_of(&self, at: Vec2) -> IVec2 {
        ((at - self.low) / self.size).floor().as_ivec2()
    }

    /// All floors of a column, from above.
    fn look(&mut self, world: &FootstepWorld, limits: &Limits, column: IVec2) {
        let at = self.middle(column);
        let run = world.cost(StrideKind::Run, at).map_or(f32::INFINITY, |cost| cost * limits.metre);
        let walk = world.cost(StrideKind::Walk, at).map_or(f32::INFINITY, |cost| cost * limits.walked);
        let metre = run.min(walk);
        // Above everything: worlds are within a million metres.
        let mut top = 1e6;
        while let Some(hit) = world.ground.footing(Vec3::new(at.x, top, at.y), 2e6) {
            let roomy = world.has_room(hit.point, 0.71 * self.size);
            let clear = roomy || world.has_room(hit.point, 0.0);
            self.cells.push(Cell { place: hit.point, clear, roomy, edge: false, metre, shy: 1.0 });
            top = hit.point.y - 0.05;
        }
    }

    fn in_column(&self, column: IVec2) -> Range<usize> {
        if column.cmplt(IVec2::ZERO).any() || column.cmpge(self.columns).any() {
            return 0..0;
        }
        let index = (column.y * self.columns.x + column.x) as usize;
        self.first[index] as usize..self.first[index + 1] as usize
    }

    /// The cell of a column that is nearest to a height, within a rise, metres.
    fn at_height(&self, column: IVec2, y: f32, rise: f32) -> Option<usize> {
        self.nearest(self.in_column(column), y, rise)
    }

    /// The same of cells that are told.
    fn nearest(&self, cells: Range<usize>, y: f32, rise: f32) -> Option<usize> {
        let mut best = None;
        let mut least = rise;
        for index in cells {
            let off = (self.cells[index].place.y - y).abs();
            if off <= least {
                (best, least) = (Some(index), off);
            }
        }
        best
    }

    /// The cells beside one that a step leads to, and how far they are, metres.
    fn beside(&self, index: usize, rise: f32) -> impl Iterator<Item = (usize, f32)> + '_ {
        let place = self.cells[index].place;
        let column = self.column_of(Vec2::new(place.x, place.z));
        EIGHT.into_iter().filter_map(move |[x, z]| {
            let other = self.at_height(column + IVec2::new(x, z), place.y, rise + self.size)?;
            let rises = (self.cells[other].place.y - place.y).abs();
            // A step, or a slope of 45° at most.
            let length = self.size * if x * z == 0 { 1.0 } else { std::f32::consts::SQRT_2 };
            (rises <= rise.max(length)).then_some((other, single::hypot(length, rises)))
        })
    }

    fn mark_edges(&mut self, limits: &Limits, within: Option<&dyn Fn(Vec3) -> bool>) {
        for index in 0..self.cells.len() {
            if within.is_none_or(|within| within(self.cells[index].place)) {
                let edge = self.beside(index, limits.rise).count() < 8;
                self.cells[index].edge = edge;
            }
        }
        for index in 0..self.cells.len() {
            let near = |index: usize| self.beside(index, limits.rise).any(|(to, _)| self.cells[to].edge);
            self.cells[index].shy = match self.cells[index].edge {
                true => SHY[0],
                false if near(index) => SHY[1],
                false => 1.0,
            };
        }
    }

    /// Finds ways over cracks and gaps between edges, those that begin within what is asked for; others are kept.
    fn find_hops(&mut self, world: &FootstepWorld, limits: &Limits, within: Option<&dyn Fn(Vec3) -> bool>) {
        let reach = limits.hop(self.size);
        let columns = (reach / self.size).ceil() as i32;
        let mut found: Vec<Hop> = Vec::new();
        for from in 0..self.cells.len() {
            let cell = self.cells[from];
            if !cell.edge || !cell.clear || within.is_some_and(|within| !within(cell.place)) {
                continue;
            }
            let column = self.column_of(Vec2::new(cell.place.x, cell.place.z));
            let start = found.len();
            for z in -columns..=columns {
                for x in -columns..=columns {
                    if (x * x + z * z) as f32 * self.size * self.size > reach * reach || x.abs().max(z.abs()) < 1 {
                        continue;
                    }
                    for to in self.in_column(column + IVec2::new(x, z)) {
                        let other = self.cells[to];
                        let rise = (other.place.y - cell.place.y).abs();
                        if other.edge && other.clear && rise <= limits.rise.max(limits.flight_rise) {
                            let length = other.place.distance(cell.place);
                            found.push(Hop { from: from as u32, to: to as u32, length, flown: false });
                        }
                    }
                }
            }
            let hops = &mut found[start..];
            hops.sort_by(|a, b| a.length.total_cmp(&b.length).then(a.to.cmp(&b.to)));
            let mut kept = start;
            for i in start..found.len() {
                if kept - start < MOST_HOPS
                    && let Some(hop) = self.needed(world, limits, found[i])
                {
                    found[kept] = hop;
                    kept += 1;
                }
            }
            found.truncate(kept);
        }
        self.hops.extend(found);
        self.hops.sort_by_key(|hop| (hop.from, hop.to));
        self.first_hop = vec![0; self.cells.len() + 1];
        for hop in &self.hops {
            self.first_hop[hop.from as usize + 1] += 1;
        }
        for index in 0..self.cells.len() {
            self.first_hop[index + 1] += self.first_hop[index];
        }
    }

    /// A hop with how it is crossed, if it passes where nobody can walk, is not too wide, and the body has room.
    fn needed(&self, world: &FootstepWorld, limits: &Limits, hop: Hop) -> Option<Hop> {
        let [from, to] = [hop.from, hop.to].map(|index| self.cells[index as usize].place);
        let rise = (to.y - from.y).abs();
        let parts = (hop.length / (0.5 * self.size)).ceil().max(2.0) as usize;
        let mut y = from.y;
        let walked = (1..=parts).all(|part| {
            let at = from.lerp(to, part as f32 / parts as f32);
            let on = self.at_height(self.column_of(Vec2::new(at.x, at.z)), y, limits.rise);
            y = on.map_or(y, |index| self.cells[index].place.y);
            on.is_some()
        });
        if walked {
            return None;
        }
        // The cells' middles are up to a cell from the edge on both sides.
        let sure = |widest: f32| hop.length <= widest;
        let gap = if sure(limits.crack) { 0.0 } else { gap_between(world, from, to).width };
        let flown = gap > limits.crack || rise > limits.rise;
        if flown && (gap > limits.gap || rise > limits.flight_rise) {
            return None;
        }
        let high = from.y.max(to.y);
        let room = (1..4).all(|part| world.has_room(Vec3 { y: high, ..from.lerp(to, 0.25 * part as f32) }, 0.0));
        room.then_some(Hop { flown, ..hop })
    }

    /// The cell of a place, or the nearest one beside it.
    pub(super) fn near(&self, place: Vec3, rise: f32) -> Option<usize> {
        let column = self.column_of(Vec2::new(place.x, place.z));
        let all = (-1..=1).flat_map(|z| (-1..=1).map(move |x| IVec2::new(x, z)));
        let found = all.filter_map(|off| self.at_height(column + off, place.y, rise));
        let off = |index: &usize| self.cells[*index].place.distance_squared(place);
        found.min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// How many times as dear a place is because the ground ends nearby.
    pub(super) fn shy(&self, place: Vec3) -> f32 {
        let at = self.at_height(self.column_of(Vec2::new(place.x, place.z)), place.y, self.size);
        at.map_or(SHY[0], |cell| self.cells[cell].shy)
    }

    /// Whether the body surely has room over a place.
    pub(super) fn is_roomy(&self, place: Vec3) -> bool {
        let at = Vec2::new(place.x, place.z);
        self.at_height(self.column_of(at), place.y, 0.05).is_some_and(|cell| self.cells[cell].roomy)
    }

    /// Whether the line between two places surely passes a gap that is wider than a crack, metres: then nobody needs to look closer.
    pub(super) fn surely_off(&self, from: Vec3, to: Vec3, rise: f32, crack: f32) -> bool {
        let step = 0.5 * self.size;
        let parts = (from.distance(to) / step).ceil().max(1.0) as usize;
        let (mut gap, step) = (0.0, from.distance(to) / parts as f32);
        // Feet are beside the line, and cells only stand for their middles.
        let least = crack + 2.0 * self.size;
        (1..=parts).any(|part| {
            let at = from.lerp(to, part as f32 / parts as f32);
            let on = self.at_height(self.column_of(Vec2::new(at.x, at.z)), at.y, rise).is_some();
            gap = if on { 0.0 } else { gap + step };
            gap > least
        })
    }

    pub(super) fn cell(&self, index: usize) -> Cell {
        self.cells[index]
    }

    /// Everything that a cell leads to, and the least seconds that it takes.
    fn ways<'a>(&'a self, index: usize, limits: &'a Limits) -> impl Iterator<Item = (usize, f32)> + 'a {
        let hops = &self.hops[self.first_hop[index] as usize..self.first_hop[index + 1] as usize];
        let flown = |hop: &Hop| limits.metre * hop.length + if hop.flown { limits.flight } else { 0.0 };
        let hops = hops.iter().map(move |hop| (hop.to as usize, flown(hop)));
        let high = move |to: usize| {
            let rise = (self.cells[to].place.y - self.cells[index].place.y).abs();
            HIGH * (rise - HIGH_SHARE * limits.rise).max(0.0)
        };
        let beside =
            self.beside(index, limits.rise).map(move |(to, length)| (to, self.cells[to].cost() * length + high(to)));
        beside.chain(hops).filter(|(to, _)| self.cells[*to].clear)
    }

    /// How far cells are from the nearest of some goals, each with what is left from there, seconds, up to some more than a start is.
    pub(super) fn field(&self, goals: &[(usize, f32)], start: usize, limits: &Limits) -> Field {
        let mut seconds = vec![f32::INFINITY; self.cells.len()];
        let mut queue = Queue::default();
        for (goal, rest) in goals.iter().copied() {
            if rest < seconds[goal] {
                seconds[goal] = rest;
                queue.push(rest, goal as u32);
            }
        }
        let mut most = f32::INFINITY;
        while let Some((so_far, index)) = queue.pop() {
            let index = index as usize;
            if so_far > seconds[index] {
                continue;
            }
            if so_far > most {
                break;
            }
            if index == start {
                // Nobody goes back farther than this to get there.
                most = 1.2 * so_far + 3.0;
            }
            for (to, more) in self.ways(index, limits) {
                if so_far + more < seconds[to] {
                    seconds[to] = so_far + more;
                    queue.push(so_far + more, to as u32);
                }
            }
        }
        Field { seconds }
    }

    /// The way down a field from a cell to its goal: the cells' middles, metres.
    pub(super) fn down(&self, field: &Field, from: usize, limits: &Limits) -> Option<Vec<Vec3>> {
        let mut at = from;
        let mut way = vec![self.cells[at].place];
        while field.seconds[at] > 0.0 {
            let left = |(to, length): &(usize, f32)| field.seconds[*to] + length;
            let next = self.ways(at, limits).min_by(|a, b| left(a).total_cmp(&left(b)))?;
            if field.seconds[next.0] >= field.seconds[at] {
                return None;
            }
            at = next.0;
            way.push(self.cells[at].place);
        }
        Some(way)
    }

    /// For every cell, the least one that it hangs together with by walking alone (`hops` false), or by hops as well.
    pub(super) fn islands(&self, limits: &Limits, hops: bool) -> Vec<u32> {
        let mut island = vec![u32::MAX; self.cells.len()];
        let mut open = Vec::new();
        for seed in 0..self.cells.len() {
            if island[seed] != u32::MAX || !self.cells[seed].clear {
                continue;
            }
            island[seed] = seed as u32;
            open.push(seed);
            while let Some(index) = open.pop() {
                let mut take = |to: usize| {
                    if island[to] == u32::MAX && self.cells[to].clear {
                        island[to] = seed as u32;
                        open.push(to);
                    }
                };
                if hops {
                    self.ways(index, limits).for_each(|(to, _)| take(to));
                } else {
                    self.beside(index, limits.rise).for_each(|(to, _)| take(to));
                }
            }
        }
        island
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// How far a place is from the goal of a field, seconds; `None` where no cell is near.
    pub(super) fn seconds(&self, field: &Field, place: Vec3, limits: &Limits) -> Option<f32> {
        let column = self.column_of(Vec2::new(place.x, place.z));
        // Strides have two steps.
        let rise = (2.0 * limits.rise).max(limits.flight_rise) + self.size;
        let mut least = f32::INFINITY;
        // The nearest first: where more is left than it costs to be there by others, nobody looks closer.
        for z in [0, -1, 1] {
            for x in [0, -1, 1] {
                let mut range = self.in_column(column + IVec2::new(x, z));
                // Mostly there is one floor.
                let only = if range.len() == 1 { range.next() } else { None };
                if only.is_some_and(|index| field.seconds[index] >= least) {
                    continue;
                }
                let near = |index: &usize| (self.cells[*index].place.y - place.y).abs() <= rise;
                let Some(index) = only.filter(near).or_else(|| self.nearest(range, place.y, rise)) else { continue };
                let on = field.seconds[index];
                if on < least {
                    least = least.min(on + self.cells[index].cost() * self.cells[index].place.distance(place));
                }
            }
        }
        least.is_finite().then_some(least)
    }

    /// How large a cell is, metres.
    pub(super) fn size(&self) -> f32 {
        self.size
    }
}

impl Limits {
    /// How far apart the middles of cells may be that a hop joins, metres.
    fn hop(&self, cell: f32) -> f32 {
        self.gap.max(self.crack) + 1.5 * cell
    }
}

const EIGHT: [[i32; 2]; 8] = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/// A gap between two edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gap {
    /// The last ground on this side, metres.
    pub(super) from: Vec3,
    /// The first on the other side, metres.
    pub(super) to: Vec3,
    /// How wide it is along the floor, metres.
    pub(super) width: f32,
}

/// The part of the line between two places on the ground that has no ground to step on under it, from the last of the first's to the
/// first of the second's.
pub(super) fn gap_between(world: &FootstepWorld, from: Vec3, to: Vec3) -> Gap {
    const STEP: f32 = 0.02;
    let flat = Vec3 { y: 0.0, ..to - from };
    let length = flat.length();
    let along = flat.normalize_or_zero();
    let off = |start: Vec3, along: Vec3| {
        let mut gone = 0.0;
        while gone < length {
            let at = start + (gone + STEP) * along;
            if world.ground.footing(at + 0.1 * Vec3::Y, 0.2).is_none() {
                break;
            }
            gone += STEP;
        }
        gone
    };
    let [out, back] = [off(from, along), off(to, -along)];
    Gap { from: from + out * along, to: to - back * along, width: (length - out - back).max(0.0) }
}
