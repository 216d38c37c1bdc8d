// Tells when a node is planted: from its known stances, else where its path is low and slow at once.

const CLEARANCE = 0.03; // of the character's size, above the height the node rests at
const STILL = 0.12; // character sizes per second
const MOVING = 0.4;
const SHORTEST = 0.06; // seconds

/** For every sample 1 within a stance ([from, to] in seconds), else 0. */
export function standing(stances, count, step) {
  return Float32Array.from({ length: count }, (_, i) => {
    const time = i * step + 1e-4; // sample times are not exact
    return stances.some(([from, to]) => from <= time && time < to) ? 1 : 0;
  });
}

/** For every sample a number from 0 (in the air or moving) to 1 (planted). */
export function plantedness(path, step, size) {
  const count = path.length / 3;
  const heights = Array.from({ length: count }, (_, i) => path[3 * i + 1]).sort((a, b) => a - b);
  const resting = heights[Math.floor(0.05 * count)];
  return Float32Array.from({ length: count }, (_, i) => {
    const above = (path[3 * i + 1] - resting) / (CLEARANCE * size);
    const speed = speedAt(path, i, step) / size;
    return ramp(2 - above) * ramp((MOVING - speed) / (MOVING - STILL));
  });
}

/** Where the node stood: the mean position of every stretch of planted samples. */
export function footholds(path, planted, step) {
  const holds = [];
  for (let i = 0; i < planted.length; i++) {
    const first = i;
    let [x, z] = [0, 0];
    for (; i < planted.length && planted[i] > 0.5; i++) {
      x += path[3 * i];
      z += path[3 * i + 2];
    }
    const samples = i - first;
    if (samples > 0 && samples * step >= SHORTEST) holds.push([x / samples, z / samples]);
  }
  return holds;
}

function speedAt(path, i, step) {
  const a = Math.max(i - 1, 0);
  const b = Math.min(i + 1, path.length / 3 - 1);
  if (a === b || !(step > 0)) return 0;
  const moved = [0, 1, 2].map((axis) => path[3 * b + axis] - path[3 * a + axis]);
  return Math.hypot(...moved) / ((b - a) * step);
}

const ramp = (x) => Math.min(Math.max(x, 0), 1);
