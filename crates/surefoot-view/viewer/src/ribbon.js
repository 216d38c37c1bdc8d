// A line of constant width on the screen along a sampled path, with a value and a time per point.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, ShaderMaterial, Vector2 } from 'three';

const VERTEX = /* glsl */ `
  attribute vec3 before, after;
  attribute float side, value, time;
  uniform vec2 uPixels;
  uniform float uWidth;
  varying float vValue, vTime;

  vec4 toClip(vec3 point) {
    #ifdef FLOOR_HEIGHT
      point.y = FLOOR_HEIGHT;
    #endif
    return projectionMatrix * viewMatrix * vec4(point, 1.0);
  }
  vec2 toScreen(vec4 clip) { return clip.xy / max(clip.w, 1e-5) * uPixels; }

  void main() {
    vec4 here = toClip(position);
    vec2 along = toScreen(toClip(after)) - toScreen(toClip(before));
    vec2 across = normalize(vec2(-along.y, along.x) + vec2(1e-6, 0.0));
    float width = uWidth;
    #ifdef WHOLE
      width *= 1.0 + 0.8 * value;
    #endif
    here.xy += across * side * width / uPixels * here.w;
    gl_Position = here;
    vValue = value;
    vTime = time;
  }`;

const FRAGMENT = /* glsl */ `
  uniform vec3 uColour;
  uniform float uNow, uSpan;
  varying float vValue, vTime;
  void main() {
    #ifdef WHOLE
      float alpha = mix(0.28, 1.0, vValue);
    #else
      float age = (uNow - vTime) / uSpan;
      float alpha = age < 0.0 || age > 1.0 ? 0.0 : 0.75 * (1.0 - age);
    #endif
    gl_FragColor = vec4(uColour, alpha);
    #include <colorspace_fragment>
  }`;

/**
 * `whole`: all of the path, strong where the value is 1; else only its last `span` seconds show.
 * `onFloor` (a height): pressed onto the floor there.
 */
export function ribbon({ path, values, step, width, spacing, whole = false, onFloor, span = 1 }) {
  const uniforms = {
    uColour: { value: new Color() },
    uPixels: { value: new Vector2(1, 1) },
    uWidth: { value: width },
    uNow: { value: 0 },
    uSpan: { value: span },
  };
  const defines = {
    ...(whole && { WHOLE: '' }),
    ...(onFloor !== undefined && { FLOOR_HEIGHT: onFloor.toExponential() }),
  };
  const material = new ShaderMaterial({
    uniforms, defines, vertexShader: VERTEX, fragmentShader: FRAGMENT,
    transparent: true, depthWrite: false, side: DoubleSide,
  });
  const mesh = new Mesh(stripGeometry(path, values, step, spacing), material);
  mesh.frustumCulled = false;
  mesh.onBeforeRender = (renderer) => {
    renderer.getDrawingBufferSize(uniforms.uPixels.value);
    uniforms.uWidth.value = width * renderer.getPixelRatio();
  };
  return mesh;
}

/** Two vertices per kept sample, which the vertex shader moves apart across the line. */
function stripGeometry(path, values, step, spacing) {
  const kept = keepSpaced(path, spacing);
  const columns = { position: 3, before: 3, after: 3, side: 1, value: 1, time: 1 };
  const rows = Object.fromEntries(Object.keys(columns).map((name) => [name, []]));
  const index = [];
  kept.forEach((sample, k) => {
    const at = (i) => path.subarray(3 * i, 3 * i + 3);
    for (const side of [-1, 1]) {
      rows.position.push(...at(sample));
      rows.before.push(...at(kept[Math.max(k - 1, 0)]));
      rows.after.push(...at(kept[Math.min(k + 1, kept.length - 1)]));
      rows.side.push(side);
      rows.value.push(values[sample]);
      rows.time.push(sample * step);
    }
    const v = 2 * k;
    if (k + 1 < kept.length) index.push(v, v + 1, v + 2, v + 2, v + 1, v + 3);
  });
  const geometry = new BufferGeometry();
  for (const [name, width] of Object.entries(columns)) {
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(rows[name]), width));
  }
  return geometry.setIndex(index);
}

/** Samples closer than `spacing` to the last kept one have no direction worth drawing. */
function keepSpaced(path, spacing) {
  const count = path.length / 3;
  const kept = [0];
  for (let i = 1; i < count; i++) {
    const last = kept[kept.length - 1];
    const moved = [0, 1, 2].map((axis) => path[3 * i + axis] - path[3 * last + axis]);
    if (Math.hypot(...moved) >= spacing || i === count - 1) kept.push(i);
  }
  return kept;
}
