// Opens a finished page in a real browser and checks that it plays.
//   npm install --no-save playwright-core && node test.mjs PAGE.html OUT_PREFIX
// Writes OUT_PREFIX-*.png. The browser is $CHROMIUM, else /usr/bin/chromium.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [pagePath, prefix] = process.argv.slice(2);
if (!pagePath || !prefix) {
  console.error('usage: node test.mjs PAGE.html OUT_PREFIX');
  process.exit(2);
}
const url = pathToFileURL(resolve(pagePath)).href;

const problems = [];
const check = (holds, sentence) => {
  if (!holds) problems.push(sentence);
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync',
  ],
});

async function open(size, hash = '') {
  const page = await browser.newPage({ viewport: size });
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const address = request.url();
    const inPage = address.startsWith(url) || /^(data|blob):/.test(address);
    check(inPage, `request to ${address}`);
  });
  await page.goto(url + hash);
  await page.evaluate(() => window.surefoot.ready);
  return page;
}

const info = (page) => page.evaluate(() => window.surefoot.info());
const setTime = (page, time) => page.evaluate((t) => window.surefoot.setTime(t), time);

/** Every listed place stops the page at its time. */
async function tryPlaces(page) {
  for (const button of await page.locator('#places-list button').all()) {
    await page.evaluate(() => window.surefoot.play());
    await button.click();
    const wanted = parseFloat(await button.textContent());
    const { time } = await info(page);
    check(Math.abs(time - wanted) < 0.006, `a place at ${wanted} s led to ${time} s`);
    await page.waitForTimeout(100);
    check((await info(page)).time === time, `the page plays on at the place at ${wanted} s`);
  }
}

/** Legs as they were before are shown where the data have them, and G hides them. */
async function tryGhost(page) {
  const has = await page.evaluate(() => Boolean(JSON.parse(document.getElementById('surefoot-data').textContent).ghost));
  const shown = () => page.evaluate(() => (window.surefoot.setTime(0), window.surefoot.info().ghost));
  check((await shown()) === has, `legs as they were before: ${has}, shown: ${!has}`);
  await page.keyboard.press('g');
  check(!(await shown()), 'G does not hide the legs as they were before');
  await page.keyboard.press('g');
}

/** Every chart is a picture that Enter or a click opens large, and Escape or a click closes. */
async function tryCharts(page) {
  const dialog = page.locator('#chart-dialog');
  for (const button of await page.locator('#charts button').all()) {
    const drawn = await button.locator('img').evaluate((image) =>
      image.decode().then(() => image.naturalWidth > 0, () => false));
    check(drawn, `chart “${await button.locator('img').getAttribute('alt')}” is not drawn`);
    await button.press('Enter');
    check(await dialog.isVisible(), 'Enter does not open a chart');
    await page.screenshot({ path: `${prefix}-chart.png` });
    await page.keyboard.press('Escape');
    check(!(await dialog.isVisible()), 'Escape does not close a chart');
    await button.click();
    check(await dialog.isVisible(), 'a click does not open a chart');
    await page.mouse.click(2, 2);
    check(!(await dialog.isVisible()), 'a click does not close a chart');
  }
}

/** Another clip has its own title and figures, a search finds it, and the first gets its own back. */
async function tryClips(page, clips) {
  if (clips.length < 2) return;
  const said = () => page.evaluate(() => ['title', 'facts', 'charts', 'places-list'].map((id) => document.getElementById(id).innerHTML));
  const first = await said();
  const last = clips.length - 1;
  await page.locator('#clip').selectOption(String(last));
  const other = await said();
  check((await page.locator('#title').textContent()) === clips[last], 'another clip keeps the title of the first');
  check(other.every((said, k) => said === '' || said !== first[k]), 'another clip keeps what is said of the first');
  for (const image of await page.locator('#charts img').all()) {
    const drawn = await image.evaluate((picture) => picture.decode().then(() => picture.naturalWidth > 0, () => false));
    check(drawn, `the chart of another clip, “${await image.getAttribute('alt')}”, is not drawn`);
  }
  const search = page.locator('#clip-search');
  if (await search.isVisible()) {
    await search.fill(clips[1]);
    check((await page.locator('#title').textContent()) === clips[1], `a search for ${clips[1]} does not find it`);
    await page.screenshot({ path: `${prefix}-search.png` });
    await search.fill('');
    check((await page.locator('#clip option').count()) === clips.length, 'an empty search does not list all clips');
  }
  await page.locator('#clip').selectOption('0');
  check(JSON.stringify(await said()) === JSON.stringify(first), 'the first clip does not get back what is said of it');
}

