//! Where every joint is in every frame, as JSON: for comparing with other programs.
//!
//! `cargo run --release -p surefoot-io --features fbx --example places -- FILE > places.json`

use serde_json::{Value, json};
use surefoot::rig::{ModelPose, Pose};
use surefoot_io::{ImportSettings, load};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: places FILE")?;
    let import = load(path.as_ref(), &ImportSettings::default())?;
    let skeleton = &import.skeleton;
    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::new(skeleton);
    let mut clips = Vec::new();
    for clip in &import.clips {
        let mut frames: Vec<Value> = Vec::new();
        for frame in 0..clip.frames() {
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(skeleton, &mut model);
            frames.push(model.joints.iter().map(|joint| json!(joint.translation.to_array())).collect());
        }
        clips.push(json!({ "name": clip.name(), "rate": clip.rate(), "frames": frames }));
    }
    let joints: Vec<&str> = skeleton.joints().map(|joint| skeleton.name(joint)).collect();
    println!(
        "{}",
        json!({ "joints": joints, "rest_row": import.source.rest_row, "metres_per_unit": import.source.unit.value.metres(), "clips": clips })
    );
    Ok(())
}
