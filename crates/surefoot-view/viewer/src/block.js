// An upright block on an outline: a wall, or something that moves.
import { ExtrudeGeometry, Mesh, MeshStandardMaterial, Shape, ShapeUtils, Vector2 } from 'three';

/** Shapes lie in x and y: z is turned to -y, and up again by the rotation. */
export function block({ corners, height }) {
  const geometry = new ExtrudeGeometry(shape(corners), { depth: height, bevelEnabled: false }).rotateX(-Math.PI / 2);
  const mesh = new Mesh(geometry, new MeshStandardMaterial({ roughness: 0.9 }));
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

function shape(corners) {
  const points = corners.map(([x, z]) => new Vector2(x, -z));
  return new Shape(ShapeUtils.isClockWise(points) ? points.reverse() : points);
}
