//! Lengths and names as a picture has room for them.

/// The longest of 1, 2 or 5 times a power of ten that is no longer than this.
pub(super) fn round_length(most: f32) -> f32 {
    let power = 10_f32.powf(most.max(1e-9).log10().floor());
    let times = [5.0, 2.0, 1.0].into_iter().find(|times| times * power <= most);
    times.unwrap_or(1.0) * power
}

/// A length in metres with three figures that count.
pub(super) fn said_metres(metres: f32) -> String {
    format!("{} m", figures(metres))
}

pub(super) fn figures(metres: f32) -> String {
    match metres.abs() {
        0.0 => "0".into(),
        100.0.. => format!("{metres:.0}"),
        10.0.. => format!("{metres:.1}"),
        0.1.. => format!("{metres:.2}"),
        0.01.. => format!("{metres:.3}"),
        0.001.. => format!("{metres:.4}"),
        _ => format!("{metres:.1e}"),
    }
}

/// A text of so many letters at most, cut in its middle: names differ at their ends.
pub(super) fn short(text: &str, letters: usize) -> String {
    let all: Vec<char> = text.chars().collect();
    if all.len() <= letters {
        return text.to_owned();
    }
    let (start, end) = (letters / 2, letters - letters / 2 - 1);
    all[..start].iter().chain(&['…']).chain(&all[all.len() - end..]).collect()
}

/// How many bytes of a maker's prefix (`mixamorig:`) all names start with.
pub(super) fn shared_start(names: &[&str]) -> usize {
    let Some(first) = names.first().filter(|_| names.len() > 1) else { return 0 };
    let end = first.rfind([':', '|']).map_or(0, |at| at + 1);
    let shared = |name: &&str| name.len() > end && name.starts_with(&first[..end]);
    if names.iter().all(shared) { end } else { 0 }
}

/// A text in lines of so many letters at most, broken between words.
pub(super) fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_scales_are_round_for_any_size() {
        for (most, round) in [(0.43, 0.2), (7.3, 5.0), (1.0, 1.0), (0.000_7, 0.000_5), (3e6, 2e6)] {
            assert!((round_length(most) / round - 1.0).abs() < 1e-4, "{most}: {}", round_length(most));
        }
    }

    #[test]
    fn names_are_cut_in_their_middle_and_without_what_all_start_with() {
        assert_eq!(short("LeftUpperLegTwistBone", 10), "LeftU…Bone");
        assert_eq!(short("føtter", 6), "føtter");
        assert_eq!(shared_start(&["rig:Hip", "rig:Knee"]), 4);
        assert_eq!(shared_start(&["rig:Hip", "Knee"]), 0);
        assert_eq!(wrapped("a bc def", 4), ["a bc", "def"]);
    }
}
