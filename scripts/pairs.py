#!/usr/bin/env python3
"""Motions on other bodies: makes every pair of a clip and a body, has an outside judge look at it, and counts what is kept.

    scripts/pairs.py BINARY --judge FOLDER --data FOLDER [--clips A,B] [--bodies A,B] [--keep FOLDER] [--json FILE]

--judge is the folder of the outside judge (its readers and figures are used, none of ours), --data has `bvh/cmu`, `characters`
and `corpus`. Per pair: `retarget --anyway`, `measure`, and the judge on the written file beside the motion as it came. Printed are
one line a pair, with what is over a limit, and then how many pairs keep each demand:

  drift, float, sink   `measure`: drift p95 under 1 mm, float and penetration p95 under 5 mm
  judged drift         the judge's p95 under 5 mm; pairs in which no foot lies flat and still have none
  pops, flips          no more pops than the motion has, no knee that turns over
  speed                fastest joint at most 1.2 times the motion's and 60 degrees a second
  facing               hips turned as in the motion, within 5 degrees in 95 of 100 frames
  timing               as long to a frame, and 90 of 100 parts of the time that feet stand still are so
  head                 height of the head over that of the body upright, as in the motion to 5 % in 95 of 100 frames
  wrist                distance from shoulder to wrist over the arm's length, likewise
"""
import argparse, json, os, subprocess, sys, tempfile, tomllib, warnings
from concurrent.futures import ProcessPoolExecutor

CAPTURED = ["16_15", "16_35", "16_17", "39_11", "16_01", "16_07", "83_29", "113_19", "69_57", "113_01", "69_17"]
DRAWN = [("RobotExpressive", "characters/RobotExpressive.glb", "Wave"), ("Knight", "characters/kaykit_Knight.glb", "Sit_Chair_Down"),
         ("Knight", "characters/kaykit_Knight.glb", "Sit_Floor_Down"), ("platformer", "corpus/q_plat_Character.glb", "Duck")]
BODIES = {"Knight": "characters/kaykit_Knight.glb", "Robot": "characters/RobotExpressive.glb", "CesiumMan": "characters/khronos_CesiumMan.glb",
          "zombie": "corpus/m2m_human-zombie.glb", "Godette": "corpus/vr_Godette.vrm", "platformer": "corpus/q_plat_Character.glb",
          "platformer-h": "corpus/q_plat_Character_HumanoidRig.glb", "Mech_Finn": "corpus/q_space_Mech_Finn.glb", "07_01": "bvh/cmu/07_01.bvh"}
LIMITS = {"drift": 1.0, "float": 5.0, "sink": 5.0, "judged drift": 5.0, "pops": 0.0, "flips": 0.0, "speed": 1.0, "facing": 5.0, "timing": 10.0,
          "head": 5.0, "wrist": 5.0}


