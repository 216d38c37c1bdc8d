//! probe
use std::time::Instant;
use surefoot::analyse::find_rig;
use surefoot::library::graph::*;
use surefoot::math::FloorPose;
use surefoot::motion::Take;
use surefoot::random::Seed;
use surefoot::systems::*;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mirror = args.iter().any(|a| a == "--mirror");
    let rule = if args.iter().any(|a| a == "--minima") { Rule::Minima } else { Rule::Regions };
    let fps = args.iter().find_map(|a| a.strip_prefix("--fps=").map(|v| v.parse::<f32>().unwrap())).unwrap_or(30.0);
    let secs = args.iter().find_map(|a| a.strip_prefix("--s=").map(|v| v.parse::<f32>().unwrap())).unwrap_or(60.0);
    let files: Vec<_> = args.iter().filter(|a| !a.starts_with("--")).map(std::path::PathBuf::from).collect();
    let imports: Vec<_> =
        files.iter().map(|f| surefoot_io::load(f, &surefoot_io::ImportSettings::default()).unwrap()).collect();
    let sk = imports[0].skeleton.clone();
    let clips: Vec<_> = imports.iter().map(|i| &i.clips[0]).collect();
    let rig = find_rig(&sk, &clips).unwrap();
    let mut takes = Vec::new();
    for c in &clips {
        let s = Study::default().run_on(rig.clone(), c);
        takes.push(Take::new(&rig, s.repaired.clip, s.found.stances, s.found.ground));
    }
    if mirror {
        let m: Vec<_> = takes.iter().map(|t| t.mirrored(&rig).unwrap()).collect();
        takes.extend(m);
    }
    let g = BuildGraph { rule, rate: fps, ..Default::default() }.run(&rig, &takes).unwrap();
    let t0 = Instant::now();
    let edges = Wander { seconds: secs, seed: Seed(3), ..Default::default() }.run(&g);
    let p = g.play(FloorPose::ORIGIN, &edges);
    println!("played {} frames, {} seams in {:?}", p.clip.frames(), p.seams.len(), t0.elapsed());
    println!("labels per leg {:?}", p.standing.iter().map(Vec::len).collect::<Vec<_>>());
    let t0 = Instant::now();
    let w = WalkGraph::default().run(&g, FloorPose::ORIGIN, &edges);
    println!("before: {:?}\nafter {:?}: {:?}", w.before, t0.elapsed(), w.after);
    let pop = surefoot::metrics::worst_pop(&sk, &p.clip, &w.cleaned.clip);
    println!(
        "pop {:?} over {} {} pelvis {:?} missed {:?}",
        pop,
        pop.over().to_degrees(),
        sk.name(pop.joint),
        w.cleaned.pelvis.iter().fold(0.0f32, |m, v| m.max(v.length())),
        w.cleaned.missed
    );
    let found = surefoot::analyse::FindStances::default().run(&rig, &w.cleaned.clip);
    let f2 = surefoot::metrics::measure_feet(&rig, &w.cleaned.clip, &found, 0.1);
    println!("found anew: {:?}", f2.drift);
    let s = surefoot::metrics::slides(&rig, &w.cleaned.clip, &found);
    for s in s.iter().take(5) {
        println!("{s:?}");
    }
    let out = surefoot_io::bvh::write(&rig.skeleton, &w.cleaned.clip, &Default::default());
    std::fs::write("/tmp/wander.bvh", out).unwrap();
}
