//! probe
use surefoot::analyse::find_rig;
use surefoot::library::graph::{BodyPoints, Cloud};
use surefoot::motion::Take;
use surefoot::systems::Study;
fn main() {
    let files = ["16_33", "16_31"];
    let imports: Vec<_> = files
        .iter()
        .map(|f| surefoot_io::load(std::path::Path::new(&format!("assets/cmu/{f}.bvh")), &Default::default()).unwrap())
        .collect();
    let sk = imports[0].skeleton.clone();
    let clips: Vec<_> = imports.iter().map(|i| &i.clips[0]).collect();
    let rig = find_rig(&sk, &clips).unwrap();
    let mut takes = Vec::new();
    for c in &clips {
        let s = Study::default().run_on(rig.clone(), c);
        let t = Take::new(&rig, s.repaired.clip, s.found.stances, s.found.ground).resampled(30.0);
        println!("{} {} frames", t.clip.name(), t.clip.frames());
        for st in &t.stances {
            println!("  leg {:?} {:?} open {}", st.leg, st.frames, st.open);
        }
        let speeds: Vec<String> = (1..t.clip.frames())
            .map(|f| {
                format!("{:.2}", (t.clip.roots()[f].translation - t.clip.roots()[f - 1].translation).length() * 30.0)
            })
            .collect();
        println!("  {}", speeds.join(" "));
        takes.push(t);
    }
    takes.push(takes[1].mirrored(&rig).unwrap());
    let pts = BodyPoints::by_bone_length(&sk);
    let cl: Vec<_> = takes.iter().map(|t| Cloud::new(&sk, &pts, 2, &t.clip)).collect();
    for b in [1, 2] {
        for i in (30..68).step_by(4) {
            let row: Vec<String> = (0..30)
                .step_by(2)
                .map(|j| format!("{:.1}", 100.0 * cl[0].align(i, &cl[b], j).squared.sqrt()))
                .collect();
            println!("{i}: {}", row.join(" "));
        }
    }
}
