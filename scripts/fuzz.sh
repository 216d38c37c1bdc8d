#!/usr/bin/env bash
# Runs every fuzz target for some seconds: scripts/fuzz.sh SECONDS [TARGET...]
# Needs nightly Rust and cargo-fuzz (`cargo install cargo-fuzz`). New inputs go to fuzz/grown, crashes to fuzz/artifacts.
set -euo pipefail
seconds=${1:?usage: scripts/fuzz.sh SECONDS [TARGET...]}
shift
cd "$(dirname "$0")/../fuzz"
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(bvh asf amc obj rig_toml)
for target in "${targets[@]}"; do
  echo "== $target"
  mkdir -p "grown/$target"
  cargo +nightly fuzz run --fuzz-dir . "$target" "grown/$target" "corpus/$target" -- \
    -max_total_time="$seconds" -timeout=1 -rss_limit_mb=1024 -print_final_stats=1 -dict="dictionaries/$target.txt"
done
