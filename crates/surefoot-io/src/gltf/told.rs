//! The rig that a file was made with and when its feet stand, in `extras`: whoever reads the file again takes the same.

use super::document::Document;
use super::schema::MARK;
use crate::unit::{Axis, Unit};
use crate::{ImportSettings, Inferred};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use surefoot::analyse::check_rig;
use surefoot::glam::{Quat, Vec3, Vec3A};
use surefoot::math::Rigid;
use surefoot::motion::StanceFrames;
use surefoot::rig::{Foot, JointId, Leg, Pose, Rig, Side, Skeleton, Skin};

/// The key of the rig, under [`MARK`].
const RIG: &str = "rig";
/// The version written; others are passed over.
const VERSION: u32 = 1;
/// More legs than this are not believed, nor more joints in one.
const MOST: usize = 64;
/// A leg is as long as it was to this share: the body is the one that the rig was made for.
const SAME_LENGTH: f32 = 0.01;
/// What was found by the rig.
pub(super) const REASON: &str = "as the file says, which surefoot wrote";

/// A rig as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Told {
    version: u32,
    /// Metres per unit of the file.
    unit: f32,
    up: String,
    forward: String,
    legs: Vec<ToldLeg>,
}

/// One leg: joints by name, metres and directions in the spaces that [`Leg`] and [`Foot`] say.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToldLeg {
    side: Option<String>,
    joints: Vec<String>,
    /// Hip to ankle along the joints at rest.
    long: f32,
    hinges: Vec<[f32; 3]>,
    toe: Option<String>,
    shin: Option<[f32; 3]>,
    heel: [f32; 3],
    ball: [f32; 3],
    up: [f32; 3],
    tip: Option<[f32; 3]>,
    length: f32,
    width: f32,
}

/// Legs as an entry for the `extras` of a document: of a file in metres, Y up, facing +Z, or of `document`. `None` without legs.
pub(crate) fn entry(skeleton: &Skeleton, legs: &[Leg], document: Option<&Document>) -> Option<Value> {
    let (unit, turn) = document.map_or((1.0, Quat::IDENTITY), Document::model_from_scene);
    let axis = |ours: Vec3| Axis::nearest(turn.conjugate() * ours).0.to_string();
    let legs: Vec<ToldLeg> = legs.iter().map(|leg| ToldLeg::of(skeleton, leg)).collect();
    let told = Told { version: VERSION, unit, up: axis(Vec3::Y), forward: axis(Vec3::Z), legs };
    (!told.legs.is_empty()).then(|| json!({ RIG: told }))
}

/// Puts legs into a document's `extras`, beside what is there; those that are no list of entries are left as they are.
pub(super) fn put(json: &mut Value, entry: Value) {
    let extras = &mut json["extras"];
    if extras.is_null() {
        *extras = Value::Object(Map::new());
    }
    if let Some(extras) = extras.as_object_mut() {
        extras.insert(MARK.into(), entry);
    }
}

/// The rig that a document says it was made with, or why that cannot be read; `None` if it says nothing.
pub(super) fn read(json: &Value) -> Option<Result<Told, String>> {
    let told = json.get("extras")?.get(MARK)?.get(RIG)?;
    Some(Told::deserialize(told).map_err(|error| crate::warning::excerpt(&error.to_string())).and_then(|told| {
        let (up, forward) = (told.up.parse::<Axis>()?, told.forward.parse::<Axis>()?);
        if told.version != VERSION {
            return Err(format!("it is version {} of the format, and version {VERSION} is read", told.version));
        }
        if up.index == forward.index || !(1e-6..=1e6).contains(&told.unit) {
            return Err("its unit or axes are not usable".into());
        }
        Ok(told)
    }))
}

/// When feet stand, by leg: from and to which frame, in which the heel holds its place, and the ball.
pub(super) fn standing(legs: &[Vec<StanceFrames>]) -> Value {
    let row = |times: &StanceFrames| {
        let StanceFrames { whole, heel, ball } = times;
        json!([whole.start, whole.end, heel.start, heel.end, ball.start, ball.end])
    };
    legs.iter().map(|leg| leg.iter().map(row).collect::<Value>()).collect()
}

/// The same from a file; `None` if it is none. Whether it fits the clip is for [`Clip::with_standing`](surefoot::motion::Clip).
pub(super) fn read_standing(value: &Value) -> Option<Vec<Vec<StanceFrames>>> {
    let rows: Vec<Vec<[u32; 6]>> = Deserialize::deserialize(value).ok()?;
    let times = |row: [u32; 6]| {
        let [start, end, heel, heel_end, ball, ball_end] = row.map(|frame| frame as usize);
        StanceFrames { whole: start..end, heel: heel..heel_end, ball: ball..ball_end }
    };
    Some(rows.into_iter().map(|leg| leg.into_iter().map(times).collect()).collect())
}

impl Told {
    /// What a caller states, with what he does not state as the file has it.
    pub(super) fn settings(&self, stated: &ImportSettings) -> ImportSettings {
        let named = Unit::NAMED.into_iter().find(|unit| unit.metres() == self.unit);
        let forward = stated.forward.or_else(|| self.forward.parse().ok());
        let up = stated.up.or_else(|| self.up.parse().ok());
        // Axes that a person states go before.
        let (up, forward) = match (up, forward) {
            (Some(up), Some(forward)) if up.index == forward.index => (stated.up, stated.forward),
            axes => axes,
        };
        let unit = stated.unit.or(Some(named.unwrap_or(Unit::Other(self.unit))));
        ImportSettings { unit, up, forward, ..stated.clone() }
    }

