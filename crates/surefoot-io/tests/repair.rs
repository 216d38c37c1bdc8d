//! Repair of real captures: known glitches are found, made-up ones mended, and good motion is left alone.

use std::path::Path;
use surefoot::analyse::{Studied, Study};
use surefoot::glam::Quat;
use surefoot::math::quat;
use surefoot::motion::Clip;
use surefoot::random::{Rng, Seed};
use surefoot::rig::Skeleton;
use surefoot::stages::{Repair, RepairNote};
use surefoot::stages::{Repaired, Trajectories};
use surefoot_io::{Import, ImportSettings, embedded, load};

fn study(name: &str) -> (Skeleton, Clip, Studied) {
    let Import { skeleton, mut clips, .. } = embedded::find(name).unwrap().import();
    let studied = Study::default().run(&skeleton, &clips[0]).unwrap();
    (skeleton, clips.remove(0), studied)
}

#[test]
fn known_glitches_are_found_and_little_else_is_touched() {
    // At 60 Hz, frames of the embedded clips.
    for (name, joint, frame) in [
        ("16_15", "LeftArm", 0),
        ("16_23", "RightArm", 1),
        ("16_17", "Hips", 237),
        ("16_17", "LeftUpLeg", 237),
        ("16_17", "RightUpLeg", 237),
        ("47_01", "RThumb", 228),
    ] {
        let (skeleton, _, studied) = study(name);
        let hit = studied.notes.iter().any(|note| match note {
            RepairNote::Spike { joint: j, frames, .. } => {
                skeleton.name(*j) == joint && frames.start <= frame + 1 && frame <= frames.end
            }
            _ => false,
        });
        assert!(hit, "{name}: {joint} at {frame} is not among {:?}", studied.notes);
    }
    // At 120 Hz, rows of the source files: the first is a T-pose and is taken out.
    let glitches = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/glitches");
    for (name, joint, rows) in [
        ("16_13", "LeftToeBase", 226..227),
        ("16_17", "Hips", 475..477),
        ("16_29", "LeftToeBase", 107..109),
        ("16_33", "LeftToeBase", 179..180),
        ("16_48", "RightToeBase", 128..129),
        ("16_58", "LeftToeBase", 60..61),
    ] {
        let import = load(&glitches.join(name).with_extension("bvh"), &ImportSettings::default()).unwrap();
        let repaired = Repair::default().run(&import.skeleton, &import.clips[0]);
        let hit = repaired.notes.iter().any(|note| match note {
            RepairNote::Spike { joint: j, frames, .. } => {
                // Within a frame of the row named.
                let (start, end) = (frames.start + 1, frames.end + 1);
                import.skeleton.name(*j) == joint && start <= rows.end && rows.start <= end
            }
            _ => false,
        });
        assert!(hit, "{name}: {joint} in rows {rows:?} is not among {:?}", repaired.notes);
    }
    let (mut changed, mut all) = (0, 0);
    for clip in embedded::CLIPS {
        let (skeleton, _, studied) = study(clip.name);
        let spikes = studied.notes.iter().map(|note| match note {
            RepairNote::Spike { frames, .. } => frames.len(),
            _ => 0,
        });
        changed += spikes.sum::<usize>();
        all += studied.take.clip.frames() * skeleton.len();
    }
    assert!((changed as f32) < 0.001 * all as f32, "{changed} of {all} joint-frames");
}

#[test]
fn a_foot_that_is_turned_away_for_a_while_is_bridged_and_told() {
    // Markers that are taken for each other turn a foot about at once, and at once back.
    let Import { skeleton, clips, .. } = embedded::find("16_15").unwrap().import();
    let good = Repair::default().run(&skeleton, &clips[0]).clip;
    let foot = skeleton.find("LeftFoot").unwrap();
    let turned = |frames: std::ops::Range<usize>| {
        let mut bad = good.clone();
        for f in frames {
            bad.frame_mut(f)[foot.index()].rotation *= Quat::from_rotation_x(3.0);
        }
        Repair::default().run(&skeleton, &bad)
    };
    for start in [40, 77, 120, 163] {
        for length in [6, 10, 14] {
            let frames = start..start + length;
            let Repaired { clip, notes, .. } = turned(frames.clone());
            let told = |note: &RepairNote| match note {
                RepairNote::Spike { joint, frames: at, turn } => {
                    *joint == foot && at.start <= frames.start && at.end >= frames.end && *turn > 2.5
                }
                _ => false,
            };
            assert!(notes.iter().any(told), "{frames:?}: {notes:?}");
            for f in 0..good.frames() {
                let rotation = |clip: &Clip| clip.frame(f)[foot.index()].rotation;
                let off = quat::angle_between(rotation(&clip), rotation(&good)).to_degrees();
                // Between its neighbours the way is not known; beside them nothing is changed.
                let near = frames.start.saturating_sub(4)..frames.end + 4;
                assert!(off < if near.contains(&f) { 25.0 } else { 0.1 }, "{frames:?}: {off}° off at {f}");
            }
        }
    }
    // What stays turned cannot be bridged, and is told.
    let stays = turned(100..good.frames());
    let told = |note: &RepairNote| matches!(note, RepairNote::Turned { joint, frames, .. } if *joint == foot && frames.contains(&100));
    assert!(stays.notes.iter().any(told), "{:?}", stays.notes);
    let none = |note: &RepairNote| matches!(note, RepairNote::Turned { .. });
    assert!(!turned(0..0).notes.iter().any(none), "nothing is turned in a good clip");
}

