//! Buffers compressed by EXT_meshopt_compression, unpacked: whatever the bytes, the rows they stand for or nothing.
//!
//! Written by hand, since the crate for it is C++ that WebAssembly cannot take. After the extension's specification: vertices
//! (version 0), triangles and sequences of indices (version 1), and its three filters.

use super::schema::{Schema, label};
use crate::ImportError;
use serde::Deserialize;

/// The extension's name.
pub(super) const NAME: &str = "EXT_meshopt_compression";

/// How a buffer view is packed.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Packed {
    buffer: usize,
    #[serde(default)]
    byte_offset: u64,
    byte_length: u64,
    byte_stride: u64,
    count: u64,
    mode: String,
    #[serde(default)]
    filter: Option<String>,
}

/// The buffers with those of packed views unpacked after them, which the views are turned to; `None` if nothing is packed.
pub(super) fn unpack(
    schema: &mut Schema,
    buffers: &[Option<Vec<u8>>],
) -> Result<Option<Vec<Option<Vec<u8>>>>, ImportError> {
    if !schema.views.iter().any(|view| view.packed().is_some()) {
        return Ok(None);
    }
    let mut all = buffers.to_vec();
    for index in 0..schema.views.len() {
        let Some(packed) = schema.views[index].packed() else { continue };
        let fail = |what: &str| ImportError::new(format!("{}: {NAME}: {what}", label("buffer view", index, None)));
        let bytes = packed.bytes(buffers).ok_or_else(|| fail("its bytes are not there"))?;
        let rows = packed.rows(bytes).ok_or_else(|| fail("its bytes are not what it says they are"))?;
        let view = &mut schema.views[index];
        (view.buffer, view.byte_offset, view.byte_length) = (all.len(), 0, rows.len() as u64);
        all.push(Some(rows));
    }
    Ok(Some(all))
}

impl Packed {
    fn bytes<'a>(&self, buffers: &'a [Option<Vec<u8>>]) -> Option<&'a [u8]> {
        let start = usize::try_from(self.byte_offset).ok()?;
        let end = start.checked_add(usize::try_from(self.byte_length).ok()?)?;
        buffers.get(self.buffer)?.as_ref()?.get(start..end)
    }

    /// The rows that bytes stand for.
    fn rows(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let (count, stride) = (usize::try_from(self.count).ok()?, usize::try_from(self.byte_stride).ok()?);
        let mut rows = match self.mode.as_str() {
            "ATTRIBUTES" => attributes(bytes, count, stride)?,
            "TRIANGLES" => written(&triangles(bytes, count)?, stride)?,
            "INDICES" => written(&indices(bytes, count)?, stride)?,
            _ => return None,
        };
        match self.filter.as_deref() {
            None | Some("NONE") => {}
            Some("OCTAHEDRAL") if stride == 4 => {
                rows.chunks_exact_mut(4).for_each(|row| {
                    let unit = octahedral([row[0], row[1], row[2]].map(|byte| f32::from(byte.cast_signed())), 127.0);
                    (0..3).for_each(|i| row[i] = (unit[i] as i8).cast_unsigned());
                });
            }
            Some("OCTAHEDRAL") if stride == 8 => {
                rows.chunks_exact_mut(8).for_each(|row| {
                    let unit = octahedral([0, 1, 2].map(|i| f32::from(short(row, i))), 32767.0);
                    (0..3).for_each(|i| row[2 * i..2 * i + 2].copy_from_slice(&(unit[i] as i16).to_le_bytes()));
                });
            }
            Some("QUATERNION") if stride == 8 => rows.chunks_exact_mut(8).for_each(quaternion),
            Some("EXPONENTIAL") if stride % 4 == 0 => rows.chunks_exact_mut(4).for_each(exponential),
            _ => return None,
        }
        Some(rows)
    }
}

