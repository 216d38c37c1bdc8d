//! The page of a clip that was cleaned: figures before and after, where it was worst, and the feet's heights.

use crate::foot_name::foot_name;
use crate::ghost::Ghost;
use crate::own_file::OwnFile;
use crate::page::{Chart, Fact, Page, Placing, TimeMark};
use crate::sheet;
use crate::shown_clip::{ShownClip, ShownFeet};
use surefoot::metrics::Footing;
use surefoot::motion::{Clip, Take};
use surefoot::rig::{Leg, Rig, Skin};
use surefoot::stages::{FootTrack, Slide, slides};
use surefoot::systems::CleanedUp;

/// The page of a cleaned clip, played in the character's own file, if it has one.
///
/// # Panics
/// If skin or file were made for another skeleton.
#[must_use]
pub fn page(done: &CleanedUp, file: Option<&OwnFile>, skin: Option<&Skin>) -> Page {
    let clip = &done.clip();
    let feet = ShownFeet { take: &done.take, ..ShownFeet::of(&done.before) };
    let shown = ShownClip::of(&done.before.rig.skeleton, clip, Some(&done.before), skin);
    let shown = ShownClip { feet: Some(feet), ..shown };
    let fact = |label: &str, value: String| Fact { label: label.into(), value };
    let (before, after) = (&done.before.figures, &done.report.figures);
    let change = |a: f32, b: f32| format!("{:.1} → {:.2} mm", a * 1e3, b * 1e3);
    let most = done.pelvis().iter().fold(0.0_f32, |most, v| most.max(v.length()));
    let worst = done.before.seconds(before.drift.worst);
    let mut facts = shown.facts();
    facts.extend([
        fact("foot drift, median", change(before.drift.median, after.drift.median)),
        fact("foot drift, 95 %", change(before.drift.p95, after.drift.p95)),
        fact("foot over the ground, 95 %", change(before.float.p95, after.float.p95)),
        fact("foot in the ground, 95 %", change(before.penetration.p95, after.penetration.p95)),
        fact("hips moved", format!("by {:.0} mm at most", most * 1e3)),
        fact("glitches repaired", done.before.notes.len().to_string()),
    ]);
    Page {
        title: format!("{}, cleaned", clip.name()),
        subtitle: String::new(),
        traces: shown.traces(file),
        facts,
        notes: vec![format!(
            "Figures with an arrow: before → after cleaning; 95 %: 95 of 100 values are smaller. Feet slid most at {worst:.2} s."
        )],
        places: places(done),
        charts: charts(done),
        placing: Placing::of(file, shown.ground()),
        scene: None,
        ghost: Some(Ghost::of(&done.before.rig, &as_it_came(done))),
        clips: Vec::new(),
        beside: Vec::new(),
    }
}

/// The clip as it came, in the place of the cleaned one.
fn as_it_came(done: &CleanedUp) -> Clip {
    let mut came = done.clone();
    came.take = done.before.take.clone();
    came.clip()
}

/// A slide that is shorter cannot be seen on a page, metres.
const SEEN: f32 = 0.003;

/// Where feet slid most, for a look at how they stand now.
fn places(done: &CleanedUp) -> Vec<TimeMark> {
    let before = &done.before;
    // Of a cycle one round is enough: the others slide alike.
    let shown = |slide: &Slide| before.cycle.as_ref().is_none_or(|cycle| cycle.frames.contains(&slide.frame));
    let seen = |slide: &Slide| slide.drift >= SEEN;
    let worst = slides(&before.rig, &before.take, Footing::default()).into_iter().filter(shown).filter(seen).take(4);
    let place = |slide: Slide| {
        let foot = foot_name(&before.rig, &before.rig.legs[slide.leg.index()]);
        let point = if slide.heel { "heel" } else { "ball" };
        let label = format!("{foot}: the {point} slid {:.0} mm", slide.drift * 1e3);
        TimeMark { time: before.seconds(slide.frame), label }
    };
    worst.map(place).collect()
}

/// How far each foot slides and its height over the ground, before and after.
fn charts(done: &CleanedUp) -> Vec<Chart> {
    let before = &done.before;
    let clip = &before.take.clip;
    let heights = |clip: &Clip| -> Vec<Vec<f32>> {
        let of_foot = |track: &FootTrack| {
            let low = track.heels.iter().zip(&track.balls).map(|(heel, ball)| heel.y.min(ball.y));
            low.map(|y| (y - before.take.ground) * 100.0).collect()
        };
        FootTrack::of_all(&before.rig, clip).iter().map(of_foot).collect()
    };
    let (old, new) = (heights(clip), heights(&done.take.clip));
    let (slid, slides) = (slide_curves(&before.rig, &before.take), slide_curves(&before.rig, &done.take));
    let chart = |(i, leg): (usize, &Leg)| {
        let of_foot = |title: &str, what: &str, old: &[f32], new: &[f32]| Chart {
            title: format!("{}: {what}, before and after", foot_name(&before.rig, leg)),
            svg: sheet::compare(title, clip.rate(), leg.side, old, new).finish(),
        };
        [
            of_foot("slide since the foot came to stand, mm", "slide", &slid[i], &slides[i]),
            of_foot("height of the sole over the ground, cm", "height", &old[i], &new[i]),
        ]
    };
    before.rig.legs.iter().enumerate().flat_map(chart).collect()
}

/// For each foot and frame, how far heel or ball is from where it was when it came to hold, the farther of the two,
/// millimetres; 0 where neither holds.
fn slide_curves(rig: &Rig, take: &Take) -> Vec<Vec<f32>> {
    let tracks = FootTrack::of_all(rig, &take.clip);
    let mut curves = vec![vec![0.0_f32; take.clip.frames()]; tracks.len()];
    for stance in &take.stances {
        let (leg, frames) = (stance.leg().index(), stance.frames(&take.clip));
        for (held, places) in [(frames.heel, &tracks[leg].heels), (frames.ball, &tracks[leg].balls)] {
            let first = held.start;
            for frame in held {
                let slid = (places[frame] - places[first]).with_y(0.0).length();
                curves[leg][frame] = curves[leg][frame].max(1e3 * slid);
            }
        }
    }
    curves
}
