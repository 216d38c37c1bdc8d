#!/usr/bin/env python3
"""Lets Blender check that `surefoot convert` keeps the motion of BVH files.

Each file is converted to BVH and to GLB. Blender reads the source and both
results with its own importers; for every frame and joint, world positions
(limit 0.1 mm) and world rotations (limit 0.01 degrees) are compared. A third
opinion is a small forward kinematics in numpy, below, that reads the source as
text. Surefoot's own account of the file (`inspect --json`: unit, axes, rows
left out, how positions are meant) is taken as given; nothing else is.

Characters (.glb, .gltf; FILE#CLIP chooses a clip) are converted and cleaned into
their own file and, a second time, to BVH. Blender reads the GLB result, numpy the
BVH result; world positions of every joint are compared (limit 1 mm).

One line per file and result: the largest errors, each with its joint@frame,
first against Blender's reading of the source, then against numpy's. The line
"(source)" compares these two readings with each other.

Install:  python3.11 -m venv VENV && VENV/bin/pip install bpy==5.0.1 numpy
Run:      VENV/bin/python scripts/blender_check.py SUREFOOT_BINARY FILE.bvh|FILE.glb#CLIP...

Exit code: 0 if all is within the limits, else 1.
"""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import bpy
import numpy as np

LIMIT_MM = 0.1
LIMIT_DEG = 0.01
CHARACTER_LIMIT_MM = 1.0
# What Blender's glTF importer does to axes, undone: its Z up to Y up.
Y_UP = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])


def read_bvh(path):
    """Joints (name, parent, offset, channels), rows, seconds per row, text before."""
    text = pathlib.Path(path).read_text(encoding="utf-8-sig", errors="replace")
    head, count, seconds, body = re.match(
        r"(.*?MOTION\s+Frames:\s*(\d+)\s+Frame\s+Time:\s*(\S+))(.*)", text, re.S | re.I
    ).groups()
    joints, open_blocks, joint = [], [], None
    for line in re.sub(r"([{}])", r"\n\1\n", head).splitlines():
        word, *rest = line.split() or [""]
        if word in ("ROOT", "JOINT"):
            parent = open_blocks[-1] if open_blocks else None
            joints.append(["_".join(rest), parent, np.zeros(3), []])
            joint = len(joints) - 1
        elif word == "End":
            joint = None  # an end site: its OFFSET belongs to no joint
        elif word == "{":
            open_blocks.append(joint)
        elif word == "}":
            open_blocks.pop()
        elif word == "OFFSET" and joint is not None:
            joints[joint][2] = np.array([float(x) for x in rest])
        elif word == "CHANNELS":
            joints[joint][3] = [channel.lower() for channel in rest[1:]]
    rows = np.array(body.split(), dtype=float)
    rows = rows.reshape(-1, sum(len(joint[3]) for joint in joints))
    if len(rows) != int(count) or len({joint[0] for joint in joints}) != len(joints):
        raise ValueError("rows do not match their count, or two joints have one name")
    return joints, rows, float(seconds), head


def turn(axis, degrees):
    """Rotation matrices about one axis, one per angle."""
    a, b = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    out = np.tile(np.eye(3), (len(degrees), 1, 1))
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    out[:, a, a], out[:, a, b], out[:, b, a], out[:, b, b] = cos, -sin, sin, cos
    return out


def kinematics(joints, rows, metres, add):
    """Motion of all joints: {name: (positions [n, 3], rotations [n, 3, 3])}."""
    motion, world, column = {}, [], 0
    for name, parent, offset, channels in joints:
        move = np.tile(offset, (len(rows), 1))
        rotation = np.tile(np.eye(3), (len(rows), 1, 1))
        for channel in channels:
            values, column = rows[:, column], column + 1
            if channel.endswith("rotation"):
                rotation = rotation @ turn(channel[0], values)
            else:
                axis = "xyz".index(channel[0])
                move[:, axis] = values + (offset[axis] if add else 0)
        if parent is not None:
            above, above_rotation = world[parent]
            move = above + np.einsum("nij,nj->ni", above_rotation, move)
            rotation = above_rotation @ rotation
        world.append((move, rotation))
        motion[name] = (move * metres, rotation)
    return motion


def write_replacing(path, joints, rows, head):
    """Writes the file again with every OFFSET added to the position channels,
    for readers that, like Blender, let these replace the OFFSET."""
    shift = [
        0 if channel.endswith("rotation") else offset["xyz".index(channel[0])]
        for _, _, offset, channels in joints
        for channel in channels
    ]
    lines = (" ".join(f"{x:.9f}" for x in row) for row in rows + shift)
    pathlib.Path(path).write_text("\n".join([head, *lines, ""]), encoding="utf-8")


