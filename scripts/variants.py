#!/usr/bin/env python3
"""Variants of characters whose truth is known, as other packs would have them: to try how rigs are understood.

    scripts/variants.py TRUTH.json OUT FOLDER... [--only TEXT] [--kind KIND,...]

Reads every GLB of the folders that the truth (as an outside judge's corpus has it) gives legs to, changes it in one way at a
time, and writes it to OUT/KIND-NAME.glb with OUT/truth.json for `judge corpus BINARY OUT OUT/truth.json`. The kinds are the
functions below whose first lines say what they do. Needs numpy.
"""
import argparse, copy, json, os, random, re, struct, sys, zlib
import numpy as np

KINDS = {}
PARTS = {5120: (np.int8, 1), 5121: (np.uint8, 1), 5122: (np.int16, 2), 5123: (np.uint16, 2), 5125: (np.uint32, 4), 5126: (np.float32, 4)}
WIDE = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def kind(f):
    KINDS[f.__name__] = f
    return f


def turn(axis, degrees):
    a = np.radians(degrees) / 2
    return list(np.array(axis) * np.sin(a)) + [float(np.cos(a))]


def matrix(t, r, s):
    x, y, z, w = r
    m = np.eye(4)
    m[:3, :3] = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                          [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]) * np.array(s)
    m[:3, 3] = t
    return m


def parts(m):
    """Translation, rotation, scale of a matrix without shear."""
    s = np.linalg.norm(m[:3, :3], axis=0)
    r = m[:3, :3] / s
    if np.linalg.det(r) < 0:
        s, r = s * [-1, 1, 1], r * [-1, 1, 1]
    w = np.sqrt(max(0, 1 + r[0, 0] + r[1, 1] + r[2, 2])) / 2
    x, y, z = (np.sqrt(max(0, 1 + 2 * r[i, i] - np.trace(r))) / 2 for i in range(3))
    x, y, z = np.copysign(x, r[2, 1] - r[1, 2]), np.copysign(y, r[0, 2] - r[2, 0]), np.copysign(z, r[1, 0] - r[0, 1])
    q = np.array([x, y, z, w])
    if w < 1e-3:  # half a turn: signs from the products
        k = int(np.argmax(abs(q[:3])))
        q[:3] = (r[:, k] + np.eye(3)[k]) / 2
        q[:3] *= 1 / max(1e-9, np.linalg.norm(q[:3]))
    return m[:3, 3], q / np.linalg.norm(q), s


