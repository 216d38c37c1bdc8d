//! The guide of a search: what is still to be walked from a place, along a path, and whether the body has room there.

use super::Surroundings;
use super::moves::towards;
use glam::{UVec2, Vec2};

/// Cost to go along a path through a map, and free space. Looks at a cell of the floor once.
pub(super) struct Guide<'a> {
    around: Surroundings<'a>,
    /// What the body keeps from everything, metres.
    radius: f32,
    /// Corners of the path, first to last, and what is left from each, metres.
    corners: Vec<Vec2>,
    rest: Vec<f32>,
    low: Vec2,
    /// Cells per metre.
    scale: f32,
    size: UVec2,
    cells: Vec<Cell>,
}

/// What is known of a cell.
#[derive(Clone, Copy)]
struct Cell {
    /// The farthest corner of the path that is seen from it.
    corner: u16,
    room: Room,
}

#[derive(Clone, Copy, PartialEq)]
enum Room {
    Unknown,
    /// The body fits anywhere in it.
    All,
    /// It depends.
    Some,
}

const UNSEEN: u16 = u16::MAX;

/// Side of a cell, metres, where a floor is not so large that cells must be larger; and the most cells along a side.
const CELL: f32 = 0.25;
const MOST: f32 = 1024.0;

/// How many corners ahead are looked for.
const AHEAD: u16 = 3;

impl<'a> Guide<'a> {
    /// Along a path's corners; a body of `radius` metres.
    pub(super) fn new(around: Surroundings<'a>, radius: f32, corners: Vec<Vec2>) -> Self {
        let mut rest = vec![0.0; corners.len()];
        for k in (1..corners.len()).rev() {
            rest[k - 1] = rest[k] + corners[k].distance(corners[k - 1]);
        }
        let [low, high] = around.map.map().bounds();
        let cell = ((high - low).max_element() / MOST).max(CELL);
        let size = ((high - low) / cell).ceil().max(Vec2::ONE).as_uvec2();
        let cells = vec![Cell { corner: UNSEEN, room: Room::Unknown }; (size.x * size.y) as usize];
        Self { around, radius, corners, rest, low, scale: 1.0 / cell, size, cells }
    }

    fn cell(&self, p: Vec2) -> usize {
        let at = ((p - self.low) * self.scale).as_uvec2().min(self.size - UVec2::ONE);
        (at.y * self.size.x + at.x) as usize
    }

    /// What is left to walk from a place, metres, the direction to go, and the corner that leads there; `hint` is the corner
    /// of a place nearby.
    pub(super) fn to_go(&mut self, p: Vec2, hint: u16) -> (f32, Vec2, u16) {
        let index = self.cell(p);
        if self.cells[index].corner == UNSEEN {
            self.cells[index].corner = self.seen(p, hint);
        }
        let corner = self.cells[index].corner;
        let (along, distance) = towards(p, self.corners[corner as usize]);
        (distance + self.rest[corner as usize], along, corner)
    }

    /// What is left to walk from a place whose corner is known, metres, and the direction to go.
    pub(super) fn known(&self, p: Vec2, corner: u16) -> (f32, Vec2) {
        let (along, distance) = towards(p, self.corners[corner as usize]);
        (distance + self.rest[corner as usize], along)
    }

    /// The farthest corner ahead that is seen, else the nearest one behind, else the hint.
    fn seen(&self, p: Vec2, hint: u16) -> u16 {
        let last = self.corners.len() as u16 - 1;
        let ahead = (hint..=(hint + AHEAD).min(last)).rev();
        let behind = (hint.saturating_sub(AHEAD)..hint).rev();
        ahead.chain(behind).find(|k| self.around.map.segment_is_free(p, self.corners[*k as usize])).unwrap_or(hint)
    }

    /// Whether a corner is the goal.
    pub(super) fn is_last(&self, corner: u16) -> bool {
        usize::from(corner) + 1 == self.corners.len()
    }

    /// Where the path ends.
    pub(super) fn goal(&self) -> Vec2 {
        self.corners[self.corners.len() - 1]
    }

    /// Whether the body has room at a place, seconds after the walk's start.
    pub(super) fn is_free(&mut self, p: Vec2, seconds: f32) -> bool {
        if !self.around.is_free_of_moving(p, self.radius, seconds) {
            return false;
        }
        let index = self.cell(p);
        if self.cells[index].room == Room::Unknown {
            let at = Vec2::new((index as u32 % self.size.x) as f32, (index as u32 / self.size.x) as f32);
            let middle = self.low + (at + 0.5) / self.scale;
            let whole = self.radius + std::f32::consts::FRAC_1_SQRT_2 / self.scale;
            let all = self.around.map.map().is_free(middle, whole);
            self.cells[index].room = if all { Room::All } else { Room::Some };
        }
        self.cells[index].room == Room::All || self.around.map.map().is_free(p, self.radius)
    }
}
