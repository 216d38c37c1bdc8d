//! SVG drawing: the few shapes that pictures need, and PNG from them.

use std::fmt::Write as _;

/// A picture in the making; coordinates are pixels from the top left.
#[derive(Clone, Debug)]
pub struct Svg {
    width: f32,
    height: f32,
    body: String,
    clips: usize,
    /// Pixels, and how much of the body comes before them.
    #[cfg(feature = "png")]
    images: Vec<(usize, Image)>,
}

/// Pixels in a picture, stretched over a rectangle.
#[cfg(feature = "png")]
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Pixels across.
    pub width: usize,
    /// Red, green and blue of each pixel, row by row from the top left.
    pub pixels: Vec<[u8; 3]>,
    /// x, y, width, height.
    pub frame: [f32; 4],
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke<'a> {
    /// A colour as CSS writes it.
    pub colour: &'a str,
    /// Width, pixels.
    pub width: f32,
    /// Opacity, from 0 (invisible) to 1.
    pub opacity: f32,
}

/// Where a text stands against its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The point is at its left.
    Start,
    /// The point is at its middle.
    Middle,
    /// The point is at its right.
    End,
}

impl<'a> Stroke<'a> {
    /// An opaque line.
    #[must_use]
    pub const fn new(colour: &'a str, width: f32) -> Self {
        Self { colour, width, opacity: 1.0 }
    }

    /// The same line, see-through.
    #[must_use]
    pub const fn faded(self, opacity: f32) -> Self {
        Self { opacity, ..self }
    }
}

impl Svg {
    /// An empty picture on a background.
    #[must_use]
    pub fn new(width: f32, height: f32, background: &str) -> Self {
        let mut svg = Self {
            width,
            height,
            body: String::new(),
            clips: 0,
            #[cfg(feature = "png")]
            images: Vec::new(),
        };
        svg.rect([0.0, 0.0, width, height], background);
        svg
    }

