//! What strangers' rigs are like, each kind as small as it can be made.

use super::*;
use crate::math::Rigid;
use crate::rig::Joint;
use crate::rig::skin::Bone;
use glam::Affine3A;

/// A body that is made joint by joint, with a box of skin for each that has one.
#[derive(Default)]
struct Made {
    joints: Vec<(String, Option<usize>, Vec3A)>,
    /// Joint, and the lowest and highest corner of its skin.
    boxes: Vec<(usize, Vec3A, Vec3A)>,
}

fn at(x: f32, y: f32, z: f32) -> Vec3A {
    Vec3A::new(x, y, z)
}

impl Made {
    /// A joint at a place in the model; its number.
    fn joint(&mut self, name: impl Into<String>, parent: Option<usize>, place: Vec3A) -> usize {
        self.joints.push((name.into(), parent, place));
        self.joints.len() - 1
    }

    /// A joint with skin around the way from it to an end.
    fn bone(&mut self, name: impl Into<String>, parent: Option<usize>, place: Vec3A, end: Vec3A) -> usize {
        let joint = self.joint(name, parent, place);
        self.boxes.push((joint, place.min(end) - at(0.03, 0.0, 0.03), place.max(end) + at(0.03, 0.0, 0.03)));
        joint
    }

    fn build(&self) -> (Skeleton, Skin) {
        let parents: Vec<Option<usize>> = self.joints.iter().map(|(_, parent, _)| *parent).collect();
        let order = Skeleton::depth_first(&parents);
        let new = |old: usize| order.iter().position(|o| *o == old).unwrap();
        let joint = |old: &usize| {
            let (name, parent, place) = &self.joints[*old];
            let above = parent.map_or(Vec3A::ZERO, |parent| self.joints[parent].2);
            Joint::new(name.clone(), parent.map(new), Rigid::from_translation(*place - above))
        };
        let skeleton = Skeleton::new(order.iter().map(joint).collect()).unwrap();
        let mut skin = Skin::default();
        for (old, low, high) in &self.boxes {
            let first = skin.positions.len() as u32;
            let bone = skin.bones.len() as u16;
            let back = Affine3A::from_translation(Vec3::from(-self.joints[*old].2));
            skin.bones.push(Bone { joint: JointId(new(*old) as u16), joint_from_bind: back });
            // Five heights, so that shares of skin by height mean something.
            for step in 0..5 {
                let y = low.y + (high.y - low.y) * step as f32 / 4.0;
                for (x, z) in [(low.x, low.z), (high.x, low.z), (low.x, high.z), (high.x, high.z)] {
                    skin.positions.push(Vec3::new(x, y, z));
                    skin.joints.push([bone, 0, 0, 0]);
                    skin.weights.push([1.0, 0.0, 0.0, 0.0]);
                }
            }
            skin.triangles.push([first, first + 1, first + 2]);
        }
        (skeleton, skin)
    }

    /// Hip, knee and ankle of every leg, by name.
    fn legs(&self) -> Vec<[String; 3]> {
        let (skeleton, skin) = self.build();
        let rig = find_skinned_rig(&skeleton, Some(&skin), &[]).unwrap();
        let name = |joint: JointId| skeleton.name(joint).to_owned();
        rig.legs.iter().map(|leg| [name(leg.hip()), name(leg.chain[1]), name(leg.ankle())]).collect()
    }

    fn error(&self) -> RigError {
        let (skeleton, skin) = self.build();
        find_skinned_rig(&skeleton, Some(&skin), &[]).unwrap_err()
    }
}

/// Names of both sides, as they are usual.
const SIDES: [(&str, f32); 2] = [("L", 1.0), ("R", -1.0)];

/// A trunk with a head, upright.
fn trunk(made: &mut Made) -> usize {
    let pelvis = made.bone("pelvis", None, at(0.0, 1.0, 0.0), at(0.0, 1.2, 0.0));
    let chest = made.bone("chest", Some(pelvis), at(0.0, 1.3, 0.0), at(0.0, 1.5, 0.0));
    made.bone("head", Some(chest), at(0.0, 1.6, 0.0), at(0.0, 1.8, 0.1));
    pelvis
}

