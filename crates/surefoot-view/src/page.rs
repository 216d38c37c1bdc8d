//! A self-contained web page that plays a GLB file in any browser, without a network.

use crate::ghost::Ghost;
use crate::ground_mesh::GroundMesh;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

/// What a page shows beside the character.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// A line below it.
    pub subtitle: String,
    /// Joints whose paths over the floor are drawn.
    pub traces: Vec<Trace>,
    /// Figures for the side panel.
    pub facts: Vec<Fact>,
    /// Sentences below them.
    pub notes: Vec<String>,
    /// Moments worth a look, as buttons that lead there.
    pub places: Vec<TimeMark>,
    /// Curves below.
    pub charts: Vec<Chart>,
    /// How the GLB file's scene stands in metres, Y up, facing +Z, on the ground.
    pub placing: Placing,
    /// What stands around the character; none for a clip that is shown on its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<PageScene>,
    /// Legs as they were before; none for a clip that is shown as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ghost: Option<Ghost>,
    /// The file's other clips, with what the page says when one of them is chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clips: Vec<PageClip>,
    /// Other pages beside it, as links below the heading.
    #[serde(skip)]
    pub beside: Vec<PageLink>,
}

/// Another page in the same folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageLink {
    /// What it shows, in a few words.
    pub text: String,
    /// Its file name.
    pub file: String,
}

/// Another clip of the file, with what the page says when it is chosen.
#[derive(Clone, Debug, Serialize)]
pub struct PageClip {
    /// Its number among the file's animations, from 0 on.
    pub index: usize,
    /// The heading.
    pub title: String,
    /// Figures for the side panel.
    pub facts: Vec<Fact>,
    /// Curves below.
    pub charts: Vec<Chart>,
    /// When each of the page's traces stands, in their order: from and to, seconds. Empty: not known, and told from where a foot
    /// is low and slow.
    pub stances: Vec<Vec<[f32; 2]>>,
}

/// A floor or ground with walls, ways and footprints, drawn in 3-D around the character; metres, world space.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageScene {
    /// The ground, where it is not level at 0; then heights are not those over a floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<GroundMesh>,
    /// Corners of the floor, (x, z).
    pub floor: Vec<[f32; 2]>,
    /// What stands on it.
    pub walls: Vec<Wall>,
    /// What moves: to stand on, or in the way.
    pub movers: Vec<PageMover>,
    /// Lines on the floor.
    pub lines: Vec<FloorLine>,
    /// Where feet stand.
    pub prints: Vec<FloorPrint>,
}

/// Packed for the page: numbers of 32 bits, the lowest byte first, as base64.
impl Serialize for GroundMesh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let points: Vec<u8> = self.points.iter().flat_map(|p| p.to_array()).flat_map(f32::to_le_bytes).collect();
        let quads: Vec<u8> = self.quads.iter().flatten().flat_map(|i| i.to_le_bytes()).collect();
        let mut packed = serializer.serialize_struct("GroundMesh", 2)?;
        packed.serialize_field("points", &STANDARD.encode(points))?;
        packed.serialize_field("quads", &STANDARD.encode(quads))?;
        packed.end()
    }
}

/// Something that stands on the floor, as high all over.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wall {
    /// Its corners, (x, z), metres.
    pub corners: Vec<[f32; 2]>,
    /// How high it is drawn, metres.
    pub height: f32,
}

/// A block that moves on straight lines from key to key, and turns evenly.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageMover {
    /// What it is: its colour.
    pub kind: MoverKind,
    /// Corners of its outline, (x, z) from its middle at heading 0, metres.
    pub corners: Vec<[f32; 2]>,
    /// How tall it is, metres.
    pub height: f32,
    /// Its keys by time.
    pub keys: Vec<MoverKey>,
}

/// What a block that moves is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoverKind {
    /// Something to stand on.
    Platform,
    /// Something in the way.
    Obstacle,
}

/// Where a block that moves is at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MoverKey {
    /// Seconds.
    pub time: f32,
    /// The middle of its underside, metres.
    pub place: [f32; 3],
    /// Its heading, radians, left positive; more than a turn where it turned on.
    pub heading: f32,
}

/// A line on the floor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FloorLine {
    /// What the legend calls it.
    pub label: String,
    /// What it is: its colour.
    pub kind: LineKind,
    /// Its points, metres.
    pub points: Vec<[f32; 3]>,
}

/// What a line on the floor stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    /// The way as it was planned.
    Planned,
    /// The way that was walked.
    Walked,
}

