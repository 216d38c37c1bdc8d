// Draws the skeleton: a slim double pyramid from each joint to its parent, a ball at each joint.
import {
  BufferGeometry, Float32BufferAttribute, Group, InstancedMesh, IcosahedronGeometry, Matrix4,
  MeshLambertMaterial, Quaternion, Vector3,
} from 'three';
import { drawnJoints, parentJoint, worldPosition } from './character.js';

const UP = new Vector3(0, 1, 0);

export class Skeleton extends Group {
  /** `overMesh`: drawn on top of everything, else a solid body with a shadow of its own. */
  constructor({ joints, meshes, size }, overMesh) {
    super();
    this.size = size;
    this.joints = drawnJoints(joints, meshes);
    const all = new Set(this.joints);
    this.bones = this.joints
      .map((joint) => [parentJoint(joint, all), joint])
      .filter(([parent]) => parent !== null);

    this.material = new MeshLambertMaterial({ transparent: overMesh, flatShading: true });
    this.boneMeshes = this.instances(doublePyramid(), this.bones.length, overMesh);
    this.jointMeshes = this.instances(new IcosahedronGeometry(1, 1), this.joints.length, overMesh);
    // Forgetting the depth of the mesh puts the bones on top of it and keeps their own order right.
    if (overMesh) this.jointMeshes.onBeforeRender = (renderer) => renderer.clearDepth();
    this.jointMeshes.renderOrder = 10;
    this.boneMeshes.renderOrder = 11;
    this.add(this.jointMeshes, this.boneMeshes);
  }

  instances(geometry, count, overMesh) {
    const mesh = new InstancedMesh(geometry, this.material, count);
    mesh.frustumCulled = false;
    mesh.castShadow = !overMesh;
    return mesh;
  }

  setColour(colour) {
    this.material.color.set(colour);
  }

  /** Follows the joints to their present places. */
  update() {
    const [a, b, scale] = [new Vector3(), new Vector3(), new Vector3()];
    const turn = new Quaternion();
    const matrix = new Matrix4();
    this.bones.forEach(([parent, joint], i) => {
      worldPosition(parent, a);
      worldPosition(joint, b).sub(a);
      const length = b.length();
      const width = Math.min(0.09 * length, 0.014 * this.size);
      turn.setFromUnitVectors(UP, length > 0 ? b.divideScalar(length) : UP);
      this.boneMeshes.setMatrixAt(i, matrix.compose(a, turn, scale.set(width, length, width)));
    });
    scale.setScalar(0.006 * this.size);
    turn.identity();
    this.joints.forEach((joint, i) => {
      this.jointMeshes.setMatrixAt(i, matrix.compose(worldPosition(joint, a), turn, scale));
    });
    this.boneMeshes.instanceMatrix.needsUpdate = true;
    this.jointMeshes.instanceMatrix.needsUpdate = true;
  }
}

/** From the origin to (0, 1, 0), widest near the origin. */
function doublePyramid() {
  const waist = [[1, 0], [0, 1], [-1, 0], [0, -1]].map(([x, z]) => [x, 0.15, z]);
  const corners = waist.flatMap((corner, i) => {
    const next = waist[(i + 1) % 4];
    return [[0, 0, 0], corner, next, [0, 1, 0], next, corner].flat();
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}