/// A leg of thigh, shin and foot; its joints.
fn leg(made: &mut Made, name: &str, from: usize, x: f32, z: f32) -> [usize; 3] {
    let thigh = made.bone(format!("thigh.{name}"), Some(from), at(x, 0.9, z), at(x, 0.5, z));
    let shin = made.bone(format!("shin.{name}"), Some(thigh), at(x, 0.5, z + 0.02), at(x, 0.12, z));
    let foot = made.bone(format!("foot.{name}"), Some(shin), at(x, 0.1, z), at(x, 0.0, z + 0.15));
    [thigh, shin, foot]
}

fn wanted(names: &[[&str; 3]]) -> Vec<[String; 3]> {
    names.iter().map(|leg| leg.map(str::to_owned)).collect()
}

#[test]
fn a_long_way_from_trunk_to_hip_is_no_bone_of_the_leg() {
    let mut made = Made::default();
    // Legs that hang from a root on the ground, beside the hips.
    let root = made.joint("root", None, at(0.0, 0.0, 0.0));
    let hips = made.bone("hips", Some(root), at(0.0, 1.0, 0.0), at(0.0, 1.8, 0.0));
    for (side, sign) in SIDES {
        leg(&mut made, side, root, 0.2 * sign, 0.0);
        let arm = made.bone(format!("arm.{side}"), Some(hips), at(0.3 * sign, 1.5, 0.0), at(0.6 * sign, 1.5, 0.0));
        made.bone(format!("hand.{side}"), Some(arm), at(0.6 * sign, 1.5, 0.0), at(0.9 * sign, 1.5, 0.0));
    }
    assert_eq!(made.legs(), wanted(&[["thigh.L", "shin.L", "foot.L"], ["thigh.R", "shin.R", "foot.R"]]));
}

#[test]
fn pelvis_bones_and_anchors_are_no_hips() {
    let mut made = Made::default();
    let pelvis = trunk(&mut made);
    for (side, sign) in SIDES {
        // An anchor in the middle, then a level bone inside the body.
        let anchor = made.joint(format!("anchor.{side}"), Some(pelvis), at(0.0, 0.95, 0.0));
        let wing =
            made.bone(format!("wing.{side}"), Some(anchor), at(0.06 * sign, 0.92, 0.0), at(0.2 * sign, 0.92, 0.0));
        leg(&mut made, side, wing, 0.2 * sign, 0.0);
    }
    assert_eq!(made.legs(), wanted(&[["thigh.L", "shin.L", "foot.L"], ["thigh.R", "shin.R", "foot.R"]]));
}

/// A beast on four legs whose feet hang from its root.
fn loose_feet(named: bool) -> Made {
    let mut made = Made::default();
    let root = made.joint("root", None, at(0.0, 0.0, 0.0));
    let body = made.bone("body", Some(root), at(0.0, 1.0, -0.5), at(0.0, 1.0, 0.6));
    made.bone("head", Some(body), at(0.0, 1.2, 0.8), at(0.0, 1.4, 1.1));
    let mut feet = Vec::new();
    for (row, z) in [("front", 0.5), ("back", -0.5)] {
        for (side, sign) in SIDES {
            let name =
                |what: &str| if named { format!("{row} {what} {side}") } else { format!("Bone.{row}{what}{sign}") };
            let thigh = made.bone(name("thigh"), Some(body), at(0.2 * sign, 0.9, z), at(0.2 * sign, 0.5, z));
            made.bone(name("shin"), Some(thigh), at(0.2 * sign, 0.5, z + 0.02), at(0.2 * sign, 0.12, z));
            feet.push((name("foot"), at(0.2 * sign, 0.1, z)));
        }
    }
    // In another order than the legs.
    feet.swap(0, 3);
    for (name, place) in feet {
        made.bone(name, Some(root), place, place + at(0.0, -0.1, 0.12));
    }
    // Pole targets, which hold no skin.
    for (side, sign) in SIDES {
        made.joint(format!("pole.{side}"), Some(root), at(0.2 * sign, 0.0, 2.0));
    }
    made
}

