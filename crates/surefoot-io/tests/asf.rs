//! ASF and AMC on real captures and on hand-made files.

use std::path::{Path, PathBuf};
use surefoot::glam::Vec3A;
use surefoot::math::quat::angle_between;
use surefoot::rig::{ModelPose, Pose};
use surefoot_io::asf::{self, Movement};
use surefoot_io::{Axis, Import, ImportSettings, Unit, Warning, bvh, load};

fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name)
}

fn codes(import: &Import) -> Vec<&'static str> {
    import.warnings.iter().map(Warning::code).collect()
}

/// Two bones up, one of them turned, with the least that a file needs.
const SMALL: &str = "\
:units
  length 1.0
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
# a comment
  begin
    id 1
    name shin
    direction 0 1 0
    length 2
    axis 0 0 90 XYZ
    dof rx rz
    limits (-10 20)
           (-inf, inf)
  end
  begin
    name foot
    direction 0 0 1
    length 3
    axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root shin
    shin foot
  end
";

fn small(amc: &str) -> Result<Import, surefoot_io::ImportError> {
    let (document, _) = asf::parse(SMALL.as_bytes()).unwrap();
    let (up, forward) = (Some(Axis::Y), Some(Axis::Z));
    let settings = ImportSettings { unit: Some(Unit::Metre), up, forward, ..ImportSettings::default() };
    asf::read_motion(amc.as_bytes(), &document, "small", &settings)
}

#[test]
fn a_capture_is_a_person_who_stands_upright() {
    let import = load(&asset("asfamc/11_01.amc"), &ImportSettings::default()).unwrap();
    let (skeleton, clip) = (&import.skeleton, &import.clips[0]);
    assert_eq!((import.source.format, skeleton.len(), clip.frames(), clip.rate()), ("AMC", 31, 120, 120.0));
    assert_eq!((import.source.unit.value, codes(&import)), (Unit::Cmu, vec!["rate-assumed"]));
    assert!((import.source.leg.unwrap() - 0.857).abs() < 0.01, "{:?}", import.source.leg);
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
    for frame in 0..clip.frames() {
        clip.sample(frame as f32 / clip.rate(), &mut pose);
        pose.to_model(skeleton, &mut model);
        let at = |name: &str| model[skeleton.find(name).unwrap()].translation;
        assert!(at("head").y > 1.3 && at("head").y < 1.8, "head at {}", at("head"));
        assert!((0.85..1.1).contains(&at("root").y), "hips at {}", at("root"));
        for foot in ["lfoot", "rfoot"] {
            assert!((-0.05..0.3).contains(&at(foot).y), "{foot} at {}", at(foot));
        }
        // Bones keep their length.
        let thigh = (at("lfemur") - at("ltibia")).length();
        assert!((thigh - 7.33161 * 0.0254 / 0.45).abs() < 1e-4, "{thigh}");
    }
}

/// The same trial as AMC and as BVH. CMU's skeletons differ in lengths, not in axes, so that of another person shows
/// whether `C M C⁻¹` is what the makers of the BVH files computed.
#[test]
fn the_same_trial_as_bvh_turns_every_joint_alike() {
    let settings = ImportSettings { skeleton: Some(asset("asfamc/11.asf")), ..ImportSettings::default() };
    let amc = load(&asset("asfamc/02_01.amc"), &settings).unwrap();
    let bvh = load(&asset("bvh/02_01.bvh"), &ImportSettings::default()).unwrap();
    let pairs = [
        ("root", "Hips"),
        ("lhipjoint", "LHipJoint"),
        ("lfemur", "LeftUpLeg"),
        ("ltibia", "LeftLeg"),
        ("lfoot", "LeftFoot"),
        ("ltoes", "LeftToeBase"),
        ("rfemur", "RightUpLeg"),
        ("rtibia", "RightLeg"),
        ("rfoot", "RightFoot"),
        ("rtoes", "RightToeBase"),
        ("lowerback", "LowerBack"),
        ("upperback", "Spine"),
        ("thorax", "Spine1"),
        ("lowerneck", "Neck"),
        ("upperneck", "Neck1"),
        ("head", "Head"),
        ("lclavicle", "LeftShoulder"),
        ("lhumerus", "LeftArm"),
        ("lradius", "LeftForeArm"),
        ("rclavicle", "RightShoulder"),
        ("rhumerus", "RightArm"),
        ("rradius", "RightForeArm"),
    ];
    assert_eq!(amc.clips[0].frames(), 60);
    for frame in 0..60 {
        let (a, b) = (amc.clips[0].frame(frame), bvh.clips[0].frame(frame));
        assert!((a[0].translation - b[0].translation).length() < 1e-5, "root at frame {frame}");
        for (ours, theirs) in pairs {
            let (i, j) = (amc.skeleton.find(ours).unwrap(), bvh.skeleton.find(theirs).unwrap());
            let off = angle_between(a[i.index()].rotation, b[j.index()].rotation).to_degrees();
            assert!(off < 0.04, "{ours} is {off}° off {theirs} at frame {frame}");
        }
    }
}

