//! Meshes as one skin: what is bound to joints, and what hangs from them rigidly.

use super::accessor::Data;
use super::schema::{Mesh, Primitive, Schema};
use super::tree::Tree;
use crate::ImportError;
use crate::nodes::{Body, Bones, Held, add_bones, held_by, hold};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use surefoot::glam::{Affine3A, Mat4, Vec3};
use surefoot::rig::{ModelPose, Skin};

/// What meshes are read with.
pub(super) struct Meshes<'a> {
    pub(super) schema: &'a Schema,
    pub(super) data: &'a Data<'a>,
    pub(super) tree: &'a Tree,
    pub(super) body: &'a Body,
    /// Inverse bind matrices, by skin.
    pub(super) binds: &'a [Vec<Mat4>],
    /// Metres per file unit.
    pub(super) unit: f32,
    /// The rest pose, metres, our axes.
    pub(super) rest: &'a ModelPose,
}

impl Meshes<'_> {
    /// All meshes that follow joints; `None` if there are none.
    pub(super) fn read(&self) -> Result<Option<Skin>, ImportError> {
        let mut skin = Skin::default();
        let mut of_skin: BTreeMap<usize, Bones> = BTreeMap::new();
        for (index, node) in self.schema.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else { continue };
            if self.schema.meshes.get(mesh).is_some_and(Mesh::draws_bones) {
                continue;
            }
            let fail =
                |what: String| ImportError::new(format!("{}, mesh {mesh}: {what}", self.schema.node_label(index)));
            // Several meshes may be bound by one skin: its bones are the same.
            let bones = match node.skin.map(|skin| (skin, of_skin.get(&skin).copied())) {
                Some((_, Some(bones))) => bones,
                Some((of, None)) => {
                    let bones = add_bones(&self.skin_bones(of).map_err(fail)?, self.rest, self.unit, &mut skin);
                    of_skin.insert(of, bones);
                    bones
                }
                None => match self.rigid_bone(index) {
                    Some(bone) => add_bones(&[bone], self.rest, self.unit, &mut skin),
                    None => continue,
                },
            };
            if skin.bones.len() > usize::from(u16::MAX) {
                return Err(fail(format!("{} bones are more than a skin may have", skin.bones.len())));
            }
            let mesh = self.schema.meshes.get(mesh).ok_or_else(|| fail("there is no such mesh".into()))?;
            for primitive in mesh.primitives.iter().filter(|primitive| !primitive.is_compressed()) {
                self.add_primitive(primitive, bones, node.skin.is_some(), &mut skin).map_err(|e| fail(e.what))?;
            }
        }
        Ok((!skin.positions.is_empty()).then_some(skin))
    }

    fn add_primitive(
        &self,
        primitive: &Primitive,
        bones: Bones,
        bound: bool,
        skin: &mut Skin,
    ) -> Result<(), ImportError> {
        // Triangles, strips and fans; points and lines are no skin.
        let mode = primitive.mode.unwrap_or(4);
        let Some(positions) = primitive.attributes.get("POSITION").filter(|_| (4..=6).contains(&mode)) else {
            return Ok(());
        };
        let positions = self.data.rows::<3>(*positions)?;
        let corners = corners(self.data, primitive, positions.len())?;
        let held = if bound { self.held(primitive, positions.len(), bones.count)? } else { Vec::new() };
        add_triangles(mode, skin.positions.len() as u32, &corners, &mut skin.triangles);
        for (vertex, position) in positions.into_iter().enumerate() {
            hold(skin, bones, Vec3::from_array(position), held.get(vertex).copied().unwrap_or_default());
        }
        Ok(())
    }

    /// `joint_from_mesh` of a skin's joints, metres: model = joint * unit * scale * inverse bind * vertex.
    fn skin_bones(&self, skin: usize) -> Result<Vec<(usize, Affine3A)>, String> {
        let joints = &self.schema.skins.get(skin).ok_or_else(|| format!("there is no skin {skin}"))?.joints;
        if joints.is_empty() {
            return Err(format!("skin {skin} has no joints"));
        }
        let bone = |(node, bind): (&usize, &Mat4)| {
            let joint = self.body.of_node.get(*node).copied().flatten()?;
            let of = &self.body.joints[joint];
            let scale = Affine3A::from_scale(Vec3::splat(self.unit * of.above.scale * of.scale));
            Some((joint, scale * Affine3A::from_mat4(*bind)))
        };
        let bones = joints.iter().zip(&self.binds[skin]).map(bone);
        bones.collect::<Option<_>>().ok_or_else(|| format!("skin {skin} has joints that are no nodes"))
    }

    /// The joint that a mesh without a skin hangs from, if it does, and `joint_from_mesh`, metres.
    fn rigid_bone(&self, node: usize) -> Option<(usize, Affine3A)> {
        let mut joint_from_mesh = Affine3A::IDENTITY;
        for above in self.tree.ancestry(node) {
            if let Some(joint) = self.body.of_node[above] {
                let of = &self.body.joints[joint];
                let scale = Affine3A::from_scale(Vec3::splat(self.unit * of.above.scale * of.scale));
                return Some((joint, scale * joint_from_mesh));
            }
            let local = &self.tree.locals[above];
            let (turn, place) = (local.rigid.rotation, local.rigid.translation);
            joint_from_mesh =
                Affine3A::from_scale_rotation_translation(local.scale, turn, place.into()) * joint_from_mesh;
        }
        None
    }

    /// Which bones hold each vertex: the best four of all sets of joints and weights that there are.
    fn held(&self, primitive: &Primitive, vertices: usize, bones: usize) -> Result<Vec<Held>, ImportError> {
        let mut held: Vec<Held> = vec![Held::default(); vertices];
        for set in 0.. {
            let of = |what: &str| primitive.attributes.get(&format!("{what}_{set}"));
            let (Some(joints), Some(weights)) = (of("JOINTS"), of("WEIGHTS")) else { break };
            let (joints, weights) = (self.data.whole::<4>(*joints)?, self.data.rows::<4>(*weights)?);
            if joints.len() != vertices || weights.len() != vertices {
                let (joints, weights) = (joints.len(), weights.len());
                return Err(ImportError::new(format!("{joints} joints and {weights} weights for {vertices} vertices")));
            }
            for (vertex, (joints, weights)) in joints.into_iter().zip(weights).enumerate() {
                for (joint, weight) in joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0) {
                    if joint as usize >= bones {
                        return Err(ImportError::new(format!(
                            "vertex {vertex} is held by joint {joint} of a skin that has {bones}"
                        )));
                    }
                    held_by(&mut held[vertex], joint as usize, weight);
                }
            }
        }
        Ok(held)
    }
}

