//! Cleans every BVH file given and lists which limits of the clean-up are met: `cargo run --release -p surefoot-io --example survey -- FILE.bvh…`

use surefoot::stages::{Spread, stance_kept};
use surefoot::systems::CleanUp;
use surefoot_io::{ImportSettings, load};

fn main() {
    println!(
        "| clip | stance kept | drift mm (p95, max) | float, penetration mm (p95) | pelvis mm (median, max) | fastest joint over its limit | again mm |"
    );
    println!("|---|---|---|---|---|---|---|");
    let (mut files, mut met) = (0, 0);
    for path in std::env::args().skip(1) {
        let name = path.rsplit('/').next().unwrap_or(&path).replace(".bvh", "");
        let import = match load(path.as_ref(), &ImportSettings::default()) {
            Ok(import) => import,
            Err(error) => {
                println!("| {name} | {error} |");
                continue;
            }
        };
        let done = match CleanUp::default().run(&import.skeleton, &import.clips[0]) {
            Ok(done) => done,
            Err(error) => {
                println!("| {name} | {error} |");
                continue;
            }
        };
        let pop = done.worst_pop();
        let over = (pop.over() > 0.0).then(|| (pop.over().to_degrees(), import.skeleton.name(pop.joint)));
        let Ok(again) = CleanUp::default().run(&import.skeleton, &done.take.clip) else { continue };
        let (a, b) = (&done.take.clip, &again.take.clip);
        let trajectories = [a, b].map(|clip| surefoot::stages::Trajectories::new(&import.skeleton, clip));
        let moved = (0..a.frames().min(b.frames())).flat_map(|f| import.skeleton.joints().map(move |j| (f, j)));
        let moved = moved.map(|(f, j)| (trajectories[0].point(f, j) - trajectories[1].point(f, j)).length());
        let moved = moved.fold(0.0, f32::max) * 1e3;

        let kept = stance_kept(&done.before.take, &done.take);
        let pelvis = Spread::of(done.report.pelvis.iter().enumerate().map(|(f, v)| (v.length() * 1e3, f)).collect());
        let figures = &done.report.figures;
        let (drift, drift_max) = (figures.drift.p95 * 1e3, figures.drift.max * 1e3);
        let (float, penetration) = (figures.float.p95 * 1e3, figures.penetration.p95 * 1e3);
        let good = kept >= 0.95 && drift < 1.0 && drift_max < 3.0 && float < 5.0 && penetration < 5.0;
        let good = good && pelvis.median < 20.0 && pelvis.max < 50.0 && over.is_none();
        files += 1;
        met += usize::from(good);
        let over = over.map_or_else(String::new, |(by, joint)| format!("{joint} by {by:.0}°/s"));
        let mark = if good { "" } else { " **" };
        println!(
            "| {name}{mark} | {kept:.3} | {drift:.2}, {drift_max:.2} | {float:.2}, {penetration:.2} | {:.0}, {:.0} | {over} | {moved:.2} |",
            pelvis.median, pelvis.max
        );
    }
    println!("\n{met} of {files} clips meet every limit (** marks those that do not).");
}
