//! A skin as glTF wants it: parts whose bones are of different joints, as every glTF skin has a joint once.

use surefoot::glam::{Affine3A, Vec3};
use surefoot::rig::{JointId, Skin};

/// Vertices and triangles that are held by bones of different joints.
#[derive(Default)]
pub(crate) struct SkinPart {
    pub(crate) positions: Vec<[f32; 3]>,
    /// Unit vectors, one for each vertex.
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) triangles: Vec<u32>,
    /// Per vertex, places in `bones`.
    pub(crate) joints: Vec<[u16; 4]>,
    pub(crate) weights: Vec<[f32; 4]>,
    pub(crate) bones: Vec<(JointId, Affine3A)>,
}

/// The parts of a skin.
pub(crate) fn parts(skin: &Skin) -> Vec<SkinPart> {
    let of_bone = meshes(skin);
    // Meshes whose bones are of other joints than those in a part go into it.
    let count = of_bone.iter().max().map_or(0, |most| most + 1);
    let mut bones_of: Vec<Vec<usize>> = vec![Vec::new(); count];
    of_bone.iter().enumerate().for_each(|(bone, mesh)| bones_of[*mesh].push(bone));
    let mut parts: Vec<SkinPart> = Vec::new();
    let mut place = vec![(0, 0); skin.bones.len()];
    for bones in &bones_of {
        let has = |part: &SkinPart, bone: &usize| part.bones.iter().any(|(joint, _)| *joint == skin.bones[*bone].joint);
        let free = parts.iter().position(|part| !bones.iter().any(|bone| has(part, bone)));
        let at = free.unwrap_or(parts.len());
        if at == parts.len() {
            parts.push(SkinPart::default());
        }
        for bone in bones {
            place[*bone] = (at, parts[at].bones.len() as u16);
            parts[at].bones.push((skin.bones[*bone].joint, skin.bones[*bone].joint_from_bind));
        }
    }
    let normals = normals(skin);
    let mut vertex_of = vec![0; skin.positions.len()];
    let part_of = |vertex: usize| place[usize::from(skin.joints[vertex][heaviest(&skin.weights[vertex])])].0;
    for vertex in 0..skin.positions.len() {
        let at = part_of(vertex);
        let part = &mut parts[at];
        vertex_of[vertex] = part.positions.len() as u32;
        part.positions.push(skin.positions[vertex].to_array());
        part.normals.push(normals[vertex].to_array());
        // Bones that do not hold it may be anyone's.
        let local =
            |k: usize| if skin.weights[vertex][k] > 0.0 { place[usize::from(skin.joints[vertex][k])].1 } else { 0 };
        part.joints.push(std::array::from_fn(local));
        part.weights.push(skin.weights[vertex]);
    }
    for corners in &skin.triangles {
        let at = part_of(corners[0] as usize);
        // A triangle between meshes, which no file has, is left out.
        if corners.iter().all(|corner| part_of(*corner as usize) == at) {
            parts[at].triangles.extend(corners.map(|corner| vertex_of[corner as usize]));
        }
    }
    parts.retain(|part| !part.triangles.is_empty());
    parts
}

/// Which mesh every bone is of: bones that hold a vertex together, or the corners of a triangle, are of one.
fn meshes(skin: &Skin) -> Vec<usize> {
    let mut above: Vec<usize> = (0..skin.bones.len()).collect();
    fn top(above: &mut [usize], mut bone: usize) -> usize {
        while above[bone] != bone {
            above[bone] = above[above[bone]];
            bone = above[bone];
        }
        bone
    }
    let mut join = |a: usize, b: usize| {
        let (a, b) = (top(&mut above, a), top(&mut above, b));
        above[a.max(b)] = a.min(b);
    };
    for (bones, weights) in skin.joints.iter().zip(&skin.weights) {
        let first = usize::from(bones[heaviest(weights)]);
        for k in (0..4).filter(|k| weights[*k] > 0.0) {
            join(first, usize::from(bones[k]));
        }
    }
    for corners in &skin.triangles {
        let bone = |corner: u32| {
            let vertex = corner as usize;
            usize::from(skin.joints[vertex][heaviest(&skin.weights[vertex])])
        };
        join(bone(corners[0]), bone(corners[1]));
        join(bone(corners[0]), bone(corners[2]));
    }
    let tops: Vec<usize> = (0..skin.bones.len()).map(|bone| top(&mut above, bone)).collect();
    let mut number = vec![usize::MAX; skin.bones.len()];
    let mut next = 0;
    let mut numbered = |top: usize| {
        if number[top] == usize::MAX {
            number[top] = next;
            next += 1;
        }
        number[top]
    };
    tops.into_iter().map(&mut numbered).collect()
}

fn heaviest(weights: &[f32; 4]) -> usize {
    (0..4).max_by(|a, b| weights[*a].total_cmp(&weights[*b]).then(b.cmp(a))).unwrap_or(0)
}

/// Unit vectors out of the surface, by vertex; large triangles count for more.
fn normals(skin: &Skin) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; skin.positions.len()];
    for corners in &skin.triangles {
        let [a, b, c] = corners.map(|corner| skin.positions[corner as usize]);
        let across = (b - a).cross(c - a);
        corners.iter().for_each(|corner| sums[*corner as usize] += across);
    }
    sums.into_iter().map(|sum| sum.try_normalize().unwrap_or(Vec3::Y)).collect()
}
