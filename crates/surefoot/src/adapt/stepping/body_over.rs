//! Where the body is over its feet: as high as they are on average, tilted as they lie, low enough to reach.

use super::FootAt;
use crate::math::{Rigid, floor, quat, single};
use crate::plan::steps::{Moment, Stand};
use crate::rig::ModelPose;
use glam::{Quat, Vec3A};

/// How a body follows its feet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyOver {
    /// How much a body on four and more legs tilts with the ground, from 0 to 1.
    pub tilt: f32,
    /// How much a body on two legs leans into a slope, as a share of its angle.
    pub lean: f32,
    /// How much hips stay over their feet when the body tilts, from 0 (it tilts about its feet) to 1.
    pub over_feet: f32,
    /// How far legs are stretched at most, as a share of their length.
    pub stretch: f32,
}

impl Default for BodyOver {
    fn default() -> Self {
        Self { tilt: 0.9, lean: 0.25, over_feet: 0.75, stretch: 0.985 }
    }
}

impl BodyOver {
    /// `world_from_model` over feet.
    #[must_use]
    pub fn run(&self, stand: &Stand, moment: &Moment, feet: &[FootAt]) -> Rigid {
        let yaw = quat::from_heading(moment.place.heading);
        let middle: Vec3A = floor::at_height(moment.place.position, 0.0).into();
        let count = feet.len() as f32;
        let own = |foot: &FootAt| yaw.conjugate() * (foot.support - middle);
        let mean = feet.iter().map(own).sum::<Vec3A>() / count;
        let (slope_x, slope_z, tilt) = if feet.len() < 3 {
            // On two legs the path tells the slope; the body stays upright but for a lean.
            let lean = self.lean * single::atan(moment.slope);
            (0.0, moment.slope.clamp(-1.0, 1.0), Quat::from_rotation_x(lean))
        } else {
            // The plane nearest to all feet, held back a little so that feet close to each other do not throw it about.
            let hold = 0.02 * count * stand.hip * stand.hip;
            let (mut xx, mut xz, mut zz, mut xy, mut zy) = (hold, 0.0, hold, 0.0, 0.0);
            for foot in feet {
                let p = own(foot) - mean;
                xx += p.x * p.x;
                xz += p.x * p.z;
                zz += p.z * p.z;
                xy += p.x * p.y;
                zy += p.z * p.y;
            }
            let det = (xx * zz - xz * xz).max(1e-9);
            let (x, z) = ((xy * zz - zy * xz) / det, (zy * xx - xy * xz) / det);
            let up = Vec3A::new(-self.tilt * x, 1.0, -self.tilt * z).normalize();
            (x, z, quat::arc(Vec3A::Y, up, Vec3A::X))
        };
        let height = mean.y - slope_x * mean.x - slope_z * mean.z;
        let rotation = yaw * tilt;
        let hips = self.over_feet * stand.hips_at * (Vec3A::Y - rotation * Vec3A::Y);
        let over = Rigid { rotation, translation: middle.with_y(height) + hips };
        over * Rigid::from_translation(-stand.middle)
    }

    /// How far a body must go down (metres, ≤ 0) for the legs that stand to reach: `ends` are where the legs' ends should be,
    /// world. Passes smoothly from leg to leg, and between standing and flying.
    #[must_use]
    pub fn lower(&self, stand: &Stand, root: Rigid, model: &ModelPose, feet: &[FootAt], ends: &[Vec3A]) -> f32 {
        let soft = 0.02 * stand.hip;
        let mut low = 0.0_f32;
        for ((leg, foot), end) in stand.legs.iter().zip(feet).zip(ends) {
            let hip = root.transform_point(model[leg.chain.joints[0]].translation);
            let reach = self.stretch * leg.length;
            let aside = floor::of_point(*end - hip).length().min(0.95 * reach);
            let flies = (1.0 - foot.stands) * (1.0 - foot.stands);
            let top = end.y + (reach * reach - aside * aside).sqrt() - hip.y + flies * leg.length;
            low = 0.5 * (low + top - ((low - top) * (low - top) + soft * soft).sqrt());
        }
        low
    }
}
