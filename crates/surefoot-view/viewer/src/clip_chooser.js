// Chooses among the clips of a file, with a search where they are many.
import { byId, element } from './dom.js';

const FEW = 8; // clips that are found without a search

/** `choose(index)`: plays another clip. */
export function connectClipChooser(clips, choose) {
  const [chooser, search] = [byId('clip'), byId('clip-search')];
  const options = clips.map((clip, i) => {
    const option = element('option', clip.name || `clip ${i + 1}`);
    option.value = i;
    return option;
  });
  chooser.append(...options);
  chooser.hidden = clips.length < 2;
  chooser.addEventListener('change', () => choose(Number(chooser.value)));
  search.hidden = clips.length <= FEW;
  search.placeholder = `find among ${clips.length}`;
  let playing = 0;
  const remember = () => (playing = Number(chooser.value));
  chooser.addEventListener('change', remember);
  search.addEventListener('input', () => {
    const found = options.filter((option) => matches(option.textContent, search.value));
    chooser.replaceChildren(...(found.length ? found : options));
    search.classList.toggle('nothing', found.length === 0);
    // The first that fits is played at once; the one that plays stays if it fits.
    const stays = found.some((option) => Number(option.value) === playing) || found.length === 0;
    chooser.value = stays ? playing : found[0].value;
    if (!stays) {
      remember();
      choose(playing);
    }
  });
}

/** Whether all words of a search are in a name, in any order and case. */
function matches(name, search) {
  return search.toLowerCase().split(/\s+/).every((word) => name.toLowerCase().includes(word));
}
