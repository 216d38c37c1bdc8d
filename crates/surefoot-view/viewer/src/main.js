// Starts the page: reads its data, loads the character, or says in a sentence why it cannot.
import { loadCharacter } from './character.js';
import { decodeBase64, readData } from './data.js';
import { byId } from './dom.js';
import { fillHeader } from './panel.js';
import { Viewer } from './viewer.js';

let viewer = null;

async function start() {
  const data = readPageData();
  fillHeader(data);
  byId('message').textContent = 'Loading the character …';
  viewer = new Viewer(await openCharacter(data), data);
  byId('message').hidden = true;
}

function readPageData() {
  let data;
  try {
    data = readData();
  } catch (error) {
    throw new Error(`The data in this page cannot be read: ${error.message}`);
  }
  if (!data?.glb) {
    throw new Error('This page contains no character: surefoot puts one in when it writes a page.');
  }
  return data;
}

async function openCharacter({ glb, placing }) {
  if (!document.createElement('canvas').getContext('webgl2')) {
    throw new Error('This browser cannot show 3D graphics: WebGL 2 is missing or switched off.');
  }
  try {
    return await loadCharacter(decodeBase64(glb), placing);
  } catch (error) {
    throw new Error(`The character in this page cannot be opened: ${error.message}`);
  }
}

function showFailure(error) {
  byId('message').textContent = error.message;
  byId('message').hidden = false;
  for (const control of byId('transport').querySelectorAll('button, input, select')) {
    control.disabled = true;
  }
}

const ready = start();
ready.catch(showFailure);

// For tests and for pages that embed this one.
window.surefoot = {
  ready,
  setTime(time) {
    viewer?.player.pause();
    viewer?.player.setTime(time);
    viewer?.draw();
  },
  play: () => viewer?.player.play(),
  pause: () => viewer?.player.pause(),
  info: () => viewer?.info() ?? null,
};
