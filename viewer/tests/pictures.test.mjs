// Textures and cameras of a model file, activations of its actuators, and films that follow a body.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import { difference, folder, launch, open, picture, run, serve } from "./browser.mjs";

/** A PNG file of two by two fields: red, green, blue, yellow. */
function fourColours() {
  const [side, half] = [16, 8];
  const colours = [[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 0]]];
  const row = (y) => Buffer.from([0, ...Array.from({ length: side }, (_, x) => colours[Number(y >= half)][Number(x >= half)]).flat()]);
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 2, 0, 0, 0]);
  const data = deflateSync(Buffer.concat(Array.from({ length: side }, (_, y) => row(y))));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

/** A plate with an image, a ball with a built-in texture and a muscle above a checkered floor. */
const MODEL = `<mujoco><asset><texture name="floor" type="2d" builtin="checker" rgb1="1 0 1" rgb2="0 1 1" width="8" height="8"/>
  <texture name="image" type="2d" file="four.png"/><texture name="ball" builtin="checker" rgb1="1 .5 0" rgb2="0 0 0"/>
  <material name="floor" texture="floor" texuniform="true"/><material name="image" texture="image"/><material name="ball" texture="ball"/>
  <mesh name="plate" file="plate.obj"/></asset>
  <worldbody><geom type="plane" size="0 0 .1" material="floor"/><camera name="above" pos="0 0 4" fovy="30"/>
  <body name="plate" pos="0 0 1"><joint axis="0 0 1" damping="1"/><geom type="mesh" mesh="plate" material="image" mass="1" contype="0" conaffinity="0"/>
  <camera name="on plate" pos="0 0 1"/></body>
  <body name="arm" pos="1.5 0 1"><joint name="elbow" axis="0 1 0" damping="1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/></body>
  <body name="ball" pos="-1.5 0 1"><joint type="slide" axis="1 0 0" damping="9"/><geom size=".3" material="ball"/></body></worldbody>
  <actuator><muscle name="biceps" joint="elbow" lengthrange="-2 2" force="1" timeconst=".1 .1"/></actuator></mujoco>`;
const PLATE = ["v -.5 -.5 0", "v .5 -.5 0", "v .5 .5 0", "v -.5 .5 0", "v 0 0 -.2", "vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1",
  "f 1/1 2/2 3/3 4/4", "f 2/2 1/1 5/1", "f 3/3 2/2 5/1", "f 4/4 3/3 5/1", "f 1/1 4/4 5/1"].join("\n");

/** A ball that runs along x, 5 m in a second. */
const RUNNER = `<mujoco><option gravity="0 0 0"/><worldbody><geom type="plane" size="0 0 .1" pos="0 0 -1"/>
  <body name="runner"><joint name="rail" type="slide" axis="1 0 0"/><geom size=".3" rgba="1 0 0 1"/></body></worldbody>
  <keyframe><key name="running" qvel="5"/></keyframe></mujoco>`;

const file = join(folder, "pictures.xml");
const runner = join(folder, "runner.xml");
let browser;
before(async () => {
  writeFileSync(file, MODEL);
  writeFileSync(runner, RUNNER);
  writeFileSync(join(folder, "plate.obj"), PLATE);
  writeFileSync(join(folder, "four.png"), fourColours());
  browser = await launch();
});
after(() => browser?.close());

/** Red, green and blue of some pixels of a PNG file. */
async function pixels(png, places) {
  const page = await browser.newPage();
  const found = await page.evaluate(async ([base64, places]) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return places.map(([x, y]) => Array.from(context.getImageData(x, y, 1, 1).data.slice(0, 3)));
  }, [png.toString("base64"), places]);
  await page.close();
  return found;
}

/** Which channels of a colour are bright. */
const bright = ([r, g, b]) => [r, g, b].map((c) => Number(c > 110)).join("");

test("images lie on meshes as their texture coordinates say, and on the floor as it repeats", async () => {
  const out = join(folder, "above.png");
  run("shot", file, "--at", "0", "--out", out, "--size", "400x400", "--camera", "above", "--hide", "joints,shadows,contacts");
  // 2 m above the plate's corner at 3 m: 400 pixels are 2 · 3 m · tan 15°, and at the floor 2 · 4 m · tan 15°.
  const [near, far] = [3, 4].map((depth) => 400 / (2 * depth * Math.tan(Math.PI / 12)));
  const at = (scale, x, y) => [Math.round(200 + scale * x), Math.round(200 - scale * y)];
  const plate = [at(near, -0.25, 0.25), at(near, 0.25, 0.25), at(near, -0.25, -0.25), at(near, 0.25, -0.25)];
  const floor = [at(far, -0.75, 0.25), at(far, -0.75, 0.75), at(far, 0.75, -0.75)];
  const found = (await pixels(readFileSync(out), [...plate, ...floor])).map(bright);
  assert.deepEqual(found.slice(0, 4), ["100", "010", "001", "110"], "red, green, blue and yellow, as in the image");
  // One image a metre, its middle at the origin: fields of half a metre.
  assert.ok(found.slice(4).every((c) => c === "101" || c === "011"), found.join());
  assert.notEqual(found[4], found[5]);
});

