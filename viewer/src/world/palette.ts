// Colours of the 3-D view. Bodies take the "light" scheme of Paul Tol, which stays distinct for colour-blind
// eyes; what is drawn about bodies (contacts, forces, selection) is more saturated than they are.
import { Color } from "three";
import type { Theme } from "../types";

/** Colours of one theme, as CSS colours. */
export interface Palette {
  /** Of the background, from top to bottom. */
  sky: string;
  horizon: string;
  ground: string;
  gridLine: string;
  /** Colour and strength (0 to 1) of shadows on the ground. */
  shadow: string;
  shadowStrength: number;
  bodies: string[];
  /** Shapes that belong to the world: translucent ones, and what things stand on. */
  scenery: string;
  terrain: string;
  sceneryOpacity: number;
  edge: string;
  joint: string;
  pedestal: string;
  limit: string;
  needle: string;
  stick: string;
  slip: string;
  open: string;
  reaction: string;
  selection: string;
  spring: string;
  cord: string;
  label: string;
  labelShade: string;
  /** Strength of light from the sky and from the sun. */
  ambient: number;
  sun: number;
}

const DARK: Palette = {
  sky: "#20262f",
  horizon: "#11141a",
  ground: "#222831",
  gridLine: "#8fa3b8",
  shadow: "#05070a",
  shadowStrength: 0.55,
  bodies: ["#77aadd", "#ee8866", "#eedd88", "#44bb99", "#ffaabb", "#99ddff", "#bbcc33", "#c9a8e8"],
  scenery: "#9fb0c2",
  terrain: "#8493a3",
  sceneryOpacity: 0.1,
  edge: "#0a0d12",
  joint: "#e8edf3",
  pedestal: "#7d8896",
  limit: "#62b6ff",
  needle: "#ffffff",
  stick: "#1fd1b2",
  slip: "#ff8a1f",
  open: "#99a1ab",
  reaction: "#b78cff",
  selection: "#ffffff",
  spring: "#ffe14d",
  cord: "#e0705a",
  label: "#e8edf3",
  labelShade: "#11141a",
  ambient: 2.0,
  sun: 1.9,
};

const LIGHT: Palette = {
  sky: "#f7f9fb",
  horizon: "#dfe5eb",
  ground: "#eef1f4",
  gridLine: "#5c6b7a",
  shadow: "#2a3540",
  shadowStrength: 0.32,
  bodies: ["#5b8fc6", "#dd6f4b", "#d9bf4a", "#2fa283", "#e98a9e", "#6cbfe6", "#9aab17", "#a583cc"],
  scenery: "#66788a",
  terrain: "#b4bec8",
  sceneryOpacity: 0.12,
  edge: "#1b232c",
  joint: "#2b3440",
  pedestal: "#77828e",
  limit: "#1c6fb8",
  needle: "#101820",
  stick: "#00806c",
  slip: "#d65a00",
  open: "#7b8490",
  reaction: "#7a35e0",
  selection: "#10151c",
  spring: "#b30059",
  cord: "#b23a24",
  label: "#1b232c",
  labelShade: "#ffffff",
  ambient: 2.2,
  sun: 1.6,
};

export const palettes: Record<Theme, Palette> = { dark: DARK, light: LIGHT };

/** Colour of a body; all bodies keep theirs in both themes. */
export function bodyColour(palette: Palette, body: number): Color {
  return new Color(palette.bodies[body % palette.bodies.length]);
}
