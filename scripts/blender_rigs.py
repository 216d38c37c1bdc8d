#!/usr/bin/env python3
"""Blender's own rigs (people, birds, cats, horses, wolves and a shark, of its add-on Rigify) as strangers' characters.

    python3 scripts/blender_rigs.py BINARY FOLDER

Makes each as it is drawn (`meta`), as it is generated with all controls (`rig`) and with bones that deform only (`def`), as GLB and
FBX, skinned by a tube for every bone; then tells how many legs `surefoot inspect` finds and whether `surefoot creature` walks by
them. Needs `pip install bpy`.
"""

import json
import math
import os
import subprocess
import sys

# Legs of each, and the operator that draws it.
RIGS = {
    "human": (2, "armature_human_metarig_add"),
    "basic_human": (2, "armature_basic_human_metarig_add"),
    "bird": (2, "armature_bird_metarig_add"),
    "cat": (4, "armature_cat_metarig_add"),
    "horse": (4, "armature_horse_metarig_add"),
    "wolf": (4, "armature_wolf_metarig_add"),
    "basic_quadruped": (4, "armature_basic_quadruped_metarig_add"),
    "shark": (0, "armature_shark_metarig_add"),
}
# Points round a tube, and its rings: share of the bone, share of its width.
ROUND = 8
RINGS = [(0.0, 0.5), (0.2, 1.0), (0.8, 1.0), (1.0, 0.5)]


def skin(bpy, armature):
    """A mesh with a tube round every bone that deforms, held by it alone."""
    points, faces, groups = [], [], []
    for bone in (bone for bone in armature.data.bones if bone.use_deform):
        along = bone.tail_local - bone.head_local
        if along.length < 1e-4:
            continue
        width = max(0.12 * along.length, 0.01)
        across = along.normalized().orthogonal().normalized()
        other = along.normalized().cross(across)
        first = len(points)
        for share, wide in RINGS:
            for k in range(ROUND):
                turn = 2 * math.pi * k / ROUND
                out = (across * math.cos(turn) + other * math.sin(turn)) * width * wide
                points.append(bone.head_local + along * share + out)
        for ring in range(len(RINGS) - 1):
            for k in range(ROUND):
                a, b = first + ring * ROUND + k, first + ring * ROUND + (k + 1) % ROUND
                faces.append((a, b, b + ROUND, a + ROUND))
        groups.append((bone.name, range(first, len(points))))
    mesh = bpy.data.meshes.new("body")
    mesh.from_pydata(points, [], faces)
    body = bpy.data.objects.new("body", mesh)
    bpy.context.collection.objects.link(body)
    for name, numbers in groups:
        body.vertex_groups.new(name=name).add(list(numbers), 1.0, "REPLACE")
    body.parent = armature
    body.modifiers.new("armature", "ARMATURE").object = armature
    return body


def make(folder):
    """All files, with the legs that they should have."""
    import bpy

    files = {}

    def export(name, objects, legs, **options):
        bpy.ops.object.select_all(action="DESELECT")
        for one in objects:
            one.select_set(True)
        path = os.path.join(folder, name)
        if name.endswith(".glb"):
            bpy.ops.export_scene.gltf(filepath=path, use_selection=True, export_format="GLB", **options)
        else:
            bpy.ops.export_scene.fbx(filepath=path, use_selection=True, **options)
        files[path] = legs

    for name, (legs, operator) in RIGS.items():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.preferences.addon_enable(module="rigify")
        getattr(bpy.ops.object, operator)()
        drawn = bpy.context.object
        body = skin(bpy, drawn)
        export(f"{name}_meta.glb", [drawn, body], legs)
        bpy.data.objects.remove(body)
        bpy.ops.object.select_all(action="DESELECT")
        drawn.select_set(True)
        bpy.context.view_layer.objects.active = drawn
        bpy.ops.pose.rigify_generate()
        rig = next(one for one in bpy.data.objects if one.type == "ARMATURE" and one is not drawn)
        both = [rig, skin(bpy, rig)]
        export(f"{name}_rig.glb", both, legs)
        export(f"{name}_def.glb", both, legs, export_def_bones=True)
        export(f"{name}_rig.fbx", both, legs)
        export(f"{name}_def.fbx", both, legs, use_armature_deform_only=True)
    return files


def main():
    binary, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    known = os.path.join(folder, "legs.json")
    if not os.path.exists(known):
        with open(known, "w") as out:
            json.dump(make(folder), out)
    with open(known) as of:
        files = json.load(of)
    right, walked = 0, 0
    for path, legs in files.items():
        told = subprocess.run([binary, "inspect", path], capture_output=True, text=True)
        line = next((line for line in told.stdout.splitlines() if line.startswith("  legs ")), "")
        found = 0 if "no legs" in line or not line else line.split(" % sure")[0].count(",")
        is_right = told.returncode == 0 and found == legs
        walk = subprocess.run(
            [binary, "creature", "--character", path, "-o", os.path.join(folder, "walk.glb"), "--force"],
            capture_output=True,
            text=True,
        )
        # What has no legs is refused.
        walks = walk.returncode == (0 if legs else 1)
        right += is_right
        walked += is_right and walks
        if not (is_right and walks):
            print(f"{os.path.basename(path)}: {found} legs of {legs}; {(told.stderr + walk.stderr).strip()[:200]}")
    print(f"{len(files)} files: {right} with the right number of legs, {walked} of them walk or are refused as they should")


if __name__ == "__main__":
    main()
