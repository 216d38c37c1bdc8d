//! What a body can walk on.

/// What can be walked on: slopes that are not too steep, steps that are not too high, under ceilings that are high enough.
#[cfg_attr(
    feature = "mesh",
    doc = "
```
use surefoot::glam::Vec3;
use surefoot::world::{Ground, Survey, TriangleSoup};

let corners = vec![Vec3::ZERO, 4.0 * Vec3::Z, 4.0 * Vec3::X];
let soup = TriangleSoup::new(corners, vec![[0, 1, 2]], vec![])?;
let ground = Survey::default().run(&soup);
assert_eq!(ground.below(Vec3::new(1.0, 2.0, 1.0), 5.0, 0.0).unwrap().point, Vec3::new(1.0, 0.0, 1.0));
assert_eq!(ground.below(Vec3::new(3.0, 2.0, 3.0), 5.0, 0.0), None);
# Ok::<(), surefoot::world::MeshError>(())
```"
)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Survey {
    /// The steepest slope, radians, 0 to π/2.
    pub max_slope: f32,
    /// The highest step, metres, ≥ 0.
    pub step_height: f32,
    /// Free height that a body needs, metres, ≥ 0.
    pub head_room: f32,
}

impl Default for Survey {
    /// 45°, steps of 0.4 m, 1.8 m of head room.
    fn default() -> Self {
        Self { max_slope: std::f32::consts::FRAC_PI_4, step_height: 0.4, head_room: 1.8 }
    }
}

/// An upright capsule: the room that a character takes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Body {
    /// Its radius, metres, > 0.
    pub radius: f32,
    /// From its lowest point to its highest, metres, at least twice the radius.
    pub height: f32,
}

impl Default for Body {
    /// A grown person: 0.3 m and 1.8 m.
    fn default() -> Self {
        Self { radius: 0.3, height: 1.8 }
    }
}
