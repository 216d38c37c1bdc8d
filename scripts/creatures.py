#!/usr/bin/env python3
"""Walks of every kind of character over every kind of ground, judged from outside beside the character's own walk.

    scripts/creatures.py BINARY JUDGE CHARACTERS CORPUS [--only WORDS]... [--out FILE.json] [--keep FOLDER] [--at-once 2]
    scripts/creatures.py --compare BEFORE.json AFTER.json

BINARY is `surefoot`, JUDGE the folder of a judge (`python3 JUDGE motion FILE --json` with figures and what is over its limits),
CHARACTERS and CORPUS are folders of glTF files. A walk is a character × ground × from (idle pose or clip) × speed (the clip's own,
or half of it); `--only "Knight|fox stairs clip"` takes those that every word fits (a regular expression each, over
"character ground from speed"), and may be given several times. Grounds are as rough as a leg asks: rises and blocks of a fifth of
it, treads of 2.5 rises or 1.1 feet. Ways over the mesh are straight, of 1 m and five legs, and the most undulating of those that
are nowhere steeper than 25 degrees. Printed: per walk what is over its limit, with its figure and the limit's; sums by limit,
ground and character. "judge" are the judge's own limits; "own" are life 0.5 to 1.5 of the clip's, feet and legs in the ground in
at most 2 % of frames, legs apart at least half of the clip's, no pops, landings together at most 10 % (or the clip's), pelvis
height within 5 % of the clip's. Characters without a walk are judged alone, at their usual speed and half of it.
"""
import argparse, concurrent.futures, json, math, os, random, re, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HILLS = os.path.join(ROOT, "assets", "worlds", "recast_undulating.obj")
# Name in the table, where it is, its file (or what makes it).
CAST = [
    ("Robot", "characters", "RobotExpressive.glb"), ("Knight", "characters", "kaykit_Knight.glb"),
    ("Cesium", "characters", "khronos_CesiumMan.glb"), ("KFox", "characters", "khronos_Fox.glb"),
    ("bird", "characters", "m2m_bird.glb"), ("fox", "characters", "m2m_fox.glb"), ("horse", "characters", "m2m_horse.glb"),
    ("kaiju", "characters", "m2m_kaiju.glb"), ("spider", "characters", "m2m_spider.glb"), ("Rat", "characters", "quaternius_Rat.glb"),
    ("legs6", None, "legs:6"), ("QFox", "corpus", "q_animals_Fox.glb"), ("Trex", "corpus", "q_dino_Trex.glb"),
    ("Octo", "corpus", "xyz_013_Octogecko.glb"), ("Crab", "corpus", "xyz_030_Crabylon.glb"),
]
GROUNDS = ("flat", "slope15", "slope30", "stairs", "rubble", "mesh")


def run(words, patience=300):
    done = subprocess.run(words, capture_output=True, text=True, timeout=patience)
    start = re.search(r"^[\[{]", done.stdout, re.M)
    return done.returncode, json.loads(done.stdout[start.start():]) if start else None, done.stderr.strip()