#[test]
fn a_leap_at_an_end_is_mended_though_it_is_less_than_one_in_the_middle_must_be() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/bvh/02_01.bvh");
    let Import { skeleton, clips, .. } = load(&file, &ImportSettings::default()).unwrap();
    let clean = Repair::default().run(&skeleton, &clips[0]).clip;
    let joint = skeleton.find("LeftForeArm").unwrap();
    let last = clean.frames() - 1;
    for (frame, next) in [(0, 1), (last, last - 1)] {
        let mut spoiled = clean.clone();
        let local = &mut spoiled.frame_mut(frame)[joint.index()].rotation;
        *local *= Quat::from_rotation_x(12.0_f32.to_radians());
        let mended = Repair::default().run(&skeleton, &spoiled).clip;
        let at = |f: usize| mended.frame(f)[joint.index()].rotation;
        let step = quat::angle_between(at(frame), at(next)).to_degrees();
        assert!(step < 3.0, "frame {frame}: a step of {step}° is left");
    }
    // What begins at once and goes on is a movement.
    let mut swung = clean.clone();
    for f in 0..swung.frames() {
        let turn = 6.0_f32.to_radians() * f.min(12) as f32;
        swung.frame_mut(f)[joint.index()].rotation *= Quat::from_rotation_x(turn);
    }
    let kept = Repair::default().run(&skeleton, &swung).clip;
    let off =
        |f: usize| quat::angle_between(kept.frame(f)[joint.index()].rotation, swung.frame(f)[joint.index()].rotation);
    assert!((0..4).all(|f| off(f) < 1e-3), "a movement is left alone");
}

#[test]
fn a_joint_is_not_mended_against_what_holds_it_still() {
    // Hips that are turned and a back that is turned against them: the head stays where it is, mended or not.
    let Import { skeleton, clips, .. } = embedded::find("16_15").unwrap().import();
    let good = Repair::default().run(&skeleton, &clips[0]).clip;
    let [hips, back, head] = ["Hips", "LowerBack", "Head"].map(|name| skeleton.find(name).unwrap());
    let mut bad = good.clone();
    for f in 120..122 {
        let turn = Quat::from_rotation_z(0.2);
        bad.frame_mut(f)[hips.index()].rotation *= turn;
        let own = bad.frame(f)[back.index()].rotation;
        bad.frame_mut(f)[back.index()].rotation = turn.conjugate() * own;
    }
    let mended = Repair::default().run(&skeleton, &bad).clip;
    let (was, is) = (Trajectories::new(&skeleton, &good), Trajectories::new(&skeleton, &mended));
    for f in 110..132 {
        let moved = (was.point(f, head) - is.point(f, head)).length();
        assert!(moved < 0.02, "the head is {moved} m off at {f}");
    }
}

#[test]
fn made_up_spikes_are_mended_to_two_degrees() {
    let mut rng = Rng::new(Seed(9)).stream("spikes");
    // Walks: at 60 Hz the arms of a jog turn so sharply that a missing frame cannot be told to two degrees.
    for name in ["16_15", "16_21", "16_47", "47_01"] {
        let Import { skeleton, clips, .. } = embedded::find(name).unwrap().import();
        let good = Repair::default().run(&skeleton, &clips[0]).clip;
        let good = Repair::default().run(&skeleton, &good).clip;
        for _ in 0..40 {
            // Any joint but toes and fingers, whose own unrest is as large.
            let joints = ["Hips", "LeftUpLeg", "RightLeg", "LeftFoot", "Spine", "LeftArm", "RightForeArm", "Head"];
            let joint = skeleton.find(joints[rng.below(joints.len())]).unwrap();
            let frame = 10 + rng.below(good.frames() - 20);
            let mut bad = good.clone();
            let turn = Quat::from_rotation_z(rng.range(0.7, 2.5) * if rng.unit() < 0.5 { -1.0 } else { 1.0 });
            for f in frame..frame + 1 + rng.below(2) {
                bad.frame_mut(f)[joint.index()].rotation *= turn;
            }
            let mended = Repair::default().run(&skeleton, &bad).clip;
            for f in 0..good.frames() {
                let off =
                    quat::angle_between(mended.frame(f)[joint.index()].rotation, good.frame(f)[joint.index()].rotation);
                assert!(
                    off.to_degrees() < 2.0,
                    "{name}: {} is {:.1}° off at {f}, spike at {frame}",
                    skeleton.name(joint),
                    off.to_degrees()
                );
            }
        }
    }
}

