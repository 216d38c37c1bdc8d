#!/usr/bin/env bash
# Counts the instructions of the engine's work under valgrind and prints a table: scripts/counts.sh [FILTER]
# FILTER is a wildcard over names such as '*journey*'. Counts stay the same whatever else the machine does; they change with the
# compiler. Needs valgrind and `cargo install gungraun-runner --version 0.20.0`.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in valgrind gungraun-runner; do
  command -v "$tool" >/dev/null || { echo "scripts/counts.sh needs $tool"; exit 1; }
done
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Caches are not simulated: only instructions are told, and it is quicker.
CARGO_TERM_COLOR=never cargo bench --quiet --locked -p surefoot-counts --features counts -- \
  --nosummary=true --callgrind-args='--cache-sim=no' "$@" >"$log" 2>&1 || { cat "$log"; exit 1; }
awk '
  BEGIN { print "| work | times | instructions | each |"; print "|---|---:|---:|---:|" }
  /^counts::/ { sub(/:.*/, "", $2); times = 1; name = $2; if (match(name, /_x[0-9]+$/)) { times = substr(name, RSTART + 2); name = substr(name, 1, RSTART - 1) } }
  /Instructions:/ { split($2, count, "|"); printf "| %s | %d | %d | %d |\n", name, times, count[1], count[1] / times + 0.5 }
' "$log"
