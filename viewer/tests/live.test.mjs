// A live simulation in the browser: it loads, moves, obeys, and its loops hold when it is pulled.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { difference, launch, open, picture, serve } from "./browser.mjs";

let browser;
let server;
before(async () => {
  browser = await launch();
  server = await serve("run", "fourbar_fixed", "--view", "--time", "3600");
});
after(async () => {
  await browser?.close();
  server?.stop();
});

const value = (page, expression) => page.evaluate(expression);
const steps = (page) => value(page, () => window.linkwork.scalar("step"));

test("the page loads without complaint, is not blank, and bodies move", async () => {
  const { page, problems, close } = await open(browser, server.url);
  const first = await picture(page);
  assert.ok(first.colours > 40, `${first.colours} colours`);
  assert.ok(first.commonest < 0.9, `one colour covers ${first.commonest}`);
  const pose = await value(page, () => window.linkwork.pose(1));
  await page.waitForFunction((p) => Math.hypot(...window.linkwork.pose(1).slice(0, 3).map((x, i) => x - p[i])) > 0.02, pose, { timeout: 20_000 });
  const second = await picture(page);
  assert.ok(difference(first, second) > 0.001, "the picture changes with the bodies");
  assert.deepEqual(problems, []);
  assert.deepEqual(await value(page, () => window.linkwork.errors), []);
  await close();
});

test("pause, single step and reset by their buttons, and by keys", async () => {
  const { page, problems, close } = await open(browser, server.url);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.waitForTimeout(300);
  const before = await steps(page);
  await page.waitForTimeout(300);
  assert.equal(await steps(page), before, "paused");
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await page.waitForFunction((n) => window.linkwork.scalar("step") === n, before + 1);
  await page.locator("canvas.world").click({ position: { x: 4, y: 4 } });
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((n) => window.linkwork.scalar("step") === n, before + 2);
  await page.keyboard.press("r");
  await page.waitForFunction(() => window.linkwork.scalar("step") === 0 && window.linkwork.time() === 0);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.linkwork.scalar("step") > 20);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual(problems, []);
  await close();
});

test("pulling the coupler with the mouse moves it, and the loop stays closed", async () => {
  const { page, problems, close } = await open(browser, server.url);
  const coupler = await value(page, () => window.linkwork.hello.model.bodies.findIndex((b) => b.name === "coupler"));
  assert.ok(coupler >= 0, "the four-bar has a coupler");
  // The drive would fight the hand; it is the loop that is to be tested.
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await page.keyboard.press("r");
  await page.waitForFunction(() => window.linkwork.scalar("step") === 0);
  const box = await page.locator("canvas.world").boundingBox();
  const [x, y] = await page.evaluate((body) => window.linkwork.screen(body), coupler);
  const inside = x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
  assert.ok(inside, `the coupler is in view: ${x}, ${y}`);

  // The same seconds without and with a hand on it: the drive turns the crank in both.
  const travel = async (pull) => {
    await page.keyboard.press("r");
    await page.waitForFunction(() => window.linkwork.scalar("step") === 0);
    if (pull) {
      await page.mouse.move(x, y);
      await page.keyboard.down("Shift");
      await page.mouse.down();
      await page.keyboard.up("Shift");
      await page.mouse.move(x, y - 80, { steps: 5 });
    }
    await page.keyboard.press("Space");
    await page.evaluate(() => {
      window.worst = 0;
      const { scalar } = window.linkwork;
      // Before the first step there is no error to speak of.
      const look = () => scalar("step") > 0 && (window.worst = Math.max(window.worst, scalar("closure_linear"), scalar("closure_angular")));
      window.watch = setInterval(look, 5);
    });
    await page.waitForFunction(() => window.linkwork.time() > 0.4);
    const end = await page.evaluate((body) => window.linkwork.pose(body), coupler);
    await page.keyboard.press("Space");
    if (pull) await page.mouse.up();
    const worst = await page.evaluate(() => (clearInterval(window.watch), window.worst));
    return { end, worst };
  };
  const free = await travel(false);
  const pulled = await travel(true);
  const shift = Math.hypot(...[0, 1, 2].map((i) => pulled.end[i] - free.end[i]));
  assert.ok(shift > 0.01, `the hand moved it by ${shift} m`);
  assert.ok(pulled.worst > 0 && pulled.worst <= 1e-8, `closure error while pulled: ${pulled.worst}`);
  assert.deepEqual(problems, []);
  await close();
});

test("without the token one may look but not touch", async () => {
  const { page, problems, close } = await open(browser, server.url.replace(/token=\w+/, "token=0"));
  assert.equal(await value(page, () => window.linkwork.hello.control), false);
  assert.ok(await page.getByRole("button", { name: "Reset", exact: true }).isDisabled());
  assert.ok(await page.getByText("Opened without the token").isVisible());
  // What the buttons refuse to do, the server refuses too.
  const answer = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/ws?token=0`);
        socket.onopen = () => socket.send(JSON.stringify({ type: "reset" }));
        socket.onmessage = ({ data }) => typeof data === "string" && JSON.parse(data).type === "error" && resolve(JSON.parse(data).message);
      }),
  );
  assert.match(answer, /token/);
  assert.deepEqual(problems, []);
  await close();
});

test("solver and tolerance are switched, and several viewers see the same", async () => {
  const one = await open(browser, server.url);
  const two = await open(browser, server.url);
  await one.page.getByLabel("Solver", { exact: true }).selectOption("newton");
  await two.page.waitForFunction(() => document.querySelector('select[aria-label="Solver"]').value === "newton");
  await one.page.getByLabel("Tolerance").fill("1e-7");
  await one.page.getByLabel("Tolerance").press("Enter");
  await two.page.waitForFunction(() => Number(document.querySelector('input[aria-label^="Tolerance"]').value) === 1e-7);
  await two.page.getByText("2 viewers").waitFor();
  assert.deepEqual([...one.problems, ...two.problems], []);
  await one.close();
  await two.close();
});
