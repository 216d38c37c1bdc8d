// Puts the stylesheet, the bundle and three.js' licence into src/page.html -> dist/viewer.html.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const here = new URL('.', import.meta.url);
const read = (path) => readFileSync(new URL(path, here), 'utf8');

// Inside a script element only `</script` and `<!--` mean anything to the HTML parser. Both can
// only stand in strings, templates, regular expressions or comments, where a backslash is harmless.
const bundle = read('build/viewer.js').replace(/<(\/script|!--)/gi, '<\\$1');

const parts = {
  '<!--LICENCE-->': `<!--\nThis page contains three.js:\n\n${read('node_modules/three/LICENSE').trim()}\n-->`,
  '/*STYLE*/': read('build/viewer.css').trim(),
  '/*BUNDLE*/': bundle.trim(),
};

let page = read('src/page.html');
for (const [mark, text] of Object.entries(parts)) {
  if (page.split(mark).length !== 2) throw new Error(`page.html must contain ${mark} exactly once`);
  page = page.replace(mark, () => text); // a function, so that `$` in the text stays as it is
}
if (page.split('<!--SUREFOOT_DATA-->').length !== 2) {
  throw new Error('the page must contain the data placeholder exactly once');
}

mkdirSync(new URL('dist/', here), { recursive: true });
writeFileSync(new URL('dist/viewer.html', here), page);
console.log(`dist/viewer.html: ${(Buffer.byteLength(page) / 1024).toFixed(0)} KB`);
