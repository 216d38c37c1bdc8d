//! A change that is made step by step: none before the first of some frames, all of it from the last on.

/// Frames in which a change has been made by even shares, in rising order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StepRamp {
    marks: Vec<usize>,
}

impl StepRamp {
    /// Between these frames; two or more.
    pub(crate) fn new(marks: Vec<usize>) -> Self {
        assert!(marks.len() > 1, "a ramp has two ends");
        Self { marks }
    }

    /// The share of the change that has been made by a frame, 0 to 1: it begins and ends smoothly, over a step each.
    pub(crate) fn share(&self, frame: usize) -> f32 {
        eased(self.progress(frame), 1.0 / (self.marks.len() - 1) as f32)
    }

    /// How far a frame is along the marks, 0 to 1: even between each two.
    fn progress(&self, frame: usize) -> f32 {
        let marks = &self.marks;
        let after = marks.partition_point(|mark| *mark <= frame);
        if after == 0 {
            return 0.0;
        }
        if after == marks.len() {
            return 1.0;
        }
        let (a, b) = (marks[after - 1], marks[after]);
        ((after - 1) as f32 + (frame - a) as f32 / (b - a) as f32) / (marks.len() - 1) as f32
    }
}

/// From 0 to 1 evenly, but for `ease` at both ends, over which it speeds up and slows down; at most half.
fn eased(at: f32, ease: f32) -> f32 {
    let ease = ease.clamp(1e-3, 0.5);
    let slope = 1.0 / (1.0 - ease);
    let near = at.min(1.0 - at);
    let rise = if near < ease { 0.5 * slope * near * near / ease } else { slope * (near - 0.5 * ease) };
    if at < 0.5 { rise } else { 1.0 - rise }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_step_changes_more_than_its_share_and_one() {
        let marks: Vec<usize> = vec![10, 22, 40, 51, 70, 88];
        let ramp = StepRamp::new(marks.clone());
        assert_eq!((ramp.share(0), ramp.share(10), ramp.share(88), ramp.share(200)), (0.0, 0.0, 1.0, 1.0));
        let steps = (marks.len() - 1) as f32;
        for pair in marks.windows(2) {
            assert!(ramp.share(pair[1]) - ramp.share(pair[0]) < 1.0 / (steps - 1.0) + 1e-6);
        }
        assert!((0..100).all(|frame| ramp.share(frame + 1) >= ramp.share(frame)));
    }
}