#[test]
fn loose_feet_find_their_legs_with_names_and_without() {
    let named = loose_feet(true).legs();
    let want = |row: &str, side: &str| ["thigh", "shin", "foot"].map(|what| format!("{row} {what} {side}"));
    assert_eq!(named, [want("front", "L"), want("back", "L"), want("front", "R"), want("back", "R")]);
    let bare = loose_feet(false).legs();
    let want = |row: &str, sign: f32| ["thigh", "shin", "foot"].map(|what| format!("Bone.{row}{what}{sign}"));
    assert_eq!(bare, [want("front", 1.0), want("back", 1.0), want("front", -1.0), want("back", -1.0)]);
}

#[test]
fn loose_feet_keep_their_place_at_the_end_of_the_lower_leg() {
    let (skeleton, skin) = loose_feet(true).build();
    let rig = find_skinned_rig(&skeleton, Some(&skin), &[]).unwrap();
    let rest = ModelPose::new(&skeleton);
    for leg in &rig.legs {
        assert!((leg.shin_end(&rest) - rest[leg.ankle()].translation).length() < 1e-5, "{leg:?}");
    }
    check_rig(&rig, Some(&skin), &Pose::rest(&skeleton)).unwrap();
}

#[test]
fn end_bones_set_neither_ground_nor_ankle() {
    let mut made = Made::default();
    let pelvis = trunk(&mut made);
    for (side, sign) in SIDES {
        let [.., foot] = leg(&mut made, side, pelvis, 0.15 * sign, 0.0);
        // Up on one side and down on the other, without skin.
        let end = made.joint(format!("foot.{side}_end"), Some(foot), at(0.15 * sign, 0.0, 0.15));
        made.joint(format!("foot.{side}_end_end"), Some(end), at(0.15 * sign, -0.3 * sign, 0.15));
    }
    assert_eq!(made.legs(), wanted(&[["thigh.L", "shin.L", "foot.L"], ["thigh.R", "shin.R", "foot.R"]]));
}

#[test]
fn a_foot_without_a_joint_is_a_point_at_the_end_of_the_lower_leg() {
    let mut made = Made::default();
    let pelvis = trunk(&mut made);
    for (side, sign) in SIDES {
        let x = 0.15 * sign;
        let thigh = made.bone(format!("thigh.{side}"), Some(pelvis), at(x, 0.9, 0.0), at(x, 0.5, 0.0));
        made.bone(format!("shin.{side}"), Some(thigh), at(x, 0.5, 0.02), at(x, 0.0, 0.0));
    }
    assert_eq!(made.legs(), wanted(&[["thigh.L", "shin.L", "shin.L"], ["thigh.R", "shin.R", "shin.R"]]));
    let (skeleton, skin) = made.build();
    let rig = find_skinned_rig(&skeleton, Some(&skin), &[]).unwrap();
    let rest = ModelPose::new(&skeleton);
    for leg in &rig.legs {
        assert!(leg.foot_has_no_joint() && leg.foot.is_point() && leg.shin.is_none(), "{leg:?}");
        assert!(leg.shin_end(&rest).y.abs() < 1e-5, "{leg:?}");
        assert!((leg.length(&skeleton) - 0.9).abs() < 0.01, "{}", leg.length(&skeleton));
    }
    // It bends: the end comes where it is wanted, and the foot goes with the shin.
    let character = crate::character::Character::new(rig, Pose::rest(&skeleton), &[]).unwrap();
    let chain = &character.stand.legs[0].chain;
    assert_eq!(chain.bones(), 2, "{chain:?}");
}

