//! What programs are told keeps its keys, and words say the same figures.

use serde_json::{Value, json};
use surefoot::systems::CleanUp;
use surefoot_io::embedded;
use surefoot_view::cleaned_page;
use surefoot_view::own_file::OwnFile;
use surefoot_view::report::cleaned::CleanReport;

fn keys(value: &Value) -> String {
    value.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_cleaned_clip_is_told_under_the_keys_that_programs_know() {
    let import = embedded::find("16_15").unwrap().import();
    let done = CleanUp::default().run(&import.skeleton, &import.clips[0]).unwrap();
    let report = CleanReport::new(&done);
    let value = json!(report);
    assert_eq!(keys(&value), "after before joint_over_limit_deg_s let_go missed_mm pelvis_max_mm stance_kept");
    let before = &value["before"];
    assert_eq!(
        keys(before),
        "cadence_per_s doubts fall_m_s2 figures flights fragmentation froude ground_m hip_speed_median idle implied_speed \
         legs pelvis_yaw_net repairs stances steps stride_length_m stride_speed stride_time_s support turn_rate_deg_s \
         walk_ratio"
    );
    assert_eq!(keys(&before["legs"][0]), "ankle foot_m hip knee length_m side toe");
    assert_eq!(keys(&before["stances"][0]), "ball_held heel_held leg open print_m seconds");
    assert_eq!(
        keys(&value["after"]),
        "clearance_mm contact_agreement drift extension float jerk_m_s3 penetration skate_m_s skating_ratio stances"
    );
    assert_eq!(keys(&value["after"]["drift"]), "max_mm median_mm p95_mm worst_s");

    let mut words = String::new();
    report.rows(&mut words);
    for said in [format!("{:.1} % kept", 100.0 * report.stance_kept), format!("{} whole ones", report.after.stances)] {
        assert!(words.contains(&said), "{said:?} in {words}");
    }
}

#[test]
fn a_page_knows_the_nodes_of_the_characters_own_file() {
    let import = embedded::find("16_15").unwrap().import();
    let done = CleanUp::default().run(&import.skeleton, &import.clips[0]).unwrap();
    let nodes: Vec<usize> = (0..import.skeleton.len()).map(|joint| 100 + joint).collect();
    let file = OwnFile { nodes, scale: 0.01, turn: surefoot::glam::Quat::IDENTITY };
    let page = cleaned_page::page(&done, Some(&file), None);
    for trace in &page.traces {
        let joint = import.skeleton.joints().find(|joint| import.skeleton.name(*joint) == trace.node).unwrap();
        assert_eq!(trace.index, Some(100 + joint.index()), "{}", trace.node);
    }
    assert_eq!(page.placing.scale, 0.01);
    assert!(cleaned_page::page(&done, None, None).traces.iter().all(|trace| trace.index.is_none()), "bones by name");
}

#[test]
fn a_cleaned_clips_page_shows_legs_as_they_came_and_how_feet_slid() {
    let import = embedded::find("16_15").unwrap().import();
    let done = CleanUp::default().run(&import.skeleton, &import.clips[0]).unwrap();
    let page = cleaned_page::page(&done, None, None);
    let ghost = page.ghost.expect("legs as they came");
    assert_eq!(ghost.ends.len(), ghost.lines * done.clip().frames());
    assert_eq!(ghost.rate, done.clip().rate());
    assert!(ghost.ends.iter().flatten().all(|p| p.is_finite()));
    // Bones keep their lengths from frame to frame.
    for line in 0..ghost.lines {
        let lengths = ghost.ends.iter().skip(line).step_by(ghost.lines).map(|[a, b]| a.distance(*b));
        let (low, high) = lengths.fold((f32::INFINITY, 0.0_f32), |(low, high), x| (low.min(x), high.max(x)));
        assert!(high - low < 0.02, "line {line} is {low} to {high} m long");
    }
    let slides = page.charts.iter().filter(|chart| chart.title.contains("slide")).count();
    assert_eq!(slides, done.before.rig.legs.len(), "a curve of slide for each foot");
}
