//! Footprints: the outline of a sole where it stands.

use crate::math::Rigid;
use crate::rig::Foot;
use glam::Vec3A;

/// Corners of a sole from heel to tip and back: how far along it, and how far across in half widths.
const CORNERS: [(f32, f32); 8] =
    [(0.0, 0.5), (0.25, 0.8), (0.7, 1.0), (0.95, 0.6), (0.95, -0.6), (0.7, -1.0), (0.25, -0.8), (0.0, -0.5)];

/// The rounded outline of a foot's print, world space, metres: heel to tip and as wide as the sole. It is not closed: the first
/// corner is not repeated.
#[must_use]
pub fn print_outline(foot: &Foot, world_from_sole: Rigid) -> [Vec3A; 8] {
    let heel = foot.ankle_from_sole().inverse().transform_point(foot.heel);
    CORNERS.map(|(along, across)| {
        world_from_sole.transform_point(Vec3A::new(across * 0.5 * foot.width, 0.0, heel.z + along * foot.length))
    })
}
