//! Pictures of motion graphs: the graph itself, what it can do, and how two of its clips compare.

mod graph;
mod report;
#[cfg(feature = "png")]
mod similarity;

pub use graph::draw as graph;
pub use report::draw as report;
#[cfg(feature = "png")]
pub use similarity::{Similarity, distances};

/// What is in the component.
const KEPT: &str = "#19818f";
/// What is not.
const LEFT_OUT: &str = "#cfccc4";
/// What is wrong or missing.
const ALARM: &str = "#b23a48";

/// A colour between light and dark for a share from 0 to 1: from pale yellow over green to dark blue.
fn ramp(share: f32) -> [u8; 3] {
    const STOPS: [[f32; 3]; 6] = [
        [255.0, 250.0, 214.0],
        [199.0, 233.0, 180.0],
        [127.0, 205.0, 187.0],
        [65.0, 160.0, 193.0],
        [40.0, 94.0, 168.0],
        [12.0, 30.0, 92.0],
    ];
    let at = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let k = (at as usize).min(STOPS.len() - 2);
    std::array::from_fn(|c| (STOPS[k][c] + (at - k as f32) * (STOPS[k + 1][c] - STOPS[k][c])).round() as u8)
}

fn css([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A text cut to a width in pixels, at this size of letters.
fn cut(text: &str, width: f32, size: f32) -> String {
    let most = (width / (0.6 * size)) as usize;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A text in lines of a width in pixels, at this size of letters.
fn wrapped(text: &str, width: f32, size: f32) -> Vec<String> {
    let most = ((width / (0.53 * size)) as usize).max(8);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
