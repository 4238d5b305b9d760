// Recordings: scrubbing lands on the right step, exports work alone, pictures can be made.

import assert from "node:assert/strict";
import { readFileSync, statSync, truncateSync, writeFileSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { difference, folder, launch, open, picture, run, serve } from "./browser.mjs";

const recording = join(folder, "run.lwrec");
let browser;
let server;
before(async () => {
  run("run", "nunchuk", "--time", "2", "--record", recording);
  browser = await launch();
  server = await serve("view", recording);
});
after(async () => {
  await browser?.close();
  server?.stop();
});

const at = (page, time) => page.waitForFunction((t) => Math.abs(window.linkwork.time() - t) < 1e-9, time, { timeout: 20_000 });

test("scrubbing lands on the right step", async () => {
  const { page, problems, close } = await open(browser, server.url);
  const { records, model } = await page.evaluate(() => ({ records: window.linkwork.hello.records, model: window.linkwork.hello.model }));
  assert.equal(records, 2001);
  // The recording as text is the truth.
  const [header, ...rows] = run("record", "csv", recording).trim().split("\n");
  const x = header.split(",").indexOf(`${model.bodies[0].name}.x (m)`);
  for (const index of [1500, 3, 2000, 777]) {
    await page.evaluate((i) => window.linkwork.seek(i), index);
    await at(page, index / 1000);
    const seen = await page.evaluate(() => [window.linkwork.frame(), window.linkwork.scalar("step"), window.linkwork.pose(0)]);
    assert.deepEqual(seen.slice(0, 2), [index, index]);
    assert.ok(Math.abs(seen[2][0] - Number(rows[index].split(",")[x])) < 1e-6, `step ${index}`);
  }
  // The same with the mouse on the bar.
  const bar = await page.getByRole("slider", { name: "Time" }).boundingBox();
  await page.mouse.click(bar.x + 0.25 * bar.width, bar.y + bar.height / 2);
  await page.waitForFunction(() => Math.abs(window.linkwork.time() - 0.5) < 0.01);
  const [time, step] = await page.evaluate(() => [window.linkwork.time(), window.linkwork.scalar("step")]);
  assert.equal(step, Math.round(1000 * time));
  // One frame on, one back, by key.
  await page.keyboard.press("ArrowRight");
  await at(page, (step + 1) / 1000);
  await page.keyboard.press("ArrowLeft");
  await at(page, step / 1000);
  assert.deepEqual(problems, []);
  await close();
});

test("it plays, the picture moves, plots have data", async () => {
  const { page, problems, close } = await open(browser, `${server.url}&play=0`);
  const first = await picture(page);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.linkwork.time() > 0.5, null, { timeout: 30_000 });
  await page.keyboard.press("Space");
  assert.ok(difference(first, await picture(page)) > 0.001);
  assert.ok((await page.locator(".bottom canvas").count()) >= 4, "plots");
  assert.deepEqual(problems, []);
  await close();
});

test("a recording that was cut off says so and shows what there is", async () => {
  const cut = join(folder, "cut.lwrec");
  copyFileSync(recording, cut);
  truncateSync(cut, Math.floor(0.6 * statSync(cut).size));
  const other = await serve("view", cut);
  const { page, problems, close } = await open(browser, other.url);
  const hello = await page.evaluate(() => ({ records: window.linkwork.hello.records, warning: window.linkwork.hello.warning }));
  assert.ok(hello.records > 100 && hello.records < 2001, `${hello.records}`);
  assert.ok(hello.warning, "a warning");
  assert.ok(await page.getByText(hello.warning).isVisible());
  assert.deepEqual(problems, []);
  await close();
  other.stop();
});

test("an export opened as a file, without any network, works", async () => {
  const html = join(folder, "out.html");
  run("export", recording, "--html", html, "--fps", "60");
  assert.ok(!/(src|href)="https?:/.test(readFileSync(html, "utf8")), "nothing is fetched");
  const { page, problems, close } = await open(browser, `file://${html}?play=0`, { offline: true });
  const first = await picture(page);
  assert.ok(first.colours > 40 && first.commonest < 0.9, JSON.stringify([first.colours, first.commonest]));
  await page.evaluate(() => window.linkwork.seekTime(1.5));
  await page.waitForFunction(() => Math.abs(window.linkwork.time() - 1.5) < 0.02);
  assert.ok(difference(first, await picture(page)) > 0.001);
  await page.evaluate(() => (window.linkwork.seek(0), window.linkwork.play()));
  await page.waitForFunction(() => window.linkwork.time() > 0.3, null, { timeout: 20_000 });
  assert.deepEqual(problems, []);
  await close();
});

test("both themes and two sizes: nothing overlaps or is cut off", async () => {
  for (const size of [[1400, 900], [820, 600]]) {
    const brightness = {};
    for (const theme of ["dark", "light"]) {
      const { page, problems, close } = await open(browser, `${server.url}&theme=${theme}&at=1&play=0`, { size });
      await at(page, 1);
      const shot = await picture(page);
      brightness[theme] = shot.brightness;
      assert.ok(shot.colours > 40 && shot.commonest < 0.92, `${size} ${theme}`);
      const parts = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll(".bar, .panel, .stage, .bottom")].map((e) => [e.className, e.getBoundingClientRect()]);
        const shown = boxes.filter(([, b]) => b.width > 0 && b.height > 0).map(([name, b]) => ({ name, left: b.left, top: b.top, right: b.right, bottom: b.bottom }));
        return { shown, scroll: document.documentElement.scrollWidth - innerWidth, width: innerWidth, height: innerHeight };
      });
      assert.ok(parts.scroll <= 0, "no sideways scrolling");
      for (const a of parts.shown) {
        assert.ok(a.left >= -1 && a.top >= -1 && a.right <= parts.width + 1 && a.bottom <= parts.height + 1, `${a.name} lies within the window`);
        for (const b of parts.shown) {
          const overlap = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
          assert.ok(a === b || !overlap, `${a.name} and ${b.name} overlap at ${size}`);
        }
      }
      assert.deepEqual(problems, []);
      await close();
    }
    assert.ok(brightness.light > brightness.dark + 0.3, JSON.stringify(brightness));
  }
});

test("linkwork shot makes a picture of the asked size", async () => {
  const png = join(folder, "shot.png");
  run("shot", recording, "--at", "1.0", "--out", png, "--size", "640x400");
  const bytes = readFileSync(png);
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [640, 400]);
  assert.ok(bytes.length > 5_000, `${bytes.length} bytes`);
  const other = join(folder, "later.png");
  run("shot", recording, "--at", "1.6", "--out", other, "--size", "640x400");
  assert.ok(!bytes.equals(readFileSync(other)), "another time, another picture");
});

test("bad frames from the server are reported, not swallowed", async () => {
  const html = join(folder, "bad.html");
  run("export", recording, "--html", html, "--fps", "10");
  // Damage the data: the first bytes of the first frame.
  const text = readFileSync(html, "utf8").replace(/"frames":\s*"..../, (m) => `${m.slice(0, -4)}AAAA`);
  writeFileSync(html, text);
  const page = await browser.newPage();
  await page.goto(`file://${html}`);
  await page.waitForFunction(() => document.body.innerText.length > 20 && window.linkwork);
  assert.match(await page.locator("body").innerText(), /frame|data|damaged|magic/i);
  await page.close();
});
