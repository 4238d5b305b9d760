// Panels, plots, cameras, pulling and numbers of the page, on a live model.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { difference, folder, launch, open, picture, run, serve } from "./browser.mjs";

/** Three bodies one behind the other along y, a driven arm with limits, and a block with a visual and a collision shape. */
const MODEL = `<mujoco><worldbody><geom type="plane" size="2 2 .1"/>
  <body name="front" pos="0.5 -1 1"><joint name="rail" type="slide" axis="1 0 0" damping="1"/><geom size=".1" mass="1"/></body>
  <body name="back" pos="0.5 1 1"><joint name="rope" type="slide" axis="1 0 0" damping="1"/><geom size=".1" mass="1"/></body>
  <body name="arm" pos="-.5 0 1.5"><joint name="elbow" axis="0 1 0" range="-20 20" limited="true"/>
    <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05" mass="1"/></body>
  <body name="block" pos="-1 0 .1" euler="0 0 90"><freejoint/><geom type="box" size=".1 .2 .1" mass="3"/>
    <geom type="sphere" size=".25" contype="0" conaffinity="0" rgba="1 0 0 1" mass="0"/></body></worldbody>
  <actuator><motor name="turn" joint="elbow" gear="1" ctrlrange="-50 50" ctrllimited="true"/></actuator></mujoco>`;

const file = join(folder, "panels.xml");
let browser;
let server;
before(async () => {
  writeFileSync(file, MODEL);
  browser = await launch();
  server = await serve("run", file, "--view", "--ctrl", "turn=20", "--time", "3600");
});
after(async () => {
  await browser?.close();
  server?.stop();
});

const width = (page, selector) => page.locator(selector).evaluate((e) => e.getBoundingClientRect().width);
const height = (page, selector) => page.locator(selector).first().evaluate((e) => e.getBoundingClientRect().height);
const bodyNumber = (page, name) => page.evaluate((n) => window.linkwork.hello.model.bodies.findIndex((b) => b.name === n), name);
const pause = async (page) => {
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.waitForFunction(() => window.linkwork.settled());
};
const resume = (page) => page.getByRole("button", { name: "Resume" }).click();

test("panels and plots are resized by their edges, and keep their size", async () => {
  const { page, problems, close } = await open(browser, server.url);
  const drag = async (label, dx, dy) => {
    const box = await page.getByRole("separator", { name: label }).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 4 });
    await page.mouse.up();
  };
  const before = { left: await width(page, ".panel.left"), right: await width(page, ".panel.right"), plot: await height(page, ".plot .area") };
  await drag("Width of the list of bodies", 60, 0);
  await drag("Width of the details", -80, 0);
  await drag("Height of the plots", 0, -50);
  const sizes = async () => ({ left: await width(page, ".panel.left"), right: await width(page, ".panel.right"), plot: await height(page, ".plot .area") });
  const after = await sizes();
  assert.ok(Math.abs(after.left - before.left - 60) < 2 && Math.abs(after.right - before.right - 80) < 2, JSON.stringify([before, after]));
  assert.ok(after.plot > before.plot + 20, JSON.stringify([before, after]));
  // The 3-D view has the rest.
  const stage = await width(page, ".stage");
  assert.ok(Math.abs(stage + after.left + after.right - 1280) < 2);
  await page.reload();
  await page.waitForFunction(() => window.linkwork?.ready, null, { timeout: 30_000 });
  assert.deepEqual(await sizes(), after);
  await page.getByRole("separator", { name: "Width of the details" }).dblclick();
  assert.equal(await width(page, ".panel.right"), before.right);
  await page.getByRole("separator", { name: "Width of the details" }).press("ArrowLeft");
  assert.equal(await width(page, ".panel.right"), before.right + 16);
  assert.deepEqual(problems, []);
  await close();
});

test("a plot can have a row of its own", async () => {
  const { page, problems, close } = await open(browser, server.url);
  const plot = page.getByRole("region", { name: "Plot of total energy" });
  const narrow = await plot.evaluate((e) => e.offsetWidth);
  await plot.getByRole("button", { name: "Let the plot of total energy have a row of its own" }).click();
  const wide = await plot.evaluate((e) => e.offsetWidth);
  assert.ok(wide > 1200 && wide > 2 * narrow, `${narrow} to ${wide}`);
  assert.deepEqual(problems, []);
  await close();
});

