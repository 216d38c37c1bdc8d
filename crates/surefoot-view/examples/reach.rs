//! A whole body that reaches with one hand while its feet stay, in the middle of a walk.
//!
//! `cargo run --release -p surefoot-view --features png --example reach -- docs/reach.png` draws what came of it.

use std::error::Error;
use surefoot::analyse::find_rig;
use surefoot::glam::Vec3A;
use surefoot::ik::FullBody;
use surefoot::rig::{ModelPose, Pose};
use surefoot_io::{Import, embedded};
use surefoot_view::reach_picture::{Goal, draw};

fn main() -> Result<(), Box<dyn Error>> {
    let Import { skeleton, clips, .. } = embedded::find("16_15").ok_or("not built in")?.import();
    let rig = find_rig(&skeleton, &[&clips[0]])?;

    // A pose of the walk, on the spot and facing +Z.
    let mut pose = Pose::rest(&skeleton);
    let mut clip = clips[0].clone();
    clip.extract_root(&skeleton);
    clip.sample(1.0, &mut pose);
    let mut before = ModelPose::new(&skeleton);
    pose.to_model(&skeleton, &mut before);

    // Down to the floor in front of it with the left hand; the feet stay where they are.
    let hand = skeleton.find("LeftHand").ok_or("no left hand")?;
    let target = Vec3A::new(0.25, 0.35, 0.6);
    let mut body = FullBody::new(&skeleton, &rig.legs, &[hand]);
    let report = body.run(&skeleton, &mut pose, &[target]);
    println!("{report:?}");

    let mut after = ModelPose::new(&skeleton);
    pose.to_model(&skeleton, &mut after);
    let mut goals = vec![Goal { name: "LeftHand".into(), target, reached: after[hand].translation, held: false }];
    for leg in &rig.legs {
        let (target, reached) = (before[leg.ankle()].translation, after[leg.ankle()].translation);
        println!("{} moved {:.2} mm", skeleton.name(leg.ankle()), 1e3 * (reached - target).length());
        goals.push(Goal { name: skeleton.name(leg.ankle()).into(), target, reached, held: true });
    }
    if let Some(path) = std::env::args().nth(1) {
        let words = format!("{} steps, hand {:.2} mm from its target", report.steps, 1e3 * report.metres);
        let svg = draw(&skeleton, [&before, &after], &goals, ["A reach in the middle of a walk", &words]);
        std::fs::write(path, svg.png())?;
    }
    Ok(())
}
