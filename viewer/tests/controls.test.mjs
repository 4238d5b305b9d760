// A model file in the browser: its actuators obey their sliders, its stored states their buttons, its sensors are read,
// and what was seen is there again after a reload and for a second viewer.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { difference, folder, launch, open, picture, serve } from "./browser.mjs";

/** A sledge with a motor, an arm with a servo, a hook on a tendon, and a box that stands on the floor. */
const MODEL = `<mujoco><worldbody><geom type="plane" size="2 2 .1"/>
  <body name="sledge" pos="0 0 1"><joint name="rail" type="slide" axis="1 0 0" damping="1"/><geom size=".1" mass="1"/></body>
  <body name="arm" pos="0 1 1"><joint name="elbow" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05" mass="1"/></body>
  <body name="hook" pos="0 -1 1"><joint name="lift" type="slide" axis="0 0 1" damping="5"/><geom size=".1" mass="1"/></body>
  <body name="box" pos="1 1 .1"><freejoint/><geom type="box" size=".1 .2 .1" mass="3"/></body></worldbody>
  <tendon><fixed name="rope"><joint joint="lift" coef="1"/></fixed></tendon>
  <actuator><motor name="push" joint="rail" ctrllimited="true" ctrlrange="-5 5"/><position name="bend" joint="elbow" kp="50" kv="5"/>
  <position name="pull" tendon="rope" kp="2000" kv="100"/></actuator>
  <sensor><jointpos name="where" joint="rail"/><framepos name="seen" objtype="body" objname="hook"/></sensor>
  <keyframe><key name="bent" qpos=".2 1 0 1 1 .1 1 0 0 0" ctrl="0 1 0"/></keyframe></mujoco>`;

const file = join(folder, "model.xml");
let browser;
let server;
before(async () => {
  writeFileSync(file, MODEL);
  browser = await launch();
  server = await serve("run", file, "--view", "--time", "3600");
});
after(async () => {
  await browser?.close();
  server?.stop();
});

const coordinate = (page, name) => page.evaluate((n) => window.linkwork.coordinate(n), name);
const enter = async (page, label, value) => {
  const entry = page.getByLabel(`Control of ${label},`);
  await entry.fill(String(value));
  await entry.press("Enter");
  await entry.blur();
};

test("sliders move a motor, a servo and a tendon", async () => {
  const { page, problems, close } = await open(browser, server.url);
  for (const name of ["push (motor)", "bend (servo)", "pull (tendon)"]) await page.getByText(name).waitFor();
  const slider = page.getByRole("slider", { name: "Control of push", exact: true });
  assert.equal(await slider.getAttribute("min"), "-5");
  await slider.fill("2");
  await page.waitForFunction(() => window.linkwork.coordinate("rail.z") > 0.1, null, { timeout: 20_000 });
  assert.equal(await page.evaluate(() => window.linkwork.signal("control push")), 2);
  await enter(page, "push", 0);
  await enter(page, "bend", 0.7);
  await page.waitForFunction(() => Math.abs(window.linkwork.coordinate("elbow.angle") - 0.7) < 0.02, null, { timeout: 20_000 });
  await enter(page, "pull", 0.2);
  // The weight stretches the servo by m g / k.
  await page.waitForFunction(() => Math.abs(window.linkwork.coordinate("lift.z") - 0.2 + 9.81 / 2000) < 2e-3, null, { timeout: 20_000 });
  assert.deepEqual(problems, []);
  await close();
});

test("a stored state is gone to by its button, with its controls, and reset goes back", async () => {
  const { page, problems, close } = await open(browser, server.url);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.getByRole("button", { name: "bent" }).click();
  await page.waitForFunction(() => window.linkwork.scalar("step") === 0 && Math.abs(window.linkwork.coordinate("elbow.angle") - 1) < 1e-6);
  assert.ok(Math.abs((await coordinate(page, "rail.z")) - 0.2) < 1e-6);
  await page.waitForFunction(() => window.linkwork.signal("control bend") === 1);
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  await page.waitForFunction(() => Math.abs(window.linkwork.coordinate("elbow.angle")) < 1e-6);
  await page.waitForFunction(() => window.linkwork.signal("control bend") === 0);
  // What is set while it stands still is shown at once.
  await enter(page, "bend", 0.4);
  await page.waitForFunction(() => window.linkwork.signal("control bend") === 0.4);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.waitForFunction(() => window.linkwork.coordinate("elbow.angle") > 0.3, null, { timeout: 20_000 });
  assert.deepEqual(problems, []);
  await close();
});

