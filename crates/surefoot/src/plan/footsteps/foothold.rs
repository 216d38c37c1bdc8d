//! Footholds: whether a sole can stand at a place, and how high.

use crate::math::{FloorPose, Rigid, floor};
use crate::rig::Foot;
use crate::world::{MeshGround, SurfaceId};
use glam::{Quat, Vec2, Vec3};

/// The size of a sole around its own frame (origin half way from heel to ball), metres.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct SoleSize {
    /// From the origin back to the heel.
    pub back: f32,
    /// From the origin to the tips of the toes.
    pub front: f32,
    /// Half its width.
    pub half_width: f32,
}

impl Default for SoleSize {
    /// A grown person's: 25 cm long, 8 cm wide.
    fn default() -> Self {
        Self { back: 0.09, front: 0.16, half_width: 0.04 }
    }
}

impl SoleSize {
    /// The sole of a foot.
    #[must_use]
    pub fn of(foot: &Foot) -> Self {
        let back = 0.5 * foot.ball.distance(foot.heel);
        Self { back, front: (foot.length - back).max(back), half_width: 0.5 * foot.width }
    }

    /// From heel to toes, metres.
    #[must_use]
    pub fn length(&self) -> f32 {
        self.back + self.front
    }
}

/// A place that a sole can stand on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Foothold {
    /// Where, and which way it points.
    pub(super) pose: FloorPose,
    /// The ground's height in its middle, metres.
    pub(super) y: f32,
    /// The ground's normal there.
    pub(super) normal: Vec3,
    /// What it is on.
    pub(super) surface: SurfaceId,
    /// The share of the sole that hangs over an edge, or where the ground is uneven.
    pub(super) uncarried: f32,
    /// How far the ground under it is off its plane at most, where it carries it, metres.
    pub(super) uneven: f32,
    /// The share of its surroundings, [`AROUND`] wide, that would not carry it.
    pub(super) tight: f32,
}

impl Foothold {
    /// The sole's frame in the world.
    pub(super) fn world_from_sole(&self) -> Rigid {
        let tilt = Quat::from_rotation_arc(Vec3::Y, self.normal);
        let rotation = (tilt * self.pose.to_rigid().rotation).normalize();
        Rigid { rotation, translation: self.place().into() }
    }

    /// Its middle, metres.
    pub(super) fn place(&self) -> Vec3 {
        floor::at_height(self.pose.position, self.y)
    }
}

/// Ground this near to a sole carries it, metres.
const CARRIES: f32 = 0.03;
/// Ground that is this much higher than a sole would be is a step that it is in, and this much a wall, metres.
const IN_STEP: [f32; 2] = [0.04, 0.22];
/// No foothold is farther over an edge than this share of its points.
const MOST_UNCARRIED: f32 = 0.35;

/// How far around a sole it is looked whether it could stand there, too, metres: about as far as smoothing moves prints.
const AROUND: f32 = 0.12;

/// The foothold at a place, on the ground nearest to a height within `rise` metres; `None` where less than most of the sole is
/// carried.
pub(super) fn foothold(ground: &MeshGround, sole: SoleSize, pose: FloorPose, y: f32, rise: f32) -> Option<Foothold> {
    let top = y + rise + 1e-3;
    let hit = ground.footing(floor::at_height(pose.position, top), 2.0 * (rise + 1e-3))?;
    let (ahead, left) = (pose.forward(), floor::turned(Vec2::X, pose.heading));
    let SoleSize { back, front, half_width } = sole;
    let points = [
        [-back, -half_width],
        [-back, half_width],
        [back, -half_width],
        [back, half_width],
        [front, 0.0],
        [0.5 * back, 0.0],
    ];
    let over = |[along, aside]: [f32; 2]| {
        let at = pose.position + along * ahead + aside * left;
        let off = at - pose.position;
        let plane = hit.point.y - off.dot(Vec2::new(hit.normal.x, hit.normal.z)) / hit.normal.y.max(0.1);
        ground.height_below(floor::at_height(at, plane + 0.5), 1.0).map(|under| under - plane)
    };
    let carried = |point: [f32; 2]| over(point).is_some_and(|over| over.abs() < CARRIES);
    let (mut missing, mut inside, mut uneven) = (0, 0, 0.0_f32);
    for point in points {
        match over(point) {
            // In a wall, or under its edge.
            Some(over) if over > IN_STEP[1] => return None,
            Some(over) if over > IN_STEP[0] => inside += 1,
            Some(over) if over.abs() < CARRIES => uneven = uneven.max(over.abs()),
            _ => missing += 1,
        }
    }
    let share = |count: usize| count as f32 / points.len() as f32;
    if share(missing + inside) > MOST_UNCARRIED {
        return None;
    }
    let uncarried = share(missing + 2 * inside).min(1.0);
    let [back, front, side] = [back, front, half_width].map(|size| size + AROUND);
    let around = [[-back, 0.0], [front, 0.0], [0.0, -side], [0.0, side]];
    let tight = around.into_iter().filter(|point| !carried(*point)).count() as f32 / around.len() as f32;
    Some(Foothold { pose, y: hit.point.y, normal: hit.normal, surface: hit.surface, uncarried, uneven, tight })
}
