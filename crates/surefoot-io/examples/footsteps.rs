//! Makes motion of strides laid one after the other on level ground, and tells how long each stage takes:
//! `cargo run --release -p surefoot-io --example footsteps -- [FOLDER FOR BVH FILES]`

use surefoot::library::strides::Strides;
use surefoot::math::FloorPose;
use surefoot::metrics::{Footing, measure_feet};
use surefoot::systems::{Footsteps, lay_strides};
use surefoot::world::LevelGround;
use surefoot_io::bvh::{self, BvhWriter};
use surefoot_io::embedded;

/// The walks that are laid: what each is called, and its strides with how often each is repeated.
const LAID: [(&str, &[(&str, usize)]); 5] = [
    ("straight", &[("16_15", 8)]),
    ("bends", &[("16_15", 3), ("16_17", 3), ("16_11", 3), ("16_13", 3), ("16_19", 3), ("16_15", 2)]),
    ("run", &[("16_15", 2), ("16_36", 3), ("16_37", 2), ("16_39", 2), ("16_36", 2), ("16_15", 3)]),
    (
        "jump",
        &[
            ("16_15", 2),
            ("16_11", 2),
            ("16_36", 2),
            ("127_26", 1),
            ("16_36", 1),
            ("16_37", 2),
            ("127_28", 1),
            ("16_36", 2),
            ("16_15", 3),
        ],
    ),
    (
        "jumps-sized",
        &[
            ("16_15", 4),
            ("16_17", 3),
            ("16_36", 3),
            ("127_26", 1),
            ("16_36", 1),
            ("16_41", 3),
            ("127_28", 1),
            ("16_36", 2),
            ("16_15", 7),
        ],
    ),
];

/// The strides of those names, each as often as it is repeated.
fn order(strides: &Strides, names: &[(&str, usize)]) -> Vec<usize> {
    let find =
        |name: &str| strides.strides.iter().position(|stride| stride.name == name).expect("a stride of that name");
    names.iter().flat_map(|(name, count)| vec![find(name); *count]).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let strides = embedded::strides();
    for (stride, reach) in strides.strides.iter().zip(strides.reaches()) {
        let last = reach.last().expect("strides have prints");
        println!(
            "{:<16} {:?} turns {:+.2} 1/m, {:.2} m in {:.2} s, ends {:.2} m ahead, {:.2} m to the left, turned {:.0} deg; flight {:?}",
            stride.name,
            stride.kind,
            stride.curvature,
            stride.length,
            stride.seconds,
            last.place.z,
            last.place.x,
            last.heading.to_degrees(),
            reach.flight
        );
    }
    println!(
        "| walk | prints | frames | smooth | play | refine | groups | trace | body | legs | total ms | drift p95, max mm | penetration | missed | prints moved | body moved | arrival mm, deg |"
    );
    let folder = std::env::args_os().nth(1).map(std::path::PathBuf::from);
    for (name, laid) in LAID {
        let plan = lay_strides(&strides, &order(&strides, laid), FloorPose::ORIGIN);
        let system = Footsteps::default();
        let runs = (0..7).map(|_| system.run(&strides, &plan, &LevelGround::default()));
        let best =
            runs.map(|run| run.expect("strides that join")).min_by_key(|run| run.report.times.total()).expect("some");
        let report = best.report;
        let times = report.times;
        let ms = |time: std::time::Duration| format!("{:.2}", time.as_secs_f64() * 1e3);
        let feet = measure_feet(&strides.rig, &best.take, Footing::default());
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2}, {:.2} | {:.2} | {:.1} | {:.0} | {:.0} | {:.2}, {:.2} |",
            report.prints,
            report.frames,
            ms(times.smooth),
            ms(times.play),
            ms(times.refine),
            ms(times.groups),
            ms(times.trace),
            ms(times.body),
            ms(times.legs),
            ms(times.total()),
            feet.drift.p95 * 1e3,
            feet.drift.max * 1e3,
            feet.penetration.p95 * 1e3,
            report.missed * 1e3,
            report.moved_prints * 1e3,
            report.moved_body * 1e3,
            report.arrival.off * 1e3,
            report.arrival.turned.to_degrees()
        );
        if let Some(folder) = &folder {
            let text = bvh::write(&strides.rig.skeleton, &best.take.clip, &BvhWriter::default());
            std::fs::write(folder.join(format!("{name}.bvh")), text)?;
        }
    }
    Ok(())
}
