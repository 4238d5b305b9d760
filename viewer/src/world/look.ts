// How shapes are seen: the file's colours, and which shapes stand for others.
import { Color, SRGBColorSpace } from "three";
import type { Shape } from "../types";

/** Opacity below which a shape is not meant to be seen. */
const CLEAR = 0.05;

/** Whether a shape touches anything; if not, it is only to be seen. */
export function touches({ group }: Shape): boolean {
  return !group || (group.member !== 0 && group.mask !== 0);
}

/** Whether a shape is meant to be seen. */
export function opaque({ colour }: Shape): boolean {
  return !colour || colour[3] >= CLEAR;
}

/** The colour of the file, if it has one. */
export function colourOf({ colour }: Shape): Color | null {
  return colour ? new Color().setRGB(colour[0], colour[1], colour[2], SRGBColorSpace) : null;
}
