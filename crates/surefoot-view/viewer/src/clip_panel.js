// What the page says beside the clip that is chosen: what its data tell of it, else what can be measured here.
import { fillCharts } from './charts.js';
import { fillHeader, fillPanel } from './panel.js';
import { fillPlaces } from './places.js';

/** What the data tell of the clip of that number in the file; null where they tell nothing. */
export function knownClip(data, index) {
  if (index === 0) return data;
  return data.clips?.find((clip) => clip.index === index) ?? null;
}

/** `motion`: of the chosen clip, `known`: what the data tell of it, `jump(time)`: leads to a place. */
export function showClip(data, motion, known, jump) {
  const shown = known ? { subtitle: data.subtitle, ...known } : measured(data, motion);
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
    { label: 'distance', value: `${lengthWalked().toFixed(2)} m` },
  ];
  const notes = [`Figures and curves are of “${title}” only. When feet stand in this clip is estimated from their paths.`];
  return { title: clip?.name || 'clip without a name', subtitle, facts, notes };
}