#[test]
fn toes_are_one_foot() {
    let mut made = Made::default();
    let pelvis = trunk(&mut made);
    for (side, sign) in SIDES {
        let [.., foot] = leg(&mut made, side, pelvis, 0.15 * sign, 0.0);
        for toe in 0..4 {
            let x = (0.1 + 0.03 * toe as f32) * sign;
            let first = made.bone(format!("toe{toe}.{side}"), Some(foot), at(x, 0.02, 0.15), at(x, 0.0, 0.2));
            made.bone(format!("tip{toe}.{side}"), Some(first), at(x, 0.02, 0.2), at(x, 0.0, 0.26));
        }
    }
    assert_eq!(made.legs(), wanted(&[["thigh.L", "shin.L", "foot.L"], ["thigh.R", "shin.R", "foot.R"]]));
}

#[test]
fn bones_that_hold_the_skin_for_others_and_twist_bones_are_part_of_their_limb() {
    let mut made = Made::default();
    let pelvis = trunk(&mut made);
    for (side, sign) in SIDES {
        let x = 0.15 * sign;
        // As Rigify has it: a chain without skin, and a deforming bone beside each of its joints.
        let mut above = pelvis;
        for (what, from, to) in [
            ("thigh", at(x, 0.9, 0.0), at(x, 0.5, 0.0)),
            ("shin", at(x, 0.5, 0.02), at(x, 0.12, 0.0)),
            ("foot", at(x, 0.1, 0.0), at(x, 0.02, 0.12)),
            ("toe", at(x, 0.02, 0.12), at(x, 0.0, 0.2)),
        ] {
            above = made.joint(format!("ORG-{what}.{side}"), Some(above), from);
            made.bone(format!("DEF-{what}.{side}"), Some(above), from, to);
            let half = 0.5 * (from + to);
            made.bone(format!("DEF-{what}.{side}.001"), Some(above), half, to);
        }
    }
    let want = |side: &str| ["thigh", "shin", "foot"].map(|what| format!("ORG-{what}.{side}"));
    assert_eq!(made.legs(), [want("L"), want("R")]);
}

#[test]
fn hands_tails_and_skirts_near_the_ground_are_no_legs() {
    let mut made = Made::default();
    let pelvis = trunk(&mut made);
    for (side, sign) in SIDES {
        leg(&mut made, side, pelvis, 0.15 * sign, 0.0);
        let x = 0.4 * sign;
        let arm = made.bone(format!("arm.{side}"), Some(pelvis), at(x, 1.4, 0.0), at(x, 0.9, 0.0));
        let elbow = made.bone(format!("elbow.{side}"), Some(arm), at(x, 0.9, 0.0), at(x, 0.4, 0.0));
        made.bone(format!("hand.{side}"), Some(elbow), at(x, 0.4, 0.0), at(x, 0.2, 0.0));
        let skirt =
            made.bone(format!("skirt1.{side}"), Some(pelvis), at(0.25 * sign, 0.95, 0.1), at(0.25 * sign, 0.5, 0.1));
        made.bone(format!("skirt2.{side}"), Some(skirt), at(0.25 * sign, 0.5, 0.1), at(0.25 * sign, 0.0, 0.1));
    }
    let tail = made.bone("tail1", Some(pelvis), at(0.0, 0.9, -0.2), at(0.0, 0.4, -0.5));
    let tail = made.bone("tail2", Some(tail), at(0.0, 0.4, -0.5), at(0.0, 0.0, -0.8));
    made.bone("tail3", Some(tail), at(0.0, 0.05, -0.8), at(0.0, 0.0, -1.2));
    assert_eq!(made.legs(), wanted(&[["thigh.L", "shin.L", "foot.L"], ["thigh.R", "shin.R", "foot.R"]]));
}