test("an exported file has the textures in itself", async () => {
  const out = join(folder, "pictures.html");
  run("export", file, "--time", "0.1", "--html", out);
  const { page, problems, close } = await open(browser, `file://${out}`, { offline: true });
  await page.waitForFunction(() => window.linkwork.settled());
  await page.evaluate(() => window.linkwork.lookThrough("above"));
  await page.waitForFunction(() => window.linkwork.settled());
  const { colours } = await picture(page);
  assert.ok(colours > 6, `${colours} colours`);
  assert.deepEqual(problems, []);
  await close();
});

test("cameras of the file are chosen in the view menu; a drag leaves them, and activations are shown", async () => {
  const server = await serve("run", file, "--view", "--ctrl", "biceps=1", "--time", "3600");
  const { page, problems, close } = await open(browser, server.url);
  // A lag of 0.1 s behind a control of 1.
  await page.waitForFunction(() => window.linkwork.signal("activation biceps") > 0.99);
  const section = page.getByRole("region", { name: "Activations" });
  await page.waitForFunction(() => /biceps\s*(1|0\.99)/.test(document.querySelector('[aria-label="Activations"]').innerText));
  assert.ok(await section.isVisible());
  const names = await page.evaluate(() => window.linkwork.quantities());
  assert.ok(names.includes("activation biceps"));
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.waitForFunction(() => window.linkwork.settled());
  const free = await picture(page);
  const choose = async (name) => {
    await page.getByRole("button", { name: "View", exact: true }).click();
    await page.getByRole("button", { name, exact: true }).click();
    await page.waitForFunction(() => window.linkwork.settled());
  };
  await choose("above");
  const above = await picture(page);
  assert.ok(difference(free, above) > 0.02, "another view");
  await choose("on plate");
  const plate = await picture(page);
  assert.ok(difference(above, plate) > 0.02, "nearer");
  const box = await page.locator("canvas.world").boundingBox();
  await page.mouse.move(box.x + 40, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 140, box.y + 220, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction(() => window.linkwork.settled());
  assert.ok(difference(plate, await picture(page)) > 0.02, "turned away");
  assert.deepEqual(problems, []);
  await close();
  server.stop();
});

test("a film keeps a body in the middle, and refuses names that are not there", async () => {
  const out = join(folder, "runner");
  const film = (...more) => run("film", runner, "--key", "running", "--to", "1", "--fps", "2", "--size", "200x200", "--out", out, "--hide", "joints", ...more);
  film("--follow", "runner", "--view", "front");
  for (const number of ["00001", "00003"]) {
    const [middle] = await pixels(readFileSync(join(out, `frame_${number}.png`)), [[100, 100]]);
    assert.ok(middle[0] > 2 * Math.max(middle[1], middle[2]), `picture ${number}: ${middle}`);
  }
  assert.throws(() => film("--follow", "runer"), /did you mean 'runner'/);
  assert.throws(() => film("--camera", "eye"), /the model has no camera 'eye'; it has none/);
});

/** Two balls of an SDF file, 3 m apart, with a camera above each; one colour is ambient, the other diffuse. */
const BALLS = `<sdf version="1.9"><model name="m">${[["red", 0, "<ambient>.9 0 0 1</ambient>"], ["blue", 3, "<ambient>1 1 1 1</ambient><diffuse>0 0 .9 1</diffuse>"]]
  .map(([name, x, colour]) => `<link name="${name}"><pose>${x} 0 1 0 0 0</pose><gravity>0</gravity>
    <visual name="ball"><geometry><sphere><radius>.3</radius></sphere></geometry><material>${colour}</material></visual>
    <sensor name="eye" type="camera"><pose>0 0 2 0 1.5707963267948966 0</pose><camera><horizontal_fov>.6</horizontal_fov></camera></sensor></link>`).join("")}
  </model></sdf>`;

/** The most of the three channels: "red", "green", "blue" or none of them. */
function hue(colour) {
  const most = Math.max(...colour);
  return colour.filter((c) => c > most / 2).length === 1 ? ["red", "green", "blue"][colour.indexOf(most)] : "none";
}

test("pictures and films are taken of a body or by a camera, in the colours of an SDF file", async () => {
  const sdf = join(folder, "balls.sdf");
  writeFileSync(sdf, BALLS);
  const middle = async (file) => hue((await pixels(readFileSync(file), [[100, 100]]))[0]);
  const look = ["--size", "200x200", "--hide", "joints"];
  for (const ball of ["red", "blue"]) {
    for (const [i, how] of [["--follow", ball], ["--camera", `${ball}/eye`]].entries()) {
      const png = join(folder, `${ball}${i}.png`);
      run("shot", sdf, "--at", "0", "--out", png, ...look, ...how);
      assert.equal(await middle(png), ball, `shot ${how}`);
      const frames = join(folder, `${ball}${i}`);
      run("film", sdf, "--to", "0.1", "--fps", "10", "--out", frames, ...look, ...how);
      assert.equal(await middle(join(frames, "frame_00002.png")), ball, `film ${how}`);
    }
  }
  const html = join(folder, "balls.html");
  run("export", sdf, "--time", "0.1", "--html", html);
  assert.match(readFileSync(html, "utf8"), /"colour":\[0\.9,0\.0,0\.0,1\.0\]/);
  const refused = (...how) => assert.throws(() => run("shot", sdf, "--at", "0", "--out", join(folder, "no.png"), ...how), (error) => error.status === 2);
  refused("--follow", "green");
  refused("--camera", "eye");
  refused("--follow", "red", "--camera", "red/eye");
});
