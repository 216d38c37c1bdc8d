// The playback clock: which clip, which time, playing or not, speed and loop.
import { measureMotion } from './motion.js';

export class Player {
  /** `onClip(motion)` runs after a clip was chosen, `onChange()` after any change of state. */
  constructor(character, tracedNodes, { onClip, onChange }) {
    Object.assign(this, { character, tracedNodes, onClip, onChange });
    this.time = 0;
    this.playing = false;
    this.speed = 1;
    this.loop = true;
  }

  chooseClip(index) {
    this.motion = measureMotion(this.character, this.character.clips[index], this.tracedNodes);
    this.onClip(this.motion);
    this.setTime(0);
  }

  get canPlay() {
    return this.motion.duration > 0;
  }

  /** 0 … frames - 1 */
  get frame() {
    return this.canPlay ? Math.round(this.time / this.motion.frameLength) : 0;
  }

  setTime(time) {
    this.time = Math.min(Math.max(Number(time) || 0, 0), this.motion.duration);
    this.character.pose(this.time);
    this.onChange();
  }

  jump(time) {
    this.pause();
    this.setTime(time);
  }

  /** Pauses and moves by whole frames, so that the pose shown is one that was keyed. */
  stepFrames(count) {
    this.pause();
    const frame = Math.min(Math.max(this.frame + count, 0), this.motion.frames - 1);
    this.setTime(frame * this.motion.frameLength);
  }

  play() {
    if (!this.canPlay) return;
    if (!this.loop && this.time >= this.motion.duration) this.setTime(0);
    this.playing = true;
    this.onChange();
  }

  pause() {
    this.playing = false;
    this.onChange();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Advances by real time in seconds. */
  tick(seconds) {
    if (!this.playing) return;
    const { duration } = this.motion;
    let time = this.time + seconds * this.speed;
    if (time >= duration) {
      if (this.loop) time %= duration;
      else this.playing = false;
    }
    this.setTime(time);
  }
}
