//! Units of length and axes of other programs.

use std::fmt;
use std::str::FromStr;
use surefoot::glam::Vec3;

/// A unit of length that files use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// 1 m.
    Metre,
    /// 0.1 m, as MakeHuman writes.
    Decimetre,
    /// 0.01 m, the most common in BVH.
    Centimetre,
    /// 0.001 m.
    Millimetre,
    /// 0.0254 m.
    Inch,
    /// 0.3048 m.
    Foot,
    /// 0.0254 / 0.45 m, of the CMU motion capture database.
    Cmu,
    /// Any other, in metres.
    Other(f32),
}

impl Unit {
    /// The named units, most common first.
    pub const NAMED: [Self; 7] =
        [Self::Centimetre, Self::Metre, Self::Cmu, Self::Inch, Self::Decimetre, Self::Millimetre, Self::Foot];

    /// Its length, metres.
    #[must_use]
    pub fn metres(self) -> f32 {
        match self {
            Self::Metre => 1.0,
            Self::Decimetre => 0.1,
            Self::Centimetre => 0.01,
            Self::Millimetre => 0.001,
            Self::Inch => 0.0254,
            Self::Foot => 0.3048,
            Self::Cmu => 0.0254 / 0.45,
            Self::Other(metres) => metres,
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Metre => f.write_str("m"),
            Self::Decimetre => f.write_str("dm"),
            Self::Centimetre => f.write_str("cm"),
            Self::Millimetre => f.write_str("mm"),
            Self::Inch => f.write_str("in"),
            Self::Foot => f.write_str("ft"),
            Self::Cmu => f.write_str("cmu"),
            Self::Other(metres) => write!(f, "{metres}"),
        }
    }
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(named) = Self::NAMED.into_iter().find(|unit| unit.to_string() == text.to_lowercase()) {
            return Ok(named);
        }
        match text.parse::<f32>() {
            Ok(metres) if (1e-6..=1e6).contains(&metres) => Ok(Self::Other(metres)),
            _ => Err(format!(
                "{text:?} is not a unit: give m, dm, cm, mm, in, ft, cmu, or its length in metres, 0.000001 to 1000000"
            )),
        }
    }
}

/// A signed coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// 0 for x, 1 for y, 2 for z.
    pub index: usize,
    /// Pointing the negative way.
    pub negative: bool,
}

impl Axis {
    /// +x.
    pub const X: Self = Self { index: 0, negative: false };
    /// +y.
    pub const Y: Self = Self { index: 1, negative: false };
    /// +z.
    pub const Z: Self = Self { index: 2, negative: false };

    /// The unit vector.
    #[must_use]
    pub fn vector(self) -> Vec3 {
        Vec3::AXES[self.index] * self.sign()
    }

    /// +1 or -1.
    #[must_use]
    pub fn sign(self) -> f32 {
        if self.negative { -1.0 } else { 1.0 }
    }

    /// The axis nearest to a vector, with the share of the vector's length along it (1: it is that axis).
    #[must_use]
    pub fn nearest(v: Vec3) -> (Self, f32) {
        let index = (0..3).max_by(|a, b| v[*a].abs().total_cmp(&v[*b].abs())).unwrap_or(1);
        let length = v.length();
        let share = if length > 0.0 { v[index].abs() / length } else { 0.0 };
        (Self { index, negative: v[index] < 0.0 }, share)
    }

    /// The right-handed cross product of two perpendicular axes.
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::nearest(self.vector().cross(other.vector())).0
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.negative { "-" } else { "+" }, ["x", "y", "z"][self.index])
    }
}

impl FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lower = text.to_lowercase();
        let (negative, name) = match lower.strip_prefix('-') {
            Some(name) => (true, name),
            None => (false, lower.strip_prefix('+').unwrap_or(&lower)),
        };
        let index = ["x", "y", "z"].iter().position(|a| *a == name);
        index
            .map(|index| Self { index, negative })
            .ok_or_else(|| format!("{text:?} is not an axis: give x, y, z, -x, -y or -z"))
    }
}

/// The change from a file's axes to surefoot's: a signed exchange of coordinates, so it costs and loses nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axes {
    /// For each of the file's axes: ours, and its sign.
    pub(crate) ours: [(usize, f32); 3],
}

impl Axes {
    /// The file's axes as they are.
    pub(crate) const SAME: Self = Self { ours: [(0, 1.0), (1, 1.0), (2, 1.0)] };

    /// From the file's up and forward axes, which must be perpendicular.
    pub(crate) fn new(up: Axis, forward: Axis) -> Self {
        let left = up.cross(forward);
        let mut ours = [(0, 1.0); 3];
        for (index, axis) in [left, up, forward].into_iter().enumerate() {
            ours[axis.index] = (index, axis.sign());
        }
        Self { ours }
    }

    pub(crate) fn apply(self, v: Vec3) -> Vec3 {
        let mut out = Vec3::ZERO;
        for (file, (index, sign)) in self.ours.into_iter().enumerate() {
            out[index] = sign * v[file];
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for unit in Unit::NAMED {
            assert_eq!(unit.to_string().parse(), Ok(unit));
        }
        assert_eq!("0.5".parse(), Ok(Unit::Other(0.5)));
        for bad in ["", "furlong", "-1", "0", "nan", "inf"] {
            assert!(bad.parse::<Unit>().is_err(), "{bad}");
        }
        assert_eq!(("-Z".parse::<Axis>().unwrap().to_string(), "w".parse::<Axis>().is_err()), ("-z".into(), true));
    }

    #[test]
    fn axes_are_proper_rotations() {
        let all: Vec<Axis> = (0..3).flat_map(|index| [false, true].map(|negative| Axis { index, negative })).collect();
        for up in &all {
            for forward in all.iter().filter(|f| f.index != up.index) {
                let axes = Axes::new(*up, *forward);
                assert_eq!(axes.apply(up.vector()), Vec3::Y);
                assert_eq!(axes.apply(forward.vector()), Vec3::Z);
                let [x, y, z] = Vec3::AXES.map(|a| axes.apply(a));
                assert_eq!(x.cross(y).dot(z), 1.0, "no mirror image for up {up}, forward {forward}");
            }
        }
    }
}
