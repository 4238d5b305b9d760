// What is drawn over the canvas by the page itself, crisp at every size: names of bodies and the axes in the
// corner.
import { Vector3, type PerspectiveCamera } from "three";
import { AXIS_COLOURS } from "./axes";
import type { Picture } from "./layer";

/** More bodies than this are not named, except the selected one. */
const FEW = 20;
/** Of the axes in the corner: length and distance from the edge, pixels. */
const TRIAD = 26;
const CORNER = 44;
const AXES = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
const SVG = "http://www.w3.org/2000/svg";

export class Overlay {
  private readonly root = document.createElement("div");
  private readonly labels: HTMLDivElement[];
  private readonly triad = document.createElementNS(SVG, "svg");
  private readonly at = new Vector3();

  constructor(private readonly canvas: HTMLCanvasElement, names: string[]) {
    Object.assign(this.root.style, {
      position: "absolute", pointerEvents: "none", overflow: "hidden", font: "12px/1.2 system-ui, sans-serif",
    });
    this.labels = names.map((name) => label(name));
    this.triad.setAttribute("width", String(2 * CORNER));
    this.triad.setAttribute("height", String(2 * CORNER));
    Object.assign(this.triad.style, { position: "absolute", left: "0", bottom: "0" });
    this.root.append(this.triad, ...this.labels);
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

  draw(picture: Picture, camera: PerspectiveCamera): void {
    this.drawTriad(camera, picture.palette.label);
    this.labels.forEach((element, body) => {
      const wanted = picture.display.names && (this.labels.length <= FEW || body === picture.selected);
      const seen = wanted ? project(picture.poses.centre(body, this.at), camera, this.canvas) : null;
      element.style.display = seen ? "" : "none";
      if (!seen) return;
      const { label, labelShade } = picture.palette;
      element.style.color = label;
      element.style.textShadow = `0 0 3px ${labelShade}, 0 0 3px ${labelShade}, 0 0 5px ${labelShade}`;
      element.style.transform = `translate(${seen[0] + 8}px, ${seen[1] - 18}px)`;
    });
  }

  dispose(): void {
    this.root.remove();
  }

  private drawTriad(camera: PerspectiveCamera, ink: string): void {
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
export function project(point: Vector3, camera: PerspectiveCamera, canvas: HTMLCanvasElement): [number, number] | null {
  const seen = point.clone().project(camera);
  if (!(seen.z < 1)) return null;
  return [(0.5 + 0.5 * seen.x) * canvas.clientWidth, (0.5 - 0.5 * seen.y) * canvas.clientHeight];
}
