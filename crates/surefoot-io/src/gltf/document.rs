//! The source document, kept whole for export: its JSON, its bytes, and how its nodes became joints.

use super::schema::{Schema, label};
use super::uri::{self, Content, Resolve};
use crate::{ImportError, Warning};
use serde_json::Value;
use std::fmt;
use surefoot::glam::{Quat, Vec3};
use surefoot::math::Rigid;
use surefoot::rig::JointId;
use surefoot::stages::SkeletonKey;

/// A glTF file as it was read, and what was made of it: what [`write_clips`](super::write_clips) puts clips back into.
#[derive(Clone)]
pub struct Document {
    /// All of the JSON, understood or not.
    pub(super) json: Value,
    /// The content of each buffer; `None` for one that has no data (a fallback of a compression).
    pub(super) buffers: Vec<Option<Vec<u8>>>,
    /// Images that were files beside this one: index and content.
    pub(super) images: Vec<(usize, Vec<u8>)>,
    pub(super) joints: Vec<JointNode>,
    pub(super) clips: Vec<SourceClip>,
    pub(super) skeleton: SkeletonKey,
    /// By joint, whether it hangs from another here, but from no joint in the file.
    pub(super) loose: Vec<bool>,
    /// From the file's axes to ours.
    pub(super) turn: Quat,
    /// Metres per unit of the file.
    pub(super) metres: f32,
}

/// The node that a joint was made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointNode {
    /// Its index in the file.
    pub node: usize,
    /// What stands above it in the file, for a root joint: takes the node's parent space, in metres, to model space.
    /// The identity for other joints.
    pub model_from_parent: Rigid,
    /// Metres per unit of the node's own translation: the file's unit times the scale of all nodes above, negative where those
    /// mirror.
    pub metres: f32,
    /// The node's own turn and move as they stand in the file, in its units.
    pub own: Rigid,
    /// What the file's own turn is turned by first, to take mirrors out of the node's scale; the identity if it has none.
    pub turned: Quat,
    /// The node's own scale, the same along all axes; negative where it mirrors.
    pub scale: f32,
    /// 1 or -1 by axis: times the scale it is the file's own.
    pub signs: Vec3,
}

/// The animation that a clip was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceClip {
    /// The clip's name, unique among the clips of the file.
    pub name: String,
    /// The animation's index in the file.
    pub animation: usize,
    /// The time of its first key in the file, which is the clip's frame 0. Seconds.
    pub start: f32,
}

impl JointNode {
    /// `parent_from_joint` (metres, our axes) as the node's own transform: the file's units and axes.
    #[must_use]
    pub fn to_file(&self, local: Rigid) -> Rigid {
        let in_parent = self.model_from_parent.inverse() * local;
        let rotation = (in_parent.rotation * self.turned.inverse()).normalize();
        Rigid { translation: in_parent.translation / self.metres, rotation }
    }

    /// A transform of the node (the file's units and axes) as `parent_from_joint`: metres, our axes.
    #[must_use]
    pub fn from_file(&self, own: Rigid) -> Rigid {
        self.model_from_parent
            * Rigid { translation: own.translation * self.metres, rotation: own.rotation * self.turned }
    }
}

impl Document {
    /// The whole JSON of the file.
    #[must_use]
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// The node that a joint was made of.
    ///
    /// # Panics
    /// If there is no such joint.
    #[must_use]
    pub fn joint(&self, joint: JointId) -> &JointNode {
        &self.joints[joint.index()]
    }

    /// Takes its joints in another order (each with what it was before), of which some hang from others now.
    pub(crate) fn put_together(&mut self, order: &[usize], loose: Vec<bool>, skeleton: SkeletonKey) {
        self.joints = order.iter().map(|joint| self.joints[*joint]).collect();
        self.loose = loose;
        self.skeleton = skeleton;
    }

    /// Whether a joint hangs from another here, but from no joint in the file.
    pub(super) fn is_loose(&self, joint: JointId) -> bool {
        self.loose.get(joint.index()).copied().unwrap_or(false)
    }

    /// How the file's scene becomes ours: a scale (metres per unit), then a turn.
    #[must_use]
    pub fn model_from_scene(&self) -> (f32, Quat) {
        (self.metres, self.turn)
    }

    /// The animations that the import's clips were made of, in the order of the clips; none for a file that moves nothing.
    #[must_use]
    pub fn clips(&self) -> &[SourceClip] {
        &self.clips
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: usize = self.buffers.iter().flatten().map(Vec::len).sum();
        write!(f, "Document({} joints, {} clips, {bytes} bytes)", self.joints.len(), self.clips.len())
    }
}

/// The content of all buffers: the binary chunk, data URIs, files beside this one.
pub(super) fn buffers(
    schema: &Schema,
    bin: Option<&[u8]>,
    resolve: Resolve<'_>,
) -> Result<Vec<Option<Vec<u8>>>, ImportError> {
    let mut buffers = Vec::with_capacity(schema.buffers.len());
    for (index, buffer) in schema.buffers.iter().enumerate() {
        let fail = |what: String| ImportError::new(format!("{}: {what}", label("buffer", index, None)));
        let bytes = match &buffer.uri {
            None if index == 0 => bin.map(<[u8]>::to_vec),
            None => None,
            Some(uri) => Some(match uri::content(uri).map_err(|error| fail(error.what))? {
                Content::Inline(bytes) => bytes,
                Content::Beside(path) => {
                    resolve(&path).map_err(|error| fail(format!("{:?}: {error}", crate::warning::excerpt(&path))))?
                }
            }),
        };
        if let Some(bytes) = &bytes
            && (bytes.len() as u64) < buffer.byte_length
        {
            let there = bytes.len();
            return Err(fail(format!("it announces {} bytes and has {there}", buffer.byte_length)));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

/// The content of images that are files beside this one. One that is not there is missed on export only.
pub(super) fn images(
    schema: &Schema,
    resolve: Resolve<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<(usize, Vec<u8>)>, ImportError> {
    let mut images = Vec::new();
    for (index, image) in schema.images.iter().enumerate() {
        let Some(uri) = image.uri.as_deref().filter(|uri| !uri.starts_with("data:")) else { continue };
        let content = uri::content(uri).map_err(|e| ImportError::new(format!("image {index}: {}", e.what)))?;
        let Content::Beside(path) = content else { continue };
        match resolve(&path) {
            Ok(bytes) => images.push((index, bytes)),
            Err(error) => warnings.push(Warning::ImageMissing {
                image: index,
                why: format!("{}: {error}", crate::warning::excerpt(&path)),
            }),
        }
    }
    Ok(images)
}