    /// The reason of a value that the caller did not state.
    pub(super) fn reason<T>(value: &mut Inferred<T>, stated: bool) {
        if !stated {
            value.reason = REASON.into();
        }
    }

    /// The legs on a body, or why they are none of it. `first` is the first frame of its first clip: a body that cannot stand at
    /// rest may stand there.
    pub(super) fn legs(&self, skeleton: &Skeleton, skin: Option<&Skin>, first: &[Rigid]) -> Result<Vec<Leg>, String> {
        if !(2..=MOST).contains(&self.legs.len()) {
            return Err(format!("it has {} legs", self.legs.len()));
        }
        let legs: Vec<Leg> = self.legs.iter().map(|told| told.leg(skeleton)).collect::<Result<_, _>>()?;
        for (index, leg) in legs.iter().enumerate() {
            if legs[..index].iter().any(|other| other.ankle() == leg.ankle()) {
                return Err(format!("two legs end in {:?}", skeleton.name(leg.ankle())));
            }
        }
        let rig = Rig { skeleton: skeleton.clone(), legs, mirror: None };
        let mut pose = Pose::rest(skeleton);
        if let Err(at_rest) = check_rig(&rig, skin, &pose) {
            pose.locals.copy_from_slice(first);
            check_rig(&rig, skin, &pose).map_err(|_| at_rest.to_string())?;
        }
        Ok(rig.legs)
    }
}

impl ToldLeg {
    fn of(skeleton: &Skeleton, leg: &Leg) -> Self {
        let name = |joint: JointId| skeleton.name(joint).to_owned();
        let foot = &leg.foot;
        Self {
            side: leg.side.map(|side| if side == Side::Left { "left".into() } else { "right".into() }),
            joints: leg.chain.iter().copied().map(name).collect(),
            long: leg.length(skeleton),
            hinges: leg.hinges.iter().map(Vec3A::to_array).collect(),
            toe: leg.toe.map(name),
            shin: leg.shin.map(|end| end.to_array()),
            heel: foot.heel.to_array(),
            ball: foot.ball.to_array(),
            up: foot.up.to_array(),
            tip: foot.tip.map(|tip| tip.to_array()),
            length: foot.length,
            width: foot.width,
        }
    }

    fn leg(&self, skeleton: &Skeleton) -> Result<Leg, String> {
        let last = self.joints.last().map_or("", String::as_str);
        let of = || format!("of the leg that ends in {:?}", crate::warning::excerpt(last));
        let joint = |name: &String| {
            skeleton.find(name).ok_or_else(|| format!("there is no joint {:?}", crate::warning::excerpt(name)))
        };
        if !(3..=MOST).contains(&self.joints.len()) || self.hinges.len() + 2 != self.joints.len() {
            return Err(format!("the number of joints {} is wrong", of()));
        }
        let chain: Vec<JointId> = self.joints.iter().map(joint).collect::<Result<_, _>>()?;
        let toe = self.toe.as_ref().map(joint).transpose()?;
        let below = |joint: JointId, above: JointId| skeleton.ancestry(joint).skip(1).any(|j| j == above);
        let (knee, ankle) = (chain[chain.len() - 2], chain[chain.len() - 1]);
        let inner = chain[..chain.len() - 1].windows(2).all(|pair| below(pair[1], pair[0]));
        // A foot may hang from elsewhere, but not from its own leg's joints upside down; it may have no joint but the knee's.
        let carried = ankle == knee || below(ankle, knee);
        let hangs = carried || !(below(knee, ankle) || below(ankle, chain[0]));
        if !(inner && hangs && self.shin.is_some() != carried && toe.is_none_or(|toe| below(toe, ankle))) {
            return Err(format!("the joints {} do not hang from each other", of()));
        }
        let numbers = || format!("a number {} is not usable", of());
        let place = |v: [f32; 3]| Some(Vec3A::from_array(v)).filter(|v| v.is_finite() && v.length() < 1e3);
        let direction = |v: [f32; 3]| Some(Vec3A::from_array(v)).filter(|v| (v.length() - 1.0).abs() < 1e-3);
        let place = |v: [f32; 3]| place(v).ok_or_else(numbers);
        let direction = |v: [f32; 3]| direction(v).ok_or_else(numbers);
        let size = |v: f32| Some(v).filter(|v| (0.0..1e3).contains(v)).ok_or_else(numbers);
        let foot = Foot {
            heel: place(self.heel)?,
            ball: place(self.ball)?,
            up: direction(self.up)?,
            tip: self.tip.map(place).transpose()?,
            length: size(self.length)?,
            width: size(self.width)?,
        };
        let leg = Leg {
            side: match self.side.as_deref() {
                Some("left") => Some(Side::Left),
                Some("right") => Some(Side::Right),
                None => None,
                Some(_) => return Err(format!("the side {} is neither left nor right", of())),
            },
            hinges: self.hinges.iter().copied().map(direction).collect::<Result<_, _>>()?,
            toe,
            shin: self.shin.map(place).transpose()?,
            foot,
            chain,
        };
        if leg.foot_has_no_joint() && !leg.foot.is_point() {
            return Err(numbers());
        }
        let (long, here) = (size(self.long)?, leg.length(skeleton));
        let off = (here - long).abs();
        if off.is_nan() || off > SAME_LENGTH * long {
            return Err(format!(
                "the leg that ends in {:?} is {here:.3} m long and was {long:.3} m",
                self.joints.last()
            ));
        }
        Ok(leg)
    }
}
