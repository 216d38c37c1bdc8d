//! The same input gives the same bits, run after run and on any number of threads; under feature `libm` those of goldens.txt.

mod golden;

use golden::{Staged, assert_known, assert_same, clean_ups, creatures, graphs, project, walks};
use std::path::PathBuf;
use surefoot_io::{ImportSettings, embedded, load_many};

/// Runs scenarios in pools of one thread and of two: both give the same bits, and the known ones.
fn assert_same_on_any_threads(run: impl Fn() -> Vec<Staged> + Sync) {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&run)
    };
    let one = on(1);
    assert_same(&one, &on(2), "two threads");
    assert_known(&one);
}

#[test]
fn clean_up_gives_the_same_bits_twice() {
    for file in clean_ups::FILES {
        let once = clean_ups::of_file(file);
        assert_same(&once, &clean_ups::of_file(file), file);
        assert_known(&once);
    }
    if cfg!(feature = "fbx") {
        // No bits are known: ufbx is C and takes sines from the platform.
        let file = "fbx/m2m_cmu_91_48.fbx";
        assert_same(&clean_ups::of_file(file), &clean_ups::of_file(file), file);
    }
}

#[test]
fn loading_many_files_gives_the_same_bits_on_any_threads() {
    let files: Vec<PathBuf> = clean_ups::FILES.iter().map(|file| project("assets").join(file)).collect();
    assert_same_on_any_threads(|| {
        let imports = load_many(&files, &ImportSettings::default(), || {});
        clean_ups::FILES
            .iter()
            .zip(imports)
            .map(|(file, import)| clean_ups::imported(file, &import.expect(file)))
            .collect()
    });
}

#[test]
fn building_graphs_gives_the_same_bits_on_any_threads() {
    assert_same_on_any_threads(graphs::run);
}

#[test]
fn journeys_give_the_same_bits_on_any_threads() {
    assert_same_on_any_threads(|| {
        let graph = embedded::graph();
        let scenes = ["2-pillars", "garden-labyrinth", "moving-crossing", "mesh-recast-nav-test"];
        scenes.into_iter().map(|name| walks::through(&graph, name)).collect()
    });
}

#[test]
fn creatures_give_the_same_bits_on_any_threads() {
    assert_same_on_any_threads(creatures::some);
}

#[test]
fn different_files_have_different_digests() {
    let all: Vec<u64> = clean_ups::run().iter().flat_map(|staged| staged.stages.first()).map(|stage| stage.1).collect();
    let apart: std::collections::BTreeSet<u64> = all.iter().copied().collect();
    // Every clip, that is: the first stage is the clip as it came.
    assert_eq!(apart.len(), all.len());
}
