//! Transitions: where one clip may go over into another.

use super::cloud::Cloud;
use super::scan::{Hit, Scan};
use super::sketch::Sketch;

/// A frame of a take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The take's place in the graph.
    pub take: u32,
    /// The frame.
    pub frame: u32,
}

/// A blend that leads from one take into another, or to another part of the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Where it leaves.
    pub from: Point,
    /// Where it arrives.
    pub to: Point,
    /// How far the two sides are apart: root mean square of body points after the best floor motion, metres. For
    /// [`Rule::Regions`] the greatest over the blend, for [`Rule::Minima`] that of its middle.
    pub distance: f32,
}

/// How transitions are picked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Rule {
    /// The sides stay near for the whole blend (Alankuş 2005): safe, and the default.
    #[default]
    Regions,
    /// The sides are nearest in the middle of the blend (Kovar 2002, Pullens 2013): more transitions, less safe.
    Minima,
}

/// Two takes whose transitions are sought.
pub(super) struct Pair<'a> {
    pub(super) clouds: [&'a Cloud; 2],
    pub(super) sketches: Option<[&'a Sketch; 2]>,
    /// Contacts of blends that start at each frame.
    pub(super) signatures: [&'a [u64]; 2],
    /// Frames that blends within one take must bridge at least; `None` for two takes.
    pub(super) apart: Option<usize>,
    pub(super) rule: Rule,
    /// Frames of a blend, ends included.
    pub(super) length: usize,
    /// Square metres.
    pub(super) limit: f32,
}

/// A place where two takes meet: frames in which a blend starts, and its squared distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meeting {
    pub(super) starts: [u32; 2],
    pub(super) squared: f32,
}

/// Pairs of windows that are held at once.
const AT_ONCE: usize = 1 << 22;

/// What finding meetings works on; kept from one block to the next.
#[derive(Default)]
pub(super) struct Bench {
    hits: Vec<Hit>,
    costs: Vec<Option<(f32, f32)>>,
    /// For each pair of windows of a block, one more than the place of its hit; 0 where there is none.
    places: Vec<u32>,
    top: usize,
    columns: usize,
}

impl Bench {
    fn set(&mut self, top: usize, columns: usize, scan: impl FnOnce(&mut Vec<Hit>)) {
        for hit in &self.hits {
            self.places[(hit.row as usize - self.top) * self.columns + hit.column as usize] = 0;
        }
        (self.top, self.columns) = (top, columns);
        self.hits.clear();
        scan(&mut self.hits);
        let rows = self.hits.iter().map(|hit| hit.row as usize + 1 - top).max().unwrap_or(0);
        if self.places.len() < rows * columns {
            self.places.resize(rows * columns, 0);
        }
        for (k, hit) in self.hits.iter().enumerate() {
            self.places[(hit.row as usize - top) * columns + hit.column as usize] = k as u32 + 1;
        }
    }

    /// The place of the hit of a pair of windows.
    fn at(&self, row: usize, column: usize) -> Option<usize> {
        if column >= self.columns {
            return None;
        }
        let place = *self.places.get((row.checked_sub(self.top)?) * self.columns + column)?;
        place.checked_sub(1).map(|place| place as usize)
    }
}

impl Pair<'_> {
    /// Rows (windows of the first take) that are worked on together.
    pub(super) fn block(&self) -> usize {
        (AT_ONCE / self.clouds[1].windows.max(1)).clamp(64, 1 << 20)
    }

    /// Places in windows `rows` of the first take where the two meet: least among their eight neighbours. Neighbours that
    /// are farther than the limit or would split a stance do not count, so a lower limit gives a subset.
    pub(super) fn meetings(&self, rows: std::ops::Range<usize>, bench: &mut Bench) -> Vec<Meeting> {
        let [a, b] = self.clouds;
        // A row either side for the neighbours, and what a run of frames needs after it.
        let top = rows.start.saturating_sub(1);
        let bottom = (rows.end + 1 + self.reach()).min(a.windows);
        let sketches = self.sketches.map(|[a, b]| (a, b));
        let scan = Scan { a, b, sketches, limit: self.limit, apart: self.apart };
        bench.set(top, b.windows, |hits| scan.rows(top..bottom, hits));
        bench.costs.clear();
        for k in 0..bench.hits.len() {
            bench.costs.push(self.cost(bench, bench.hits[k]));
        }
        let least = |(k, hit): (usize, &Hit)| {
            let (row, column) = (hit.row as usize, hit.column as usize);
            let own = (bench.costs[k]?, (row, column));
            if !rows.contains(&row) {
                return None;
            }
            let near = (row.saturating_sub(1)..row + 2)
                .flat_map(|r| (column.saturating_sub(1)..column + 2).map(move |c| (r, c)));
            // Of equals the first is taken.
            let mut others = near.filter_map(|(r, c)| Some((bench.costs[bench.at(r, c)?]?, (r, c))));
            let starts = self.starts(row, column)?.map(|start| start as u32);
            (!others.any(|other| other < own)).then_some(Meeting { starts, squared: own.0.0 })
        };
        bench.hits.iter().enumerate().filter_map(least).collect()
    }

    /// The greatest distance over a blend and their sum, for the pair of windows it starts from (or whose middle it is);
    /// `None` if it does not fit, splits a stance or is too far anywhere.
    fn cost(&self, bench: &Bench, hit: Hit) -> Option<(f32, f32)> {
        let (row, column) = (hit.row as usize, hit.column as usize);
        let [first, second] = self.starts(row, column)?;
        if self.signatures[0].get(first)? != self.signatures[1].get(second)? {
            return None;
        }
        (1..=self.reach()).try_fold((hit.squared, hit.squared), |(most, sum), d| {
            let next = bench.hits[bench.at(row + d, column + d)?].squared;
            Some((most.max(next), sum + next))
        })
    }

    /// Windows after the first that a cost looks at.
    fn reach(&self) -> usize {
        match self.rule {
            Rule::Regions => self.length - 1,
            Rule::Minima => 0,
        }
    }

    /// The frames in which the blend of a pair of windows starts; `None` where it would not fit.
    fn starts(&self, row: usize, column: usize) -> Option<[usize; 2]> {
        let half = self.clouds[0].half;
        let before = match self.rule {
            Rule::Regions => 0,
            Rule::Minima => (self.length - 1) / 2,
        };
        Some([(row + half).checked_sub(before)?, (column + half).checked_sub(before)?])
    }
}
