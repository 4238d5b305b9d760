// What the parts of the picture have in common.
import type { Object3D } from "three";
import type { Display, Frame } from "../types";
import type { Extent, Sizes } from "./extent";
import type { Palette } from "./palette";
import type { Poses } from "./poses";

/** What is to be seen now. */
export interface Picture {
  /** Null before the first frame. */
  frame: Frame | null;
  poses: Poses;
  display: Display;
  palette: Palette;
  selected: number | null;
  extent: Extent;
  sizes: Sizes;
  /** Newtons per metre of arrow. */
  forceScale: number;
  /** Draw what costs less: the picture is moving and the machine is slow. */
  quick: boolean;
  /** Draw shadows: they are wanted, and there is time for them. */
  shadows: boolean;
}

/** One part of the picture: bodies, contacts, trails, … */
export interface Layer {
  readonly object: Object3D;
  /** Bring `object` up to date. */
  draw(picture: Picture): void;
  dispose(): void;
}
