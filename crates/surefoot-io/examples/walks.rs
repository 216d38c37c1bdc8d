//! Cleans every walk on the spot of the characters given and lists what became of it:
//! `cargo run --release -p surefoot-io --example walks -- FILE.glb…`

use surefoot::analyse::Study;
use surefoot::stages::Spread;
use surefoot::systems::CleanUp;
use surefoot_io::{ImportSettings, load};

fn main() {
    println!(
        "| character | clip | speed m/s | stance kept | drift mm before, after (p95) | float, penetration mm (p95) | pelvis mm (median, max) | fastest joint over its limit |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let (mut walks, mut met) = (0, 0);
    for path in std::env::args().skip(1) {
        let name = path.rsplit('/').next().unwrap_or(&path);
        let import = match load(path.as_ref(), &ImportSettings::default()) {
            Ok(import) => import,
            Err(error) => {
                println!("| {name} | {error} |");
                continue;
            }
        };
        for clip in &import.clips {
            let Ok(studied) = Study::default().run_skinned(&import.skeleton, import.skin.as_ref(), clip) else {
                continue;
            };
            let Some(tread) = studied.cycle.as_ref().and_then(|cycle| cycle.tread.clone()) else { continue };
            let done = CleanUp::default().run_studied(studied);
            let pop = done.worst_pop();
            let kept = done.stance_kept();
            let pelvis = done.pelvis().iter().enumerate().map(|(f, v)| (v.length() * 1e3, f));
            let pelvis = Spread::of(pelvis.collect());
            let (before, after) = (&done.before.figures, &done.report.figures);
            let over = if pop.over() > 0.0 {
                let (by, joint) = (pop.over().to_degrees(), import.skeleton.name(pop.joint));
                format!(
                    "{joint} by {by:.0}°/s ({:.0} before) at {:.2} s",
                    pop.before.to_degrees(),
                    done.before.seconds(pop.frame)
                )
            } else {
                String::new()
            };
            walks += 1;
            met += usize::from(pop.over() <= 0.0);
            println!(
                "| {name} | {} | {:.2} | {kept:.3} | {:.1}, {:.2} | {:.2}, {:.2} | {:.0}, {:.0} | {over} |",
                clip.name(),
                tread.velocity.length(),
                before.drift.p95 * 1e3,
                after.drift.p95 * 1e3,
                after.float.p95 * 1e3,
                after.penetration.p95 * 1e3,
                pelvis.median,
                pelvis.max,
            );
        }
    }
    println!("\n{met} of {walks} walks keep every joint within its limit.");
}
