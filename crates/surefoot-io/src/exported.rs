//! What readers get back of a file that is about to be written, as frames of the motion that it was made from.

use crate::gltf::{self, Document};
use crate::{Axis, Import, ImportError, ImportSettings, Unit, bvh};
use surefoot::math::Rigid;
use surefoot::motion::Clip;
use surefoot::rig::{JointId, ModelPose, Pose, Skeleton};

/// How a file was written.
#[derive(Clone, Copy, Debug)]
pub enum WrittenAs<'a> {
    /// BVH in this unit.
    Bvh(Unit),
    /// GLB by itself.
    Glb,
    /// GLB in the document of a character.
    GlbIn(&'a Document),
}

/// A clip as it was handed to a writer, and as a reader gives it back: with what a format rounds, resamples or leaves out.
#[derive(Clone, Debug)]
pub struct Exported {
    written: Clip,
    read: Clip,
}

impl Exported {
    /// Reads the bytes of a file in which `written` is the first clip.
    ///
    /// # Errors
    /// If they cannot be read, or have not all of the skeleton's joints.
    pub fn read(bytes: &[u8], skeleton: &Skeleton, written: Clip, how: WrittenAs<'_>) -> Result<Self, ImportError> {
        let import = match how {
            WrittenAs::Bvh(unit) => {
                let known = ImportSettings { up: Some(Axis::Y), forward: Some(Axis::Z), ..ImportSettings::default() };
                bvh::read(bytes, written.name(), &ImportSettings { unit: Some(unit), ..known })
            }
            WrittenAs::Glb | WrittenAs::GlbIn(_) => {
                let beside = |_: &str| Err(std::io::Error::from(std::io::ErrorKind::NotFound));
                gltf::read(bytes, written.name(), &beside, &ImportSettings::default())
            }
        }?;
        // A reader finds out unit and axes by itself, which is not asked here.
        let (metres, turn) = match how {
            WrittenAs::Bvh(_) => (1.0, Rigid::IDENTITY),
            WrittenAs::Glb => since(&import, 1.0, Rigid::IDENTITY),
            WrittenAs::GlbIn(document) => {
                let (metres, rotation) = document.model_from_scene();
                since(&import, metres, Rigid { rotation, ..Rigid::IDENTITY })
            }
        };
        let missing = |joint: JointId| ImportError::new(format!("it has no joint {:?}", skeleton.name(joint)));
        let joint_of = |joint: JointId| import.skeleton.find(skeleton.name(joint)).ok_or_else(|| missing(joint));
        let joints: Vec<JointId> = skeleton.joints().map(joint_of).collect::<Result<_, _>>()?;
        let theirs = import.clips.first().ok_or_else(|| ImportError::new("it has no clip"))?;

        let mut read = written.clone();
        let (mut pose, mut model) = (Pose::rest(&import.skeleton), ModelPose::new(&import.skeleton));
        let mut world = vec![Rigid::IDENTITY; skeleton.len()];
        for f in 0..written.frames() {
            theirs.sample(f as f32 / written.rate(), &mut pose);
            pose.to_model(&import.skeleton, &mut model);
            for (here, joint) in world.iter_mut().zip(&joints) {
                let there = turn * (pose.root * model[*joint]);
                *here = Rigid { translation: there.translation * metres, ..there };
            }
            put(skeleton, &world, &mut read, f);
        }
        Ok(Self { written, read })
    }

    /// Another clip of the same motion, such as several rounds of it on their way, with every frame as it was read: `frame_of`
    /// says which of the written clip's frames it shows.
    ///
    /// # Panics
    /// If it was made for another skeleton, or there is no such frame.
    #[must_use]
    pub fn shown_in(&self, skeleton: &Skeleton, clip: &Clip, frame_of: impl Fn(usize) -> usize) -> Clip {
        self.instead_of(&self.written, skeleton, clip, frame_of)
    }

    /// As [`shown_in`](Self::shown_in), in a clip of the motion that the written one was made from: `source` is that motion,
    /// frame by frame as the written clip has it.
    ///
    /// # Panics
    /// Likewise.
    #[must_use]
    pub fn instead_of(
        &self,
        source: &Clip,
        skeleton: &Skeleton,
        clip: &Clip,
        frame_of: impl Fn(usize) -> usize,
    ) -> Clip {
        let mut out = clip.clone();
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
        let mut world = vec![Rigid::IDENTITY; skeleton.len()];
        for f in 0..clip.frames() {
            let from = frame_of(f);
            let offset = clip.body(skeleton, f) * source.body(skeleton, from).inverse();
            pose.locals.copy_from_slice(self.read.frame(from));
            pose.to_model(skeleton, &mut model);
            let root = offset * self.read.roots()[from];
            skeleton.joints().for_each(|joint| world[joint.index()] = root * model[joint]);
            put(skeleton, &world, &mut out, f);
        }
        out
    }
}

/// From a reader's unit and axes to those of what was written: a scale and a turn.
fn since(import: &Import, metres: f32, turn: Rigid) -> (f32, Rigid) {
    let (unit, axes) = import.document.as_ref().map_or((1.0, turn.rotation), Document::model_from_scene);
    (metres / unit, turn * Rigid { rotation: axes, ..Rigid::IDENTITY }.inverse())
}

/// Puts joints where they are in the world into a frame of a clip, whose root stays.
fn put(skeleton: &Skeleton, world: &[Rigid], clip: &mut Clip, frame: usize) {
    let root = clip.roots()[frame];
    let locals = clip.frame_mut(frame);
    for joint in skeleton.joints() {
        let parent = skeleton.parent(joint).map_or(root, |parent| world[parent.index()]);
        let local = parent.inverse() * world[joint.index()];
        locals[joint.index()] = Rigid { rotation: local.rotation.normalize(), ..local };
    }
}
