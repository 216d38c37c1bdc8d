//! MovingAI `.map` files: worlds of square cells that are free or blocked.

use crate::{ImportError, TextPlace};
use surefoot::glam::Vec2;
use surefoot::math::FloorPose;
use surefoot::world::{FloorMap, FloorMapError, Obstacle};

/// A world of square cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileMap {
    columns: usize,
    free: Vec<bool>,
}

/// A block of cells that are all blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its first column.
    pub column: usize,
    /// Its first row.
    pub row: usize,
    /// How many columns it covers.
    pub columns: usize,
    /// How many rows it covers.
    pub rows: usize,
}

/// Cells that can be walked (`.`, `G`, swamp `S`) and that cannot (`@`, `O`, trees `T`, water `W`).
const FREE: &[u8] = b".GS";
const BLOCKED: &[u8] = b"@OTW";

/// Reads a map: `type octile`, `height`, `width`, `map`, then rows of cells.
///
/// # Errors
/// If the text is no such map; the error names line and column. Never panics, whatever the bytes.
pub fn read_map(bytes: &[u8]) -> Result<TileMap, ImportError> {
    let mut lines = Lines { bytes, at: 0 };
    let mut size: [Option<usize>; 2] = [None, None];
    loop {
        let Some((start, line)) = lines.next() else {
            return Err(ImportError::new("the file ends before its line `map`: it is not a MovingAI map"));
        };
        let fail = |what: String| ImportError::at(what, bytes, start, start + line.len());
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [] => {}
            ["type", _] => {}
            ["map"] => break,
            [name @ ("height" | "width"), number] => {
                let value = number.parse::<usize>().ok().filter(|n| (1..=MOST).contains(n));
                let value = value.ok_or_else(|| fail(format!("{name} is {number:?}; it must be 1 to {MOST} cells")))?;
                size[usize::from(name == "width")] = Some(value);
            }
            _ => return Err(fail("here stands `type`, `height`, `width` or `map` in a MovingAI map".into())),
        }
    }
    let [Some(rows), Some(columns)] = size else {
        let missing = if size[0].is_none() { "height" } else { "width" };
        return Err(ImportError::new(format!("there is no line `{missing}` before `map`")));
    };
    let mut free = Vec::new();
    for row in 0..rows {
        let Some((start, line)) = lines.next() else {
            return Err(ImportError::new(format!("the map has {row} rows, its header says {rows}")));
        };
        if line.len() != columns {
            let what = format!("row {} has {} cells, the header says {columns}", row + 1, line.len());
            return Err(ImportError::at(what, bytes, start + line.len().min(columns), start + line.len()));
        }
        for (column, cell) in line.iter().enumerate() {
            if !FREE.contains(cell) && !BLOCKED.contains(cell) {
                let at = start + column;
                let what =
                    format!("{:?} is not a cell: `.` `G` `S` are free, `@` `O` `T` `W` blocked", char::from(*cell));
                return Err(ImportError { what, place: Some(TextPlace::of(bytes, at, at + 1)) });
            }
            free.push(FREE.contains(cell));
        }
    }
    while let Some((start, line)) = lines.next() {
        if !line.trim_ascii().is_empty() {
            let what = format!("here is more than the {rows} rows of the header");
            return Err(ImportError::at(what, bytes, start, start + line.len()));
        }
    }
    Ok(TileMap { columns, free })
}

/// The longest side, cells.
const MOST: usize = 1 << 16;

