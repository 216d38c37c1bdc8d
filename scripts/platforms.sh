#!/usr/bin/env bash
# Runs the tests of goldens and determinism with feature `libm` here and on other processors. They compare what every stage
# of every scenario gives with crates/surefoot-io/tests/goldens.txt, bit by bit, and name the first stage that differs:
# scripts/platforms.sh [TARGET...]
# Needs rustup and, for processors that this machine has not, qemu-user. FBX is left out: ufbx is C and takes sin and
# cos from the platform's own library.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(aarch64-unknown-linux-musl i686-unknown-linux-musl)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the digests of all stages; without them, what failed. rerecast 0.4 scatters places by a product that wraps round, which
# is taken for a mistake where words have 32 bits.
goldens() {
  cargo test --config 'profile.dev.package.rerecast.overflow-checks=false' "$@" -p surefoot-io --no-default-features --features libm,embedded,navmesh,parallel \
    --test goldens --test determinism -- --nocapture >"$work/log" || { grep -v '^golden' "$work/log"; exit 1; } >&2
  grep '^golden' "$work/log" | sort
}

goldens >"$work/here"
echo "here: $(wc -l <"$work/here") digests, as stored"
for target in "${targets[@]}"; do
  rustup target list --installed | grep -qx "$target" || rustup target add "$target"
  name=$(tr 'a-z-' 'A-Z_' <<<"$target")
  processor=${target%%-*}
  export "CARGO_TARGET_${name}_LINKER=rust-lld"
  [ "$processor" = i686 ] || export "CARGO_TARGET_${name}_RUNNER=qemu-$processor"
  goldens --target "$target" >"$work/$target"
  diff "$work/here" "$work/$target" || { echo "$target: other bits"; exit 1; }
  echo "$target: $(wc -l <"$work/$target") digests, the same"
done
