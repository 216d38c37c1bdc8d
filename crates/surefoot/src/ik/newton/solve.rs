//! Minimising the energy of all objectives, step by step, never uphill.

use super::dual::Dual;
use super::full::Full;
use super::kinematics::Moving;
use super::{IkProblem, Kinematics, Limiter, Miss, Objective, Order, Quadratic, Regulariser};
use crate::rig::Pose;

/// How a pose is solved for. The defaults reach four effectors of a human body in about three steps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct SolveIk {
    /// How steps are found.
    pub method: Method,
    /// Most steps, ≥ 0.
    pub steps: usize,
    /// A point that is this near to its goal has reached it, metres.
    pub near: f64,
    /// A direction that is this near to its goal has reached it, radians.
    pub straight: f64,
    /// Weight of the pull to the input pose, `Regulariser`. More than 1e-4 holds effectors off their targets; without
    /// any, poses drift from frame to frame.
    pub pull: f64,
    /// Damping of each step, square metres: between 3e-4 and 3e-3 it makes no difference.
    pub damping: f64,
    /// Soft limits.
    pub limiter: Limiter,
}

/// How steps are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Method {
    /// Damped Gauss-Newton in dual form: a dozen equations for four points, and always a way down.
    GaussNewton,
    /// Full Newton with all second derivatives, as published. Far from the targets the Hessian is mostly indefinite, and
    /// what is left are steps down the gradient: slow, and kept for comparison.
    FullNewton,
}

impl Default for SolveIk {
    fn default() -> Self {
        Self {
            method: Method::GaussNewton,
            steps: 30,
            near: 1e-3,
            straight: 0.02,
            pull: 1e-4,
            damping: 1e-3,
            limiter: Limiter::default(),
        }
    }
}

/// What became of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct IkReport {
    /// Steps taken.
    pub steps: usize,
    /// Configurations looked at, the first included.
    pub looks: usize,
    /// The energy before and after; never more after than before.
    pub energy: [f64; 2],
    /// Why it ended.
    pub end: End,
    /// The farthest that a point is from its goal, metres; infinite for a goal that is no number.
    pub metres: f64,
    /// The farthest that a direction is from its goal, radians.
    pub radians: f64,
    /// How many objectives did not come as near as they should.
    pub unreached: usize,
}

/// Why a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything is where it should be.
    Reached,
    /// No step leads further down: what is left cannot be reached, or not together.
    Settled,
    /// The steps were used up.
    OutOfSteps,
}

/// What lives from frame to frame: the last configuration, where the next solve starts, and room to work in.
///
/// Allocates when made and in the first solve; after that nothing, so long as there are no more objectives.
#[derive(Clone, Debug)]
pub struct IkState {
    moving: Moving,
    sum: Quadratic,
    dual: Dual,
    full: Full,
    /// Where the step under way started.
    from: Vec<f64>,
    step: Vec<f64>,
    /// Bounds of each freedom, of the configuration.
    bounds: Vec<[f64; 2]>,
    stiffness: Vec<f64>,
    misses: Vec<Option<Miss>>,
}

impl IkState {
    /// A state that starts at the input pose.
    #[must_use]
    pub fn new(problem: &IkProblem) -> Self {
        let sum = Quadratic::new(problem.freedoms());
        let mut stiffness: Vec<f64> = problem.active.iter().map(|freedom| freedom.stiffness).collect();
        stiffness.resize(sum.stride, 1.0);
        Self {
            moving: Moving::new(problem),
            dual: Dual::default(),
            full: Full::default(),
            from: vec![0.0; problem.freedoms()],
            step: vec![0.0; sum.stride],
            bounds: vec![[f64::NEG_INFINITY, f64::INFINITY]; problem.freedoms()],
            stiffness,
            misses: Vec::new(),
            sum,
        }
    }

    /// Forgets the last configuration: the next solve starts at the input pose.
    pub fn reset(&mut self) {
        self.moving.q.fill(0.0);
    }

    /// The configuration: angles (radians) and lengths (metres) added to the input pose, by freedom of the problem.
    #[must_use]
    pub fn configuration(&self) -> &[f64] {
        &self.moving.q
    }

    /// Sets where the next solve starts.
    ///
    /// # Panics
    /// If the length is not the problem's number of freedoms.
    pub fn start_at(&mut self, configuration: &[f64]) {
        self.moving.q.copy_from_slice(configuration);
    }

    /// How far each objective of the last solve is from its goal, in their order; `None` for those without a goal.
    #[must_use]
    pub fn misses(&self) -> &[Option<Miss>] {
        &self.misses
    }
}

