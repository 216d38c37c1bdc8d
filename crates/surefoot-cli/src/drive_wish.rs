//! What is wanted of a driven character, as it is typed: ways with speeds, manners, actions and layers at times.

use crate::failure::Failure;
use crate::number::{Place, place, speed};
use std::ops::Range;
use surefoot::glam::Vec3;

/// Places with the speed at which each is gone to, if one was given.
#[derive(Clone)]
pub(crate) struct Waypoints {
    pub(crate) places: Vec<Place>,
    /// By place, m/s.
    speeds: Vec<Option<f32>>,
}

/// Reads places such as `0,0 0,4@1.5 3,4`.
pub(crate) fn waypoints(text: &str) -> Result<Waypoints, String> {
    let (mut places, mut speeds) = (Vec::new(), Vec::new());
    for word in text.split_whitespace() {
        let (at, fast) = word.split_once('@').map_or((word, None), |(at, fast)| (at, Some(fast)));
        places.push(place(at)?);
        speeds.push(fast.map(speed).transpose().map_err(|why| format!("{word:?}: {why}"))?);
    }
    match places.len() {
        0 | 1 => Err("give two places or more, with spaces between".into()),
        _ => Ok(Waypoints { places, speeds }),
    }
}

impl Waypoints {
    /// The speeds of a way through these places: from how far on, metres, and how fast, m/s. A speed holds until the next.
    pub(crate) fn paces(&self, points: &[Vec3], usual: f32) -> Vec<(f32, f32)> {
        let (mut along, mut pace) = (0.0, self.speeds[0].unwrap_or(usual));
        let mut paces = vec![(0.0, pace)];
        for (k, pair) in points.windows(2).enumerate() {
            if let Some(own) = self.speeds.get(k + 1).copied().flatten() {
                pace = own;
                paces.push((along, pace));
            }
            along += pair[0].distance(pair[1]);
        }
        paces
    }
}

/// The pace at a place along a way, m/s.
pub(crate) fn pace_at(paces: &[(f32, f32)], along: f32) -> f32 {
    paces.iter().rev().find(|(from, _)| *from <= along).map_or(paces[0].1, |(_, pace)| *pace)
}

/// Something with a name that is wanted for a time: `NAME@FROM` or `NAME@FROM-TO`, seconds.
#[derive(Clone, Debug)]
pub(crate) struct Timed {
    pub(crate) name: String,
    pub(crate) time: Range<f32>,
}

/// Reads a name with a time; without one, from the start; without an end, for ever.
pub(crate) fn timed(text: &str) -> Result<Timed, String> {
    let (name, time) = text.split_once('@').map_or((text, "0"), |(name, time)| (name, time));
    let (from, to) = time.split_once('-').map_or((time, None), |(from, to)| (from, Some(to)));
    let from = crate::number::seconds(from)?;
    let to = to.map_or(Ok(f32::INFINITY), crate::number::seconds)?;
    if name.is_empty() || to <= from {
        return Err(format!("{text:?}: give NAME@FROM or NAME@FROM-TO in seconds"));
    }
    Ok(Timed { name: name.to_owned(), time: from..to })
}

/// A style of moving: `NAME=CLIP,CLIP@FROM-TO`.
#[derive(Clone, Debug)]
pub(crate) struct StyleSpan {
    pub(crate) name: String,
    pub(crate) clips: Vec<String>,
    pub(crate) time: Range<f32>,
}

/// Reads a style.
pub(crate) fn style(text: &str) -> Result<StyleSpan, String> {
    let Timed { name, time } = timed(text)?;
    let (name, clips) = name.split_once('=').ok_or_else(|| format!("{text:?}: give NAME=CLIP,CLIP"))?;
    let clips: Vec<String> =
        clips.split(',').map(|clip| clip.trim().to_owned()).filter(|clip| !clip.is_empty()).collect();
    if name.is_empty() || clips.is_empty() {
        return Err(format!("{text:?}: give NAME=CLIP,CLIP"));
    }
    Ok(StyleSpan { name: name.to_owned(), clips, time })
}

/// Reads recorded input.
pub(crate) fn recorded(file: &std::path::Path) -> Result<surefoot_io::input_file::RecordedInput, Failure> {
    let text = std::fs::read_to_string(file).map_err(|why| Failure::unusable(format!("{}: {why}", file.display())))?;
    surefoot_io::input_file::read(&text).map_err(|why| Failure::unusable(format!("{}: {why}", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_hold_from_the_way_to_their_place_on() {
        let way = waypoints("0,0 0,4@1.5 3,4 3,0@2").unwrap();
        let points = [Vec3::ZERO, Vec3::new(0.0, 0.0, 4.0), Vec3::new(3.0, 0.0, 4.0), Vec3::new(3.0, 0.0, 0.0)];
        let paces = way.paces(&points, 1.0);
        assert_eq!([0.0, 3.9, 6.9, 7.1].map(|along| pace_at(&paces, along)), [1.5, 1.5, 1.5, 2.0]);
        for wrong in ["0,0", "0,0 1", "0,0 0,1@fast", "0,0 0,1@0"] {
            assert!(waypoints(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_come_with_times() {
        assert_eq!(timed("Jump@2").unwrap().time, 2.0..f32::INFINITY);
        assert_eq!(timed("Cheer@1-2.5").unwrap().time, 1.0..2.5);
        let sneak = style("sneak=Sneak,Idle Alert@3-9").unwrap();
        assert_eq!((sneak.name.as_str(), sneak.clips.len(), sneak.time), ("sneak", 2, 3.0..9.0));
        assert!(
            timed("Jump@x").is_err() && timed("@2").is_err() && timed("Jump@3-2").is_err() && style("sneak").is_err()
        );
    }
}
