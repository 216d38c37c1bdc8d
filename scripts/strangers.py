#!/usr/bin/env python3
"""Walks of strangers over flat ground, from their idle poses and by their walk clips, as an outside judge sees them.

    scripts/strangers.py BINARY JUDGE FOLDER... [--only TEXT] [--keep DIR] [--json OUT.json] [--jobs N]

Every character of the folders that a rig is found for is walked straight ahead twice (`creature`, and `creature --walk` where a
clip has walk in its name), and the exported GLB is judged with the legs of its own rig file: `JUDGE motion OUT --ground flat --rig
R --limits`. Printed: what is over which limit, with the limit and, where there is a walk clip that the judge can read, the same
figure of the character's own clip in brackets; of walks by a clip also what is over a limit beside that clip as their source.
Then how many walks were made, refused, and are within all limits.
"""
import argparse, json, os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

READABLE = (".glb", ".gltf", ".vrm", ".fbx")
WALK = re.compile(r"walk", re.I)
BACK = re.compile(r"back|left|right|strafe|jump", re.I)  # walks that do not lead ahead


def run(words, patience=300):
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=patience)
    return done.returncode, done.stdout, done.stderr.strip()


def said(text):
    start = re.search(r"^[\[{]", text, re.M)
    try:
        found = json.loads(text[start.start():]) if start else None
    except ValueError:
        return None
    return found[0] if isinstance(found, list) and found else found


def last(text):
    return text.splitlines()[-1][:150] if text else ""


class Stranger:
    def __init__(self, args, file, folder):
        self.args, self.file = args, file
        self.name = os.path.splitext(os.path.basename(file))[0]
        self.place = os.path.join(folder, self.name)
        self.rig = self.place + ".rig.toml"

    def walks(self):
        code, text, _ = run([self.args.binary, "inspect", self.file, "--json", "--write-rig", self.rig, "--force"])
        seen = said(text) if code == 0 else None
        if not seen or "joint_count" not in seen or not os.path.exists(self.rig):
            return []
        clips = [clip["name"] for clip in seen.get("clips", []) if WALK.search(clip["name"]) and not BACK.search(clip["name"])]
        made = [self.walk(None, clips[0] if clips else None)]
        if made[0]["refused"] and re.search(r"no legs|legs were not|no leg", made[0]["refused"]):
            return []
        return made + ([self.walk(clips[0], clips[0])] if clips else [])

    def walk(self, clip, own):
        out = f"{self.place}.{'walk' if clip else 'idle'}.glb"
        row = dict(name=self.name, by="clip" if clip else "idle", refused="", over={}, unread="", told={})
        words = [self.args.binary, "creature", "--character", self.file, "-o", out, "--force", "--json"]
        code, text, errors = run(words + (["--walk", clip] if clip else []))
        if code:
            row["refused"] = last(errors) or str(code)
            return row
        row["told"] = {k: v for k, v in (said(text) or {}).items() if isinstance(v, (int, float))}
        judge = [sys.executable, self.args.judge, "motion", out, "--ground", "flat", "--rig", self.rig]
        code, text, errors = run(judge + ["--json"])
        judged = said(text)
        if judged is None:
            row["unread"] = last(errors)
            return row
        result = judged["results"][0]
        source = {}
        if own and self.file.endswith((".glb", ".gltf", ".vrm")):
            _, text, _ = run([sys.executable, self.args.judge, "motion", self.file, "--clip", own, "--rig", self.rig, "--json"])
            source = (said(text) or {"results": [{"figures": {}}]})["results"][0]["figures"]
            if clip:
                _, text, _ = run(judge + ["--source", self.file, "--source-clip", own, "--json"])
                beside = said(text)
                row["beside"] = beside["results"][0]["over"] if beside else None
        row["figures"] = result["figures"]
        row["own"] = source
        row["over"] = {key: dict(value=result["figures"][key], own=source.get(key), where=result["where"].get(key, "")) for key in result["over"]}
        return row


def number(value):
    return "–" if value is None else f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def show(row):
    if row["refused"] or row["unread"]:
        text = f"refused: {row['refused']}" if row["refused"] else f"the judge cannot read it: {row['unread']}"
    else:
        text = ", ".join(f"{key} {number(o['value'])} [{number(o['own'])}]" + (f" ({o['where']})" if o["where"] else "") for key, o in row["over"].items()) or "–"
        if row.get("beside"):
            text += f"; beside its clip: {', '.join(row['beside'])}"
    print(f"{row['name']:28} {row['by']:5} {text}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("judge", help="folder or file of the outside judge, run by Python")
    parser.add_argument("folders", nargs="+", help="folders of characters, or characters")
    parser.add_argument("--only", default="", help="only files with this in their name (a pattern)")
    parser.add_argument("--keep", help="keep the walks in this folder")
    parser.add_argument("--json", help="everything, for programs")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_intermixed_args()
    files = [f for folder in args.folders for f in ([os.path.join(folder, n) for n in sorted(os.listdir(folder))] if os.path.isdir(folder) else [folder])]
    files = [f for f in files if f.lower().endswith(READABLE) and re.search(args.only, os.path.basename(f))]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        if args.keep:
            os.makedirs(args.keep, exist_ok=True)
        with ThreadPoolExecutor(args.jobs) as pool:
            for walks in pool.map(lambda f: Stranger(args, f, args.keep or folder).walks(), files):
                for row in walks:
                    show(row)
                rows += walks
    for by in ("idle", "clip"):
        mine = [r for r in rows if r["by"] == by]
        made = [r for r in mine if not r["refused"]]
        judged = [r for r in made if not r["unread"]]
        beside = [r for r in judged if r.get("beside") is not None]
        text = f", {sum(not r['beside'] for r in beside)} of {len(beside)} beside their clips" if beside else ""
        print(f"{by}: {len(mine)} asked, {len(made)} made, {len(judged)} judged, {sum(not r['over'] for r in judged)} within all limits{text}")
    if args.json:
        json.dump(rows, open(args.json, "w"), indent=1)


if __name__ == "__main__":
    sys.exit(main())
