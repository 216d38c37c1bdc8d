// The renderer, the lights and the floor: everything in the picture but the character.
import {
  DirectionalLight, HemisphereLight, NeutralToneMapping, PCFShadowMap, PMREMGenerator, Scene, Color,
  WebGLRenderer,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { Ground } from './ground.js';
import { Relief } from './relief.js';

export class Stage {
  constructor(canvas, character) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;

    this.size = character.size;
    this.pixels = 2;
    this.scene = new Scene();
    this.scene.background = new Color();
    // Without surroundings to mirror, metal would be black.
    const pmrem = new PMREMGenerator(this.renderer);
    this.scene.environment = pmrem.fromScene(new RoomEnvironment(), 0.04).texture;
    this.scene.environmentIntensity = 0.35;
    pmrem.dispose();

    this.ground = new Ground(character.size);
    this.scene.add(this.ground, character.scene, new HemisphereLight(0xffffff, 0xb9b4aa, 1.1));
    this.addSun(character);
  }

  addSun({ radius, size }) {
    this.sun = new DirectionalLight(0xffffff, 2.2);
    this.sunOffset = this.sun.position.set(0.32, 1, 0.24).normalize().multiplyScalar(6 * radius).clone();
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.sun.shadow.normalBias = 0.006 * size;
    this.radius = radius;
    this.castWithin(2 * radius);
    this.scene.add(this.sun, this.sun.target);
  }

  /** Lets everything within a distance of the character cast shadows. */
  castWithin(reach) {
    Object.assign(this.sun.shadow.camera, {
      left: -reach, right: reach, top: reach, bottom: -reach, near: this.radius, far: 6 * this.radius + 4 * reach,
    });
    this.sun.shadow.camera.updateProjectionMatrix();
  }

  /** Where walls stand around the character, they cast shadows as far as can be seen well. */
  widenSun() {
    this.sunOffset.multiplyScalar(3);
    this.sun.shadow.mapSize.set(4096, 4096);
    this.castWithin(9 * this.radius);
  }

  /** Ground takes the place of the level floor. */
  setRelief(mesh) {
    this.relief = new Relief(mesh, (cut) => this.ground.reliefMaterial(cut));
    this.ground.visible = false;
    // It casts shadows on itself, which fine shadows do without stripes.
    this.sun.shadow.normalBias *= 3;
    this.castWithin(5 * this.radius);
    this.scene.add(this.relief);
  }

  /** `colour(name)`: the value of a custom property of the stylesheet. */
  setColours(colour) {
    this.scene.background.set(colour('--scene'));
    this.relief?.setColours(colour);
    this.ground.setColours({
      line: colour('--grid'),
      fill: colour('--floor'),
      shadowOpacity: Number(colour('--shadow')),
    });
  }

  /** `pixels`: of the picture for one of the screen at most, `shadows`: share of their map's pixels, 0 for none. */
  setQuality({ pixels, shadows }) {
    this.pixels = pixels;
    const { shadow } = this.sun;
    this.sun.castShadow = shadows > 0;
    this.wholeMap ??= shadow.mapSize.x;
    if (shadows > 0) shadow.mapSize.setScalar(this.wholeMap * shadows);
    shadow.map?.dispose();
    shadow.map = null; // made anew in its new size
  }

  resize(width, height) {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, this.pixels));
    this.renderer.setSize(width, height, false);
  }

  /** Moves light and floor along, so that a long walk never leaves them. */
  render(camera, target, focus) {
    this.ground.lookAt(target, camera.position.distanceTo(target), this.renderer.getPixelRatio());
    this.relief?.cutaway.lookAt(camera, focus, 0.55 * this.size);
    this.sun.target.position.copy(focus);
    this.sun.position.copy(focus).add(this.sunOffset);
    this.renderer.render(this.scene, camera);
  }
}
