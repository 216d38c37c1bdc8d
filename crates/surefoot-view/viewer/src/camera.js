// The camera: orbiting by hand, named views relative to the character, and following it.
import { PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const UP = new Vector3(0, 1, 0);
const RADIANS = Math.PI / 180;
// Angle about the vertical from the character's heading (positive: towards its left), elevation,
// both in degrees, and distance. The side view is from its right: it then walks to the right.
const VIEWS = {
  front: { turn: 0, rise: 4, distance: 1 },
  side: { turn: -90, rise: 4, distance: 1 },
  // From behind the vertical, so that the heading points up the screen.
  top: { turn: 180, rise: 89.9, distance: 1.5 },
  threequarter: { turn: 40, rise: 16, distance: 1 },
  // Over walls, from behind.
  high: { turn: 150, rise: 48, distance: 2.1 },
  // Over ground, from behind its right side.
  behind: { turn: -115, rise: 20, distance: 1.35 },
};

export class Camera {
  constructor(canvas, { size, height, girth }) {
    Object.assign(this, { size, height, girth });
    this.camera = new PerspectiveCamera(35, 1, 0.02 * size, 400 * size);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.minDistance = 0.15 * size;
    this.controls.maxDistance = 60 * size;
    this.following = true;
    this.focus = new Vector3();
  }

  static hasView(name) {
    return Object.hasOwn(VIEWS, name);
  }

  get target() {
    return this.controls.target;
  }

  resize(width, height) {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** The distance at which the whole character fits, both ways, with some air around it. */
  fitDistance() {
    const slope = Math.tan((this.camera.fov / 2) * (Math.PI / 180));
    const fit = Math.max(this.height, this.girth / this.camera.aspect, 0.5 * this.size);
    return (1.45 * fit) / 2 / slope + this.girth / 4;
  }

  /** Ground that the eye stays above; the floor is not level then. */
  setRelief(relief) {
    this.relief = relief;
  }

  setView(name, heading) {
    const { turn, rise, distance } = VIEWS[name];
    const sideways = heading.clone().applyAxisAngle(UP, turn * RADIANS);
    const from = (degrees) => sideways.clone()
      .multiplyScalar(Math.cos(degrees * RADIANS))
      .addScaledVector(UP, Math.sin(degrees * RADIANS))
      .multiplyScalar(distance * this.fitDistance())
      .add(this.focus);
    this.target.copy(this.focus);
    this.camera.position.copy(from(rise));
    // Higher than a hill in between; below a roof, which no view is higher than, as it is.
    const seen = (degrees) => this.relief.sees(from(degrees), this.focus);
    if (this.relief) {
      let up = rise;
      while (up < 85 && !seen(up)) up += 5;
      this.camera.position.copy(from(up < 85 ? up : rise));
    }
    this.update();
  }

  /** Turning it on brings the character back to the middle. */
  setFollowing(on) {
    this.following = on;
    if (on) this.shift(this.focus.clone().sub(this.target));
  }

  /** Tells where the character is now. Only the change is followed: panning by hand stays. */
  setFocus(focus) {
    if (this.following) this.shift(focus.clone().sub(this.focus));
    this.focus.copy(focus);
  }

  shift(by) {
    this.target.add(by);
    this.camera.position.add(by);
  }

  /** Once per frame: hand movements, and their fading out. */
  update() {
    // The camera may sink as far as just above the floor, never below it; on ground, to the character's feet.
    const distance = this.camera.position.distanceTo(this.target);
    const drop = (this.relief ? 0.4 * this.height : this.target.y - 0.02 * this.size) / distance;
    this.controls.maxPolarAngle = Math.PI / 2 + Math.asin(Math.min(Math.max(drop, -1), 1));
    this.controls.update();
  }
}
