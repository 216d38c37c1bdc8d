#!/usr/bin/env bash
# Runs the determinism test with feature `libm` here and on other processors, and compares all fingerprints bit by bit:
# scripts/platforms.sh [TARGET...]
# Needs rustup and, for processors that this machine has not, qemu-user. FBX is left out: ufbx is C and takes sin and
# cos from the platform's own library.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(aarch64-unknown-linux-musl i686-unknown-linux-musl)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fingerprints() {
  cargo test "$@" -p surefoot-io --no-default-features --features libm,parallel --test determinism -- --nocapture \
    | grep '^fingerprint'
}

fingerprints >"$work/here"
cat "$work/here"
for target in "${targets[@]}"; do
  rustup target list --installed | grep -qx "$target" || rustup target add "$target"
  name=$(tr 'a-z-' 'A-Z_' <<<"$target")
  processor=${target%%-*}
  export "CARGO_TARGET_${name}_LINKER=rust-lld"
  [ "$processor" = i686 ] || export "CARGO_TARGET_${name}_RUNNER=qemu-$processor"
  fingerprints --target "$target" >"$work/$target"
  diff "$work/here" "$work/$target" || { echo "$target: other bits"; exit 1; }
  echo "$target: $(wc -l <"$work/$target") fingerprints, the same"
done
