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
  for (const { label, value } of facts) {
    byId('facts').append(element('dt', label), element('dd', String(value)));
  }
  addNotes(notes);
}

export function addNotes(notes) {
  byId('notes').append(...notes.map((note) => element('p', note)));
}

export function fillLegend(cell, traced) {
  const lines = [`Grid: ${cell} m squares, stronger every ${5 * cell} m.`];
  if (traced.length) {
    lines.push('Traces: paths over the floor, strong where a foot stands; a dot where it stood.');
  }
  byId('legend').append(...lines.map((line) => element('p', line)));
}

/** A coloured dot for a traced node's side. */
export function sideMark(side) {
  const mark = element('i');
  if (side) mark.dataset.side = side;
  return mark;
}