test("sensors are read in the panel and plotted, several in one plot", async () => {
  const { page, problems, close } = await open(browser, server.url);
  const sensors = page.getByRole("region", { name: "Sensors" });
  for (const name of ["where", "seen.x", "seen.z"]) await sensors.getByText(name, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Plot", exact: true }).click();
  await page.getByLabel("Filter quantities").fill("seen.z");
  await page.getByRole("button", { name: "sensor seen.z" }).click();
  const plot = page.getByRole("region", { name: "Plot of sensor seen.z" });
  await plot.waitFor();
  await plot.getByRole("button", { name: "Add a quantity to the plot of sensor seen.z" }).click();
  // Only quantities of the same unit are offered.
  const menu = page.getByRole("dialog", { name: "Add to the plot of sensor seen.z" });
  await menu.getByRole("button", { name: "sensor where" }).waitFor();
  assert.equal(await menu.getByRole("button", { name: "total energy" }).count(), 0);
  await menu.getByRole("button", { name: "sensor where" }).click();
  await plot.getByText("sensor where").waitFor();
  assert.equal(await plot.locator(".swatch").count(), 2);
  await plot.getByRole("button", { name: "Remove sensor seen.z from the plot" }).click();
  assert.equal(await plot.locator(".swatch").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test("a selected body lists its contacts with their forces", async () => {
  const { page, problems, close } = await open(browser, server.url);
  const box = await page.evaluate(() => window.linkwork.hello.model.bodies.findIndex((b) => b.name === "box"));
  await page.evaluate((i) => window.linkwork.select(i), box);
  await page.waitForFunction(() => document.querySelectorAll(".touches tbody tr").length >= 3, null, { timeout: 20_000 });
  const normal = async () => {
    const texts = await page.locator(".touches tbody tr td:nth-child(2)").allTextContents();
    return texts.reduce((sum, text) => sum + Number(text.replace("\u2212", "-")), 0);
  };
  await page.waitForTimeout(500);
  assert.ok(Math.abs((await normal()) - 3 * 9.81) < 0.1, `the weight: ${await normal()} N`);
  assert.match(await page.locator(".touches .total").textContent(), /29\.4/);
  assert.deepEqual(problems, []);
  await close();
});

test("what was seen is there after a reload and for a second viewer", async () => {
  const one = await open(browser, server.url);
  await one.page.waitForFunction(() => window.linkwork.time() > 1, null, { timeout: 20_000 });
  const start = (page) => page.evaluate(() => window.linkwork.start());
  const begin = await start(one.page);
  await one.page.reload();
  await one.page.waitForFunction(() => window.linkwork?.ready, null, { timeout: 30_000 });
  await one.page.waitForFunction((t) => window.linkwork.start() <= t + 1e-9 && window.linkwork.time() > t + 1, begin, { timeout: 20_000 });
  const two = await open(browser, server.url);
  await two.page.waitForFunction((t) => window.linkwork.start() <= t + 1e-9, begin, { timeout: 20_000 });
  // It can be scrubbed, and follows again.
  await two.page.evaluate(() => window.linkwork.seekTime(window.linkwork.start()));
  await two.page.waitForFunction((t) => Math.abs(window.linkwork.time() - t) < 0.02, begin);
  await two.page.keyboard.press("End");
  await two.page.waitForFunction((t) => window.linkwork.time() > t + 1, begin);
  assert.deepEqual([...one.problems, ...two.problems], []);
  await one.close();
  await two.close();
});

test("layers of inertia and centres of mass change the picture", async () => {
  const { page, problems, close } = await open(browser, server.url);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.waitForFunction(() => window.linkwork.settled());
  const plain = await picture(page);
  for (const key of ["m", "b"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(300);
    const shown = await picture(page);
    assert.ok(difference(plain, shown) > 1e-4, `key ${key}: ${difference(plain, shown)}`);
    await page.keyboard.press(key);
    await page.waitForTimeout(300);
  }
  await page.getByRole("button", { name: "Resume" }).click();
  assert.deepEqual(problems, []);
  await close();
});

test("a run that has stopped says so in red", async () => {
  // A script whose control is no number after 0.2 s.
  const script = join(folder, "stops.txt");
  writeFileSync(script, "push = log(0.2 - t)");
  const other = await serve("run", file, "--view", "--script", script);
  const { page, close } = await open(browser, other.url);
  const health = page.locator(".health");
  await page.waitForFunction(() => document.querySelector(".health").textContent.startsWith("stopped"), null, { timeout: 20_000 });
  assert.equal(await health.getAttribute("data-tone"), "bad");
  assert.match(await health.textContent(), /control/);
  // The reason is long; what is cut is the reason, not the title.
  const whole = await page.locator(".bar .title").evaluate((title) => title.scrollWidth <= title.clientWidth);
  assert.ok(whole, "the title is cut");
  await close();
  other.stop();
});
