//! Single stages of the systems and what they hand to each other, for tools, tests and research; feature `stages`.
//!
//! The systems of [`crate::systems`] list these in order. They change as methods do: what a game needs is in the other modules.

pub use crate::adapt::arrive::{Arrival, Arrive};
pub use crate::adapt::clean::Clean;
pub use crate::adapt::clean::Cleaned;
pub use crate::adapt::field::FieldSegment;
pub use crate::adapt::field::Slot;
pub use crate::adapt::field::database::Change;
pub use crate::adapt::field::database::FieldDatabase;
pub use crate::adapt::field::database::FieldEntry;
pub use crate::adapt::field::database::FieldWeights;
pub use crate::adapt::field::state::FieldState;
pub use crate::adapt::field::state::StateAxis;
pub use crate::adapt::footsteps::body_offsets::BodyOffsets;
pub use crate::adapt::footsteps::groups::BlendGroups;
pub use crate::adapt::footsteps::mark::Mark;
pub use crate::adapt::footsteps::play::PlayStrides;
pub use crate::adapt::footsteps::refine::RefinePrints;
pub use crate::adapt::footsteps::smooth::SmoothPrints;
pub use crate::adapt::lay::{Laid, Lay};
pub use crate::adapt::retarget::build::Build;
pub use crate::adapt::retarget::graph::RetargetedGraph;
pub use crate::adapt::retarget::height::Height;
pub use crate::adapt::retarget::posture::Posture;
pub use crate::adapt::scale_legs::{LegsScaled, ScaleLegs, ScaleLegsError, WalkOnLegs};
pub use crate::adapt::stepping::body_over::BodyOver;
pub use crate::adapt::stepping::carry_body::CarryBody;
pub use crate::adapt::stepping::foot_at::FootAt;
pub use crate::analyse::gait::{Analyse, Analysis, Flight};
pub use crate::analyse::levelling::Levelling;
pub use crate::analyse::parts::Arm;
pub use crate::analyse::parts::BodyParts;
pub use crate::analyse::parts::Finger;
pub use crate::analyse::parts::FingerName;
pub use crate::analyse::repair::Repaired;
pub use crate::analyse::study::Cycle;
pub use crate::analyse::treadmill::{Tread, Treadmill, UnevenFeet};
pub use crate::character::stand::{LegOrder, Stand, StandLeg};
pub use crate::ik::foot_place::FootPlace;
pub use crate::ik::newton::derivatives::{DerivativeError, derivative_error};
pub use crate::ik::newton::kinematics::Kinematics;
pub use crate::ik::newton::objective::Miss;
pub use crate::ik::newton::place::{Carry, Mass};
pub use crate::ik::newton::quadratic::{Order, Quadratic, Rows};
pub use crate::ik::newton::single::{Inertia, Limiter, Regulariser};
pub use crate::ik::two_bone::{Bent, LegPose};
pub use crate::library::graph::cloud::{Alignment, Cloud};
pub use crate::library::graph::leg_ways::LegWays;
pub use crate::library::graph::matrix::Columns;
pub use crate::library::graph::play::{Played, Seam};
pub use crate::library::graph::points::BodyPoints;
pub use crate::library::graph::report::advice::{Missing, Why};
pub use crate::library::graph::report::coverage::{Coverage, Within};
pub use crate::library::graph::report::{
    Capabilities, Round, Stops, Summary, Sustained, TakeMoment, TakeShare, TurnTime,
};
pub use crate::library::graph::scan::{Hit, near_pairs};
pub use crate::library::graph::topology::EdgeId;
pub use crate::library::graph::topology::{Component, Edge, NodeId, Play, Topology};
pub use crate::library::graph::transition::Point;
pub use crate::library::graph::transition::Transition;
pub use crate::library::graph::verify::{Astray, Misfit};
pub use crate::library::graph::wander::Wander;
pub use crate::library::locomotion::band::{BandSample, GradientBand};
pub use crate::library::locomotion::clip::LegCycle;
pub use crate::library::locomotion::mix::BlendClips;
pub use crate::library::make_stop::MakeStop;
pub use crate::library::strides::group::{GroupSample, TurnGroup};
pub use crate::library::strides::reach::StandsAt;
pub use crate::library::strides::reach::{StridePrint, StrideReach, StrideSlack, StrideStand};
pub use crate::math::digest::Digest;
pub use crate::math::rigid::Twist;
pub use crate::metrics::check::CheckedSource;
pub use crate::metrics::facing::FacingFigures;
pub use crate::metrics::feet::{Slide, measure_feet_in, slides, stance_kept, stance_kept_in};
pub use crate::metrics::ground_fit::GroundFit;
pub use crate::metrics::jump::{Jump, JumpBy};
pub use crate::metrics::planted::PlantedFigures;
pub use crate::metrics::pop::{POP_FACTOR, POP_MARGIN, Pop, worst_pop, worst_pop_in};
pub use crate::metrics::seam::{Seams, Worst, measure_seams};
pub use crate::metrics::skin_depth::{Deepest, SkinDepth};
pub use crate::metrics::slip::Slip;
pub use crate::metrics::spread::Spread;
pub use crate::metrics::travel::TravelFigures;
pub use crate::metrics::way::{Wanted, WayFigures, arrival, measure_way};
pub use crate::motion::foot_track::FootTrack;
pub use crate::motion::scale_clock::{ScaleClock, ScaleMoment};
pub use crate::motion::scale_plan::ScaleChange;
pub use crate::motion::trajectory::Trajectories;
pub use crate::plan::follow::FollowPath;
pub use crate::plan::follow::NoPathWalk;
pub use crate::plan::follow::PathSearch;
pub use crate::plan::follow::PathWalk;
pub use crate::plan::follow::bound::ProveBound;
pub use crate::plan::follow::reference::BranchAndBound;
#[cfg(feature = "mesh")]
pub use crate::plan::footsteps::barrier::Barrier;
#[cfg(feature = "mesh")]
pub use crate::plan::footsteps::foothold::SoleSize;
#[cfg(feature = "mesh")]
pub use crate::plan::footsteps::map::FootstepMap;
#[cfg(feature = "mesh")]
pub use crate::plan::footsteps::pinned::MatchStrides;
#[cfg(feature = "mesh")]
pub use crate::plan::footsteps::pinned::NoMatch;
#[cfg(feature = "mesh")]
pub use crate::plan::footsteps::planner::PlanFootsteps;
#[cfg(feature = "mesh")]
pub use crate::plan::footsteps::planner::PlannedFootsteps;
#[cfg(feature = "navmesh")]
pub use crate::plan::navmesh::NavMesh;
pub use crate::plan::path::PathPlace;
pub use crate::plan::planner::PlannerAnswer;
pub use crate::plan::roadmap::{Prm, Roadmap};
pub use crate::plan::rrt::RrtConnect;
pub use crate::plan::steps::course::PlanCourse;
pub use crate::plan::steps::course::{Course, CourseMoment, FittedCourse};
pub use crate::plan::steps::foothold::FindFoothold;
pub use crate::plan::steps::gait::Cadence;
pub use crate::plan::steps::over::Over;
pub use crate::plan::steps::step_plan::PlanSteps;
pub use crate::plan::steps::step_plan::{Footfall, Roll, StepPlan};
pub use crate::plan::steps::stride::{Stride, StrideLeg};
pub use crate::plan::steps::swing::{Aside, SwingShape};
pub use crate::plan::timed::{TimedOutcome, TimedSearch};
pub use crate::plan::visibility::VisibilityGraph;
pub use crate::plan::walk::errand::{Errand, WalkPlan};
pub use crate::plan::walk::find::FindWalk;
pub use crate::plan::walk::find::NoWalk;
pub use crate::plan::walk::find::WalkCandidates;
pub use crate::plan::walk::reference::FollowSubgoals;
pub use crate::plan::walk::steer::Decided;
pub use crate::plan::walk::surroundings::FreeSpace;
pub use crate::plan::walk::tube::Tube;
pub use crate::plan::walk::turn_on_spot::TurnOnSpot;
pub use crate::rig::leg_skin::LegSkin;
pub use crate::rig::leg_skin::SkinPoint;
pub use crate::rig::skeleton::SkeletonKey;
pub use crate::rig::skeleton::Tip;
pub use crate::rig::skin::Bone;
pub use crate::systems::creature::hard_step::HardStep;
pub use crate::systems::creature::hard_step::Hardness;
pub use crate::systems::creature::motion::FastestJoint;
pub use crate::systems::follow::{FollowTimes, FollowTrace, JointSpeed, SpeedFit};
pub use crate::systems::footsteps::FootstepStages;
pub use crate::systems::footsteps::report::{FootArrival, FootstepsTimes};
pub use crate::systems::locomotor::layers::LayerState;
pub use crate::systems::locomotor::posed::GivenLeg;
pub use crate::systems::locomotor::posed::GivenPose;
pub use crate::systems::locomotor::posed::NextStep;
pub use crate::systems::locomotor::prepare::ChosenClips;
pub use crate::systems::locomotor::route::RouteState;
pub use crate::systems::locomotor::state::{ActionState, LegState};
pub use crate::systems::locomotor::targets::TargetState;
pub use crate::systems::navigate::NavigateReport;
pub use crate::systems::navigate::journey::JourneyTimes;
pub use crate::systems::navigate::replan::Resume;
pub use crate::systems::navigate::walk_graph::WalkFigures;
pub use crate::world::floor_map::{Blocker, PolygonFault};
pub use crate::world::ground_along::GroundAlong;
pub use crate::world::grown_map::RadiusError;
pub use crate::world::grown_map::{GrownPiece, Region};
pub use crate::world::labyrinth::Labyrinth;
pub use crate::world::mesh::Group;
#[cfg(feature = "navmesh")]
pub use crate::world::route::NoRoute;
#[cfg(feature = "navmesh")]
pub use crate::world::standing_room::StandingRoom;
#[cfg(feature = "mesh")]
pub use crate::world::surfaces::MeshPoint;
#[cfg(feature = "navmesh")]
pub use crate::world::walk_mesh::{Chart, ChartError, WalkMesh};