test("without perspective what lies behind one another is seen in one place", async () => {
  const { page, problems, close } = await open(browser, server.url);
  await pause(page);
  await page.keyboard.press("2");
  await page.waitForTimeout(600);
  const [front, back] = [await bodyNumber(page, "front"), await bodyNumber(page, "back")];
  const apart = async () => {
    const [a, b] = await page.evaluate(([i, k]) => [window.linkwork.screen(i), window.linkwork.screen(k)], [front, back]);
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  const perspective = await apart();
  const seen = await picture(page);
  await page.keyboard.press("5");
  await page.waitForTimeout(600);
  assert.equal(await page.evaluate(() => window.linkwork.orthographic()), true);
  assert.ok(perspective > 5, `with perspective ${perspective} pixels apart`);
  assert.ok((await apart()) < 0.5, `without ${await apart()}`);
  assert.ok(difference(seen, await picture(page)) > 1e-3);
  // A body is still found where it is seen.
  const [x, y] = await page.evaluate((i) => window.linkwork.screen(i), front);
  await page.mouse.click(x, y);
  await page.getByRole("heading", { name: "front" }).waitFor();
  await page.keyboard.press("5");
  assert.equal(await page.evaluate(() => window.linkwork.orthographic()), false);
  await resume(page);
  assert.deepEqual(problems, []);
  await close();
});

test("a drag turns the view, with the shift key it pulls the body, and the force is shown", async () => {
  const { page, problems, close } = await open(browser, server.url);
  const body = await bodyNumber(page, "front");
  await page.waitForTimeout(300);
  const place = () => page.evaluate((i) => window.linkwork.screen(i), body);
  const before = await page.evaluate(() => window.linkwork.coordinate("rail.z"));
  const drag = async (x, y) => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 70, y, { steps: 5 });
    await page.waitForTimeout(400);
  };
  const [x, y] = await place();
  await drag(x, y);
  assert.equal(await page.evaluate(() => window.linkwork.pull()), null);
  assert.ok(!(await page.locator(".pull").isVisible()));
  await page.mouse.up();
  assert.ok(Math.abs((await page.evaluate(() => window.linkwork.coordinate("rail.z"))) - before) < 1e-3, "only the view turned");
  await page.keyboard.press("1");
  await page.waitForTimeout(600);
  await page.keyboard.down("Shift");
  const [u, v] = await place();
  await drag(u, v);
  await page.waitForFunction(() => window.linkwork.pull() !== null);
  assert.match(await page.locator(".pull").textContent(), /^[\d.]+(e.\d+)? N$/);
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.waitForFunction(() => window.linkwork.pull() === null);
  const moved = (await page.evaluate(() => window.linkwork.coordinate("rail.z"))) - before;
  assert.ok(Math.abs(moved) > 0.02, `pulled by ${moved} m`);
  // For touch screens the same without a key.
  await page.keyboard.press("u");
  assert.equal(await page.getByRole("button", { name: "Pull", exact: true }).getAttribute("aria-pressed"), "true");
  const [p, q] = await place();
  await drag(p, q);
  await page.waitForFunction(() => window.linkwork.pull() !== null);
  await page.mouse.up();
  assert.deepEqual(problems, []);
  await close();
});

