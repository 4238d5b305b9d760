// Axes of plots: their labels are the values of the ticks.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const file = join(dirname(fileURLToPath(import.meta.url)), "../src/plot/scale.ts");
const { outputFiles } = await build({ entryPoints: [file], bundle: true, format: "esm", write: false });
const { decimals, linearScale, niceTicks } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);

test("labels tell the value, of a single tick too", () => {
  for (const [min, max, count] of [[0.25, 0.54, 2], [0, 1e-3, 3], [-7, 120, 2], [13.394, 13.4, 2], [0.9, 1.1, 1]]) {
    const { ticks, step } = niceTicks(min, max, count);
    assert.ok(ticks.length > 0, `${min} to ${max}`);
    for (const tick of ticks) assert.ok(Math.abs(Number(tick.toFixed(decimals(step))) - tick) < 1e-9 * step, `${tick}`);
    for (const { value, label } of linearScale(min, max, count).ticks) {
      if (label.startsWith("+")) continue;
      assert.ok(Math.abs(Number(label.replace("\u2212", "-")) - value) < 1e-6 * (max - min), `${label} for ${value}`);
    }
  }
});
