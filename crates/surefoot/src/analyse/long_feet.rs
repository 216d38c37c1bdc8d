//! Feet that are so long that they cannot turn from heel to ball without sweeping over the ground.

use glam::Vec3A;
use std::ops::Range;

/// A foot that is known to stand and is longer than this lies flat instead of turning from its heel to its ball, metres of a person, whose feet
/// are half as long: it would sweep over the ground.
pub(super) const LONG: f32 = 0.45;

/// An end of a foot that turns stays within this of its mean place, in lengths of the foot: one that turns by 40°. What goes farther slides.
const TURNS: f32 = 0.4;

/// Whether an end of a foot of a length, metres, stays so near to one place that the foot turns there.
pub(super) fn is_near(points: &[Vec3A], length: f32) -> bool {
    let mean = points.iter().sum::<Vec3A>() / points.len().max(1) as f32;
    points.iter().all(|point| (*point - mean).with_y(0.0).length() < TURNS * length)
}

/// Has heel and ball of a foot that holds them one after the other hold them at once, as long as both are low, if it turns there in those
/// frames.
pub(super) fn lie_flat(
    heel: &mut Range<usize>,
    ball: &mut Range<usize>,
    [heel_low, ball_low]: [&dyn Fn(usize) -> bool; 2],
    turns: &dyn Fn(Range<usize>) -> bool,
) {
    let none = heel.start == heel.end || ball.start == ball.end;
    if none || heel.end.min(ball.end) > heel.start.max(ball.start) {
        return;
    }
    let (first, second, first_low, second_low) =
        if heel.start <= ball.start { (heel, ball, heel_low, ball_low) } else { (ball, heel, ball_low, heel_low) };
    let start = (first.start..second.start).rev().take_while(|f| second_low(*f)).last().unwrap_or(second.start);
    let end = (first.end..second.end).take_while(|f| first_low(*f)).last().map_or(first.end, |f| f + 1);
    if start < end && turns(start..end) {
        (second.start, first.end) = (start, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heel_and_ball_hold_at_once_while_both_are_low() {
        let (mut heel, mut ball) = (10..20, 20..40);
        lie_flat(&mut heel, &mut ball, [&|f| f < 35, &|f| f >= 13], &|_| true);
        assert_eq!((heel, ball), (10..35, 13..40));
        // One that is high all the while does not lie flat.
        let (mut heel, mut ball) = (10..20, 20..40);
        lie_flat(&mut heel, &mut ball, [&|f| f < 20, &|f| f >= 20], &|_| true);
        assert_eq!((heel, ball), (10..20, 20..40));
        // Nor does one that slides.
        let (mut heel, mut ball) = (10..20, 20..40);
        lie_flat(&mut heel, &mut ball, [&|_| true, &|_| true], &|part| part.len() < 5);
        assert_eq!((heel, ball), (10..20, 20..40));
        let (mut heel, mut ball) = (10..30, 20..40);
        lie_flat(&mut heel, &mut ball, [&|_| true, &|_| true], &|_| true);
        assert_eq!((heel, ball), (10..30, 20..40), "it lies flat already");
    }

    #[test]
    fn what_goes_farther_than_a_turn_slides() {
        let way = |far: f32| [0.0, 0.5, 1.0].map(|share| Vec3A::new(far * share, 0.1 * share, 0.0));
        assert!(is_near(&way(0.7), 1.0) && !is_near(&way(0.9), 1.0));
        assert!(is_near(&[], 1.0));
    }
}
