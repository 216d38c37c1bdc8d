//! t
use std::path::PathBuf;
use surefoot::analyse::*;
use surefoot_io::*;
fn main() {
    let long = std::env::var("LONG").is_ok();
    for p in std::env::args().skip(1).map(PathBuf::from) {
        let i = load(&p, &ImportSettings::default()).unwrap();
        let clip = Repair::default().run(&i.skeleton, &i.clips[0]).clip;
        let name = p.file_stem().unwrap().to_string_lossy().into_owned();
        let rig = match find_rig(&i.skeleton, &[&clip]) {
            Ok(r) => r,
            Err(e) => {
                println!("{name}: {e}");
                continue;
            }
        };
        let found = FindStances::default().run(&rig, &clip);
        let a = Analyse::default().run(&rig, &clip, &found);
        let n = |l: u8| found.stances.iter().filter(|s| s.leg.0 == l).count();
        println!(
            "{name:8} L{} R{} ground {:.3} steps {} cad {:.2} strideL {:.2} v {:.2} turn {:.2} hip {:.2} yaw {:.0} sup {:.2} fl {} idle {} {:?}",
            n(0),
            n(1),
            found.ground,
            a.steps,
            a.cadence,
            a.stride_length,
            a.stride_speed,
            a.turn_rate,
            a.hip_speed_median,
            a.pelvis_yaw_net.to_degrees(),
            a.support,
            a.flights.len(),
            a.idle,
            a.doubts
        );
        if long {
            for s in &found.stances {
                let r = clip.rate();
                let t = |f: usize| f as f32 / r;
                println!(
                    "   {} {:.2}..{:.2} heel {:.2}..{:.2} ball {:.2}..{:.2} y {:.3} {}",
                    if s.leg.0 == 0 { "L" } else { "R" },
                    t(s.frames.start),
                    t(s.frames.end),
                    t(s.heel.start),
                    t(s.heel.end),
                    t(s.ball.start),
                    t(s.ball.end),
                    s.print.world_from_sole.translation.y,
                    if s.open { "open" } else { "" }
                );
            }
        }
    }
}
