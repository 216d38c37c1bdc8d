// Shows the charts of the data in the side panel; pressing one opens it large.
import { byId, element } from './dom.js';

const NAMESPACE = 'http://www.w3.org/2000/svg';

export function fillCharts({ charts = [] }) {
  byId('charts').replaceChildren(...charts.map(({ title, svg }) => {
    const address = imageAddress(svg);
    const button = element('button', image(address, title));
    button.title = 'Enlarge';
    button.addEventListener('click', () => enlarge(title, address));
    return element('figure', element('figcaption', title), button);
  }));
  byId('chart-dialog').onclick = () => byId('chart-dialog').close();
}

function enlarge(title, address) {
  byId('chart-title').textContent = title;
  byId('chart-large').replaceChildren(image(address, title));
  byId('chart-dialog').showModal();
}

function image(address, title) {
  const made = element('img');
  made.src = address;
  made.alt = title;
  return made;
}

/** As an image no script in the SVG can run. Unlike in a page, it needs its namespace there. */
function imageAddress(svg) {
  const complete = svg.replace(/<svg(?=[\s>])(?![^>]*\sxmlns=)/, `<svg xmlns="${NAMESPACE}"`);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(complete)}`;
}
