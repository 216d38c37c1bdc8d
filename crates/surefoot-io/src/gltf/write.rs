//! Clips back into the user's own document: its animations are replaced, everything else stays as it was.

use super::compact;
use super::container;
use super::document::{Document, JointNode};
use super::schema::{COURSE, MARK, STANDING};
use super::told;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use surefoot::math::{FloorPose, Rigid, floor, quat};
use surefoot::motion::{Clip, Stance, StanceFrames};
use surefoot::rig::{JointId, Leg, Rig, Skeleton};

/// A joint that moves or turns by less than this from its place in the file needs no keys. Metres, radians.
const STILL: f32 = 1e-6;

/// Which joint carries a character's travel in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootMotion {
    /// Joints move as the clip has them; the travel of its root goes to the root joints.
    #[default]
    Kept,
    /// The root joint goes along the floor below the pelvis, as game engines want it; the pelvis sways above it.
    Root,
    /// The root joint and all joints down to the pelvis rest; the pelvis carries everything.
    Hips,
}

/// How clips are put into a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteSettings {
    /// Keep the document's own animations after the new ones; those that a new clip has the name of are replaced.
    pub keep_clips: bool,
    /// Which joint carries the travel.
    pub root_motion: RootMotion,
}

/// A clip to be written, with what engines want to know about it.
#[derive(Clone, Debug)]
pub struct NewClip<'a> {
    /// The motion. Cyclic ones are closed with their first frame.
    pub clip: &'a Clip,
    /// What happens when, such as foot strikes and lifts: seconds from the clip's start, and a name.
    pub events: Vec<(f32, String)>,
    /// Whether it is meant to be played in a loop.
    pub looped: bool,
    /// The rig that it was made with, which the file then tells whoever reads it again; the skeleton's own
    /// [known legs](Skeleton::known_legs) if `None`.
    pub rig: Option<&'a Rig>,
    /// When each foot of the rig stands, by leg, which the file then tells, too.
    pub standing: Option<Vec<Vec<StanceFrames>>>,
}

impl<'a> NewClip<'a> {
    /// A clip without events, looped if it is cyclic.
    #[must_use]
    pub fn of(clip: &'a Clip) -> Self {
        Self { clip, events: Vec::new(), looped: clip.cycle().is_some(), rig: None, standing: None }
    }

    /// A walk without events that tells the rig it was made with and when its feet stand.
    #[must_use]
    pub fn of_walk(clip: &'a Clip, rig: &'a Rig, stances: &[Stance]) -> Self {
        let mut standing = vec![Vec::new(); rig.legs.len()];
        let mut stances: Vec<&Stance> = stances.iter().collect();
        stances.sort_by(|a, b| a.time.start.total_cmp(&b.time.start));
        for stance in stances {
            let times = stance.frames(clip);
            // A stance between two frames shows in none.
            if !times.whole.is_empty() {
                standing[stance.leg().index()].push(times);
            }
        }
        Self { rig: Some(rig), standing: Some(standing), ..Self::of(clip) }
    }

    /// The legs that a file of such clips tells: those of the first that has any.
    pub(crate) fn legs<'b>(clips: &'b [NewClip<'_>], skeleton: &'b Skeleton) -> &'b [Leg] {
        clips.iter().find_map(|new| new.rig).map_or(skeleton.known_legs(), |rig| &rig.legs)
    }

    /// What goes into the animation's `extras`, after what is there already.
    pub(crate) fn extras(&self, mut own: Map<String, Value>) -> Map<String, Value> {
        own.insert("loop".into(), self.looped.into());
        own.remove(MARK);
        if !self.events.is_empty() {
            let events = self.events.iter().map(|(time, name)| json!({ "time": time, "name": name }));
            own.insert("events".into(), events.collect());
        }
        let mut told = Map::new();
        if let Some(course) = self.clip.course() {
            let course: Vec<[f32; 2]> = course.iter().map(|velocity| velocity.to_array()).collect();
            told.insert(COURSE.into(), json!(course));
        }
        if let Some(standing) = self.standing.as_deref().filter(|_| self.rig.is_some()) {
            told.insert(STANDING.into(), told::standing(standing));
        }
        if !told.is_empty() {
            own.insert(MARK.into(), Value::Object(told));
        }
        own
    }
}

/// Why a document could not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A GLB file counts its bytes with 32 bits.
    #[error("the file would be larger than the 4 GB that a GLB file can have")]
    TooLarge,
    /// The document's first buffer is a place-holder without data, and an extension is in use that may need it so.
    #[error("the file's first buffer has no data")]
    NoData,
}