/// Vertices: by blocks, by byte of a row, by groups of 16 rows, differences to the row before.
fn attributes(bytes: &[u8], count: usize, stride: usize) -> Option<Vec<u8>> {
    if stride == 0 || stride > 256 || !stride.is_multiple_of(4) || *bytes.first()? != 0xa0 {
        return None;
    }
    let tail = stride.max(32);
    let body = bytes.get(1..bytes.len().checked_sub(tail)?)?;
    let mut last = bytes[bytes.len() - stride..].to_vec();
    let in_block = ((8192 / stride) & !15).min(256);
    let (mut out, mut at) = (Vec::new(), 0);
    let mut take = |length: usize| {
        at += length;
        body.get(at - length..at)
    };
    let mut done = 0;
    while done < count {
        let rows = in_block.min(count - done);
        let groups = rows.div_ceil(16);
        let start = out.len();
        // Memory follows the bytes: a block without any is none.
        let mut block = vec![0; rows * stride];
        for (byte, before) in last.iter_mut().enumerate() {
            let header = take(groups.div_ceil(4))?;
            for group in 0..groups {
                let mut values = [0; 16];
                match header[group / 4] >> (group % 4 * 2) & 3 {
                    0 => {}
                    1 => small(&mut take, 2, &mut values)?,
                    2 => small(&mut take, 4, &mut values)?,
                    _ => values.copy_from_slice(take(16)?),
                }
                for (row, value) in (16 * group..rows).zip(values) {
                    *before = before.wrapping_add((value >> 1) ^ (value & 1).wrapping_neg());
                    block[row * stride + byte] = *before;
                }
            }
        }
        out.resize(start, 0);
        out.extend(block);
        done += rows;
    }
    Some(out)
}

/// Sixteen values of a few bits each, from the highest bits down; those of all ones follow as whole bytes.
fn small<'a>(take: &mut impl FnMut(usize) -> Option<&'a [u8]>, bits: usize, values: &mut [u8; 16]) -> Option<()> {
    let packed = take(2 * bits)?;
    let (each, most) = (8 / bits, (1_u8 << bits) - 1);
    for (i, value) in values.iter_mut().enumerate() {
        *value = packed[i / each] >> (8 - bits * (i % each + 1)) & most;
        if *value == most {
            *value = take(1)?[0];
        }
    }
    Some(())
}

/// Bytes that are read one after the other.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// A number of up to 32 bits, seven to a byte.
    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    /// An index that is told by how far it is from another.
    fn near(&mut self, last: u32) -> Option<u32> {
        self.number().map(|number| last.wrapping_add(unfolded(number)))
    }
}

