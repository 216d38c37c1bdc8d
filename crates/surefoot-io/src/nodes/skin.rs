//! Meshes on bones, and a body put on the ground.

use super::body::Body;
use crate::ImportError;
use surefoot::glam::{Affine3A, Vec3, Vec3A};
use surefoot::math::Rigid;
use surefoot::rig::{Joint, JointId, ModelPose, Skeleton, Skin};
use surefoot::stages::Bone;

/// The four bones that hold a vertex most, with their shares: index into the mesh's bones, weight.
pub(crate) type Held = [(usize, f32); 4];

/// Bones that stand in the skin: where they start, how many they are, and `model_from_mesh` at rest.
#[derive(Clone, Copy)]
pub(crate) struct Bones {
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) model_from_mesh: Affine3A,
}

/// Adds bones (joint, `joint_from_mesh` in metres) to the skin. Where vertices stand at rest is told by the first of
/// them; `unit` is metres per unit of the mesh, for one that tells nothing.
pub(crate) fn add_bones(bones: &[(usize, Affine3A)], rest: &ModelPose, unit: f32, skin: &mut Skin) -> Bones {
    let at_rest = |joint: usize| {
        let rest = rest.joints[joint];
        Affine3A::from_rotation_translation(rest.rotation, rest.translation.into())
    };
    let model_from_mesh = bones.first().map_or(Affine3A::IDENTITY, |(joint, from_mesh)| at_rest(*joint) * *from_mesh);
    let usable = |m: &Affine3A| m.is_finite() && m.matrix3.determinant().abs() > f32::MIN_POSITIVE;
    let model_from_mesh = Some(model_from_mesh).filter(|m| usable(m) && usable(&m.inverse()));
    let model_from_mesh = model_from_mesh.unwrap_or(Affine3A::from_scale(Vec3::splat(unit)));
    let mesh_from_model = model_from_mesh.inverse();
    let first = skin.bones.len();
    skin.bones.extend(bones.iter().map(|(joint, from_mesh)| Bone {
        joint: JointId(*joint as u16),
        joint_from_bind: *from_mesh * mesh_from_model,
    }));
    Bones { first, count: bones.len(), model_from_mesh }
}

/// Adds a vertex, by its place in the mesh. One that nothing holds follows the first bone.
pub(crate) fn hold(skin: &mut Skin, bones: Bones, position: Vec3, mut held: Held) {
    skin.positions.push(bones.model_from_mesh.transform_point3(position));
    let mut sum: f32 = held.iter().map(|(_, weight)| weight).sum();
    if !(sum > 0.0 && sum.is_finite()) {
        (held, sum) = ([(0, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)], 1.0);
    }
    skin.joints.push(held.map(|(bone, _)| (bones.first + bone) as u16));
    skin.weights.push(held.map(|(_, weight)| weight / sum));
}

/// Counts a bone among the four that hold a vertex, if it holds more than the least of them.
pub(crate) fn held_by(held: &mut Held, bone: usize, weight: f32) {
    if let Some(least) = held.iter_mut().min_by(|a, b| a.1.total_cmp(&b.1))
        && least.1 < weight
    {
        *least = (bone, weight);
    }
}

/// The skeleton with its rest pose over the origin and on the ground, which is where the skin's lowest point is, or the
/// lowest joint if there is no skin.
pub(crate) fn stand(
    mut rest: Vec<Rigid>,
    body: &Body,
    read_skin: impl FnOnce(&ModelPose) -> Result<Option<Skin>, ImportError>,
) -> Result<(Skeleton, Option<Skin>), ImportError> {
    let build = |rest: &[Rigid]| {
        let joints = body.joints.iter().zip(rest);
        let joints = joints.map(|(joint, rest)| Joint::new(joint.name.clone(), joint.parent, *rest)).collect();
        Skeleton::new(joints).map_err(|error| ImportError::new(error.to_string()))
    };
    let model = ModelPose::new(&build(&rest)?);
    let mut skin = read_skin(&model)?;
    let lowest = |heights: &mut dyn Iterator<Item = f32>| heights.reduce(f32::min);
    let ground = match &skin {
        Some(skin) => {
            let mut places = vec![Vec3::ZERO; skin.positions.len()];
            skin.deform(&model, &mut places);
            lowest(&mut places.iter().map(|place| place.y))
        }
        None => lowest(&mut model.joints.iter().map(|joint| joint.translation.y)),
    };
    let ground = ground.filter(|ground| ground.is_finite()).unwrap_or_default();
    let shift = Vec3A::new(-rest[0].translation.x, -ground, -rest[0].translation.z);
    for (joint, local) in body.joints.iter().zip(&mut rest) {
        if joint.parent.is_none() {
            local.translation += shift;
        }
    }
    // The bound vertices move with the rest pose.
    if let Some(skin) = &mut skin {
        skin.positions.iter_mut().for_each(|position| *position += Vec3::from(shift));
        let back = Affine3A::from_translation(-Vec3::from(shift));
        skin.bones.iter_mut().for_each(|bone| bone.joint_from_bind *= back);
        if let Some(vertex) = skin.positions.iter().position(|position| !position.is_finite()) {
            return Err(ImportError::new(format!("vertex {vertex} of the skin is too far away")));
        }
    }
    Ok((build(&rest)?, skin))
}
