//! Steps before a walk: past a corner that is too near to be walked round.

use super::WayRound;
use crate::math::{FloorPose, floor, wrap_angle};
use crate::plan::Path;
use crate::world::GrownMap;
use glam::Vec2;

/// Steps that lead a standing character round a corner, to where its walk begins standing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstSteps {
    /// Where it stands, and the way that it faces.
    pub from: FloorPose,
    /// The corner, or a place a little outside of it, (x, z), metres.
    pub corner: Vec2,
    /// Where the walk begins.
    pub to: FloorPose,
}

/// Walks begin so far behind the corner, metres; the first that there is room for.
const BEYOND: [f32; 2] = [0.7, 0.45];
/// Steps before a walk lead no farther than this, metres: who has farther to go walks.
const FARTHEST: f32 = 1.7;

impl FirstSteps {
    /// The way of the steps, and the turn on the spot before them, radians.
    #[must_use]
    pub(crate) fn way(&self) -> Option<(WayRound, f32)> {
        let way = WayRound::new(self.from.position, self.corner, self.to.position)?;
        Some((way, wrap_angle(floor::heading_of(way.at(0.0).1) - self.from.heading)))
    }

    /// All there is room for at the beginning of a path, and what is left of the path then.
    pub(crate) fn along(path: &Path, from: FloorPose, map: &GrownMap) -> Vec<(Self, Path)> {
        let points: Vec<Vec2> = path.points().iter().map(|p| Vec2::new(p.x, p.z)).collect();
        let mut found = Vec::new();
        for k in 1..points.len().saturating_sub(1) {
            if points[k].distance(from.position) > FARTHEST {
                break;
            }
            for (corner, beyond) in outside(&points[k - 1..=k + 1]).into_iter().flat_map(|c| BEYOND.map(|b| (c, b))) {
                let Some((end, rest)) = after(&points[k..], beyond) else { continue };
                let Some(way) = WayRound::new(from.position, corner, end) else { continue };
                let parts = (way.length() / 0.05).ceil();
                let free = (0..=parts as usize).all(|i| map.is_free(way.at(i as f32 / parts).0));
                if free && way.length() < FARTHEST {
                    let to = FloorPose::new(end, floor::heading_of(way.at(1.0).1));
                    found.push((Self { from, corner, to }, Path::on_floor(&rest)));
                }
            }
        }
        found
    }
}

/// How far outside of a path's corners one may step round them, metres: the path itself may leave no margin there.
const OUTSIDE: [f32; 3] = [0.0, 0.05, 0.1];

/// The middle one of three points of a path, and places outside of it, (x, z), metres.
pub(super) fn outside(three: &[Vec2]) -> [Vec2; 3] {
    let [before, after] = [three[1] - three[0], three[2] - three[1]].map(Vec2::normalize_or_zero);
    OUTSIDE.map(|far| three[1] + far * (before - after).normalize_or_zero())
}

/// The place so far along a way, metres, and the way from there on; `None` if it ends before.
fn after(points: &[Vec2], mut far: f32) -> Option<(Vec2, Vec<Vec2>)> {
    for (k, pair) in points.windows(2).enumerate() {
        let length = pair[0].distance(pair[1]);
        if far < length {
            let place = pair[0].lerp(pair[1], far / length);
            return Some((place, std::iter::once(place).chain(points[k + 1..].iter().copied()).collect()));
        }
        far -= length;
    }
    None
}
