#!/usr/bin/env python3
"""Live characters driven over every kind of ground, judged from outside beside the character's own walk.

    scripts/drives.py BINARY JUDGE CHARACTERS CORPUS [--only WORDS]... [--out FILE.json] [--keep FOLDER] [--at-once 2]
    scripts/drives.py --compare BEFORE.json AFTER.json

Arguments, characters and limits are those of scripts/creatures.py; `--only "Knight|fox stairs"` takes those that every word fits (over
"character way"). A way is a ground and a route, in lengths of the leg: straight on level ground, bends, a figure of eight, there and
back, slopes of 20 degrees up, down and across, stairs up and down and blocks (a fifth of the leg, in steps of 0.8 of it), bends over
blocks, and the undulating mesh. Characters without a walk go by one that is made of their idle pose, and are judged alone.

"asked" is what live characters must hold, and less than the judge's whole table: drift, pops and legs in the ground by the judge's limits,
life at least half of the walk's, no joint faster than 1.5 times (on terrain 2 times) the walk's fastest, and on the prints that the drive tells of:
planted feet slide by under 1 mm, standing and swinging feet are in the ground by under 1 cm (of bodies with a leg of 1 m or less; more with it).
"""
import argparse, concurrent.futures, json, os, sys, tempfile, time
import creatures
from creatures import CAST, HILLS, Body, judged_row, tell, way_over_hills
import re

BENDS = [(0, 0), (0, 4), (3, 5.5), (3, 9), (0, 9)]
EIGHT = [(0, 0), (2, 2), (2, 5), (-2, 7), (-2, 10), (0, 12), (2, 10), (2, 7), (-2, 5), (-2, 2), (0, 0)]
STRAIGHT, BACK, ACROSS = [(0, 0), (0, 14)], [(0, 0), (0, 7), (0, 0.5)], [(0, 2), (14, 2)]
WAYS = {
    "flat": ("flat", STRAIGHT), "bends": ("flat", BENDS), "eight": ("flat", EIGHT), "back": ("flat", BACK), "up20": ("slope:20", STRAIGHT),
    "down20": ("slope:-20", STRAIGHT), "across20": ("slope:20", ACROSS), "stairs-up": ("stairs:{rise},{tread}", STRAIGHT),
    "stairs-down": ("stairs:-{rise},{tread}", STRAIGHT), "rubble": ("rubble:{rise},{tread}", STRAIGHT),
    "rubble-bends": ("rubble:{rise},{tread}", BENDS), "mesh": (None, None),
}

# Figures of the drive by its own prints, as they are called here.
ON_PRINTS = {"drift": "slide", "penetration": "standing in ground", "grazing": "swinging in ground"}


def drive(body, way, settings):
    """One character driven and judged: its figures, the source's, and what is over."""
    name, (ground, route) = f"{body.name} {way}", WAYS[way]
    out = f"{body.made}-{way}.glb"
    words = ["--character", body.file, "--anyway", "--json", "--force", "-o", out] + ["--rig", body.rig] * (not body.file.startswith("legs:"))
    if ground:
        told = ground.format(rise=f"{0.2 * body.leg:.4f}", tread=f"{max(0.8 * body.leg, 1.1 * body.foot):.4f}")
        judged = told
        # Made grounds begin to rise at z = 1 m.
        ahead = 0.0 if ground == "flat" else 1.0
        places = [(x * body.leg, z * body.leg + (ahead if k else 0.0) * (route is not ACROSS) + (1.0 if route is ACROSS else 0.0)) for k, (x, z) in enumerate(route)]
    else:
        told, judged = HILLS, out[:-4] + ".obj"
        places = way_over_hills(1 + 5 * body.leg)
        words += ["--ground-out", judged]
    # As fast as the walk that it is judged beside.
    words += ["--speed", f"{body.speed:.4f}"] * bool(body.walk)
    words += ["--world", told, "--route", " ".join(f"{x:.3f},{z:.3f}" for x, z in places)]
    row = judged_row(name, body, out, judged, ["drive", *words], settings)
    row["own"] = [key for key in row["own"] if not key.startswith(("pelvis", "landings"))]
    row["asked"] = asked(row, ground == "flat", body.leg)
    return row


def asked(row, level, leg):
    """What a drive breaks of what is asked of live characters: words with the figure."""
    if "figures" not in row:
        return ["made"]
    mine, theirs, told = row["figures"], row["source"], row["told"]["on_prints"]
    broken = [f"{key} {mine[key]:.3g}" for key in ("drift p95", "pops", "leg in ground max") if key in row["judge"]]
    for key, limit, over in (("life", 0.5, lambda a, b: a < b), ("joint speed max", 1.5 if level else 2.0, lambda a, b: a > b)):
        if theirs.get(key) and mine.get(key) is not None and over(mine[key], limit * theirs[key]):
            broken.append(f"{key} {mine[key] / theirs[key]:.2f}")
    for key, limit in (("drift", 1e-3), ("penetration", 1e-2), ("grazing", 1e-2)):
        if told[key]["max"] >= limit * max(leg, 1.0):
            broken.append(f"{ON_PRINTS[key]} {1e3 * told[key]['max']:.3g}")
    return broken


