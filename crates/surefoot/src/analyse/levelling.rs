//! Levelling: a floor that was calibrated askew, told from where the feet stand.

use crate::math::{Plane, Rigid, double};
use crate::motion::{Clip, Take};
use crate::rig::Skeleton;
use glam::{DVec2, DVec3, Quat, Vec3A};

/// When a clip is turned so that its floor is level.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Levelling {
    /// Whether it is done at all.
    pub on: bool,
    /// A floor that is steeper than this is a slope, and stays, radians.
    pub most: f32,
}

impl Default for Levelling {
    fn default() -> Self {
        Self { on: true, most: 2.0_f32.to_radians() }
    }
}

/// Prints must be spread over this much (standard deviation) before they tell a tilt, metres.
const SPREAD: f64 = 0.3;
/// Prints that differ less than this in height (standard deviation) tell nothing, metres.
const UNEVEN: f64 = 0.005;

impl Levelling {
    /// The turn that makes the floor of a clip level, and the place about which to turn; `None` where the prints lie
    /// level, or on no plane, or on a slope.
    #[must_use]
    pub fn run(&self, take: &Take) -> Option<(Quat, Vec3A)> {
        let prints: Vec<(DVec3, f64)> = take
            .stances
            .iter()
            .map(|stance| {
                let weight = stance.frames(&take.clip).whole.len() as f64;
                (stance.print.world_from_sole.translation.as_dvec3(), weight)
            })
            .collect();
        let weight: f64 = prints.iter().map(|(_, w)| w).sum();
        if !self.on || prints.len() < 4 {
            return None;
        }
        // Where prints hardly spread, as across a straight walk, the slope is held at 0: left and right feet differ in height
        // for other reasons.
        let plane = Plane::fit(prints.iter().copied(), SPREAD * SPREAD / 4.0)?;
        let middle = plane.middle;
        let moment = |pick: &dyn Fn(DVec3) -> f64| prints.iter().map(|(p, w)| w * pick(*p)).sum::<f64>() / weight;
        let (xx, zz) = (moment(&|p| (p.x - middle.x).powi(2)), moment(&|p| (p.z - middle.z).powi(2)));
        let uneven = moment(&|p| (p.y - middle.y).powi(2)).sqrt();
        let left = moment(&|p| (p.y - plane.height(DVec2::new(p.x, p.z))).powi(2)).sqrt();
        let spread = xx.max(zz).sqrt() > SPREAD;
        let tilt = double::atan(double::hypot(plane.slope.x, plane.slope.y));
        if !spread || uneven < UNEVEN || left > 0.5 * uneven || tilt > f64::from(self.most) {
            return None;
        }
        let normal = plane.normal().as_vec3();
        Some((Quat::from_rotation_arc(normal, glam::Vec3::Y), middle.as_vec3a()))
    }
}

/// A clip turned about a place in the world, with all it holds.
///
/// # Panics
/// If the clip was made for another skeleton.
#[must_use]
pub fn turned(skeleton: &Skeleton, clip: &Clip, turn: Quat, about: Vec3A) -> Clip {
    let mut out = clip.clone();
    let world = Rigid { rotation: turn, translation: about - turn * about };
    for f in 0..clip.frames() {
        let root = clip.roots()[f];
        let model = root.inverse() * world * root;
        for joint in skeleton.roots() {
            let local = &mut out.frame_mut(f)[joint.index()];
            *local = model * *local;
            local.rotation = local.rotation.normalize();
        }
    }
    out
}
