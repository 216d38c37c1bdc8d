// Puts the parts together: character, stage, camera, overlays and controls, and the frame loop.
import { readAddress } from './address.js';
import { Camera } from './camera.js';
import { worldPosition } from './character.js';
import { knownClip, showClip } from './clip_panel.js';
import { connectControls, setPressed, showMotion, showTime } from './controls.js';
import { byId } from './dom.js';
import { Ghost } from './ghost.js';
import { connectKeyboard } from './keyboard.js';
import { addNotes, fillLegend, offerHighView } from './panel.js';
import { Player } from './player.js';
import { Quality } from './quality.js';
import { Readout } from './readout.js';
import { Skeleton } from './skeleton.js';
import { Stage } from './stage.js';
import { Surroundings } from './surroundings.js';
import { Traces } from './traces.js';

const LONGEST_TICK = 0.25; // after a pause of the browser, go on instead of jumping

export class Viewer {
  constructor(character, data) {
    this.character = character;
    this.data = data;
    this.findTraced(data);
    this.stage = new Stage(byId('canvas'), character);
    this.camera = new Camera(byId('canvas'), character);
    this.camera.controls.addEventListener('change', () => this.redraw());
    this.surround(data.scene);

    const hasMesh = character.meshes.length > 0;
    this.skeleton = new Skeleton(character, hasMesh);
    this.skeleton.visible = !hasMesh;
    this.stage.scene.add(this.skeleton);
    byId('skeleton').disabled = !hasMesh; // without a mesh the skeleton is all there is to see
    setPressed('skeleton', !hasMesh);

    this.addGhost(data);
    this.showTraces = true;
    byId('traces').hidden = this.traced.length === 0;
    // Over ground that is not level, a height over 0 tells nothing.
    this.readout = new Readout(this.stage.relief ? [] : this.traced, character.size);
    fillLegend(this.stage.ground.cell, this.traced, data);

    this.player = new Player(character, this.traced.map(({ node }) => node), {
      onClip: (motion) => this.useMotion(motion),
      onChange: () => this.redraw(),
    });
    this.player.chooseClip(0);
    this.view = this.stage.relief ? 'behind' : this.surroundings ? 'high' : 'threequarter';
    const actions = this.actions();
    connectControls(this.player, actions);
    connectKeyboard(this.player, actions);
    byId('toolbar').hidden = false;
    this.watchPage();
    this.start();
  }

  /** Splits the wanted traces into nodes that exist and names that do not. */
  findTraced({ traces = [] }) {
    const wanted = traces.map((trace, number) => ({
      number,
      label: trace.label ?? trace.node,
      side: trace.side,
      stances: trace.stances,
      name: trace.node,
      node: this.character.nodesByIndex.get(trace.index) ?? this.character.nodesByName.get(trace.node),
    }));
    this.traced = wanted.filter(({ node }) => node);
    this.missing = wanted.filter(({ node }) => !node).map(({ name }) => name);
  }

  /** Legs as they were before, on pages of a change. */
  addGhost({ ghost, placing }) {
    byId('ghost').hidden = !ghost;
    if (!ghost) return;
    this.ghost = new Ghost(ghost, placing?.ground ?? 0);
    this.showGhost = true;
    this.stage.scene.add(this.ghost);
  }

  /** Puts ground, walls, ways and prints around the character. */
  surround(scene) {
    if (!scene) return;
    offerHighView();
    this.surroundings = new Surroundings(scene);
    this.stage.scene.add(this.surroundings);
    this.stage.widenSun();
    if (scene.ground) {
      this.stage.setRelief(scene.ground);
      this.camera.setRelief(this.stage.relief);
    }
  }

  actions() {
    const { player, camera } = this;
    const then = (run) => (...values) => {
      run(...values);
      this.redraw();
    };
    return {
      togglePlay: () => player.toggle(),
      step: (frames) => player.stepFrames(frames),
      jump: (time) => player.jump(time),
      toggleLoop: then(() => setPressed('loop', (player.loop = !player.loop))),
      toggleFollow: then(() => {
        camera.setFollowing(!camera.following);
        setPressed('follow', camera.following);
      }),
      toggleTraces: then(() => {
        this.showTraces = !this.showTraces;
        this.traces.visible = this.showTraces;
        if (this.surroundings) this.surroundings.marks.visible = this.showTraces;
        setPressed('traces', this.showTraces);
      }),
      toggleGhost: then(() => {
        if (!this.ghost) return;
        this.showGhost = !this.showGhost;
        setPressed('ghost', this.showGhost);
      }),
      toggleSkeleton: then(() => {
        if (byId('skeleton').disabled) return;
        this.skeleton.visible = !this.skeleton.visible;
        setPressed('skeleton', this.skeleton.visible);
      }),
      toggleHelp: () => {
        const dialog = byId('help-dialog');
        if (dialog.open) dialog.close();
        else dialog.showModal();
      },
      /** Without a name: the view chosen last, again. */
      view: then((name = this.view) => {
        this.view = name;
        this.lookAtCharacter();
      }),
    };
  }