def run(words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    start = min([done.stdout.find(c) for c in "[{" if c in done.stdout], default=-1)
    return done.returncode, json.loads(done.stdout[start:]) if start >= 0 else None, done.stderr.strip()


def joint(clip, name):
    """The joint of a name, which meshes may have, too."""
    named = [j for j, own in enumerate(clip.names) if own == name.split(":")[-1]]
    return next((j for j in named if clip.skin is not None and j in clip.skin.nodes), named[-1])


def upright(clip, file, head, legs):
    """How high a head is over ankles on straight legs, in lengths of legs, as the pose has it that a body was bound or captured in; None if
    that is not known. Joints are names."""
    import numpy as np
    import clip as clips
    import maths
    if clip.skin is not None:
        at = {clip.names[node]: np.linalg.inv(inverse)[:3, 3] for node, inverse in zip(clip.skin.nodes, clip.skin.inverse)}
    elif file.endswith(".bvh"):
        clip = clips.load(file)
        turn = np.zeros_like(clip.turn[:1])
        turn[..., 3 if np.allclose(maths.matrix_of(np.array([0.0, 0.0, 0.0, 1.0])), np.eye(3)) else 0] = 1.0
        at = dict(zip(clip.names, clips.Clip(file, clip.names, clip.parents, clip.dt, clip.move[:1], turn).at[0]))
    else:
        return None
    if head not in at or any(name not in at for leg in legs for name in leg):
        return None
    length = np.mean([sum(np.linalg.norm(at[b] - at[a]) for a, b in zip(leg, leg[1:])) for leg in legs])
    return float(1 + np.linalg.norm(at[head] - np.mean([at[leg[0]] for leg in legs], axis=0)) / length)


def limbs(clip, subject, map_of, file):
    """What is compared of a body, by frame: the head's height over that of the body upright, wrists from shoulders over arms' lengths."""
    import numpy as np
    at = lambda name: clip.at[:, joint(clip, name)]
    far = lambda a, b: np.median(np.linalg.norm(b - a, axis=1))
    head = map_of["neck"][-1] if map_of["neck"] else map_of["spine"][-1]
    legs = [[leg.hip, leg.knee, leg.ankle] for leg in subject.legs]
    length = np.mean([far(clip.at[:, hip], clip.at[:, knee]) + far(clip.at[:, knee], clip.at[:, ankle]) for hip, knee, ankle in legs])
    ankles = max(min(np.percentile(clip.at[:, leg[-1], 1], 5) for leg in legs) - subject.ground.level, 0.0)
    # A foot that hangs outside its leg has no shin bone to measure legs by.
    rigid = all(np.ptp(np.percentile(np.linalg.norm(clip.at[:, b] - clip.at[:, a], axis=1), [5, 95])) < 0.02 * length for _, a, b in legs)
    tall = rigid and upright(clip, file, clip.names[joint(clip, head)], [[clip.names[j] for j in leg] for leg in legs])
    heads = (at(head)[:, 1] - subject.ground.level) / (tall * length + ankles) if tall else None
    arm = lambda a: far(at(a["upper"]), at(a["fore"])) + far(at(a["fore"]), at(a["hand"][0]))
    wrists = [np.linalg.norm(at(a["hand"][0]) - at(a["upper"]), axis=1) / arm(a) for a in map_of.get("arm", [])
              if a.get("hand") and a.get("fore") and a.get("upper")]
    return heads, wrists


def pair(task):
    name, source, clip, body, target, options = task
    sys.path.insert(0, options["judge"])
    warnings.filterwarnings("ignore")
    import numpy as np
    from subject import Subject, judge
    folder = options["keep"]
    out, map_file = os.path.join(folder, f"{name}-{body}.glb"), os.path.join(folder, f"{name}-{body}.map.toml")
    words = [options["binary"], "retarget", source, "--to", target, "-o", out, "--force", "--anyway", "--json", "--write-map", map_file]
    code, said, errors = run(words + (["--clip", clip] if clip else []))
    if code:
        return dict(pair=f"{name} {body}", refused=errors.splitlines()[-1][:150] if errors else str(code))
    code, seen, errors = run([options["binary"], "measure", out, "--json"])
    seen = seen[0] if seen else None
    rig = os.path.join(folder, f"{body}.rig.toml")
    found = dict(pair=f"{name} {body}")
    if seen:
        found |= {"drift": seen["drift"]["p95_mm"], "float": seen["float"]["p95_mm"], "sink": seen["penetration"]["p95_mm"]}
    try:
        own = os.path.join(folder, f"{name}.rig.toml")
        before = Subject(source, clip, None, None, own if os.path.exists(own) else None, None)
        after = Subject(out, None, None, None, rig if os.path.exists(rig) else None, None)
        dt = max(before.clip.dt, after.clip.dt)
        was = judge(before, dt, as_source=True)
        now = judge(after, dt, was)
    except Exception as error:
        return found | dict(failed=repr(error)[:150])
    if after.size < 1e-3:
        return found | dict(failed="the judge finds no body in it")
    old, new = was["figures"], now["figures"]
    found |= {"judged drift": new.get("drift p95", float("nan")), "pops": max(new["pops"] - old["pops"], 0.0), "flips": new.get("knee flips", 0.0),
              "speed": new["joint speed max"] / (1.2 * old["joint speed max"] + 60), "where": now["where"].get("pops", ""),
              "fastest": now["where"].get("joint speed max", "")}
    with open(map_file, "rb") as file:
        maps = tomllib.load(file)
    a, b = before.clip.at_rate(dt), after.clip.at_rate(dt)
    frames = min(a.frames, b.frames)
    p95 = lambda x: float(np.percentile(np.abs(x), 95))
    (heads, arms), (new_heads, new_arms) = limbs(a, before, maps["motion"], source), limbs(b, after, maps["body"], target)
    if heads is not None and new_heads is not None:
        found["head"] = 100 * p95(new_heads[:frames] - heads[:frames])
        found["heads"] = [float(np.median(heads)), float(np.median(new_heads))]
    if arms and len(arms) == len(new_arms):
        found["wrist"] = 100 * max(p95(y[:frames] - x[:frames]) for x, y in zip(arms, new_arms))
    turned = np.angle(facing(b, after.legs)[:frames] / facing(a, before.legs)[:frames])
    found["facing"] = float(np.degrees(np.percentile(np.abs(np.angle(np.exp(1j * (turned - np.angle(np.exp(1j * turned).mean()))))), 95)))
    kept = 100 - new.get("stance kept", 100.0)
    found["timing"] = 100.0 if abs(before.clip.seconds - after.clip.seconds) > 1.5 * dt else kept
    return found


def facing(clip, legs):
    """Where hips face over the floor, as unit complex numbers by frame, up to a constant turn."""
    import numpy as np
    left, right = (next(leg for leg in legs if leg.side.startswith(side)) for side in 'lr')
    across = clip.at[:, left.hip] - clip.at[:, right.hip]
    ways = across[:, 0] + 1j * across[:, 2]
    return ways / np.maximum(np.abs(ways), 1e-9)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--judge", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--clips")
    parser.add_argument("--bodies")
    parser.add_argument("--keep")
    parser.add_argument("--json")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    at = lambda path: os.path.join(args.data, path)
    keep = args.keep or tempfile.mkdtemp()
    os.makedirs(keep, exist_ok=True)
    options = dict(binary=os.path.abspath(args.binary), judge=os.path.abspath(args.judge), keep=keep)
    chosen = lambda names, wanted: [n for n in names if not wanted or n in wanted.split(",")]
    clips = [(n, at(f"bvh/cmu/{n}.bvh"), None, None) for n in CAPTURED] + [(clip, at(file), clip, of) for of, file, clip in DRAWN]
    clips = [c for c in clips if c[0] in chosen([c[0] for c in clips], args.clips)]
    bodies = chosen(BODIES, args.bodies)
    for body in bodies:
        run([options["binary"], "inspect", at(BODIES[body]), "--write-rig", os.path.join(keep, f"{body}.rig.toml"), "--force"])
    for name, file, clip, _ in clips:
        if clip:
            run([options["binary"], "inspect", file, "--write-rig", os.path.join(keep, f"{name}.rig.toml"), "--force"])
    same = {"RobotExpressive": "Robot"}
    tasks = [(n, file, clip, body, at(BODIES[body]), options) for n, file, clip, of in clips for body in bodies if same.get(of, of) != body]
    results = []
    with ProcessPoolExecutor(args.jobs) as pool:
        for found in pool.map(pair, tasks):
            results.append(found)
            over = [f"{k} {found[k]:.2f}" for k, limit in LIMITS.items() if k in found and found[k] > limit]
            note = found.get("refused") or found.get("failed") or "; ".join(over) or "all kept"
            more = f"  [{found['where']}]" if "pops" in "".join(over) else ""
            print(f"{found['pair']:32} {note}{more}", flush=True)
    print(f"\n{len(results)} pairs, {sum('refused' in r for r in results)} refused, {sum('failed' in r for r in results)} not judged")
    for key, limit in LIMITS.items():
        known = [r for r in results if key in r and r[key] == r[key]]
        bad = [r for r in known if r[key] > limit]
        most = max(known, key=lambda r: r[key], default=None)
        tail = f", most {most[key]:.2f} ({most['pair']})" if bad else ""
        print(f"  {key:13} up to {limit:5.1f}: {len(known) - len(bad):3} of {len(known):3}{tail}")
    whole = [r for r in results if "refused" not in r and "failed" not in r and not any(r.get(k, 0) > l for k, l in LIMITS.items())]
    print(f"  all of these: {len(whole)} of {len(results)}")
    if args.json:
        with open(args.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
