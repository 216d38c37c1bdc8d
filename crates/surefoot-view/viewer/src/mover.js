// A block that moves on straight lines from key to key, and turns evenly.
import { block } from './block.js';

export class Mover {
  /** `keys`: { time, place, heading } by time; metres, seconds, radians. */
  constructor({ kind, corners, height, keys }) {
    Object.assign(this, { kind, keys, mesh: block({ corners, height }) });
    this.setTime(0);
  }

  setTime(time) {
    const { keys, mesh } = this;
    const after = keys.findIndex((key) => key.time > time);
    const next = after < 0 ? keys.length - 1 : after;
    const [a, b] = [keys[Math.max(next - 1, 0)], keys[next]];
    const part = b.time > a.time ? Math.min(Math.max((time - a.time) / (b.time - a.time), 0), 1) : 1;
    const between = (from, to) => from + part * (to - from);
    mesh.position.set(...a.place.map((from, axis) => between(from, b.place[axis])));
    mesh.rotation.y = between(a.heading, b.heading);
  }
}