class Model:
    def __init__(self, path):
        raw = open(path, "rb").read()
        n = struct.unpack("<I", raw[12:16])[0]
        self.j, self.bin = json.loads(raw[20:20 + n]), bytearray(raw[28 + n:])
        self.nodes = self.j["nodes"]
        for i, node in enumerate(self.nodes):
            node.setdefault("name", f"node {i}")
        self.find()

    def find(self):
        self.parent = [-1] * len(self.nodes)
        for i, node in enumerate(self.nodes):
            for c in node.get("children", []):
                self.parent[c] = i
        self.joints = sorted({j for skin in self.j.get("skins", []) for j in skin["joints"]})
        self.index = {node["name"]: i for i, node in reversed(list(enumerate(self.nodes)))}

    def local(self, i):
        node = self.nodes[i]
        if "matrix" in node:
            return np.array(node["matrix"], float).reshape(4, 4).T
        return matrix(node.get("translation", [0, 0, 0]), node.get("rotation", [0, 0, 0, 1]), node.get("scale", [1, 1, 1]))

    def rest(self):
        return self.compose([self.local(i) for i in range(len(self.nodes))])

    def compose(self, locals):
        world = [None] * len(self.nodes)
        def of(i):
            if world[i] is None:
                world[i] = locals[i] if self.parent[i] < 0 else of(self.parent[i]) @ locals[i]
            return world[i]
        return np.stack([of(i) for i in range(len(self.nodes))])

    def place(self, i, m):
        for key in ("matrix", "translation", "rotation", "scale"):
            self.nodes[i].pop(key, None)
        t, r, s = parts(m)
        self.nodes[i].update(translation=list(map(float, t)), rotation=list(map(float, r)), scale=list(map(float, s)))

    def read(self, i):
        a = self.j["accessors"][i]
        v = self.j["bufferViews"][a["bufferView"]]
        t, size = PARTS[a["componentType"]]
        n = WIDE[a["type"]]
        o, step = v.get("byteOffset", 0) + a.get("byteOffset", 0), v.get("byteStride", 0) or size * n
        out = np.stack([np.frombuffer(self.bin, t, n, o + step * k) for k in range(a["count"])]).astype(float)
        return np.maximum(out / np.iinfo(t).max, -1) if a.get("normalized") else out

    def add(self, values, kind, part=5126):
        values = np.asarray(values, PARTS[part][0])
        self.bin += b"\0" * (-len(self.bin) % 4)
        self.j.setdefault("bufferViews", []).append(dict(buffer=0, byteOffset=len(self.bin), byteLength=values.nbytes))
        self.bin += values.tobytes()
        a = dict(bufferView=len(self.j["bufferViews"]) - 1, componentType=part, count=len(values), type=kind)
        if kind == "SCALAR":
            a.update(min=[float(values.min())], max=[float(values.max())])
        self.j.setdefault("accessors", []).append(a)
        return len(self.j["accessors"]) - 1

    def moves(self, clip):
        """Times of a clip and the locals of all nodes at each."""
        samplers = clip["samplers"]
        times = max((self.read(s["input"])[:, 0] for s in samplers), key=len)
        tracks = {}
        for c in clip["channels"]:
            if "node" in c["target"] and c["target"]["path"] in ("translation", "rotation", "scale"):
                s = samplers[c["sampler"]]
                t, v = self.read(s["input"])[:, 0], self.read(s["output"])
                v = v[1::3] if s.get("interpolation") == "CUBICSPLINE" else v
                if c["target"]["path"] == "rotation":
                    for k in range(1, len(v)):
                        v[k] *= -1 if v[k] @ v[k - 1] < 0 else 1
                tracks[c["target"]["node"], c["target"]["path"]] = np.stack([np.interp(times, t, v[:, k]) for k in range(v.shape[1])], -1)
        out = []
        for f in range(len(times)):
            frame = []
            for i, node in enumerate(self.nodes):
                keys = [tracks[i, p][f] if (i, p) in tracks else None for p in ("translation", "rotation", "scale")]
                if all(k is None for k in keys):
                    frame.append(self.local(i))
                    continue
                t, r, s = (k if k is not None else node.get(p, d) for k, p, d in zip(keys, ("translation", "rotation", "scale"), ([0, 0, 0], [0, 0, 0, 1], [1, 1, 1])))
                frame.append(matrix(t, np.array(r) / np.linalg.norm(r), s))
            out.append(frame)
        return times, out

    def rehang(self, pairs, turned=None):
        """Hangs nodes from others (their places as before), or turns the axes of joints; clips are written anew for these."""
        rest = self.rest()
        clips = [(clip, *self.moves(clip)) for clip in self.j.get("animations", [])]
        worlds = [(times, [self.compose(frame) for frame in frames]) for _, times, frames in clips]
        for child, parent in pairs:
            if self.parent[child] >= 0:
                self.nodes[self.parent[child]]["children"].remove(child)
            self.nodes[parent].setdefault("children", []).append(child)
        self.nodes[:] = [{k: v for k, v in node.items() if k != "children" or v} for node in self.nodes]
        self.find()
        turned = turned or {}
        changed = {child for child, _ in pairs} | set(turned) | {i for i in range(len(self.nodes)) if self.parent[i] in turned}
        def local(world, i):
            own = world[i] @ turned.get(i, np.eye(4))
            p = self.parent[i]
            return own if p < 0 else np.linalg.inv(world[p] @ turned.get(p, np.eye(4))) @ own
        for i in changed:
            self.place(i, local(rest, i))
        for (clip, _, _), (times, frames) in zip(clips, worlds):
            clip["channels"] = [c for c in clip["channels"] if c["target"].get("node") not in changed]
            at = self.add(times[:, None], "SCALAR")
            for i in sorted(changed):
                keys = [parts(local(world, i)) for world in frames]
                for k, path in enumerate(("translation", "rotation", "scale")):
                    values = np.stack([key[k] for key in keys])
                    clip["samplers"].append(dict(input=at, output=self.add(values, "VEC4" if k == 1 else "VEC3"), interpolation="LINEAR"))
                    clip["channels"].append(dict(sampler=len(clip["samplers"]) - 1, target=dict(node=i, path=path)))
        for skin in self.j.get("skins", []):
            if turned:
                inverse = self.read(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
                inverse = [np.linalg.inv(turned.get(j, np.eye(4))) @ m for j, m in zip(skin["joints"], inverse)]
                skin["inverseBindMatrices"] = self.add(np.stack([m.T.reshape(16) for m in inverse]), "MAT4")

    def node(self, name, parent, at=None, joint=True):
        """A new node below another, at a place of the world; a joint of all skins, with no skin of its own."""
        self.nodes.append(dict(name=name))
        new = len(self.nodes) - 1
        self.nodes[parent].setdefault("children", []).append(new)
        self.find()
        world = self.rest()
        self.place(new, np.linalg.inv(world[parent]) @ (np.block([[np.eye(3), np.array(at)[:, None]], [np.zeros((1, 3)), 1]])) if at is not None else np.eye(4))
        for skin in self.j.get("skins", []) if joint else []:
            if "inverseBindMatrices" in skin:
                inverse = np.vstack([self.read(skin["inverseBindMatrices"]), np.linalg.inv(self.rest()[new]).T.reshape(1, 16)])
                skin["inverseBindMatrices"] = self.add(inverse, "MAT4")
            skin["joints"].append(new)
        self.find()
        return new

    def wrap(self, name, **how):
        scene = self.j["scenes"][self.j.get("scene", 0)]
        self.nodes.append(dict(name=name, children=list(scene["nodes"]), **how))
        scene["nodes"] = [len(self.nodes) - 1]
        self.find()

    def top(self):
        """The joint, or what joints hang from, that all joints are below."""
        ways = []
        for j in self.joints:
            way = [j]
            while self.parent[way[-1]] >= 0:
                way.append(self.parent[way[-1]])
            ways.append(way[::-1])
        shared = [set(n) for n in zip(*ways)]
        same = [next(iter(s)) for s in shared if len(s) == 1]
        return same[-1] if same else None

    def first(self, names):
        return next((self.index[n] for n in names if n in self.index), None)

    def write(self, path):
        self.j["buffers"] = [dict(byteLength=len(self.bin))] if self.bin else []
        text = json.dumps(self.j).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self.bin) + b"\0" * (-len(self.bin) % 4)
        with open(path, "wb") as f:
            f.write(struct.pack("<III", 0x46546C67, 2, 20 + len(text) + (8 + len(data) if data else 0)) + struct.pack("<II", len(text), 0x4E4F534A) + text)
            if data:
                f.write(struct.pack("<II", len(data), 0x004E4942) + data)


