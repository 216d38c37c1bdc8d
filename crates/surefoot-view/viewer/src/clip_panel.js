// What the page says beside the clip that is chosen: of the first what its data tell, of others what can be measured here.
import { fillCharts } from './charts.js';
import { fillHeader, fillPanel } from './panel.js';
import { fillPlaces } from './places.js';

/** `motion`: of the chosen clip, `first`: whether the data are about it, `jump(time)`: leads to a place. */
export function showClip(data, motion, first, jump) {
  const shown = first ? data : measured(data, motion);
  fillHeader(shown);
  fillPanel(shown);
  fillPlaces(shown, jump);
  fillCharts(shown);
}

function measured({ title, subtitle }, { clip, duration, frameLength, frames, lengthWalked }) {
  const rate = frameLength > 0 ? `, ${Number((1 / frameLength).toFixed(2))} Hz` : '';
  const facts = [
    { label: 'length', value: `${duration.toFixed(2)} s${rate}` },
    { label: 'frames', value: frames },
    { label: 'way of the root', value: `${lengthWalked().toFixed(2)} m` },
  ];
  const notes = [`Figures, places and curves were made for “${title}” alone; stances are told from the paths of the feet.`];
  return { title: clip?.name || 'clip without a name', subtitle, facts, notes };
}
