//! What exporters do to BVH files, one test each; and what must be refused, with the place named.

use surefoot::glam::{Vec3, Vec3A};
use surefoot::math::quat;
use surefoot::rig::{ModelPose, Pose};
use surefoot_io::{Axis, Dialect, Import, ImportError, ImportSettings, RestRow, Unit, Warning, bvh};

/// A person with legs of 80 cm, in centimetres, standing; `rows` follow.
fn person(rows: &[&str]) -> String {
    let leg = |side: &str, x: f32| {
        format!(
            "JOINT {side}UpLeg {{ OFFSET {x} -5 0 CHANNELS 3 Zrotation Xrotation Yrotation\n\
             JOINT {side}Leg\n {{ OFFSET 0 -40 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n\
             JOINT {side}Foot\n {{ OFFSET 0 -40 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n\
             End Site\n {{ OFFSET 0 -5 15 }} }} }} }}\n"
        )
    };
    format!(
        "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n{}{}}}\n\
         MOTION\nFrames: {}\nFrame Time: 0.033333\n{}\n",
        leg("Left", 10.0),
        leg("Right", -10.0),
        rows.len(),
        rows.join("\n")
    )
}

const STANDING: &str = "0 90 0  0 0 0  0 0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0 0";
const TURNED: &str = "0 90 5  0 0 90  0 0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0 0";

fn read(text: &str) -> Result<Import, ImportError> {
    bvh::read(text.as_bytes(), "test", &ImportSettings::default())
}

fn read_with(text: &str, settings: ImportSettings) -> Result<Import, ImportError> {
    bvh::read(text.as_bytes(), "test", &settings)
}

/// Where joints are in a frame.
fn places(import: &Import, frame: usize) -> ModelPose {
    let mut model = ModelPose::new(&import.skeleton);
    let mut pose = Pose::rest(&import.skeleton);
    pose.locals.copy_from_slice(import.clips[0].frame(frame));
    pose.to_model(&import.skeleton, &mut model);
    model
}

fn place_of(import: &Import, frame: usize, joint: &str) -> Vec3A {
    places(import, frame)[import.skeleton.find(joint).unwrap()].translation
}

#[test]
fn units_axes_and_turns_come_out_in_metres_to_the_left() {
    let import = read(&person(&[STANDING, TURNED])).unwrap();
    assert_eq!(
        (import.source.unit.value, import.source.up.value, import.source.forward.value),
        (Unit::Centimetre, Axis::Y, Axis::Z)
    );
    assert!((import.source.leg.unwrap() - 0.8).abs() < 1e-5, "legs {:?}", import.source.leg);
    let foot = place_of(&import, 1, "LeftFoot");
    // A quarter turn left about +Y takes the left foot from +X to -Z.
    assert!((foot - Vec3A::new(0.0, 0.05, -0.05)).length() < 1e-5, "{foot}");
    assert!(
        (import.clips[0].net_turn(&import.skeleton) - std::f32::consts::FRAC_PI_2).abs() < 1e-5,
        "a left turn is positive"
    );
    // The rest pose stands on the ground over the origin.
    let tip = import.skeleton.tips()[0];
    let rest = ModelPose::new(&import.skeleton);
    assert!(rest[tip.joint].transform_point(tip.offset).y.abs() < 1e-5, "soles on the ground");
}

#[test]
fn any_rotation_order_is_applied_as_written() {
    for order in ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"] {
        let channels: Vec<String> = order.chars().map(|c| format!("{c}rotation")).collect();
        let text = format!(
            "HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 3 {}\nEnd Site\n{{\nOFFSET 1 2 3\n}}\n}}\nMOTION\nFrames: 1\nFrame Time: 0.04\n10 20 30\n",
            channels.join(" ")
        );
        let import = read_with(&text, ImportSettings { unit: Some(Unit::Metre), ..ImportSettings::default() }).unwrap();
        let axis = |c: char| Vec3::AXES[(c as u8 - b'X') as usize];
        let mut expected = surefoot::glam::Quat::IDENTITY;
        for (c, angle) in order.chars().zip([10.0_f32, 20.0, 30.0]) {
            expected *= surefoot::glam::Quat::from_axis_angle(axis(c), angle.to_radians());
        }
        let off = quat::angle_between(import.clips[0].frame(0)[0].rotation, expected);
        assert!(off < 1e-6, "{order}: {off}");
    }
}