/** Everything that stands around the character is there, and can be looked at from higher up. */
async function trySurroundings(page) {
  const scene = await page.evaluate(() => JSON.parse(document.getElementById('surefoot-data').textContent).scene);
  const drawn = await info(page);
  check(drawn.walls === (scene?.walls.length ?? 0), `${drawn.walls} walls are drawn`);
  check(drawn.movers.length === (scene?.movers?.length ?? 0), `${drawn.movers.length} movers are drawn`);
  for (const [i, { keys }] of (scene?.movers ?? []).entries()) {
    for (const { time, place } of [keys[0], keys[keys.length - 1]]) {
      await setTime(page, time);
      const off = Math.hypot(...(await info(page)).movers[i].map((x, axis) => x - place[axis]));
      check(off < 0.05, `mover ${i} is ${off} m off at ${time} s`);
    }
  }
  check(drawn.prints === (scene?.prints.length ?? 0), `${drawn.prints} footprints are drawn`);
  const faces = scene?.ground ? Buffer.from(scene.ground.quads, 'base64').length / 16 : 0;
  check(drawn.relief === faces, `${drawn.relief} of ${faces} faces of the ground are drawn`);
  const high = page.locator('[data-view=high]');
  check((await high.count() > 0) === Boolean(scene), 'the view over walls goes with walls');
  if (scene) {
    await page.locator('[data-view=side]').click();
    await page.screenshot({ path: `${prefix}-side.png` });
    await high.click();
  }
}

try {
  const page = await open({ width: 1280, height: 800 });
  const { duration, frames, clips } = await info(page);
  console.log(`${clips.length} clip(s), first: ${frames} frames, ${duration.toFixed(3)} s`);

  const poses = [];
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    await setTime(page, part * duration);
    const now = await info(page);
    check(Math.abs(now.time - part * duration) < 1e-6, `setTime(${part * duration}) gave ${now.time}`);
    check(now.joints.flat().every(Number.isFinite), `a joint is nowhere at ${now.time} s`);
    poses.push(now.joints);
    await page.screenshot({ path: `${prefix}-wide-${100 * part}.png` });
  }
  const moved = (pose) => pose.map((p, joint) => Math.hypot(...p.map((x, i) => x - poses[0][joint][i])));
  const farthest = Math.max(...poses.flatMap(moved));
  const { height } = await info(page);
  console.log(`${height.toFixed(3)} m tall; joints move up to ${farthest.toFixed(3)} m from their start`);
  if (duration > 0) {
    check(farthest > 0, 'nothing moves');

    await setTime(page, 0);
    await page.keyboard.press('ArrowRight');
    const step = (await info(page)).time;
    check(Math.abs(step - duration / (frames - 1)) < 1e-6, `an arrow key stepped ${step} s`);

    await page.keyboard.press('Space');
    await page.waitForFunction((t) => window.surefoot.info().time !== t, step);
    await page.keyboard.press('Space');
  }
  await trySurroundings(page);
  await tryPlaces(page);
  await tryGhost(page);
  await tryCharts(page);
  await tryClips(page, clips);
  await page.close();

  const narrow = await open({ width: 390, height: 800 }, `#t=${duration / 2}&view=side`);
  check(Math.abs((await info(narrow)).time - duration / 2) < 1e-6, '#t= does not set the time');
  const overflow = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(overflow <= 0, `the narrow page is ${overflow} px too wide`);
  await narrow.screenshot({ path: `${prefix}-narrow.png` });
} catch (error) {
  problems.push(error.message);
} finally {
  await browser.close();
}

for (const problem of problems) console.error(`FAILED: ${problem}`);
console.log(problems.length ? `${problems.length} problem(s)` : 'ok');
process.exit(problems.length ? 1 : 0);
