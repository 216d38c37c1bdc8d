// Draws where the feet went: each traced node's path on the floor, its footholds and recent trail.
import { CircleGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial } from 'three';
import { footholds, plantedness, standing } from './contact.js';
import { ribbon } from './ribbon.js';

const TRAIL_SECONDS = 0.8;

export class Traces extends Group {
  /**
   * `traced`: [{ node, side, stances }], `motion`: the sampled clip, `size`: of the character,
   * `level`: whether there is a level floor for paths and footholds.
   */
  constructor(traced, motion, size, level) {
    super();
    this.parts = traced.flatMap(({ node, side, stances }) => {
      const path = motion.paths.get(node);
      const values = stances
        ? standing(stances, path.length / 3, motion.step)
        : plantedness(path, motion.step, size);
      const common = { path, values, step: motion.step };
      const trail = ribbon({ ...common, width: 2.5, spacing: 0.001 * size, span: TRAIL_SECONDS });
      trail.renderOrder = 3;
      if (!level) return [{ object: trail, side }];
      const onFloor = ribbon({ ...common, width: 2, spacing: 0.004 * size, whole: true, onFloor: 0.003 * size });
      const dots = footholdDots(footholds(path, values, motion.step), size);
      onFloor.renderOrder = 1;
      dots.renderOrder = 2;
      return [onFloor, dots, trail].map((object) => ({ object, side }));
    });
    for (const { object } of this.parts) this.add(object);
  }

  /** `colourOf(side)`: a CSS colour. */
  setColours(colourOf) {
    for (const { object, side } of this.parts) {
      const colour = object.material.uniforms?.uColour.value ?? object.material.color;
      colour.set(colourOf(side));
    }
  }

  setTime(time) {
    for (const { object } of this.parts) {
      if (object.material.uniforms) object.material.uniforms.uNow.value = time;
    }
  }

  dispose() {
    for (const { object } of this.parts) {
      object.geometry.dispose();
      object.material.dispose();
    }
    this.removeFromParent();
  }
}

function footholdDots(holds, size) {
  const disc = new CircleGeometry(0.014 * size, 24).rotateX(-Math.PI / 2);
  const material = new MeshBasicMaterial({ transparent: true, depthWrite: false, toneMapped: false });
  const dots = new InstancedMesh(disc, material, holds.length);
  dots.frustumCulled = false;
  holds.forEach(([x, z], i) => dots.setMatrixAt(i, new Matrix4().makeTranslation(x, 0.003 * size, z)));
  return dots;
}
