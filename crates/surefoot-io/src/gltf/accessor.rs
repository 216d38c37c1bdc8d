//! Accessors: typed rows of numbers in buffers, every bound checked, no memory by a count that no bytes back.

use super::schema::{Accessor, Schema, label};
use crate::ImportError;
use std::cell::Cell;

/// The numbers of a file.
pub(super) struct Data<'a> {
    schema: &'a Schema,
    buffers: &'a [Option<Vec<u8>>],
    /// Numbers that may still be read: accessors may share bytes, and a small file could unfold to anything.
    left: Cell<u64>,
}

/// The type of a component.
#[derive(Clone, Copy, PartialEq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number at the start of `bytes`, which hold at least one; whole numbers as shares of 1 if normalised.
    #[inline]
    fn read(self, bytes: &[u8], normalized: bool) -> f64 {
        let (value, most) = match self {
            Self::I8 => (f64::from(bytes[0].cast_signed()), 127.0),
            Self::U8 => (f64::from(bytes[0]), 255.0),
            Self::I16 => (f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), 32767.0),
            Self::U16 => (f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), 65535.0),
            Self::U32 => (f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])), f64::from(u32::MAX)),
            Self::F32 => return f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        };
        if normalized { (value / most).max(-1.0) } else { value }
    }
}

/// A run of equal-sized rows in a buffer.
struct Rows<'a> {
    bytes: &'a [u8],
    stride: usize,
}

/// Where the rows of an accessor stand.
pub(super) struct Place {
    pub(super) buffer: usize,
    /// Byte of the first row in the buffer.
    pub(super) first: usize,
    /// Bytes from row to row.
    pub(super) stride: usize,
}

impl<'a> Data<'a> {
    pub(super) fn new(schema: &'a Schema, buffers: &'a [Option<Vec<u8>>]) -> Self {
        let bytes: u64 = buffers.iter().flatten().map(|buffer| buffer.len() as u64).sum();
        Self { schema, buffers, left: Cell::new((1 << 20) + 16 * bytes) }
    }

    /// The rows of an accessor as finite numbers, N each.
    pub(super) fn rows<const N: usize>(&self, accessor: usize) -> Result<Vec<[f32; N]>, ImportError> {
        let rows = self.read::<N>(accessor)?;
        let rows: Vec<[f32; N]> = rows.into_iter().map(|row| row.map(|value| value as f32)).collect();
        if let Some(bad) = rows.iter().position(|row| !row.iter().all(|value| value.is_finite())) {
            return Err(ImportError::new(format!("{}: row {bad} is not finite", self.label(accessor))));
        }
        Ok(rows)
    }

    /// The rows of an accessor as they are, N each: numbers may not be finite.
    pub(super) fn raw_rows<const N: usize>(&self, accessor: usize) -> Result<Vec<[f32; N]>, ImportError> {
        Ok(self.read::<N>(accessor)?.into_iter().map(|row| row.map(|value| value as f32)).collect())
    }

    /// The rows of an accessor as whole numbers, N each: indices.
    pub(super) fn whole<const N: usize>(&self, accessor: usize) -> Result<Vec<[u32; N]>, ImportError> {
        let component = self.schema.accessors.get(accessor).map(|a| a.component_type);
        if component == Some(5126) {
            return Err(ImportError::new(format!("{}: indices must be whole numbers", self.label(accessor))));
        }
        // Every u32 fits into an f64; below zero is none.
        let rows = self.read::<N>(accessor)?;
        if let Some(bad) = rows.iter().position(|row| row.iter().any(|value| *value < 0.0)) {
            return Err(ImportError::new(format!("{}: row {bad} is below zero", self.label(accessor))));
        }
        Ok(rows.into_iter().map(|row| row.map(|value| value as u32)).collect())
    }

    /// Where the rows of an accessor of four plain floats stand; `None` if it is another, or is pieced together.
    pub(super) fn floats(&self, accessor: usize) -> Option<Place> {
        let accessor = self.schema.accessors.get(accessor)?;
        let view = accessor.buffer_view.filter(|_| accessor.component_type == 5126 && accessor.sparse.is_none())?;
        let rows = self.view(view, accessor.byte_offset, accessor.count, 16, true).ok()?;
        let view = self.schema.views.get(view)?;
        Some(Place {
            buffer: view.buffer,
            first: usize::try_from(view.byte_offset.checked_add(accessor.byte_offset)?).ok()?,
            stride: rows.stride,
        })
    }

    pub(super) fn label(&self, accessor: usize) -> String {
        label("accessor", accessor, self.schema.accessors.get(accessor).and_then(|a| a.name.as_deref()))
    }

