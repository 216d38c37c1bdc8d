//! OBJ: triangles or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_io::world::{WorldSettings, read_obj};

fuzz_target!(|bytes: &[u8]| {
    match read_obj(bytes, &WorldSettings::default()) {
        Ok(world) => {
            assert!(world.offset.is_finite() && world.mesh.bounds().is_some(), "{:?}", world.offset);
            let corners = bytes.len();
            assert!(world.mesh.triangles().len() <= corners, "more triangles than bytes");
            for triangle in 0..world.mesh.triangles().len() {
                let [a, b, c] = world.mesh.corners(triangle);
                assert!(a != b && b != c && c != a, "{a} {b} {c}");
            }
        }
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
});
