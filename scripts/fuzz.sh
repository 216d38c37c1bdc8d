#!/usr/bin/env bash
# Runs every fuzz target for some seconds: scripts/fuzz.sh SECONDS [TARGET...]
# ufbx is C code: with clang there, it gets AddressSanitizer and coverage too; with gcc only the former.
# Needs nightly Rust and cargo-fuzz (`cargo install cargo-fuzz`). New inputs go to fuzz/grown, crashes to fuzz/artifacts.
set -euo pipefail
seconds=${1:?usage: scripts/fuzz.sh SECONDS [TARGET...]}
shift
cd "$(dirname "$0")/../fuzz"
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(bvh asf amc obj rig_toml field_toml gltf world_gltf fbx graph map scene map_toml clips_toml walk_json path)
if command -v "${CLANG:=clang}" >/dev/null; then
  export CC=$CLANG CFLAGS="-fsanitize=address,fuzzer-no-link,undefined -fsanitize-trap=undefined -g -O1"
else
  export CFLAGS="-fsanitize=address -g -O1"
fi
for target in "${targets[@]}"; do
  echo "== $target"
  mkdir -p "grown/$target"
  cargo +nightly fuzz run --fuzz-dir . "$target" "grown/$target" "corpus/$target" -- \
    -max_total_time="$seconds" -timeout=1 -rss_limit_mb=1024 -print_final_stats=1 -dict="dictionaries/$target.txt" -max_len="${MAX_LEN:-0}"
done
