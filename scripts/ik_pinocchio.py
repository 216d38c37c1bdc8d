#!/usr/bin/env python3
"""The task of `cargo run --release -p surefoot-io --example ik_speed -- FOLDER` solved by pinocchio (PyPI: pin), for the ratio.

The same body, freedoms, poses, targets and limit (1 mm), and the same method: damped least squares in dual form (12 x 12),
step damping 1e-3, root slides ten times as stiff. Only calls into pinocchio's C++ (forward kinematics and Jacobians) and
numpy's solve are timed apart from the loop around them, which is Python's. Usage: scripts/ik_pinocchio.py FOLDER/task.json
"""
import json
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
import pinocchio as pin

LAMBDA = 1e-3
NEAR = 1e-3


def rigid(local):
    (x, y, z, w), t = local
    q = pin.Quaternion(w, x, y, z)
    q.normalize()
    return pin.SE3(q.matrix(), np.array(t))


def model_of(task, pose):
    """The body in a pose: every local transform, then its freedoms, slides first; one joint of one freedom each."""
    model = pin.Model()
    by_joint = {}
    for joint, hinge, axis, stiffness in task["freedoms"]:
        by_joint.setdefault(joint, []).append((hinge, np.array(axis), stiffness))
    last, rest, stiff = [], [], []
    for j, parent in enumerate(task["parents"]):
        above, placement = (0, pin.SE3.Identity()) if parent is None else (last[parent], rest[parent])
        local = rigid(pose[j])
        freedoms = by_joint.get(j, [])
        # Slides are along the parent's axes and come before the joint's own transform.
        for hinge, axis, stiffness in [f for f in freedoms if not f[0]]:
            above = model.addJoint(above, pin.JointModelPrismaticUnaligned(axis), placement, f"s{j}{len(stiff)}")
            placement = pin.SE3.Identity()
            stiff.append(stiffness)
        placement = placement * local
        for hinge, axis, stiffness in [f for f in freedoms if f[0]]:
            above = model.addJoint(above, pin.JointModelRevoluteUnaligned(axis), placement, f"h{j}{len(stiff)}")
            placement = pin.SE3.Identity()
            stiff.append(stiffness)
        last.append(above)
        rest.append(placement)
    frames = []
    for joint, _ in task["cases"][0]["targets"]:
        frame = pin.Frame(f"e{joint}", last[joint], rest[joint], pin.FrameType.OP_FRAME)
        frames.append(model.addFrame(frame))
    return model, frames, np.array(stiff)


def solve(model, data, frames, stiff, targets, q):
    """Steps taken, whether all are near, and seconds spent in C++ (kinematics, Jacobians, factorisation)."""
    inside = 0.0
    inverse = 1.0 / (LAMBDA * stiff)
    for step in range(31):
        start = time.perf_counter()
        pin.forwardKinematics(model, data, q)
        pin.updateFramePlacements(model, data)
        inside += time.perf_counter() - start
        r = np.concatenate([data.oMf[f].translation - t for f, t in zip(frames, targets)])
        if max(np.linalg.norm(r[3 * k : 3 * k + 3]) for k in range(len(frames))) <= NEAR:
            return step, True, inside, q
        start = time.perf_counter()
        pin.computeJointJacobians(model, data, q)
        jacobian = np.vstack(
            [pin.getFrameJacobian(model, data, f, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)[:3] for f in frames]
        )
        k = np.eye(len(r)) + (jacobian * inverse) @ jacobian.T
        delta = -inverse * (jacobian.T @ np.linalg.solve(k, r))
        inside += time.perf_counter() - start
        q = q + delta
    return step, False, inside, q


def main():
    with open(sys.argv[1]) as file:
        task = json.load(file)
    rows = {"cold": [], "warm": []}
    for case in task["cases"]:
        q = None
        for name, pose, targets in [("cold", "pose", "targets"), ("warm", "next", "next_targets")]:
            model, frames, stiff = model_of(task, case[pose])
            data = model.createData()
            wanted = [np.array(target) for _, target in case[targets]]
            begin = np.zeros(model.nq) if q is None else q
            best = None
            for _ in range(5):
                start = time.perf_counter()
                steps, near, inside, end = solve(model, data, frames, stiff, wanted, begin)
                row = (inside, time.perf_counter() - start, steps, near)
                best = min(best, row) if best else row
            q = end
            rows[name].append(best)
    # What kinematics alone take, without Python in between as far as it can be kept out: a floor for any loop around them.
    calls = [lambda: pin.forwardKinematics(model, data, q), lambda: pin.computeJointJacobians(model, data, q)]
    floor = []
    for call in calls:
        times = []
        for _ in range(200):
            start = time.perf_counter()
            for _ in range(20):
                call()
            times.append((time.perf_counter() - start) / 20)
        floor.append(1e6 * min(times))
    print(f"one forward kinematics {floor[0]:.2f} us, one set of joint Jacobians {floor[1]:.2f} us, at best")
    for name, found in rows.items():
        inside, whole, steps, near = (np.array(column) for column in zip(*found))
        print(
            f"pinocchio {pin.__version__} {name}: {near.sum()} of {len(near)} within 1 mm, {steps.mean():.2f} steps, "
            f"{1e6 * inside.mean():.1f} us in C++ and numpy, {1e6 * whole.mean():.1f} us with Python's loop"
        )


if __name__ == "__main__":
    main()
