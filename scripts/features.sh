#!/usr/bin/env bash
# Checks every crate of the workspace alone, without features and with each single one.
# Together they hide what is missing: a feature that one crate asks for, another has too. Needs python3.
set -euo pipefail
cd "$(dirname "$0")/.."

# One line for each check: the crate, and the feature if any. Those by default are what everything else is built with.
checks() {
  cargo metadata --format-version 1 --no-deps --locked | python3 -c '
import json, sys
for package in sorted(json.load(sys.stdin)["packages"], key=lambda package: package["name"]):
    print(package["name"])
    for feature in sorted(set(package["features"]) - {"default"}):
        print(package["name"], feature)'
}

failed=()
while read -r crate feature; do
  what="$crate${feature:+ with $feature}"
  echo "-- $what"
  cargo check --quiet --locked -p "$crate" --no-default-features ${feature:+--features "$feature"} || failed+=("$what")
done < <(checks)
if [ ${#failed[@]} -gt 0 ]; then
  printf 'does not compile: %s\n' "${failed[@]}"
  exit 1
fi