#[test]
fn short_legs_are_no_feet_of_the_arms_above_them() {
    let mut made = Made::default();
    let root = made.joint("Root", None, at(0.0, 0.0, 0.0));
    let hips = made.bone("Hips", Some(root), at(0.0, 0.5, 0.0), at(0.0, 1.6, 0.0));
    let head = made.bone("Head", Some(hips), at(0.0, 1.6, 0.0), at(0.0, 2.2, 0.0));
    for (side, sign) in SIDES {
        // Ears make it so tall that its legs are small beside it.
        let ear = made.bone(format!("Ear1.{side}"), Some(head), at(0.3 * sign, 2.2, 0.0), at(0.3 * sign, 3.0, 0.0));
        made.bone(format!("Ear2.{side}"), Some(ear), at(0.3 * sign, 3.0, 0.0), at(0.3 * sign, 3.7, 0.0));
        let arm = made.bone(format!("UpperArm.{side}"), Some(hips), at(0.4 * sign, 1.5, 0.0), at(0.6 * sign, 1.2, 0.0));
        let low = made.bone(format!("LowerArm.{side}"), Some(arm), at(0.6 * sign, 1.2, 0.0), at(0.7 * sign, 1.0, 0.0));
        made.bone(format!("Fist.{side}"), Some(low), at(0.7 * sign, 0.95, 0.0), at(0.7 * sign, 0.85, 0.0));
        let x = 0.3 * sign;
        let thigh = made.bone(format!("UpperLeg.{side}"), Some(root), at(x, 0.5, 0.0), at(x, 0.27, 0.0));
        let shin = made.bone(format!("LowerLeg.{side}"), Some(thigh), at(x, 0.28, 0.0), at(x, 0.15, 0.0));
        made.bone(format!("Foot.{side}"), Some(shin), at(x, 0.1, 0.0), at(x, 0.0, 0.2));
    }
    let legs = [["UpperLeg.L", "LowerLeg.L", "Foot.L"], ["UpperLeg.R", "LowerLeg.R", "Foot.R"]];
    assert_eq!(made.legs(), wanted(&legs));
}

#[test]
fn bent_and_spread_legs_are_legs() {
    let mut made = Made::default();
    let pelvis = made.bone("pelvis", None, at(0.0, 0.5, 0.0), at(0.0, 1.5, 0.0));
    for (side, sign) in SIDES {
        // Knees outside of the ankles and well ahead.
        let hip = made.bone(format!("a.{side}"), Some(pelvis), at(0.2 * sign, 0.4, 0.0), at(0.4 * sign, 0.3, 0.2));
        let knee = made.bone(format!("b.{side}"), Some(hip), at(0.4 * sign, 0.3, 0.2), at(0.35 * sign, 0.1, 0.05));
        made.bone(format!("c.{side}"), Some(knee), at(0.35 * sign, 0.06, 0.05), at(0.35 * sign, 0.0, 0.2));
    }
    assert_eq!(made.legs(), wanted(&[["a.L", "b.L", "c.L"], ["a.R", "b.R", "c.R"]]));
}

#[test]
fn legs_of_one_bone_are_refused_by_name() {
    let mut made = Made::default();
    let pelvis = trunk(&mut made);
    for (side, sign) in SIDES {
        made.bone(format!("leg.{side}"), Some(pelvis), at(0.2 * sign, 0.9, 0.0), at(0.2 * sign, 0.0, 0.0));
    }
    assert_eq!(made.error(), RigError::OneBone { joint: "leg.L".into() });
    // And one that floats has none.
    let mut made = Made::default();
    trunk(&mut made);
    assert_eq!(made.error(), RigError::NoLegs);
}

