//! Walks along paths that were kept: a walk that a small graph plays, or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use surefoot::glam::Vec2;
use surefoot::library::graph::MotionGraph;
use surefoot::motion::{Pullens, ScalePlan};
use surefoot::plan::Path;
use surefoot::systems::{Follow, PathToFollow};
use surefoot_io::{graph_file, walk_file};

static GRAPH: LazyLock<MotionGraph> = LazyLock::new(|| {
    let mut graph = graph_file::read(include_bytes!("../corpus/graph/walk.graph")).expect("it was written so");
    graph.lay_out();
    graph
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match walk_file::read(text) {
        Ok(walk) => {
            assert_eq!(walk_file::read(&walk_file::write(&walk)).expect("it was read before"), walk);
            // Long walks are long work.
            if walk.edges.len() <= 4 {
                let path = Path::on_floor(&[Vec2::ZERO, Vec2::Y]);
                let wanted = PathToFollow { path: &path, plan: &ScalePlan::default(), law: &Pullens::default() };
                if let Ok(done) = Follow::default().play(&GRAPH, walk, &wanted) {
                    let clip = &done.take.clip;
                    let finite = |frame: usize| clip.frame(frame).iter().all(|local| local.is_finite());
                    assert!((0..clip.frames()).all(finite), "a pose is no pose");
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty(), "no words"),
    }
});
