// The sky: a gradient of the page behind the transparent canvas, which costs no drawing. Over a ground
// it has a horizon, so that the ground fills the view without a surface that would have to be shaded.
import { Vector3 } from "three";
import type { Eye } from "./camera";
import type { Palette } from "./palette";

/** How far below the horizon the ground has its full colour, and how far above the sky, in heights of the view. */
const HAZE = 0.7;

export class Sky {
  private shown = "";
  private readonly forward = new Vector3();

  constructor(private readonly canvas: HTMLCanvasElement, private readonly ground: boolean) {}

  draw(palette: Palette, camera: Eye): void {
    const gradient = this.ground ? this.horizon(palette, camera) : `linear-gradient(${palette.sky}, ${palette.horizon})`;
    if (gradient === this.shown) return;
    this.shown = gradient;
    this.canvas.style.background = gradient;
  }

  /** The camera never leans to a side: the horizon is level, at a height that follows from its pitch. */
  private horizon(palette: Palette, camera: Eye): string {
    const { z } = camera.getWorldDirection(this.forward);
    // Without perspective the horizon is never in view.
    if ("isOrthographicCamera" in camera) return `linear-gradient(${palette.horizon}, ${palette.ground})`;
    const slope = z / Math.sqrt(Math.max(1 - z * z, 1e-6));
    const at = 0.5 + (0.5 * slope) / Math.tan((camera.fov * Math.PI) / 360);
    const stop = (y: number) => `${(100 * y).toFixed(1)}%`;
    return `linear-gradient(${palette.sky} ${stop(at - HAZE)}, ${palette.horizon} ${stop(at)}, ${palette.ground} ${stop(at + HAZE)})`;
  }
}
