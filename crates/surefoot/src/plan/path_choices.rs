//! Ways that people take: shortest, but not along the walls where there is room.

use super::{NavMesh, Path, PathOutcome};
use crate::world::{FloorMap, FloorMapError, GrownMap, Obstacle, ObstacleId, RadiusError};
use glam::Vec2;

/// A floor with ways for a body of one radius, and for the same body with more and more room around it. Changes repair all.
#[derive(Clone, Debug)]
pub struct PathChoices {
    /// Without room, with some, with plenty.
    widths: [Width; 3],
}

#[derive(Clone, Debug)]
struct Width {
    map: GrownMap,
    mesh: NavMesh,
}

impl Width {
    fn new(map: FloorMap, radius: f32) -> Result<Self, RadiusError> {
        let map = GrownMap::new(map, radius)?;
        Ok(Self { mesh: NavMesh::new(&map), map })
    }

    fn path(&self, start: Vec2, goal: Vec2) -> PathOutcome {
        self.mesh.path(&self.map, start, goal)
    }
}

/// Plenty of room is this many times some room.
const PLENTY: f32 = 3.0;

/// A way with plenty of room, or with some, may be longer than the shortest by this share and still be the better one.
const HARDLY_LONGER: f32 = 1.05;
const LONGER: f32 = 1.1;

impl PathChoices {
    /// The ways over a floor for a body of `radius` metres, which keeps `room` metres more from obstacles where it can.
    ///
    /// # Errors
    /// If a radius is not positive and finite.
    pub fn new(floor: FloorMap, radius: f32, room: f32) -> Result<Self, RadiusError> {
        let room = room.max(0.0);
        let [some, plenty] = [radius + room, radius + PLENTY * room].map(|radius| Width::new(floor.clone(), radius));
        Ok(Self { widths: [Width::new(floor, radius)?, some?, plenty?] })
    }

    /// The floor as the body itself has it.
    #[must_use]
    pub fn map(&self) -> &GrownMap {
        &self.widths[0].map
    }

    /// The shortest path; points are (x, z), metres.
    #[must_use]
    pub fn shortest(&self, start: Vec2, goal: Vec2) -> PathOutcome {
        self.widths[0].path(start, goal)
    }

    /// Paths to try, the best first: those with room where they are not much longer than the shortest, the shortest, the others.
    /// Empty where there is none.
    #[must_use]
    pub fn to_try(&self, start: Vec2, goal: Vec2) -> Vec<Path> {
        let PathOutcome::Found(shortest) = self.shortest(start, goal) else { return Vec::new() };
        let length = shortest.length();
        let plenty = self.roomy(&self.widths[2], start, goal);
        let some = self.roomy(&self.widths[1], start, goal);
        let (good, detours): (Vec<_>, Vec<_>) = [(plenty, HARDLY_LONGER), (some, LONGER)]
            .into_iter()
            .filter_map(|(path, longer)| path.map(|path| (path.length() <= longer * length, path)))
            .partition(|(is_good, _)| *is_good);
        let paths = good.into_iter().chain([(true, shortest)]).chain(detours);
        paths.map(|(_, path)| path).collect()
    }

    /// A path with room, but for its ends: those that are near something are left and reached straight.
    fn roomy(&self, width: &Width, start: Vec2, goal: Vec2) -> Option<Path> {
        let clear = |p: Vec2| width.map.nearest_free(p).filter(|q| self.map().segment_is_free(p, *q));
        let (from, to) = (clear(start)?, clear(goal)?);
        let middle = match width.path(from, to) {
            PathOutcome::Found(path) => path,
            PathOutcome::StartIsGoal => Path::on_floor(&[from]),
            _ => return None,
        };
        let between = middle.points().iter().map(|p| Vec2::new(p.x, p.z));
        Some(Path::on_floor(&std::iter::once(start).chain(between).chain([goal]).collect::<Vec<_>>()))
    }

    /// Puts an obstacle on the floor.
    ///
    /// # Errors
    /// As [`FloorMap::add`]; nothing has changed then.
    pub fn add(&mut self, obstacle: Obstacle) -> Result<ObstacleId, FloorMapError> {
        let (id, _) = self.change(|map| map.add(obstacle.clone()))?;
        Ok(id)
    }

    /// Takes an obstacle off the floor.
    ///
    /// # Errors
    /// If there is none of that id.
    pub fn remove(&mut self, id: ObstacleId) -> Result<(), FloorMapError> {
        self.change(|map| Ok((id, map.remove(id)?))).map(|_| ())
    }

    /// Puts another polygon in an obstacle's place.
    ///
    /// # Errors
    /// As [`FloorMap::replace`]; nothing has changed then.
    pub fn replace(&mut self, id: ObstacleId, obstacle: Obstacle) -> Result<(), FloorMapError> {
        self.change(|map| Ok((id, map.replace(id, obstacle.clone())?))).map(|_| ())
    }

    fn change(
        &mut self,
        mut change: impl FnMut(&mut GrownMap) -> Result<(ObstacleId, crate::world::Region), FloorMapError>,
    ) -> Result<(ObstacleId, crate::world::Region), FloorMapError> {
        let mut last = None;
        for width in &mut self.widths {
            let changed = change(&mut width.map)?;
            width.mesh.update(&width.map, changed.1);
            last = Some(changed);
        }
        Ok(last.expect("there are widths"))
    }
}
