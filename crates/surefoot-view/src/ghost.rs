//! Legs as they were before a change, to be drawn as lines beside the character.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use surefoot::glam::Vec3;
use surefoot::motion::Clip;
use surefoot::rig::{JointId, Rig};
use surefoot::stages::{FootTrack, Trajectories};

/// The legs of a clip, frame by frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Ghost {
    /// Frames a second.
    pub rate: f32,
    /// How many lines each frame has.
    pub lines: usize,
    /// Both ends of every line, frame by frame; metres, world space.
    pub ends: Vec<[Vec3; 2]>,
}

impl Ghost {
    /// The bones from the pelvis to each ankle, and from there to heel and ball and between the two.
    ///
    /// # Panics
    /// If the clip is of another rig.
    #[must_use]
    pub fn of(rig: &Rig, clip: &Clip) -> Self {
        let (skeleton, tracks) = (&rig.skeleton, FootTrack::of_all(rig, clip));
        let pelvis = skeleton.pelvis();
        let bones: Vec<Vec<[JointId; 2]>> = rig
            .legs
            .iter()
            .map(|leg| {
                let below = skeleton.ancestry(leg.ankle()).take_while(|joint| *joint != pelvis);
                below.filter_map(|joint| Some([joint, skeleton.parent(joint)?])).collect()
            })
            .collect();
        let paths = Trajectories::new(skeleton, clip);
        let mut ends = Vec::new();
        for frame in 0..clip.frames() {
            for (bones, track) in bones.iter().zip(&tracks) {
                ends.extend(bones.iter().map(|bone| bone.map(|joint| Vec3::from(paths.point(frame, joint)))));
                let ankle = track.ankles[frame].translation;
                let (heel, ball) = (track.heels[frame], track.balls[frame]);
                ends.extend([[ankle, heel], [ankle, ball], [heel, ball]].map(|line| line.map(Vec3::from)));
            }
        }
        let lines = bones.iter().map(|bones| bones.len() + 3).sum();
        Self { rate: clip.rate(), lines, ends }
    }
}

/// Packed for the page: numbers of 32 bits, the lowest byte first, as base64.
impl Serialize for Ghost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ends: Vec<u8> = self.ends.iter().flatten().flat_map(|p| p.to_array()).flat_map(f32::to_le_bytes).collect();
        let mut packed = serializer.serialize_struct("Ghost", 3)?;
        packed.serialize_field("rate", &self.rate)?;
        packed.serialize_field("lines", &self.lines)?;
        packed.serialize_field("ends", &STANDARD.encode(ends))?;
        packed.end()
    }
}
