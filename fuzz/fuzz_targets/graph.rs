//! Graph files: a graph or an error. Length and checksum are made to fit, so that what is behind them is reached.

#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot::stages::EdgeId;
use surefoot::math::FloorPose;
use surefoot_io::graph_file;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    let mut sealed = bytes.to_vec();
    if let Some(head) = sealed.get_mut(..12) {
        // Either version.
        let version = 1 + head[8] % 2;
        head.copy_from_slice(b"SFGRAPH\0\x01\0\0\0");
        head[8] = version;
    }
    if let Some(sealed) = graph_file::resealed(sealed) {
        check(&sealed);
    }
});

fn check(bytes: &[u8]) {
    match graph_file::read(bytes) {
        Ok(graph) => {
            let written = graph_file::write(&graph);
            let again = graph_file::read(&written).expect("it was read before");
            assert_eq!(graph, again);
            assert_eq!(written, graph_file::write(&again));
            // What was read can be used.
            let _ = (graph.misfits(3), graph.astray(3), graph.stands());
            for edge in 0..graph.topology.edges.len().min(4) {
                let _ = graph.play(FloorPose::ORIGIN, &[EdgeId(edge as u32)]);
            }
        }
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
}
