//! Files that are whole come back bit for bit; all others are refused by name.

use super::made::small;
use super::*;
use std::path::PathBuf;
use surefoot::glam::Vec3A;
use surefoot::math::Rigid;
use surefoot::random::{Rng, Seed};
use surefoot::rig::JointId;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/graphs").join(name)
}

#[test]
fn a_graph_comes_back_bit_for_bit() {
    let mut graph = small();
    let again = |graph: &MotionGraph| {
        let bytes = write(graph);
        let back = read(&bytes).unwrap();
        assert_eq!(&back, graph);
        assert_eq!(write(&back), bytes, "the same bytes");
        for (a, b) in back.takes.iter().zip(&graph.takes) {
            assert_eq!(a.clip.digest(), b.clip.digest(), "every bit");
        }
        bytes.len()
    };
    let plain = again(&graph);
    // What is rare comes back, too: negative zero, a joint that moves against its parent, weights, pairs, a foot outside.
    graph.takes[0].clip.frame_mut(3)[2].translation.x = -0.0;
    graph.takes[1].clip.frame_mut(0)[5].translation.z += 0.01;
    graph.takes[1].clip = graph.takes[1].clip.clone().with_cycle(Some(Rigid::from_translation(Vec3A::Z)));
    graph.settings.weights = Some(vec![1.0, 0.5, 0.25, 0.0, 0.5, 0.25, 0.0]);
    graph.settings.anim_pairs = Some(vec![(0, 1), (1, 1)]);
    graph.settings.skip = false;
    graph.chosen.given = true;
    graph.rig.legs[1].toe = Some(JointId(6));
    graph.rig.legs[1].shin = Some(Vec3A::new(0.0, -0.4, 0.0));
    graph.rig.legs[0].side = None;
    graph.rig.skeleton = graph.rig.skeleton.clone().with_pelvis(JointId(1));
    let rare = again(&graph);
    // A joint that keeps its place costs no translations.
    assert!(rare > plain + 12 * (26 + 23) - 24, "{plain} {rare}");
}

#[test]
fn a_file_that_is_cut_anywhere_is_refused() {
    let bytes = write(&small());
    for length in 0..bytes.len() {
        let error = read(&bytes[..length]).unwrap_err();
        let cut = matches!(error, GraphFileError::Truncated { has, .. } if has == length as u64);
        assert!(cut || length == 0 && matches!(error, GraphFileError::NotAGraph), "{length}: {error}");
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(matches!(read(&longer), Err(GraphFileError::Longer { extra: 1 })), "one byte more");
}

#[test]
fn a_file_with_one_bit_changed_is_refused() {
    let mut bytes = write(&small());
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            let error = read(&bytes).unwrap_err();
            assert!(at < 24 || matches!(error, GraphFileError::Altered { .. }), "byte {at}: {error}");
            bytes[at] ^= 1 << bit;
        }
    }
}

