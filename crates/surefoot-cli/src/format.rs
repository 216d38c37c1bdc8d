//! What results are written as: BVH, plain bones, or the user's own character with its mesh.

use crate::failure::Failure;
use crate::output::ending;
use std::path::Path;
use surefoot::analyse::Studied;
use surefoot::glam::Vec2;
use surefoot::motion::{Clip, Take};
use surefoot::rig::{Rig, Skeleton, Skin};
use surefoot_io::bvh::{self, BvhWriter};
use surefoot_io::exported::{Exported, WrittenAs};
use surefoot_io::gltf::{self, Document, NewClip, WriteSettings};
use surefoot_io::{ImportError, ImportSettings, Unit, glb};
use surefoot_view::standing::{events, standing};

/// How a result is written.
#[derive(clap::Args)]
#[command(next_help_heading = "How the result is written")]
pub(crate) struct Format {
    /// Which joint carries the character's travel
    #[arg(long, value_name = "WHERE", default_value = "kept")]
    root_motion: RootMotion,
    /// Write simple bones instead of the character's own mesh (GLB)
    #[arg(long)]
    bones: bool,
    /// Keep the character's other clips after the new one (GLB)
    #[arg(long)]
    keep_clips: bool,
    /// Unit of length of a BVH result
    #[arg(long, value_name = "UNIT", default_value = "m")]
    out_unit: Unit,
    /// Digits after the decimal point in a BVH result
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(0..=9))]
    decimals: u8,
    /// Put the rest pose before the motion of a BVH result, as the CMU database does
    #[arg(long, value_name = "WHEN", default_value = "kept", num_args = 0..=1, default_missing_value = "yes", require_equals = true)]
    write_rest_row: WriteRestRow,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum WriteRestRow {
    /// If the file that was read has one, and readers can tell it from motion again
    Kept,
    Yes,
    No,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum RootMotion {
    /// The joint that carries it in the file; a walk on the spot stays on the spot
    Kept,
    /// The root, which moves along the floor below the hips, as game engines expect; a walk on the spot moves at the speed of its feet
    Root,
    /// The hips; joints above them stay at rest
    Hips,
    /// None: the character walks on the spot
    None,
}

/// What a character brings along for a GLB result.
#[derive(Clone, Copy, Default)]
pub(crate) struct Own<'a> {
    /// Its own file, if that is glTF.
    pub(crate) document: Option<&'a Document>,
    /// Its mesh.
    pub(crate) skin: Option<&'a Skin>,
    /// Whether its file has the rest pose as a row before the motion (BVH), which tells how its feet stand flat.
    pub(crate) rest_row: bool,
}

impl<'a> Own<'a> {
    pub(crate) fn of(document: &'a Option<Document>, skin: &'a Option<Skin>) -> Self {
        Self { document: document.as_ref(), skin: skin.as_ref(), rest_row: false }
    }
}

/// The formats that can be written.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Bvh,
    Glb,
}

impl Format {
    /// What a file name's ending asks for.
    pub(crate) fn kind(path: &Path) -> Result<Kind, Failure> {
        match ending(path).as_str() {
            "bvh" => Ok(Kind::Bvh),
            "glb" => Ok(Kind::Glb),
            other => {
                let what = if other.is_empty() { "a file without an ending".into() } else { format!(".{other} files") };
                let name = path.display();
                Err(Failure::unusable(format!("{name}: cannot write {what}; give a name that ends in .bvh or .glb")))
            }
        }
    }

    /// Whether a character's own mesh is wanted in a GLB result.
    pub(crate) fn own_mesh(&self) -> bool {
        !self.bones
    }

