//! Left and right, from the names of joints.

use std::collections::BTreeSet;

/// The side of the body that a joint belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Side {
    /// +X at rest.
    Left,
    /// -X at rest.
    Right,
}

impl Side {
    /// The side that each of a body's joint names tells: `LeftFoot`, `LHipJoint`, `foot.l`, `l_foot`, `Bip01 L Foot`;
    /// and `lfoot`, where there is an `rfoot` too.
    #[must_use]
    pub fn of_names<S: AsRef<str>>(names: &[S]) -> Vec<Option<Self>> {
        split_sides(names).into_iter().map(|split| split.map(|(side, _)| side)).collect()
    }
}

/// The side in each name, and the name without it.
pub(crate) fn split_sides<S: AsRef<str>>(names: &[S]) -> Vec<Option<(Side, String)>> {
    let all: BTreeSet<String> = names.iter().map(|name| name.as_ref().to_lowercase()).collect();
    let by_words: BTreeSet<Vec<String>> = names.iter().map(|name| words(name.as_ref())).collect();
    let split = |name: &S| {
        split_side(name.as_ref(), &by_words).or_else(|| {
            // A first letter tells a side only where its opposite exists: lfoot and rfoot, but not leg alone.
            let lower = name.as_ref().to_lowercase();
            let (side, stem, other) = match lower.strip_prefix('l') {
                Some(stem) => (Side::Left, stem, 'r'),
                None => (Side::Right, lower.strip_prefix('r')?, 'l'),
            };
            let paired = stem.chars().count() > 2 && all.contains(&format!("{other}{stem}"));
            paired.then(|| (side, stem.to_owned()))
        })
    };
    names.iter().map(split).collect()
}

/// Words that tell a side, each with its opposite.
const SIDES: [[&str; 2]; 4] = [["left", "right"], ["l", "r"], ["lft", "rgt"], ["lt", "rt"]];

/// The side that a word tells, and the word for the other.
fn side_word(word: &str) -> Option<(Side, &'static str)> {
    SIDES.iter().find_map(|[left, right]| match word {
        _ if word == *left => Some((Side::Left, *right)),
        _ if word == *right => Some((Side::Right, *left)),
        _ => None,
    })
}

/// The side in a joint's name, and the name without it (lower case, separators dropped). Where two words tell one, as in
/// `r_hoof.L` of a rear leg, it is the last whose opposite is among all names.
fn split_side(name: &str, all: &BTreeSet<Vec<String>>) -> Option<(Side, String)> {
    let words = words(name);
    let told: Vec<(usize, Side, &str)> = (words.iter().enumerate())
        .filter_map(|(index, word)| side_word(word).map(|(side, other)| (index, side, other)))
        .collect();
    let paired = |(index, _, other): &&(usize, Side, &str)| {
        let mut opposite = words.clone();
        opposite[*index] = (*other).to_owned();
        all.contains(&opposite)
    };
    if let Some((index, side, _)) = told.iter().rev().find(paired).or(told.first()) {
        let stem = words.iter().enumerate().filter(|(i, _)| i != index).map(|(_, w)| w.as_str());
        return Some((*side, stem.collect::<Vec<_>>().join(" ")));
    }
    // "leftfoot", "rightUpperarm": the side stuck to a lower-case word.
    let whole = words.first()?;
    for (prefix, side) in [("left", Side::Left), ("right", Side::Right)] {
        if let Some(rest) = whole.strip_prefix(prefix) {
            let stem = std::iter::once(rest).chain(words[1..].iter().map(String::as_str));
            return Some((side, stem.collect::<Vec<_>>().join(" ")));
        }
    }
    None
}

/// Splits at anything but letters and digits, before a capital that follows a lower-case letter, before the last
/// capital of a run (`LHipJoint`: l, hip, joint) and between letters and digits. Lower case.
pub(crate) fn words(name: &str) -> Vec<String> {
    // "mixamorig:LeftFoot": what stands before a colon is a name space.
    let name = name.rsplit(':').next().unwrap_or(name);
    let chars: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (i, c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|k| chars[k]);
        let after = chars.get(i + 1);
        let hump = c.is_uppercase()
            && before.is_some_and(|b| {
                b.is_lowercase() || b.is_ascii_digit() || (b.is_uppercase() && after.is_some_and(|a| a.is_lowercase()))
            });
        // A lone letter before a digit is no word: L5 is a vertebra, not the left one of something.
        let lone = words.last().is_some_and(|word| word.chars().count() == 1);
        let number = before.is_some_and(|b| b.is_ascii_digit() != c.is_ascii_digit() && b.is_alphanumeric()) && !lone;
        if !c.is_alphanumeric() || hump || number {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().expect("never empty").extend(c.to_lowercase());
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_read_from_names_of_every_dialect() {
        let side = |name: &str| Side::of_names(&[name])[0];
        for name in [
            "LeftFoot",
            "LHipJoint",
            "foot.L",
            "toe1-1.L",
            "l_foot",
            "mixamorig:LeftFoot",
            "Bip01 L Foot",
            "lShldr",
            "leg_a_tip_l",
            "leftfoot",
            "LThumb",
            "b_LeftHand_011",
        ] {
            assert_eq!(side(name), Some(Side::Left), "{name}");
        }
        for name in ["RightFoot", "RHipJoint", "foot.R", "rThigh", "leg_joint_R_5", "Front_Leg_Tip_R", "right_hand"] {
            assert_eq!(side(name), Some(Side::Right), "{name}");
        }
        for name in
            ["Hips", "Spine1", "leg", "LowerBack", "Root", "LowerLeg", "Rib", "Neck", "L5", "Spine_L1", "R2", ""]
        {
            assert_eq!(side(name), None, "{name}");
        }
        let stem = |name: &str| split_sides(&[name])[0].clone().unwrap().1;
        assert_eq!(stem("leg_joint_R_5"), stem("leg_joint_L_5"));
    }

    #[test]
    fn of_two_sides_in_a_name_the_one_counts_that_has_an_opposite() {
        let names = ["r_hoof.L", "f_hoof.L", "r_hoof.R", "f_hoof.R", "R_foot_L", "lip.T.L.001", "lip.T.R.001"];
        let (l, r) = (Some(Side::Left), Some(Side::Right));
        // Alone a name is read from its first word on.
        assert_eq!(Side::of_names(&names), [l, l, r, r, r, l, r]);
    }

    #[test]
    fn a_first_letter_counts_where_its_opposite_exists() {
        let sides = Side::of_names(&["root", "lfemur", "rfemur", "lowerback", "lfoot", "rfoot", "rib"]);
        let (l, r) = (Some(Side::Left), Some(Side::Right));
        assert_eq!(sides, [None, l, r, None, l, r, None]);
    }
}
