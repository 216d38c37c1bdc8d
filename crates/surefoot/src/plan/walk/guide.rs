//! The guide of a search: what is still to be walked from a place, along a path, and whether the body has room there.

use super::Surroundings;
use super::tube::{Tube, TubePlace};
use crate::world::GrownMap;
use glam::{UVec2, Vec2};

/// Cost to go along a path, and free space. Where a walk is along its path is told by a `hint`, which is handed on from place
/// to place.
pub(super) enum Guide<'a> {
    /// On a floor: the hint is the corner of the path that is made for.
    Floor(FloorGuide<'a>),
    /// In a tube: the hint is the place along it.
    Tube(TubeGuide<'a>),
}

impl Guide<'_> {
    /// The hint of the start.
    pub(super) fn start(&self) -> u16 {
        match self {
            Self::Floor(_) => 0,
            Self::Tube(guide) => guide.tube.start(),
        }
    }

    /// What is left to walk from a place, metres, the direction to go, and its hint; `hint` is that of a place nearby.
    pub(super) fn left_from(&mut self, p: Vec2, hint: u16) -> (f32, Vec2, u16) {
        match self {
            Self::Floor(guide) => guide.left_from(p, hint),
            Self::Tube(guide) => guide.left_from(p, hint),
        }
    }

    /// What is left to walk from a place whose own hint is known, metres, and the direction to go.
    pub(super) fn known(&self, p: Vec2, hint: u16) -> (f32, Vec2) {
        match self {
            Self::Floor(guide) => guide.known(p, hint),
            Self::Tube(guide) => guide.known(p, hint),
        }
    }

    /// Whether nothing is between a place and the goal but the way there.
    pub(super) fn is_last(&self, hint: u16) -> bool {
        match self {
            Self::Floor(guide) => guide.is_last(hint),
            Self::Tube(guide) => guide.tube.rest(usize::from(hint)) < LAST,
        }
    }

    /// Whether a place whose own hint is known is within so many metres of the goal.
    pub(super) fn is_near_goal(&self, p: Vec2, hint: u16, metres: f32) -> bool {
        match self {
            Self::Floor(guide) => p.distance(guide.goal()) <= metres,
            Self::Tube(guide) => guide.known(p, hint).0 <= metres,
        }
    }

    /// Tells places apart that lie above each other.
    pub(super) fn storey(&self, hint: u16) -> u32 {
        match self {
            Self::Floor(_) => 0,
            Self::Tube(_) => u32::from(hint) / STOREY,
        }
    }

    /// Whether the body has room at a place, seconds after the walk's start; `hint` is that of a place nearby.
    pub(super) fn is_free(&mut self, p: Vec2, hint: u16, seconds: f32) -> bool {
        match self {
            Self::Floor(guide) => guide.is_free(p, seconds),
            Self::Tube(guide) => guide.is_free(p, hint, seconds),
        }
    }
}

/// Cost to go along a path through a map, and free space. Looks at a cell of the floor once.
pub(super) struct FloorGuide<'a> {
    around: Surroundings<'a>,
    map: &'a GrownMap,
    /// Distance that the body's middle keeps from obstacles, metres.
    radius: f32,
    /// Corners of the path, first to last, and what is left from each, metres.
    corners: Vec<Vec2>,
    rest: Vec<f32>,
    /// By cell, the farthest corner of the path that is seen from it.
    seen: Cells<u16>,
    /// By cell, whether the body has room.
    room: Cells<FreeCell>,
}

/// What is known of the room in a cell.
#[derive(Clone, Copy, PartialEq)]
enum FreeCell {
    Unknown,
    /// The body fits anywhere in it.
    All,
    /// It fits nowhere in it.
    None,
    /// It fits in a part of it: each place is asked about.
    Some,
}

/// No corner is known.
const UNSEEN: u16 = u16::MAX;