    /// What is left of a character's own where simple bones are wanted.
    pub(crate) fn own<'a>(&self, own: Own<'a>) -> Own<'a> {
        if self.bones { Own::default() } else { own }
    }

    /// Whether a character's other clips are kept after the new one.
    pub(crate) fn keeps_clips(&self) -> bool {
        self.keep_clips
    }

    /// A clip as the bytes of a file: put into the character's own document if there is one and it is wanted.
    pub(crate) fn encode(
        &self,
        kind: Kind,
        own: Own<'_>,
        skeleton: &Skeleton,
        new: &NewClip<'_>,
    ) -> Result<Vec<u8>, Failure> {
        self.encode_all(kind, own, skeleton, std::slice::from_ref(new))
    }

    /// The same with several clips; a BVH file holds the first alone.
    pub(crate) fn encode_all(
        &self,
        kind: Kind,
        own: Own<'_>,
        skeleton: &Skeleton,
        new: &[NewClip<'_>],
    ) -> Result<Vec<u8>, Failure> {
        let document = own.document.filter(|_| kind == Kind::Glb && !self.bones);
        if self.keep_clips && document.is_none() {
            return Err(Failure::unusable(
                "--keep-clips: only a character (.glb, .gltf) written as GLB has clips to keep",
            ));
        }
        let clips: Vec<Clip> = new.iter().map(|new| self.routed(skeleton, new.clip, document.is_some())).collect();
        let new: Vec<NewClip<'_>> = new.iter().zip(&clips).map(|(new, clip)| NewClip { clip, ..new.clone() }).collect();
        if let Some(document) = document {
            let root_motion = match self.root_motion {
                RootMotion::Kept | RootMotion::None => gltf::RootMotion::Kept,
                RootMotion::Root => gltf::RootMotion::Root,
                RootMotion::Hips => gltf::RootMotion::Hips,
            };
            let settings = WriteSettings { keep_clips: self.keep_clips, root_motion };
            return gltf::write_clips(document, skeleton, &new, &settings).map_err(Failure::refused);
        }
        if kind == Kind::Glb {
            return Ok(glb::write_clips(skeleton, own.skin.filter(|_| !self.bones), &new));
        }
        Ok(self.bvh(own, skeleton, &clips[0]).into_bytes())
    }

    /// A clip with its travel where it is wanted; a document puts it on joints of its own itself.
    fn routed(&self, skeleton: &Skeleton, clip: &Clip, in_document: bool) -> Clip {
        let mut routed = clip.clone();
        // A walk on the spot whose travel is wanted goes where its feet say.
        if let Some(course) = clip.course().filter(|_| self.travels()) {
            routed.go(course);
            routed = routed.with_course(None);
        }
        match self.root_motion {
            RootMotion::Root | RootMotion::Hips if in_document => {}
            RootMotion::Kept => {}
            RootMotion::Hips => routed.absorb_root(skeleton),
            RootMotion::Root | RootMotion::None => routed.extract_root(skeleton),
        }
        if self.root_motion == RootMotion::None {
            routed.stay_in_place();
        }
        routed
    }

    /// What a reader gets back of a file that [`encode`](Self::encode) made of a clip.
    pub(crate) fn read_back(
        &self,
        kind: Kind,
        own: Own<'_>,
        skeleton: &Skeleton,
        clip: &Clip,
        bytes: &[u8],
    ) -> Result<Exported, ImportError> {
        let document = own.document.filter(|_| kind == Kind::Glb && !self.bones);
        let how = match (kind, document) {
            (Kind::Bvh, _) => WrittenAs::Bvh(self.out_unit),
            (Kind::Glb, None) => WrittenAs::Glb,
            (Kind::Glb, Some(document)) => WrittenAs::GlbIn(document),
        };
        Exported::read(bytes, skeleton, self.routed(skeleton, clip, document.is_some()), how)
    }

    /// Whether a joint is to carry the travel, whatever the file has.
    pub(crate) fn travels(&self) -> bool {
        matches!(self.root_motion, RootMotion::Root | RootMotion::Hips)
    }

    /// A clip as BVH text.
    fn bvh(&self, own: Own<'_>, skeleton: &Skeleton, clip: &Clip) -> String {
        let rest_row =
            self.write_rest_row == WriteRestRow::Yes || (self.write_rest_row == WriteRestRow::Kept && own.rest_row);
        let settings = BvhWriter { unit: self.out_unit, decimals: usize::from(self.decimals), rest_row };
        let text = bvh::write(skeleton, clip, &settings);
        // Of a clip of a few frames nobody could tell the row from motion: it is better left out.
        let told = || {
            bvh::read(text.as_bytes(), clip.name(), &ImportSettings::default()).is_ok_and(|read| read.source.rest_row)
        };
        if rest_row && self.write_rest_row == WriteRestRow::Kept && !told() {
            return bvh::write(skeleton, clip, &BvhWriter { rest_row: false, ..settings });
        }
        text
    }

    /// What a result holds besides the motion, for the end of a line.
    pub(crate) fn what_else(&self, kind: Kind, own: Own<'_>, new: &NewClip<'_>) -> String {
        let on_the_spot = match new.clip.course() {
            Some(course) if !self.travels() => {
                let speed = (course.iter().sum::<Vec2>() / course.len() as f32).length();
                format!(", on the spot (its feet go at {speed:.2} m/s; --root-motion root lets it go)")
            }
            _ => String::new(),
        };
        if kind == Kind::Bvh {
            return on_the_spot;
        }
        let mesh = match own {
            _ if self.bones => "",
            Own { document: Some(_), .. } => ", in the character's own file",
            Own { skin: Some(_), .. } => {
                ", with the shape of its mesh (colours and textures of FBX are not carried over)"
            }
            _ => "",
        };
        let events = match new.events.len() {
            0 => String::new(),
            events => format!(", {events} foot strikes and lifts"),
        };
        mesh.to_owned() + &events + &on_the_spot
    }
}

/// A clip to be written, with what is known of it.
pub(crate) fn new_clip<'a>(clip: &'a Clip, studied: Option<&Studied>) -> NewClip<'a> {
    let Some(studied) = studied else { return NewClip::of(clip) };
    let stances = standing(&studied.take, studied.cycle.as_ref());
    NewClip {
        clip,
        events: events(&studied.rig, &stances, clip.rate()),
        looped: studied.cycle.is_some(),
        rig: None,
        standing: None,
    }
}

/// A walk to be written, with when its feet come down and leave.
pub(crate) fn new_walk<'a>(clip: &'a Clip, rig: &'a Rig, take: &Take) -> NewClip<'a> {
    NewClip { events: events(rig, &standing(take, None), clip.rate()), ..NewClip::of_walk(clip, rig, &take.stances) }
}
