//! The entries of a scene file as a person writes them: these types are the format.

use serde::Deserialize;
use toml::Spanned;

/// Numbers of a list, where they stand.
pub(super) type Numbers = Spanned<Vec<f64>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) version: Spanned<i64>,
    pub(super) name: Option<String>,
    pub(super) seed: Option<Spanned<i64>>,
    #[serde(default)]
    pub(super) body: Body,
    pub(super) start: Spanned<Pose>,
    pub(super) goal: Spanned<Pose>,
    pub(super) floor: Option<Spanned<Floor>>,
    pub(super) mesh: Option<Mesh>,
    #[serde(default)]
    pub(super) obstacle: Vec<Spanned<Block>>,
    #[serde(default)]
    pub(super) platform: Vec<Spanned<Block>>,
    #[serde(default)]
    pub(super) area: Vec<Spanned<Area>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    pub(super) radius: Option<Spanned<f64>>,
    pub(super) height: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pose {
    pub(super) at: Numbers,
    pub(super) facing_deg: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Floor {
    pub(super) size: Option<Numbers>,
    pub(super) outline: Option<Spanned<Vec<Vec<f64>>>>,
    pub(super) map: Option<Spanned<String>>,
    pub(super) cell: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mesh {
    pub(super) file: Option<Spanned<String>>,
    pub(super) max_slope_deg: Option<Spanned<f64>>,
    pub(super) step_height: Option<Spanned<f64>>,
}

impl Mesh {
    /// What holds where platforms are all the ground.
    pub(super) const NONE: Self = Self { file: None, max_slope_deg: None, step_height: None };
}

/// An obstacle or a platform.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Block {
    pub(super) name: Option<String>,
    pub(super) at: Option<Numbers>,
    pub(super) size: Option<Numbers>,
    pub(super) radius: Option<Spanned<f64>>,
    pub(super) corners: Option<Spanned<Vec<Vec<f64>>>>,
    pub(super) facing_deg: Option<Spanned<f64>>,
    pub(super) height: Option<Spanned<f64>>,
    pub(super) path: Option<Spanned<Vec<Vec<f64>>>>,
    pub(super) repeat: Option<Repeat>,
    pub(super) spin_deg: Option<Spanned<f64>>,
}

/// Where strides cost more, or nobody runs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Area {
    pub(super) name: Option<String>,
    pub(super) corners: Option<Spanned<Vec<Vec<f64>>>>,
    pub(super) running: Option<bool>,
    pub(super) cost: Option<Spanned<f64>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Repeat {
    Hold,
    Loop,
    BackAndForth,
}
