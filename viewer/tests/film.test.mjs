// `linkwork film`: what it writes is played by a browser, has the asked size and length, and moves.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { difference, folder, launch, picture, run } from "./browser.mjs";

const recording = join(folder, "film.lwrec");
let browser;
before(async () => {
  run("run", "fourbar_fixed", "--time", "1", "--record", recording);
  browser = await launch();
});
after(() => browser?.close());

/** What a browser finds in a video: size, length, and pictures at some times. */
async function watch(path, times) {
  const html = `${path}.html`;
  writeFileSync(html, `<video src="file://${path}" muted></video>`);
  const page = await browser.newPage();
  await page.goto(`file://${html}`);
  const found = await page.evaluate(async () => {
    const video = document.querySelector("video");
    const loaded = new Promise((done, fail) => {
      video.addEventListener("loadeddata", done, { once: true });
      video.addEventListener("error", () => fail(new Error(video.error?.message)), { once: true });
    });
    if (video.readyState < 2) await loaded;
    return { width: video.videoWidth, height: video.videoHeight, duration: video.duration };
  });
  const pictures = [];
  for (const time of times) {
    await page.evaluate(async (t) => {
      const video = document.querySelector("video");
      const sought = new Promise((done) => video.addEventListener("seeked", done, { once: true }));
      video.currentTime = t;
      await sought;
    }, time);
    pictures.push(await picture(page, "video"));
  }
  await page.close();
  return { ...found, pictures };
}

test("a film of a recording is a video of its length, in which something moves", async () => {
  const out = join(folder, "run.webm");
  const said = run("film", recording, "--out", out, "--size", "320x200", "--fps", "10");
  assert.match(said, /11 pictures of 320 x 200 pixels, 1\.1 s/);
  const { width, height, duration, pictures } = await watch(out, [0, 0.5, 1]);
  assert.deepEqual([width, height], [320, 200]);
  assert.ok(Math.abs(duration - 1.1) < 0.05, `${duration} s`);
  for (const { colours } of pictures) assert.ok(colours > 20, `${colours} colours`);
  assert.ok(difference(pictures[0], pictures[1]) > 2e-3 && difference(pictures[1], pictures[2]) > 2e-3, "the mechanism moves");
});

test("slow motion of a part has as many pictures as it lasts", async () => {
  const out = join(folder, "slow.webm");
  const said = run("film", recording, "--out", out, "--size", "160x100", "--fps", "10", "--from", "0.5", "--to", "0.6", "--speed", "0.1", "--orthographic");
  assert.match(said, /11 pictures/);
  assert.ok(Math.abs((await watch(out, [0])).duration - 1.1) < 0.05);
});

test("an animated PNG has its pictures, and a folder has a file for each", async () => {
  const png = join(folder, "run.png");
  run("film", recording, "--out", png, "--size", "161x100", "--fps", "5");
  const bytes = readFileSync(png);
  const chunk = bytes.indexOf("acTL");
  assert.ok(chunk > 0, "it is animated");
  assert.equal(bytes.readUInt32BE(chunk + 4), 6);
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [161, 100]);

  const frames = join(folder, "frames");
  run("film", recording, "--out", frames, "--size", "160x100", "--fps", "2", "--show", "trails");
  assert.deepEqual(readdirSync(frames), ["frame_00001.png", "frame_00002.png", "frame_00003.png"]);
  assert.ok(statSync(join(frames, "frame_00003.png")).size > 500);
});

test("what cannot be filmed is refused, and nothing is left behind", () => {
  const refused = (pattern, ...args) => assert.throws(() => run("film", ...args), (error) => error.status === 2 && pattern.test(error.stderr));
  refused(/even width/, recording, "--out", join(folder, "odd.webm"), "--size", "161x100");
  refused(/must end in \.webm/, recording, "--out", join(folder, "run.avi"));
  refused(/after the end/, recording, "--out", join(folder, "late.webm"), "--from", "3", "--to", "2");
  refused(/no steps/, recording, "--out", join(folder, "late.webm"), "--from", "3");
  refused(/--dt is for scenes/, recording, "--out", join(folder, "late.webm"), "--dt", "0.01");
  for (const name of ["odd.webm", "run.avi", "late.webm"]) assert.ok(!existsSync(join(folder, name)));
});
