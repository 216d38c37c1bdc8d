//! Every motion file of `assets/` and, where the variable is set, of `$SUREFOOT_CORPUS`.

use std::path::{Path, PathBuf};
use surefoot::rig::{ModelPose, Pose};
use surefoot_io::{Axis, Dialect, Import, ImportSettings, Unit, load_many};

/// What is known of files by name: joints, frames per second, unit, up, forward, position channels, rest row.
struct Known(&'static str, usize, f32, Unit, &'static str, &'static str, Dialect, bool);

const KNOWN: &[Known] = &[
    Known("babylon_alien.bvh", 6, 24.0, Unit::Metre, "y", "z", Dialect::Replace, false),
    Known("bvhtoolbox_walk01.bvh", 19, 24.0, Unit::Centimetre, "y", "z", Dialect::Replace, false),
    Known("fairmotion_sinusoidal.bvh", 4, 60.0, Unit::Centimetre, "y", "z", Dialect::Replace, false),
    Known("geno_bind.bvh", 75, 60.0, Unit::Centimetre, "y", "z", Dialect::Replace, false),
    Known("makehuman_tpose.bvh", 173, 24.0, Unit::Decimetre, "z", "-y", Dialect::Add, false),
    Known("makehuman_walk1.bvh", 75, 24.0, Unit::Decimetre, "z", "-y", Dialect::Add, false),
    Known("npybvh_example_lf.bvh", 31, 120.0, Unit::Cmu, "y", "z", Dialect::Replace, true),
    Known("pybvh_full_precision_frame_time.bvh", 2, 23.976, Unit::Centimetre, "y", "z", Dialect::Replace, false),
    Known("pybvh_rotation_first_root.bvh", 4, 25.0, Unit::Centimetre, "y", "z", Dialect::Replace, false),
    Known("pybvh_test1.bvh", 24, 30.0, Unit::Inch, "z", "y", Dialect::Replace, false),
    Known("pybvh_test2.bvh", 23, 120.0, Unit::Centimetre, "y", "z", Dialect::Replace, false),
    Known("threejs_pirouette.bvh", 43, 120.0, Unit::Centimetre, "y", "z", Dialect::Replace, false),
    Known("xsens_jlpm_tpose.txt", 23, 60.0, Unit::Centimetre, "y", "z", Dialect::Replace, true),
];

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        let motion = entry.extension().is_some_and(|e| e == "bvh") || entry.ends_with("xsens_jlpm_tpose.txt");
        if entry.is_dir() {
            collect(&entry, files);
        } else if motion {
            files.push(entry);
        }
    }
}

fn corpus() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets"), &mut files);
    if let Some(more) = std::env::var_os("SUREFOOT_CORPUS") {
        collect(Path::new(&more), &mut files);
    }
    files
}

/// Whatever the file, the result is motion of a body in metres.
fn check_sane(name: &str, import: &Import) {
    let clip = &import.clips[0];
    assert_eq!(clip.skeleton(), import.skeleton.key(), "{name}");
    assert!(clip.duration() < 3600.0 && clip.rate() >= 1.0, "{name}: {} s", clip.duration());
    let mut model = ModelPose::new(&import.skeleton);
    let mut pose = Pose::rest(&import.skeleton);
    for frame in 0..clip.frames() {
        pose.locals.copy_from_slice(clip.frame(frame));
        pose.to_model(&import.skeleton, &mut model);
        for (joint, place) in import.skeleton.joints().zip(&model.joints) {
            let far = place.translation.length();
            assert!(far < 100.0, "{name}: {} is {far} m away in frame {frame}", import.skeleton.name(joint));
        }
        if frame > 0 {
            let near =
                clip.frame(frame).iter().zip(clip.frame(frame - 1)).all(|(a, b)| a.rotation.dot(b.rotation) >= 0.0);
            assert!(near, "{name}: a rotation changes its sign at frame {frame}");
        }
    }
}

#[test]
fn every_file_loads_as_what_it_is() {
    let files = corpus();
    assert!(files.len() >= 35, "the assets are gone: {} files", files.len());
    let imports = load_many(&files, &ImportSettings::default(), || ());
    let mut known = 0;
    for (path, import) in files.iter().zip(imports) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let import = import.unwrap_or_else(|error| panic!("{error}"));
        check_sane(&name, &import);
        let (source, clip) = (&import.source, &import.clips[0]);
        if let Some(k) = KNOWN.iter().find(|k| k.0 == name) {
            known += 1;
            assert_eq!(import.skeleton.len(), k.1, "{name}: joints");
            assert_eq!(clip.rate(), k.2, "{name}: rate");
            assert_eq!(source.unit.value, k.3, "{name}: {}", source.unit.reason);
            assert_eq!(source.up.value, k.4.parse::<Axis>().unwrap(), "{name}: {}", source.up.reason);
            assert_eq!(source.forward.value, k.5.parse::<Axis>().unwrap(), "{name}: {}", source.forward.reason);
            assert_eq!(source.positions.value, k.6, "{name}: {}", source.positions.reason);
            assert_eq!(source.rest_row, k.7, "{name}: rest row");
        } else if import.skeleton.find("LHipJoint").is_some() && source.unit.value != Unit::Metre {
            // A CMU file, by the names of its joints, that was not written by us.
            assert_eq!(import.skeleton.len(), 31, "{name}");
            assert!([60.0, 120.0].contains(&clip.rate()), "{name}: {} Hz", clip.rate());
            assert_eq!((source.unit.value, source.rest_row), (Unit::Cmu, true), "{name}");
            assert_eq!((source.up.value, source.forward.value), (Axis::Y, Axis::Z), "{name}");
            let leg = source.leg.unwrap();
            assert!((0.70..0.93).contains(&leg), "{name}: legs of {leg} m");
        }
    }
    assert!(known >= KNOWN.len(), "every known file is there");
}

#[test]
fn order_and_bits_do_not_depend_on_threads() {
    let files = corpus();
    let digests = |files: &[PathBuf]| -> Vec<u64> {
        let imports = load_many(files, &ImportSettings::default(), || ());
        imports.into_iter().map(|import| import.unwrap().clips[0].digest()).collect()
    };
    let together = digests(&files);
    let alone: Vec<u64> = files.iter().flat_map(|file| digests(std::slice::from_ref(file))).collect();
    assert_eq!(together, alone);
}