/// Writes clips into the document they came from, as a GLB file that needs no other: in the document's own unit and
/// axes, the scale of nodes above undone. Its meshes, skins, materials, images and all it holds that is not understood
/// stay as they were; bytes that only replaced animations used are dropped where that is safe.
///
/// Events and the loop flag go into the animation's `extras`: `{"loop": true, "events": [{"time": 0.4, "name": …}]}`.
/// An animation of the same name that is replaced leaves its other `extras` to the new one. Legs, unit and axes go into the
/// document's `extras`, so that they need not be found again.
///
/// # Errors
/// If the file would be too large, or the file's first buffer has no data and cannot be done without.
///
/// # Panics
/// If the skeleton is not the one that was imported with the document, or a clip was made for another.
pub fn write_clips(
    document: &Document,
    skeleton: &Skeleton,
    clips: &[NewClip<'_>],
    settings: &WriteSettings,
) -> Result<Vec<u8>, WriteError> {
    assert_eq!(skeleton.key(), document.skeleton, "the skeleton is not the document's");
    let mut json = document.json.clone();
    if let Some(told) = told::entry(skeleton, NewClip::legs(clips, skeleton), Some(document)) {
        told::put(&mut json, told);
    }

    // Take out the old animations, and with them the bytes that nothing else uses.
    let old = std::mem::take(list(&mut json, "animations"));
    let named =
        |index: usize| document.clips.iter().find(|clip| clip.animation == index).map(|clip| clip.name.as_str());
    let is_new = |index: usize| named(index).is_some_and(|name| clips.iter().any(|new| new.clip.name() == name));
    let keep = |index: usize| settings.keep_clips && !is_new(index);
    let mut removed = BTreeSet::new();
    let mut extras: Vec<(String, Value)> = Vec::new();
    for (index, mut animation) in old.into_iter().enumerate() {
        if keep(index) {
            list(&mut json, "animations").push(animation);
            continue;
        }
        for sampler in list(&mut animation, "samplers") {
            removed.extend(["input", "output"].iter().filter_map(|key| sampler.get(key)?.as_u64()));
        }
        if let (Some(name), Some(own)) = (named(index), animation.get_mut("extras")) {
            extras.push((name.to_owned(), own.take()));
        }
    }
    let bin = compact::pack(&mut json, &document.buffers, &removed)?;

    // Put in the new ones, before those that were kept.
    let mut writer = Writer { json, bin };
    writer.embed(&document.images);
    let mut animations = Vec::with_capacity(clips.len());
    for new in clips {
        let own = extras.iter().find(|(name, _)| name == new.clip.name()).map(|(_, extras)| extras);
        animations.push(writer.animation(document, skeleton, new, settings.root_motion, own));
    }
    animations.append(list(&mut writer.json, "animations"));
    *list(&mut writer.json, "animations") = animations;
    writer.finish()
}

/// A member of an object as a list; an empty one is made where there is none.
pub(super) fn list<'a>(json: &'a mut Value, key: &str) -> &'a mut Vec<Value> {
    if !json.get(key).is_some_and(Value::is_array) {
        json[key] = Value::Array(Vec::new());
    }
    json[key].as_array_mut().expect("made one")
}

/// The document and its one buffer, both growing.
struct Writer {
    json: Value,
    bin: Vec<u8>,
}

impl Writer {
    fn animation(
        &mut self,
        document: &Document,
        skeleton: &Skeleton,
        new: &NewClip<'_>,
        root_motion: RootMotion,
        extras: Option<&Value>,
    ) -> Value {
        let clip = new.clip;
        assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let joints = skeleton.len();
        let locals = locals(document, skeleton, clip, root_motion);
        let keys = locals.len() / joints;
        let times: Vec<f32> = (0..keys).map(|key| (key as f64 / f64::from(clip.rate())) as f32).collect();
        let mut tracks = Tracks { times: self.times(&times), ends: None, channels: Vec::new(), samplers: Vec::new() };
        for joint in skeleton.joints() {
            let node = document.joint(joint);
            let mut track: Vec<Rigid> =
                locals.iter().skip(joint.index()).step_by(joints).map(|l| node.to_file(*l)).collect();
            for i in 1..track.len() {
                track[i].rotation = quat::nearest_sign(track[i - 1].rotation, track[i].rotation);
            }
            self.track(node, &track, &times, &mut tracks);
        }
        // A clip in which nothing leaves its place still is an animation of its length.
        if tracks.channels.is_empty() {
            let node = document.joint(JointId(0));
            let rotation = node.own.rotation.to_array();
            let output = self.accessor(&vec![rotation; keys]);
            self.channel(node, "rotation", tracks.times, output, &mut tracks);
        }

        let own = extras.and_then(Value::as_object).cloned().unwrap_or_default();
        json!({
            "name": clip.name(),
            "channels": tracks.channels,
            "samplers": tracks.samplers,
            "extras": new.extras(own),
        })
    }

