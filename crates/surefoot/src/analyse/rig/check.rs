//! A rig is tried before it is believed: where its soles are, where its legs end, and whether it stands in a pose.

use super::RigError;
use super::body::Body;
use crate::rig::{JointId, Leg, ModelPose, Pose, Rig, Skin};

/// A sole may be this far from the lowest skin of its foot, in leg lengths.
const OFF_SKIN: f32 = 0.15;
/// A leg ends below this share of its hip's height.
const END: f32 = 0.5;
/// Feet of one stand differ in height by less than this, in leg lengths: one may be lifted a little.
const LIFTED: f32 = 0.35;

/// Whether a rig can stand in a pose: its soles are where its skin is, its legs end near the ground, and its feet reach it.
///
/// # Errors
/// If one of these is not so, with the leg and the figures.
///
/// # Panics
/// If the pose was made for another number of joints.
pub fn check_rig(rig: &Rig, skin: Option<&Skin>, pose: &Pose) -> Result<(), RigError> {
    let mut model = ModelPose::new(&rig.skeleton);
    pose.to_model(&rig.skeleton, &mut model);
    let body = Body::new(&rig.skeleton, &model, skin);
    let name = |leg: &Leg| rig.skeleton.name(leg.ankle()).to_owned();
    let sole = |leg: &Leg| {
        let points = [leg.foot.heel, leg.foot.ball].map(|point| model[leg.ankle()].transform_point(point).y);
        f32::min(points[0], points[1])
    };
    let Some(lowest) = rig.legs.iter().min_by(|a, b| sole(a).total_cmp(&sole(b))) else { return Ok(()) };
    let ground = sole(lowest);
    for leg in &rig.legs {
        let long = leg.length(&rig.skeleton).max(1e-6);
        if let Some(skin) = &body.skin {
            let below = rig.skeleton.subtree(leg.ankle()).flat_map(|i| skin.of(JointId(i as u16)));
            let low = below.map(|vertex| vertex.y).fold(f32::INFINITY, f32::min);
            let off = sole(leg) - low;
            if low.is_finite() && off.abs() > OFF_SKIN * long {
                return Err(RigError::Sole { ankle: name(leg), off });
            }
        }
        let (hip, end) = (model[leg.hip()].translation, leg.shin_end(&model));
        let high = (end.y - ground) / (hip.y - ground).max(1e-6);
        // What is spread tells nothing by its height.
        let hangs = hip.y - ground > 0.5 * long;
        if hangs && high > END {
            return Err(RigError::EndsHigh { ankle: name(leg), high });
        }
        let over = sole(leg) - ground;
        if over > LIFTED * long {
            return Err(RigError::InTheAir { ankle: name(leg), over, lowest: name(lowest) });
        }
    }
    Ok(())
}
