//! GLB: skeleton, animation and simple visible bones, for any viewer, engine or editor.

use crate::bone_mesh::bone_mesh;
use crate::gltf::{DRAWN_BONES, MARK, NewClip, tips, told};
use crate::skin_mesh::parts;
use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf_json::mesh::Semantic;
use gltf_json::scene::UnitQuaternion;
use gltf_json::validation::Checked::Valid;
use gltf_json::validation::USize64;
use gltf_json::{Accessor, Index, Node, Root, buffer};
use surefoot::glam::{Affine3A, Mat4};
use surefoot::math::{Rigid, quat};
use surefoot::motion::Clip;
use surefoot::rig::{JointId, ModelPose, Skeleton, Skin};

/// A joint that moves or turns by less than this over a clip stays at rest in the file. Metres, radians.
const STILL: f32 = 1e-6;

/// Writes clips of one skeleton as a GLB file: a node per joint, one animation per clip, and a mesh of octahedral
/// bones skinned to the joints, left in orange and right in blue. Metres, Y up, facing +Z, as glTF wants it.
///
/// # Panics
/// If a clip was made for another skeleton.
#[must_use]
pub fn write(skeleton: &Skeleton, clips: &[Clip]) -> Vec<u8> {
    write_clips(skeleton, None, &clips.iter().map(NewClip::of).collect::<Vec<_>>())
}

/// The same, with the character's own mesh instead of bones if there is one (its shape: colours and textures are not
/// known), and with events and loop flags in the animations' `extras`, as [`crate::gltf::write_clips`] has them.
///
/// # Panics
/// If a clip was made for another skeleton.
#[must_use]
pub fn write_clips(skeleton: &Skeleton, skin: Option<&Skin>, clips: &[NewClip<'_>]) -> Vec<u8> {
    let mut file = Writer::new();
    let told = told::entry(skeleton, NewClip::legs(clips, skeleton), None);
    file.root.extras = told.and_then(|told| serde_json::value::to_raw_value(&serde_json::json!({ MARK: told })).ok());
    let nodes = file.skeleton(skeleton);
    match skin {
        Some(skin) => file.skin(skeleton, skin, &nodes),
        None => file.bones(skeleton, &nodes),
    }
    for new in clips {
        let clip = new.clip;
        assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        file.animation(skeleton, new, &nodes);
    }
    file.finish()
}

/// The nodes of a character: one that stands above all joints and carries the root motion, and the joints.
struct Nodes {
    character: Index<Node>,
    joints: Vec<Index<Node>>,
}

/// A mesh that follows joints, as it is written.
struct Mesh<'a> {
    name: &'a str,
    positions: &'a [[f32; 3]],
    normals: &'a [[f32; 3]],
    colours: Option<Index<Accessor>>,
    /// Corners; `None` if every three vertices make a triangle.
    triangles: Option<&'a [u32]>,
    /// Per vertex, places in `bones`.
    joints: &'a [[u16; 4]],
    weights: &'a [[f32; 4]],
    bones: &'a [Index<Node>],
    /// By bone, `joint_from_mesh`.
    bind: &'a [Mat4],
    mark: Option<&'a str>,
}

/// A glTF document and its one buffer, both growing.
struct Writer {
    root: Root,
    bytes: Vec<u8>,
    scene: Vec<Index<Node>>,
}

impl Writer {
    fn new() -> Self {
        let mut root = Root::default();
        root.asset.generator = Some(format!("surefoot {}", env!("CARGO_PKG_VERSION")));
        Self { root, bytes: Vec::new(), scene: Vec::new() }
    }

    fn skeleton(&mut self, skeleton: &Skeleton) -> Nodes {
        let character = self.root.push(Node { name: Some("Character".into()), ..Node::default() });
        let first = self.root.nodes.len() as u32;
        let node_of = |joint: usize| Index::new(first + joint as u32);
        for joint in skeleton.joints() {
            let rest = skeleton.rest()[joint.index()];
            let children: Vec<Index<Node>> = skeleton.children(joint).map(|c| node_of(c.index())).collect();
            self.root.push(Node {
                name: Some(skeleton.name(joint).to_owned()),
                children: (!children.is_empty()).then_some(children),
                rotation: Some(UnitQuaternion(rest.rotation.to_array())),
                translation: Some(rest.translation.to_array()),
                extras: tips::extras(skeleton, joint).and_then(|own| serde_json::value::to_raw_value(&own).ok()),
                ..Node::default()
            });
        }
        let roots = skeleton.roots().map(|joint| node_of(joint.index())).collect();
        self.root.nodes[character.value()].children = Some(roots);
        self.scene.push(character);
        Nodes { character, joints: (0..skeleton.len()).map(node_of).collect() }
    }

