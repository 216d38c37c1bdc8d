//! A walk over ground as pages and pictures show it, whoever planned or drove it.

use crate::ground_mesh::{DrawGround, GroundMesh};
use crate::walk_track::WalkTrack;
use surefoot::character::Character;
use surefoot::math::FloorPose;
use surefoot::metrics::FootFigures;
use surefoot::motion::Take;
use surefoot::plan::Path;
use surefoot::rig::{LegId, ModelPose, Skin};
use surefoot::world::{Ground, Mover, Terrain};

/// A walk and the ground it goes over.
#[derive(Clone, Copy)]
pub struct ShownWalk<'a> {
    /// Who walks.
    pub character: &'a Character,
    /// Its mesh, which gives silhouettes.
    pub skin: Option<&'a Skin>,
    /// The motion with its stances.
    pub take: &'a Take,
    /// Where the body is, frame by frame.
    pub course: &'a [BodyPlace],
    /// Where it should go.
    pub path: &'a Path,
    /// How well its feet stand on the ground.
    pub figures: &'a FootFigures,
    /// The standing foot that was farthest from its place.
    pub missed: MissedPlace,
    /// The ground.
    pub ground: &'a dyn Ground,
    /// The ground again where it was made by a rule (slope, stairs, rubble), which tells where its edges are.
    pub terrain: Option<Terrain>,
    /// What can be stood on and moves.
    pub platforms: &'a [Mover],
    /// What is in the way and moves.
    pub obstacles: &'a [Mover],
}

/// Where a body is, without the sway of its steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPlace {
    /// Its place and heading on the floor.
    pub place: FloorPose,
    /// The height of the ground under it, metres.
    pub height: f32,
}

/// A standing foot that was not where it should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MissedPlace {
    /// By how much, metres.
    pub distance: f32,
    /// In which frame.
    pub frame: usize,
}

impl ShownWalk<'_> {
    /// The ground along the walk, as far from it as matters to the eye, in cells of this size (metres) that end where made ground
    /// does; its border goes down by `rim` metres.
    #[must_use]
    pub fn ground_mesh(&self, cell: f32, rim: f32) -> GroundMesh {
        let track = WalkTrack::of(&self.character.rig, &self.take.clip, &self.take.stances);
        let seams = self.terrain.map_or([None; 2], |terrain| terrain.seams());
        DrawGround { cell, reach: self.reach(), rim, seams }.run(self.ground, &track.way)
    }

    /// How far from the way ground is shown, metres.
    pub(crate) fn reach(&self) -> f32 {
        let (stand, skeleton) = (&self.character.stand, &self.character.rig.skeleton);
        let mut model = ModelPose::new(skeleton);
        stand.pose.to_model(skeleton, &mut model);
        // Short legs may carry a large body.
        let top = model.joints.iter().map(|joint| joint.translation.y - stand.middle.y).fold(0.0, f32::max);
        (1.5 * self.longest_leg() + stand.radius).max(0.8 * top)
    }

    /// The length of its longest leg, metres.
    pub(crate) fn longest_leg(&self) -> f32 {
        self.character.stand.legs.iter().map(|leg| leg.length).fold(0.0, f32::max)
    }

    /// Whether a leg is a left one.
    pub(crate) fn is_left(&self, leg: LegId) -> bool {
        self.character.stand.legs[leg.index()].order.left
    }
}
