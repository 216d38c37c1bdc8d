//! The file's unit and axes: metres and Y up as it says, unless the body shows that its author meant others.

use crate::infer::Figure;
use crate::unit::{Axis, Unit};
use crate::{ImportError, ImportSettings, Inferred, Warning};

/// Bodies of this height are taken for what they say they are, metres: from a mouse to a dragon. The smallest people in
/// centimetres are taller.
const CREDIBLE: std::ops::Range<f32> = 0.02..30.0;

/// The unit of a body that an exporter brought from centimetres to metres and a second one again.
const TAKEN_TWICE: Unit = Unit::Other(100.0);

/// Unit, up, forward, and leg length in file units.
pub(crate) struct Conventions {
    pub(crate) unit: Inferred<Unit>,
    pub(crate) up: Inferred<Axis>,
    pub(crate) forward: Inferred<Axis>,
    pub(crate) leg: Option<f32>,
}

impl Conventions {
    /// Finds them for a body in what is said to be metres, Y up; `own` names who says so.
    pub(crate) fn find(
        figure: &Figure<'_>,
        own: &str,
        settings: &ImportSettings,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, ImportError> {
        let up = find_up(figure, own, settings);
        let forward = find_forward(figure, up.value, own, settings, warnings)?;
        let leg = figure.leg(up.value);
        let unit = find_unit(figure, up.value, leg, own, settings, warnings);
        Ok(Self { unit, up, forward, leg })
    }
}

fn stated<T>(value: T) -> Inferred<T> {
    Inferred { value, reason: "stated".into() }
}

/// What is said is Y up. A person who stands along another axis, and is taller there, tells otherwise; with four feet the
/// pelvis is behind them, which is no sign.
fn find_up(figure: &Figure<'_>, own: &str, settings: &ImportSettings) -> Inferred<Axis> {
    let taller = |up: Axis| up == Axis::Y || figure.extent(up) > 1.5 * figure.extent(Axis::Y);
    match (settings.up, figure.up()) {
        (Some(up), _) => stated(up),
        (None, Some((up, reason))) if !figure.is_beast() && taller(up) => Inferred { value: up, reason },
        _ => Inferred { value: Axis::Y, reason: format!("{own}'s own") },
    }
}

fn find_forward(
    figure: &Figure<'_>,
    up: Axis,
    own: &str,
    settings: &ImportSettings,
    warnings: &mut Vec<Warning>,
) -> Result<Inferred<Axis>, ImportError> {
    if let Some(forward) = settings.forward {
        if forward.index == up.index {
            return Err(ImportError::new(format!(
                "forward {forward} and up {up} lie on one line; give another --forward or --up"
            )));
        }
        return Ok(stated(forward));
    }
    let (told, mirrored) = figure.forward(up);
    if mirrored {
        warnings.push(Warning::Mirrored);
    }
    Ok(match told {
        Some((value, reason)) => Inferred { value, reason },
        None if up.index == 2 => {
            let value = Axis { index: 1, negative: !up.negative };
            warnings.push(Warning::ForwardAssumed { forward: value });
            Inferred { value, reason: "assumed: names tell neither toes nor sides".into() }
        }
        None => Inferred { value: Axis::Z, reason: format!("{own}'s own") },
    })
}

/// What is said is metres. A body that no metre fits was made in another unit, and that deserves a word.
fn find_unit(
    figure: &Figure<'_>,
    up: Axis,
    leg: Option<f32>,
    own: &str,
    settings: &ImportSettings,
    warnings: &mut Vec<Warning>,
) -> Inferred<Unit> {
    if let Some(unit) = settings.unit {
        return stated(unit);
    }
    let size = figure.extent(up);
    let told = leg.filter(|_| !figure.is_beast()).and_then(|leg| figure.unit(leg).ok());
    match told {
        Some((Unit::Metre, reason)) => return Inferred { value: Unit::Metre, reason },
        Some((unit, reason)) if !CREDIBLE.contains(&size) => {
            warnings.push(Warning::UnitAssumed { unit, why: format!("{own} says otherwise, but {reason}") });
            return Inferred { value: unit, reason };
        }
        _ if CREDIBLE.contains(&size) => return Inferred { value: Unit::Metre, reason: format!("{own}'s own") },
        _ => {}
    }
    let fits = |unit: &Unit| CREDIBLE.contains(&(size * unit.metres()));
    let units = [Unit::Centimetre, Unit::Millimetre, TAKEN_TWICE];
    let unit = units.into_iter().find(fits).unwrap_or(Unit::Metre);
    let twice = if unit == TAKEN_TWICE { ", as if centimetres had been made metres twice" } else { "" };
    let why = format!("the body is {size:.4} units tall, which cannot be metres{twice}");
    warnings.push(Warning::UnitAssumed { unit, why: why.clone() });
    Inferred { value: unit, reason: format!("assumed: {why}") }
}
