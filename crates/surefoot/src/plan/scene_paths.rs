//! Paths through a scene, asked for again and again: made ready once, planned over at any time.

use super::{Path, PathChoices, PathOutcome, PathRefusal};
use crate::math::floor;
use crate::world::{
    Chart, ChartError, FloorMapError, Ground, GrownMap, MeshGround, NoRoute, Obstacle, ObstacleId, RadiusError, Scene,
    WalkMesh,
};
use glam::{Vec2, Vec3};

/// Finds paths through a scene for its body: over a floor by the journey's navigation mesh, over a mesh by its walk mesh.
#[derive(Debug)]
pub struct ScenePaths {
    over: Over,
}

#[derive(Debug)]
enum Over {
    Floor(Box<PathChoices>),
    Mesh(Box<(WalkMesh, MeshGround)>),
}

/// Why there is no path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenePathError {
    /// The scene has neither floor nor mesh.
    #[error("there is nothing to walk on")]
    NothingToWalkOn,
    /// The body's radius is no radius.
    #[error(transparent)]
    Radius(#[from] RadiusError),
    /// The mesh cannot be walked on.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// There is no path over the floor.
    #[error(transparent)]
    Path(#[from] PathRefusal),
    /// There is no route over the mesh.
    #[error(transparent)]
    Route(#[from] NoRoute),
    /// Obstacles come and go on floors only.
    #[error("obstacles of a mesh are part of it: obstacles come and go on floors only")]
    MeshObstacle,
    /// An obstacle that cannot be, or is not there.
    #[error(transparent)]
    Obstacle(#[from] FloorMapError),
}

/// The room that is kept from obstacles where there is some, metres.
const ROOM: f32 = 0.08;
/// Somebody who is no farther than this from free floor steps there first, metres.
const NEAR: f32 = 0.5;
/// Spacing of a path that is laid on a mesh, metres.
const SPACING: f32 = 0.25;
/// How far a goal may be over or under the ground, metres: a step.
const CLIMB: f32 = 0.5;

impl ScenePaths {
    /// The ways through a scene. What moves is left to who follows them.
    ///
    /// # Errors
    /// If there is nothing to walk on, or no body can.
    pub fn of(scene: &Scene) -> Result<Self, ScenePathError> {
        if let Some(floor) = &scene.floor {
            let choices = PathChoices::new(floor.clone(), scene.body.radius, ROOM)?;
            return Ok(Self { over: Over::Floor(Box::new(choices)) });
        }
        let (Some(mesh), Some(blocked)) = (&scene.mesh, scene.blocked_mesh()) else {
            return Err(ScenePathError::NothingToWalkOn);
        };
        let charted = Chart { body: scene.body, survey: mesh.survey, ..Chart::default() }.run(&blocked)?;
        Ok(Self { over: Over::Mesh(Box::new((charted, mesh.survey.run(&mesh.soup)))) })
    }

    /// The best way from one place to another, metres, world; one point where they are one place.
    ///
    /// # Errors
    /// What is in the way, and what can be reached instead.
    pub fn path(&self, from: Vec3, to: Vec3) -> Result<Path, ScenePathError> {
        match &self.over {
            Over::Floor(choices) => {
                let [start, goal] = [from, to].map(|place| floor::of_point(place.into()));
                let shortest = choices.shortest(start, goal);
                // Somebody who stands too near to something leaves it first.
                let near = |free: &Vec2| free.distance(start) < NEAR && choices.map().is_free(*free);
                let beside = match &shortest {
                    PathOutcome::StartBlocked { nearest, .. } => nearest.filter(near),
                    _ => None,
                };
                if let Some(free) = beside {
                    let onward = self.path(floor::at_height(free, from.y), to)?;
                    let onward = onward.points().iter().map(|p| floor::of_point((*p).into()));
                    return Ok(Path::on_floor(&std::iter::once(start).chain(onward).collect::<Vec<_>>()));
                }
                if let Some(why) = PathRefusal::of(choices.map(), &shortest) {
                    return Err(why.into());
                }
                let best = choices.to_try(start, goal).into_iter().next();
                Ok(best.unwrap_or_else(|| Path::on_floor(&[goal])))
            }
            Over::Mesh(mesh) => {
                let (charted, ground) = mesh.as_ref();
                let on = |place: Vec3| {
                    ground.below(place + CLIMB * Vec3::Y, 4.0 * CLIMB, 0.0).map_or(place, |hit| hit.point)
                };
                let route = charted.route(on(from), on(to))?;
                let laid = ground.drape(&route, SPACING).unwrap_or(route);
                Ok(Path::new(laid))
            }
        }
    }

    /// The free floor, where there is one.
    #[must_use]
    pub fn map(&self) -> Option<&GrownMap> {
        match &self.over {
            Over::Floor(choices) => Some(choices.map()),
            Over::Mesh(_) => None,
        }
    }

    /// Puts an obstacle on the floor; ways are planned around it from now on.
    ///
    /// # Errors
    /// If the obstacle is none, or the scene is a mesh.
    pub fn add(&mut self, obstacle: Obstacle) -> Result<ObstacleId, ScenePathError> {
        match &mut self.over {
            Over::Floor(choices) => Ok(choices.add(obstacle)?),
            Over::Mesh(_) => Err(ScenePathError::MeshObstacle),
        }
    }

    /// Takes an obstacle away.
    ///
    /// # Errors
    /// If it is not there, or the scene is a mesh.
    pub fn remove(&mut self, id: ObstacleId) -> Result<(), ScenePathError> {
        match &mut self.over {
            Over::Floor(choices) => Ok(choices.remove(id)?),
            Over::Mesh(_) => Err(ScenePathError::MeshObstacle),
        }
    }
}
