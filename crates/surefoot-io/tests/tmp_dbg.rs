
use std::path::{Path as FilePath};
use surefoot::analyse::find_skinned_rig;
use surefoot::character::Character;
use surefoot::motion::Clip; use surefoot::glam::Vec3; use surefoot::world::Ground;
use surefoot::plan::Path;
use surefoot::rig::Pose;
use surefoot::systems::{Creature, CreatureFrame};
use surefoot_io::{ImportSettings, load, scene};
#[test]
fn dbg() {
    use surefoot::stages::Chart;
    let root = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let import = load(&root.join("assets/characters/kaykit_Knight.glb"), &ImportSettings::default()).unwrap();
    let clips: Vec<&Clip> = import.clips.iter().collect();
    let rig = find_skinned_rig(&import.skeleton, import.skin.as_ref(), &clips).unwrap();
    let idle = import.clips.iter().find(|clip| clip.name() == "Idle").unwrap();
    let mut pose = Pose::rest(&rig.skeleton);
    pose.locals.copy_from_slice(idle.frame(0));
    let character = Character::new(rig, pose, &clips).unwrap();
    let scene = scene::load(&root.join("scenarios/mesh-recast-undulating.scene.toml")).unwrap();
    let (ground, mesh) = (scene.world(), scene.mesh.as_ref().unwrap());
    let charted = Chart { survey: mesh.survey, body: scene.body, ..Chart::default() }.run(&mesh.soup).unwrap();
    let route = Path::new(charted.route(scene.start.place, scene.goal.place).unwrap());
    let path = Path::new((0..=40).map(|i| route.at(20.0 + 0.5 * i as f32)).collect());
    let mut c=Creature::default(); c.steps.stride = surefoot::systems::stride_of(&character, import.clips.iter().find(|c| c.name()=="Walking_A").unwrap());
    let motion = c.plan(&character, &path, None, &ground);
    let mut frame = CreatureFrame::new(&character.rig);
    for f in 0..(motion.seconds()*60.0) as usize {
        let t = f as f32 / 60.0;
        motion.pose_at(t, &mut frame);
        for (i, leg) in character.rig.legs.iter().enumerate() {
            if let Some(x) = frame.feet[i].flight {
                let ankle = frame.pose.root * frame.model[leg.ankle()];
                let over = |p: Vec3| p.y - ground.below(p + 0.3*Vec3::Y, 5.0, 0.0).map_or(0.0, |h| h.point.y);
                let is = [leg.foot.heel, leg.foot.ball].map(|p| over(ankle.transform_point(p).into()));
                let s = character.stand.legs[i].sole.map(|p| over(frame.feet[i].world_from_sole.transform_point(p).into()));
                if is[0].min(is[1]) < -0.004 {
                    let falls=&motion.plan.legs[i]; let k=falls.partition_point(|fall| fall.stance.strike() <= t);
                    println!("MISS {f} leg {i} x {x:.3} is {is:.3?} sent {s:.3?} pitch {:.2} miss {:.4} over {} folds {:.2} height {:.3} stands {:.2}", frame.feet[i].pitch, frame.misses[i], falls[k].swing.over.is_some(), frame.feet[i].folds, falls[k].swing.height, frame.feet[i].stands);
                }
            }
        }
    }
}
