//! Scenes: a world to cross, and from where to where.

use super::{Area, Body, FloorMap, Mover, Survey, TriangleSoup};
use crate::random::Seed;
use glam::{DVec3, Vec3};

/// A world to cross, and from where to where.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What a person calls it; may be empty.
    pub name: String,
    /// Seed of everything random.
    pub seed: Seed,
    /// The room that the character takes.
    pub body: Body,
    /// Where it starts.
    pub start: ScenePose,
    /// Where it should go.
    pub goal: ScenePose,
    /// The floor with all obstacles that stay; `None` where a mesh is the ground.
    pub floor: Option<FloorMap>,
    /// The mesh that is the ground, and what of it can be walked on.
    pub mesh: Option<SceneMesh>,
    /// What can be stood on and moves.
    pub platforms: Vec<Mover>,
    /// What is in the way and moves; with a mesh, also what stays.
    pub obstacles: Vec<Mover>,
    /// Where strides cost more, or nobody runs.
    pub areas: Vec<Area>,
}

/// A place and perhaps a facing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScenePose {
    /// The place, metres; y = 0 on a floor.
    pub place: Vec3,
    /// The heading, radians, left positive; any if not given.
    pub heading: Option<f32>,
}

/// A mesh to walk on.
#[derive(Clone, Debug)]
pub struct SceneMesh {
    /// Its name as the scene gives it.
    pub file: String,
    /// Its triangles, metres.
    pub soup: TriangleSoup,
    /// What was taken off all places because the mesh lies far from the origin, metres.
    pub offset: DVec3,
    /// What can be walked on.
    pub survey: Survey,
}

impl Scene {
    /// What was taken off all places of a mesh that lies far from the origin, metres: a place in its file is the place here plus
    /// this.
    #[must_use]
    pub fn offset(&self) -> DVec3 {
        self.mesh.as_ref().map_or(DVec3::ZERO, |mesh| mesh.offset)
    }

    /// The mesh with the obstacles that stay on it as blocks, each as high as the body at least: what cannot be walked
    /// through. `None` without a mesh.
    #[must_use]
    pub fn blocked_mesh(&self) -> Option<TriangleSoup> {
        let soup = &self.mesh.as_ref()?.soup;
        let still = self.obstacles.iter().filter(|obstacle| !(obstacle.track.moves() || obstacle.spin != 0.0));
        let (mut positions, mut triangles) = (soup.positions().to_vec(), soup.triangles().to_vec());
        for obstacle in still {
            let low = obstacle.track.position(0.0).y;
            let high = low + obstacle.height.max(self.body.height);
            let (corners, first) = (obstacle.corners(0.0), positions.len() as u32);
            let count = corners.len() as u32;
            for corner in &corners {
                positions.extend([Vec3::new(corner.x, low, corner.y), Vec3::new(corner.x, high, corner.y)]);
            }
            let at = |k: u32, top: u32| first + 2 * (k % count) + top;
            for k in 0..count {
                triangles.extend([[at(k, 0), at(k + 1, 0), at(k + 1, 1)], [at(k, 0), at(k + 1, 1), at(k, 1)]]);
            }
            triangles.extend((1..count - 1).map(|k| [at(0, 1), at(k, 1), at(k + 1, 1)]));
        }
        // Corners of blocks are finite and their triangles exist; a mesh that was one stays one.
        Some(TriangleSoup::new(positions, triangles, soup.groups().to_vec()).unwrap_or_else(|_| soup.clone()))
    }

    /// Everything to walk on and around, as one ground.
    #[cfg(feature = "mesh")]
    #[must_use]
    pub fn world(&self) -> super::World {
        use super::World;
        let ground = match (&self.mesh, &self.floor) {
            (Some(mesh), _) => World::new(mesh.survey.run(&mesh.soup)),
            (None, Some(floor)) => World::new(floor.clone()),
            (None, None) => World::default(),
        };
        World { platforms: self.platforms.clone(), obstacles: self.obstacles.clone(), ..ground }
    }
}
