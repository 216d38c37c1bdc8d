#!/usr/bin/env bash
# Builds the engine, readers and writers for WebAssembly, without `fbx` (C), `parallel` (threads) and `png`.
# rustup's targets need its servers; Debian's rustc-web can build the standard library itself and runs from any folder, so it is
# unpacked beside the build cache, outside the clone, and nothing is installed. Where it cannot be had, this is left out.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/surefoot-wasm
root=$cache/root
skip() {
  echo "WebAssembly left out: $*"
  exit 0
}

least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if [ ! -x "$root/usr/bin/cargo" ]; then
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || skip "it needs Debian's packages"
  # Names hold versions: those of the standard library and of the LLVM that it is for.
  library=$(apt-cache depends libstd-rust-web-dev 2>/dev/null | grep -o 'libstd-rust-web-[0-9][0-9.]*' | head -n1) || true
  [ -n "$library" ] || skip "there is no rustc-web among Debian's packages (apt-get update may help)"
  version=${library##*-}
  [ "$(printf '%s\n' "$least" "$version" | sort -V | head -n1)" = "$least" ] ||
    skip "rustc-web is $version, and $least is needed (apt-get update may help)"
  llvm=$(apt-cache depends "$library" | grep -o 'libllvm[0-9][0-9]*' | head -n1) || true
  packages=(rustc-web "$library" libstd-rust-web-dev rust-web-src cargo-web "$llvm" "lld-${llvm#libllvm}"
    libgit2-1.5 libmbedtls14 libmbedcrypto7 libmbedx509-1 libhttp-parser2.9 libssh2-1)
  rm -rf "$cache/packages" "$cache/unpacking"
  mkdir -p "$cache/packages" "$cache/unpacking"
  (cd "$cache/packages" && apt-get download -qq "${packages[@]}") || skip "not all packages can be had: ${packages[*]}"
  for package in "$cache"/packages/*.deb; do dpkg -x "$package" "$cache/unpacking"; done
  rm -rf "$cache/packages" "$root"
  mv "$cache/unpacking" "$root"
fi

llvm=$(find "$root/usr/lib" -maxdepth 1 -name 'llvm-*' | sort -V | tail -n1)
export LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu PATH=$llvm/bin:$PATH
export RUSTC=$root/usr/bin/rustc RUSTC_BOOTSTRAP=1
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld CARGO_PROFILE_RELEASE_PANIC=abort
export CARGO_TARGET_DIR=$cache/target
"$RUSTC" --version
"$root/usr/bin/cargo" build --release --locked --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort \
  -p surefoot -p surefoot-io --no-default-features --features surefoot/navmesh,surefoot-io/navmesh,surefoot-io/embedded
echo "WebAssembly: engine, readers and writers build"
