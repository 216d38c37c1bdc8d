//! A file as ufbx's scene, within limits.

use crate::nodes::Signs;
use crate::warning::excerpt;
use crate::{ImportError, Warning};
use surefoot::glam::{Affine3A, DVec3, Mat3A, Quat, Vec3};
use surefoot::math::Rigid;
use ufbx::{AllocatorOpts, ErrorType, LoadOpts, SceneRoot};

/// Nodes that hang from one another deeper than this are no body.
const MAX_DEPTH: u32 = 512;
/// What any file may unfold to, bytes; and how many bytes more for each of its own (text and deflated arrays unfold).
const MEMORY: usize = 64 << 20;
const MEMORY_PER_BYTE: usize = 64;
/// Pieces of memory that any file may ask for.
const ALLOCATIONS: usize = 1 << 22;

/// The axis along which left-handed files are mirrored.
pub(super) const MIRROR: ufbx::MirrorAxis = ufbx::MirrorAxis::X;

/// Reads a scene in metres, Y up, right-handed. Nothing but these bytes is read, and no pictures.
pub(super) fn load(bytes: &[u8]) -> Result<SceneRoot, ImportError> {
    let allocator = || AllocatorOpts {
        memory_limit: MEMORY.saturating_add(bytes.len().saturating_mul(MEMORY_PER_BYTE)),
        allocation_limit: ALLOCATIONS,
        ..AllocatorOpts::default()
    };
    let options = LoadOpts {
        temp_allocator: allocator(),
        result_allocator: allocator(),
        ignore_embedded: true,
        load_external_files: false,
        file_format: ufbx::FileFormat::Fbx,
        node_depth_limit: MAX_DEPTH,
        // The change of unit and axes stands in the root node alone, so that it can be told from the file's own.
        space_conversion: ufbx::SpaceConversion::TransformRoot,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        handedness_conversion_axis: MIRROR,
        // Bones that do not take over their parent's scale (Maya) are scaled back; where the parent's is uneven or
        // changes, it goes to a helper node beside them.
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        ..LoadOpts::default()
    };
    ufbx::load_memory(bytes, options).map_err(|error| {
        let said = match error.info() {
            "" => error.description.to_string(),
            info => format!("{} ({})", error.description, excerpt(info)),
        };
        ImportError::new(match error.type_ {
            ErrorType::TruncatedFile => "the FBX file ends early".to_owned(),
            ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
                "the FBX file unfolds to more memory than its size allows".to_owned()
            }
            ErrorType::NodeDepthLimit => format!("the FBX file nests nodes deeper than {MAX_DEPTH}"),
            ErrorType::UnsupportedVersion => format!("this version of FBX is not read: {said}"),
            _ => format!("the FBX file cannot be read: {said}"),
        })
    })
}

/// What ufbx found odd, in its own words.
pub(super) fn oddities(scene: &ufbx::Scene) -> impl Iterator<Item = Warning> + '_ {
    scene
        .metadata
        .warnings
        .iter()
        .map(|odd| Warning::FbxOddity { what: excerpt(&odd.description), count: odd.count.max(1) })
}

/// How errors name a node: `node "Hips"`.
pub(super) fn label(node: &ufbx::Node) -> String {
    let owner = node.parent.as_deref().filter(|_| node.is_scale_helper);
    match owner.unwrap_or(node).element.name.as_ref() {
        "" if node.is_root => "the scene".into(),
        "" => format!("node {}", node.element.typed_id),
        name => format!("node {:?}", excerpt(name)),
    }
}

/// Three numbers of ufbx's.
pub(super) fn vector(v: ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

/// A transform of ufbx's, its scale apart and of one sign, mirrors being in the turn; `None` if it is not finite.
pub(super) fn transform(t: &ufbx::Transform) -> Option<(Rigid, Vec3)> {
    let q = t.rotation;
    let rotation: Quat = crate::nodes::unit([q.x as f32, q.y as f32, q.z as f32, q.w as f32])?;
    let (translation, scale) = (vector(t.translation).as_vec3(), vector(t.scale).as_vec3());
    let Signs { signs, turn } = Signs::of(scale);
    let rigid = Rigid { rotation: rotation * turn, translation: translation.into() };
    (translation.is_finite() && scale.is_finite()).then_some((rigid, scale * signs))
}

/// A matrix of ufbx's.
pub(super) fn affine(m: &ufbx::Matrix) -> Affine3A {
    let column = |x: f64, y: f64, z: f64| Vec3::new(x as f32, y as f32, z as f32);
    let axes = [column(m.m00, m.m10, m.m20), column(m.m01, m.m11, m.m21), column(m.m02, m.m12, m.m22)];
    Affine3A {
        matrix3: Mat3A::from_cols(axes[0].into(), axes[1].into(), axes[2].into()),
        translation: column(m.m03, m.m13, m.m23).into(),
    }
}