    fn read<const N: usize>(&self, index: usize) -> Result<Vec<[f64; N]>, ImportError> {
        let fail = |what: String| ImportError::new(format!("{}: {what}", self.label(index)));
        let accessor = self.schema.accessors.get(index).ok_or_else(|| fail("there is no such accessor".into()))?;
        let kind = match N {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        if accessor.kind != kind {
            return Err(fail(format!("it is {:?} where {kind} is needed", crate::warning::excerpt(&accessor.kind))));
        }
        let component = Component::of(accessor.component_type)
            .ok_or_else(|| fail(format!("component type {} is unknown", accessor.component_type)))?;
        let count = self.spend(accessor, N as u64).map_err(&fail)?;
        let row = |bytes: &[u8]| -> [f64; N] {
            std::array::from_fn(|i| component.read(&bytes[i * component.size() as usize..], accessor.normalized))
        };
        let size = N as u64 * component.size();
        let mut out = match accessor.buffer_view {
            Some(view) => {
                let rows = self.view(view, accessor.byte_offset, accessor.count, size, true).map_err(&fail)?;
                (0..count).map(|i| row(&rows.bytes[i * rows.stride..])).collect()
            }
            None => vec![[0.0; N]; count],
        };
        if let Some(sparse) = &accessor.sparse {
            let kind = Component::of(sparse.indices.component_type)
                .filter(|kind| matches!(kind, Component::U8 | Component::U16 | Component::U32))
                .ok_or_else(|| fail("sparse indices must be unsigned whole numbers".into()))?;
            if sparse.count > accessor.count {
                return Err(fail(format!("{} sparse values for {} rows", sparse.count, accessor.count)));
            }
            let indices = &sparse.indices;
            let indices = self.view(indices.buffer_view, indices.byte_offset, sparse.count, kind.size(), false);
            let indices = indices.map_err(&fail)?;
            let values = self.view(sparse.values.buffer_view, sparse.values.byte_offset, sparse.count, size, false);
            let values = values.map_err(&fail)?;
            for i in 0..sparse.count as usize {
                let at = kind.read(&indices.bytes[i * indices.stride..], false) as usize;
                let place = out.get_mut(at).ok_or_else(|| fail(format!("sparse index {at} of {count} rows")))?;
                *place = row(&values.bytes[i * values.stride..]);
            }
        }
        Ok(out)
    }

    /// The number of rows, if there is enough left to read that many.
    fn spend(&self, accessor: &Accessor, width: u64) -> Result<usize, String> {
        let numbers = accessor.count.checked_mul(width).filter(|numbers| *numbers <= self.left.get());
        let numbers = numbers.ok_or_else(|| {
            format!(
                "{} rows are more than the file's size allows (accessors that share bytes count each)",
                accessor.count
            )
        })?;
        self.left.set(self.left.get() - numbers);
        Ok(accessor.count as usize)
    }

    /// `count` rows of `size` bytes from `offset` on in a buffer view, all of them inside view and buffer.
    fn view(&self, index: usize, offset: u64, count: u64, size: u64, strided: bool) -> Result<Rows<'a>, String> {
        let view = self.schema.views.get(index).ok_or_else(|| format!("there is no buffer view {index}"))?;
        let buffer = self.buffers.get(view.buffer).ok_or_else(|| format!("there is no buffer {}", view.buffer))?;
        let buffer = buffer.as_ref().ok_or_else(|| format!("buffer {} has no data", view.buffer))?;
        let end = view.byte_offset.checked_add(view.byte_length).filter(|end| *end <= buffer.len() as u64);
        let end = end.ok_or_else(|| {
            format!(
                "buffer view {index} ({} bytes from {}) reaches past buffer {} of {} bytes",
                view.byte_length,
                view.byte_offset,
                view.buffer,
                buffer.len()
            )
        })?;
        let bytes = &buffer[view.byte_offset as usize..end as usize];
        let stride = view.byte_stride.filter(|_| strided).unwrap_or(size);
        if stride < size {
            return Err(format!("buffer view {index} has a stride of {stride} bytes for rows of {size}"));
        }
        let last = count.checked_sub(1).and_then(|last| last.checked_mul(stride));
        let need = match (count, last) {
            (0, _) => Some(0),
            (_, Some(last)) => last.checked_add(size).and_then(|n| n.checked_add(offset)),
            (_, None) => None,
        };
        if need.is_none_or(|need| need > bytes.len() as u64) {
            let there = bytes.len();
            return Err(format!(
                "{count} rows from byte {offset} on reach beyond buffer view {index} of {there} bytes"
            ));
        }
        // An empty run may start anywhere.
        Ok(Rows { bytes: bytes.get(offset as usize..).unwrap_or_default(), stride: stride as usize })
    }
}
