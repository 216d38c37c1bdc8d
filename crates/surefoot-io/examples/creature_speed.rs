//! How long one frame of a creature takes: `cargo run --release -p surefoot-io --example creature_speed`.

use std::path::Path as FilePath;
use std::time::Instant;
use surefoot::analyse::find_skinned_rig;
use surefoot::character::Character;
use surefoot::glam::Vec3;
use surefoot::motion::Clip;
use surefoot::plan::Path;
use surefoot::rig::Pose;
use surefoot::systems::{Creature, CreatureFrame, stride_of};
use surefoot::world::Terrain;
use surefoot_io::{ImportSettings, load};

fn main() {
    let folder = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/characters");
    for (file, walk) in [
        ("kaykit_Knight.glb", "Walking_A"),
        ("m2m_fox.glb", "Walk"),
        ("m2m_horse.glb", "Walk"),
        ("m2m_spider.glb", "Walk"),
        ("m2m_bird.glb", "Walk"),
    ] {
        let import = load(&folder.join(file), &ImportSettings::default()).expect("a character");
        let clips: Vec<&Clip> = import.clips.iter().collect();
        let rig = find_skinned_rig(&import.skeleton, import.skin.as_ref(), &clips).expect("legs");
        let named = |name: &str| import.clips.iter().find(|clip| clip.name() == name).expect("a clip");
        let mut pose = Pose::rest(&rig.skeleton);
        pose.locals.copy_from_slice(named("Idle").frame(0));
        let character = Character::new(rig, pose, &clips).expect("a stand");
        let path = Path::new(vec![Vec3::ZERO, 4.0 * Vec3::Z, Vec3::new(3.0, 0.0, 6.0)]);
        let ground = Terrain::Rubble { height: 0.1, size: 0.4 };
        for by_clip in [false, true] {
            let mut settings = Creature::default();
            settings.steps.stride = by_clip.then(|| stride_of(&character, named(walk)).expect("a cycle"));
            let begun = Instant::now();
            let motion = settings.plan(&character, &path, None, &ground);
            let planned = 1e3 * begun.elapsed().as_secs_f64();
            let mut frame = CreatureFrame::new(&character.rig);
            // The best of many rounds: others use this machine too.
            let (mut best, frames) = (f64::INFINITY, 1000);
            for _ in 0..30 {
                let begun = Instant::now();
                for i in 0..frames {
                    motion.pose_at(motion.seconds() * i as f32 / frames as f32, &mut frame);
                }
                best = best.min(1e6 * begun.elapsed().as_secs_f64() / f64::from(frames));
            }
            let how = if by_clip { "walk clip" } else { "idle pose" };
            println!(
                "{file:20} {how}: planned in {planned:6.1} ms, {best:5.1} µs a frame, {} legs",
                character.rig.legs.len()
            );
        }
    }
}
