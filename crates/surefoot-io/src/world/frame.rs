//! Where the numbers of a world's file are in the world that was made of them.

use crate::unit::{Axes, Axis, Unit};
use surefoot::glam::{DVec2, DVec3};

/// What leads from a file's own numbers to metres, Y up, near the origin; and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileFrame {
    unit: Unit,
    up: Axis,
    /// What was taken off, metres, in surefoot's axes.
    offset: DVec3,
}

impl FileFrame {
    /// The frame of a file in metres, Y up, that such an offset was taken off.
    #[must_use]
    pub fn moved(offset: DVec3) -> Self {
        Self { unit: Unit::Metre, up: Axis::Y, offset }
    }

    pub(super) fn new(unit: Unit, up: Axis, offset: DVec3) -> Self {
        Self { unit, up, offset }
    }

    /// A place in the file's own numbers, brought into the world: metres. In f64, as the digits that a far place needs are
    /// there until the offset is off.
    #[must_use]
    pub fn place(&self, file: DVec3) -> DVec3 {
        let mut place = DVec3::ZERO;
        for (coordinate, (ours, sign)) in self.axes().ours.into_iter().enumerate() {
            place[ours] = f64::from(sign) * file[coordinate] * f64::from(self.unit.metres());
        }
        place - self.offset
    }

    /// A place of the world in the file's own numbers.
    #[must_use]
    pub fn in_file(&self, place: DVec3) -> DVec3 {
        let whole = place + self.offset;
        let mut file = DVec3::ZERO;
        for (coordinate, (ours, sign)) in self.axes().ours.into_iter().enumerate() {
            file[coordinate] = f64::from(sign) * whole[ours] / f64::from(self.unit.metres());
        }
        file
    }

    /// A place on the file's floor, given by the two of its three numbers that are not the height, brought into the world; its
    /// height there is that of the file's 0.
    #[must_use]
    pub fn floor_place(&self, file: DVec2) -> DVec3 {
        let mut two = file.to_array().into_iter();
        let whole: [f64; 3] =
            std::array::from_fn(|axis| if axis == self.up.index { 0.0 } else { two.next().unwrap_or_default() });
        self.place(DVec3::from_array(whole))
    }

    fn axes(&self) -> Axes {
        // Where z is up, x stays what it is; a world faces nowhere.
        let Axis { index, negative } = self.up;
        let forward = if index == 2 { Axis { index: 1, negative: !negative } } else { Axis::Z };
        Axes::new(self.up, forward)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back_and_floors_leave_out_the_height() {
        for up in ["x", "-x", "y", "-y", "z", "-z"].map(|name| name.parse::<Axis>().unwrap()) {
            let frame = FileFrame::new(Unit::Centimetre, up, DVec3::new(1000.0, -3.0, 4.0));
            let file = DVec3::new(12.0, -345.0, 6789.0);
            assert!((frame.in_file(frame.place(file)) - file).length() < 1e-9, "{up}");
            let mut high = DVec3::ZERO;
            high[up.index] = if up.negative { -100.0 } else { 100.0 };
            let risen = frame.place(file + high) - frame.place(file);
            assert!((risen - DVec3::Y).length() < 1e-6, "{up}: a metre up is {risen}");
            let floor = frame.floor_place(DVec2::new(100.0, 200.0));
            assert!((floor.y + frame.offset.y).abs() < 1e-9, "{up}: {floor}");
        }
    }
}
