//! `surefoot measure` says the same of a file as a judge that shares no code with it (`assets/judged/figures.json`).

mod running;

use running::{asset, json, surefoot};
use serde_json::Value;

/// How far figures may be apart: angles in degrees.
const ANGLE: f64 = 1.0;
/// Shares in percentage points, speeds and lengths as shares of them.
const SHARE: f64 = 0.01;
/// Distances in millimetres: soles are known that well where there is a skin.
const DISTANCE: f64 = 2.0;

fn measured(take: &Value) -> Value {
    let file = asset(&format!("judged/{}", take["file"].as_str().unwrap()));
    let mut args = vec!["measure", &file, "--json"];
    if let Some(ground) = take["ground"].as_str() {
        args.extend(["--world", ground]);
    }
    json(&surefoot(&args))[0].take()
}

#[test]
fn figures_agree_with_those_of_an_independent_judge() {
    let known: Value = serde_json::from_slice(&std::fs::read(asset("judged/figures.json")).unwrap()).unwrap();
    let takes = known["takes"].as_array().unwrap();
    assert_eq!(takes.len(), 6);
    let mut apart = Vec::new();
    for take in takes {
        let (ours, theirs) = (measured(take), &take["figures"]);
        let (planted, body) = (&ours["planted"], &ours["body"]);
        let mut see = |name: &str, ours: &Value, most: &dyn Fn(f64) -> f64| {
            // A figure of feet that never lie flat is none.
            let Some(judged) = theirs[name].as_f64() else { return };
            let Some(ours) = ours.as_f64() else { panic!("{name}: {ours}") };
            if (ours - judged).abs() > most(judged) {
                apart.push(format!("{}: {name} {ours:.4}, judged {judged:.4}", take["file"]));
            }
        };
        let share_of = |judged: f64| SHARE * judged;
        see("facing p95", &body["facing_p95_deg"], &|_| ANGLE);
        see("facing over 45", &body["sideways_percent"], &|_| 100.0 * SHARE);
        see("path", &body["path_m"], &share_of);
        see("speed", &body["speed_m_s"], &share_of);
        see("pops", &body["jumps"], &|_| 0.0);
        see("stance", &planted["stance_percent"], &|_| 100.0 * SHARE);
        see("air", &planted["air_percent"], &|_| 100.0 * SHARE);
        see("drift median", &planted["drift"]["median_mm"], &|_| DISTANCE);
        see("drift p95", &planted["drift"]["p95_mm"], &|_| DISTANCE);
        see("drift max", &planted["drift"]["max_mm"], &|_| DISTANCE);
        if take["skin"] == true {
            see("sole in ground max", &planted["depth"]["max_mm"], &|_| DISTANCE);
            see("foot in ground max", &planted["foot_in_ground_mm"], &|_| DISTANCE);
            see("leg in ground max", &planted["leg_in_ground_mm"], &|_| DISTANCE);
            see("float p95", &planted["float"]["p95_mm"], &|_| DISTANCE);
            see("skate", &planted["skate_m_s"], &share_of);
            see("slip median", &planted["slip"]["median_mm"], &|_| DISTANCE);
            see("slip p95", &planted["slip"]["p95_mm"], &|_| DISTANCE);
            see("slip max", &planted["slip"]["max_mm"], &|_| DISTANCE);
        }
    }
    assert!(apart.is_empty(), "{apart:#?}");
}

#[test]
fn feet_that_were_put_down_are_found_to_stand_in_a_rounded_file_too() {
    // Cleaned, and rounded to a tenth of a millimetre: drift was 5 to 12 mm, of times in which feet were on their way.
    let drift = &measured(&serde_json::json!({ "file": "clean.bvh" }))["drift"];
    assert!(drift["max_mm"].as_f64().unwrap() < 0.5, "{drift}");
}