def rename(model, truth, new):
    """Gives every joint a new name; `new` is asked with its number and its old name. Names of clips stay."""
    names = {}
    for i, node in enumerate(model.nodes):
        names.setdefault(node["name"], node["name"])
    for k, i in enumerate(below(model)):
        old = model.nodes[i]["name"]
        model.nodes[i]["name"] = names[old] = new(k, old)
    for leg in truth["legs"]:
        for key in ("hip", "hip_near", "knee", "ankle", "toe"):
            leg[key] = [names.get(n, n) for n in leg[key]]
        if "sole" in leg and leg["sole"]:
            leg["sole"]["joint"] = names.get(leg["sole"]["joint"], leg["sole"]["joint"])
    model.find()


def below(model):
    top = model.top()
    return [i for i in range(len(model.nodes)) if i in model.joints or (i == top and "mesh" not in model.nodes[i])]


def scaled(truth, by):
    truth["heights"] = truth["heights"] + [[a * by, b * by] for a, b in truth["heights"]]


@kind
def as_is(m, t, r):
    """Nothing is changed."""


@kind
def words(m, t, r):
    """All joints have senseless names."""
    sounds = ["ba", "ko", "ri", "mu", "te", "lo", "sha", "ni", "ve", "du"]
    rename(m, t, lambda k, old: "".join(r.choice(sounds) for _ in range(4)) + str(k))


