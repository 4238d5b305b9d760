// What lies behind everything and changes only with the camera: the sky and the grids, on a canvas of their own
// below the transparent one. Lines cost a software renderer as much as all bodies; here they are drawn once for
// every place of the camera, not for every frame.
import { Vector3 } from "three";
import type { Eye } from "./camera";
import type { GridLine } from "./grid";
import type { Palette } from "./palette";
import { Sky } from "./sky";

export class Backdrop {
  private readonly canvas = document.createElement("canvas");
  private readonly sky: Sky;
  /** What the present picture was drawn from. */
  private drawn = "";

  /** @param ground whether the sky has a horizon */
  constructor(
    private readonly front: HTMLCanvasElement,
    ground: boolean,
  ) {
    this.canvas.setAttribute("aria-hidden", "true");
    Object.assign(this.canvas.style, { position: "absolute", pointerEvents: "none" });
    this.sky = new Sky(this.canvas, ground);
  }

  /** Lie exactly below the front canvas. */
  resize(): void {
    const { canvas, front } = this;
    if (!canvas.isConnected) front.before(canvas);
    const ratio = Math.min(2, window.devicePixelRatio);
    const [width, height] = [front.clientWidth, front.clientHeight];
    Object.assign(canvas.style, { left: `${front.offsetLeft}px`, top: `${front.offsetTop}px`, width: `${width}px`, height: `${height}px` });
    canvas.width = Math.max(1, Math.round(ratio * width));
    canvas.height = Math.max(1, Math.round(ratio * height));
    this.drawn = "";
  }

  /** Draw if the camera or the colours have changed. `lines` are asked for only then. */
  draw(palette: Palette, camera: Eye, grid: boolean, lines: () => GridLine[]): void {
    const from = [...camera.matrixWorld.elements, ...camera.projectionMatrix.elements, palette.gridLine, grid].join();
    if (from === this.drawn) return;
    this.drawn = from;
    this.sky.draw(palette, camera);
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.lineWidth = this.canvas.width / Math.max(1, this.front.clientWidth);
    if (grid) for (const line of lines()) this.stroke(context, camera, palette.gridLine, line);
  }

  dispose(): void {
    this.canvas.remove();
  }

  private stroke(context: CanvasRenderingContext2D, camera: Eye, colour: string, { middle, end, opacity }: GridLine): void {
    const [a, b] = [middle, end].map((p) => p.clone().applyMatrix4(camera.matrixWorldInverse));
    const near = -camera.near;
    if (a.z >= near && b.z >= near) return;
    // Up to where the line comes too near, and no further.
    const cut = (near - a.z) / (b.z - a.z);
    const middleAt = a.z >= near ? cut : 0;
    const endAt = b.z >= near ? cut : 1;
    const from = this.pixels(camera, a.clone().lerp(b, middleAt));
    const to = this.pixels(camera, a.clone().lerp(b, endAt));
    const { width, height } = this.canvas;
    const outside = (k: 0 | 1, size: number) => Math.max(from[k], to[k]) < 0 || Math.min(from[k], to[k]) > size;
    if (outside(0, width) || outside(1, height)) return;
    const gradient = context.createLinearGradient(...from, ...to);
    gradient.addColorStop(0, withOpacity(colour, opacity * (1 - middleAt)));
    gradient.addColorStop(1, withOpacity(colour, opacity * (1 - endAt)));
    context.strokeStyle = gradient;
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
  }

  /** Where a point in the camera's axes is seen. */
  private pixels(camera: Eye, point: Vector3): [number, number] {
    const { x, y } = point.applyMatrix4(camera.projectionMatrix);
    return [(0.5 + 0.5 * x) * this.canvas.width, (0.5 - 0.5 * y) * this.canvas.height];
  }
}

/** A colour like #aabbcc with an opacity. */
function withOpacity(colour: string, opacity: number): string {
  const part = Math.round(255 * Math.max(0, Math.min(1, opacity)));
  return colour + part.toString(16).padStart(2, "0");
}