/// The side of a cell for what is seen of a floor, metres; larger on large floors.
const VIEW: f32 = 0.25;
/// The side of a cell for how much room there is, metres; larger on large floors.
const ROOM: f32 = 0.1;
/// The most cells along a side of a floor.
const MOST: f32 = 1024.0;

/// How many corners ahead are looked for.
const AHEAD: u16 = 3;

/// In a tube: metres from the goal within which there is nothing before it.
const LAST: f32 = 3.0;
/// In a tube: places along it that count as one storey.
const STOREY: u32 = 100;

impl<'a> FloorGuide<'a> {
    /// Along a path's corners; a body of `radius` metres.
    pub(super) fn new(around: Surroundings<'a>, map: &'a GrownMap, radius: f32, corners: Vec<Vec2>) -> Self {
        let mut rest = vec![0.0; corners.len()];
        for k in (1..corners.len()).rev() {
            rest[k - 1] = rest[k] + corners[k].distance(corners[k - 1]);
        }
        let bounds = map.map().bounds();
        let (seen, room) = (Cells::new(bounds, VIEW, UNSEEN), Cells::new(bounds, ROOM, FreeCell::Unknown));
        Self { around, map, radius, corners, rest, seen, room }
    }

    /// What is left to walk from a place, metres, the direction to go, and the corner that leads there; `hint` is the corner
    /// of a place nearby.
    fn left_from(&mut self, p: Vec2, hint: u16) -> (f32, Vec2, u16) {
        let cell = self.seen.cell(p);
        if self.seen.values[cell] == UNSEEN {
            self.seen.values[cell] = self.farthest(p, hint);
        }
        let corner = self.seen.values[cell];
        let (left, along) = self.known(p, corner);
        (left, along, corner)
    }

    /// What is left to walk from a place whose corner is known, metres, and the direction to go.
    fn known(&self, p: Vec2, corner: u16) -> (f32, Vec2) {
        let (along, distance) = towards(p, self.corners[corner as usize]);
        (distance + self.rest[corner as usize], along)
    }

    /// The farthest corner ahead that is seen, else the nearest one behind, else the hint.
    fn farthest(&self, p: Vec2, hint: u16) -> u16 {
        let last = self.corners.len() as u16 - 1;
        let ahead = (hint..=(hint + AHEAD).min(last)).rev();
        let behind = (hint.saturating_sub(AHEAD)..hint).rev();
        ahead.chain(behind).find(|k| self.map.segment_is_free(p, self.corners[*k as usize])).unwrap_or(hint)
    }

    /// Whether a corner is the goal.
    fn is_last(&self, corner: u16) -> bool {
        usize::from(corner) + 1 == self.corners.len()
    }

    /// Where the path ends.
    fn goal(&self) -> Vec2 {
        self.corners[self.corners.len() - 1]
    }

    /// Whether the body has room at a place, seconds after the walk's start.
    fn is_free(&mut self, p: Vec2, seconds: f32) -> bool {
        if !self.around.is_free_of_moving(p, self.radius, seconds) {
            return false;
        }
        let cell = self.room.cell(p);
        let fits = |p: Vec2, radius: f32| self.map.map().is_free(p, radius);
        if self.room.values[cell] == FreeCell::Unknown {
            let (middle, corner) = (self.room.middle(cell), self.room.reach());
            let none = self.radius > corner && !fits(middle, self.radius - corner);
            self.room.values[cell] = match none {
                true => FreeCell::None,
                false if fits(middle, self.radius + corner) => FreeCell::All,
                false => FreeCell::Some,
            };
        }
        match self.room.values[cell] {
            FreeCell::All => true,
            FreeCell::None => false,
            FreeCell::Some | FreeCell::Unknown => fits(p, self.radius),
        }
    }
}

/// Cost to go along a tube, and the room in it.
pub(super) struct TubeGuide<'a> {
    around: Surroundings<'a>,
    tube: &'a Tube,
    margin: f32,
    /// By place along the tube and side, the farthest turn that is seen from there.
    seen: Vec<[u16; SIDES]>,
}