@kind
def numbers(m, t, r):
    """Bone, Bone.001, ... as an editor gives them, and clips without telling names."""
    rename(m, t, lambda k, old: "Bone" if k == 0 else f"Bone.{k:03}")
    for k, clip in enumerate(m.j.get("animations", [])):
        new = f"Action.{k:03}"
        t["clips_named"] = {of: new if name == clip.get("name") else name for of, name in t["clips_named"].items()}
        clip["name"] = new


@kind
def exchanged(m, t, r):
    """Names say left for right."""
    def other(k, old):
        swap = {"left": "right", "right": "left", "Left": "Right", "Right": "Left"}
        new = re.sub(r"left|right|Left|Right", lambda found: swap[found.group()], old)
        return new if new != old else re.sub(r"(?<=[._])([LRlr])(?=$|[._\d])", lambda found: dict(L="R", R="L", l="r", r="l")[found.group()], old)
    rename(m, t, other)


@kind
def epic(m, t, r):
    """Legs are called thigh_l, calf_l, foot_l, ball_l; pairs of them with a number."""
    convention(m, t, lambda part, side, n: f"{['thigh', 'calf', 'foot', 'ball'][part]}{n}_{side[0]}")


@kind
def german(m, t, r):
    """Legs are called in another language."""
    convention(m, t, lambda part, side, n: f"{['Oberschenkel', 'Wade', 'Fuß', 'Zehen'][part]}{n} {'links' if side == 'left' else 'rechts'}")


@kind
def biped(m, t, r):
    """Legs are called Bip01 L Thigh, Calf, Foot, Toe0."""
    convention(m, t, lambda part, side, n: f"Bip01{n} {side[0].upper()} {['Thigh', 'Calf', 'Foot', 'Toe0'][part]}")


def convention(m, t, name):
    new, pairs = {}, {}
    for leg in t["legs"]:
        n = pairs[leg["side"]] = pairs.get(leg["side"], 0) + 1
        for part, key in enumerate(("hip", "knee", "ankle", "toe")):
            for k, old in enumerate(leg[key]):
                new.setdefault(old, name(part, leg["side"], "" if n == 1 else n) + ("" if k == 0 else f"_{k}"))
    rename(m, t, lambda k, old: new.get(old, f"b{k}"))


@kind
def hundredfold(m, t, r):
    """All is 100 times as large: centimetres that nobody told of."""
    m.wrap("World", scale=[100] * 3)
    scaled(t, 100)


@kind
def hundredth(m, t, r):
    """All is a hundredth as large."""
    m.wrap("World", scale=[0.01] * 3)
    scaled(t, 0.01)


@kind
def z_up(m, t, r):
    """Z is up."""
    m.wrap("World", rotation=turn([1, 0, 0], 90))
    t.update(up="+z", facing={"+z": "-y", "-z": "+y"}.get(t["facing"], t["facing"]))


@kind
def backwards(m, t, r):
    """It faces the other way."""
    m.wrap("World", rotation=turn([0, 1, 0], 180))
    t["facing"] = {"+z": "-z", "-z": "+z", "+x": "-x", "-x": "+x"}[t["facing"]]


@kind
def sideways(m, t, r):
    """It faces +X."""
    m.wrap("World", rotation=turn([0, 1, 0], 90))
    t["facing"] = {"+z": "+x", "-z": "-x", "+x": "-z", "-x": "+z"}[t["facing"]]


@kind
def elsewhere(m, t, r):
    """It stands 7 m beside the origin and 2 m over it."""
    m.wrap("World", translation=[7, 2, -3])