#[test]
fn a_motion_without_its_skeleton_is_refused_with_the_name_that_was_looked_for() {
    let error = load(&asset("asfamc/02_01.amc"), &ImportSettings::default()).unwrap_err().to_string();
    assert!(error.contains("02.asf is not there") && error.contains("--skeleton"), "{error}");
    let missing = ImportSettings { skeleton: Some("no/such.asf".into()), ..ImportSettings::default() };
    let error = load(&asset("asfamc/02_01.amc"), &missing).unwrap_err().to_string();
    assert!(error.contains("no/such.asf: cannot read"), "{error}");
    assert_eq!(asf::skeleton_beside(Path::new("a/16_36_b.amc")), Path::new("a/16.asf"));
}

#[test]
fn a_skeleton_alone_is_one_frame_at_rest() {
    let import = load(&asset("asfamc/11.asf"), &ImportSettings::default()).unwrap();
    assert_eq!((import.source.format, import.clips[0].frames(), codes(&import)), ("ASF", 1, vec!["skeleton-only"]));
    assert_eq!(import.clips[0].frame(0), import.skeleton.rest());
    assert_eq!(import.skeleton.tips().len(), 7);
}

#[test]
fn limits_are_kept_in_radians_about_the_bones_own_axes() {
    let import = load(&asset("asfamc/11.asf"), &ImportSettings::default()).unwrap();
    let of = |name: &str| {
        let joint = import.skeleton.find(name).unwrap();
        import.source.freedoms.iter().filter(|f| f.joint == joint).copied().collect::<Vec<_>>()
    };
    assert_eq!((of("root").len(), of("lhipjoint").len(), of("lfemur").len()), (6, 0, 3));
    let knee = of("ltibia")[0];
    assert_eq!(knee.movement, Movement::Turn);
    assert!(
        (knee.least + 10_f32.to_radians()).abs() < 1e-6 && (knee.most - 170_f32.to_radians()).abs() < 1e-6,
        "{knee:?}"
    );
    // axis 0 0 20: x turned by 20° about z.
    let (sin, cos) = 20_f32.to_radians().sin_cos();
    assert!((knee.axis - Vec3A::new(cos, sin, 0.0)).length() < 1e-5, "{knee:?}");
    assert_eq!((of("root")[0].movement, of("root")[0].least), (Movement::Slide, f32::NEG_INFINITY));
}

#[test]
fn turns_are_about_the_axes_that_the_skeleton_says() {
    // shin: C turns x to y and y to -x. rx = 90° is a turn about y: z goes to x. Then rz = 90°: x goes to y.
    let import = small("1\nroot 1 2 3 0 0 0\nshin 90 90\n").unwrap();
    let frame = import.clips[0].frame(0);
    assert_eq!(frame[0].translation, Vec3A::new(1.0, 2.0, 3.0));
    let turned = frame[1].rotation * Vec3A::Z;
    assert!((turned - Vec3A::Y).length() < 1e-5, "{turned}");
    // The foot starts where the shin ends, in the shin's space.
    assert!((frame[2].translation - Vec3A::new(0.0, 2.0, 0.0)).length() < 1e-6, "{:?}", frame[2]);
    // The root: X first, then Y, then Z, about fixed axes.
    let root = small("1\nroot 0 0 0 90 90 0\nshin 0 0\n").unwrap().clips[0].frame(0)[0].rotation;
    assert!((root * Vec3A::Y - Vec3A::X).length() < 1e-5, "{root}");
}

#[test]
fn headers_say_angles_and_rates() {
    let quarter = std::f32::consts::FRAC_PI_2;
    let text = format!(":RADIANS\r\n:SAMPLES-PER-SECOND 60\r\n1\r\nroot 0 0 0 0 0 0\r\nshin {quarter} 0\r\n");
    let import = small(&text).unwrap();
    assert_eq!(import.clips[0].rate(), 60.0);
    assert!((import.clips[0].frame(0)[1].rotation * Vec3A::Z - Vec3A::X).length() < 1e-5, "a quarter turn");
    // The skeleton's limits stay in its own unit.
    assert!((import.source.freedoms[6].most - 20_f32.to_radians()).abs() < 1e-6, "{:?}", import.source.freedoms[6]);
}

#[test]
fn odd_motions_are_told() {
    let import = small("7\nroot 0 0 0 0 0 0\n8\nroot 0 0 1 0 0 0\n").unwrap();
    assert!(
        codes(&import).contains(&"frame-number") && codes(&import).contains(&"bones-at-rest"),
        "{:?}",
        import.warnings
    );
    let cut = "1\nroot 0 0 0 0 0 0\nshin 1 2\n2\nroot 0 0 0 0 0 0\nshin 1";
    assert!(small(cut).is_err(), "cut short");
    let (document, _) = asf::parse(SMALL.as_bytes()).unwrap();
    let partial = ImportSettings { partial: true, ..ImportSettings::default() };
    for end in [cut.len(), cut.len() - 2, cut.len() - 7] {
        let import = asf::read_motion(&cut.as_bytes()[..end], &document, "cut", &partial).unwrap();
        assert_eq!(import.clips[0].frames(), 1, "{end}");
        assert!(codes(&import).contains(&"partial-row"), "{:?}", import.warnings);
    }
}