    /// One joint's keys: turn and move, each only where it leaves the node's own place; two keys where it is constant.
    fn track(&mut self, node: &JointNode, track: &[Rigid], times: &[f32], tracks: &mut Tracks) {
        let turned = |a: &Rigid, b: &Rigid| quat::angle_between(a.rotation, b.rotation) > STILL;
        let moved = |a: &Rigid, b: &Rigid| (a.translation - b.translation).length() * node.metres.abs() > STILL;
        let ends = [track[0], track[track.len() - 1]];
        type Differs<'a> = &'a dyn Fn(&Rigid, &Rigid) -> bool;
        for (path, differs) in [("rotation", &turned as Differs<'_>), ("translation", &moved)] {
            if !track.iter().any(|key| differs(key, &node.own)) {
                continue;
            }
            let constant = track.len() > 2 && !track.iter().any(|key| differs(key, &track[0]));
            let rows = if constant { &ends[..] } else { track };
            let output = match path {
                "rotation" => self.accessor(&rows.iter().map(|key| key.rotation.to_array()).collect::<Vec<_>>()),
                _ => self.accessor(&rows.iter().map(|key| key.translation.to_array()).collect::<Vec<_>>()),
            };
            let input = match (constant, tracks.ends) {
                (false, _) => tracks.times,
                (true, Some(ends)) => ends,
                (true, None) => *tracks.ends.insert(self.times(&[times[0], times[times.len() - 1]])),
            };
            self.channel(node, path, input, output, tracks);
        }
    }

    fn channel(&mut self, node: &JointNode, path: &str, input: usize, output: usize, tracks: &mut Tracks) {
        let sampler = tracks.samplers.len();
        tracks.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        tracks.channels.push(json!({ "sampler": sampler, "target": { "node": node.node, "path": path } }));
        // A node that is animated must not have a matrix.
        if let Some(object) = self.json["nodes"][node.node].as_object_mut()
            && object.remove("matrix").is_some()
        {
            object.insert("translation".into(), json!(node.own.translation.to_array()));
            object.insert("rotation".into(), json!(node.own.rotation.to_array()));
            object.insert("scale".into(), json!((node.scale * node.signs).to_array()));
        }
    }

    fn times(&mut self, times: &[f32]) -> usize {
        let index = self.accessor(&times.iter().map(|time| [*time]).collect::<Vec<_>>());
        let accessor = &mut list(&mut self.json, "accessors")[index];
        accessor["min"] = json!([times[0]]);
        accessor["max"] = json!([times[times.len() - 1]]);
        index
    }

    /// Rows of numbers under a view and an accessor of their own.
    fn accessor<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        let bytes: Vec<u8> = rows.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let accessors = list(&mut self.json, "accessors");
        accessors.push(json!({ "bufferView": view, "componentType": 5126, "count": rows.len(), "type": kind }));
        accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let views = list(&mut self.json, "bufferViews");
        views.push(json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() }));
        self.bin.extend(bytes);
        views.len() - 1
    }

    /// Takes images that were files of their own into the buffer.
    fn embed(&mut self, images: &[(usize, Vec<u8>)]) {
        for (index, bytes) in images {
            let Some(kind) = image_type(bytes) else { continue };
            let view = self.view(bytes);
            if let Some(image) = self.json["images"][*index].as_object_mut() {
                image.remove("uri");
                image.insert("bufferView".into(), view.into());
                image.insert("mimeType".into(), kind.into());
            }
        }
    }

    fn finish(mut self) -> Result<Vec<u8>, WriteError> {
        list(&mut self.json, "buffers")[0]["byteLength"] = self.bin.len().into();
        let members = self.json.as_object_mut().expect("checked when read");
        // Lists must not be empty, and a buffer must hold something.
        for key in ["animations", "accessors", "bufferViews"] {
            if members.get(key).and_then(Value::as_array).is_some_and(Vec::is_empty) {
                members.remove(key);
            }
        }
        if self.bin.is_empty() && members.get("buffers").and_then(Value::as_array).is_some_and(|b| b.len() == 1) {
            members.remove("buffers");
        }
        let text = serde_json::to_vec(&self.json).expect("it was JSON before");
        container::join(text, self.bin).ok_or(WriteError::TooLarge)
    }
}

