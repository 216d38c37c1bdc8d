// Leaves out what a surface has between the eye and the character, so that storeys and walls never hide it.
import { Vector3 } from 'three';

export const CUT_PARAMETERS = /* glsl */ `
  #define WIDER 6.0
  uniform vec3 uSeen, uUp;
  uniform float uRoom;`;

// `at` is the place that is drawn, seen from the eye. `along` the line of sight it is 0 at the eye and 1 at the character;
// the gap is a cone around that line, and a wider one for what is higher than the hips. Dots at its rim soften it.
export const CUT = /* glsl */ `
  float along = dot(at, uSeen) / dot(uSeen, uSeen);
  float aside = length(at - along * uSeen) / (uRoom * max(along, 0.0) + 1e-6);
  float dots = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453);
  float high = smoothstep(-0.3, 0.3, dot(at - uSeen, uUp) / uRoom);
  if (along < 1.0 - uRoom / length(uSeen) && aside < mix(1.0, WIDER, high) * (0.9 + 0.2 * dots)) discard;`;

export class Cutaway {
  /** `material`: a standard material. */
  constructor(material) {
    this.uniforms = {
      uSeen: { value: new Vector3(0, 0, -1) }, uUp: { value: new Vector3(0, 1, 0) }, uRoom: { value: 0 },
    };
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.fragmentShader = shader.fragmentShader
        .replace('void main() {', `${CUT_PARAMETERS}\nvoid main() {\n  vec3 at = -vViewPosition;${CUT}`);
    };
  }

  /** `focus`: the middle of the character, `room`: how along around it is kept free, metres. */
  lookAt(camera, focus, room) {
    camera.updateMatrixWorld();
    this.uniforms.uSeen.value.copy(focus).applyMatrix4(camera.matrixWorldInverse);
    this.uniforms.uUp.value.set(0, 1, 0).transformDirection(camera.matrixWorldInverse);
    this.uniforms.uRoom.value = room;
  }
}
