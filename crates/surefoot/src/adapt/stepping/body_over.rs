//! Where the body is over its feet: as high as they are on average, tilted as they lie, low enough to reach.

use super::FootAt;
use crate::character::{OVER_FEET, Stand, StandLeg};
use crate::foot::drop_to_reach;
use crate::ik::LegEnd;
use crate::math::{Plane, Rigid, floor, quat, single};
use crate::plan::steps::CourseMoment;
use crate::rig::ModelPose;
use glam::{Quat, Vec2, Vec3A};

/// How far a body goes down in front and behind, metres, ≤ 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Dip {
    /// At the foremost hips.
    pub front: f32,
    /// At the hindmost.
    pub back: f32,
}

/// Bodies go down in front and behind by different heights no steeper than this, rise over run.
const STEEPEST: f32 = 0.2;

impl Dip {
    /// `world_from_model` of a body that goes down so.
    #[must_use]
    pub(crate) fn apply(self, stand: &Stand, root: Rigid) -> Rigid {
        if self == Self::default() {
            return root;
        }
        let [front, back] = stand.ends.unwrap_or([1.0, -1.0]);
        let slope = (self.front - self.back) / (front - back);
        let down = self.back - slope * back;
        let hips = stand.middle + Vec3A::Y * stand.hips_at;
        let turn = quat::about_left(slope);
        let pitch = Rigid { rotation: turn, translation: hips - turn * hips };
        let mut root = root * pitch;
        root.translation.y += down;
        root
    }

    /// The same without tilting a body much: the end that is higher goes down too.
    #[must_use]
    pub(crate) fn level(self, stand: &Stand) -> Self {
        let most = stand.ends.map_or(0.0, |[front, back]| STEEPEST * (front - back));
        Self { front: self.front.min(self.back + most), back: self.back.min(self.front + most) }
    }

    /// Part of the way to another.
    #[must_use]
    pub(crate) fn mix(self, other: Self, x: f32) -> Self {
        let mix = |a: f32, b: f32| a + x * (b - a);
        Self { front: mix(self.front, other.front), back: mix(self.back, other.back) }
    }
}

/// How a body follows its feet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct BodyOver {
    /// How much a body on four and more legs tilts with the ground, from 0 to 1.
    pub tilt: f32,
    /// How much of that it tilts to a side, from 0 to 1, as far as its legs can take up the rest: beasts keep their backs level.
    pub roll: f32,
    /// How much a body on two legs leans into a slope, as a share of its angle.
    pub lean: f32,
    /// How much hips stay over their feet when the body tilts, from 0 (it tilts about its feet) to 1.
    pub over_feet: f32,
    /// How far legs are stretched at most, as a share of their length.
    pub stretch: f32,
}

impl Default for BodyOver {
    fn default() -> Self {
        Self { tilt: 1.0, roll: 0.25, lean: 0.4, over_feet: OVER_FEET, stretch: 0.985 }
    }
}

/// A body that is carried level on two legs tilts with the ground by this share of its angle.
const LEVEL: f32 = 0.6;

/// Legs take up so much of what is high on one side and low on the other, as a share of the hips' height.
const TAKEN_UP: f32 = 0.2;

/// How the ground lies under a body, as its feet tell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FeetLie {
    /// Height under the middle of all feet, metres.
    pub height: f32,
    /// How steep to the left, and ahead: rise over run.
    pub slope: Vec2,
}

impl FeetLie {
    /// Its height under a place, metres, world.
    #[must_use]
    pub(crate) fn under(&self, moment: &CourseMoment, place: Vec3A) -> f32 {
        let own = moment.place.inverse().transform_point(floor::of_point(place));
        self.height + self.slope.dot(own)
    }

    /// Part of the way to another.
    #[must_use]
    pub(crate) fn mix(self, other: Self, x: f32) -> Self {
        Self { height: self.height + x * (other.height - self.height), slope: self.slope.lerp(other.slope, x) }
    }
}

