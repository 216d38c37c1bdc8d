//! Meshes as one skin: what is bound to bones, and what hangs from them rigidly.

use super::scene::{affine, label, vector};
use super::tree::{Tree, bone_of};
use crate::ImportError;
use crate::nodes::{Body, Held, add_bones, held_by, hold, unit};
use surefoot::glam::{Affine3A, DVec3, Vec3};
use surefoot::math::Rigid;
use surefoot::rig::{ModelPose, Skin};

/// Corners of triangles that meshes may unfold to beyond 16 for each byte of the file: many nodes may show one mesh.
const ALLOWANCE: usize = 1 << 20;

/// What meshes are read with.
pub(super) struct Meshes<'a> {
    pub(super) tree: &'a Tree<'a>,
    pub(super) body: &'a Body,
    /// Metres per metre of the scene: what the body showed its unit to be.
    pub(super) unit: f32,
    /// The rest pose, metres, our axes.
    pub(super) rest: &'a ModelPose,
    /// Size of the file.
    pub(super) bytes: usize,
}

impl Meshes<'_> {
    /// All meshes that follow joints; `None` if there are none.
    pub(super) fn read(&self) -> Result<Option<Skin>, ImportError> {
        let mut skin = Skin::default();
        let mut left = ALLOWANCE + 16 * self.bytes;
        let mut corners = Vec::new();
        for (index, node) in self.tree.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh.as_deref() else { continue };
            let deformer = mesh.skin_deformers.first().map(AsRef::as_ref);
            // A deformer's clusters without a bone hold nothing.
            let (bones, of_cluster) = match deformer.map(|deformer| self.skin_bones(deformer)) {
                Some((bones, of_cluster)) if !bones.is_empty() => (bones, of_cluster),
                _ => match self.rigid_bone(index) {
                    Some(bone) => (vec![bone], Vec::new()),
                    None => continue,
                },
            };
            let cost = mesh.num_vertices.saturating_add(mesh.num_indices);
            left = left.checked_sub(cost).ok_or_else(|| {
                ImportError::new(format!("{}: meshes unfold to more than the file's size allows", label(node)))
            })?;
            let bones = add_bones(&bones, self.rest, self.unit, &mut skin);
            if skin.bones.len() > usize::from(u16::MAX) {
                let there = skin.bones.len();
                return Err(ImportError::new(format!("{}: {there} bones are more than a skin may have", label(node))));
            }
            let first = skin.positions.len();
            for (vertex, position) in mesh.vertices.iter().enumerate() {
                let mut held = Held::default();
                if let Some(deformer) = deformer {
                    for (cluster, weight) in weights(deformer, vertex) {
                        if let Some(bone) = of_cluster.get(cluster).copied().flatten() {
                            held_by(&mut held, bone, weight);
                        }
                    }
                }
                let position = vector(*position).as_vec3();
                if !position.is_finite() {
                    return Err(ImportError::new(format!("{}: vertex {vertex} is not finite", label(node))));
                }
                hold(&mut skin, bones, position, held);
            }
            corners.resize(3 * mesh.max_face_triangles, 0);
            for face in &mesh.faces {
                let triangles = ufbx::triangulate_face(&mut corners, mesh, *face) as usize;
                skin.triangles.extend(
                    corners[..3 * triangles]
                        .chunks_exact(3)
                        .map(|corner| [0, 1, 2].map(|i| first as u32 + mesh.vertex_indices[corner[i] as usize])),
                );
            }
        }
        if let Some(vertex) = skin.positions.iter().position(|position| !position.is_finite()) {
            return Err(ImportError::new(format!("vertex {vertex} of the skin is too far away")));
        }
        Ok((!skin.triangles.is_empty()).then_some(skin))
    }

    /// `joint_from_mesh` of a deformer's bones, metres, and which of them each of its clusters is.
    fn skin_bones(&self, deformer: &ufbx::SkinDeformer) -> (Vec<(usize, Affine3A)>, Vec<Option<usize>>) {
        let mut bones = Vec::new();
        let bone = |cluster: &ufbx::SkinCluster| {
            let node = cluster.bone_node.as_deref()?;
            let joint = self.body.of_node[bone_of(node)]?;
            let matrix = self.scale_of(joint) * helper(node) * affine(&cluster.geometry_to_bone);
            matrix.is_finite().then_some((joint, matrix))
        };
        let mut of_cluster = Vec::with_capacity(deformer.clusters.len());
        for cluster in &deformer.clusters {
            let bone = bone(cluster);
            of_cluster.push(bone.map(|_| bones.len()));
            bones.extend(bone);
        }
        (bones, of_cluster)
    }

    fn scale_of(&self, joint: usize) -> Affine3A {
        let of = &self.body.joints[joint];
        Affine3A::from_scale(Vec3::splat(self.unit * of.above.scale * of.scale))
    }

    /// The joint that a mesh without bones of its own hangs from, if it does, and `joint_from_mesh`, metres.
    fn rigid_bone(&self, node: usize) -> Option<(usize, Affine3A)> {
        let mut joint_from_mesh = affine(&self.tree.nodes[node].geometry_to_node);
        for above in self.tree.ancestry(node) {
            if let Some(joint) = self.body.of_node[above] {
                let matrix = self.scale_of(joint) * joint_from_mesh;
                return matrix.is_finite().then_some((joint, matrix));
            }
            joint_from_mesh = affine(&self.tree.nodes[above].node_to_parent) * joint_from_mesh;
        }
        None
    }
}

