// Samples a clip once and answers questions about it: paths of nodes, root, speed, camera focus.
import { Vector3 } from 'three';
import { parentJoint, worldPosition } from './character.js';
import { clipFrames } from './frames.js';

const MOST_SAMPLES = 6000;
const SPEED_WINDOW = 0.15; // seconds before and after the moment
const FOCUS_WINDOW = 0.35; // long enough to take the bob of a step out of the camera

/** Leaves the character posed at the last sample: the caller sets the time it wants. */
export function measureMotion(character, clip, tracedNodes) {
  const { frameLength, frames } = clipFrames(clip);
  const duration = clip?.duration ?? 0;
  const count = Math.min(frames, MOST_SAMPLES);
  const step = count > 1 ? duration / (count - 1) : 0;

  const paths = new Map();
  for (const node of [...character.joints, ...tracedNodes]) {
    paths.set(node, new Float32Array(3 * count));
  }
  const point = new Vector3();
  character.useClip(clip);
  for (let i = 0; i < count; i++) {
    character.pose(i * step);
    for (const [node, path] of paths) worldPosition(node, point).toArray(path, 3 * i);
  }

  const root = findRoot(character, paths);
  const rootPath = paths.get(root);
  const focusPath = smooth(rootPath, step > 0 ? Math.round(FOCUS_WINDOW / step) : 0);
  const lift = character.centreAboveJoint.get(root);

  return {
    clip, duration, frameLength, frames, count, step, paths, root,

    /** The middle of the character, without the bob of its steps. */
    focusAt(time, out = new Vector3()) {
      interpolate(focusPath, step, time, out);
      out.y += lift;
      return out;
    },

    /** Length of the root's way over the floor without the sway of its steps, metres. */
    lengthWalked() {
      let length = 0;
      for (let i = 3; i < focusPath.length; i += 3) {
        length += Math.hypot(focusPath[i] - focusPath[i - 3], focusPath[i + 2] - focusPath[i - 1]);
      }
      return length;
    },

    /** Speed of the root over the floor in m/s. */
    speedAt(time) {
      const from = Math.max(0, time - SPEED_WINDOW);
      const to = Math.min(duration, time + SPEED_WINDOW);
      if (!(to > from)) return 0;
      const a = interpolate(rootPath, step, from, new Vector3());
      const b = interpolate(rootPath, step, to, new Vector3());
      return Math.hypot(b.x - a.x, b.z - a.z) / (to - from);
    },
  };
}

/**
 * The joint that carries the character: the topmost one that moves over the floor in this clip
 * (many rigs have an unmoved node above the hips), else the topmost one. Of joints equally high
 * up, the one with more joints below it is the body; the others are handles.
 */
function findRoot(character, paths) {
  const joints = new Set(character.joints);
  const depth = new Map();
  const below = new Map(character.joints.map((joint) => [joint, 0]));
  for (const joint of character.joints) {
    const parent = parentJoint(joint, joints);
    depth.set(joint, parent ? depth.get(parent) + 1 : 0);
    for (let up = parent; up; up = parentJoint(up, joints)) below.set(up, below.get(up) + 1);
  }
  const ordered = [...character.joints].sort(
    (a, b) => depth.get(a) - depth.get(b) || below.get(b) - below.get(a),
  );
  const carriesBody = (joint) => below.get(joint) * 2 >= character.joints.length;
  const moves = (joint) => floorExtent(paths.get(joint)) > 0.005 * character.size;
  return ordered.find((joint) => carriesBody(joint) && moves(joint)) ?? ordered[0];
}

function floorExtent(path) {
  let [minX, maxX, minZ, maxZ] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < path.length; i += 3) {
    minX = Math.min(minX, path[i]);
    maxX = Math.max(maxX, path[i]);
    minZ = Math.min(minZ, path[i + 2]);
    maxZ = Math.max(maxZ, path[i + 2]);
  }
  return Math.max(maxX - minX, maxZ - minZ);
}

/** Moving average; the window shrinks on both sides near the ends so that it is never lopsided. */
function smooth(path, halfWindow) {
  const count = path.length / 3;
  const out = new Float32Array(path.length);
  for (let i = 0; i < count; i++) {
    const half = Math.min(halfWindow, i, count - 1 - i);
    for (let axis = 0; axis < 3; axis++) {
      let sum = 0;
      for (let k = i - half; k <= i + half; k++) sum += path[3 * k + axis];
      out[3 * i + axis] = sum / (2 * half + 1);
    }
  }
  return out;
}

function interpolate(path, step, time, out) {
  const last = path.length / 3 - 1;
  const at = step > 0 ? Math.min(Math.max(time / step, 0), last) : 0;
  const i = Math.min(Math.floor(at), Math.max(last - 1, 0));
  const next = Math.min(i + 1, last);
  const a = new Vector3().fromArray(path, 3 * i);
  return out.fromArray(path, 3 * next).sub(a).multiplyScalar(at - i).add(a);
}
