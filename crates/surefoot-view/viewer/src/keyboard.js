// Connects the keyboard to the same actions as the buttons.
import { changeSpeed } from './controls.js';
import { byId } from './dom.js';

export function connectKeyboard(player, actions) {
  const keys = {
    ' ': actions.togglePlay,
    ArrowLeft: (event) => actions.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => actions.step(event.shiftKey ? 10 : 1),
    Home: () => player.setTime(0),
    End: () => player.setTime(player.motion.duration),
    '[': () => changeSpeed(-1),
    ']': () => changeSpeed(1),
    1: () => actions.view('front'),
    2: () => actions.view('side'),
    3: () => actions.view('top'),
    4: () => actions.view('threequarter'),
    ...(document.querySelector('[data-view=high]') && { 5: () => actions.view('high') }),
    f: actions.toggleFollow,
    t: actions.toggleTraces,
    b: actions.toggleSkeleton,
    g: actions.toggleGhost,
    l: actions.toggleLoop,
    '?': actions.toggleHelp,
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!Object.hasOwn(keys, key)) return;
    const { target } = event;
    if (target.closest('select, input[type=search]')) return; // its own arrows, letters and space are for its entries
    if (key === ' ' && target.closest('button')) return; // presses the button it was tabbed to
    const dialog = document.querySelector('dialog[open]');
    if (dialog && !(dialog === byId('help-dialog') && key === '?')) return;
    event.preventDefault(); // arrows would move the scrub bar a second time
    keys[key](event);
  });
}
