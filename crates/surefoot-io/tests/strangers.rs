//! Characters of strangers: rigs that nobody made for us, each with something that misleads. Found whole, or refused with a
//! reason and a file to choose legs from.

use std::path::PathBuf;
use surefoot::analyse::{RigError, find_skinned_rig, weigh_legs};
use surefoot::motion::Clip;
use surefoot::rig::{Rig, Side};
use surefoot_io::rig_file;
use surefoot_io::{CharacterError, Import, ImportSettings, LoadCharacter, Warning, load};

fn import(name: &str) -> Import {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets/strangers").join(name);
    load(&path, &ImportSettings::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn rig(import: &Import) -> Result<Rig, RigError> {
    let clips: Vec<&Clip> = import.clips.iter().collect();
    find_skinned_rig(&import.skeleton, import.skin.as_ref(), &clips)
}

/// Hip, knee and ankle of the left legs, front before back, by name.
fn left_legs(rig: &Rig) -> Vec<[&str; 3]> {
    let name = |joint| rig.skeleton.name(joint);
    let left = rig.legs.iter().filter(|leg| leg.side == Some(Side::Left));
    left.map(|leg| [name(leg.hip()), name(leg.chain[1]), name(leg.ankle())]).collect()
}

/// A file, its left legs, and the axis it faces.
type Known = (&'static str, &'static [[&'static str; 3]], &'static str);

const LEGGED: &[Known] = &[
    // Feet that hang from the root, pelvis bones, a tail beside the middle.
    ("q_dino_Parasaurolophus.glb", &[["BackUpLeg.L", "BackLowLeg.L", "BackFoot.L"]], "+z"),
    // No joint carries a foot, and what is called left is on the right.
    (
        "xyz_043_Firellama.glb",
        &[["frontleg.001.R", "frontleg.002.R", "frontleg.002.R"], ["backleg.001.R", "backleg.002.R", "backleg.002.R"]],
        "+z",
    ),
    // The skin of one hind foot hangs from a handle; the tail lies on the ground.
    (
        "xyz_013_Octogecko.glb",
        &[["shoulder.L", "front_thigh.L", "front_foot.L"], ["thigh.L", "shin.L", "foot.L"]],
        "+z",
    ),
    // Four toes a foot.
    (
        "xyz_048_Frogaxon.glb",
        &[["front_thigh.L", "front_shin.L", "front_foot.L"], ["thigh.L", "shin.L", "foot.L.001"]],
        "+z",
    ),
    // A mesh that is not read, and feet and pole targets that hang from the root.
    ("q_space_Mech_Finn.glb", &[["UpperLeg.L", "LowerLeg.L", "Foot.L"]], "+z"),
    // Names that say nothing, end bones, and it looks along +x.
    #[cfg(feature = "fbx")]
    ("qf_Chick.fbx", &[["Bone.006", "Bone.007", "Bone.008"]], "+x"),
];

#[test]
fn legs_and_facing_are_found() {
    for (file, legs, facing) in LEGGED {
        let import = import(file);
        let rig = rig(&import).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(left_legs(&rig), *legs, "{file}");
        assert_eq!(rig.legs.len(), 2 * legs.len(), "{file}: as many on the right");
        assert_eq!(import.source.forward.value.to_string(), *facing, "{file}: {}", import.source.forward.reason);
    }
}

#[test]
fn they_stand_and_their_rig_files_come_back() {
    for (file, ..) in LEGGED {
        let import = import(file);
        let rig = rig(&import).unwrap();
        let clips: Vec<&Clip> = import.clips.iter().collect();
        let limbs = weigh_legs(&import.skeleton, import.skin.as_ref(), &clips);
        let text = rig_file::write_weighed(&import.skeleton, Ok(&rig), &limbs);
        let back = rig_file::read_skinned(&text, &import.skeleton, import.skin.as_ref(), &clips)
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        for (a, b) in rig.legs.iter().zip(&back.legs) {
            assert_eq!((a.side, &a.chain), (b.side, &b.chain), "{file}");
            let off = (a.foot.ball - b.foot.ball).length().max((a.hinges[0] - b.hinges[0]).length());
            assert!(off < 1e-5, "{file}: {a:?} {b:?}");
        }
        assert!(limbs.iter().filter(|limb| limb.taken).all(|limb| limb.confidence > 0.5), "{file}: {limbs:?}");
        let loaded = LoadCharacter { rig: Some(text), ..LoadCharacter::default() }.of_import(import);
        assert_eq!(loaded.unwrap_or_else(|error| panic!("{file}: {error}")).character.stand.legs.len(), rig.legs.len());
    }
}

#[test]
fn what_cannot_walk_is_refused_with_the_reason_and_a_template() {
    for (file, why) in [
        // Two stumps, and three tails on the ground.
        ("xyz_054_Scorpy.glb", "has one bone only"),
        ("kn_character.glb", "has one bone only"),
        // Fins are built as legs are.
        ("m2m_fish-whale.glb", "no legs found"),
    ] {
        let import = import(file);
        let error = rig(&import).unwrap_err();
        assert!(error.to_string().contains(why), "{file}: {error}");
        let clips: Vec<&Clip> = import.clips.iter().collect();
        let limbs = weigh_legs(&import.skeleton, import.skin.as_ref(), &clips);
        let text = rig_file::write_weighed(&import.skeleton, Err(&error), &limbs);
        assert!(text.contains(why) && text.contains("[[leg]]") && text.contains("ends lowest"), "{file}: {text}");
        // As it is it names no legs, so that they are looked for again, and refused.
        let again = rig_file::read_skinned(&text, &import.skeleton, import.skin.as_ref(), &clips).unwrap_err();
        assert_eq!(again.to_string(), error.to_string(), "{file}");
        let loaded = LoadCharacter::default().of_import(import);
        assert!(matches!(loaded, Err(CharacterError::Rig(_))), "{file}");
    }
}

#[test]
fn a_wrong_rig_file_is_refused_with_the_reason() {
    let import = import("q_dino_Parasaurolophus.glb");
    let clips: Vec<&Clip> = import.clips.iter().collect();
    let read = |text: &str| rig_file::read_skinned(text, &import.skeleton, import.skin.as_ref(), &clips);
    let leg = |side: &str, ankle: &str| {
        format!("[[leg]]\nhip = \"BackUpLeg.{side}\"\nknee = \"BackLowLeg.{side}\"\nankle = \"{ankle}.{side}\"\n")
    };
    let good = format!("version = 1\n{}{}", leg("L", "BackFoot"), leg("R", "BackFoot"));
    read(&good).unwrap();
    // A sole half a metre under the foot.
    let low = good.replacen("ankle = \"BackFoot.L\"\n", "ankle = \"BackFoot.L\"\nheel = [0.0, 0.0, 1.5]\n", 1);
    let error = read(&low).unwrap_err().to_string();
    assert!(error.contains("BackFoot.L") && error.contains("the lowest skin of its foot"), "{error}");
    // Arms, which end in the air beside legs.
    let arms = |side: &str| {
        format!("[[leg]]\nhip = \"FrontUpLeg.{side}\"\nknee = \"FrontLowLeg.{side}\"\nankle = \"FrontFoot.{side}\"\n")
    };
    let error = read(&format!("{good}{}{}", arms("L"), arms("R"))).unwrap_err().to_string();
    assert!(error.contains("FrontFoot.") && error.contains("over the ground"), "{error}");
}

#[test]
fn what_was_left_out_is_said() {
    let mech = import("q_space_Mech_Finn.glb");
    assert!(mech.skin.is_none() && mech.clips.len() > 10);
    assert!(
        mech.warnings.iter().any(|warning| matches!(warning, Warning::MeshesLeftOut { .. })),
        "{:?}",
        mech.warnings
    );
    let llama = import("xyz_043_Firellama.glb");
    assert!(llama.warnings.contains(&Warning::Mirrored), "sides are exchanged: {:?}", llama.warnings);
}
