// Reads the wishes in the page's address: #t=3.2 (start paused there), #view=side.
import { Camera } from './camera.js';

export function readAddress() {
  const wishes = new URLSearchParams(location.hash.slice(1));
  const time = wishes.has('t') ? Number(wishes.get('t')) : NaN;
  const view = wishes.get('view');
  return {
    time: Number.isFinite(time) ? time : undefined,
    view: Camera.hasView(view) ? view : undefined,
  };
}