#[test]
fn hips_that_turn_against_their_legs_are_mended_with_them() {
    let Import { skeleton, clips, .. } = embedded::find("16_15").unwrap().import();
    let good = Repair::default().run(&skeleton, &clips[0]).clip;
    let hips = skeleton.pelvis();
    let mut bad = good.clone();
    let turn = Quat::from_rotation_z(0.5);
    bad.frame_mut(120)[hips.index()].rotation *= turn;
    for child in skeleton.children(hips).collect::<Vec<_>>() {
        let local = &mut bad.frame_mut(120)[child.index()].rotation;
        *local = turn.conjugate() * *local;
    }
    let mended = Repair::default().run(&skeleton, &bad).clip;
    let (a, b) = (Trajectories::new(&skeleton, &good), Trajectories::new(&skeleton, &mended));
    for joint in skeleton.joints() {
        let off = (a.point(120, joint) - b.point(120, joint)).length();
        assert!(off < 0.02, "{} is {off} m off", skeleton.name(joint));
    }
}

#[test]
fn a_jump_of_the_root_is_cut() {
    let Import { skeleton, clips, .. } = embedded::find("16_15").unwrap().import();
    let mut clip = clips[0].clone();
    for f in 200..clip.frames() {
        clip.frame_mut(f)[0].translation.x += 3.0;
    }
    let repaired = Repair::default().run(&skeleton, &clip);
    assert_eq!(repaired.clip.frames(), 200);
    assert!(repaired.notes.contains(&RepairNote::Cut { kept: 0..200, jump: 200 }), "{:?}", repaired.notes);
    let kept = Repair { teleports: false, ..Repair::default() }.run(&skeleton, &clip);
    assert_eq!(kept.clip.frames(), clip.frames());
}

#[test]
fn a_hop_of_one_frame_is_mended_and_not_cut_for() {
    let Import { skeleton, clips, .. } = embedded::find("16_15").unwrap().import();
    let mut clip = clips[0].clone();
    clip.frame_mut(120)[0].translation.y += 0.5;
    let repaired = Repair::default().run(&skeleton, &clip);
    assert_eq!(repaired.clip.frames(), clip.frames(), "{:?}", repaired.notes);
    let off = (repaired.clip.frame(120)[0].translation - clips[0].frame(120)[0].translation).length();
    assert!(off < 5e-3, "{off} m off");
}

#[test]
fn giants_and_slow_rates_are_not_mended_to_death() {
    let Import { skeleton, clips, .. } = embedded::find("16_15").unwrap().import();
    let slow = Repair::default().run(&skeleton, &clips[0].resampled(5.0));
    assert!(slow.notes.is_empty(), "{:?}", slow.notes);
    let settings = ImportSettings { unit: Some("1".parse().unwrap()), ..ImportSettings::default() };
    let giant = surefoot_io::bvh::read(embedded::find("16_15").unwrap().text, "giant", &settings).unwrap();
    let repaired = Repair::default().run(&giant.skeleton, &giant.clips[0]);
    assert_eq!(repaired.clip.frames(), giant.clips[0].frames(), "{:?}", repaired.notes);
}

#[test]
fn frozen_ends_are_cut() {
    let Import { skeleton, clips, .. } = embedded::find("16_15").unwrap().import();
    let mut frames: Vec<usize> = vec![0; 5];
    frames.extend(1..100);
    frames.extend([99; 10]);
    let locals = frames.iter().flat_map(|f| clips[0].frame(*f).to_vec()).collect();
    let clip = Clip::new(&skeleton, "frozen", 60.0, locals).unwrap();
    let repaired = Repair { spikes: false, ..Repair::default() }.run(&skeleton, &clip);
    assert_eq!(repaired.notes, [RepairNote::Frozen { frames: 0..4 }, RepairNote::Frozen { frames: 104..114 }]);
    assert_eq!((repaired.clip.frames(), repaired.clip.frame(0)), (100, clips[0].frame(0)));
}
