//! Which clips of a file are meant: by name, part of a name, number or pattern.

use surefoot::motion::Clip;

/// A clip by its name, by what is after the last `|` of it, by its number from 1, or by a part of it that no other has; the
/// first if none is wanted.
pub(crate) fn choose(clips: &[Clip], wanted: Option<&str>) -> Result<usize, String> {
    let Some(wanted) = wanted else {
        return if clips.is_empty() { Err("there is no clip in it".into()) } else { Ok(0) };
    };
    let lower = wanted.to_lowercase();
    let one = |fits: &dyn Fn(&str) -> bool| {
        let mut found = (0..clips.len()).filter(|i| fits(clips[*i].name()));
        found.next().filter(|_| found.next().is_none())
    };
    let number = wanted.parse::<usize>().ok().filter(|number| (1..=clips.len()).contains(number));
    let found = clips.iter().position(|clip| clip.name() == wanted);
    let found = found.or_else(|| clips.iter().position(|clip| clip.name().to_lowercase() == lower));
    let found = found.or_else(|| one(&|name| own(name) == wanted));
    let found = found.or_else(|| one(&|name| own(name).to_lowercase() == lower));
    if let Some(index) = found.or(number.map(|number| number - 1)) {
        return Ok(index);
    }
    let fits: Vec<usize> = (0..clips.len()).filter(|i| clips[*i].name().to_lowercase().contains(&lower)).collect();
    match fits[..] {
        [one] => Ok(one),
        [] => Err(format!("no clip is called {wanted:?}; there are {}", list(clips, 0..clips.len()))),
        _ => Err(format!("{wanted:?} fits {} clips: {}", fits.len(), list(clips, fits.iter().copied()))),
    }
}

/// Several clips: names as [`choose`] takes them and patterns with `*`, commas between; each clip once, in the file's order.
pub(crate) fn choose_several(clips: &[Clip], wanted: &str) -> Result<Vec<usize>, String> {
    // A name may have a comma.
    if let Ok(one) = choose(clips, Some(wanted)) {
        return Ok(vec![one]);
    }
    let mut chosen = Vec::new();
    for word in wanted.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        if !word.contains('*') {
            chosen.push(choose(clips, Some(word))?);
            continue;
        }
        let pattern = word.to_lowercase();
        let fits = |name: &str| matches(&pattern, &name.to_lowercase()) || matches(&pattern, &own(name).to_lowercase());
        let found: Vec<usize> = (0..clips.len()).filter(|i| fits(clips[*i].name())).collect();
        if found.is_empty() {
            return Err(format!("no clip matches {word:?}; there are {}", list(clips, 0..clips.len())));
        }
        chosen.extend(found);
    }
    chosen.sort_unstable();
    chosen.dedup();
    if chosen.is_empty() { Err(format!("{wanted:?} names no clip")) } else { Ok(chosen) }
}

/// A clip's own name: what is after the armature's.
fn own(name: &str) -> &str {
    name.rsplit('|').next().unwrap_or(name)
}

/// Whether a text is like a pattern in which `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or("")) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn list(clips: &[Clip], indices: impl Iterator<Item = usize>) -> String {
    indices.map(|i| format!("{}: {}", i + 1, clips[i].name())).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::rig::{Joint, Skeleton};

    fn clips(names: &[&str]) -> Vec<Clip> {
        let skeleton = Skeleton::new(vec![Joint::new("hip", None, surefoot::math::Rigid::IDENTITY)]).unwrap();
        let clip = |name: &&str| Clip::new(&skeleton, *name, 30.0, skeleton.rest().to_vec()).unwrap();
        names.iter().map(clip).collect()
    }

    #[test]
    fn clips_are_chosen_by_name_own_name_part_and_number() {
        let clips = clips(&["Rat|Run", "Rat|Run_Fast", "Rat|Walk", "Cat|Walk_Back", "Idle"]);
        let one = |wanted: &str| choose(&clips, Some(wanted)).map(|i| clips[i].name().to_owned());
        assert_eq!(one("Run").unwrap(), "Rat|Run", "the whole name after the line, though another has it as a part");
        assert_eq!(one("run_f").unwrap(), "Rat|Run_Fast");
        assert_eq!(one("walk").unwrap(), "Rat|Walk");
        assert_eq!(one("5").unwrap(), "Idle");
        assert!(one("rat").unwrap_err().contains("fits 3 clips"));
        assert!(one("swim").unwrap_err().contains("there are 1: Rat|Run, "));
        let several = |wanted: &str| choose_several(&clips, wanted).unwrap();
        assert_eq!(several("Walk*, Run"), [0, 2, 3]);
        assert_eq!(several("*|walk*"), [2, 3]);
        assert_eq!(several("*"), [0, 1, 2, 3, 4]);
        assert_eq!(several("R*n"), [0]);
        assert!(choose_several(&clips, "S*").unwrap_err().contains("matches"));
        assert!(choose_several(&clips, ",").is_err());
    }
}