@kind
def centimetres(m, t, r):
    """A node of scale 0.01 over joints in centimetres, lying on their back, as FBX converters write them."""
    top = m.top()
    rest = m.rest()
    if top is None or m.parent[top] >= 0 and np.abs(rest[m.parent[top]] - np.eye(4)).max() > 1e-5:
        return False
    a = matrix([0, 0, 0], turn([1, 0, 0], -90), [0.01] * 3)
    tops = [top] if top in m.joints else [c for c in m.nodes[top].get("children", []) if c in m.joints]
    if top not in m.joints and np.abs(rest[top] - np.eye(4)).max() > 1e-5:
        return False
    small = {i: np.diag([0.01, 0.01, 0.01, 1.0]) for i in m.joints}
    if any(m.parent[i] not in m.joints and i not in tops for i in m.joints) or any(c not in m.joints for i in m.joints for c in m.nodes[i].get("children", [])):
        return False
    m.nodes.append(dict(name="Armature_cm"))
    new = len(m.nodes) - 1
    over = m.parent[tops[0]]
    if over >= 0:
        m.nodes[over].setdefault("children", []).append(new)
    else:
        m.j["scenes"][m.j.get("scene", 0)]["nodes"] = [n for n in m.j["scenes"][m.j.get("scene", 0)]["nodes"] if n not in tops] + [new]
    m.find()
    m.place(new, a)
    m.rehang([(i, new) for i in tops], small)
    for leg in t["legs"]:
        if leg.get("sole"):
            leg["sole"]["point"] = [100 * x for x in leg["sole"]["point"]]
    for skin in m.j.get("skins", []):
        skin.pop("skeleton", None)


@kind
def axes(m, t, r):
    """The axes of every joint lie otherwise."""
    turned = {}
    for i in m.joints:
        q = np.array([r.gauss(0, 1) for _ in range(4)])
        turned[i] = matrix([0, 0, 0], q / np.linalg.norm(q), [1, 1, 1])
    m.rehang([], turned)
    for leg in t["legs"]:
        sole = leg.get("sole")
        if sole and sole["joint"] in m.index and m.index[sole["joint"]] in turned:
            sole["point"] = list((np.linalg.inv(turned[m.index[sole["joint"]]]) @ np.r_[sole["point"], 1])[:3])


@kind
def controls(m, t, r):
    """Joints of an animator hang from the root: a root control, feet, heels and poles of the legs."""
    top = m.top()
    if top is None:
        return False
    rest = m.rest()
    m.node("ctrl_root", top, rest[top][:3, 3])
    for leg in t["legs"]:
        ankle, knee = m.first(leg["ankle"]), m.first(leg["knee"])
        if ankle is None:
            return False
        at = rest[ankle][:3, 3]
        s = leg["side"][0]
        foot = m.node(f"ctrl_foot_{leg['name'].replace(' ', '_')}_{s}", top, at)
        m.node(f"ctrl_heel_{leg['name'].replace(' ', '_')}_{s}", foot, at - [0, 0, 0.1 * abs(at[1])])
        if knee is not None:
            m.node(f"pole_{leg['name'].replace(' ', '_')}_{s}", top, rest[knee][:3, 3] + [0, 0, 0.5])


def hangs(m, i, over):
    while i >= 0:
        if i == over:
            return True
        i = m.parent[i]
    return False


@kind
def from_the_root(m, t, r):
    """Legs hang from the root, beside the hips."""
    top = m.top()
    hips = [m.first(leg["hip"]) for leg in t["legs"]]
    if top is None or None in hips or all(m.parent[h] == top for h in hips):
        return False
    m.rehang([(h, top) for h in hips])


@kind
def loose_feet(m, t, r):
    """Feet hang from the root, as joints that an animator moves by themselves."""
    top = m.top()
    feet = [m.first(leg["ankle"]) for leg in t["legs"]]
    knees = [m.first(leg["knee"] or leg["hip"]) for leg in t["legs"]]
    if top is None or None in feet or any(k is None or f == k or not hangs(m, f, k) for f, k in zip(feet, knees)):
        return False
    if len(set(feet)) < len(feet):
        return False
    m.rehang([(f, top) for f in feet])