#[test]
fn hinges_and_rotations_before_positions() {
    let text = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 4 Zrotation Yposition Xposition Zposition \
                JOINT b { OFFSET 0 1 0 CHANNELS 1 Xrotation } }\nMOTION\nFrames: 1\nFrame Time: 0.04\n90 2 1 3 45";
    let import = read_with(text, ImportSettings { unit: Some(Unit::Metre), ..ImportSettings::default() }).unwrap();
    assert_eq!(import.clips[0].frame(0)[0].translation, Vec3A::new(1.0, 2.0, 3.0));
    let b = place_of(&import, 0, "b");
    assert!((b - Vec3A::new(0.0, 2.0, 3.0)).length() < 1e-5, "{b}");
}

#[test]
fn mixed_line_endings_tabs_marks_and_names_with_blanks() {
    let text = person(&[STANDING, TURNED]);
    let plain = read(&text).unwrap().clips[0].digest();
    for (from, to) in [
        ("\n", "\r\n"),
        ("\n", "\r"),
        ("Hips\n", "Hips\r\n"),
        (" ", "\t"),
        ("Frames: ", "Frames:\t"),
        ("Frames:", "FRAMES :"),
        ("Frame Time:", "Frame Time: \n"),
        ("HIERARCHY", "\u{feff}hierarchy"),
        ("JOINT", "joint"),
        ("End Site", "End site"),
        ("End Site", "EndSite"),
    ] {
        let odd = text.replace(from, to);
        let digest = read(&odd).unwrap_or_else(|e| panic!("{from:?} → {to:?}: {e}")).clips[0].digest();
        assert_eq!(digest, plain, "{from:?} → {to:?}");
    }
    let named = read(&text.replace("LeftFoot", "Bip01 L Foot-1.x:y")).unwrap();
    assert!(named.skeleton.find("Bip01 L Foot-1.x:y").is_some(), "{:?}", named.skeleton.names());
}

#[test]
fn no_end_sites_no_final_newline_exponents() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION\nFrames: 1\nFrame Time: 4e-2\n9.27476e-16 1E1 -.5";
    let import = read(text).unwrap();
    assert_eq!((import.skeleton.tips().len(), import.clips[0].rate()), (0, 25.0));
}

#[test]
fn header_counts_that_disagree_are_reported() {
    let three = person(&[STANDING, STANDING, TURNED]);
    let frames = |n: usize| read(&three.replace("Frames: 3", &format!("Frames: {n}")));
    for declared in [0, 1, 2, 4] {
        let import = frames(declared).unwrap();
        assert_eq!(import.clips[0].frames(), 3, "the rows count");
        assert!(
            import.warnings.contains(&Warning::FrameCount { declared, rows: 3 }),
            "{declared}: {:?}",
            import.warnings
        );
    }
    assert!(frames(3).unwrap().warnings.is_empty(), "no word where they agree");
    let import = read(&three.replace("CHANNELS 6", "CHANNELS 5")).unwrap();
    assert!(
        matches!(import.warnings[0], Warning::ChannelCount { declared: 5, listed: 6, .. }),
        "{:?}",
        import.warnings
    );
}

#[test]
fn a_footer_after_the_rows_is_passed_over() {
    let import = read(&(person(&[STANDING, TURNED]) + "\nmade by hand\n")).unwrap();
    assert!(matches!(import.warnings[..], [Warning::TrailingText { .. }]), "{:?}", import.warnings);
}

#[test]
fn rows_may_run_over_several_lines() {
    let broken = TURNED.replace("  ", "\n");
    let import = read(&person(&[STANDING, &broken])).unwrap();
    assert_eq!(import.clips[0].digest(), read(&person(&[STANDING, TURNED])).unwrap().clips[0].digest());
}

#[test]
fn joints_of_no_length_and_twice_the_same_name() {
    let text = person(&[STANDING, TURNED]).replace("OFFSET 0 -40 0", "OFFSET 0 0 0").replace("LeftLeg", "LeftUpLeg");
    let import = read(&text).unwrap();
    assert!(
        import.warnings.contains(&Warning::DuplicateName { name: "LeftUpLeg".into(), count: 2 }),
        "{:?}",
        import.warnings
    );
    assert!(places(&import, 1).joints.iter().all(|j| j.is_finite()), "no NaN");
}

