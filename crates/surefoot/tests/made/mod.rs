//! A made creature: a body with legs of two bones on either side.

use surefoot::glam::{Quat, Vec3A};
use surefoot::math::Rigid;
use surefoot::plan::steps::Stand;
use surefoot::rig::{Foot, Joint, JointId, Leg, Pose, Rig, Side, Skeleton};

/// A creature with so many pairs of legs that stands on points, 0.5 m high.
pub(crate) fn creature(pairs: usize) -> (Rig, Stand) {
    let at = |x: f32, y: f32, z: f32| Rigid::from_translation(Vec3A::new(x, y, z));
    let mut joints = vec![Joint::new("Body", None, at(0.0, 0.5, 0.0))];
    let mut legs = Vec::new();
    for (side, sign, name) in [(Side::Left, 1.0, "Left"), (Side::Right, -1.0, "Right")] {
        for k in 0..pairs {
            let z = 0.4 * (0.5 * (pairs - 1) as f32 - k as f32);
            let first = joints.len();
            joints.push(Joint::new(format!("{name}Hip{k}"), Some(0), at(sign * 0.1, 0.0, z)));
            // Out and up, then down to the ground.
            joints.push(Joint::new(format!("{name}Knee{k}"), Some(first), at(sign * 0.25, 0.1, 0.0)));
            joints.push(Joint::new(format!("{name}Foot{k}"), Some(first + 1), at(sign * 0.05, -0.6, 0.0)));
            let foot = Foot { heel: Vec3A::ZERO, ball: Vec3A::ZERO, up: Vec3A::Y, tip: None, length: 0.0, width: 0.0 };
            legs.push(Leg {
                side: Some(side),
                chain: (first..first + 3).map(|j| JointId(j as u16)).collect(),
                hinges: vec![Vec3A::Z * -sign],
                toe: None,
                shin: None,
                foot,
            });
        }
    }
    let skeleton = Skeleton::new(joints).unwrap();
    let rig = Rig { skeleton, legs, mirror: None };
    let mut pose = Pose::rest(&rig.skeleton);
    pose.locals[0].rotation = Quat::IDENTITY;
    let stand = Stand::new(&rig, pose, &[]).unwrap();
    (rig, stand)
}