@kind
def no_toes(m, t, r):
    """Nothing hangs from the feet: their skin is the ankles'."""
    into = {}
    for leg in t["legs"]:
        ankle = m.first(leg["ankle"])
        if ankle is None:
            return False
        stack = list(m.nodes[ankle].get("children", []))
        while stack:
            i = stack.pop()
            if "mesh" in m.nodes[i] or i not in m.joints:
                continue
            into[i] = ankle
            stack += m.nodes[i].get("children", [])
        leg["toe"] = []
    if not into or any("sparse" in a for a in m.j["accessors"]):
        return False
    rest = m.rest()
    for leg in t["legs"]:
        sole = leg.get("sole")
        if sole and m.index.get(sole["joint"]) in into:
            i = m.index[sole["joint"]]
            sole["point"] = list((np.linalg.inv(rest[into[i]]) @ rest[i] @ np.r_[sole["point"], 1])[:3])
            sole["joint"] = m.nodes[into[i]]["name"]
    for s, skin in enumerate(m.j["skins"]):
        slot = {j: k for k, j in enumerate(skin["joints"])}
        if any(a in slot and b not in slot for a, b in into.items()):
            return False
        map_ = np.arange(len(slot))
        for a, b in into.items():
            if a in slot:
                map_[slot[a]] = slot[b]
        for mesh in {n["mesh"] for n in m.nodes if n.get("skin") == s and "mesh" in n}:
            for prim in m.j["meshes"][mesh]["primitives"]:
                if "extensions" in prim:
                    return False
                for key in [k for k in prim["attributes"] if k.startswith("JOINTS")]:
                    prim["attributes"][key] = m.add(map_[m.read(prim["attributes"][key]).astype(int)], "VEC4", 5123)
    for i in into:
        if m.parent[i] in m.index.values() and i in m.nodes[m.parent[i]].get("children", []):
            m.nodes[m.parent[i]]["children"].remove(i)
    m.nodes[:] = [{k: v for k, v in node.items() if k != "children" or v} for node in m.nodes]
    # What is gone is no joint and nothing moves it; its node stays, outside the scene.
    for skin in m.j["skins"]:
        keep = [k for k, j in enumerate(skin["joints"]) if j not in into]
        old = skin["joints"]
        skin["inverseBindMatrices"] = m.add(m.read(skin["inverseBindMatrices"])[keep], "MAT4")
        skin["joints"] = [old[k] for k in keep]
        back = {k: n for n, k in enumerate(keep)}
        s = m.j["skins"].index(skin)
        for mesh in {n["mesh"] for n in m.nodes if n.get("skin") == s and "mesh" in n}:
            for prim in m.j["meshes"][mesh]["primitives"]:
                for key in [k for k in prim["attributes"] if k.startswith("JOINTS")]:
                    prim["attributes"][key] = m.add([[back.get(int(v), 0) for v in row] for row in m.read(prim["attributes"][key])], "VEC4", 5123)
    for clip in m.j.get("animations", []):
        clip["channels"] = [c for c in clip["channels"] if c["target"].get("node") not in into]
    m.find()


@kind
def ends(m, t, r):
    """Every last bone has an end bone."""
    rest = m.rest()
    for i in [i for i in m.joints if not m.nodes[i].get("children")]:
        p = m.parent[i]
        at = rest[i][:3, 3] + 0.5 * (rest[i][:3, 3] - rest[p][:3, 3] if p >= 0 else 0)
        m.node(m.nodes[i]["name"] + "_end", i, at, joint=False)


@kind
def twists(m, t, r):
    """A twist bone hangs from every hip and knee, half way to the next, and holds none of the skin."""
    rest = m.rest()
    for leg in t["legs"]:
        way = [m.first(leg[k]) for k in ("hip", "knee", "ankle")]
        if None in way:
            return False
        for a, b in zip(way, way[1:]):
            m.node(m.nodes[a]["name"] + "_twist", a, 0.5 * (rest[a][:3, 3] + rest[b][:3, 3]))


@kind
def no_clips(m, t, r):
    """Nothing moves."""
    m.j.pop("animations", None)
    t["clips_named"] = {}


@kind
def t_pose(m, t, r):
    """One clip of one frame: the rest pose."""
    at = m.add([[0.0]], "SCALAR")
    clip = dict(name="T-Pose", samplers=[], channels=[])
    for i in m.joints:
        clip["samplers"].append(dict(input=at, output=m.add([parts(m.local(i))[1]], "VEC4"), interpolation="LINEAR"))
        clip["channels"].append(dict(sampler=len(clip["samplers"]) - 1, target=dict(node=i, path="rotation")))
    m.j["animations"] = [clip]
    t["clips_named"] = {}