#[test]
fn errors_in_motions_have_a_place_and_the_reason() {
    for (text, line, words) in [
        ("", 1, "no frames"),
        ("root 0 0 0 0 0 0\n", 1, "number of the first frame"),
        ("1\nroot 0 0 0 0 0 0\nhand 1\n", 3, "no bone \"hand\""),
        ("1\nroot 0 0 0 0 0\n", 2, "tx ty tz rx ry rz"),
        ("1\nroot 0 0 nan 0 0 0\n", 2, "not a finite number"),
        ("1\nroot 0 0 2e9 0 0 0\n", 2, "out of range"),
        ("1\nroot 0 0 0 0 0 0\nroot 0 0 0 0 0 0\n", 3, "named twice"),
        ("1\nroot 0 0 0 0 0 0\n2\nshin 0 0\n", 4, "not named in the first frame"),
        ("1\nroot 0 0 0 0 0 0\nshin 1 2\n2\nshin 0 0\n3\n", 6, "1 of the 2 bones"),
        (":SAMPLES-PER-SECOND 0\n1\n", 1, "not a frame rate"),
    ] {
        let error = small(text).unwrap_err();
        assert!(error.what.contains(words), "{text:?}: {error}");
        assert_eq!(error.place.map(|p| p.line), Some(line), "{text:?}");
    }
}

#[test]
fn errors_in_skeletons_have_a_place_and_the_reason() {
    for (from, to, line, words) in [
        ("length 1.0", "length -1", 2, "makes no body"),
        ("angle deg", "angle turns", 3, "deg or rad"),
        ("order TX TY", "order TX TX", 5, "listed twice"),
        ("axis XYZ", "axis XYY", 6, "not an order of axes"),
        ("position 0 0 0", "position 0 0", 7, "2 numbers where 3 belong"),
        ("direction 0 1 0", "direction 0 one 0", 14, "\"one\" is not a number"),
        ("dof rx rz", "dof rx rw", 17, "nothing that a bone can do"),
        ("limits (-10 20)", "limits (-10)", 18, "second is missing"),
        ("name foot", "name shin", 22, "second bone named \"shin\""),
        ("name foot", "", 21, "has no name"),
        ("root shin", "root shin hand", 29, "no bone \"hand\""),
        ("shin foot", "shin foot foot", 30, "hangs from two bones"),
        ("root shin", "foot shin", 13, "does not hang from the root"),
        (":hierarchy", "# nothing\n", 29, "has no name"),
        (":root", ":roof", 11, "come after :root"),
        (":units", "units", 1, "expected a section"),
    ] {
        assert!(SMALL.contains(from), "{from}");
        let error = asf::parse(SMALL.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(error.what.contains(words), "{to:?}: {error}");
        assert_eq!(error.place.as_ref().map(|p| p.line), Some(line), "{to:?}: {error}");
    }
    for bytes in [&b""[..], b"#", b":units", b":root\norder rx\n"] {
        assert!(asf::parse(bytes).is_err(), "{bytes:?}");
    }
    let deep: String = (0..600).map(|i| format!("begin\nname b{i}\nend\n")).collect();
    let chain: String = (0..599).map(|i| format!("b{i} b{}\n", i + 1)).collect();
    let text = format!(":root\norder rx\n:bonedata\n{deep}:hierarchy\nroot b0\n{chain}");
    assert!(asf::parse(text.as_bytes()).unwrap_err().what.contains("512 deep"), "a depth bomb");
}

#[test]
fn other_units_are_taken_by_their_word_unless_nobody_has_such_legs() {
    let text = String::from_utf8(std::fs::read(asset("asfamc/11.asf")).unwrap()).unwrap();
    let leg = |text: &str| asf::read_skeleton(text.as_bytes(), "x", &ImportSettings::default()).unwrap();
    let inches = leg(&text.replace("length 0.45", "length 0.5"));
    assert_eq!(inches.source.unit.value, Unit::Other(0.0254 / 0.5));
    // CMU's numbers under another factor: 15 inches would be a small child's legs, 1500 a giant's.
    let giant = leg(&text.replace("length 0.45", "length 0.01"));
    assert!(codes(&giant).contains(&"unit-assumed"), "{:?}", giant.warnings);
    assert!((giant.source.leg.unwrap() - 0.85).abs() < 0.1, "{:?}", giant.source.leg);
}

#[test]
fn bvh_is_still_bvh() {
    for text in ["HIERARCHY\n", "MOTION\n", "1 2 3\n", "v 1 2 3\n", "\u{feff}HIERARCHY"] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("not_acclaim.bvh");
        std::fs::write(&folder, text).unwrap();
        let error = load(&folder, &ImportSettings::default()).unwrap_err().to_string();
        let alike = bvh::read(text.as_bytes(), "x", &ImportSettings::default()).unwrap_err().to_string();
        assert!(error.ends_with(&alike), "{error}");
    }
}