    /// Octahedral bones.
    fn bones(&mut self, skeleton: &Skeleton, nodes: &Nodes) {
        let mesh = bone_mesh(skeleton);
        let count = mesh.positions.len();
        let rest = ModelPose::new(skeleton);
        let bind = rest.joints.iter().map(|joint| joint.inverse());
        let bind = bind.map(|joint| Mat4::from_rotation_translation(joint.rotation, joint.translation.into()));
        let colours = self.accessor(
            mesh.colours.as_flattened().to_vec(),
            Some(buffer::Target::ArrayBuffer),
            count,
            ComponentType::U8,
            Type::Vec4,
        );
        self.root.accessors[colours.value()].normalized = true;
        self.mesh(
            &Mesh {
                name: "Bones",
                positions: &mesh.positions,
                normals: &mesh.normals,
                colours: Some(colours),
                triangles: None,
                joints: &mesh.joints.iter().map(|joint| [*joint, 0, 0, 0]).collect::<Vec<_>>(),
                weights: &vec![[1.0, 0.0, 0.0, 0.0]; count],
                bones: &nodes.joints,
                bind: &bind.collect::<Vec<_>>(),
                // Whoever reads the file again must not take the drawing for a skin.
                mark: Some(DRAWN_BONES),
            },
            nodes,
        );
    }

    /// The character's own mesh, in one grey.
    fn skin(&mut self, skeleton: &Skeleton, skin: &Skin, nodes: &Nodes) {
        let mut parts = parts(skin);
        // What holds no skin, such as the ends of feet, is a joint all the same, to whoever reads the file.
        let rest = ModelPose::new(skeleton);
        let held: Vec<JointId> = parts.iter().flat_map(|part| &part.bones).map(|(joint, _)| *joint).collect();
        if let Some(first) = parts.first_mut() {
            let bare = skeleton.joints().filter(|joint| !held.contains(joint));
            first.bones.extend(bare.map(|joint| {
                let Rigid { rotation, translation } = rest[joint].inverse();
                (joint, Affine3A::from_rotation_translation(rotation, translation.into()))
            }));
        }
        for part in parts {
            let bones: Vec<Index<Node>> = part.bones.iter().map(|(joint, _)| nodes.joints[joint.index()]).collect();
            let bind: Vec<Mat4> = part.bones.iter().map(|(_, bind)| Mat4::from(*bind)).collect();
            self.mesh(
                &Mesh {
                    name: "Skin",
                    positions: &part.positions,
                    normals: &part.normals,
                    colours: None,
                    triangles: Some(&part.triangles),
                    joints: &part.joints,
                    weights: &part.weights,
                    bones: &bones,
                    bind: &bind,
                    mark: None,
                },
                nodes,
            );
        }
    }