impl TileMap {
    /// Cells along x.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Cells along z.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.free.len() / self.columns
    }

    /// Whether a cell can be walked; none outside.
    #[must_use]
    pub fn is_free(&self, column: usize, row: usize) -> bool {
        column < self.columns && self.free.get(row * self.columns + column).is_some_and(|free| *free)
    }

    /// The blocked cells as few blocks that do not overlap: runs of a row, taken down as far as they go.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let mut taken = self.free.clone();
        let mut blocks = Vec::new();
        for first in 0..taken.len() {
            if taken[first] {
                continue;
            }
            let (column, row) = (first % self.columns, first / self.columns);
            let columns = taken[first..(row + 1) * self.columns].iter().take_while(|taken| !**taken).count();
            let whole = |row: &usize| taken[row * self.columns + column..][..columns].iter().all(|taken| !taken);
            let rows = (row..self.rows()).take_while(whole).count();
            for row in row..row + rows {
                taken[row * self.columns + column..][..columns].fill(true);
            }
            blocks.push(Block { column, row, columns, rows });
        }
        blocks
    }

    /// As a floor with obstacles: a cell is `cell` metres wide; columns go along +x, rows along +z, from the origin.
    ///
    /// # Errors
    /// If `cell` is not more than 0 and finite.
    pub fn floor(&self, cell: f32) -> Result<FloorMap, FloorMapError> {
        let size = |columns: usize, rows: usize| cell * Vec2::new(columns as f32, rows as f32);
        let mut map = FloorMap::rectangle(Vec2::ZERO, size(self.columns(), self.rows()))?;
        for Block { column, row, columns, rows } in self.blocks() {
            let middle = size(column, row) + 0.5 * size(columns, rows);
            map.add(Obstacle::rectangle("", FloorPose::new(middle, 0.0), size(columns, rows)))?;
        }
        Ok(map)
    }
}

/// Lines without their ends, and where they start.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let end = rest.iter().position(|byte| *byte == b'\n');
        self.at += end.map_or(rest.len(), |end| end + 1);
        let line = &rest[..end.unwrap_or(rest.len())];
        Some((start, line.strip_suffix(b"\r").unwrap_or(line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(rows: &[&str]) -> String {
        format!("type octile\nheight {}\nwidth {}\nmap\n{}\n", rows.len(), rows[0].len(), rows.join("\n"))
    }

    #[test]
    fn cells_are_where_they_stand() {
        let map = read_map(text(&["..@", "TGS"]).as_bytes()).unwrap();
        assert_eq!((map.columns(), map.rows()), (3, 2));
        let free: Vec<bool> = (0..6).map(|i| map.is_free(i % 3, i / 3)).collect();
        assert_eq!(free, [true, true, false, false, true, true]);
        assert!(!map.is_free(3, 0) && !map.is_free(0, 2), "nothing outside");
        assert_eq!(read_map(text(&["..@", "TGS"]).replace('\n', "\r\n").as_bytes()), Ok(map.clone()));
        let floor = map.floor(2.0).unwrap();
        assert!(
            floor.is_free(Vec2::new(1.0, 1.0), 0.9) && !floor.is_free(Vec2::new(1.0, 3.0), 0.1),
            "row 2 is blocked"
        );
    }

    #[test]
    fn what_is_no_map_is_refused_with_its_line() {
        let good = text(&["..@", "..."]);
        for (from, to, wanted) in [
            ("height 2", "height 3", "has 2 rows"),
            ("height 2", "height 1", "line 6, column 1: here is more than the 1 rows"),
            ("height 2", "height -2", "line 2, column 1: height is \"-2\""),
            ("height 2\n", "", "no line `height`"),
            ("width 3", "width 4", "line 5, column 4: row 1 has 3 cells"),
            ("..@", ".x@", "line 5, column 2: 'x' is not a cell"),
            ("map\n", "", "line 4, column 1: here stands"),
            ("map\n..@\n...\n", "", "ends before its line `map`"),
        ] {
            assert!(good.contains(from), "{from}");
            let error = read_map(good.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
            assert!(error.contains(wanted), "{to}: {error}");
        }
    }

    proptest! {
        #[test]
        fn blocks_cover_the_blocked_cells_once(columns in 1_usize..9, cells in prop::collection::vec(any::<bool>(), 1..80)) {
            let rows = cells.len().div_ceil(columns);
            let mut free = cells;
            free.resize(rows * columns, true);
            let map = TileMap { columns, free };
            let mut covered = vec![0; rows * columns];
            for block in map.blocks() {
                for row in block.row..block.row + block.rows {
                    for column in block.column..block.column + block.columns {
                        covered[row * columns + column] += 1;
                    }
                }
            }
            for (cell, times) in covered.iter().enumerate() {
                prop_assert_eq!(*times, i32::from(!map.free[cell]));
            }
        }

        #[test]
        fn any_bytes_are_a_map_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read_map(&bytes);
            let _ = read_map(&[b"type octile\nheight 3\nwidth 3\nmap\n".to_vec(), bytes].concat());
        }
    }
}