class Body:
    """A character with what its walks need: rig file, walk clip, speed, leg and foot in metres."""

    def __init__(self, name, file, binary, folder):
        self.name, self.file, self.made = name, file, os.path.join(folder, name)
        seen = file
        if file.startswith("legs:"):
            seen = self.made + "-stand.glb"
            run([binary, "creature", "--character", file, "-o", seen, "--force"])
        self.rig = self.made + ".toml"
        code, said, errors = run([binary, "inspect", seen, "--json", "--write-rig", self.rig, "--force"])
        if code:
            sys.exit(f"{file}: {errors}")
        said = said[0]
        self.leg, self.unit = said["leg_m"], said["metres_per_unit"]
        clips = [] if file.startswith("legs:") else [clip["name"] or "" for clip in said.get("clips") or []]
        last = lambda name: name.split("|")[-1].lower()
        walks = [n for n in clips if re.search(r"(^|_)walk$", last(n))] + [n for n in clips if "walk" in last(n)]
        whole = said["seconds"] > 0.3 and len(clips) <= 1 and not file.startswith("legs:")
        self.walk = walks[0] if walks else "1" if whole else None
        self.source_clip = walks[0] if walks else None
        choose = ["--clip", self.walk] if self.walk and walks else []
        _, study, _ = run([binary, "analyse", seen, "--json", *choose])
        self.foot = max((leg["foot_m"] for leg in study[0]["legs"]), default=0.0) if study and "legs" in study[0] else 0.0
        if self.walk:
            self.speed = study[0]["implied_speed"] or study[0]["hip_speed_median"]
        else:
            _, told, _ = run([binary, "creature", "--character", file, "--path", f"0,0 0,{12 * self.leg:.4f}", "--json"])
            self.speed = told["speed"]

    def world(self, ground):
        """What is told the program, what is told the judge, and the path."""
        rise = 0.2 * self.leg
        made = {
            "flat": "flat", "slope15": "slope:15", "slope30": "slope:30",
            "stairs": f"stairs:{rise:.4f},{max(2.5 * rise, 1.1 * self.foot):.4f}", "rubble": f"rubble:{rise:.4f},{0.5 * self.leg:.4f}",
        }.get(ground)
        if made:
            return made, made, f"0,0 0,{1 + 6 * self.leg:.4f}"
        (x, z), (u, v) = way_over_hills(1 + 5 * self.leg)
        return HILLS, None, f"{x:.3f},{z:.3f} {u:.3f},{v:.3f}"


_ways = {}


def way_over_hills(length):
    """The straight way of this length that rises and falls most, of 4000 seeded ones that are nowhere steeper than 25 degrees
    (where none is, the least steep of them)."""
    if length in _ways:
        return _ways[length]
    lattice = {(float(x), float(z)): float(y) for _, x, y, z in (line.split()[:4] for line in open(HILLS) if line.startswith("v "))}
    step = 2.0
    def height(x, z):
        i, j = math.floor(x / step) * step, math.floor(z / step) * step
        s, t = (x - i) / step, (z - j) / step
        a, b, c, d = (lattice[i + k * step, j + m * step] for k, m in ((0, 0), (1, 0), (0, 1), (1, 1)))
        return (1 - s) * (1 - t) * a + s * (1 - t) * b + (1 - s) * t * c + s * t * d
    def steep(x, z, e=0.25):
        return math.degrees(math.atan(math.hypot(height(x + e, z) - height(x - e, z), height(x, z + e) - height(x, z - e)) / (2 * e)))
    chance, best = random.Random(20), None
    for _ in range(4000):
        x, z, turn = chance.uniform(5003, 5093), chance.uniform(5003, 5093), chance.uniform(0, 2 * math.pi)
        u, v = x + length * math.sin(turn), z + length * math.cos(turn)
        if not (5003 < u < 5093 and 5003 < v < 5093):
            continue
        count = 2 + int(length / 0.25)
        line = [(x + (u - x) * k / count, z + (v - z) * k / count) for k in range(count + 1)]
        steepest, rises = max(steep(*p) for p in line), [height(*p) for p in line]
        rank = (steepest <= 25, sum(abs(b - a) for a, b in zip(rises, rises[1:])) if steepest <= 25 else -steepest)
        if best is None or rank > best[0]:
            best = rank, ((x, z), (u, v))
    _ways[length] = best[1]
    return best[1]


def walk(body, ground, way, pace, settings):
    """One walk made and judged: its figures, the source's, and what is over."""
    name = f"{body.name} {ground} {way} {pace}"
    out = f"{body.made}-{ground}-{way}-{pace}.glb"
    told, judged, path = body.world(ground)
    speed = body.speed * (0.5 if pace == "half" else 1.0)
    words = ["--character", body.file, "--world", told, "--path", path, "--speed", f"{speed:.4f}", "--anyway", "--json", "--force", "-o", out]
    words += ["--rig", body.rig] * (not body.file.startswith("legs:")) + (["--walk", body.walk] if way == "clip" else [])
    if judged is None:
        judged = out[:-4] + ".obj"
        words += ["--ground-out", judged]
    return judged_row(name, body, out, judged, ["creature", *words], settings)


