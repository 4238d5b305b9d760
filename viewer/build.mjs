// Makes one self-contained page of src/: node build.mjs [OUT.html], dist/page.html unless given.
// Everything is inlined, so that the same file serves the live view and, with data in it, an export.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? `${here}/dist/page.html`);
const options = { bundle: true, minify: true, write: false, logLevel: "warning", legalComments: "inline" };
const script = await build({ ...options, entryPoints: [`${here}/src/main.ts`], format: "iife", target: "es2022" });
const style = await build({ ...options, entryPoints: [`${here}/src/style.css`] });

// A closing tag inside the script would end it early.
const text = (result) => result.outputFiles[0].text.replaceAll("</script", "<\\/script");
const page = await readFile(`${here}/src/index.html`, "utf8");
const fill = { "/*STYLE*/": text(style), "/*SCRIPT*/": text(script) };
await mkdir(dirname(out), { recursive: true });
await writeFile(out, page.replace(/\/\*(STYLE|SCRIPT)\*\//g, (mark) => fill[mark]));
