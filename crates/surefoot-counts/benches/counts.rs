//! Counts instructions: `cargo bench -p surefoot-counts --features counts`; `scripts/counts.sh` makes a table of it.
//!
//! Only `count` is counted, not what makes the work ready. `_x1000` at the end of a name says how often it is done.
#![expect(missing_docs, reason = "macros make modules and functions without")]

use gungraun::{library_benchmark, library_benchmark_group, main};
use surefoot_counts::{self as of, Work};

#[library_benchmark]
#[bench::sample_x1000(of::sample())]
#[bench::local_to_model_x1000(of::local_to_model())]
#[bench::bend_two_bones_x1000(of::bend_two_bones())]
#[bench::bend_three_bones_x1000(of::bend_three_bones())]
#[bench::solve_ik_x50(of::solve_ik())]
#[bench::find_stances(of::find_stances())]
#[bench::clean_up(of::clean_up())]
#[bench::build_graph(of::build_graph())]
#[bench::lay_out_moves(of::lay_out_moves())]
#[bench::lay_out_few_moves(of::lay_out_few_moves())]
#[bench::journey(of::journey())]
#[bench::steer_x100(of::steer())]
#[bench::plan_six_legs(of::plan_six_legs())]
#[bench::plan_fox(of::plan_fox())]
#[bench::creature_frame_x1000(of::creature_frame())]
#[bench::live_full_x1000(of::live_full())]
#[bench::live_cheap_x1000(of::live_cheap())]
#[bench::live_no_ik_x1000(of::live_no_ik())]
#[bench::live_targets_x1000(of::live_targets())]
fn count(mut work: Work) -> Work {
    work.run();
    work
}

library_benchmark_group!(name = works, benchmarks = count);
main!(library_benchmark_groups = works);
