// Ground that is not level: a shaded surface with grid lines on it, which the eye stays above.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, MeshStandardMaterial, Raycaster, Vector3 } from 'three';
import { Cutaway } from './cutaway.js';
import { decodeBase64 } from './data.js';

const DOWN = new Vector3(0, -1, 0);

export class Relief extends Group {
  /** `mesh`: as surefoot packs it, `gridMaterial(cut)`: draws lines on what is nearly level and not cut away. */
  constructor({ points, quads }, gridMaterial) {
    super();
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(decodeBase64(points)), 3));
    const corners = new Uint32Array(decodeBase64(quads));
    const index = new Uint32Array(1.5 * corners.length);
    for (let quad = 0, at = 0; quad < corners.length; quad += 4) {
      for (const corner of [0, 1, 2, 0, 2, 3]) index[at++] = corners[quad + corner];
    }
    geometry.setIndex(new BufferAttribute(index, 1));
    geometry.computeVertexNormals(); // shadows are offset along them; shading is by face
    // What lies on it is drawn a little nearer to the eye: the surface steps back.
    this.surface = new Mesh(geometry, new MeshStandardMaterial({
      roughness: 0.95, side: DoubleSide, flatShading: true,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2,
    }));
    this.cutaway = new Cutaway(this.surface.material);
    this.surface.castShadow = true;
    this.surface.receiveShadow = true;
    const grid = new Mesh(geometry, gridMaterial(this.cutaway.uniforms));
    grid.renderOrder = -2;
    this.add(this.surface, grid);
    this.ray = new Raycaster();
  }

  setColours(colour) {
    this.surface.material.color.set(colour('--ground'));
  }

  /** Whether nothing is between two points, and the first is above the ground. */
  sees(eye, point) {
    const towards = point.clone().sub(eye);
    this.ray.set(eye, towards.clone().normalize());
    this.ray.far = towards.length();
    if (this.ray.intersectObject(this.surface).length) return false;
    this.ray.set(eye.clone().addScaledVector(DOWN, -1e3), DOWN);
    this.ray.far = 1e3;
    return this.ray.intersectObject(this.surface).length === 0;
  }
}
