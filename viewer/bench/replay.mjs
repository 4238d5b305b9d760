// How fast a recording is replayed: node bench/replay.mjs RUN.lwrec [WIDTHxHEIGHT] [SECONDS]
// Frames drawn a second in headless Chromium without a GPU while the recording plays in real time.

import { launch, open, serve } from "../tests/browser.mjs";

const [recording, size = "1280x720", seconds = "20"] = process.argv.slice(2);
if (!recording) {
  console.error("usage: node bench/replay.mjs RUN.lwrec [WIDTHxHEIGHT] [SECONDS]");
  process.exit(2);
}
const server = await serve("view", recording);
const browser = await launch();
const { page, problems } = await open(browser, `${server.url}&play=0`, { size: size.split("x").map(Number) });
await page.evaluate(() => (window.linkwork.seek(0), window.linkwork.play()));
await page.waitForFunction(() => window.linkwork.time() > 0.2);
const start = await page.evaluate(() => [window.linkwork.frames(), window.linkwork.time(), performance.now()]);
const rates = [];
for (let i = 0; i < Number(seconds); i++) {
  const before = await page.evaluate(() => [window.linkwork.frames(), performance.now()]);
  await page.waitForTimeout(1000);
  const after = await page.evaluate(() => [window.linkwork.frames(), performance.now()]);
  rates.push((1000 * (after[0] - before[0])) / (after[1] - before[1]));
}
const end = await page.evaluate(() => [window.linkwork.frames(), window.linkwork.time(), performance.now()]);
const wall = (end[2] - start[2]) / 1000;
console.log(`${size}: ${((end[0] - start[0]) / wall).toFixed(1)} frames/s over ${wall.toFixed(1)} s, slowest second ${Math.min(...rates).toFixed(1)}; ` +
  `${((end[1] - start[1]) / wall).toFixed(2)} s simulated a second`);
if (problems.length) console.log(problems);
await browser.close();
server.stop();