test("drive, limit and contact forces of a body are shown, in the axes that are chosen", async () => {
  const { page, problems, close } = await open(browser, server.url);
  // The motor pushes the arm against its limit: their torques and that of the weight balance, 20 − m g l cos(20°) in sum.
  const arm = await bodyNumber(page, "arm");
  await page.evaluate((i) => window.linkwork.select(i), arm);
  const value = async (name) => {
    const text = await page.locator(".details dt", { hasText: new RegExp(`^${name}$`) }).first().locator("xpath=following-sibling::dd[1]").locator(".number").first().textContent();
    return Number(text.replace("\u2212", "-"));
  };
  await page.waitForFunction(() => [...document.querySelectorAll(".details dt")].some((e) => e.textContent === "limit" && !e.hidden));
  await page.waitForTimeout(1500);
  const limit = await value("limit");
  const weight = 9.81 * 0.25 * Math.cos((20 * Math.PI) / 180);
  assert.ok(Math.abs(Math.abs(limit) - (20 + weight)) < 0.05 || Math.abs(Math.abs(limit) - (20 - weight)) < 0.05, `limit ${limit} N m`);
  // The torque of a motor is no drive: it has a row of its own.
  assert.equal(await value("applied \\(motors, scripts\\)"), 20);

  // A block that stands turned by 90° about z: the weight is along z in both axes.
  const block = await bodyNumber(page, "block");
  await page.evaluate((i) => window.linkwork.select(i), block);
  const force = async () => (await page.locator(".touches .total").textContent()).match(/\u2212?\d[\d.e\u2212]*/g).map((t) => Number(t.replace("\u2212", "-")));
  await page.waitForFunction(() => /\d/.test(document.querySelector(".touches .total")?.textContent ?? ""));
  assert.ok(Math.abs((await force())[2] - 3 * 9.81) < 0.1, `${await force()}`);
  await page.getByLabel("Axes of vectors").selectOption("body");
  await page.waitForTimeout(300);
  assert.ok(Math.abs((await force())[2] - 3 * 9.81) < 0.1, `${await force()}`);
  await page.getByLabel("Axes of vectors").selectOption("world");
  assert.deepEqual(problems, []);
  await close();
});

test("a reaction is written in the axes of the world, the body and the joint", async () => {
  const { page, problems, close } = await open(browser, server.url);
  await page.evaluate((i) => window.linkwork.select(i), await bodyNumber(page, "arm"));
  await page.waitForFunction(() => window.linkwork.time() > 2, null, { timeout: 20_000 });
  const reaction = async (axes) => {
    await page.getByLabel("Axes of vectors").selectOption(axes);
    await page.waitForTimeout(300);
    const row = page.locator(".details dt", { hasText: /^reaction force$/ }).locator("xpath=following-sibling::dd[1]");
    return (await row.locator(".number").allTextContents()).map((t) => Number(t.replace("\u2212", "-")));
  };
  // The arm rests against its limit, turned by 20° about y: its weight, 9.81 N, hangs on the hinge.
  const near = (found, wanted) => found.forEach((x, i) => assert.ok(Math.abs(Math.abs(x) - wanted[i]) < 0.02, `${found}, not ${wanted}`));
  const [sine, cosine] = [Math.sin, Math.cos].map((f) => 9.81 * f((20 * Math.PI) / 180));
  near(await reaction("world"), [0, 0, 9.81]);
  near(await reaction("body"), [sine, 0, cosine]);
  // The joint's z axis is the hinge's: nothing of the weight is along it.
  const joint = await reaction("joint");
  assert.ok(Math.abs(joint[2]) < 0.02 && Math.abs(Math.hypot(...joint) - 9.81) < 0.02, `${joint}`);
  await page.getByLabel("Axes of vectors").selectOption("world");
  assert.deepEqual(problems, []);
  await close();
});

