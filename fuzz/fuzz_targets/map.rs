//! MovingAI maps: cells or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_io::world::read_map;

fuzz_target!(|bytes: &[u8]| {
    match read_map(bytes) {
        Ok(map) => {
            assert!(map.columns() * map.rows() <= bytes.len(), "more cells than bytes");
            let blocked: usize = map.blocks().iter().map(|block| block.columns * block.rows).sum();
            let cells = (0..map.rows()).flat_map(|row| (0..map.columns()).map(move |column| (column, row)));
            assert_eq!(blocked, cells.filter(|(column, row)| !map.is_free(*column, *row)).count());
            if map.columns() * map.rows() < 4000 {
                map.floor(1.0).unwrap();
            }
        }
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
});
