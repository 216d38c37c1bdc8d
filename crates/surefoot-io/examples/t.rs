//! t
use std::path::PathBuf;
use surefoot::adapt::*;
use surefoot::analyse::*;
use surefoot::math::quat;
use surefoot::metrics::*;
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
        let t0 = std::time::Instant::now();
        let c = Clean::default().run(&rig, &clip, &found);
        let us = t0.elapsed().as_secs_f64() * 1e6 / clip.frames() as f64;
        let again = FindStances::default().run(&rig, &c.clip);
        if long {
            println!("again");
            for s in &again.stances {
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
        let (a, b) = (measure_feet(&rig, &clip, &found, 0.1), measure_feet(&rig, &c.clip, &again, 0.1));
        let c2 = Clean::default().run(&rig, &c.clip, &again);
        let t1 = surefoot::motion::Trajectories::new(&i.skeleton, &c.clip);
        let t2 = surefoot::motion::Trajectories::new(&i.skeleton, &c2.clip);
        let idem = (0..clip.frames())
            .flat_map(|f| i.skeleton.joints().map(move |j| (f, j)))
            .map(|(f, j)| ((t1.point(f, j) - t2.point(f, j)).length(), f))
            .fold((0.0_f32, 0), |a, b| if b.0 > a.0 { b } else { a });
        if long {
            let f = idem.1;
            for j in i.skeleton.joints() {
                println!("{} {:.1}", i.skeleton.name(j), (t1.point(f, j) - t2.point(f, j)).length() * 1e3);
            }
        }
        let mut worst = (0.0, 0, String::new());
        for j in i.skeleton.joints() {
            let top = |c: &surefoot::motion::Clip| {
                (1..c.frames())
                    .map(|f| {
                        (
                            quat::angle_between(c.frame(f - 1)[j.index()].rotation, c.frame(f)[j.index()].rotation)
                                .to_degrees()
                                * c.rate(),
                            f,
                        )
                    })
                    .fold((0.0_f32, 0), |a, b| if b.0 > a.0 { b } else { a })
            };
            let (s, o) = (top(&clip), top(&c.clip));
            let over = o.0 - (1.2 * s.0 + 60.0);
            if over > worst.0 {
                worst = (over, o.1, format!("{} {:.0} vs {:.0}", i.skeleton.name(j), o.0, s.0));
            }
        }
        let pel = Spread::of(c.pelvis.iter().enumerate().map(|(f, v)| (v.abs(), f)).collect());
        println!(
            "{name:8} {} drift mm {:.1}/{:.1}/{:.1} -> {:.2}/{:.2}/{:.2}@{} kept {:.3} float {:.1} pen {:.1} -> {:.1}/{:.1} {:.1}/{:.1} pelvis {:.0}/{:.0} missed {:.1}@{} speed+{:.0}@{} {} idem {:.2}@{} {:.1}us",
            a.stances,
            a.drift.median * 1e3,
            a.drift.p95 * 1e3,
            a.drift.max * 1e3,
            b.drift.median * 1e3,
            b.drift.p95 * 1e3,
            b.drift.max * 1e3,
            b.drift.worst,
            stance_kept(&found.stances, &again.stances),
            a.float.p95 * 1e3,
            a.penetration.p95 * 1e3,
            b.float.p95 * 1e3,
            b.float.max * 1e3,
            b.penetration.p95 * 1e3,
            b.penetration.max * 1e3,
            pel.median * 1e3,
            pel.max * 1e3,
            c.missed.0 * 1e3,
            c.missed.1,
            worst.0,
            worst.1,
            worst.2,
            idem.0 * 1e3,
            idem.1,
            us
        );
    }
}
