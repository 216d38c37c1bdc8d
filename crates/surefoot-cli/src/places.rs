//! Where a walk goes as it is typed: places with spaces between, in the numbers of its world.

use crate::failure::Failure;
use crate::number::{FAR, Place, place};
use surefoot::glam::{DVec3, Vec3};
use surefoot::plan::Path;
use surefoot_io::scene::LoadedScene;
use surefoot_io::world::FileFrame;

/// Places as typed: two or more.
#[derive(Clone)]
pub(crate) struct Places(Vec<Place>);

/// Reads places.
pub(crate) fn places(text: &str) -> Result<Places, String> {
    let places: Result<Vec<Place>, String> = text.split_whitespace().map(place).collect();
    match places? {
        places if places.len() < 2 => Err("give two places or more, with spaces between".into()),
        places => Ok(Places(places)),
    }
}

/// The path along the places of an option; without them, through the scene from its start to its goal, or straight ahead for as
/// many metres.
pub(crate) fn path_along(
    option: &str,
    places: Option<&Places>,
    scene: Option<&LoadedScene>,
    ahead: f32,
) -> Result<Path, Failure> {
    path_through(option, places.map(|places| places.0.as_slice()), scene, ahead)
}

/// The same, of single places.
pub(crate) fn path_through(
    option: &str,
    places: Option<&[Place]>,
    scene: Option<&LoadedScene>,
    ahead: f32,
) -> Result<Path, Failure> {
    let points = match (places, scene) {
        (Some(places), scene) => points_here(places, scene),
        (None, Some(loaded)) => crate::path::shortest(&loaded.scene)?,
        (None, None) => vec![Vec3::ZERO, Vec3::Z * ahead],
    };
    match points.iter().find(|place| place.abs().max_element() > FAR) {
        Some(_) if places.is_none() && scene.is_none() => Err(Failure::unusable(format!(
            "straight ahead by the lengths of its legs are {ahead} m, and {FAR} m is the most: is the --unit of the character right? {option} says where to go"
        ))),
        Some(far) => {
            Err(Failure::unusable(format!("{option}: {far} is too far from the world's origin: {FAR} m at most")))
        }
        None => Ok(Path::new(points)),
    }
}

/// Typed places in a world, metres.
pub(crate) fn points_here(places: &[Place], scene: Option<&LoadedScene>) -> Vec<Vec3> {
    let frame = scene.map_or(FileFrame::moved(DVec3::ZERO), |loaded| loaded.frame);
    places.iter().map(|place| place.here(&frame).as_vec3()).collect()
}
