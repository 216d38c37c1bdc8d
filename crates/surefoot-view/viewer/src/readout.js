// The live numbers in the corner of the stage: speed of the root, heights of the traced nodes.
import { worldPosition } from './character.js';
import { byId, element } from './dom.js';
import { sideMark } from './panel.js';

export class Readout {
  /** `size`: of the character, metres. */
  constructor(traced, size) {
    [this.unit, this.perMetre] = size > 20 ? ['m', 1] : size < 0.2 ? ['mm', 1000] : ['cm', 100];
    this.speed = element('dd');
    this.heights = traced.map(({ node }) => ({ node, cell: element('dd') }));
    const rows = traced.flatMap(({ label, side }, i) => [
      element('dt', sideMark(side), label), this.heights[i].cell,
    ]);
    byId('readout').append(element('dt', 'speed'), this.speed, ...rows);
    byId('readout').hidden = false;
  }

  update(player) {
    this.speed.textContent = `${player.motion.speedAt(player.time).toFixed(2)} m/s`;
    for (const { node, cell } of this.heights) {
      cell.textContent = `${fixed(this.perMetre * worldPosition(node).y)} ${this.unit}`;
    }
  }
}

/** One decimal, without a minus sign before zero. */
function fixed(number) {
  const text = number.toFixed(1);
  return text === '-0.0' ? '0.0' : text.replace('-', '−');
}