def judged_row(name, body, out, ground, words, settings):
    """One motion made by the command's words and judged on a ground beside the body's own walk: its figures, the source's, and what is over."""
    code, said, errors = run([settings.binary, *words])
    if not os.path.exists(out):
        return dict(name=name, refused=errors[-200:] or str(code), judge=["refused"], own=[])
    words = ["--rig", body.rig, "--ground", ground]
    if abs(body.unit - 1) > 1e-6:
        words += ["--scale", str(body.unit), "--source-scale", str(body.unit)]
    if body.walk:
        words += ["--source", body.file] + (["--source-clip", body.source_clip] if body.source_clip else [])
    code, seen, errors = run([sys.executable, settings.judge, "motion", out, "--json", *words])
    if not settings.keep:
        for file in {out, ground} if os.path.exists(ground) else {out}:
            os.remove(file)
    if not seen:
        return dict(name=name, refused=errors[-200:], judge=["not judged"], own=[])
    mine = seen["results"][0]
    theirs = seen["source"]["figures"] if seen["source"] else {}
    row = dict(name=name, judge=mine["over"], figures=mine["figures"], where=mine["where"], source=theirs, told=said)
    row["own"] = own_limits(mine["figures"], theirs)
    return row


def own_limits(mine, theirs):
    over = []
    share = lambda key: mine[key] / theirs[key] if mine.get(key) is not None and theirs.get(key) else None
    if (life := share("life")) is not None and not 0.5 <= life <= 1.5:
        over.append("life 0.5 to 1.5")
    over += [f"{key} 2 %" for key in ("foot in ground share", "leg in ground share") if (mine.get(key) or 0) > 2]
    if (apart := share("legs apart")) is not None and apart < 0.5:
        over.append("legs apart by half")
    if mine.get("pops"):
        over.append("any pops")
    if (mine.get("landings together") or 0) > max(10, theirs.get("landings together") or 0):
        over.append("landings 10 %")
    if (height := share("pelvis height")) is not None and abs(height - 1) > 0.05:
        over.append("pelvis within 5 %")
    return over


def tell(row):
    def one(key):
        real = key.replace(" 0.5 to 1.5", "").replace(" 2 %", "").replace(" by half", "").replace("any pops", "pops")
        real = real.replace("landings 10 %", "landings together").replace("pelvis within 5 %", "pelvis height")
        mine, theirs = row.get("figures", {}).get(real), row.get("source", {}).get(real)
        near = "" if theirs is None else f"/{theirs:.4g}"
        place = row.get("where", {}).get(real) or ""
        return key + (f" {mine:.4g}{near}" if mine is not None else "") + (f" ({place})" if place else "")
    return f"{row['name']:30} " + ("; ".join(map(one, row["judge"])) or "-") + (" | " + "; ".join(map(one, row["own"])) if row["own"] else "")


def sums(rows):
    made = [row for row in rows if row]
    for title, place in (("ground", 1), ("character", 0), ("from", 2), ("speed", 3)):
        keys = list(dict.fromkeys(row["name"].split()[place] for row in made))
        print(f"{title}: within the judge's limits, and within own ones too, of")
        for key in keys:
            these = [row for row in made if row["name"].split()[place] == key]
            print(f"  {key:10} {sum(not r['judge'] for r in these):4} {sum(not r['judge'] and not r['own'] for r in these):4} {len(these):4}")
    print("limit: walks over it, over it alone (judge's limits; own ones with *)")
    for kind, star in (("judge", ""), ("own", "*")):
        count = {}
        for row in made:
            for key in row[kind]:
                count.setdefault(key, []).append(len(row["judge"]) == (1 if kind == "judge" else 0) and (kind == "judge" or len(row["own"]) == 1))
        for key, alone in sorted(count.items(), key=lambda x: -len(x[1])):
            print(f"  {key + star:28} {len(alone):4} {sum(alone):4}")
    for label, these in (("without the mesh", [r for r in made if " mesh " not in r["name"]]), ("mesh", [r for r in made if " mesh " in r["name"]])):
        print(f"{label}: {sum(not r['judge'] for r in these)} within the judge's limits, {sum(not r['judge'] and not r['own'] for r in these)} within all, of {len(these)}")