#[test]
fn both_dialects_of_position_channels_are_told_apart() {
    let body = |root: &str, a: &str, b: &str| {
        format!(
            "HIERARCHY\nROOT a\n{{\nOFFSET 0 5 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT b\n{{\nOFFSET 0 4 0\nCHANNELS 3 Xposition Yposition Zposition\n\
             JOINT c\n{{\nOFFSET 0 3 0\nCHANNELS 3 Xposition Yposition Zposition\n}}\n}}\n}}\nMOTION\nFrames: 1\nFrame Time: 0.04\n{root} {a} {b}\n"
        )
    };
    let metres = ImportSettings { unit: Some(Unit::Metre), ..ImportSettings::default() };
    let replace = read_with(&body("0 5 0", "0 4 0", "0 3 0.5"), metres.clone()).unwrap();
    let add = read_with(&body("0 0 0", "0 0 0", "0 0 0.5"), metres.clone()).unwrap();
    assert_eq!((replace.source.positions.value, add.source.positions.value), (Dialect::Replace, Dialect::Add));
    for import in [&replace, &add] {
        assert_eq!(place_of(import, 0, "c"), Vec3A::new(0.0, 12.0, 0.5));
    }
    // Overruled: the other reading.
    let stated = ImportSettings { positions: Some(Dialect::Add), ..metres };
    let overruled = read_with(&body("0 5 0", "0 4 0", "0 3 0.5"), stated).unwrap();
    assert_eq!(place_of(&overruled, 0, "c"), Vec3A::new(0.0, 24.0, 0.5));
}

#[test]
fn z_up_and_other_facings_are_turned() {
    let text = person(&[STANDING, TURNED]);
    let plain = read(&text).unwrap();
    // Z up, facing -Y, as Blender has it: x y z → x -z y in offsets and channels.
    let mut turned = text.replace("OFFSET 0 -40 0", "OFFSET 0 0 -40").replace("OFFSET 0 -5 15", "OFFSET 0 -15 -5");
    turned = turned.replace("OFFSET 10 -5 0", "OFFSET 10 0 -5").replace("OFFSET -10 -5 0", "OFFSET -10 0 -5");
    turned = turned.replace("0 90 0  0 0 0", "0 0 90  0 0 0").replace("0 90 5  0 0 90", "0 -5 90  90 0 0");
    let import = read(&turned).unwrap();
    assert_eq!(
        (import.source.up.value.to_string(), import.source.forward.value.to_string()),
        ("+z".into(), "-y".into())
    );
    for frame in 0..2 {
        for (a, b) in places(&import, frame).joints.iter().zip(&places(&plain, frame).joints) {
            assert!((a.translation - b.translation).length() < 1e-5, "frame {frame}: {a:?} {b:?}");
        }
    }
    // Stated axes win; forward and up on one line make no sense.
    let stated = ImportSettings { up: Some(Axis::Z), forward: Some(Axis::Z), ..ImportSettings::default() };
    assert!(read_with(&text, stated).unwrap_err().what.contains("one line"), "refused");
}

#[test]
fn left_handed_files_are_noticed() {
    // Sides exchanged: the toes still point forward.
    let text = person(&[STANDING, TURNED]).replace("Left", "X").replace("Right", "Left").replace('X', "Right");
    let text = text.replace("Rightposition", "Xposition").replace("Rightrotation", "Xrotation");
    let import = read(&text).unwrap();
    assert!(import.warnings.contains(&Warning::Mirrored), "{:?}", import.warnings);
}

#[test]
fn a_rest_row_is_taken_out_only_where_it_is_one() {
    let walk = |i: usize| {
        format!(
            "0 90 {}  {i}.5 3.2 4.1  20.5 {i}.1 7.3 3.3 {i}.2 1.5 2.2 3.3 {i}.4  -12.3 -{i}.5 8.1 2.1 {i}.7 9.9 -1.1 2.3 {i}.6",
            2 * i
        )
    };
    let walking: Vec<String> = (1..8).map(walk).collect();
    let mut rows: Vec<&str> = walking.iter().map(String::as_str).collect();
    assert!(!read(&person(&rows)).unwrap().source.rest_row, "plain motion");
    rows.insert(0, "0 90 2  0 0 0  0 0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0 0");
    let import = read(&person(&rows)).unwrap();
    assert!(import.source.rest_row && import.clips[0].frames() == 7, "a T-pose before motion");
    let kept =
        read_with(&person(&rows), ImportSettings { rest_row: RestRow::No, ..ImportSettings::default() }).unwrap();
    assert_eq!(kept.clips[0].frames(), 8);
    // A motion that starts at zero and moves off gently is motion from its first row.
    let gentle: Vec<String> = (0..12)
        .map(|i| {
            format!(
                "0 90 {i}  {0} {0} {0}  {0} {0} {0} {0} {0} {0} {0} {0} {0}  {0} {0} {0} {0} {0} {0} {0} {0} {0}",
                3 * i
            )
        })
        .collect();
    assert!(
        !read(&person(&gentle.iter().map(String::as_str).collect::<Vec<_>>())).unwrap().source.rest_row,
        "a gentle start"
    );
}

