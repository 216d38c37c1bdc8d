//! debug
use surefoot::prelude::*;
use surefoot::systems::*;
use surefoot_io::prelude::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let l = load_character(&a[1]).unwrap();
    let (t0, t1): (f32, f32) = (a[2].parse().unwrap(), a[3].parse().unwrap());
    let found = PrepareClips::default().choose(&l.character, &l.clips, l.idle).unwrap();
    for c in found.clips.clips() {
        println!("{} {:.3}s v {:?} w {:.2}", c.name(), c.seconds, c.motion.velocity, c.motion.turn_rate);
        for g in &c.legs {
            println!(
                "   stance {:.3} lift {:.3} off {:.3} strike {:.3} land {:.3} place {:?}",
                g.stance, g.lift, g.off, g.strike, g.land, g.place
            );
        }
        if c.legs.is_empty() {
            println!("   {:?}", c.places);
        }
    }
    let slow = found.clips.clips()[found.clips.slowest()].motion.velocity.length();
    let loc = Locomotor::new(&l.character, found.clips, vec![]);
    let ground = LevelGround::default();
    let path = Path::new(vec![Vec3::ZERO, Vec3::new(0., 0., 4.), Vec3::new(3., 0., 4.), Vec3::new(0., 0., 1.)]);
    let route = FollowRoute { speed: slow, ..FollowRoute::default() };
    let mut s = loc.start(FloorPose::ORIGIN, &ground, 0.0);
    let mut f = loc.frame();
    let mut r = RouteState::default();
    for i in 0..3000 {
        let t = i as f32 / 60.0;
        let it = route.run(&path, &mut r, &s, 1.0 / 60.0);
        loc.step(&mut s, &it, &ground, t, if i == 0 { 0.0 } else { 1.0 / 60.0 }, &mut f);
        if t >= t0 && t <= t1 {
            print!(
                "{t:.3} v {:.2} w {:.2} ph {:.3} y {:.3} h {:.2}",
                s.velocity.length(),
                s.turn_rate,
                s.phase,
                f.pose.root.translation.y,
                s.place.heading
            );
            for (k, g) in s.legs.iter().enumerate() {
                if a[4] != "all" && a[4] != k.to_string() {
                    continue;
                }
                let ank = f.pose.root * f.model[loc.character().rig.legs[k].ankle()];
                let q = ank.rotation * Vec3A::Z;
                print!(
                    " | {} u {:.3} {}{}{} {:.3} {:.3} {:.3} q {:.2} {:.2} m {:.3} to {:.2} {:.2}",
                    k,
                    g.phase,
                    if g.flying { 'F' } else { '.' },
                    if g.parked { 'P' } else { '.' },
                    if g.landed { 'L' } else { '.' },
                    ank.translation.x,
                    ank.translation.y,
                    ank.translation.z,
                    q.y,
                    q.z,
                    f.missed[k],
                    g.to.translation.x,
                    g.to.translation.z
                );
            }
            println!();
        }
    }
}
