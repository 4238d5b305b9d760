// Drawing of one plot on a canvas.

import type { Curve } from "../source/source";
import { solveFailed } from "../ui/format";
import { decimals, linearScale, logScale, niceTicks, type Scale } from "./scale";
import { marked, thin, type Columns } from "./thin";

/** Room around the curve for labels, CSS pixels. */
export const MARGIN = { left: 50, right: 10, top: 6, bottom: 17 };

export interface Picture {
  /** Null while one has not arrived. */
  curves: (Curve | null)[];
  /** How each solve ended, to mark those that failed. */
  status: Curve | null;
  /** Range of time, s. */
  start: number;
  end: number;
  log: boolean;
}

interface Area {
  width: number;
  height: number;
}

export function drawPlot(canvas: HTMLCanvasElement, picture: Picture): void {
  const context = fitCanvas(canvas);
  if (!context) return;
  const colour = colours(canvas);
  const area: Area = {
    width: Math.floor(canvas.clientWidth - MARGIN.left - MARGIN.right),
    height: Math.floor(canvas.clientHeight - MARGIN.top - MARGIN.bottom),
  };
  if (area.width < 20 || area.height < 10) return;
  context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  context.font = `10.5px ${colour.font}`;
  context.save();
  context.translate(MARGIN.left, MARGIN.top);
  drawTimes(context, picture, area, colour);
  const all = picture.curves.map((curve) => curve && thin(curve, picture.start, picture.end, area.width));
  const filled = all.filter((columns) => columns !== null && columns.max >= columns.min) as Columns[];
  if (filled.length > 0) {
    const scale = scaleOf(filled, picture.log, area.height);
    drawValues(context, scale, area, colour);
    all.forEach((columns, i) => {
      if (columns && columns.max >= columns.min) drawCurve(context, columns, scale, area, curveColour(colour, i));
    });
  } else {
    context.fillStyle = colour.muted;
    context.textAlign = "center";
    context.fillText(picture.curves.every((curve) => curve) ? "no values" : "loading …", area.width / 2, area.height / 2);
  }
  if (picture.status) drawFailures(context, picture.status, picture, area, colour);
  context.restore();
}

/** Makes the canvas as fine as the screen; null if it is not visible. */
export function fitCanvas(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (width === 0 || height === 0) return null;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

type Colours = ReturnType<typeof colours>;

/** The theme's colours; a canvas does not take part in CSS by itself. */
export function colours(element: Element) {
  const style = getComputedStyle(element);
  const get = (name: string) => style.getPropertyValue(name).trim();
  return { muted: get("--muted"), line: get("--line"), curve: get("--accent"), bad: get("--bad"), font: style.fontFamily };
}

/** The first curve has the theme's colour, the others differ in hue and, for those who do not see that, in lightness. */
const OTHERS = ["#e07b39", "#4f9d4f", "#b05fb0", "#c7a52c", "#7a8fa6"];

export function curveColour(colour: Colours, index: number): string {
  return index === 0 ? colour.curve : OTHERS[(index - 1) % OTHERS.length];
}

function scaleOf(all: Columns[], log: boolean, height: number): Scale {
  const ticks = Math.max(2, Math.floor(height / 22));
  const min = Math.min(...all.map((columns) => columns.min));
  const max = Math.max(...all.map((columns) => columns.max));
  return log && max > 0 ? logScale(Math.min(...all.map((columns) => columns.minPositive)), max, ticks) : linearScale(min, max, ticks);
}

function drawTimes(context: CanvasRenderingContext2D, { start, end }: Picture, area: Area, colour: Colours): void {
  context.fillStyle = colour.muted;
  context.strokeStyle = colour.line;
  context.lineWidth = 1;
  context.textAlign = "center";
  context.textBaseline = "top";
  const { ticks, step } = niceTicks(start, end, Math.max(2, area.width / 70));
  const places = decimals(step);
  context.beginPath();
  for (const tick of ticks) {
    const x = Math.round(((tick - start) / (end - start || 1)) * (area.width - 1)) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, area.height);
    const label = tick === ticks[ticks.length - 1] ? `${tick.toFixed(places)} s` : tick.toFixed(places);
    const half = context.measureText(label).width / 2;
    context.fillText(label, Math.min(x, area.width + MARGIN.right - half), area.height + 5);
  }
  context.stroke();
}

function drawValues(context: CanvasRenderingContext2D, scale: Scale, area: Area, colour: Colours): void {
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.beginPath();
  for (const { value, label } of scale.ticks) {
    const y = Math.round((1 - scale.at(value)) * area.height) + 0.5;
    context.moveTo(0, y);
    context.lineTo(area.width, y);
    context.fillText(label, -6, y);
  }
  context.strokeStyle = colour.line;
  context.stroke();
}

/** In each column the line runs from its first value over both extremes to its last. */
function drawCurve(context: CanvasRenderingContext2D, columns: Columns, scale: Scale, area: Area, colour: string): void {
  const y = (value: number) => (1 - scale.at(value)) * area.height;
  let broken = true;
  context.beginPath();
  for (let x = 0; x < area.width; x++) {
    if (columns.gap[x]) broken = true;
    if (Number.isNaN(columns.first[x])) continue;
    const [first, last] = [y(columns.first[x]), y(columns.last[x])];
    // A dot where there is nothing to join, so that a single point can be seen.
    if (broken) context.moveTo(x - 0.5, first);
    context.lineTo(x, first);
    context.lineTo(x, y(columns.low[x]));
    context.lineTo(x, y(columns.high[x]));
    context.lineTo(x, last);
    broken = false;
  }
  context.strokeStyle = colour;
  context.lineWidth = 1.4;
  context.lineJoin = "round";
  context.stroke();
}

function drawFailures(context: CanvasRenderingContext2D, status: Curve, { start, end }: Picture, area: Area, colour: Colours): void {
  context.fillStyle = colour.bad;
  for (const x of marked(status, start, end, area.width, solveFailed)) context.fillRect(x - 0.75, area.height - 7, 1.5, 7);
}