impl BodyOver {
    /// How the ground lies under feet that stand for these places of it, metres, world.
    #[must_use]
    pub(crate) fn lie(&self, stand: &Stand, moment: &CourseMoment, supports: &[Vec3A]) -> FeetLie {
        let back = quat::from_heading(-moment.place.heading);
        let middle: Vec3A = floor::at_height(moment.place.position, 0.0).into();
        let own = |support: &Vec3A| back * (*support - middle);
        let mean = supports.iter().map(own).sum::<Vec3A>() / supports.len() as f32;
        let slope = if supports.len() < 3 {
            // On two legs the path tells the slope.
            Vec2::new(0.0, moment.slope.clamp(-1.0, 1.0))
        } else {
            // The plane nearest to all feet, held back a little so that feet close to each other do not throw it about.
            let hold = 0.02 * f64::from(stand.hip) * f64::from(stand.hip);
            let plane = Plane::fit(supports.iter().map(|support| (own(support).as_dvec3(), 1.0)), hold);
            plane.map_or(Vec2::ZERO, |plane| Vec2::new(plane.slope.x as f32, plane.slope.y as f32))
        };
        FeetLie { height: mean.y - slope.x * mean.x - slope.y * mean.z, slope }
    }

    /// `world_from_model` over ground that lies so, of a body whose head is above it (`upright` is 1) or ahead of it (0).
    #[must_use]
    pub(crate) fn run(&self, stand: &Stand, upright: f32, moment: &CourseMoment, lie: FeetLie) -> Rigid {
        let yaw = quat::from_heading(moment.place.heading);
        let middle: Vec3A = floor::at_height(moment.place.position, 0.0).into();
        let tilt = if stand.legs.len() < 3 {
            // A body on two legs stays upright but for a lean; one that is carried level lies more as the ground does.
            let lean = upright * self.lean - (1.0 - upright) * LEVEL;
            Quat::from_rotation_x(lean * single::atan(moment.slope))
        } else {
            // What it does not roll its legs take up, each by a part of its length.
            // Legs that are spread have no room for it.
            let spread = !stand.legs.iter().any(StandLeg::hangs);
            let rest = if spread { 0.0 } else { (1.0 - self.roll) * lie.slope.x };
            let most = TAKEN_UP * stand.hip / stand.aside().max(1e-3);
            let roll = lie.slope.x - rest / (1.0 + (rest / most).powi(2)).sqrt();
            let up = Vec3A::new(-self.tilt * roll, 1.0, -self.tilt * lie.slope.y).normalize();
            quat::arc(Vec3A::Y, up, Vec3A::X)
        };
        let rotation = yaw * tilt;
        let hips = self.over_feet * stand.hips_at * (Vec3A::Y - rotation * Vec3A::Y);
        let over = Rigid { rotation, translation: middle.with_y(lie.height) + hips };
        let mut root = over * Rigid::from_translation(-stand.middle);
        // Hips are as high over the ground below them as they stand, wherever a tilt or a stand beside the feet has brought them.
        let higher = |leg: &StandLeg| {
            let hip = root.transform_point(stand.middle + leg.hip);
            hip.y - lie.under(moment, hip) - leg.hip.y
        };
        root.translation.y -= stand.legs.iter().map(higher).sum::<f32>() / stand.legs.len() as f32;
        root
    }

    /// How far a body must go down (metres, ≤ 0) in front and behind for the legs that stand to reach: `ends` are where the
    /// legs' ends should be, world, `stretch` is the share of their length to which legs are stretched. Passes smoothly from
    /// leg to leg, and between standing and flying.
    #[must_use]
    pub(crate) fn lower(
        &self,
        stand: &Stand,
        (root, model): (Rigid, &ModelPose),
        feet: &[FootAt],
        (ends, ankles): (&[Vec3A], &[Rigid]),
        stretch: f32,
    ) -> Dip {
        let soft = 0.01 * stand.hip;
        let mut lows = [0.0_f32; 2];
        for (((leg, foot), end), ankle) in stand.legs.iter().zip(feet).zip(ends).zip(ankles) {
            let low = &mut lows[usize::from(stand.is_behind(leg))];
            let hip = root.transform_point(model[leg.chain.joints[0]].translation);
            let flies = (1.0 - foot.stands) * (1.0 - foot.stands);
            let mut drop = drop_to_reach(hip, *end, stretch * leg.length);
            if matches!(leg.chain.end, LegEnd::Apart(_)) {
                // A foot that hangs outside its leg is not farther from the hip than the leg is long either.
                drop = drop.max(drop_to_reach(hip, ankle.translation, leg.length));
            }
            let top = flies * leg.length - drop;
            *low = 0.5 * (*low + top - ((*low - top) * (*low - top) + soft * soft).sqrt());
        }
        if stand.ends.is_none() {
            lows[1] = lows[0];
        }
        Dip { front: lows[0], back: lows[1] }
    }
}