    /// A filled rectangle: x, y, width, height.
    pub fn rect(&mut self, [x, y, w, h]: [f32; 4], fill: &str) {
        let _ = writeln!(self.body, r#"<rect x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" fill="{fill}"/>"#);
    }

    /// A filled rectangle that may be see-through: x, y, width, height; opacity from 0 to 1.
    pub fn fill(&mut self, [x, y, w, h]: [f32; 4], fill: &str, opacity: f32) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" fill="{fill}" fill-opacity="{opacity:.2}"/>"#
        );
    }

    /// A straight line.
    pub fn line(&mut self, a: [f32; 2], b: [f32; 2], stroke: Stroke<'_>) {
        self.polyline(&[a, b], stroke);
    }

    /// A line through points; nothing for fewer than two. Points closer than a third of a pixel to the last one drawn
    /// are left out, so that long clips do not make long pictures.
    pub fn polyline(&mut self, points: &[[f32; 2]], stroke: Stroke<'_>) {
        let [first, .., last] = points else { return };
        self.body.push_str("<path d=\"");
        let _ = write!(self.body, "M{:.1} {:.1}", first[0], first[1]);
        let mut drawn = *first;
        for [x, y] in &points[1..points.len() - 1] {
            if (x - drawn[0]).abs() + (y - drawn[1]).abs() > 0.34 {
                let _ = write!(self.body, "L{x:.1} {y:.1}");
                drawn = [*x, *y];
            }
        }
        let _ = write!(self.body, "L{:.1} {:.1}", last[0], last[1]);
        self.finish_path(stroke);
    }

    /// A smooth line from the first point to the last that leaves and arrives in the direction of the ones between.
    pub fn curve(&mut self, [a, b, c, d]: [[f32; 2]; 4], stroke: Stroke<'_>) {
        let [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = [a, b, c, d];
        let _ = write!(self.body, "<path d=\"M{ax:.1} {ay:.1}C{bx:.1} {by:.1} {cx:.1} {cy:.1} {dx:.1} {dy:.1}");
        self.finish_path(stroke);
    }

    /// Many separate straight lines of one kind.
    pub fn segments(&mut self, lines: &[[[f32; 2]; 2]], stroke: Stroke<'_>) {
        if lines.is_empty() {
            return;
        }
        self.body.push_str("<path d=\"");
        for [[ax, ay], [bx, by]] in lines {
            let _ = write!(self.body, "M{ax:.1} {ay:.1}L{bx:.1} {by:.1}");
        }
        self.finish_path(stroke);
    }

    /// Filled outlines with holes where they overlap an even number of times, and a thin line around them.
    pub fn area(&mut self, outlines: &[Vec<[f32; 2]>], fill: &str, line: Stroke<'_>) {
        if outlines.is_empty() {
            return;
        }
        self.body.push_str("<path d=\"");
        for outline in outlines {
            for (i, [x, y]) in outline.iter().enumerate() {
                let _ = write!(self.body, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
            }
            self.body.push('Z');
        }
        let Stroke { colour, width, opacity } = line;
        let _ = writeln!(
            self.body,
            r#"" fill="{fill}" fill-rule="evenodd" stroke="{colour}" stroke-width="{width}" opacity="{opacity:.2}" stroke-linejoin="round"/>"#
        );
    }

    fn finish_path(&mut self, stroke: Stroke<'_>) {
        let Stroke { colour, width, opacity } = stroke;
        let _ = write!(self.body, r#"" fill="none" stroke="{colour}" stroke-width="{width}""#);
        if opacity < 1.0 {
            let _ = write!(self.body, r#" stroke-opacity="{opacity:.2}""#);
        }
        self.body.push_str(" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n");
    }

    /// A filled circle.
    pub fn circle(&mut self, [x, y]: [f32; 2], radius: f32, fill: &str) {
        let _ = writeln!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{fill}"/>"#);
    }

    /// A line of text on its baseline.
    pub fn text(&mut self, [x, y]: [f32; 2], size: f32, fill: &str, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(text);
        let _ = writeln!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" font-family="'Surefoot Sans', 'DejaVu Sans', Verdana, sans-serif" font-size="{size}" fill="{fill}" text-anchor="{anchor}">{text}</text>"#
        );
    }

    /// Draws with everything outside a rectangle (x, y, width, height) cut off.
    pub fn clipped(&mut self, [x, y, w, h]: [f32; 4], draw: impl FnOnce(&mut Self)) {
        let id = self.clips;
        self.clips += 1;
        let _ = writeln!(
            self.body,
            r#"<clipPath id="c{id}"><rect x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}"/></clipPath><g clip-path="url(#c{id})">"#
        );
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// An image of hard pixels; nothing for one without any. Do not call it while drawing [clipped](Self::clipped).
    #[cfg(feature = "png")]
    pub fn image(&mut self, image: Image) {
        use base64::Engine as _;
        let Some(pixmap) = image.pixmap() else { return };
        let bytes = pixmap.encode_png().expect("pixels in memory can be packed");
        let [x, y, w, h] = image.frame;
        self.images.push((self.body.len(), image));
        let text = base64::engine::general_purpose::STANDARD.encode(bytes);
        let _ = writeln!(
            self.body,
            r#"<image x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{text}"/>"#
        );
    }

    /// The picture as SVG text.
    #[must_use]
    pub fn finish(&self) -> String {
        self.document(&self.body)
    }

    fn document(&self, body: &str) -> String {
        let Self { width, height, .. } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n{body}</svg>\n"
        )
    }

    /// The picture as PNG, one pixel for one.
    ///
    /// # Panics
    /// If the picture has no size.
    #[cfg(feature = "png")]
    #[must_use]
    pub fn png(&self) -> Vec<u8> {
        use resvg::{tiny_skia, usvg};
        let mut options = usvg::Options::default();
        let fonts = options.fontdb_mut();
        fonts.load_font_data(include_bytes!("../assets/surefoot-sans.ttf").to_vec());
        fonts.set_sans_serif_family("Surefoot Sans");
        let mut pixels = tiny_skia::Pixmap::new(self.width as u32, self.height as u32).expect("a picture has a size");
        let draw = |body: &str, pixels: &mut tiny_skia::Pixmap| {
            let tree = usvg::Tree::from_str(&self.document(body), &options).expect("our own SVG is well formed");
            resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
        };
        // Images are drawn here, between what comes before and after them: reading them back would need decoders.
        let mut from = 0;
        for (at, image) in &self.images {
            draw(&self.body[from..*at], &mut pixels);
            image.draw(&mut pixels);
            from = at + self.body[*at..].find('\n').map_or(0, |end| end + 1);
        }
        draw(&self.body[from..], &mut pixels);
        pixels.encode_png().expect("pixels in memory can be packed")
    }
}

#[cfg(feature = "png")]
impl Image {
    fn pixmap(&self) -> Option<resvg::tiny_skia::Pixmap> {
        let height = self.pixels.len().checked_div(self.width)?;
        let mut pixmap = resvg::tiny_skia::Pixmap::new(self.width as u32, height as u32)?;
        for (out, [r, g, b]) in pixmap.data_mut().chunks_exact_mut(4).zip(&self.pixels) {
            out.copy_from_slice(&[*r, *g, *b, 255]);
        }
        Some(pixmap)
    }

    fn draw(&self, pixels: &mut resvg::tiny_skia::Pixmap) {
        use resvg::tiny_skia::{FilterQuality, PixmapPaint, Transform};
        let Some(own) = self.pixmap() else { return };
        let [x, y, w, h] = self.frame;
        let place = Transform::from_row(w / own.width() as f32, 0.0, 0.0, h / own.height() as f32, x, y);
        let paint = PixmapPaint { quality: FilterQuality::Nearest, ..PixmapPaint::default() };
        pixels.draw_pixmap(0, 0, own.as_ref(), &paint, place, None);
    }
}

/// Text for XML, cut where it is too long for a picture; characters that XML cannot hold are dropped.
fn escape(text: &str) -> String {
    // Letters that fit the widest picture.
    const LONGEST: usize = 160;
    let mut out = String::new();
    for c in text.chars().take(LONGEST) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_makes_well_formed_svg() {
        let mut svg = Svg::new(60.0, 40.0, "#fff");
        svg.text([2.0, 20.0], 10.0, "#000", Anchor::Start, "a<b>&\"\u{0}\u{ffff}'é 脚");
        svg.clipped([0.0, 0.0, 10.0, 10.0], |svg| svg.line([0.0, 0.0], [50.0, 50.0], Stroke::new("#f00", 1.0)));
        #[cfg(feature = "png")]
        {
            let white = Image { width: 1, pixels: vec![[255; 3]], frame: [40.0, 30.0, 10.0, 8.0] };
            svg.image(white.clone());
            svg.image(Image { pixels: Vec::new(), ..white });
            svg.rect([55.0, 0.0, 5.0, 5.0], "#0f0");
            assert!(svg.png().starts_with(b"\x89PNG"), "renders");
        }
        assert!(svg.finish().contains("a&lt;b&gt;&amp;"), "escaped");
    }
}
