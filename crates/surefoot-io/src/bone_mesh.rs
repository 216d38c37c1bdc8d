//! A mesh of simple bones, so that a bare skeleton can be seen anywhere.

use surefoot::glam::{Vec3, Vec3A};
use surefoot::rig::{JointId, ModelPose, Side, Skeleton};
use surefoot::show::{bones, leads_to_bone};

/// Triangles in model space at rest, each vertex bound to one joint.
#[derive(Default)]
pub(crate) struct BoneMesh {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    /// RGBA.
    pub(crate) colours: Vec<[u8; 4]>,
    pub(crate) joints: Vec<u16>,
}

const LEFT: [u8; 4] = [232, 131, 58, 255];
const RIGHT: [u8; 4] = [58, 122, 209, 255];
const MIDDLE: [u8; 4] = [150, 155, 165, 255];

/// An octahedron along every bone; joints without any bone get a small one of their own, but for handles of the rig.
pub(crate) fn bone_mesh(skeleton: &Skeleton) -> BoneMesh {
    let rest = ModelPose::new(skeleton);
    let mut mesh = BoneMesh::default();
    let mut bare: Vec<bool> = vec![true; skeleton.len()];
    let longest = bones(skeleton).map(|(_, offset)| offset.length()).fold(0.0, f32::max);
    let longest = if longest > 0.0 { longest } else { 1.0 };
    for (joint, offset) in bones(skeleton) {
        let ends = [rest[joint].translation, rest[joint].transform_point(offset)];
        mesh.octahedron(ends, longest, joint, colour(skeleton, joint));
        bare[joint.index()] = false;
    }
    let is_handle = |joint: &JointId| !leads_to_bone(skeleton, *joint) && names_handle(skeleton.name(*joint));
    for joint in skeleton.joints().filter(|j| bare[j.index()] && !is_handle(j)) {
        let (place, half) = (rest[joint].translation, Vec3A::Y * (0.04 * longest));
        mesh.octahedron([place - half, place + half], longest, joint, colour(skeleton, joint));
    }
    mesh
}

/// Whether a joint is called as handles are: targets of hands and feet, poles of knees and elbows, controls.
fn names_handle(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    ["pole", "target", "control", "ctrl"].iter().any(|word| name.contains(word))
        || words.any(|word| word.ends_with("ik"))
}

fn colour(skeleton: &Skeleton, joint: JointId) -> [u8; 4] {
    match skeleton.side(joint) {
        Some(Side::Left) => LEFT,
        Some(Side::Right) => RIGHT,
        None => MIDDLE,
    }
}

impl BoneMesh {
    /// Eight triangles from `start` over a square near it to `end`.
    fn octahedron(&mut self, [start, end]: [Vec3A; 2], longest: f32, joint: JointId, colour: [u8; 4]) {
        let (start, end) = (Vec3::from(start), Vec3::from(end));
        let length = (end - start).length();
        // Far from the origin a short bone has no length left.
        if !(length > 0.0 && length.is_finite()) {
            return;
        }
        let along = (end - start) / length;
        let (side, other) = along.any_orthonormal_pair();
        // Short bones of the spine stay visible without turning finger bones into lumps.
        let width = (0.11 * length).max((0.05 * longest).min(0.35 * length));
        let waist = start + along * (0.18 * length);
        let corners = [side, other, -side, -other].map(|v| waist + v * width);
        for i in 0..4 {
            let (a, b) = (corners[i], corners[(i + 1) % 4]);
            self.triangle([start, b, a], joint, colour);
            self.triangle([end, a, b], joint, colour);
        }
    }

    fn triangle(&mut self, corners: [Vec3; 3], joint: JointId, colour: [u8; 4]) {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(Vec3::Y);
        for corner in corners {
            self.positions.push(corner.to_array());
            self.normals.push(normal.to_array());
            self.colours.push(colour);
            self.joints.push(joint.0);
        }
    }
}
