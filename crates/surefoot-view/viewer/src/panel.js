// Fills the header and the side panel: title, facts, notes and legend.
import { byId, element } from './dom.js';

export function fillHeader({ title, subtitle }) {
  if (title) {
    byId('title').textContent = title;
    document.title = title;
  }
  byId('subtitle').hidden = !subtitle;
  byId('subtitle').textContent = subtitle ?? '';
}

export function fillPanel({ facts = [], notes = [] }) {
  const row = ({ label, value }) => [element('dt', label), element('dd', String(value))];
  byId('facts').replaceChildren(...facts.flatMap(row));
  byId('notes').replaceChildren();
  addNotes(notes);
}

export function addNotes(notes) {
  byId('notes').append(...notes.map((note) => element('p', note)));
}

export function fillLegend(cell, traced, { scene, ghost }) {
  const lines = [`Grid: squares of ${cell} m, with a stronger line every ${5 * cell} m.`];
  if (traced.length && scene?.ground) {
    lines.push('Traces: the last 0.8 s of each foot. A footprint turns solid when its foot comes down.');
  } else if (traced.length) {
    lines.push('Traces: the path of each foot over the floor. Thick lines and dots show where it stands.');
  }
  if (ghost) lines.push('Thin red lines: the legs before cleaning.');
  byId('legend').append(...lines.map((line) => element('p', line)));
  byId('legend').append(...(scene?.lines ?? []).map(({ kind, label }) => {
    const mark = element('i');
    mark.dataset.way = kind;
    return element('p', mark, ` ${label}`);
  }));
}

/** A coloured dot for a traced node's side. */
export function sideMark(side) {
  const mark = element('i');
  if (side) mark.dataset.side = side;
  return mark;
}

/** The view over walls: a button and a line of help, on pages that have walls. */
export function offerHighView() {
  const button = element('button', 'High');
  button.dataset.view = 'high';
  button.title = 'From above and behind (5)';
  byId('views').append(button);
  byId('keys').append(element('dt', element('kbd', '5')), element('dd', 'from above and behind'));
}
