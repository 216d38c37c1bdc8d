// Lists the worst places of the data in the side panel: buttons that jump to their time.
import { byId, element } from './dom.js';

/** `jump(time)`: shows the character standing still at that time. */
export function fillPlaces({ places = [] }, jump) {
  byId('places').hidden = places.length === 0;
  byId('places-list').replaceChildren(...places.map(({ time, label }) => {
    const button = element('button', element('span', `${time.toFixed(2)} s`), label);
    button.addEventListener('click', () => jump(time));
    return element('li', button);
  }));
}
