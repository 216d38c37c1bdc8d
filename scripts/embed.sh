#!/usr/bin/env bash
# Makes the embedded clips from the CMU BVH files of the 2010 conversion, and their motion graph: scripts/embed.sh FOLDER_WITH_CMU_BVH
# 60 Hz, three decimals, the T-pose row kept; everything else as in the source. The graph alone, after changes to how graphs are built:
# cargo run --release -p surefoot-io --example embed_graph
set -euo pipefail
source=$1
here=$(cd "$(dirname "$0")/.." && pwd)
cargo build --release --quiet --manifest-path "$here/Cargo.toml"
for clip in 16_11 16_13 16_15 16_17 16_19 16_21 16_23 16_25 16_27 16_29 16_31 16_33 16_36 16_37 16_39 16_41 16_43 16_47 16_58 69_17 77_02 47_01 127_26 127_28; do
  "$here/target/release/surefoot" convert "$source/$clip.bvh" "$here/assets/cmu/$clip.bvh" \
    --fps 60 --out-unit cmu --decimals 3 --write-rest-row --force
done
cargo run --release --quiet --manifest-path "$here/Cargo.toml" -p surefoot-io --example embed_graph