def blender(path, frames, fps=None, metres=1.0):
    """Motion of all joints as Blender imports it, in the file's own axes."""
    with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        scene = bpy.context.scene
        if not path.endswith(".glb"):
            # Y forward and Z up are Blender's own: axes stay. A row is a frame.
            # Quaternions, as Euler angles of 32 bits are bad near 90 degrees.
            bpy.ops.import_anim.bvh(
                filepath=path, global_scale=metres, axis_forward="Y", axis_up="Z",
                rotate_mode="QUATERNION", frame_start=1, use_fps_scale=False,
                update_scene_fps=False, update_scene_duration=False, use_cyclic=False,
            )
            first, axes = 1, np.eye(3)
        else:
            # The importer puts keys at seconds * fps * fps_base. With this
            # heuristic, the axes of a bone are those of its node.
            scene.render.fps = round(fps)
            scene.render.fps_base = fps / round(fps)
            bpy.ops.import_scene.gltf(filepath=path, bone_heuristic="BLENDER")
            first, axes = 0, Y_UP
    (armature,) = [o for o in scene.objects if o.type == "ARMATURE"]
    # Keys must lie on whole frames (float32 seconds: up to 1e-3 of a frame).
    start, end = armature.animation_data.action.frame_range
    last = first + frames - 1
    if abs(start - first) > 1e-3 or (frames > 1 and abs(end - last) > 1e-3):
        raise ValueError(f"keys from {start} to {end}, not {first} to {last}")

    bones = armature.pose.bones
    # What a bone's matrix is where its joint is not rotated. In BVH, that is
    # the rest pose; in glTF, the rest pose may have rotations of its own.
    none = {b.name: axes.T for b in bones}
    if not path.endswith(".glb"):
        none = {b.name: np.array(b.bone.matrix_local)[:3, :3] for b in bones}
    poses = {b.name: np.empty((frames, 4, 4)) for b in bones}
    for frame in range(frames):
        scene.frame_set(first + frame)
        for bone in bones:
            poses[bone.name][frame] = armature.matrix_world @ bone.matrix
    motion = {}
    for name, pose in poses.items():
        rotations = pose[:, :3, :3] @ none[name].T
        motion[name] = (pose[:, :3, 3] @ axes.T, axes @ rotations @ axes.T)
    return motion


def blender_places(path, frames, fps):
    """Positions of all joints of a character's GLB file, in the file's own unit and axes."""
    with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        scene = bpy.context.scene
        scene.render.fps = round(fps)
        scene.render.fps_base = fps / round(fps)
        bpy.ops.import_scene.gltf(filepath=path, bone_heuristic="BLENDER")
    places = {}
    for frame in range(frames):
        scene.frame_set(frame)
        found = {thing.name: thing.matrix_world for thing in scene.objects}
        # Where a bone and a mesh have one name, the bone is meant.
        for armature in (thing for thing in scene.objects if thing.type == "ARMATURE"):
            found |= {bone.name: armature.matrix_world @ bone.matrix for bone in armature.pose.bones}
        for name, matrix in found.items():
            places.setdefault(name, np.empty((frames, 3)))[frame] = matrix.translation
    return {"_".join(name.split()): place @ Y_UP.T for name, place in places.items()}


def check_character(surefoot, path, folder):
    """Prints the lines of one character; whether all is within the limits."""
    path, _, clip = path.partition("#")
    choice = ["--clip", clip] if clip else []
    told = subprocess.run([surefoot, "inspect", path, "--json", *choice], capture_output=True, check=True)
    (info,) = json.loads(told.stdout)
    up, forward = axis(info["up"]["value"]), axis(info["forward"]["value"])
    axes = np.array([np.cross(up, forward), up, forward])
    good = True
    for command in ("convert", "clean"):
        made = {}
        for target in ("glb", "bvh"):
            made[target] = os.path.join(folder, f"{command}.{target}")
            out = [made[target]] if command == "convert" else ["-o", made[target]]
            # Nine digits after the point: what is compared is the motion, not the text.
            more = ["--decimals", "9"] if target == "bvh" else []
            subprocess.run([surefoot, command, path, *out, *choice, *more], capture_output=True, check=True)
        joints, rows, seconds, _ = read_bvh(made["bvh"])
        ours = kinematics(joints, rows, 1.0, False)
        places = blender_places(made["glb"], len(rows), 1 / seconds)
        missing = sorted(set(ours) - set(places))
        worst, moved = (-1.0, "", 0), 0.0
        for name, (positions, _) in ours.items():
            if name in places:
                error = places[name] @ axes.T * info["metres_per_unit"] - positions
                mm = np.nan_to_num(np.linalg.norm(error, axis=1) * 1000, nan=np.inf)
                worst = max(worst, (mm.max(), name, int(mm.argmax())))
                moved = max(moved, np.linalg.norm(positions - positions[0], axis=1).max())
        fine = worst[0] <= CHARACTER_LIMIT_MM and moved > 0 and len(missing) < len(ours) / 10
        good &= fine
        name = os.path.splitext(os.path.basename(path))[0]
        target = f"{command:<9}{'ok' if fine else 'FAILED'}"
        without = f"   not in Blender: {', '.join(missing)}" if missing else ""
        print(
            f"{name:<26}{target:<16}{len(rows):>6}{len(joints):>7}  "
            f"{'%.5f mm %s@%d' % worst:<45} joints move {moved:.3f} m{without}"
        )
    return good