/// Strips of a tube, each as wide as a cell of a floor.
const SIDES: usize = 9;

impl<'a> TubeGuide<'a> {
    /// Along a tube, keeping a margin from its sides, metres.
    pub(super) fn new(around: Surroundings<'a>, tube: &'a Tube, margin: f32) -> Self {
        Self { around, tube, margin, seen: vec![[UNSEEN; SIDES]; tube.len()] }
    }

    fn strip(place: TubePlace) -> usize {
        (place.aside / VIEW + 0.5 * SIDES as f32).clamp(0.0, SIDES as f32 - 1.0) as usize
    }

    fn left_from(&mut self, p: Vec2, hint: u16) -> (f32, Vec2, u16) {
        let place = self.tube.nearest(p, hint);
        let seen = self.seen[usize::from(place.station)][Self::strip(place)];
        let target = if seen == UNSEEN { self.farthest(p, place) } else { seen };
        self.seen[usize::from(place.station)][Self::strip(place)] = target;
        let (left, along) = self.towards(p, target);
        (left, along, place.station)
    }

    fn known(&self, p: Vec2, hint: u16) -> (f32, Vec2) {
        let place = self.tube.nearest(p, hint);
        let seen = self.seen[usize::from(place.station)][Self::strip(place)];
        self.towards(p, if seen == UNSEEN { self.tube.turns_after(place.station, 1)[0] } else { seen })
    }

    fn towards(&self, p: Vec2, target: u16) -> (f32, Vec2) {
        let (along, distance) = towards(p, self.tube.at(usize::from(target)));
        (distance + self.tube.rest(usize::from(target)), along)
    }

    /// The farthest turn ahead that is seen, else the line a little ahead.
    fn farthest(&self, p: Vec2, place: TubePlace) -> u16 {
        let turns = self.tube.turns_after(place.station, usize::from(AHEAD)).iter().rev();
        let seen = turns.copied().find(|turn| self.tube.sees(p, place.station, *turn));
        seen.unwrap_or((place.station + LITTLE).min(self.tube.end() as u16))
    }

    fn is_free(&self, p: Vec2, hint: u16, seconds: f32) -> bool {
        self.tube.is_free(p, hint, self.margin) && self.around.is_free_of_moving(p, self.around.radius(), seconds)
    }
}

/// Where no turn of a tube is seen, a walk makes for the place this many places ahead.
const LITTLE: u16 = 6;

/// Values by cells of the floor; what lies beside it belongs to the cells at its rim.
struct Cells<T> {
    low: Vec2,
    /// Cells per metre.
    scale: f32,
    size: UVec2,
    values: Vec<T>,
}

impl<T: Clone> Cells<T> {
    fn new([low, high]: [Vec2; 2], side: f32, value: T) -> Self {
        let side = ((high - low).max_element() / MOST).max(side);
        let size = ((high - low) / side).ceil().max(Vec2::ONE).as_uvec2();
        Self { low, scale: 1.0 / side, size, values: vec![value; (size.x * size.y) as usize] }
    }

    fn cell(&self, p: Vec2) -> usize {
        let at = ((p - self.low) * self.scale).as_uvec2().min(self.size - UVec2::ONE);
        (at.y * self.size.x + at.x) as usize
    }

    fn middle(&self, cell: usize) -> Vec2 {
        let at = Vec2::new((cell as u32 % self.size.x) as f32, (cell as u32 / self.size.x) as f32);
        self.low + (at + 0.5) / self.scale
    }

    /// How far the corners of a cell are from its middle, metres.
    fn reach(&self) -> f32 {
        std::f32::consts::FRAC_1_SQRT_2 / self.scale
    }
}

/// The direction from one place to another, and how far it is, metres; none where they are one.
pub(super) fn towards(from: Vec2, to: Vec2) -> (Vec2, f32) {
    let along = to - from;
    let distance = along.length();
    (if distance > 1e-6 { along / distance } else { Vec2::ZERO }, distance)
}
