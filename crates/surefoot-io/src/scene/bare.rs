//! Worlds without a scene: a mesh or a MovingAI map by itself, to be crossed from one end to the other.

use crate::ImportError;
use crate::world::{WorldImport, read_map};
use surefoot::glam::Vec3;

use surefoot::random::Seed;
use surefoot::stages::{Chart, NavMesh};
use surefoot::world::{Body, FloorMap, GrownMap, Scene, SceneMesh, ScenePose, Survey};

/// A MovingAI map as a floor with cells of 1 m, as in a scene that says nothing else.
pub(super) fn of_map(name: &str, bytes: &[u8]) -> Result<Scene, ImportError> {
    let floor = read_map(bytes)?.floor(1.0).map_err(|error| ImportError::new(error.to_string()))?;
    let map =
        GrownMap::new(floor.clone(), Body::default().radius).map_err(|error| ImportError::new(error.to_string()))?;
    let ends = NavMesh::new(&map).far_apart().map(|ends| ends.map(|at| Vec3::new(at.x, 0.0, at.y)));
    between(name, ends, Some(floor), None)
}

/// A mesh as it is, with the usual slopes and steps.
pub(super) fn of_mesh(name: &str, file: &str, world: WorldImport) -> Result<Scene, ImportError> {
    let body = Body::default();
    let survey = Survey { head_room: body.height, ..Survey::default() };
    // Voxels as wide as the radius find the same ends in a tenth of the time; only narrow worlds need finer ones.
    let [rough, fine] = [Some(body.radius), None].map(|cell| Chart { body, survey, cell, ..Chart::default() });
    let ends = |chart: Chart| chart.run(&world.mesh).map(|mesh| mesh.far_apart());
    let ends = match ends(rough) {
        Ok(Some(found)) => Some(found),
        _ => ends(fine).map_err(|error| ImportError::new(error.to_string()))?,
    };
    let mesh = SceneMesh { file: file.to_owned(), soup: world.mesh, offset: world.offset, survey };
    between(name, ends, None, Some(mesh))
}

fn between(
    name: &str,
    ends: Option<[Vec3; 2]>,
    floor: Option<FloorMap>,
    mesh: Option<SceneMesh>,
) -> Result<Scene, ImportError> {
    let body = Body::default();
    let nowhere = || {
        let [radius, height] = [body.radius, body.height];
        ImportError::new(format!("there is no place where a body of {radius} m radius and {height} m height can stand"))
    };
    let [start, goal] = ends.ok_or_else(nowhere)?.map(|place| ScenePose { place, heading: None });
    let (platforms, obstacles, areas) = (Vec::new(), Vec::new(), Vec::new());
    Ok(Scene { name: name.to_owned(), seed: Seed(0), body, start, goal, floor, mesh, platforms, obstacles, areas })
}
