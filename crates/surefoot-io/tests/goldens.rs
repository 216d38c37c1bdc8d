//! Every stage of every scenario gives the bits that are stored in goldens.txt:
//! `cargo test -p surefoot-io --features libm,embedded,navmesh,parallel --test goldens`.
//!
//! Stored bits are of feature `libm`, which gives the same on every platform; without it a second run is compared. A failure
//! names the first stage that differs. `SUREFOOT_WRITE_GOLDENS=1` before the same command rewrites the file.

mod golden;

use golden::{assert_golden, clean_ups, creatures, graphs, project, walks};
use surefoot_io::{ImportSettings, embedded, load};

#[test]
fn walks_through_scenes() {
    let graph = embedded::graph();
    assert_golden("walk/", || walks::run(&graph));
}

#[test]
fn imports() {
    assert_golden("import/", || {
        let import = |file: &&str| {
            let import = load(&project("assets").join(file), &ImportSettings::default()).expect(file);
            clean_ups::imported(file, &import)
        };
        clean_ups::FILES.iter().map(import).collect()
    });
}

#[test]
fn clean_ups() {
    assert_golden("clean/", clean_ups::run);
}

#[test]
fn graphs() {
    assert_golden("graph/", graphs::run);
}

#[test]
fn creatures() {
    assert_golden("creature/", creatures::run);
}
