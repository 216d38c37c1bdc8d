//! Paths over a floor and plans of leg lengths as they are typed: read or told why not.

#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot::motion::ScalePlan;
use surefoot::plan::Path;
use surefoot_io::path_file;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match path_file::read(text) {
        Ok(points) => {
            let path = Path::on_floor(&points);
            assert!(path.length().is_finite() && path.heading(0.0).is_finite(), "{points:?}");
            assert!(path.start().is_finite() && path.end().is_finite(), "{points:?}");
        }
        Err(error) => assert!(error.to_string().len() < 400, "{error}"),
    }
    match text.parse::<ScalePlan>() {
        Ok(plan) => {
            for time in [0.0, 0.5, 7.0, 1e5] {
                assert!(plan.at(time).is_finite() && plan.at(time) > 0.0, "{plan:?} at {time}");
            }
            assert!(plan.settled().is_finite(), "{plan:?}");
        }
        Err(error) => assert!(!error.to_string().is_empty(), "no words"),
    }
});