    fn mesh(&mut self, drawn: &Mesh<'_>, nodes: &Nodes) {
        let count = drawn.positions.len();
        let fold = |pick: fn(f32, f32) -> f32| {
            drawn.positions.iter().copied().reduce(|a, b| std::array::from_fn(|i| pick(a[i], b[i])))
        };
        let (low, high) = (fold(f32::min), fold(f32::max));
        let target = Some(buffer::Target::ArrayBuffer);
        let positions = self.accessor(floats(drawn.positions.iter()), target, count, ComponentType::F32, Type::Vec3);
        self.root.accessors[positions.value()].min = low.map(|v| serde_json::json!(v));
        self.root.accessors[positions.value()].max = high.map(|v| serde_json::json!(v));
        let normals = self.accessor(floats(drawn.normals.iter()), target, count, ComponentType::F32, Type::Vec3);
        let joints: Vec<u8> = drawn.joints.iter().flatten().flat_map(|joint| joint.to_le_bytes()).collect();
        let joints = self.accessor(joints, target, count, ComponentType::U16, Type::Vec4);
        let weights = self.accessor(floats(drawn.weights.iter()), target, count, ComponentType::F32, Type::Vec4);
        let indices = drawn.triangles.map(|corners| {
            let bytes = corners.iter().flat_map(|corner| corner.to_le_bytes()).collect();
            let target = Some(buffer::Target::ElementArrayBuffer);
            self.accessor(bytes, target, corners.len(), ComponentType::U32, Type::Scalar)
        });
        let mut material = gltf_json::Material { name: Some(drawn.name.into()), ..gltf_json::Material::default() };
        material.pbr_metallic_roughness.metallic_factor = gltf_json::material::StrengthFactor(0.0);
        material.pbr_metallic_roughness.roughness_factor = gltf_json::material::StrengthFactor(0.8);
        let material = self.root.push(material);
        let attributes = [
            (Semantic::Positions, positions),
            (Semantic::Normals, normals),
            (Semantic::Joints(0), joints),
            (Semantic::Weights(0), weights),
        ];
        let attributes = attributes.into_iter().chain(drawn.colours.map(|colours| (Semantic::Colors(0), colours)));
        let primitive = gltf_json::mesh::Primitive {
            attributes: attributes.map(|(semantic, accessor)| (Valid(semantic), accessor)).collect(),
            extensions: None,
            extras: None,
            indices,
            material: Some(material),
            mode: Valid(gltf_json::mesh::Mode::Triangles),
            targets: None,
        };
        let mark = drawn.mark.and_then(|mark| serde_json::value::to_raw_value(&serde_json::json!({ MARK: mark })).ok());
        let mesh = self.root.push(gltf_json::Mesh {
            extensions: None,
            extras: mark,
            name: Some(drawn.name.into()),
            primitives: vec![primitive],
            weights: None,
        });
        let bind = drawn.bind.iter().map(|matrix| {
            let mut matrix = matrix.to_cols_array();
            // glTF wants the last row to be exactly 0 0 0 1; it is, but for the sign of zero.
            (matrix[3], matrix[7], matrix[11], matrix[15]) = (0.0, 0.0, 0.0, 1.0);
            matrix
        });
        let bind: Vec<[f32; 16]> = bind.collect();
        let bind = self.accessor(floats(bind.iter()), None, drawn.bones.len(), ComponentType::F32, Type::Mat4);
        let skin = self.root.push(gltf_json::Skin {
            extensions: None,
            extras: None,
            inverse_bind_matrices: Some(bind),
            joints: drawn.bones.to_vec(),
            name: Some("Skeleton".into()),
            skeleton: Some(nodes.character),
        });
        // A skinned mesh stands at the scene's root: only its joints place it.
        let name = Some(drawn.name.into());
        let node = self.root.push(Node { name, mesh: Some(mesh), skin: Some(skin), ..Node::default() });
        self.scene.push(node);
    }

    fn animation(&mut self, skeleton: &Skeleton, new: &NewClip<'_>, nodes: &Nodes) {
        let clip = new.clip;
        // A cyclic clip closes with its first frame, one cycle on.
        let keys = clip.frames() + usize::from(clip.cycle().is_some());
        let times: Vec<[f32; 1]> = (0..keys).map(|i| [(i as f64 / f64::from(clip.rate())) as f32]).collect();
        let times_accessor = self.accessor(floats(times.iter()), None, keys, ComponentType::F32, Type::Scalar);
        self.root.accessors[times_accessor.value()].min = Some(serde_json::json!(times[0]));
        self.root.accessors[times_accessor.value()].max = Some(serde_json::json!(times[keys - 1]));

        let extras = serde_json::value::to_raw_value(&new.extras(serde_json::Map::new()));
        let mut animation = gltf_json::Animation {
            extensions: None,
            extras: extras.ok(),
            channels: Vec::new(),
            name: Some(clip.name().to_owned()),
            samplers: Vec::new(),
        };
        let root_key = |key: usize| match clip.cycle() {
            Some(cycle) if key == clip.frames() => clip.roots()[0] * cycle,
            _ => clip.roots()[key],
        };
        let mut track: Vec<Rigid> = (0..keys).map(root_key).collect();
        self.track(nodes.character, Rigid::IDENTITY, &mut track, times_accessor, &mut animation);
        for joint in skeleton.joints() {
            let mut track: Vec<Rigid> = (0..keys).map(|key| clip.frame(key % clip.frames())[joint.index()]).collect();
            let rest = skeleton.rest()[joint.index()];
            self.track(nodes.joints[joint.index()], rest, &mut track, times_accessor, &mut animation);
        }
        // A clip in which nothing ever leaves the rest pose still is an animation of its length.
        if animation.channels.is_empty() {
            let values = floats((0..keys).map(|_| &[0.0_f32; 3]));
            let output = self.accessor(values, None, keys, ComponentType::F32, Type::Vec3);
            push_channel(&mut animation, nodes.character, Property::Translation, times_accessor, output);
        }
        self.root.push(animation);
    }