#[test]
fn other_versions_are_refused_by_name() {
    let mut bytes = write(&small());
    for (version, words) in [(3_u32, "version 3 of the format is newer"), (0, "version 0"), (u32::MAX, "newer")] {
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        let error = read(&bytes).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains("reads"), "{error}");
    }
    assert!(matches!(read(b"HIERARCHY\nROOT Hips"), Err(GraphFileError::NotAGraph)), "a BVH file");
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let good = small();
    type Change = fn(&mut stored::Graph);
    let cases: &[(&str, Change)] = &[
        ("the rest pose of joint \"LeftLeg\" is not a rotation", |g| g.joints[2].rest.rotation[3] = 2.0),
        ("the rest pose of joint \"Hips\" has a number that is none", |g| g.joints[0].rest.translation[1] = f32::NAN),
        ("joint 2 (\"LeftLeg\") hangs from joint 2", |g| g.joints[2].parent = Some(2)),
        ("joint 0 (\"Hips\") hangs from joint 3", |g| g.joints[0].parent = Some(3)),
        ("the pelvis is joint 0 of 0", |g| {
            g.joints.clear();
            g.tips.clear();
        }),
        ("the pelvis is joint 7 of 7", |g| g.pelvis = 7),
        ("a bone ends at joint 9 of 7", |g| g.tips[0].joint = 9),
        ("leg 1 has joint 99 of 7", |g| g.legs[0].chain[2] = 99),
        ("leg 2 has 2 joints and 1 hinges", |g| g.legs[1].chain.truncate(2)),
        ("the hinge of leg 1 is not a direction", |g| g.legs[0].hinges[0] = [0.0; 3]),
        ("leg 1 has a sole of NaN m", |g| g.legs[0].length = f32::NAN),
        ("rule number 7", |g| g.settings.rule = 7),
        ("rate is 0", |g| g.settings.rate = 0.0),
        ("blend is NaN", |g| g.settings.blend = f32::NAN),
        ("number of weights is 1", |g| g.settings.weights = Some(vec![1.0])),
        ("clips 0 and 2 of 2 are a pair", |g| g.settings.anim_pairs = Some(vec![(0, 2)])),
        ("two thresholds", |g| g.threshold *= 2.0),
        ("a threshold of NaN m", |g| g.threshold = f32::NAN),
        ("it holds no clip", |g| {
            g.takes.clear();
            g.transitions.clear();
        }),
        ("clip \"walk\": its rate is 20 Hz", |g| g.takes[0].rate = 20.0),
        ("26 frames of 7 joints, but 181 rotations", |g| g.takes[0].rotations.truncate(181)),
        ("0 frames", |g| g.takes[1].roots.clear()),
        ("joint \"LeftUpLeg\" in frame 2 is not a rotation", |g| g.takes[0].rotations[15] = [0.0; 4]),
        ("joint \"Hips\" in frame 1 has a number that is none", |g| g.takes[0].translations[1][0] = f32::INFINITY),
        ("the root in frame 5 is not a rotation", |g| g.takes[1].roots[5].rotation[0] = f32::NAN),
        ("joints that move are out of order", |g| g.takes[0].moved[0] = 7),
        ("leg 2 of 2 stands", |g| g.takes[0].stances[0].leg = 2),
        ("stands in frames 20 to 27 of 26", |g| g.takes[0].stances[1].ball = (20, 27)),
        ("stands in frames 9 to 3", |g| g.takes[0].stances[1].frames = (9, 3)),
        ("its stances are out of order", |g| g.takes[0].stances.reverse()),
        ("does not fit", |g| g.transitions[0].from.0 = 2),
        ("does not fit", |g| g.transitions[0].from.1 = 24),
        ("does not fit", |g| g.transitions[0].to.1 = 1),
        ("does not fit", |g| g.transitions[0].to.1 = u32::MAX),
        ("has a distance of NaN m", |g| g.transitions[1].distance = f32::NAN),
        ("its transitions are out of order", |g| g.transitions.reverse()),
    ];
    for (words, change) in cases {
        let mut stored = stored::Graph::of(&good);
        change(&mut stored);
        let error = read(&sealed(&stored, &stored::Moves::of(&good))).expect_err(words).to_string();
        assert!(error.starts_with("damaged: ") && error.contains(words), "{words}: {error}");
    }
}

/// A file of these parts.
fn sealed(graph: &stored::Graph, moves: &stored::Moves) -> Vec<u8> {
    let head = write(&small())[..HEAD].to_vec();
    let bytes = postcard::to_extend(graph, head).unwrap();
    resealed(postcard::to_extend(moves, bytes).unwrap()).unwrap()
}

#[test]
fn moves_come_with_the_graph_and_are_its_own() {
    let graph = small();
    assert_eq!(graph.astray(1000), [], "nothing is known yet");
    let back = read(&write(&graph)).unwrap();
    assert_eq!(back.astray(1000), []);
    graph.lay_out();
    assert_eq!((back.pace().to_bits(), back.stands()), (graph.pace().to_bits(), graph.stands()));
    // Moves are what the file says, not derived: others are taken, and seen by those who look.
    let mut moves = stored::Moves::of(&graph);
    assert!(moves.ways.len() == graph.blend_poses() && !moves.ways.is_empty(), "{}", moves.ways.len());
    moves.ways[1][0] += 0.25;
    let other = read(&sealed(&stored::Graph::of(&graph), &moves)).unwrap();
    let astray = other.astray(1000);
    assert!(astray.len() == 1 && (astray[0].off - 0.25).abs() < 1e-3, "{astray:?}");
    assert!(other == graph && other.clone().astray(1000) == astray, "moves follow from the graph, and go with it");
}

