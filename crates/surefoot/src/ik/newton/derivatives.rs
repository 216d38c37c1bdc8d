//! Whether an objective's derivatives are right: compared with differences.

use super::full::hessian;
use super::kinematics::Moving;
use super::{IkProblem, Kinematics, Objective, Order, Quadratic};
use crate::rig::Pose;

/// The largest differences between an objective's derivatives and central differences, relative to the largest entry (or
/// 1 where that is smaller).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DerivativeError {
    /// Of the gradient, against differences of the energy.
    pub gradient: f64,
    /// Of the Hessian, against differences of the gradient.
    pub hessian: f64,
    /// Of the energy between orders: an objective must give the same whatever it is asked for.
    pub energy: f64,
}

/// Compares the derivatives of an objective at a configuration with central differences, h = 1e-5. For tests of new
/// objectives: 1e-7 is what right ones stay under.
///
/// # Panics
/// If the configuration's length is not the problem's number of freedoms, or the pose is of another skeleton.
#[must_use]
pub fn derivative_error(
    problem: &IkProblem,
    pose: &Pose,
    configuration: &[f64],
    objective: &dyn Objective,
) -> DerivativeError {
    // The step of the differences, radians or metres: smaller ones lose digits, larger ones straightness.
    const H: f64 = 1e-5;
    let n = problem.freedoms();
    let mut moving = Moving::new(problem);
    moving.take_in(problem, pose);
    let mut at = |q: &[f64], order: Order| {
        moving.q.copy_from_slice(q);
        moving.place(problem);
        let mut sum = Quadratic::new(n);
        sum.clear(order);
        objective.add_to(&Kinematics { problem, moving: &moving }, &mut sum);
        sum
    };
    let gradient = |sum: &Quadratic| {
        let mut g = vec![0.0; sum.stride];
        sum.gradient(&mut g);
        g
    };
    let here = at(configuration, Order::Newton);
    let (mut h, g) = (Vec::new(), gradient(&here));
    hessian(&here, n, &mut h);
    let largest = |values: &[f64]| values.iter().fold(1.0_f64, |a, value| a.max(value.abs()));
    let (scale_g, scale_h) = (largest(&g), largest(&h));
    let energies = [Order::Energy, Order::GaussNewton].map(|order| at(configuration, order).energy);
    let mut error = DerivativeError {
        gradient: 0.0,
        hessian: 0.0,
        energy: energies.iter().fold(0.0, |a, energy| a.max((energy - here.energy).abs())),
    };
    let mut q = configuration.to_vec();
    for j in 0..n {
        q[j] = configuration[j] + H;
        let above = at(&q, Order::Newton);
        q[j] = configuration[j] - H;
        let below = at(&q, Order::Newton);
        q[j] = configuration[j];
        let slope = (above.energy - below.energy) / (2.0 * H);
        error.gradient = error.gradient.max((slope - g[j]).abs() / scale_g);
        let (above, below) = (gradient(&above), gradient(&below));
        for i in 0..n {
            let bend = (above[i] - below[i]) / (2.0 * H);
            error.hessian = error.hessian.max((bend - h[i * n + j]).abs() / scale_h);
        }
    }
    error
}
