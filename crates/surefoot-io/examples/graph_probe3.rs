//! probe
use surefoot::analyse::{FindStances, find_rig};
use surefoot::library::graph::*;
use surefoot::math::{FloorPose, floor, quat};
use surefoot::metrics::slides;
use surefoot::motion::{Clip, Take};
use surefoot::systems::Study;
fn lateral(c: &Clip, f: usize) -> f32 {
    let (a, b) = (c.roots()[f - 1], c.roots()[f]);
    let h = quat::heading(a.rotation).unwrap();
    let h2 = quat::heading(b.rotation).unwrap();
    let d =
        floor::turned(floor::of_point(b.translation - a.translation), -(h + 0.5 * surefoot::math::wrap_angle(h2 - h)));
    d.x * c.rate()
}
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mirror = args.iter().any(|a| a == "--mirror");
    let rule = if args.iter().any(|a| a == "--minima") { Rule::Minima } else { Rule::Regions };
    let thr = args.iter().find_map(|a| a.strip_prefix("--t=").map(|v| v.parse::<f32>().unwrap()));
    let fps = args.iter().find_map(|a| a.strip_prefix("--fps=").map(|v| v.parse::<f32>().unwrap())).unwrap_or(30.0);
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
    let g = BuildGraph { rule, threshold: thr, rate: fps, ..Default::default() }.run(&rig, &takes).unwrap();
    let t = &g.topology;
    let j = sk.len();
    let mut own = vec![0.0f32; j];
    let mut own_lat = 0.0f32;
    let mut own_drift = 0.0f32;
    let mut own_drifts = vec![];
    for take in &g.takes {
        let c = &take.clip;
        for f in 1..c.frames() {
            for k in 0..j {
                own[k] = own[k].max(quat::angle_between(c.frame(f - 1)[k].rotation, c.frame(f)[k].rotation));
            }
            own_lat = own_lat.max(lateral(c, f).abs());
        }
        let found = FindStances::default().run(&rig, c);
        for s in slides(&rig, c, &found) {
            own_drift = own_drift.max(s.drift);
            own_drifts.push(s.drift);
        }
    }
    own_drifts.sort_by(f32::total_cmp);
    println!(
        "threshold {:.4}, own: lateral {own_lat:.3}, drift max {:.1} mm p95 {:.1} median {:.1}",
        g.chosen.threshold,
        own_drift * 1e3,
        own_drifts[own_drifts.len() * 95 / 100] * 1e3,
        own_drifts[own_drifts.len() / 2] * 1e3
    );
    let mut worst_joint = (0.0f32, 0, 0);
    let mut lat = (0.0f32, 0);
    let mut drifts = vec![];
    let mut over_j = 0;
    for (ei, e) in t.edges.iter().enumerate() {
        let Play::Blend(tr) = e.play else { continue };
        if !t.keeps_edge(e) {
            continue;
        }
        let mut edges = vec![EdgeId(ei as u32)];
        let mut frames = 0;
        let mut n = e.from.index();
        while frames < 20 && n > 0 && t.nodes[n - 1].take == t.nodes[n].take {
            let (id, ed) = t.leaving(NodeId(n as u32 - 1)).find(|(_, x)| x.play == Play::Take).unwrap();
            edges.insert(0, id);
            frames += g.edge_frames(ed);
            n -= 1;
        }
        let mut frames = 0;
        let mut n = e.to;
        while frames < 20 {
            let Some((id, ed)) = t.leaving(n).find(|(_, x)| x.play == Play::Take) else { break };
            edges.push(id);
            frames += g.edge_frames(ed);
            n = ed.to;
        }
        let p = g.play(FloorPose::ORIGIN, &edges);
        let s0 = p.seams[0].frame;
        let l = g.settings.blend_frames();
        let c = &p.clip;
        let mut bad = false;
        for f in s0 + 1..s0 + l {
            for k in 0..j {
                let a = quat::angle_between(c.frame(f - 1)[k].rotation, c.frame(f)[k].rotation);
                let r = a / own[k].max(1e-3);
                if r > 1.2 {
                    bad = true;
                }
                if r > worst_joint.0 {
                    worst_joint = (r, tr, k);
                }
            }
            let la = lateral(c, f).abs();
            if la > lat.0 {
                lat = (la, tr);
            }
        }
        if bad {
            over_j += 1;
        }
        let found = FindStances::default().run(&rig, c);
        for s in slides(&rig, c, &found) {
            if s.frame < s0 + l + 6 && s.frame + 6 > s0 {
                drifts.push((s.drift, tr));
            }
        }
    }
    drifts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let tr = |k: u32| {
        let x = &g.transitions[k as usize];
        format!(
            "{} {} -> {} {} d {:.3}",
            g.takes[x.from.take as usize].clip.name(),
            x.from.frame,
            g.takes[x.to.take as usize].clip.name(),
            x.to.frame,
            x.distance
        )
    };
    println!(
        "joint ratio {:.2} {} ({}) over {over_j}; lateral {:.3} {}; drift n {} median {:.1} p95 {:.1} max {:.1} {}",
        worst_joint.0,
        sk.names()[worst_joint.2],
        tr(worst_joint.1),
        lat.0,
        tr(lat.1),
        drifts.len(),
        drifts[drifts.len() / 2].0 * 1e3,
        drifts[drifts.len() * 95 / 100].0 * 1e3,
        drifts[drifts.len() - 1].0 * 1e3,
        tr(drifts[drifts.len() - 1].1)
    );
    for d in drifts.iter().rev().take(8) {
        println!("   {:.1} {}", d.0 * 1e3, tr(d.1));
    }
}
