// Legs as they were before a change: lines that go along with the character.
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { decodeBase64 } from './data.js';

export class Ghost extends LineSegments2 {
  /** `ends`: as surefoot packs it, `lines`: of a frame, `rate`: Hz, `ground`: its height, metres. */
  constructor({ rate, lines, ends }, ground) {
    super(new LineSegmentsGeometry(), new LineMaterial({ linewidth: 2.5, transparent: true, opacity: 0.85 }));
    this.rate = rate;
    this.stride = 6 * lines;
    this.ends = new Float32Array(decodeBase64(ends));
    this.now = new Float32Array(this.stride);
    this.geometry.setPositions(this.now);
    this.position.y = -ground;
    this.frustumCulled = false; // its bounds would have to follow it
    this.renderOrder = 4;
    this.setTime(0);
  }

  setColour(colour) {
    this.material.color.set(colour);
  }

  setTime(time) {
    const { ends, stride, now } = this;
    const last = Math.max(ends.length / stride - 1, 0);
    const at = Math.min(Math.max(time * this.rate, 0), last);
    const [from, to] = [Math.floor(at), Math.ceil(at)].map((frame) => stride * frame);
    for (let i = 0; i < stride; i++) now[i] = ends[from + i] + (at % 1) * (ends[to + i] - ends[from + i]);
    const { data } = this.geometry.attributes.instanceStart;
    data.array.set(now);
    data.needsUpdate = true;
  }
}
