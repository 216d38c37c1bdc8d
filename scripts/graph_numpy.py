#!/usr/bin/env python3
"""All pairs of frames with optimal floor alignment, the numpy way: one matrix product per block of frame pairs, windows
summed along the diagonal. Reads what `cargo run --release -p surefoot-io --example graph_speed -- 20000 --points FILE`
wrote. Usage: OPENBLAS_NUM_THREADS=1 scripts/graph_numpy.py FILE [block rows]
"""
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

H = 2


def read(path):
    data = np.fromfile(path, dtype="<u4")
    clips = int(data[0])
    lengths = data[1 : 1 + clips].astype(int)
    joints = int(data[1 + clips])
    points = np.fromfile(path, dtype="<f4", offset=4 * (2 + clips)).reshape(-1, joints, 3)
    assert len(points) == lengths.sum(), "all frames are there"
    return lengths, points.astype(np.float64)


def features(points):
    """Per frame: centred floor points and heights, scaled by weight; per window: path of the centre, and E."""
    joints = points.shape[1]
    weight = 1.0 / joints / (2 * H + 1)
    floor = points[:, :, 2] + 1j * points[:, :, 0]
    centre = floor.mean(axis=1)
    u = np.sqrt(weight) * (floor - centre[:, None])
    v = np.sqrt(weight) * (points[:, :, 1] - points[:, :, 1].mean(axis=0))
    energy = (np.abs(u) ** 2).sum(axis=1) + (v**2).sum(axis=1)
    n = len(points) - 2 * H
    path = np.stack([centre[d : d + n] for d in range(2 * H + 1)], axis=1)
    path = (path - path.mean(axis=1, keepdims=True)) / np.sqrt(2 * H + 1)
    total = sum(energy[d : d + n] for d in range(2 * H + 1)) + (np.abs(path) ** 2).sum(axis=1)
    return u, v, path, total


def run(points, rows, half):
    """All windows against all, block by block; with `half` only those from the block on."""
    u, v, path, energy = features(points)
    f = np.float32
    a = np.concatenate([u.real, u.imag], axis=1).astype(f)
    b = np.concatenate([u.imag, -u.real], axis=1).astype(f)
    s = np.concatenate([path.real, path.imag], axis=1).astype(f)
    t = np.concatenate([path.imag, -path.real], axis=1).astype(f)
    v, energy = v.astype(f), energy.astype(f)
    at, st, vt = np.ascontiguousarray(a.T), np.ascontiguousarray(s.T), np.ascontiguousarray(v.T)
    n = len(energy)
    under = 0
    for i in range(0, n, rows):
        k = min(rows, n - i)
        j = i if half else 0
        m = n - j
        re, im, high = s[i : i + k] @ st[:, j:], t[i : i + k] @ st[:, j:], np.zeros((k, m), f)
        p = a[i : i + k + 2 * H] @ at[:, j:]
        q = b[i : i + k + 2 * H] @ at[:, j:]
        y = v[i : i + k + 2 * H] @ vt[:, j:]
        for d in range(2 * H + 1):
            re += p[d : d + k, d : d + m]
            im += q[d : d + k, d : d + m]
            high += y[d : d + k, d : d + m]
        np.multiply(re, re, out=re)
        np.multiply(im, im, out=im)
        re += im
        np.sqrt(re, out=re)
        re += high
        re *= -2
        re += energy[i : i + k, None]
        re += energy[None, j:]
        under += int((re < 0.0009).sum())
    return under


def main():
    _, points = read(sys.argv[1])
    tried = [int(sys.argv[2])] if len(sys.argv) > 2 else [32, 64, 128, 256, 512]
    print(f"{len(points)} frames, {points.shape[1]} points; numpy {np.__version__}, one core; clips joined end to end")
    a = np.random.rand(2000, 2000).astype(np.float32)
    a @ a
    start = time.process_time()
    for _ in range(4):
        a @ a
    print(f"sgemm: {4 * 2 * 2000**3 / (time.process_time() - start) / 1e9:.0f} GFLOP/s")
    for half in [False, True]:
        best = None
        for rows in tried:
            start = time.process_time()
            under = run(points, rows, half)
            seconds = time.process_time() - start
            if best is None or seconds < best[0]:
                best = (seconds, rows, under)
        what = "from the block on" if half else "all"
        print(f"pairs {what}: {best[0]:.2f} s in blocks of {best[1]} rows, {best[2]} within 3 cm (windows over joins included)")


main()
