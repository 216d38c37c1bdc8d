#!/usr/bin/env python3
"""Clips cleaned, and judged from outside beside what they were made from.

    scripts/cleaned.py BINARY --judge FOLDER [--clips REGEX] [--keep FOLDER] [--jobs N] [--json FILE] [--before FILE] FILE...

FILE is a capture (.bvh) or a character (.glb, .vrm), all clips of which are cleaned, or those whose name fits --clips. --judge is
the folder of the outside judge: its readers and figures are used, none of ours but the names of legs of characters
(`inspect --write-rig`). A line a clip, with what keeps it from meeting the four demands; then how many meet them:

  limits   no figure over its limit beside the source
  drift    p95 under 5 mm (feet of clips on the spot are not judged)
  pops     no joint pops that does not in the source within 0.06 s
  knee     no knee accelerates (99.9 %) by more than 1.5 times its source's

--json writes all figures, and --before reads such a file of another build: clips that meet the demands no more, or again, are told.
"""
import argparse, json, os, re, struct, subprocess, sys, tempfile, warnings
from concurrent.futures import ProcessPoolExecutor

KNEE, DRIFT = 1.5, 5.0


def clips_of(file, wanted):
    """Names of the clips of a character, by its own JSON; `None` of a capture, which has one."""
    if file.endswith(".bvh"):
        return [None]
    with open(file, "rb") as stream:
        head = stream.read(20)
        document = json.loads(stream.read(struct.unpack("<I", head[12:16])[0]))
    names = [(a.get("name") or str(i + 1)) for i, a in enumerate(document.get("animations", []))]
    return [name for name in names if re.search(wanted, name, re.I)]


def one(task):
    file, clip, options = task
    sys.path.insert(0, options["judge"])
    warnings.filterwarnings("ignore")
    from report import verdicts
    from subject import Subject, judge
    stem = os.path.splitext(os.path.basename(file))[0]
    name = stem + ("" if clip is None else "_" + re.sub(r"[^\w.-]", "_", clip.split("|")[-1]))
    found = dict(clip=name)
    drawn = clip is not None
    out, rig = os.path.join(options["keep"], name + (".glb" if drawn else ".bvh")), None
    words = [options["binary"], "clean", file, "-o", out, "--force", "--json"] + (["--clip", clip] if drawn else [])
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    if done.returncode:
        return found | dict(refused=(done.stderr.strip().splitlines() or [str(done.returncode)])[-1][:150])
    if drawn:
        rig = os.path.join(options["keep"], name + ".rig.toml")
        subprocess.run([options["binary"], "inspect", file, "--write-rig", rig, "--force"], capture_output=True, text=True)
        rig = rig if os.path.exists(rig) else None
    own = None if clip is None or clip.isdigit() else clip
    try:
        source = Subject(file, own, None, "y", rig, None)
        result = Subject(out, None, None, "y", rig, None, None, source)
        dt = max(result.clip.dt, source.clip.dt)
        was = judge(source, dt, as_source=True)
        now = judge(result, dt, was)
    except Exception as error:
        return found | dict(failed=repr(error)[:150])
    over = [key for key, (_, _, mark) in verdicts(now, was).items() if mark == "!"]
    names = [(leg.knee, source.clip.names[leg.knee]) for leg in source.legs]
    knees = {n: now["joints"][n][2] / max(was["joints"][n][2], 1e-9) for _, n in names if n in was["joints"] and n in now["joints"]}
    worst = max(knees, key=knees.get) if knees else None
    fresh = [p for p in now["pops"] if all(abs(p[2] - q[2]) > 0.06 or p[1] != q[1] for q in was["pops"])]
    figures, theirs = now["figures"], was["figures"]
    found |= dict(over=over, knee=knees.get(worst, 0.0), where_knee=worst, fresh=[f"{p[1]} {p[3]} at {p[2]:.2f} s" for p in fresh],
                  figures=figures, source=theirs, where=now["where"])
    drift = figures.get("drift p95", float("nan"))
    lacks = [f"{key} {figures[key]:.4g} ({theirs.get(key, float('nan')):.4g} in the source)" +
             (f" {now['where'][key]}" if key in now["where"] else "") for key in over]
    lacks += [f"drift {drift:.1f} mm"] if drift > DRIFT and "drift p95" not in over else []
    lacks += ["new pops: " + ", ".join(found["fresh"][:2])] if fresh else []
    lacks += [f"knee {found['knee']:.2f} ({worst})"] if found["knee"] > KNEE else []
    return found | dict(lacks=lacks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--judge", required=True)
    parser.add_argument("--clips", default="")
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json")
    parser.add_argument("--before")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        keep = options.keep or folder
        os.makedirs(keep, exist_ok=True)
        given = dict(binary=os.path.abspath(options.binary), judge=os.path.abspath(options.judge), keep=keep)
        tasks = [(file, clip, given) for file in options.files for clip in clips_of(file, options.clips)]
        with ProcessPoolExecutor(options.jobs) as pool:
            found = []
            for clip in pool.map(one, tasks):
                found.append(clip)
                said = clip.get("refused") or clip.get("failed")
                state = f"not judged: {said}" if said else "; ".join(clip["lacks"]) or "meets all"
                print(f"{clip['clip']:44} knee {clip.get('knee', float('nan')):5.2f}  {state}", flush=True)
    judged = [clip for clip in found if "lacks" in clip]
    meets = {clip["clip"] for clip in judged if not clip["lacks"]}
    print(f"\n{len(meets)} of {len(judged)} meet all four demands; over a limit {sum(bool(c['over']) for c in judged)}, "
          f"new pops {sum(bool(c['fresh']) for c in judged)}, knee over {KNEE} {sum(c['knee'] > KNEE for c in judged)}; "
          f"{len(found) - len(judged)} not judged")
    if options.before:
        with open(options.before) as stream:
            before = {clip["clip"]: not clip["lacks"] for clip in json.load(stream) if "lacks" in clip}
        print("meet them now:", ", ".join(sorted(c for c in meets if before.get(c) is False)) or "none")
        print("meet them no more:", ", ".join(sorted(c["clip"] for c in judged if c["lacks"] and before.get(c["clip"]))) or "none")
    if options.json:
        with open(options.json, "w") as stream:
            json.dump(found, stream, indent=1)


main()