test("the selected row stays readable under the pointer", async () => {
  for (const theme of ["dark", "light"]) {
    const { page, close } = await open(browser, `${server.url}&theme=${theme}`);
    const row = page.locator(".tree .row.body", { hasText: "arm" });
    await row.click();
    await row.hover();
    const contrast = await row.evaluate((e) => {
      const channel = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
      const luminance = (text) => {
        const [r, g, b] = text.match(/[\d.]+/g).map((n) => channel(Number(n) / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const { color, backgroundColor } = getComputedStyle(e);
      const [a, b] = [luminance(color), luminance(backgroundColor)];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    });
    assert.ok(contrast >= 4.5, `${theme}: ${contrast}`);
    await close();
  }
});

test("numbers do not collide, at the narrowest panel as well", async () => {
  const { page, problems, close } = await open(browser, server.url);
  await page.getByRole("separator", { name: "Width of the details" }).focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
  await page.evaluate((i) => window.linkwork.select(i), await bodyNumber(page, "block"));
  await pause(page);
  const collisions = await page.evaluate(() => {
    // The widest texts that the page writes; a quaternion has four decimals.
    for (const dd of document.querySelectorAll(".details dd.vector")) {
      for (const cell of dd.querySelectorAll(".number")) cell.textContent = dd.children.length > 4 ? "\u22120.0000" : "\u22121.2e\u221210";
    }
    const found = [];
    for (const dd of document.querySelectorAll(".details dd.vector")) {
      const boxes = [...dd.children].map((child) => {
        const range = document.createRange();
        range.selectNodeContents(child);
        return range.getBoundingClientRect();
      });
      const label = dd.previousElementSibling;
      boxes.unshift(label.getBoundingClientRect());
      for (let i = 1; i < boxes.length; i++) if (boxes[i].width > 0 && boxes[i].left < boxes[i - 1].right - 0.5) found.push(`${label.textContent} ${i}: ${boxes[i - 1].right} > ${boxes[i].left}`);
    }
    return found;
  });
  assert.deepEqual(collisions, []);
  await page.getByRole("separator", { name: "Width of the details" }).dblclick();
  await resume(page);
  assert.deepEqual(problems, []);
  await close();
});

test("the layer of collision shapes shows them in the place of visual ones", async () => {
  const { page, problems, close } = await open(browser, server.url);
  await pause(page);
  const plain = await picture(page);
  await page.keyboard.press("k");
  await page.waitForTimeout(400);
  assert.ok(difference(plain, await picture(page)) > 1e-3, "the red ball gives way to the box");
  await page.keyboard.press("k");
  await page.waitForTimeout(400);
  assert.ok(difference(plain, await picture(page)) < 1e-4, "and comes back");
  await resume(page);
  assert.deepEqual(problems, []);
  await close();
});

test("everything that a recording knows by name can be plotted", async () => {
  const recording = join(folder, "panels.lwrec");
  run("run", file, "--time", "0.05", "--record", recording);
  const names = JSON.parse(run("record", "quantities", recording, "--json")).map(({ name }) => name);
  const { page, problems, close } = await open(browser, server.url);
  const offered = await page.evaluate(() => window.linkwork.quantities());
  assert.deepEqual([...offered].sort(), [...names].sort());
  await page.getByRole("button", { name: "Plot", exact: true }).click();
  await page.getByLabel("Filter quantities").fill("limit effort along elbow");
  await page.getByRole("button", { name: "limit effort along elbow.angle" }).click();
  const plot = page.getByRole("region", { name: "Plot of limit effort along elbow.angle" });
  await plot.waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("names of bodies are shown where there is room, in models of any size, and never over each other", async () => {
  const crowd = join(folder, "crowd.xml");
  const balls = Array.from({ length: 49 }, (_, i) => `<body name="ball ${i}" pos="${(i % 7) * 0.3} ${Math.floor(i / 7) * 0.3} .1"><freejoint/><geom size=".1"/></body>`);
  writeFileSync(crowd, `<mujoco><worldbody><geom type="plane" size="2 2 .1"/>${balls.join("")}</worldbody></mujoco>`);
  const many = await serve("view", crowd);
  const { page, problems, close } = await open(browser, many.url);
  const names = page.getByText(/^ball \d+$/).and(page.locator(".world ~ div *"));
  const boxes = async () => (await Promise.all((await names.all()).map((n) => n.boundingBox()))).filter(Boolean);
  assert.equal((await boxes()).length, 0);
  await page.keyboard.press("n");
  await page.waitForTimeout(300);
  const shown = await boxes();
  assert.ok(shown.length >= 10, `${shown.length} names`);
  const over = (a, b) => a.x < b.x + b.width - 2 && b.x < a.x + a.width - 2 && a.y < b.y + b.height - 2 && b.y < a.y + a.height - 2;
  for (const [i, a] of shown.entries()) for (const b of shown.slice(0, i)) assert.ok(!over(a, b), JSON.stringify([a, b]));
  assert.deepEqual(problems, []);
  await close();
  many.stop();
});

test("the slider of a body that is moved from outside begins in the middle", async () => {
  const mocap = join(folder, "mocap.xml");
  writeFileSync(mocap, `<mujoco><worldbody><geom type="plane" size="2 2 .1"/><body name="hand" mocap="true" pos="0 0 1"><geom size=".1"/></body></worldbody></mujoco>`);
  const moved = await serve("view", mocap);
  const { page, problems, close } = await open(browser, moved.url);
  const slider = page.getByRole("slider", { name: "Target of hand.z", exact: true });
  await page.waitForFunction((s) => Math.abs(Number(s.value) - 1) < 1e-3 && Number(s.max) > 1.5 && Number(s.min) < 0.5, await slider.elementHandle());
  assert.deepEqual(problems, []);
  await close();
  moved.stop();
});