/// What a bone's helper does to what it holds.
fn helper(bone: &ufbx::Node) -> Affine3A {
    if bone.is_scale_helper { affine(&bone.node_to_parent) } else { Affine3A::IDENTITY }
}

/// The clusters that hold a vertex, with their weights.
fn weights(deformer: &ufbx::SkinDeformer, vertex: usize) -> impl Iterator<Item = (usize, f32)> {
    let of = deformer.vertices.get(vertex);
    let range = of.map_or(0..0, |of| of.weight_begin as usize..of.weight_begin as usize + of.num_weights as usize);
    let weights = deformer.weights.get(range).unwrap_or_default();
    weights.iter().map(|w| (w.cluster_index as usize, w.weight as f32)).filter(|(_, w)| *w > 0.0 && w.is_finite())
}

/// Where the joints stood in the scene when their skins were bound, by joint; the mesh must not have moved since.
pub(super) fn bound(tree: &Tree<'_>, body: &Body) -> Vec<Option<Rigid>> {
    let mut placed: Vec<Option<Rigid>> = vec![None; body.joints.len()];
    for node in &tree.nodes {
        let deformers = node.mesh.as_deref().map(|mesh| &mesh.skin_deformers);
        for cluster in deformers.into_iter().flatten().flat_map(|deformer| &deformer.clusters) {
            let Some(bone) = cluster.bone_node.as_deref() else { continue };
            let Some(joint) = body.of_node[bone_of(bone)] else { continue };
            if placed[joint].is_none() {
                let world_from_bone =
                    ufbx::matrix_mul(&node.geometry_to_world, &ufbx::matrix_invert(&cluster.geometry_to_bone));
                placed[joint] = rigid_of(&world_from_bone);
            }
        }
    }
    placed
}

/// The turn and move of a matrix, if it is finite and not flat.
fn rigid_of(m: &ufbx::Matrix) -> Option<Rigid> {
    let axes = [DVec3::new(m.m00, m.m10, m.m20), DVec3::new(m.m01, m.m11, m.m21), DVec3::new(m.m02, m.m12, m.m22)];
    if !axes.iter().all(|axis| axis.is_finite() && axis.length() > 1e-12) {
        return None;
    }
    let (scale, rotation, _) = crate::nodes::decompose(axes);
    let rotation = unit(rotation.to_array()).filter(|_| scale.min_element() > 0.0)?;
    let translation = DVec3::new(m.m03, m.m13, m.m23).as_vec3();
    translation.is_finite().then_some(Rigid { rotation, translation: translation.into() })
}