#[test]
fn moves_that_do_not_fit_are_refused_by_name() {
    let good = small();
    type Change = fn(&mut stored::Moves);
    let cases: &[(&str, Change)] = &[
        ("places, and should through", |m| m.ways.clear()),
        ("places, and should through", |m| m.ways.push([0.0; 3])),
        ("place 0 of its blends has a number that is none", |m| m.ways[0][0] = f32::NAN),
        ("place 3 of its blends has a number that is none", |m| m.ways[3][1] = f32::NEG_INFINITY),
        ("place 1 of its blends has a number that is none", |m| m.ways[1][2] = 1e10),
    ];
    for (words, change) in cases {
        let mut moves = stored::Moves::of(&good);
        change(&mut moves);
        let error = read(&sealed(&stored::Graph::of(&good), &moves)).expect_err(words).to_string();
        assert!(error.starts_with("damaged: ") && error.contains(words), "{words}: {error}");
    }
    // Cut off before or within the moves, or with something after them.
    let whole = write(&good);
    let graph = postcard::to_extend(&stored::Graph::of(&good), whole[..HEAD].to_vec()).unwrap();
    for length in [graph.len(), graph.len() + 1, whole.len() - 1] {
        let error = read(&resealed(whole[..length].to_vec()).unwrap()).unwrap_err().to_string();
        assert!(error.contains("sections cannot be read"), "{length}: {error}");
    }
    let longer = read(&resealed([whole.as_slice(), &[0; 5]].concat()).unwrap()).unwrap_err().to_string();
    assert!(longer.contains("5 bytes follow its last number"), "{longer}");
    // A count of 2^60 places.
    let many = [graph.as_slice(), &[0x80; 8], &[0x10]].concat();
    assert!(
        matches!(read(&resealed(many).unwrap()), Err(GraphFileError::Damaged { .. } | GraphFileError::Parts(_))),
        "refused"
    );
}

#[test]
fn broken_files_with_true_checksums_give_a_graph_or_an_error() {
    let good = write(&small());
    let mut rng = Rng::new(Seed(6)).stream("graph");
    let mut read_again = 0;
    for _ in 0..20_000 {
        let mut bytes = good.clone();
        for _ in 0..=rng.below(3) {
            let at = 24 + rng.below(bytes.len() - 24);
            bytes[at] = rng.bits() as u8;
        }
        bytes.truncate(if rng.below(4) == 0 { 24 + rng.below(bytes.len() - 24) } else { bytes.len() });
        if let Ok(graph) = read(&resealed(bytes).unwrap()) {
            assert_eq!(read(&write(&graph)).as_ref().ok(), Some(&graph));
            // What was read can be searched.
            let _ = (graph.stands(), graph.astray(3));
            read_again += 1;
        }
    }
    assert!(read_again > 100, "{read_again}");
}

#[test]
fn counts_that_lie_cost_no_memory() {
    // A payload that says it holds 2^60 joints.
    let mut bytes = write(&small())[..24].to_vec();
    bytes.extend([0x80; 8]);
    bytes.push(0x10);
    assert!(
        matches!(read(&resealed(bytes).unwrap()), Err(GraphFileError::Damaged { .. } | GraphFileError::Parts(_))),
        "refused"
    );
}

/// What version 1 wrote must be read for ever (`--example golden_graph` writes such a file).
#[test]
fn files_of_version_1_are_read() {
    let graph = load(&golden("version-1.graph")).unwrap();
    assert_eq!((graph.takes.len(), graph.frames(), graph.rig.legs.len()), (2, 49, 2));
    assert_eq!((graph.takes[0].clip.name(), graph.takes[0].clip.digest()), ("walk", GOLDEN));
    assert_eq!(graph.misfits(1000), [], "its distances still fit");
    assert!(graph.stands() || graph.pace() > 0.0, "moves are derived");
}

/// What version 2 wrote must be read for ever.
#[test]
fn files_of_version_2_are_read() {
    let graph = load(&golden("version-2.graph")).unwrap();
    assert_eq!((graph.takes.len(), graph.frames(), graph.rig.legs.len()), (2, 49, 2));
    assert_eq!((graph.takes[0].clip.name(), graph.takes[0].clip.digest()), ("walk", GOLDEN));
    assert_eq!((graph.misfits(1000), graph.astray(1000)), (vec![], vec![]), "its distances and moves still fit");
    let old = load(&golden("version-1.graph")).unwrap();
    // The same graph, but for last digits of distances.
    let ends = |graph: &MotionGraph| graph.transitions.iter().map(|t| (t.from, t.to)).collect::<Vec<_>>();
    assert!(graph.takes == old.takes && ends(&graph) == ends(&old), "the same graph");
    assert!((graph.pace() - old.pace()).abs() < 1e-4, "moves derived and stored are the same");
}

/// The first take of the files above.
const GOLDEN: u64 = 0xa0d436ed0239119a;