def compare(expected, got):
    """Largest errors, each as (value, joint, frame): millimetres, degrees."""
    worst_mm = worst_deg = (-1.0, "", 0)
    for name, (positions, rotations) in expected.items():
        mm = np.linalg.norm(got[name][0] - positions, axis=1) * 1000
        mm = np.nan_to_num(mm, nan=np.inf)
        # From the chord, not from the trace: arccos is blind to small angles.
        chord = np.linalg.norm(got[name][1] - rotations, axis=(1, 2)) / np.sqrt(8)
        deg = np.degrees(2 * np.arcsin(np.fmin(chord, 1)))  # NaN: 180
        worst_mm = max(worst_mm, (mm.max(), name, int(mm.argmax())))
        worst_deg = max(worst_deg, (deg.max(), name, int(deg.argmax())))
    return worst_mm, worst_deg


def axis(text):
    """A vector from "+y" and the like."""
    return np.eye(3)["xyz".index(text[-1])] * (-1 if text[0] == "-" else 1)


def check(surefoot, path, folder):
    """Prints the lines of one file; whether all is within the limits."""
    told = subprocess.run([surefoot, "inspect", path, "--json"], capture_output=True, check=True)
    (info,) = json.loads(told.stdout)
    frames, metres = info["frames"], info["metres_per_unit"]
    add = info["positions"]["value"] == "add"
    dead = [w["text"] for w in info["warnings"] if w["code"] == "dead-rows"]
    skip = int(info["rest_row"]) + sum(int(re.search(r"\d+", text)[0]) for text in dead)
    up, forward = axis(info["up"]["value"]), axis(info["forward"]["value"])
    axes = np.array([np.cross(up, forward), up, forward])

    joints, rows, seconds, head = read_bvh(path)
    name = os.path.splitext(os.path.basename(path))[0]
    if len(rows) - skip != frames or abs(info["fps"] * seconds - 1) > 1e-3:
        raise ValueError(f"{len(rows)} rows of {seconds} s, less {skip}: not as inspected")
    source = path
    if add:
        source = os.path.join(folder, "replacing.bvh")
        write_replacing(source, joints, rows, head)

    def turned(motion):
        return {k: (p[skip:] @ axes.T, axes @ r[skip:] @ axes.T) for k, (p, r) in motion.items()}

    by_blender = turned(blender(source, len(rows), metres=metres))
    by_numpy = turned(kinematics(joints, rows, metres, add))
    good = report(name, "(source)", [None, compare(by_numpy, by_blender)], frames, joints)
    for target in ("bvh", "glb"):
        result = os.path.join(folder, "result." + target)
        subprocess.run([surefoot, "convert", path, result], capture_output=True, check=True)
        got = blender(result, frames, info["fps"])
        if set(got) != set(by_numpy):
            raise ValueError(f"{target}: other joints: {set(got) ^ set(by_numpy)}")
        if target == "bvh" and abs(read_bvh(result)[2] * info["fps"] - 1) > 1e-4:
            raise ValueError("the rows of the BVH result are not 1 / fps apart")
        errors = [compare(by_blender, got), compare(by_numpy, got)]
        good &= report(name, target, errors, frames, joints)
    return good


def report(name, target, errors, frames, joints):
    """Prints one line: errors against Blender's, then numpy's, source."""
    good, cells = True, ""
    for error in errors:
        texts = ["", ""]
        if error:
            (mm, *at), (deg, *where) = error
            good &= mm <= LIMIT_MM and deg <= LIMIT_DEG
            texts = ["%.5f mm %s@%d" % (mm, *at), "%.5f deg %s@%d" % (deg, *where)]
        cells += f"{texts[0]:<34}{texts[1]:<34}"
    target = f"{target:<9}{'ok' if good else 'FAILED'}"
    print(f"{name:<26}{target:<16}{frames:>6}{len(joints):>7}  {cells}".rstrip())
    return good


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    print(f"{'file':<26}{'result':<16}frames joints  {'against Blender':<68}against numpy")
    good = True
    for path in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                character = path.partition("#")[0].lower().endswith((".glb", ".gltf"))
                good &= (check_character if character else check)(sys.argv[1], path, folder)
            except Exception as error:
                print(f"{path}: FAILED: {error!r}")
                good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