/// Corners in drawing order.
pub(super) fn corners(data: &Data<'_>, primitive: &Primitive, vertices: usize) -> Result<Vec<u32>, ImportError> {
    let Some(indices) = primitive.indices else { return Ok((0..vertices as u32).collect()) };
    let corners: Vec<u32> = data.whole::<1>(indices)?.into_iter().map(|[corner]| corner).collect();
    match corners.iter().find(|corner| **corner as usize >= vertices) {
        Some(bad) => Err(ImportError::new(format!("a triangle uses vertex {bad} of {vertices}"))),
        None => Ok(corners),
    }
}

pub(super) fn add_triangles(mode: u32, first: u32, corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let at = |i: usize| first + corners[i];
    match mode {
        4 => triangles.extend(corners.chunks_exact(3).map(|c| [first + c[0], first + c[1], first + c[2]])),
        // Every other triangle of a strip runs the other way round.
        5 => triangles.extend(
            (2..corners.len())
                .map(|i| if i % 2 == 0 { [at(i - 2), at(i - 1), at(i)] } else { [at(i - 1), at(i - 2), at(i)] }),
        ),
        _ => triangles.extend((2..corners.len()).map(|i| [at(0), at(i - 1), at(i)])),
    }
}

/// Inverse bind matrices of all skins; the identity where a skin has none.
pub(super) fn binds(schema: &Schema, data: &Data<'_>) -> Result<Vec<Vec<Mat4>>, ImportError> {
    let mut read: BTreeMap<usize, Vec<Mat4>> = BTreeMap::new();
    let mut all = Vec::with_capacity(schema.skins.len());
    for (index, skin) in schema.skins.iter().enumerate() {
        let matrices = match skin.inverse_bind_matrices {
            None => vec![Mat4::IDENTITY; skin.joints.len()],
            Some(accessor) => {
                let matrices = match read.entry(accessor) {
                    Entry::Occupied(there) => there.into_mut(),
                    Entry::Vacant(place) => {
                        place.insert(data.rows::<16>(accessor)?.iter().map(Mat4::from_cols_array).collect())
                    }
                };
                if matrices.len() < skin.joints.len() {
                    let (there, joints) = (matrices.len(), skin.joints.len());
                    return Err(ImportError::new(format!(
                        "skin {index} has {there} bind matrices for {joints} joints"
                    )));
                }
                matrices[..skin.joints.len()].to_vec()
            }
        };
        all.push(matrices);
    }
    Ok(all)
}