/// A difference: even numbers are above, odd ones below.
fn unfolded(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// The last sixteen of something.
struct Recent<T> {
    items: [T; 16],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn push(&mut self, item: T) {
        self.items[self.next] = item;
        self.next = (self.next + 1) % 16;
    }

    /// The one that came `ago` others before the last.
    fn back(&self, ago: usize) -> T {
        self.items[(self.next + 15 - ago) % 16]
    }
}

/// Triangles by edges and vertices that came shortly before.
fn triangles(bytes: &[u8], count: usize) -> Option<Vec<u32>> {
    if *bytes.first()? != 0xe1 || !count.is_multiple_of(3) {
        return None;
    }
    let codes = bytes.get(1..1 + count / 3)?;
    let end = bytes.len().checked_sub(16)?;
    let table = &bytes[end..];
    let mut data = Reader(bytes.get(1 + count / 3..end)?);
    let mut edges = Recent { items: [[u32::MAX; 2]; 16], next: 0 };
    let mut vertices = Recent { items: [u32::MAX; 16], next: 0 };
    let (mut next, mut last) = (0_u32, 0_u32);
    let mut out = Vec::with_capacity(count);
    let fresh = |next: &mut u32| {
        *next = next.wrapping_add(1);
        next.wrapping_sub(1)
    };
    for code in codes.iter().copied() {
        let (high, low) = (usize::from(code >> 4), usize::from(code & 15));
        if code < 0xf0 {
            let [a, b] = edges.back(high);
            let c = match low {
                0 => fresh(&mut next),
                1..13 => vertices.back(low),
                13 => last.wrapping_sub(1),
                14 => last.wrapping_add(1),
                _ => data.near(last)?,
            };
            if low >= 13 {
                last = c;
            }
            if low == 0 || low >= 13 {
                vertices.push(c);
            }
            out.extend([a, b, c]);
            edges.push([c, b]);
            edges.push([a, c]);
            continue;
        }
        let listed = code < 0xfe;
        let aux = if listed { table[low] } else { data.byte()? };
        let (of_b, of_c) = (usize::from(aux >> 4), usize::from(aux & 15));
        if !listed && aux == 0 {
            next = 0;
        }
        let far = |of: usize| !listed && of == 15;
        // All that are known are looked up before any is remembered.
        let mut a = if code == 0xff { 0 } else { fresh(&mut next) };
        let known = |of: usize, next: &mut u32| if of == 0 { fresh(next) } else { vertices.back(of - 1) };
        let mut b = known(of_b, &mut next);
        let mut c = known(of_c, &mut next);
        for (corner, is_far) in [(&mut a, code == 0xff), (&mut b, far(of_b)), (&mut c, far(of_c))] {
            if is_far {
                *corner = data.near(last)?;
                last = *corner;
            }
        }
        out.extend([a, b, c]);
        vertices.push(a);
        for (corner, of) in [(b, of_b), (c, of_c)] {
            if of == 0 || far(of) {
                vertices.push(corner);
            }
        }
        [[b, a], [c, b], [a, c]].into_iter().for_each(|edge| edges.push(edge));
    }
    Some(out)
}

/// Indices by how far they are from one of two others.
fn indices(bytes: &[u8], count: usize) -> Option<Vec<u32>> {
    if *bytes.first()? != 0xd1 || count > bytes.len() {
        return None;
    }
    let mut data = Reader(bytes.get(1..bytes.len().checked_sub(4)?)?);
    let mut last = [0_u32; 2];
    let mut index = || {
        let number = data.number()?;
        let one = &mut last[(number & 1) as usize];
        *one = one.wrapping_add(unfolded(number >> 1));
        Some(*one)
    };
    (0..count).map(|_| index()).collect()
}

/// Indices as bytes, two or four each.
fn written(indices: &[u32], stride: usize) -> Option<Vec<u8>> {
    match stride {
        4 => Some(indices.iter().flat_map(|index| index.to_le_bytes()).collect()),
        2 => {
            let shorts: Option<Vec<u16>> = indices.iter().map(|index| u16::try_from(*index).ok()).collect();
            Some(shorts?.iter().flat_map(|index| index.to_le_bytes()).collect())
        }
        _ => None,
    }
}

fn short(row: &[u8], i: usize) -> i16 {
    i16::from_le_bytes([row[2 * i], row[2 * i + 1]])
}

/// A unit vector from two numbers on an unfolded octahedron, and what counts as one.
fn octahedral([x, y, one]: [f32; 3], most: f32) -> [f32; 3] {
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    let fold = (-z).max(0.0);
    let [x, y] = [x, y].map(|v| if v >= 0.0 { v - fold } else { v + fold });
    let scale = most / (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|v| (v * scale).round())
}

/// A rotation from its three smaller numbers; which is the largest is in the last bits.
fn quaternion(row: &mut [u8]) {
    let [x, y, z, packed] = [0, 1, 2, 3].map(|i| short(row, i));
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(packed | 3);
    let [x, y, z] = [x, y, z].map(|v| f32::from(v) * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let largest = (packed & 3) as usize;
    for (i, value) in [w, x, y, z].into_iter().enumerate() {
        let at = 2 * ((largest + i) % 4);
        row[at..at + 2].copy_from_slice(&((value * 32767.0).round() as i16).to_le_bytes());
    }
}

/// A number from a power of two and how many of them.
fn exponential(row: &mut [u8]) {
    let packed = i32::from_le_bytes([row[0], row[1], row[2], row[3]]);
    let value = f64::from((packed << 8) >> 8) * 2_f64.powi(packed >> 24);
    row.copy_from_slice(&(value as f32).to_le_bytes());
}
