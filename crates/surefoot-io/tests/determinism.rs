//! The same input gives the same bits, run after run and on any number of threads.

use std::path::{Path, PathBuf};
use surefoot::math::Digest;
use surefoot::motion::Clip;
use surefoot::systems::CleanUp;
use surefoot_io::{Import, ImportSettings, load};

fn assets() -> Vec<PathBuf> {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let mut names = vec![
        "bvh/02_01.bvh",
        "bvh/104_01.bvh",
        "bvh/threejs_pirouette.bvh",
        "asfamc/11_01.amc",
        "characters/khronos_Fox.glb",
        "characters/RobotExpressive.glb",
    ];
    if cfg!(feature = "fbx") {
        names.push("fbx/m2m_cmu_91_48.fbx");
    }
    names.into_iter().map(|name| assets.join(name)).collect()
}

fn add_clip(digest: &mut Digest, clip: &Clip) {
    digest.bytes(clip.name().as_bytes());
    digest.number(clip.rate());
    for local in (0..clip.frames()).flat_map(|frame| clip.frame(frame)) {
        digest.rigid(*local);
    }
}

fn of_import(import: &Import) -> u64 {
    let mut digest = Digest::new();
    import.skeleton.rest().iter().for_each(|rest| digest.rigid(*rest));
    import.clips.iter().for_each(|clip| add_clip(&mut digest, clip));
    for position in import.skin.iter().flat_map(|skin| &skin.positions) {
        position.to_array().iter().for_each(|x| digest.number(*x));
    }
    digest.finish()
}

/// Load, study, clean: everything that comes out of the pipeline.
fn of_pipeline(path: &Path) -> u64 {
    let import = load(path, &ImportSettings::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut digest = Digest::new();
    digest.word(of_import(&import));
    for clip in import.clips.iter().take(3) {
        let Ok(done) = CleanUp::default().run(&import.skeleton, clip) else { continue };
        add_clip(&mut digest, &done.before.take.clip);
        add_clip(&mut digest, &done.take.clip);
        for stance in &done.take.stances {
            let frames = stance.frames(&done.take.clip).whole;
            digest.word(frames.start as u64);
            digest.word(frames.end as u64);
            digest.rigid(stance.print.world_from_sole);
        }
        digest.number(done.report.figures.drift.p95);
    }
    digest.finish()
}

#[test]
fn pipelines_give_the_same_bits_twice() {
    for path in assets() {
        let fingerprint = of_pipeline(&path);
        assert_eq!(fingerprint, of_pipeline(&path), "{}", path.display());
        // For scripts/platforms.sh, which compares them.
        println!("fingerprint {:016x} {}", fingerprint, path.file_name().unwrap().display());
    }
}

#[cfg(feature = "parallel")]
#[test]
fn the_number_of_threads_changes_nothing() {
    let paths = assets();
    let on = |threads: usize| -> Vec<u64> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let imports = pool.install(|| surefoot_io::load_many(&paths, &ImportSettings::default(), || {}));
        imports.iter().map(|import| of_import(import.as_ref().unwrap())).collect()
    };
    let one = on(1);
    assert_eq!((one.len(), &one), (paths.len(), &on(2)), "one thread and two");
    let apart: std::collections::BTreeSet<u64> = one.iter().copied().collect();
    assert_eq!(apart.len(), paths.len(), "different files have different fingerprints");
}
