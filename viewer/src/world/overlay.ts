// What is drawn over the canvas by the page itself, crisp at every size: names of bodies and the axes in the
// corner.
import { Quaternion, Vector3 } from "three";
import { AXIS_COLOURS } from "./axes";
import type { Eye } from "./camera";
import type { Picture } from "./layer";
import type { Palette } from "./palette";
import { number } from "../ui/format";

/** Size of a name, pixels: width per letter, and height of its line. Names that would overlap others are left out. */
const LETTER = 6.5;
const LINE = 15;
/** Names that are shown at most. */
const MOST = 60;
/** Of the axes in the corner: length and distance from the edge, pixels. */
const TRIAD = 26;
const CORNER = 44;
const AXES = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
const SVG = "http://www.w3.org/2000/svg";

export class Overlay {
  private readonly root = document.createElement("div");
  private readonly labels: HTMLDivElement[];
  /** The force of the pull, at the pointer. */
  private readonly force = label("");
  private readonly triad = document.createElementNS(SVG, "svg");
  private readonly at = new Vector3();
  private readonly drawn = new Quaternion(0, 0, 0, 0);
  private ink = "";
  /** Names were drawn last time. */
  private named = false;

  constructor(private readonly canvas: HTMLCanvasElement, names: string[]) {
    Object.assign(this.root.style, {
      position: "absolute", pointerEvents: "none", overflow: "hidden", font: "12px/1.2 system-ui, sans-serif",
    });
    this.labels = names.map((name) => label(name));
    this.triad.setAttribute("width", String(2 * CORNER));
    this.triad.setAttribute("height", String(2 * CORNER));
    Object.assign(this.triad.style, { position: "absolute", left: "0", bottom: "0" });
    this.force.className = "pull";
    this.root.append(this.triad, ...this.labels, this.force);
  }

  /** Lie exactly over the canvas. */
  resize(): void {
    const { canvas, root } = this;
    if (!root.isConnected) canvas.after(root);
    const parent = canvas.parentElement;
    if (parent && getComputedStyle(parent).position === "static") parent.style.position = "relative";
    root.style.left = `${canvas.offsetLeft}px`;
    root.style.top = `${canvas.offsetTop}px`;
    root.style.width = `${canvas.clientWidth}px`;
    root.style.height = `${canvas.clientHeight}px`;
  }

  /** @param pulled where a body is pulled to; null if none is */
  draw(picture: Picture, camera: Eye, pulled: Vector3 | null): void {
    this.drawForce(picture, camera, pulled);
    this.drawTriad(camera, picture.palette.label);
    this.named ||= picture.display.names;
    if (this.named) this.drawNames(picture, camera);
    this.named = picture.display.names;
  }

  private drawNames(picture: Picture, camera: Eye): void {
    const seen = this.labels.flatMap((element, body) => {
      const at = picture.display.names ? project(picture.poses.centre(body, this.at), camera, this.canvas) : null;
      const first = body === picture.selected ? -Infinity : this.at.distanceToSquared(camera.position);
      element.style.display = "none";
      return at ? [{ element, at, first }] : [];
    });
    const shown: [number, number, number][] = [];
    for (const { element, at: [x, y] } of seen.sort((a, b) => a.first - b.first)) {
      const end = x + LETTER * (element.textContent?.length ?? 0);
      const free = shown.every(([left, right, top]) => end < left || right < x || Math.abs(y - top) > LINE);
      if (!free || shown.length === MOST) continue;
      shown.push([x, end, y]);
      element.style.display = "";
      this.write(element, [x, y], picture.palette);
    }
  }

  private drawForce({ frame, palette }: Picture, camera: Eye, pulled: Vector3 | null): void {
    const at = pulled && frame?.pull ? project(pulled, camera, this.canvas) : null;
    this.force.style.display = at ? "" : "none";
    if (!at || !frame?.pull) return;
    this.force.textContent = `${number(Math.hypot(...frame.pull), 3)} N`;
    this.write(this.force, at, palette);
  }

  /** Put a label beside a point of the canvas. */
  private write(element: HTMLElement, [x, y]: [number, number], { label, labelShade }: Palette): void {
    element.style.color = label;
    element.style.textShadow = `0 0 3px ${labelShade}, 0 0 3px ${labelShade}, 0 0 5px ${labelShade}`;
    element.style.transform = `translate(${x + 8}px, ${y - 18}px)`;
  }

  dispose(): void {
    this.root.remove();
  }

  private drawTriad(camera: Eye, ink: string): void {
    // Rewriting it at every frame would cost the page a repaint.
    if (camera.quaternion.equals(this.drawn) && ink === this.ink) return;
    this.drawn.copy(camera.quaternion);
    this.ink = ink;
    const ends = AXES.map((axis) => axis.clone().transformDirection(camera.matrixWorldInverse));
    // Those that point away from the viewer first, so that the others cover them.
    const order = [0, 1, 2].sort((a, b) => ends[a].z - ends[b].z);
    this.triad.innerHTML = order
      .map((i) => {
        const [x, y] = [CORNER + TRIAD * ends[i].x, CORNER - TRIAD * ends[i].y];
        const [tx, ty] = [CORNER + 1.38 * TRIAD * ends[i].x, CORNER - 1.38 * TRIAD * ends[i].y];
        return `<line x1="${CORNER}" y1="${CORNER}" x2="${x}" y2="${y}" stroke="${AXIS_COLOURS[i]}" stroke-width="2.5" stroke-linecap="round"/>
          <text x="${tx}" y="${ty}" fill="${ink}" font-size="11" text-anchor="middle" dominant-baseline="central">${"xyz"[i]}</text>`;
      })
      .join("");
  }
}

function label(text: string): HTMLDivElement {
  const element = document.createElement("div");
  element.textContent = text;
  Object.assign(element.style, { position: "absolute", left: "0", top: "0", whiteSpace: "nowrap", display: "none" });
  return element;
}

/** Pixels of a point from the canvas' upper left corner; null if it is behind the camera. */
export function project(point: Vector3, camera: Eye, canvas: HTMLCanvasElement): [number, number] | null {
  const seen = point.clone().project(camera);
  if (!(seen.z < 1)) return null;
  return [(0.5 + 0.5 * seen.x) * canvas.clientWidth, (0.5 - 0.5 * seen.y) * canvas.clientHeight];
}
