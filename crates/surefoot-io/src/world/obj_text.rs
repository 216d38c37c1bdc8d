//! Triangles as the text of an OBJ file.

use std::fmt::Write as _;
use surefoot::glam::Vec3;

/// Triangles as an OBJ file, metres, Y up: corners are numbered from 0 here and from 1 in the file.
#[must_use]
pub fn write_obj(points: &[Vec3], triangles: &[[u32; 3]]) -> String {
    let mut out = String::from("# metres, Y up\n");
    for point in points {
        let _ = writeln!(out, "v {} {} {}", point.x, point.y, point.z);
    }
    for [a, b, c] in triangles {
        let _ = writeln!(out, "f {} {} {}", u64::from(*a) + 1, u64::from(*b) + 1, u64::from(*c) + 1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{WorldSettings, read_obj};

    #[test]
    fn what_is_written_is_read_again() {
        let points =
            [Vec3::ZERO, Vec3::new(0.1, 0.25, 1e-4), Vec3::new(-0.3, 0.0, 2.0), Vec3::new(0.5, 1.0 / 3.0, 2.0)];
        let triangles = [[0, 2, 1], [1, 2, 3]];
        let text = write_obj(&points, &triangles);
        let read = read_obj(text.as_bytes(), &WorldSettings::default()).unwrap();
        let corners = |points: &[Vec3], triangles: &[[u32; 3]]| -> Vec<[Vec3; 3]> {
            triangles.iter().map(|t| t.map(|i| points[i as usize])).collect()
        };
        let offset = read.offset.as_vec3();
        let here: Vec<Vec3> = read.mesh.positions().iter().map(|p| *p + offset).collect();
        assert_eq!(corners(&here, read.mesh.triangles()), corners(&points, &triangles));
    }
}
