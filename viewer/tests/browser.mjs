// What the browser tests share: Chromium, the linkwork command, and pictures as numbers.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const linkwork = process.env.LINKWORK ?? join(root, "target/optimized-test/linkwork");
const browserPath = process.env.LINKWORK_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** A folder that is removed when the tests end. */
export const folder = mkdtempSync(join(tmpdir(), "linkwork-viewer-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export const launch = () => chromium.launch({ executablePath: browserPath, headless: true, args: flags });

/** Run a command to its end; its standard output. */
export const run = (...args) => execFileSync(linkwork, args, { encoding: "utf8", maxBuffer: 1 << 28 });

/** Start a command that serves the page; resolves to its address. */
export async function serve(...args) {
  const child = spawn(linkwork, args, { stdio: ["ignore", "pipe", "pipe"] });
  process.on("exit", () => child.kill("SIGKILL"));
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const read = (data) => {
      said += data;
      const found = said.match(/http:\/\/127\.0\.0\.1:\d+\/\?token=\w+/);
      if (found) resolve(found[0]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", (code) => reject(new Error(`linkwork ${args.join(" ")} ended with ${code}: ${said}`)));
    setTimeout(() => reject(new Error(`linkwork ${args.join(" ")} printed no address: ${said}`)), 30_000).unref();
  });
  child.removeAllListeners("exit");
  return { url, stop: () => child.kill("SIGKILL") };
}

/** Open a page and wait until its first frame is drawn. `problems` collects whatever goes wrong in it. */
export async function open(browser, url, { size = [1280, 800], offline = false } = {}) {
  const context = await browser.newContext({ viewport: { width: size[0], height: size[1] }, offline });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    // Said by the graphics driver of every screenshot a test takes.
    const ofScreenshot = message.text().includes("GPU stall due to ReadPixels");
    if (["error", "warning"].includes(message.type()) && !ofScreenshot) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("requestfailed", (request) => problems.push(`request failed: ${request.url()}`));
  await page.goto(url);
  await page.waitForFunction(() => window.linkwork?.ready, null, { timeout: 60_000 });
  return { page, problems, close: () => context.close() };
}

/** Statistics of the 3-D view, or another element, as it is on the screen: number of distinct colours, share of the commonest, mean brightness, and some of the pixels. */
export async function picture(page, selector = "canvas.world") {
  const png = await page.locator(selector).screenshot();
  return page.evaluate(async (base64) => {
    // Not fetched: the page's own rules forbid it to fetch anything.
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) {
      // 5 bits a channel: a smooth background is few colours.
      const colour = ((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
      sum += data[i] + data[i + 1] + data[i + 2];
    }
    const pixels = data.length / 4;
    const sampled = [...data].filter((_, i) => i % 4 !== 3 && i % 7 === 0);
    return { colours: counts.size, commonest: Math.max(...counts.values()) / pixels, brightness: sum / (3 * 255 * pixels), sampled };
  }, png.toString("base64"));
}

/** Share of (sampled) channel values that differ clearly between two pictures of the same size. */
export const difference = (a, b) => a.sampled.filter((value, i) => Math.abs(value - b.sampled[i]) > 24).length / a.sampled.length;