#[test]
fn dead_leading_rows_are_cut_and_teleports_told() {
    let dead = STANDING.replace("0 90 0", "0 0 0");
    let rows = [dead.as_str(), &dead, &dead, TURNED, TURNED, TURNED];
    let text = person(&rows).replace("0.033333", "0.008333");
    let import = read(&text).unwrap();
    assert_eq!(import.clips[0].frames(), 3);
    assert!(import.warnings.iter().any(|w| matches!(w, Warning::DeadRows { rows: 3, .. })), "{:?}", import.warnings);
    let kept = read_with(&text, ImportSettings { cut_dead_rows: false, ..ImportSettings::default() }).unwrap();
    assert!(
        kept.clips[0].frames() == 6 && kept.warnings.iter().any(|w| matches!(w, Warning::Teleport { frame: 3, .. })),
        "{:?}",
        kept.warnings
    );
}

#[test]
fn one_frame_is_motion() {
    let import = read(&person(&[TURNED])).unwrap();
    assert_eq!((import.clips[0].frames(), import.clips[0].duration()), (1, 0.0));
}

#[test]
fn several_roots_are_read() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nROOT b\n{\nOFFSET 1 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.04\n1 2 3 4 5 6\n";
    let import = read(text).unwrap();
    assert_eq!(import.skeleton.roots().count(), 2);
    assert!(import.warnings.contains(&Warning::SeveralRoots { count: 2 }), "{:?}", import.warnings);
}

