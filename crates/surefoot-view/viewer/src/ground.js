// The floor: an endless-looking grid that fades with distance, and the surface that takes shadows.
import { Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Color, DoubleSide, Vector2 } from 'three';
import { CUT, CUT_PARAMETERS } from './cutaway.js';

const VERTEX = /* glsl */ `
  varying vec2 vFloor;
  varying vec3 vWorld;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    vFloor = world.xz;
    vWorld = world.xyz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

const FRAGMENT = /* glsl */ `
  uniform vec3 uLine, uFill;
  uniform vec2 uCentre;
  uniform float uCell, uReach, uPixelRatio;
  varying vec2 vFloor;
  varying vec3 vWorld;
  #ifdef ON_RELIEF
    ${CUT_PARAMETERS}
  #endif

  // Coverage of grid lines a given number of pixels wide; lines closer than a few pixels melt away.
  float grid(float cell, float pixels) {
    vec2 at = vFloor / cell;
    vec2 perPixel = fwidth(at);
    vec2 distance = abs(fract(at - 0.5) - 0.5) / perPixel;
    vec2 line = 1.0 - smoothstep(0.5 * pixels - 0.5, 0.5 * pixels + 0.5, distance);
    line *= 1.0 - smoothstep(0.08, 0.35, perPixel);
    return max(line.x, line.y);
  }

  void main() {
    float far = length(vFloor - uCentre) / uReach;
    float fade = 1.0 - smoothstep(0.15, 1.0, far);
    float line = max(0.45 * grid(uCell, uPixelRatio), grid(5.0 * uCell, 1.8 * uPixelRatio));
    #ifdef ON_RELIEF
      vec3 at = (viewMatrix * vec4(vWorld, 1.0)).xyz;
      ${CUT}
      vec3 normal = normalize(cross(dFdx(vWorld), dFdy(vWorld)));
      gl_FragColor = vec4(uLine, 0.6 * fade * line * step(0.3, abs(normal.y)));
    #else
      gl_FragColor = vec4(mix(uFill, uLine, line), fade * max(0.5, line));
    #endif
    #include <colorspace_fragment>
  }`;

export class Ground extends Group {
  constructor(size) {
    super();
    this.size = size;
    // 1 m squares, except for characters so small or large that they would tell nothing.
    this.cell = size < 0.4 || size > 25 ? Number(`1e${Math.floor(Math.log10(size))}`) : 1;
    this.uniforms = {
      uLine: { value: new Color() },
      uFill: { value: new Color() },
      uCentre: { value: new Vector2() },
      uCell: { value: this.cell },
      uReach: { value: 1 },
      uPixelRatio: { value: 1 },
    };
    const plane = new PlaneGeometry(2, 2).rotateX(-Math.PI / 2);
    // Neither writes depth: lines and shadow lie in the same plane, in the order drawn.
    const shared = { transparent: true, depthWrite: false };
    const grid = new Mesh(plane, new ShaderMaterial({
      ...shared, uniforms: this.uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT,
    }));
    this.shadow = new Mesh(plane, new ShadowMaterial({ ...shared }));
    this.shadow.receiveShadow = true;
    grid.renderOrder = -2;
    this.shadow.renderOrder = -1;
    this.add(grid, this.shadow);
  }

  /** Lines alone, for a surface that is not level and cut away by these uniforms. */
  reliefMaterial(cut) {
    return new ShaderMaterial({
      uniforms: { ...this.uniforms, ...cut }, vertexShader: VERTEX, fragmentShader: FRAGMENT, defines: { ON_RELIEF: '' },
      transparent: true, depthWrite: false, side: DoubleSide,
    });
  }

  setColours({ line, fill, shadowOpacity }) {
    this.uniforms.uLine.value.set(line);
    this.uniforms.uFill.value.set(fill);
    this.shadow.material.opacity = shadowOpacity;
  }

  /** Centres the visible part below the point the camera looks at. */
  lookAt(target, cameraDistance, pixelRatio) {
    const reach = Math.max(9 * this.size, 3.5 * cameraDistance);
    this.uniforms.uReach.value = reach;
    this.uniforms.uCentre.value.set(target.x, target.z);
    this.uniforms.uPixelRatio.value = pixelRatio;
    this.position.set(target.x, 0, target.z);
    this.scale.setScalar(reach);
  }
}
