//! What a body's reader looks at in a glTF file's JSON; everything else is kept but not understood.

use super::meshopt::{self, Packed};
use crate::ImportError;
use crate::warning::excerpt;
use serde::Deserialize;
use serde_json::Value;
use surefoot::glam::Vec2;
use surefoot::motion::StanceFrames;

/// The parts of a file, each list by index.
pub(super) struct Schema {
    pub(super) nodes: Vec<Node>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) skins: Vec<Skin>,
    pub(super) animations: Vec<Animation>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) views: Vec<View>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) images: Vec<Image>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) matrix: Option<[f32; 16]>,
    pub(super) translation: Option<[f32; 3]>,
    pub(super) rotation: Option<[f32; 4]>,
    pub(super) scale: Option<[f32; 3]>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    #[serde(default)]
    pub(super) extras: Value,
}

#[derive(Deserialize)]
pub(super) struct Mesh {
    pub(super) primitives: Vec<Primitive>,
    #[serde(default)]
    extras: Value,
}

/// What our own writer puts into the `extras` of a mesh that only draws bones, under [`MARK`].
pub(crate) const DRAWN_BONES: &str = "bones";
/// The key of what we put into `extras`.
pub(crate) const MARK: &str = "surefoot";

impl Mesh {
    /// Whether it only draws bones: no skin, and nothing that stands on the ground.
    pub(super) fn draws_bones(&self) -> bool {
        self.extras.get(MARK).is_some_and(|mark| mark == DRAWN_BONES)
    }
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: std::collections::BTreeMap<String, usize>,
    pub(super) indices: Option<usize>,
    #[serde(default)]
    extensions: std::collections::BTreeMap<String, serde::de::IgnoredAny>,
    pub(super) mode: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) joints: Vec<usize>,
    pub(super) inverse_bind_matrices: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
    #[serde(default)]
    extras: Value,
}

impl Animation {
    /// The velocities over the ground that our own writer says a walk on the spot keeps to (see `NewClip::extras`), for a clip
    /// of so many frames: a cycle's closing frame has none of its own.
    pub(super) fn course(&self, frames: usize) -> Option<Vec<Vec2>> {
        let list = self.extras.get(MARK)?.get(COURSE)?.as_array()?;
        let number = |value: &Value| value.as_f64().map(|number| number as f32);
        let pair = |value: &Value| Some(Vec2::new(number(value.get(0)?)?, number(value.get(1)?)?));
        let mut course: Vec<Vec2> = list.iter().map(pair).collect::<Option<_>>()?;
        let first = *course.first()?;
        if course.len() + 1 == frames {
            course.push(first);
        }
        (course.len() == frames && course.iter().all(|v| v.length() < FASTEST)).then_some(course)
    }
}

impl Animation {
    /// When each foot stands, as our own writer says, for a body of so many legs.
    pub(super) fn standing(&self, legs: usize) -> Option<Vec<Vec<StanceFrames>>> {
        let standing = super::told::read_standing(self.extras.get(MARK)?.get(STANDING)?)?;
        (standing.len() == legs).then_some(standing)
    }
}

/// The key of when feet stand, under [`MARK`].
pub(crate) const STANDING: &str = "standing";
/// The key of a walk's course, under [`MARK`].
pub(crate) const COURSE: &str = "course";
/// Faster than this nothing walks, m/s.
const FASTEST: f32 = 1e3;

#[derive(Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: Target,
}

#[derive(Deserialize)]
pub(super) struct Target {
    /// Absent where an extension names the target.
    pub(super) node: Option<usize>,
    pub(super) path: String,
}

#[derive(Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) name: Option<String>,
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) count: u64,
    pub(super) component_type: u32,
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) sparse: Option<Sparse>,
}

#[derive(Deserialize)]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    pub(super) byte_stride: Option<u64>,
    #[serde(default)]
    extensions: ViewExtensions,
}

