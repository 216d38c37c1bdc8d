//! Scene files: a scene or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_io::scene::{Beside, read};
use surefoot_io::world::{WorldImport, WorldSettings, read_obj};

struct Made;

impl Beside for Made {
    fn map(&self, _: &str) -> Result<Vec<u8>, String> {
        Ok(b"type octile\nheight 2\nwidth 3\nmap\n..@\n...\n".to_vec())
    }

    fn mesh(&self, _: &str) -> Result<WorldImport, String> {
        let far = b"v 5000 1 5000\nv 5000 1 5010\nv 5010 1 5010\nf 1 2 3\n";
        read_obj(far, &WorldSettings::default()).map_err(|error| error.to_string())
    }
}

fuzz_target!(|bytes: &[u8]| {
    match read(bytes, &Made) {
        Ok(scene) => {
            assert!(scene.start.place.is_finite() && scene.goal.place.is_finite(), "{scene:?}");
            assert!(scene.body.radius > 0.0 && scene.body.height >= 2.0 * scene.body.radius, "{scene:?}");
            assert!(scene.floor.is_some() != scene.mesh.is_some(), "{scene:?}");
            for mover in scene.platforms.iter().chain(&scene.obstacles) {
                let at = mover.world_from_mover(12.5);
                assert!(at.is_finite() && mover.velocity(scene.start.place, 12.5).is_finite(), "{mover:?}");
            }
        }
        Err(error) => assert!(error.to_string().len() < 4000, "{error}"),
    }
});
