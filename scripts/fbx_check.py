"""Compares surefoot's reading of an FBX file with Blender's own importer (io_scene_fbx, which shares no code with ufbx).

    cargo run --release -p surefoot-io --features fbx --example places -- FILE.fbx > places.json
    python scripts/fbx_check.py FILE.fbx places.json     (a Python that has bpy)

Every joint that both know is compared in the world in every frame of every clip. surefoot turns the body to face +Z and
chooses its unit; both are one turn about the vertical in quarters and one scale for the whole file, which are found
here and printed. Exit 1 if a joint is more than 1 mm apart.
"""

import json
import sys

import bpy
import numpy as np

path, places = sys.argv[1], json.load(open(sys.argv[2]))
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.preferences.addon_enable(module="io_scene_fbx")
bpy.ops.import_scene.fbx(filepath=path, ignore_leaf_bones=False)
scene = bpy.context.scene
fps = scene.render.fps / scene.render.fps_base
armatures = [o for o in scene.objects if o.type == "ARMATURE"]
if len(armatures) != 1:
    sys.exit(f"{len(armatures)} armatures")
armature = armatures[0]
bones = {bone.name: bone for bone in armature.pose.bones}
names = [n for n in places["joints"] if n in bones]
columns = [places["joints"].index(n) for n in names]
print(f"{len(names)} of {len(places['joints'])} joints are bones in Blender; it has {len(bones)}")


def blender(frame):
    scene.frame_set(int(np.floor(frame)), subframe=frame - np.floor(frame))
    world = armature.matrix_world
    p = np.array([world @ bones[n].head for n in names])
    return np.stack([p[:, 0], p[:, 2], -p[:, 1]], axis=1)  # Z up to Y up


worst = 0.0
for clip in places["clips"]:
    match = [a for a in bpy.data.actions if a.name.endswith(clip["name"].split("|")[-1])]
    if not match:
        print(f"{clip['name']}: Blender has no such action among {[a.name for a in bpy.data.actions]}")
        worst = np.inf
        continue
    armature.animation_data.action = match[0]
    if getattr(match[0], "slots", None):
        armature.animation_data.action_slot = match[0].slots[0]
    start = match[0].frame_range[0] + (fps / clip["rate"] if places["rest_row"] else 0)  # a T-pose taken out
    ours = np.array(clip["frames"])[:, columns]
    theirs = np.array([blender(start + i * fps / clip["rate"]) for i in range(len(ours))])
    best = None
    for quarter in range(4):
        c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarter]
        turned = np.stack([c * theirs[..., 0] + s * theirs[..., 2], theirs[..., 1], c * theirs[..., 2] - s * theirs[..., 0]], -1)
        scale = (turned * ours).sum() / (turned * turned).sum()
        apart = np.linalg.norm(turned * scale - ours, axis=-1)
        if best is None or apart.max() < best[0].max():
            best = (apart, quarter * 90, scale)
    apart, turn, scale = best
    frame, joint = np.unravel_index(apart.argmax(), apart.shape)
    print(
        f"{clip['name']}: {len(ours)} frames at {clip['rate']} Hz, turned {turn} degrees, scale {scale:.7f}: "
        f"greatest distance {apart.max() * 1e3:.4f} mm ({names[joint]}, frame {frame}), mean {apart.mean() * 1e3:.4f} mm"
    )
    worst = max(worst, apart.max())
sys.exit(0 if worst < 1e-3 else 1)
