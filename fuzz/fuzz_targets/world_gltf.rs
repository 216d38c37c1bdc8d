//! glTF as a world: triangles or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_io::world::{WorldSettings, read_gltf};

fuzz_target!(|bytes: &[u8]| {
    let nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    match read_gltf(bytes, &nothing, &WorldSettings::default()) {
        Ok(world) => {
            assert!(world.offset.is_finite() && world.mesh.bounds().is_some(), "{:?}", world.offset);
            for triangle in 0..world.mesh.triangles().len() {
                let [a, b, c] = world.mesh.corners(triangle);
                assert!(a != b && b != c && c != a, "{a} {b} {c}");
            }
        }
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
});
