#!/usr/bin/env python3
"""What a command prints of its result beside what `surefoot measure` says of the file that it wrote.

    scripts/round_trips.py BINARY [--only COMMAND] [--worst] [CHARACTER...]

Every embedded clip is cleaned (BVH and GLB); every character (those of assets/characters without any given) cleans its walks and
runs, walks from its idle pose and by its walk clip, and is driven; humanoids among them take up two captures and go through two
scenes. Scenes, drawn paths and footsteps follow. Every file is then cleaned again. Printed: drift of held points, 95 % and at
most, in millimetres, as told and as measured; how far cleaning it again moves the body. A line ends with `!` where the two
differ by more than the larger of 0.1 mm and a thousandth of a leg.
"""
import argparse, json, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CLIPS = os.path.join(ROOT, "assets", "cmu")
CHARACTERS = os.path.join(ROOT, "assets", "characters")
SCENES = os.path.join(ROOT, "scenarios")
GAITS = re.compile(r"walk|run|trot|gallop|sprint", re.I)


def run(binary, words, patience=300):
    done = subprocess.run([binary, *words], capture_output=True, text=True, timeout=patience)
    start = re.search(r"^[\[{]", done.stdout, re.M)
    said = json.loads(done.stdout[start.start():]) if start and "--json" in words else None
    return done.returncode, said, done.stderr.strip()


def told(command, said):
    """Drift p95 (if it is told) and max, mm, as the command prints them."""
    if command in ("clean", "retarget"):
        return said["after"]["drift"]["p95_mm"], said["after"]["drift"]["max_mm"]
    if command == "footsteps":
        return said["drift_p95_mm"], None
    if command == "drive":
        return 1e3 * said["figures"]["drift"]["p95"], 1e3 * said["figures"]["drift"]["max"]
    return said["drift_mm"].get("p95"), said["drift_mm"]["max"]


class Trips:
    def __init__(self, binary, folder, worst):
        self.binary, self.folder, self.worst = binary, folder, worst
        self.counts = {}

    def one(self, name, words, out, world=()):
        command = words[0]
        out = os.path.join(self.folder, out)
        code, said, errors = run(self.binary, [*words, "-o", out, "--force", "--json"])
        count = self.counts.setdefault(command, dict(made=0, refused=0, otherwise=0, again=0))
        if code:
            count["refused"] += 1
            return self.line(name, f"refused: {errors.splitlines()[-1][:110] if errors else code}")
        count["made"] += 1
        told_p95, told_max = told(command, said)
        code, seen, errors = run(self.binary, ["measure", out, "--json", *world])
        if code:
            count["otherwise"] += 1
            return self.line(name, f"cannot be measured: {errors[:110]} !")
        seen = seen[0]
        drift = seen["drift"]
        allowed = 0.1
        off = [abs(a - b) > allowed for a, b in [(told_p95, drift["p95_mm"]), (told_max, drift["max_mm"])] if a is not None]
        moved = float("nan")
        if not world:
            again = os.path.join(self.folder, "again" + os.path.splitext(out)[1])
            code, cleaned, errors = run(self.binary, ["clean", out, "-o", again, "--force", "--json"])
            moved = cleaned["pelvis_max_mm"] if code == 0 else float("inf")
        other, changed = any(off), moved > 1.0
        count["otherwise"] += other
        count["again"] += changed
        p95 = f"{told_p95:8.3f}" if told_p95 is not None else "       –"
        most = f"{told_max:8.3f}" if told_max is not None else "       –"
        text = f"told {p95} {most}   measured {drift['p95_mm']:8.3f} {drift['max_mm']:8.3f} at {drift['worst_s'] or 0:6.2f} s   again {moved:6.3f}"
        if not self.worst or other or changed:
            self.line(name, text + (" !" if other else "") + (" again!" if changed else ""))

    def line(self, name, text):
        print(f"{name:58} {text}", flush=True)


def clips(binary, file):
    _, said, _ = run(binary, ["inspect", file, "--json"])
    said = said[0] if isinstance(said, list) else said
    return [clip["name"] for clip in said.get("clips", [])] if said else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("characters", nargs="*")
    parser.add_argument("--only", help="one command")
    parser.add_argument("--worst", action="store_true", help="only lines that differ")
    args = parser.parse_intermixed_args()
    characters = args.characters or [os.path.join(CHARACTERS, name) for name in sorted(os.listdir(CHARACTERS)) if name.endswith(".glb")]
    wanted = lambda command: args.only in (None, command)
    with tempfile.TemporaryDirectory() as folder:
        trips = Trips(args.binary, folder, args.worst)
        captures = sorted(name for name in os.listdir(CLIPS) if name.endswith(".bvh"))
        if wanted("clean"):
            for name in captures:
                for ending in ("bvh", "glb"):
                    trips.one(f"clean {name} .{ending}", ["clean", os.path.join(CLIPS, name)], f"clean.{ending}")
        for file in characters:
            name = os.path.splitext(os.path.basename(file))[0]
            names = clips(args.binary, file)
            gaits = [clip for clip in names if GAITS.search(clip)]
            if wanted("clean"):
                for clip in gaits:
                    trips.one(f"clean {name} {clip}", ["clean", file, "--clip", clip], "clean.glb")
            if wanted("creature"):
                trips.one(f"creature {name}", ["creature", "--character", file], "creature.glb")
                walk = next((clip for clip in gaits if "walk" in clip.lower()), None)
                if walk:
                    trips.one(f"creature {name} --walk {walk}", ["creature", "--character", file, "--walk", walk], "creature.glb")
            if wanted("drive"):
                trips.one(f"drive {name}", ["drive", "--character", file], "drive.glb")
            if wanted("retarget"):
                for clip in ("16_15.bvh", "16_13.bvh"):
                    trips.one(f"retarget {clip} {name}", ["retarget", os.path.join(CLIPS, clip), "--to", file], "retarget.glb")
            if wanted("navigate"):
                for scene in ("1-empty", "6-rooms"):
                    world = os.path.join(SCENES, scene + ".scene.toml")
                    trips.one(f"navigate {scene} {name}", ["navigate", "--world", world, "--character", file], "navigate.glb")
        for scene in ("1-empty", "2-pillars", "3-gap", "4-slalom", "5-forest", "6-rooms", "7-spiral", "8-labyrinth") if wanted("navigate") else ():
            world = os.path.join(SCENES, scene + ".scene.toml")
            trips.one(f"navigate {scene}", ["navigate", "--world", world], "navigate.glb")
        for scale in ("0.5", "0.7", "1", "1.5", "2", "0:1 5:0.5 9:1.6") if wanted("follow") else ():
            path = os.path.join(SCENES, "bends.path")
            trips.one(f"follow bends --scale {scale}", ["follow", "--path", path, "--scale", scale], "follow.glb")
        for scene in ("jumps", "turns", "stairs", "stepping-stones", "course-500") if wanted("footsteps") else ():
            world = os.path.join(SCENES, scene + ".scene.toml")
            trips.one(f"footsteps {scene}", ["footsteps", "--world", world], "footsteps.glb", ("--world", world))
        for command, count in trips.counts.items():
            print(f"{command}: {count['made']} made, {count['refused']} refused, {count['otherwise']} measured otherwise, {count['again']} changed again")


if __name__ == "__main__":
    sys.exit(main())