/// A body that looks along +Z or -Z, with a head ahead and feet that point there.
fn looking(ahead: f32, left: [&str; 2]) -> Made {
    let mut made = Made::default();
    let pelvis = made.bone("pelvis", None, at(0.0, 1.0, 0.0), at(0.0, 1.2, 0.4 * ahead));
    made.bone("head", Some(pelvis), at(0.0, 1.3, 0.5 * ahead), at(0.0, 1.6, 0.9 * ahead));
    for (name, sign) in [(left[0], 1.0), (left[1], -1.0)] {
        let x = 0.2 * sign;
        let thigh = made.bone(format!("thigh.{name}"), Some(pelvis), at(x, 0.9, 0.0), at(x, 0.5, 0.0));
        let shin = made.bone(format!("shin.{name}"), Some(thigh), at(x, 0.5, 0.02 * ahead), at(x, 0.15, 0.0));
        made.bone(format!("foot.{name}"), Some(shin), at(x, 0.1, 0.0), at(x, 0.0, 0.25 * ahead));
    }
    made
}

#[test]
fn feet_and_head_tell_the_facing_against_exchanged_names() {
    for (ahead, left, looks_ahead) in
        [(1.0, ["L", "R"], true), (1.0, ["R", "L"], true), (-1.0, ["L", "R"], false), (-1.0, ["R", "L"], false)]
    {
        let (skeleton, skin) = looking(ahead, left).build();
        let rig = find_skinned_rig(&skeleton, Some(&skin), &[]).unwrap();
        let (vote, reason) = find_facing(&rig, Some(&skin), &[]);
        assert_eq!(vote > 0.1, looks_ahead, "{ahead} {left:?}: {vote}, {reason}");
        assert_eq!(vote < -0.1, !looks_ahead, "{ahead} {left:?}: {vote}, {reason}");
        // Sides are where legs are, whatever they are called.
        let rest = ModelPose::new(&skeleton);
        assert!(
            rig.legs.iter().all(|leg| (leg.side == Some(Side::Left)) == (rest[leg.ankle()].translation.x > 0.0)),
            "{rig:?}"
        );
    }
}

#[test]
fn wrong_rigs_are_refused_with_the_reason() {
    let (skeleton, skin) = looking(1.0, ["L", "R"]).build();
    let rest = Pose::rest(&skeleton);
    let good = find_skinned_rig(&skeleton, Some(&skin), &[]).unwrap();
    check_rig(&good, Some(&skin), &rest).unwrap();

    let mut floats = good.clone();
    let foot = &mut floats.legs[0].foot;
    (foot.heel.y, foot.ball.y) = (foot.heel.y + 0.3, foot.ball.y + 0.3);
    assert!(matches!(check_rig(&floats, Some(&skin), &rest), Err(RigError::Sole { .. })), "a sole in the air");

    let find = |name: &str| skeleton.find(name).unwrap();
    let mut high = good.clone();
    high.legs[0].chain = ["thigh.L", "thigh.L", "shin.L"].map(find).to_vec();
    let error = check_rig(&high, Some(&skin), &rest).unwrap_err();
    assert!(matches!(error, RigError::Sole { .. } | RigError::EndsHigh { .. }), "{error}");

    // One leg folded up.
    let mut folded = rest.clone();
    folded.locals[find("thigh.L").index()].rotation = Quat::from_rotation_x(-2.5);
    let error = check_rig(&good, None, &folded).unwrap_err();
    assert!(
        matches!(&error, RigError::InTheAir { ankle, .. } | RigError::EndsHigh { ankle, .. } if ankle == "foot.L"),
        "{error}"
    );
}

#[test]
fn what_may_be_a_leg_is_told_with_how_sure_it_is() {
    let (skeleton, skin) = looking(1.0, ["L", "R"]).build();
    let found = weigh_legs(&skeleton, Some(&skin), &[]);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|leg| leg.taken && leg.confidence > 0.9 && leg.doubt.is_empty()), "{found:?}");
    let made = loose_feet(true);
    let (skeleton, skin) = made.build();
    let found = weigh_legs(&skeleton, Some(&skin), &[]);
    assert!(found.iter().all(|leg| leg.taken && (0.6..1.0).contains(&leg.confidence)), "{found:?}");
}