impl SolveIk {
    /// Moves `pose`, which is the input, so that the objectives' energy is as low as it gets. Starts where the last solve
    /// of `state` ended. Joints that no effector moves stay as they are.
    ///
    /// # Panics
    /// If the state was made for another problem, or the pose for another skeleton, or an objective speaks of a joint
    /// that is on no effector's chain.
    pub fn run(
        &self,
        problem: &IkProblem,
        state: &mut IkState,
        objectives: &[&dyn Objective],
        pose: &mut Pose,
    ) -> IkReport {
        assert!(state.from.len() == problem.freedoms(), "a state of {} freedoms", state.from.len());
        state.moving.take_in(problem, pose);
        bound(problem, state);
        let mut energy = self.look(problem, state, objectives);
        if !energy.is_finite() {
            // A start that is no number is no start.
            state.reset();
            energy = self.look(problem, state, objectives);
        }
        let mut report = IkReport {
            steps: 0,
            looks: 1,
            energy: [energy, energy],
            end: End::OutOfSteps,
            metres: 0.0,
            radians: 0.0,
            unreached: 0,
        };
        // A step that gains next to nothing may be followed by a better one, two may not.
        let mut idle = 0;
        while report.steps < self.steps {
            self.note(problem, state, objectives, &mut report);
            if report.unreached == 0 && !state.misses.iter().all(Option::is_none) {
                report.end = End::Reached;
                break;
            }
            let Some(lower) = self.descend(problem, state, objectives, energy, &mut report.looks) else {
                report.end = End::Settled;
                break;
            };
            report.steps += 1;
            let largest = state.step.iter().fold(0.0_f64, |a, step| a.max(step.abs()));
            idle = if energy - lower < 1e-3 * energy { idle + 1 } else { 0 };
            energy = lower;
            if idle == 2 || largest < 1e-5 {
                report.end = End::Settled;
                break;
            }
        }
        self.note(problem, state, objectives, &mut report);
        if report.unreached == 0 {
            report.end = if report.end == End::OutOfSteps { End::Reached } else { report.end };
        }
        report.energy[1] = energy;
        state.moving.write(problem, pose);
        report
    }

    /// One step downhill: the whole step if that is lower, else halves of it, else steps that are damped more. `None`
    /// where there is no way down.
    fn descend(
        &self,
        problem: &IkProblem,
        state: &mut IkState,
        objectives: &[&dyn Objective],
        energy: f64,
        looks: &mut usize,
    ) -> Option<f64> {
        let order = match self.method {
            Method::GaussNewton => Order::GaussNewton,
            Method::FullNewton => Order::Newton,
        };
        self.add_up(problem, state, objectives, order);
        state.from.copy_from_slice(&state.moving.q);
        let mut damping = self.damping;
        // The published method halves until it goes down; ours damps after three tries.
        let (rounds, halvings) = if self.method == Method::GaussNewton { (6, 3) } else { (1, 40) };
        for _ in 0..rounds {
            match self.method {
                Method::GaussNewton => state.dual.step(&state.sum, damping, &state.stiffness, &mut state.step),
                Method::FullNewton => {
                    state.full.step(&state.sum, problem.freedoms(), &mut state.step);
                }
            }
            limit(problem, &mut state.step);
            for _ in 0..halvings {
                let tried = state.from.iter().zip(&state.step).zip(&state.bounds);
                for (q, ((from, step), [low, high])) in state.moving.q.iter_mut().zip(tried) {
                    *q = (from + step).clamp(*low, *high);
                }
                *looks += 1;
                let lower = self.look(problem, state, objectives);
                if lower < energy {
                    return Some(lower);
                }
                state.step.iter_mut().for_each(|step| *step *= 0.5);
            }
            damping *= 10.0;
        }
        state.moving.q.copy_from_slice(&state.from);
        state.moving.place(problem);
        None
    }

    /// Brings the body to the configuration and gives its energy.
    fn look(&self, problem: &IkProblem, state: &mut IkState, objectives: &[&dyn Objective]) -> f64 {
        state.moving.place(problem);
        self.add_up(problem, state, objectives, Order::Energy);
        state.sum.energy
    }

    fn add_up(&self, problem: &IkProblem, state: &mut IkState, objectives: &[&dyn Objective], order: Order) {
        let at = Kinematics { problem, moving: &state.moving };
        state.sum.clear(order);
        Regulariser { weight: self.pull }.add_to(&at, &mut state.sum);
        self.limiter.add_to(&at, &mut state.sum);
        for objective in objectives {
            objective.add_to(&at, &mut state.sum);
        }
    }

    /// How far everything is from its goal.
    fn note(&self, problem: &IkProblem, state: &mut IkState, objectives: &[&dyn Objective], report: &mut IkReport) {
        let at = Kinematics { problem, moving: &state.moving };
        state.misses.clear();
        state.misses.extend(objectives.iter().map(|objective| objective.miss(&at)));
        (report.metres, report.radians, report.unreached) = (0.0, 0.0, 0);
        for miss in state.misses.iter().flatten() {
            let reached = match miss {
                Miss::Metres(metres) => {
                    report.metres = report.metres.max(*metres);
                    *metres <= self.near
                }
                Miss::Radians(radians) => {
                    report.radians = report.radians.max(*radians);
                    *radians <= self.straight
                }
            };
            report.unreached += usize::from(!reached);
        }
    }
}

/// Bounds of the configuration from the freedoms' limits; a pose that is beyond them already may stay, not go farther.
fn bound(problem: &IkProblem, state: &mut IkState) {
    for (j, freedom) in problem.active.iter().enumerate() {
        if let Some([low, high]) = freedom.limits {
            let (input, q) = (state.moving.input_value[j], state.moving.q[j]);
            state.bounds[j] = [(low - input).min(0.0).min(q), (high - input).max(0.0).max(q)];
        }
    }
}

/// Shortens a step in which a hinge would turn by more than about a right angle: what derivatives say does not hold so far.
fn limit(problem: &IkProblem, step: &mut [f64]) {
    let hinges = problem.active.iter().zip(&*step).filter(|(freedom, _)| freedom.hinge);
    let most = hinges.fold(0.0_f64, |most, (_, step)| most.max(step.abs()));
    if most > 1.5 {
        step.iter_mut().for_each(|step| *step *= 1.5 / most);
    }
}