/// The channels of one animation, and the accessors of its times: all keys, and the first and the last alone.
struct Tracks {
    times: usize,
    ends: Option<usize>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
}

/// What kind of image bytes are, by their first ones.
fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0xab, b'K', b'T', b'X', b' ', b'2', b'0', ..] => Some("image/ktx2"),
        _ => None,
    }
}

/// `parent_from_joint` of every key, frame after frame, with the clip's travel where it is wanted.
fn locals(document: &Document, skeleton: &Skeleton, clip: &Clip, root_motion: RootMotion) -> Vec<Rigid> {
    // A cyclic clip closes with its first frame, one cycle on.
    let keys = clip.frames() + usize::from(clip.cycle().is_some());
    let root = |key: usize| match clip.cycle() {
        Some(cycle) if key == clip.frames() => clip.roots()[0] * cycle,
        _ => clip.roots()[key],
    };
    let mut locals: Vec<Rigid> = (0..keys).flat_map(|key| clip.frame(key % clip.frames()).iter().copied()).collect();
    for key in 0..keys {
        for joint in skeleton.roots() {
            let local = &mut locals[key * skeleton.len() + joint.index()];
            *local = root(key) * *local;
        }
    }
    // The joints above the pelvis, the root last.
    let above: Vec<JointId> = skeleton.ancestry(skeleton.pelvis()).skip(1).collect();
    let (Some(top), false) = (above.last().copied(), root_motion == RootMotion::Kept) else {
        return as_in_file(document, skeleton, locals);
    };

    // Where these joints stand in the file, and the floor below the pelvis then.
    let standing = |joint: JointId| {
        let own = |j: JointId| document.joint(j).from_file(document.joint(j).own);
        let in_file = skeleton.ancestry(joint).scan(false, |ended, j| {
            let before = std::mem::replace(ended, document.is_loose(j));
            (!before).then_some(j)
        });
        in_file.fold(Rigid::IDENTITY, |below, j| own(j) * below)
    };
    let pelvis = standing(skeleton.pelvis());
    let below = FloorPose::new(floor::of_point(pelvis.translation), 0.0).to_rigid();
    let mut heading = 0.0;
    let mut world = vec![Rigid::IDENTITY; skeleton.len()];
    for frame in locals.chunks_exact_mut(skeleton.len()) {
        for joint in skeleton.joints() {
            let parent = skeleton.parent(joint).map_or(Rigid::IDENTITY, |parent| world[parent.index()]);
            world[joint.index()] = parent * frame[joint.index()];
        }
        match root_motion {
            RootMotion::Kept => {}
            RootMotion::Root => {
                let body = world[skeleton.pelvis().index()];
                heading = quat::heading(body.rotation * pelvis.rotation.conjugate()).unwrap_or(heading);
                let walked = FloorPose::new(floor::of_point(body.translation), heading).to_rigid();
                world[top.index()] = walked * below.inverse() * standing(top);
            }
            RootMotion::Hips => above.iter().for_each(|joint| world[joint.index()] = standing(*joint)),
        }
        for joint in skeleton.joints() {
            let parent = skeleton.parent(joint).map_or(Rigid::IDENTITY, |parent| world[parent.index()]);
            let local = parent.inverse() * world[joint.index()];
            frame[joint.index()] = Rigid { rotation: local.rotation.normalize(), ..local };
        }
    }
    as_in_file(document, skeleton, locals)
}

/// The same frames where joints that hang from none in the file are told in model space.
fn as_in_file(document: &Document, skeleton: &Skeleton, mut locals: Vec<Rigid>) -> Vec<Rigid> {
    if !skeleton.joints().any(|joint| document.is_loose(joint)) {
        return locals;
    }
    let mut world = vec![Rigid::IDENTITY; skeleton.len()];
    for frame in locals.chunks_exact_mut(skeleton.len()) {
        for joint in skeleton.joints() {
            let parent = skeleton.parent(joint).map_or(Rigid::IDENTITY, |parent| world[parent.index()]);
            world[joint.index()] = parent * frame[joint.index()];
        }
        for joint in skeleton.joints().filter(|joint| document.is_loose(*joint)) {
            let own = world[joint.index()];
            frame[joint.index()] = Rigid { rotation: own.rotation.normalize(), ..own };
        }
    }
    locals
}
