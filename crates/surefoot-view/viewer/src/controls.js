// Connects buttons, scrub bar and choosers to the player and the view, and shows their state.
import { connectClipChooser } from './clip_chooser.js';
import { byId } from './dom.js';

/** `actions`: what the page can do, shared with the keyboard. */
export function connectControls(player, actions) {
  const click = (id, run) => byId(id).addEventListener('click', run);
  click('play', actions.togglePlay);
  click('back', () => actions.step(-1));
  click('forward', () => actions.step(1));
  click('loop', actions.toggleLoop);
  click('follow', actions.toggleFollow);
  click('traces', actions.toggleTraces);
  click('skeleton', actions.toggleSkeleton);
  click('ghost', actions.toggleGhost);
  click('help', actions.toggleHelp);
  for (const button of document.querySelectorAll('[data-view]')) {
    button.addEventListener('click', () => actions.view(button.dataset.view));
  }
  // A button used by mouse gives the focus back, so that the space bar plays instead of pressing it.
  // It does so before it acts (capture): a dialog it opens would return the focus to it at the end.
  document.addEventListener('click', (event) => {
    if (event.detail > 0) event.target.closest('button')?.blur();
  }, { capture: true });

  byId('scrub').addEventListener('input', (event) => {
    player.pause();
    player.setTime(event.target.value);
  });
  byId('speed').addEventListener('change', (event) => {
    player.speed = Number(event.target.value);
  });

  connectClipChooser(player.character.clips, (index) => {
    player.chooseClip(index);
    actions.view();
  });
}

/** One notch slower (-1) or faster (1). */
export function changeSpeed(notches) {
  const select = byId('speed');
  const last = select.options.length - 1;
  select.selectedIndex = Math.min(Math.max(select.selectedIndex + notches, 0), last);
  select.dispatchEvent(new Event('change'));
}

export function setPressed(id, on) {
  byId(id).setAttribute('aria-pressed', String(on));
}

/** For a new clip: its length, and whether there is anything to play. */
export function showMotion({ duration }) {
  byId('scrub').max = duration || 1;
  for (const id of ['play', 'back', 'forward', 'scrub', 'speed', 'loop']) {
    byId(id).disabled = !(duration > 0);
  }
}

export function showTime(player) {
  const { motion, time } = player;
  byId('transport').classList.toggle('playing', player.playing);
  byId('play').setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
  const frame = `frame ${player.frame + 1} / ${motion.frames}`;
  byId('clock-frame').textContent = player.canPlay ? frame : 'still pose';
  byId('clock-time').textContent = player.canPlay
    ? `${time.toFixed(2)} / ${motion.duration.toFixed(2)} s`
    : 'no animation';
  byId('scrub').value = time;
  byId('scrub').setAttribute('aria-valuetext', `${frame}, ${time.toFixed(2)} seconds`);
}
