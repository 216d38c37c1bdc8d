//! Joints of legs that do not turn in a clip: what an animator left alone is no joint of that motion.

use crate::math::quat;
use crate::motion::Clip;
use crate::rig::{JointId, Rig};

/// A joint that turns by less than this in a whole clip is left alone there, radians: 2°.
const STIFF: f32 = 0.035;

/// Takes the legs of a rig as a clip moves them. A hip that does not turn there belongs to the body, and the leg begins
/// with the next joint that does. A foot that does not turn against its lower leg rolls with it, over one point: the
/// middle of its sole.
///
/// # Panics
/// If the clip was made for another skeleton.
pub fn stiffen(rig: &mut Rig, clip: &Clip) {
    assert_eq!(clip.skeleton(), rig.skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
    let turns = |joint: JointId| {
        let at = |f: usize| clip.frame(f)[joint.index()].rotation;
        (1..clip.frames()).any(|f| quat::angle_between(at(0), at(f)) > STIFF)
    };
    for leg in &mut rig.legs {
        let (hip, knee, ankle) = (leg.hip(), leg.chain[1], leg.ankle());
        if !turns(knee) {
            continue;
        }
        if !turns(hip) {
            // From the hip down to the knee.
            let mut between: Vec<JointId> =
                rig.skeleton.ancestry(knee).skip(1).take_while(|joint| *joint != hip).collect();
            between.reverse();
            leg.chain[0] = between.into_iter().find(|joint| turns(*joint)).unwrap_or(hip);
        }
        if leg.shin.is_none() && !turns(ankle) {
            let middle = 0.5 * (leg.foot.heel + leg.foot.ball);
            (leg.foot.heel, leg.foot.ball) = (middle, middle);
        }
    }
}