/// A footprint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FloorPrint {
    /// Corners of its outline, metres.
    pub outline: Vec<[f32; 3]>,
    /// `left`, `right` or empty: its colour.
    pub side: String,
    /// When the foot comes down, seconds: faint before.
    pub time: f32,
}

/// What brings a scene in any unit and axes to metres, Y up, facing +Z, with the ground at 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Placing {
    /// Metres per unit of the file.
    pub scale: f32,
    /// A turn after that, as a quaternion x, y, z, w.
    pub turn: [f32; 4],
    /// Height of the ground then, metres.
    pub ground: f32,
}

impl Default for Placing {
    fn default() -> Self {
        Self { scale: 1.0, turn: [0.0, 0.0, 0.0, 1.0], ground: 0.0 }
    }
}

/// A moment worth a look.
#[derive(Clone, Debug, Serialize)]
pub struct TimeMark {
    /// Seconds.
    pub time: f32,
    /// What is there to see.
    pub label: String,
}

/// A picture of curves.
#[derive(Clone, Debug, Serialize)]
pub struct Chart {
    /// Its heading.
    pub title: String,
    /// The picture, as SVG text.
    pub svg: String,
}

/// A joint whose path is drawn.
#[derive(Clone, Debug, Serialize)]
pub struct Trace {
    /// The joint's name, as in the GLB file.
    pub node: String,
    /// What the page calls it.
    pub label: String,
    /// `left`, `right` or empty: its colour.
    pub side: String,
    /// The node's index in the GLB file, where names alone may not tell it.
    pub index: Option<usize>,
    /// When it stands, from and to, seconds. `None`: not known, and told from where it is low and slow.
    pub stances: Option<Vec<[f32; 2]>>,
}

/// A figure with its name.
#[derive(Clone, Debug, Serialize)]
pub struct Fact {
    /// What it is.
    pub label: String,
    /// Its value with the unit.
    pub value: String,
}

/// The page with the viewer in it and a place for the data; made by `viewer/build.sh`.
const VIEWER: &str = include_str!("../viewer/dist/viewer.html");
/// Where in it the data go.
const PLACE: &str = "<!--SUREFOOT_DATA-->";

impl Page {
    /// The page that plays `glb`, its first animation first, as one HTML text.
    #[must_use]
    pub fn html(&self, glb: &[u8]) -> String {
        #[derive(Serialize)]
        struct Data<'a> {
            #[serde(flatten)]
            page: &'a Page,
            glb: String,
        }
        let data = Data { page: self, glb: STANDARD.encode(glb) };
        let json = serde_json::to_string(&data).expect("plain strings");
        // Inside a script element only "<" could end it early.
        let json = json.replace('<', "\\u003c");
        let script = format!("<script type=\"application/json\" id=\"surefoot-data\">{json}</script>");
        let page = VIEWER.replacen(PLACE, &script, 1);
        match self.beside.is_empty() {
            true => page,
            false => page.replacen(SUBTITLE, &format!("{SUBTITLE}{}", self.links()), 1),
        }
    }

    /// The links to other pages.
    fn links(&self) -> String {
        let plain =
            |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        let link = |link: &PageLink| format!("<p><a href=\"{}\">{}</a></p>", plain(&link.file), plain(&link.text));
        self.beside.iter().map(link).collect()
    }
}

/// The line below the heading.
const SUBTITLE: &str = "<p id=\"subtitle\" hidden></p>";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_goes_in_once_and_cannot_end_its_script() {
        let page = Page { title: "</script><b>".into(), ..Page::default() };
        let html = page.html(b"glTF");
        assert!(html.contains("\\u003c/script>\\u003cb>") && !html.contains(PLACE), "escaped, in its place");
        assert_eq!(VIEWER.matches(PLACE).count(), 1);
        assert!(html.contains(r#""glb":"Z2xURg==""#), "the file itself");
    }

    #[test]
    fn pages_beside_are_linked_below_the_heading() {
        let link = PageLink { text: "gaps <jumped>".into(), file: "a\"b.html".into() };
        let page = Page { beside: vec![link], ..Page::default() };
        let html = page.html(b"glTF");
        assert!(html.contains("hidden></p><p><a href=\"a&quot;b.html\">gaps &lt;jumped&gt;</a></p>"), "linked");
        assert_eq!(VIEWER.matches(SUBTITLE).count(), 1);
    }

    #[test]
    fn the_page_asks_for_nothing_outside_itself() {
        for outside in ["src=\"http", "href=\"http", "url(http", "@import"] {
            assert!(!VIEWER.contains(outside), "{outside}");
        }
    }
}