#[derive(Default, Deserialize)]
struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    meshopt: Option<Packed>,
}

impl View {
    /// How it is packed, if it is.
    pub(super) fn packed(&self) -> Option<Packed> {
        self.extensions.meshopt.clone()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: u64,
}

#[derive(Deserialize)]
pub(super) struct Image {
    pub(super) uri: Option<String>,
}

/// Extensions that a file may require: they change nothing about bodies, or what they change is read.
const KNOWN: [&str; 5] =
    [meshopt::NAME, "KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual", "KHR_materials_variants"];

/// The extension that compresses meshes; a skeleton and its motion can be read without it.
pub(super) const COMPRESSED: &str = "KHR_draco_mesh_compression";

impl Primitive {
    /// Whether its numbers are compressed in a way that is not read.
    pub(super) fn is_compressed(&self) -> bool {
        self.extensions.contains_key(COMPRESSED)
    }
}

impl Schema {
    /// From the whole JSON, refusing what is no glTF 2 or needs an extension that is not known. Compressed meshes are let in
    /// for a body whose skeleton can do without them.
    pub(super) fn new(json: &Value, body: bool) -> Result<Self, ImportError> {
        let version = json.pointer("/asset/version").and_then(Value::as_str);
        match version {
            Some(version) if version.starts_with("2.") => {}
            Some(version) => {
                let version = excerpt(version);
                return Err(ImportError::new(format!("glTF version {version:?}; only version 2 is read")));
            }
            None => return Err(ImportError::new("this JSON is not glTF: it has no asset.version")),
        }
        let required: Vec<String> = list(json, "extensionsRequired", "required extension")?;
        let has = |key: &str| json.get(key).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
        let boned = body && (has("skins") || has("animations"));
        let known = |name: &String| {
            KNOWN.contains(&name.as_str()) || name.starts_with("KHR_materials_") || (boned && name == COMPRESSED)
        };
        if let Some(lacking) = required.iter().find(|name| !known(name)) {
            let lacking = excerpt(lacking);
            return Err(ImportError::new(format!(
                "the file requires the extension {lacking}, which is not read; save it without (no compression)"
            )));
        }
        Ok(Self {
            nodes: list(json, "nodes", "node")?,
            meshes: list(json, "meshes", "mesh")?,
            skins: list(json, "skins", "skin")?,
            animations: list(json, "animations", "animation")?,
            accessors: list(json, "accessors", "accessor")?,
            views: list(json, "bufferViews", "buffer view")?,
            buffers: list(json, "buffers", "buffer")?,
            images: list(json, "images", "image")?,
        })
    }
}

/// One of the file's lists; an error names its member.
fn list<T: for<'a> Deserialize<'a>>(json: &Value, key: &str, one: &str) -> Result<Vec<T>, ImportError> {
    let Some(value) = json.get(key) else { return Ok(Vec::new()) };
    let Some(members) = value.as_array() else { return Err(ImportError::new(format!("{key} is not a list"))) };
    let read = |(index, member): (usize, &Value)| {
        let name = member.get("name").and_then(Value::as_str);
        let failed = |error| ImportError::new(format!("{}: {}", label(one, index, name), excerpt(&format!("{error}"))));
        T::deserialize(member).map_err(|error: serde_json::Error| failed(error))
    };
    members.iter().enumerate().map(read).collect()
}

/// How errors name a part: `node 3 ("Hips")`.
pub(super) fn label(kind: &str, index: usize, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{kind} {index} ({:?})", excerpt(name)),
        _ => format!("{kind} {index}"),
    }
}

impl Schema {
    pub(super) fn node_label(&self, node: usize) -> String {
        label("node", node, self.nodes.get(node).and_then(|n| n.name.as_deref()))
    }

    pub(super) fn animation_label(&self, animation: usize) -> String {
        label("animation", animation, self.animations.get(animation).and_then(|a| a.name.as_deref()))
    }
}
