// What is around the character: the floor's edge, walls, what moves, ways over the floor and footprints.
import {
  BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, Raycaster, ShapeUtils, Vector2, Vector3,
} from 'three';
import { block } from './block.js';
import { Mover } from './mover.js';
import { ribbon } from './ribbon.js';

// Heights over the floor, metres: what lies on it must not flicker, and lies in this order.
const PATH = 0.004;
const PRINT = 0.006;
const BEFORE = 0.22; // how strong a print is before its foot comes down
// Places of the body that should be seen, as heights below its middle and to the right, in body heights.
const BODY = [[0, 0], [0.25, -0.2], [0.25, 0.2], [0.45, -0.3], [0.45, 0], [0.45, 0.3]];
const UP = new Vector3(0, 1, 0);
const IN_FRONT = 0.25; // how strong a wall is that hides the character

export class Surroundings extends Group {
  /** `scene`: as surefoot writes it, metres; corners of floor and walls are (x, z). */
  constructor({ floor = [], walls = [], movers = [], lines = [], prints = [] }) {
    super();
    this.ray = new Raycaster();
    this.walls = walls.filter(({ corners }) => corners.length > 2).map(block);
    this.movers = movers.map((mover) => new Mover(mover));
    this.blocks = [...this.walls, ...this.movers.map(({ mesh }) => mesh)];
    this.floor = floor.length > 2 ? [edge(floor)] : [];
    this.lines = lines.filter(({ points }) => points.length > 1).map(line);
    this.prints = prints.map(({ outline, side, time }) => ({ mesh: print(outline), side, time }));
    this.marks = new Group().add(...this.lines.map(({ mesh }) => mesh), ...this.prints.map(({ mesh }) => mesh));
    if (this.blocks.length) this.add(...this.blocks);
    if (this.floor.length) this.add(...this.floor);
    this.add(this.marks);
  }

  /** `colour(name)`: the value of a custom property of the stylesheet. */
  setColours(colour) {
    for (const { material } of this.walls) material.color.set(colour('--wall'));
    for (const { mesh, kind } of this.movers) mesh.material.color.set(colour(`--${kind}`));
    for (const { material } of this.floor) material.uniforms.uColour.value.set(colour('--wall'));
    for (const { mesh, kind } of this.lines) mesh.material.uniforms.uColour.value.set(colour(`--way-${kind}`));
    for (const { mesh, side } of this.prints) {
      mesh.material.color.set(colour(side ? `--trace-${side}` : '--trace-other'));
    }
  }

  /** What moves is where it is then; prints are faint until their foot comes down. */
  setTime(time) {
    for (const mover of this.movers) mover.setTime(time);
    for (const { mesh, time: strike } of this.prints) mesh.material.opacity = time >= strike ? 0.9 : BEFORE;
  }

  /** Blocks between the eye and the character can be seen through; `focus`: its middle, `height`: its own. */
  seeThrough(eye, focus, height) {
    const hidden = new Set();
    const aside = focus.clone().sub(eye).cross(UP).normalize();
    for (const [lower, right] of BODY) {
      const towards = focus.clone().addScaledVector(UP, -lower * height).addScaledVector(aside, right * height).sub(eye);
      this.ray.set(eye, towards.clone().normalize());
      this.ray.far = towards.length();
      for (const { object } of this.ray.intersectObjects(this.blocks, false)) hidden.add(object);
    }
    for (const object of this.blocks) {
      const { material } = object;
      const transparent = hidden.has(object);
      if (material.transparent !== transparent) material.needsUpdate = true;
      Object.assign(material, { transparent, opacity: transparent ? IN_FRONT : 1, depthWrite: !transparent });
    }
  }
}

function print(outline) {
  const material = new MeshBasicMaterial({ transparent: true, depthWrite: false, toneMapped: false, side: DoubleSide });
  const faces = ShapeUtils.triangulateShape(outline.map(([x, , z]) => new Vector2(x, z)), []);
  const geometry = new BufferGeometry().setFromPoints(outline.map(([x, y, z]) => new Vector3(x, y + PRINT, z)));
  const mesh = new Mesh(geometry.setIndex(faces.flat()), material);
  mesh.renderOrder = 2;
  return mesh;
}

function edge(floor) {
  return strip([...floor, floor[0]].map(([x, z]) => [x, 0, z]), 2, 1);
}

function line({ points, kind }) {
  const mesh = strip(points, kind === 'planned' ? 1.2 : 2, kind === 'planned' ? 1 : 0.5);
  mesh.renderOrder = 1;
  return { mesh, kind };
}

/** A ribbon through points on the ground, `strength` from 0 to 1. */
function strip(points, width, strength) {
  // Corners would be cut if their neighbours were far: pieces are at most half a metre long.
  const path = points.flatMap((point, i) => {
    const to = new Vector3(...point).addScaledVector(UP, PATH);
    if (i === 0) return [to.toArray()];
    const from = new Vector3(...points[i - 1]).addScaledVector(UP, PATH);
    const parts = Math.max(1, Math.ceil(from.distanceTo(to) / 0.5));
    return Array.from({ length: parts }, (_, k) => from.clone().lerp(to, (k + 1) / parts).toArray());
  });
  const values = new Float32Array(path.length).fill(strength);
  return ribbon({ path: new Float32Array(path.flat()), values, step: 0, width, spacing: 0.002, whole: true });
}