def compare(before, after):
    """Walks of both files whose verdict changed, and the sums of both over the walks that both have."""
    old, new = ({r["name"]: r for r in json.load(open(f))["walks"]} for f in (before, after))
    both = [n for n in old if n in new]
    for n in both:
        lost, won = ([k for k in a[n]["judge"] + a[n]["own"] if k not in b[n]["judge"] + b[n]["own"]] for a, b in ((new, old), (old, new)))
        if lost or won:
            sign = "+" if not new[n]["judge"] and old[n]["judge"] else "-" if new[n]["judge"] and not old[n]["judge"] else " "
            print(f"{sign} {n:30} " + ", ".join(f"+{k}" for k in lost) + ("  " if lost else "") + ", ".join(f"gone: {k}" for k in won))
    for label, kinds in (("the judge's limits", ("judge",)), ("all", ("judge", "own"))):
        print(f"within {label}: {sum(not any(old[n][k] for k in kinds) for n in both)} -> {sum(not any(new[n][k] for k in kinds) for n in both)} of {len(both)}")
    keys = {(k, kind) for a in (old, new) for n in both for kind in ("judge", "own") for k in a[n][kind]}
    for key, kind in sorted(keys, key=lambda x: -sum(x[0] in old[n][x[1]] for n in both)):
        print(f"  {key + ('*' if kind == 'own' else ''):28} {sum(key in old[n][kind] for n in both):4} -> {sum(key in new[n][kind] for n in both):4}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("files", nargs="+", metavar="BINARY JUDGE CHARACTERS CORPUS")
    p.add_argument("--compare", action="store_true")
    p.add_argument("--only", action="append", default=[])
    p.add_argument("--out")
    p.add_argument("--keep", help="a folder in which the walks stay")
    p.add_argument("--at-once", type=int, default=2, choices=(1, 2))
    a = p.parse_args()
    if a.compare:
        return compare(*a.files)
    if len(a.files) != 4:
        p.error("BINARY JUDGE CHARACTERS CORPUS are asked for")
    a.binary, a.judge, characters, corpus = a.files
    began = time.time()
    fits = lambda name: not a.only or any(all(re.search(rf"^({w})$|^({w}) | ({w})$| ({w}) ", name) for w in only.split()) for only in a.only)
    with tempfile.TemporaryDirectory() as folder:
        folder = a.keep or folder
        os.makedirs(folder, exist_ok=True)
        todo = []
        for name, where, file in CAST:
            file = os.path.join({"characters": characters, "corpus": corpus}[where], file) if where else file
            names = [(g, w, s) for g in GROUNDS for w in ("idle", "clip") for s in ("own", "half") if fits(f"{name} {g} {w} {s}")]
            if not names:
                continue
            body = Body(name, file, a.binary, folder)
            print(f"{name}: leg {body.leg:.3f} m, foot {body.foot:.3f} m, walk {body.walk}, {body.speed:.3f} m/s", flush=True)
            todo += [(body, *n) for n in names if n[1] == "idle" or body.walk]
        rows = []
        with concurrent.futures.ThreadPoolExecutor(a.at_once) as pool:
            for row in pool.map(lambda words: walk(*words, a), todo):
                rows.append(row)
                print(tell(row), flush=True)
    sums(rows)
    print(f"{time.time() - began:.0f} s")
    if a.out:
        json.dump(dict(walks=rows), open(a.out, "w"))


if __name__ == "__main__":
    main()