/// An animator's controls over the bones that hold the skin, joint by joint in the same places: one leg, not two.
#[test]
fn a_leg_and_its_controls_are_one_leg() {
    let mut made = Made::default();
    let pelvis = trunk(&mut made);
    for (side, sign) in SIDES {
        let x = 0.2 * sign;
        let thigh = made.joint(format!("control thigh.{side}"), Some(pelvis), at(x, 0.9, 0.0));
        let shin = made.joint(format!("control shin.{side}"), Some(thigh), at(x, 0.5, 0.02));
        let foot = made.joint(format!("control foot.{side}"), Some(shin), at(x, 0.1, 0.0));
        // A toe that follows the controls holds skin.
        made.bone(format!("toe.{side}"), Some(foot), at(x, 0.02, 0.12), at(x, 0.0, 0.2));
        leg(&mut made, side, pelvis, x, 0.0);
    }
    assert_eq!(made.legs(), wanted(&[["thigh.L", "shin.L", "foot.L"], ["thigh.R", "shin.R", "foot.R"]]));
}

/// Toes that hang from no foot lie on the ground; however many bones they have, no hip is down there.
#[test]
fn toes_by_themselves_are_no_legs() {
    let mut made = Made::default();
    let root = made.joint("root", None, at(0.0, 0.0, 0.0));
    let pelvis = made.bone("pelvis", Some(root), at(0.0, 1.0, 0.0), at(0.0, 1.8, 0.0));
    for (side, sign) in SIDES {
        leg(&mut made, side, pelvis, 0.2 * sign, 0.0);
        for (claw, aside) in [("inner", 0.12), ("outer", 0.3)] {
            let mut above = root;
            for k in 0..3 {
                let z = 0.15 + 0.2 * k as f32;
                let [from, to] = [z, z + 0.2].map(|z| at(aside * sign, 0.02, z));
                above = made.bone(format!("{claw}{k}.{side}"), Some(above), from, to);
            }
        }
    }
    assert_eq!(made.legs().len(), 2, "{:?}", made.legs());
}

/// Hips below which only legs hang, beside the spine: what carries both is the body.
#[test]
fn the_body_is_what_carries_legs_and_trunk() {
    let mut made = Made::default();
    let root = made.joint("root", None, at(0.0, 1.0, 0.0));
    let hips = made.bone("hips", Some(root), at(0.0, 1.0, 0.0), at(0.0, 0.9, 0.0));
    let mut above = root;
    for (k, name) in ["spine", "chest", "head"].iter().enumerate() {
        let y = 1.1 + 0.25 * k as f32;
        above = made.bone(*name, Some(above), at(0.0, y, 0.0), at(0.0, y + 0.25, 0.0));
    }
    for (side, sign) in SIDES {
        leg(&mut made, side, hips, 0.2 * sign, 0.0);
    }
    let (skeleton, skin) = made.build();
    let rig = find_skinned_rig(&skeleton, Some(&skin), &[]).unwrap();
    assert_eq!(rig.skeleton.name(rig.body()), "root");
}

/// A sword that reaches farther down than feet do is nothing to stand on.
#[test]
fn what_hands_hold_is_no_leg() {
    let mut made = Made::default();
    let pelvis = trunk(&mut made);
    for (side, sign) in SIDES {
        leg(&mut made, side, pelvis, 0.2 * sign, 0.0);
        let arm = made.bone(format!("arm.{side}"), Some(pelvis), at(0.3 * sign, 1.4, 0.0), at(0.4 * sign, 1.1, 0.0));
        let hand = made.bone(format!("hand.{side}"), Some(arm), at(0.4 * sign, 1.1, 0.0), at(0.4 * sign, 0.9, 0.0));
        let low = if side == "L" { -0.6 } else { 0.7 };
        made.bone(format!("slot.{side}"), Some(hand), at(0.4 * sign, 0.9, 0.0), at(0.4 * sign, low, 0.2));
    }
    assert_eq!(made.legs(), wanted(&[["thigh.L", "shin.L", "foot.L"], ["thigh.R", "shin.R", "foot.R"]]));
}
