//! probe
use std::time::Instant;
use surefoot::analyse::find_rig;
use surefoot::library::graph::{BuildGraph, Rule};
use surefoot::motion::Take;
use surefoot::systems::Study;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mirror = args.iter().any(|a| a == "--mirror");
    let thr = args.iter().find_map(|a| a.strip_prefix("--t=").map(|v| v.parse::<f32>().unwrap()));
    let files: Vec<_> = args.iter().filter(|a| !a.starts_with("--")).map(std::path::PathBuf::from).collect();
    let imports: Vec<_> =
        files.iter().map(|f| surefoot_io::load(f, &surefoot_io::ImportSettings::default()).unwrap()).collect();
    let sk = imports[0].skeleton.clone();
    let clips: Vec<_> = imports.iter().map(|i| &i.clips[0]).collect();
    let t0 = Instant::now();
    let rig = find_rig(&sk, &clips).unwrap();
    let mut takes = Vec::new();
    for c in &clips {
        let s = Study::default().run_on(rig.clone(), c);
        takes.push(Take::new(&rig, s.repaired.clip, s.found.stances, s.found.ground));
    }
    println!("study {:?}", t0.elapsed());
    if mirror {
        let m: Vec<_> = takes
            .iter()
            .map(|t| t.mirrored(&rig).unwrap())
            .map(|mut t| {
                t.clip = t.clip.clone().named(format!("{}'", t.clip.name()));
                t
            })
            .collect();
        takes.extend(m);
    }
    for rule in [Rule::Regions, Rule::Minima] {
        let t0 = Instant::now();
        let g = BuildGraph { rule, threshold: thr, ..Default::default() }.run(&rig, &takes).unwrap();
        let dt = t0.elapsed();
        let t = &g.topology;
        println!(
            "{rule:?}: {dt:?}, points {}, frames {}, threshold {:.4} ceiling {:.4}, transitions {}, nodes {} edges {}, component nodes {} edges {} frames {}",
            surefoot::library::graph::BodyPoints::by_bone_length(&sk).len(),
            g.frames(),
            g.chosen.threshold,
            g.chosen.ceiling,
            g.transitions.len(),
            t.nodes.len(),
            t.edges.len(),
            t.components()[0].nodes,
            t.edges.iter().filter(|e| t.keeps_edge(e)).count(),
            t.components()[0].frames
        );
        for (k, take) in g.takes.iter().enumerate() {
            let kept: Vec<u32> = t
                .nodes
                .iter()
                .enumerate()
                .filter(|(i, n)| n.take as usize == k && t.keeps(surefoot::library::graph::NodeId(*i as u32)))
                .map(|(_, n)| n.frame)
                .collect();
            println!("  {} {} frames: {:?}..{:?}", take.clip.name(), take.clip.frames(), kept.first(), kept.last());
        }
    }
}
