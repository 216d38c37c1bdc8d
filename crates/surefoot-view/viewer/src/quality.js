// How much is drawn: less as soon as frames take too long, as without a graphics processor.

// From the best down: pixels of the picture for one of the screen at most, and pixels of the shadows' map as a share.
const LEVELS = [
  { pixels: 2, shadows: 1 },
  { pixels: 1, shadows: 0.5 },
  { pixels: 0.75, shadows: 0.25 },
  { pixels: 0.5, shadows: 0 },
];
const SLOW = 0.05; // seconds a frame that are too long to look like motion
const CRAWLING = 0.2; // seconds a frame at which steps in between would take minutes
const LOOKS = 4; // frames in a row: one alone may be the browser's
const WARM_UP = 3; // frames in which shaders are made

export class Quality {
  /** `change(level)`: draws as a level says from now on. */
  constructor(change) {
    Object.assign(this, { change, level: 0, slow: [], seen: 0 });
  }

  get now() {
    return LEVELS[this.level];
  }

  /** After every frame that was drawn right after another: how long it took, seconds. */
  frameTook(seconds) {
    this.seen += 1;
    if (this.seen <= WARM_UP) return;
    this.slow = seconds > SLOW ? [...this.slow, seconds] : [];
    if (this.slow.length < LOOKS || this.level === LEVELS.length - 1) return;
    this.level = Math.min(...this.slow) > CRAWLING ? LEVELS.length - 1 : this.level + 1;
    Object.assign(this, { slow: [], seen: 0 });
    this.change(this.now);
  }
}