def sums(rows):
    for title, place in (("way", 1), ("character", 0)):
        print(f"{title}: within the judge's limits, and within own ones too, of")
        for key in dict.fromkeys(row["name"].split()[place] for row in rows):
            these = [row for row in rows if row["name"].split()[place] == key]
            print(f"  {key:14} {sum(not r['judge'] for r in these):4} {sum(not r['judge'] and not r['own'] for r in these):4} {len(these):4}")
    print("limit: drives over it, over it alone (judge's limits; own ones with *)")
    for kind, star in (("judge", ""), ("own", "*")):
        count = {}
        for row in rows:
            for key in row[kind]:
                count.setdefault(key, []).append(len(row["judge"]) == (kind == "judge") and (kind == "judge" or len(row["own"]) == 1))
        for key, alone in sorted(count.items(), key=lambda pair: -len(pair[1])):
            print(f"  {key + star:28} {len(alone):4} {sum(alone):4}")
    counts = {}
    for row in rows:
        for words in row["asked"]:
            counts.setdefault(words.rsplit(" ", 1)[0], []).append(len(row["asked"]) == 1)
    print(f"asked: drives that break it, that break it alone; {sum(not r['asked'] for r in rows)} of {len(rows)} break nothing")
    for key, alone in sorted(counts.items(), key=lambda pair: -len(pair[1])):
        print(f"  {key:28} {len(alone):4} {sum(alone):4}")
    print(f"{sum(not r['judge'] for r in rows)} within the judge's limits, {sum(not r['judge'] and not r['own'] for r in rows)} within all, of {len(rows)}")


def compare(before, after):
    """How often each thing that is asked is broken in both files, over the drives that both have."""
    old, new = ({row["name"]: [words.rsplit(" ", 1)[0] for words in row["asked"]] for row in json.load(open(file))["walks"]} for file in (before, after))
    both = [name for name in old if name in new]
    for name in both:
        worse, better = set(new[name]) - set(old[name]), set(old[name]) - set(new[name])
        if worse or better:
            print(f"{name:30} " + ", ".join([f"asked: +{key}" for key in sorted(worse)] + [f"asked: gone {key}" for key in sorted(better)]))
    for key in sorted({key for made in (old, new) for name in both for key in made[name]}):
        print(f"  asked: {key:24} {sum(key in old[n] for n in both):4} -> {sum(key in new[n] for n in both):4}")
    print(f"nothing that is asked broken: {sum(not old[n] for n in both)} -> {sum(not new[n] for n in both)} of {len(both)}")


def main():
    if "--compare" in sys.argv:
        files = sys.argv[sys.argv.index("--compare") + 1:][:2]
        creatures.compare(*files)
        return compare(*files)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for word in ("binary", "judge", "characters", "corpus"):
        parser.add_argument(word)
    parser.add_argument("--only", action="append", default=[], help="only those that every word of this fits")
    parser.add_argument("--out", help="everything, for programs")
    parser.add_argument("--keep", help="keep what is made in this folder")
    parser.add_argument("--at-once", type=int, default=2)
    a = parser.parse_args()
    began = time.time()
    fits = lambda name: not a.only or any(all(re.search(rf"(^| )({word})( |$)", name) for word in only.split()) for only in a.only)
    with tempfile.TemporaryDirectory() as folder:
        folder = a.keep or folder
        os.makedirs(folder, exist_ok=True)
        todo = []
        for name, where, file in CAST:
            ways = [way for way in WAYS if fits(f"{name} {way}")]
            if ways:
                path = os.path.join({"characters": a.characters, "corpus": a.corpus}[where], file) if where else file
                body = Body(name, path, a.binary, folder)
                todo += [(body, way) for way in ways]
        rows = []
        with concurrent.futures.ThreadPoolExecutor(a.at_once) as pool:
            for row in pool.map(lambda words: drive(*words, a), todo):
                rows.append(row)
                print(tell(row) + f" || {'; '.join(row['asked']) or '-'}" + (f" refused: {row['refused']}" if "refused" in row else ""), flush=True)
    sums(rows)
    print(f"{time.time() - began:.0f} s")
    if a.out:
        json.dump(dict(walks=rows), open(a.out, "w"))


if __name__ == "__main__":
    main()