/// Text, what the message must hold, and the line it must name.
#[test]
fn what_is_broken_is_refused_with_its_place() {
    let good = person(&[STANDING, TURNED]);
    let lines = good.lines().count();
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    let deep = "JOINT x { OFFSET 0 0 0 CHANNELS 0 ".repeat(100_000);
    let many = format!(
        "HIERARCHY ROOT r {{ OFFSET 0 0 0 CHANNELS 1 Xrotation {} }} MOTION Frames: 1 Frame Time: 1 0",
        "JOINT x { OFFSET 0 0 0 CHANNELS 0 } ".repeat(20_000)
    );
    let cases: Vec<(&str, String, &str, Option<usize>)> = vec![
        ("empty", String::new(), "empty", None),
        ("blank", " \n\n\t ".into(), "empty", None),
        ("binary", "\u{1}\u{2}PNG\r\n".into(), "not a BVH file", Some(1)),
        ("another format", "{\"asset\": 1}".into(), "not a BVH file", Some(1)),
        ("no root", with("ROOT", "JOINT"), "expected ROOT", Some(2)),
        ("NaN", with(TURNED, &TURNED.replace("90 5", "nan 5")), "not a finite number", Some(lines)),
        ("Inf", with(TURNED, &TURNED.replace("90 5", "-Infinity 5")), "not a finite number", Some(lines)),
        (
            "NaN of another compiler",
            with(TURNED, &TURNED.replace("90 5", "1.#QNAN 5")),
            "not a finite number",
            Some(lines),
        ),
        ("decimal comma", with(TURNED, &TURNED.replace("90 5", "90,5 5")), "with a point, not a comma", Some(lines)),
        (
            "a word among numbers",
            with(TURNED, &TURNED.replace("90 5", "x 5")),
            "not a number for column 2 of row 1",
            Some(lines),
        ),
        ("a huge number", with(TURNED, &TURNED.replace("90 5", "1e300 5")), "out of range", Some(lines)),
        ("NaN offset", with("OFFSET 0 -40 0", "OFFSET 0 nan 0"), "not a finite number", None),
        ("no frames", with(&format!("{STANDING}\n{TURNED}\n"), ""), "no frames", None),
        ("frame time 0", with("0.033333", "0"), "must be above 0", Some(lines - 2)),
        ("frame time below 0", with("0.033333", "-0.03"), "must be above 0", Some(lines - 2)),
        ("frame time NaN", with("0.033333", "NaN"), "not a finite number", Some(lines - 2)),
        ("negative frames", with("Frames: 2", "Frames: -2"), "not a number of frames", Some(lines - 3)),
        ("a billion frames", with("Frames: 2", "Frames: 1000000000"), "cut short: 2 of 1000000000", None),
        ("a billion channels", with("CHANNELS 6", "CHANNELS 1000000000"), "0 to 6", None),
        ("a channel twice", with("Xposition Yposition", "Xposition Xposition"), "twice", None),
        ("an unknown channel", with("Xposition", "Wposition"), "expected a channel", None),
        ("an unknown word", with("OFFSET 10", "OFFSETS 10"), "expected OFFSET, CHANNELS, JOINT", None),
        ("a brace too many", with("MOTION", "}\nMOTION"), "too many", None),
        ("a brace too few", with("}\nMOTION", "MOTION"), "expected OFFSET", None),
        ("an open brace at the end", "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0".into(), "never closed", None),
        ("a depth bomb", format!("HIERARCHY ROOT r {{ {deep}"), "nested more than", Some(1)),
        ("too many joints", many, "more than 16384 joints", Some(1)),
        ("a row too short", with(STANDING, "0 90 0  0 0 0"), "does not end with a line", Some(lines - 1)),
        ("a row too long", with(STANDING, &format!("{STANDING} 1")), "more than the 24 numbers", Some(lines - 1)),
        ("cut in a row", good.trim_end().trim_end_matches(" 0").to_owned(), "cut short: row 1 has", Some(lines)),
        (
            "no channels at all",
            "HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 1 Frame Time: 1".into(),
            "no motion to read",
            None,
        ),
    ];
    for (case, text, wanted, line) in cases {
        let error = read(&text).map(|_| ()).expect_err(case);
        assert!(error.what.contains(wanted), "{case}: {error}");
        if let Some(line) = line {
            let place = error.place.as_ref().unwrap_or_else(|| panic!("{case} has no place: {error}"));
            assert_eq!(place.line, line, "{case}: {error}");
        }
    }
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("HIERARCHY".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert!(bvh::read(&utf16, "", &ImportSettings::default()).unwrap_err().what.contains("UTF-16"), "named");
}

#[test]
fn memory_is_bounded_by_what_a_file_may_unfold_to() {
    // 16 000 joints without channels cost text only once, but a transform in every one of 20 000 frames.
    let joints = "JOINT x { OFFSET 0 0 0 } ".repeat(16_000);
    let rows = "1\n".repeat(20_000);
    let text = format!(
        "HIERARCHY ROOT r {{ OFFSET 0 0 0 CHANNELS 1 Xrotation {joints} }}\nMOTION\nFrames: 20000\nFrame Time: 1\n{rows}"
    );
    assert!(read(&text).unwrap_err().what.contains("too many to hold"), "refused before it is held");
}

#[test]
fn files_cut_short_are_taken_only_on_request() {
    let text = person(&[STANDING, TURNED, STANDING, STANDING]);
    let cut = &text[..text.len() - 20];
    assert!(read(cut).unwrap_err().what.contains("--partial"), "says how");
    let partial = ImportSettings { partial: true, ..ImportSettings::default() };
    let import = read_with(cut, partial).unwrap();
    assert_eq!(import.clips[0].frames(), 3);
    assert!(import.warnings.contains(&Warning::PartialRow { row: 3 }), "{:?}", import.warnings);
}

#[test]
fn a_rest_row_is_told_though_fingers_jump_in_every_row_after_it() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/cmu/16_15.bvh");
    let text = std::fs::read_to_string(path).unwrap();
    let (head, rows) = text.split_at(text.find("Frame Time").unwrap());
    // The column of each joint's first channel, in the order of the file.
    let mut columns = std::collections::BTreeMap::new();
    let (mut name, mut column) = ("", 0);
    for words in head.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()) {
        match words[..] {
            ["ROOT" | "JOINT", joint] => name = joint,
            ["CHANNELS", count, ..] => {
                columns.insert(name, column);
                column += count.parse::<usize>().unwrap();
            }
            _ => {}
        }
    }
    let jumping = |(index, line): (usize, &str)| {
        let mut numbers: Vec<f32> = line.split_whitespace().map(|number| number.parse().unwrap()).collect();
        let jump = if index % 2 == 0 { 60.0 } else { -60.0 };
        for thumb in ["LThumb", "RThumb"] {
            (0..3).for_each(|channel| numbers[columns[thumb] + channel] += if index > 0 { jump } else { 0.0 });
        }
        numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(" ")
    };
    let mut lines = rows.lines();
    let rate = lines.next().unwrap();
    let rows: Vec<String> = lines.filter(|line| !line.trim().is_empty()).enumerate().map(jumping).collect();
    let jumpy = format!("{head}{rate}\n{}\n", rows.join("\n"));
    let import = bvh::read(jumpy.as_bytes(), "jumpy", &ImportSettings::default()).unwrap();
    assert!(import.source.rest_row, "{:?}", import.source.rest);
}