@kind
def bare(m, t, r):
    """Bones without a mesh."""
    for node in m.nodes:
        node.pop("mesh", None)
        node.pop("skin", None)
    m.j.pop("meshes", None)
    m.j.pop("skins", None)
    m.j.pop("materials", None)
    m.j.pop("textures", None)
    m.j.pop("images", None)
    m.j.pop("extensionsRequired", None)


@kind
def stiff(m, t, r):
    """Every vertex is held by one joint only, the one that held most of it."""
    if any("sparse" in a for a in m.j["accessors"]):
        return False
    for mesh in m.j.get("meshes", []):
        for prim in mesh["primitives"]:
            if "extensions" in prim:
                return False
            if "WEIGHTS_0" in prim["attributes"]:
                w = np.nan_to_num(m.read(prim["attributes"]["WEIGHTS_0"]))
                prim["attributes"]["WEIGHTS_0"] = m.add(np.eye(4)[w.argmax(1)], "VEC4")
                for key in [k for k in prim["attributes"] if re.match(r"(JOINTS|WEIGHTS)_[1-9]", k)]:
                    del prim["attributes"][key]


@kind
def posed(m, t, r):
    """The nodes stand as in the middle of a clip, not as the skin was bound."""
    clips = m.j.get("animations", [])
    clip = next((c for c in clips if c.get("name") == t["clips_named"].get("walk")), clips[0] if clips else None)
    if clip is None:
        return False
    times, frames = m.moves(clip)
    for i in m.joints:
        m.place(i, frames[len(frames) // 3][i])


@kind
def apart(m, t, r):
    """No skin: every joint carries its own piece of the mesh."""
    if any("sparse" in a for a in m.j["accessors"]):
        return False
    rest = m.rest()
    for i in [i for i, n in enumerate(m.nodes) if "skin" in n and "mesh" in n]:
        node = m.nodes[i]
        skin = m.j["skins"][node.pop("skin")]
        inverse = m.read(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        for prim in m.j["meshes"][node.pop("mesh")]["primitives"]:
            if "extensions" in prim or "indices" not in prim:
                return False
            places = m.read(prim["attributes"]["POSITION"])
            weights, joints = np.nan_to_num(m.read(prim["attributes"]["WEIGHTS_0"])), m.read(prim["attributes"]["JOINTS_0"]).astype(int)
            most = joints[np.arange(len(joints)), weights.argmax(1)]
            faces = m.read(prim["indices"]).astype(int).reshape(-1, 3)
            for k, j in enumerate(skin["joints"]):
                mine = faces[most[faces[:, 0]] == k]
                if len(mine):
                    used, again = np.unique(mine, return_inverse=True)
                    own = np.c_[places[used], np.ones(len(used))] @ inverse[k].T
                    at = m.add(own[:, :3], "VEC3")
                    m.j["accessors"][at].update(min=own[:, :3].min(0).tolist(), max=own[:, :3].max(0).tolist())
                    m.j["meshes"].append(dict(primitives=[dict(attributes=dict(POSITION=at), indices=m.add(again.reshape(-1, 1), "SCALAR", 5125))]))
                    m.nodes.append(dict(name=f"piece {len(m.nodes)}", mesh=len(m.j["meshes"]) - 1))
                    m.nodes[j].setdefault("children", []).append(len(m.nodes) - 1)
    m.j.pop("skins")
    m.find()


@kind
def mirrored(m, t, r):
    """Joints of right legs are mirror images, with a scale of -1."""
    flip = {}
    for leg in t["legs"]:
        hip = m.first(leg["hip"])
        if hip is None:
            return False
        if leg["side"] == "right":
            flip.update({i: np.diag([-1.0, 1, 1, 1]) for i in m.joints if hangs(m, i, hip)})
    m.rehang([], flip)
    for leg in t["legs"]:
        sole = leg.get("sole")
        if sole and m.index.get(sole["joint"]) in flip:
            sole["point"][0] *= -1


@kind
def askew(m, t, r):
    """It faces 30 degrees to the left of what it should."""
    m.wrap("World", rotation=turn([0, 1, 0], 30))


@kind
def lying(m, t, r):
    """At rest it lies; its clips stand it up."""
    top = m.top()
    if top is None or not m.j.get("animations"):
        return False
    a = matrix([0, 0, 0], turn([1, 0, 0], -90), [1, 1, 1])
    for clip in m.j["animations"]:
        times, frames = m.moves(clip)
        clip["channels"] = [c for c in clip["channels"] if c["target"].get("node") != top]
        at = m.add(times[:, None], "SCALAR")
        keys = [parts(frame[top]) for frame in frames]
        for k, path in enumerate(("translation", "rotation", "scale")):
            clip["samplers"].append(dict(input=at, output=m.add(np.stack([key[k] for key in keys]), "VEC4" if k == 1 else "VEC3"), interpolation="LINEAR"))
            clip["channels"].append(dict(sampler=len(clip["samplers"]) - 1, target=dict(node=top, path=path)))
    rest = m.rest()
    over = m.parent[top]
    m.place(top, (np.linalg.inv(rest[over]) if over >= 0 else np.eye(4)) @ a @ rest[top])


@kind
def half(m, t, r):
    """What hangs from left feet is no joint: a leg of its own build on each side."""
    gone = set()
    for leg in t["legs"]:
        ankle = m.first(leg["ankle"])
        if leg["side"] == "left" and ankle is not None:
            gone |= {i for i in m.joints if i != ankle and hangs(m, i, ankle)}
    if not gone:
        return False
    for n, i in enumerate(sorted(gone)):
        m.nodes[i]["name"] = f"piece {n}"
    # They stay as nodes that hold the skin, but nothing moves them and nobody knows them.
    for clip in m.j.get("animations", []):
        clip["channels"] = [c for c in clip["channels"] if c["target"].get("node") not in gone]
    for leg in t["legs"]:
        if leg["side"] == "left":
            leg["toe"] = []
            leg["sole"] = None
    m.find()


@kind
def shuffled(m, t, r):
    """Nodes and joints come in any order."""
    order = list(range(len(m.nodes)))
    r.shuffle(order)
    to = {old: new for new, old in enumerate(order)}
    m.j["nodes"] = [m.nodes[old] for old in order]
    for node in m.j["nodes"]:
        if "children" in node:
            node["children"] = [to[c] for c in node["children"]]
            r.shuffle(node["children"])
    for scene in m.j["scenes"]:
        scene["nodes"] = [to[n] for n in scene["nodes"]]
    for skin in m.j.get("skins", []):
        skin["joints"] = [to[n] for n in skin["joints"]]
        if "skeleton" in skin:
            skin["skeleton"] = to[skin["skeleton"]]
    for clip in m.j.get("animations", []):
        for c in clip["channels"]:
            if "node" in c["target"]:
                c["target"]["node"] = to[c["target"]["node"]]
    m.j.pop("extensions", None)
    m.j["extensionsRequired"] = [e for e in m.j.get("extensionsRequired", []) if not e.startswith("VRM")]
    m.nodes = m.j["nodes"]
    m.find()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("truth"); p.add_argument("out"); p.add_argument("folders", nargs="+"); p.add_argument("--only", default=""); p.add_argument("--kind")
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    all_truth = []
    for truth in json.load(open(a.truth)):
        path = next((f for f in (os.path.join(d, truth["file"]) for d in a.folders) if os.path.exists(f)), None)
        if not path or not path.endswith((".glb", ".vrm")) or truth["expect"] != "legs" or a.only not in truth["file"]:
            continue
        for name, change in KINDS.items():
            if a.kind and name not in a.kind.split(","):
                continue
            t, m = copy.deepcopy(truth), Model(path)
            t.update(file=f"{name}-{os.path.splitext(truth['file'])[0]}.glb", split=name)
            try:
                if change(m, t, random.Random(zlib.crc32(t["file"].encode()))) is False:
                    continue
            except Exception as why:
                print(f"{t['file']}: {why!r}", file=sys.stderr)
                continue
            m.write(os.path.join(a.out, t["file"]))
            all_truth.append(t)
    json.dump(all_truth, open(os.path.join(a.out, "truth.json"), "w"))
    print(len(all_truth), "variants of", len(KINDS), "kinds:", ",".join(a.kind.split(",") if a.kind else KINDS))


if __name__ == "__main__":
    main()
