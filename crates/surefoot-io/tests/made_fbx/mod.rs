//! Small FBX files made by hand, for tests to break.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use std::fmt::Write as _;
use surefoot::glam::Vec3;
use surefoot::rig::{ModelPose, Pose};
use surefoot_io::{Import, ImportError, ImportSettings, fbx};

/// FBX counts time in these, a second.
pub const TICKS: f64 = 46_186_158_000.0;

/// Times in seconds, and values.
pub type Keys = Vec<(f64, f64)>;

/// A text file with bones and one take, all of which can be odd.
#[derive(Clone)]
pub struct Made {
    /// Name, parent, place, further properties.
    pub bones: Vec<(&'static str, Option<usize>, [f64; 3], String)>,
    /// Bone, property, axis, keys (seconds, value).
    pub curves: Vec<(usize, &'static str, char, Keys)>,
    /// Further objects, and what they are connected to.
    pub more: (String, String),
    /// Centimetres per unit.
    pub unit: f64,
    /// Up, front and right: which axis, and its sign.
    pub axes: [(usize, i32); 3],
    /// The file's enumeration: 6 is 30 frames a second.
    pub time_mode: usize,
}

/// Y up, Z to the front, X to the right: right-handed.
pub const Y_UP: [(usize, i32); 3] = [(1, 1), (2, 1), (0, 1)];
/// Z up, -Y to the front, X to the right: right-handed.
pub const Z_UP: [(usize, i32); 3] = [(2, 1), (1, -1), (0, 1)];

/// A person in centimetres who walks along z for a second, a key a frame.
pub fn person() -> Made {
    let plain = String::new;
    let keys: Keys = (0..=30).map(|i| (f64::from(i) / 30.0, f64::from(i))).collect();
    Made {
        bones: vec![
            ("Hips", None, [0.0, 85.0, 0.0], plain()),
            ("LeftLeg", Some(0), [10.0, -5.0, 0.0], plain()),
            ("LeftFoot", Some(1), [0.0, -80.0, 0.0], plain()),
            ("RightLeg", Some(0), [-10.0, -5.0, 0.0], plain()),
            ("RightFoot", Some(3), [0.0, -80.0, 0.0], plain()),
        ],
        curves: vec![(0, "Lcl Translation", 'Z', keys.clone()), (1, "Lcl Rotation", 'X', keys)],
        more: (String::new(), String::new()),
        unit: 1.0,
        axes: Y_UP,
        time_mode: 6,
    }
}

pub fn vector(name: &str, [x, y, z]: [f64; 3]) -> String {
    format!("P: \"{name}\", \"{name}\", \"\", \"A\",{x},{y},{z}\n")
}

impl Made {
    pub fn text(&self) -> String {
        let [(up, up_sign), (front, front_sign), (right, right_sign)] = self.axes;
        let mut out = format!(
            "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\nFBXVersion: 7400\n}}\nGlobalSettings:  {{\nProperties70:  {{
P: \"UpAxis\", \"int\", \"Integer\", \"\",{up}\nP: \"UpAxisSign\", \"int\", \"Integer\", \"\",{up_sign}
P: \"FrontAxis\", \"int\", \"Integer\", \"\",{front}\nP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",{front_sign}
P: \"CoordAxis\", \"int\", \"Integer\", \"\",{right}\nP: \"CoordAxisSign\", \"int\", \"Integer\", \"\",{right_sign}
P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{}\nP: \"TimeMode\", \"enum\", \"\", \"\",{}\n}}\n}}\nObjects:  {{\n",
            self.unit, self.time_mode
        );
        let mut links = String::from("C: \"OO\",301,300\n");
        for (i, (name, parent, place, more)) in self.bones.iter().enumerate() {
            let place = vector("Lcl Translation", *place);
            let _ = writeln!(
                out,
                "Model: {}, \"Model::{name}\", \"LimbNode\" {{\nProperties70:  {{\n{place}{more}}}\n}}",
                100 + i
            );
            let _ = writeln!(
                out,
                "NodeAttribute: {}, \"NodeAttribute::\", \"LimbNode\" {{\nTypeFlags: \"Skeleton\"\n}}",
                200 + i
            );
            let parent = parent.map_or(0, |parent| 100 + parent);
            let _ = writeln!(links, "C: \"OO\",{},{parent}\nC: \"OO\",{},{}", 100 + i, 200 + i, 100 + i);
        }
        let _ = writeln!(
            out,
            "AnimationStack: 300, \"AnimStack::Walk\", \"\" {{\n}}\nAnimationLayer: 301, \"AnimLayer::Base\", \"\" {{\n}}"
        );
        for (i, (bone, property, axis, keys)) in self.curves.iter().enumerate() {
            let count = keys.len();
            let times: Vec<String> = keys.iter().map(|(time, _)| format!("{:.0}", time * TICKS)).collect();
            let values: Vec<String> = keys.iter().map(|(_, value)| value.to_string()).collect();
            // Axes without a curve stay where the bone stands.
            let [x, y, z] = match *property {
                "Lcl Translation" => self.bones[*bone].2,
                "Lcl Scaling" => [1.0; 3],
                _ => [0.0; 3],
            };
            let _ = write!(out, "AnimationCurveNode: {}, \"AnimCurveNode::T\", \"\" {{\nProperties70:  {{\n", 400 + i);
            for (axis, value) in [('X', x), ('Y', y), ('Z', z)] {
                let _ = writeln!(out, "P: \"d|{axis}\", \"Number\", \"\", \"A\",{value}");
            }
            out.push_str("}\n}\n");
            // Flags 4: straight between keys.
            let _ = writeln!(
                out,
                "AnimationCurve: {}, \"AnimCurve::\", \"\" {{\nKeyVer: 4008\nKeyTime: *{count} {{\na: {}\n}}\nKeyValueFloat: *{count} {{\na: {}\n}}
KeyAttrFlags: *1 {{\na: 4\n}}\nKeyAttrDataFloat: *4 {{\na: 0,0,0,0\n}}\nKeyAttrRefCount: *1 {{\na: {count}\n}}\n}}",
                500 + i,
                times.join(","),
                values.join(",")
            );
            let _ = writeln!(
                links,
                "C: \"OO\",{},301\nC: \"OP\",{},{},\"{property}\"\nC: \"OP\",{},{},\"d|{axis}\"",
                400 + i,
                400 + i,
                100 + bone,
                500 + i,
                400 + i
            );
        }
        let (objects, connections) = &self.more;
        let _ = writeln!(out, "{objects}}}\nConnections:  {{\n{links}{connections}}}");
        out
    }

    pub fn read(&self) -> Result<Import, ImportError> {
        fbx::read(self.text().as_bytes(), "made", &ImportSettings::default())
    }
}

/// Where a joint is in a frame, metres.
pub fn place(import: &Import, joint: &str, frame: usize) -> Vec3 {
    let mut pose = Pose::rest(&import.skeleton);
    let mut model = ModelPose::new(&import.skeleton);
    pose.locals.copy_from_slice(import.clips[0].frame(frame));
    pose.to_model(&import.skeleton, &mut model);
    model[import.skeleton.find(joint).unwrap()].translation.into()
}

#[track_caller]
pub fn near(a: Vec3, b: Vec3) {
    assert!((a - b).length() < 1e-5, "{a} is not {b}");
}
