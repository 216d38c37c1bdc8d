#!/usr/bin/env bash
# Exports every character and a capture in every way, and checks the files with Khronos' validator:
#   scripts/validate_exports.sh SUREFOOT_BINARY [MORE.glb…]
# Errors fail, the source's own too; warnings that a character's own file has are allowed. The validator is kept outside the clone.
set -euo pipefail
bin=$(realpath "$1")
shift
here=$(realpath "$(dirname "$0")")
more=()
for file in "$@"; do # FILE or FILE=SOURCE
  source=""
  [[ $file == *=* ]] && source="=$(realpath "${file#*=}")"
  more+=("$(realpath "${file%%=*}")$source")
done
cache="${XDG_CACHE_HOME:-$HOME/.cache}/surefoot-ci/npm"
mkdir -p "$cache"
test -d "$cache/node_modules/gltf-validator" \
  || npm install --silent --no-save --prefix "$cache" gltf-validator@2.0.0-dev.3.10
cp "$here/validate_glb.mjs" "$cache/"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

made=()
# A clip that walks where there is one, else the first.
export_one() { # SOURCE NAME COMMAND…
  local source=$1 name=$2
  shift 2
  "$bin" "$@" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
  made+=("$work/$name=$source")
}
for source in "$here"/../assets/characters/*.glb "$here"/../assets/characters/*/*.gltf; do
  stem=$(basename "${source%.*}")
  clip=()
  case $stem in
    kaykit_Knight) clip=(--clip walking_a) ;;
    RobotExpressive) clip=(--clip walking) ;;
    khronos_CesiumMan) ;;
    *) clip=(--clip walk) ;;
  esac
  for root in kept root hips none; do
    export_one "$source" "$stem-$root.glb" convert "$source" "$work/$stem-$root.glb" "${clip[@]}" --root-motion $root
  done
  export_one "$source" "$stem-all.glb" convert "$source" "$work/$stem-all.glb" "${clip[@]}" --keep-clips --fps 24
  export_one "" "$stem-bones.glb" convert "$source" "$work/$stem-bones.glb" "${clip[@]}" --bones
  export_one "$source" "$stem-clean.glb" clean "$source" -o "$work/$stem-clean.glb" "${clip[@]}"
done
capture="$here/../assets/cmu/16_15.bvh"
for root in kept root hips none; do
  export_one "" "capture-$root.glb" convert "$capture" "$work/capture-$root.glb" --root-motion $root
done
chick="$here/../assets/strangers/qf_Chick.fbx"
export_one "" chick.glb convert "$chick" "$work/chick.glb"
export_one "" capture-clean.glb clean "$capture" -o "$work/capture-clean.glb"
"$bin" graph build embedded --mirror -o "$work/walks.graph" >"$work/log"
export_one "" graph-walk.glb graph walk "$work/walks.graph" --seconds 10 -o "$work/graph-walk.glb"
node "$cache/validate_glb.mjs" "${made[@]}" "${more[@]}"
