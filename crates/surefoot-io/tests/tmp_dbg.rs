
use std::path::{Path as FilePath};
use surefoot::analyse::find_skinned_rig;
use surefoot::character::Character;
use surefoot::motion::Clip;
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
    let motion = Creature::default().plan(&character, &path, None, &ground);
    let mut frame = CreatureFrame::new(&character.rig);
    for f in 0..(motion.seconds()*60.0) as usize {
        let t = f as f32 / 60.0;
        motion.pose_at(t, &mut frame);
        for i in 0..2 {
            if frame.feet[i].flight.is_none() && frame.misses[i] > 0.0003 {
                let falls=&motion.plan.legs[i]; let k=falls.partition_point(|fall| fall.stance.strike() <= t)-1;
                let leg=&character.stand.legs[i];
                let hip=frame.pose.root.transform_point(frame.model[leg.chain.joints[0]].translation);
                let d=falls[k].print().translation-hip; let m=motion.plan.course.at(t);
                println!("MISS {f} leg {i} fall {k} {:.4} from hip {d:.3} len {:.3} span {:.2} {:.2} slope {:.2} side {:.2} speed {:.3} pitch {:.2} beyond {:.3} up {:.3}", frame.misses[i], leg.length, falls[k].stance.strike(), falls[k].stance.off(), m.slope,m.side,m.speed, frame.feet[i].pitch, falls[k].beyond, (falls[k].print().rotation*surefoot::glam::Vec3A::Y));
            }
        }
    }
}