    /// One node's keys: rotation and translation, each only where it leaves the rest pose.
    fn track(
        &mut self,
        node: Index<Node>,
        rest: Rigid,
        track: &mut [Rigid],
        times: Index<Accessor>,
        animation: &mut gltf_json::Animation,
    ) {
        for i in 1..track.len() {
            track[i].rotation = quat::nearest_sign(track[i - 1].rotation, track[i].rotation);
        }
        if track.iter().any(|key| quat::angle_between(key.rotation, rest.rotation) > STILL) {
            let values: Vec<[f32; 4]> = track.iter().map(|key| key.rotation.to_array()).collect();
            let output = self.accessor(floats(values.iter()), None, track.len(), ComponentType::F32, Type::Vec4);
            push_channel(animation, node, Property::Rotation, times, output);
        }
        if track.iter().any(|key| (key.translation - rest.translation).length() > STILL) {
            let values: Vec<[f32; 3]> = track.iter().map(|key| key.translation.to_array()).collect();
            let output = self.accessor(floats(values.iter()), None, track.len(), ComponentType::F32, Type::Vec3);
            push_channel(animation, node, Property::Translation, times, output);
        }
    }

    /// Puts bytes into the buffer under a view and an accessor of their own.
    fn accessor(
        &mut self,
        bytes: Vec<u8>,
        target: Option<buffer::Target>,
        count: usize,
        component: ComponentType,
        kind: Type,
    ) -> Index<Accessor> {
        // Every accessor starts at a multiple of four bytes, which suits every component type.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = self.root.push(buffer::View {
            buffer: Index::new(0),
            byte_length: USize64::from(bytes.len()),
            byte_offset: Some(USize64::from(self.bytes.len())),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: None,
        });
        self.bytes.extend(bytes);
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: USize64::from(count),
            component_type: Valid(GenericComponentType(component)),
            extensions: None,
            extras: None,
            type_: Valid(kind),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
        })
    }

    fn finish(mut self) -> Vec<u8> {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.root.buffers.push(gltf_json::Buffer {
            byte_length: USize64::from(self.bytes.len()),
            name: None,
            uri: None,
            extensions: None,
            extras: None,
        });
        let scene =
            self.root.push(gltf_json::Scene { extensions: None, extras: None, name: None, nodes: self.scene.clone() });
        self.root.scene = Some(scene);
        let text = serde_json::to_vec(&self.root).expect("a document of plain numbers and strings");
        crate::gltf::container::join(text, self.bytes).expect("motion does not reach 4 GB")
    }
}

fn push_channel(
    animation: &mut gltf_json::Animation,
    node: Index<Node>,
    path: Property,
    input: Index<Accessor>,
    output: Index<Accessor>,
) {
    let sampler = Index::push(
        &mut animation.samplers,
        Sampler { extensions: None, extras: None, input, interpolation: Valid(Interpolation::Linear), output },
    );
    let target = Target { extensions: None, extras: None, node, path: Valid(path) };
    animation.channels.push(Channel { sampler, target, extensions: None, extras: None });
}

/// Little-endian bytes of rows of numbers.
fn floats<'a, const N: usize>(rows: impl Iterator<Item = &'a [f32; N]>) -> Vec<u8> {
    rows.flatten().flat_map(|value| value.to_le_bytes()).collect()
}
