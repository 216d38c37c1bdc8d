//! What is wanted of a pose: the one trait that every objective implements.

use super::{Kinematics, Quadratic};

/// Something wanted of a pose, as an energy that is least where it is met.
///
/// A new objective is one type: it adds `½ w |r|²` by `Quadratic::add_vector` with the rows of its Jacobian, and the
/// curvature where `Quadratic::order` asks for it. `derivative_error` tells whether the
/// derivatives are right.
pub trait Objective {
    /// Adds energy and derivatives at a configuration.
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic);

    /// How far the configuration is from what is wanted. `None` for what has no goal of its own, such as a pull to the
    /// input pose: a solve does not wait for it.
    fn miss(&self, at: &Kinematics<'_>) -> Option<Miss> {
        let _ = at;
        None
    }
}

/// How far something is from its goal. Infinite for a goal that is no number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Miss {
    /// A distance, metres.
    Metres(f64),
    /// An angle, radians.
    Radians(f64),
}

/// Several of a kind: their sum, and the worst of their misses.
impl<T: Objective> Objective for Vec<T> {
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic) {
        self.iter().for_each(|objective| objective.add_to(at, sum));
    }

    fn miss(&self, at: &Kinematics<'_>) -> Option<Miss> {
        let size = |miss: &Miss| match miss {
            Miss::Metres(size) | Miss::Radians(size) => *size,
        };
        self.iter().filter_map(|objective| objective.miss(at)).max_by(|a, b| size(a).total_cmp(&size(b)))
    }
}