  lookAtCharacter() {
    const { motion, time } = this.player;
    this.camera.setFocus(motion.focusAt(time));
    this.camera.setView(this.view, this.character.heading(motion.root));
  }

  useMotion(motion) {
    this.traces?.dispose();
    const index = Math.max(this.character.clips.indexOf(motion.clip), 0);
    const known = knownClip(this.data, index);
    // Where nothing is known of another clip's stances, they are told from the paths.
    const stances = ({ number }) => known?.stances?.[number] ?? null;
    const traced = index === 0 ? this.traced : this.traced.map((trace) => ({ ...trace, stances: stances(trace) }));
    this.traces = new Traces(traced, motion, this.character.size, !this.stage.relief);
    this.traces.visible = this.showTraces;
    this.stage.scene.add(this.traces);
    this.readColours();
    showClip(this.data, motion, known, (time) => this.player.jump(time));
    addNotes(this.missing.map((name) => `Not traced: the file has no node named “${name}”.`));
    showMotion(motion);
  }

  /** Colours live in the stylesheet, which knows whether the reader prefers light or dark. */
  readColours() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    this.stage.setColours(colour);
    this.surroundings?.setColours(colour);
    this.skeleton.setColour(colour('--bone'));
    this.ghost?.setColour(colour('--ghost'));
    this.traces.setColours((side) =>
      colour(side === 'left' || side === 'right' ? `--trace-${side}` : '--trace-other'));
    this.redraw();
  }

  watchPage() {
    this.resize();
    new ResizeObserver(() => this.resize()).observe(byId('stage'));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.readColours());
    addEventListener('hashchange', () => this.followAddress());
  }

  resize() {
    const { clientWidth, clientHeight } = byId('stage');
    const [width, height] = [Math.max(clientWidth, 1), Math.max(clientHeight, 1)];
    this.stage.resize(width, height);
    this.camera.resize(width, height);
    // Drawn at once: a resized canvas is empty, and waiting for the next frame would flash.
    if (this.drawn) this.draw();
  }

  followAddress() {
    const { time, view } = readAddress();
    if (time !== undefined) {
      this.player.jump(time);
    }
    if (view) this.view = view;
    this.lookAtCharacter();
    this.redraw();
    return time === undefined;
  }

  start() {
    if (this.followAddress()) this.player.play();
    this.draw();
    this.drawn = true;
    this.quality = new Quality((level) => {
      this.stage.setQuality(level);
      this.resize();
    });
    let last = performance.now();
    let busy = false; // whether the last frame was drawn: only then its time tells what drawing takes
    const frame = (now) => {
      requestAnimationFrame(frame);
      const took = Math.max(now - last, 0) / 1000;
      this.player.tick(Math.min(took, LONGEST_TICK));
      last = now;
      if (busy && !document.hidden) this.quality.frameTook(took);
      this.camera.update();
      busy = this.stale;
      if (this.stale) this.draw();
    };
    requestAnimationFrame(frame);
  }

  redraw() {
    this.stale = true;
  }

  draw() {
    this.stale = false;
    const { motion, time } = this.player;
    const focus = motion.focusAt(time);
    this.camera.setFocus(focus);
    this.camera.update();
    if (this.skeleton.visible) this.skeleton.update();
    this.traces.setTime(time);
    this.surroundings?.setTime(time);
    if (this.ghost) {
      // It is of the first clip.
      this.ghost.visible = this.showGhost && motion.clip === this.character.clips[0];
      this.ghost.setTime(time);
    }
    this.readout.update(this.player);
    showTime(this.player);
    this.surroundings?.seeThrough(this.camera.camera.position, focus, this.character.height);
    this.stage.render(this.camera.camera, this.camera.target, focus);
  }

  info() {
    const { motion, time } = this.player;
    return {
      time,
      duration: motion.duration,
      frames: motion.frames,
      clips: this.character.clips.map((clip) => clip.name),
      height: this.character.height,
      walls: this.surroundings?.walls.length ?? 0,
      movers: this.surroundings?.movers.map(({ mesh }) => mesh.position.toArray()) ?? [],
      prints: this.surroundings?.prints.length ?? 0,
      relief: this.stage.relief?.surface.geometry.index.count / 6 || 0,
      ghost: this.ghost?.visible ?? false,
      quality: this.quality.level,
      rootPosition: worldPosition(motion.root).toArray(),
      joints: this.character.joints.map((joint) => worldPosition(joint).toArray()),
    };
  }
}
