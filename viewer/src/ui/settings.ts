// What the address and the browser's memory say about how the page should start.

import type { Display, Theme, View } from "../types";
import { SWITCHES } from "./display";

const VIEWS: View[] = ["iso", "front", "side", "top"];

export interface Settings {
  theme: Theme;
  /** Time to start at, s. */
  at: number | null;
  panels: boolean;
  view: View | null;
  /** Name of a camera of the model to look through. */
  camera: string | null;
  /** Name of a body to keep in the middle. */
  follow: string | null;
  play: boolean;
  /** Without perspective. */
  orthographic: boolean;
  /** Draw every picture in full, for films. */
  full: boolean;
  /** Switches given in the address. */
  display: Partial<Display>;
}

export function readSettings(search: string): Settings {
  const parameters = new URLSearchParams(search);
  const at = parameters.get("at");
  const view = parameters.get("view") as View | null;
  const play = parameters.get("play");
  const display: Partial<Display> = {};
  for (const { name } of SWITCHES) {
    const value = parameters.get(name);
    if (value !== null) display[name] = value !== "0";
  }
  const time = at === null || at === "" ? NaN : Number(at);
  return {
    theme: startTheme(parameters.get("theme")),
    at: Number.isFinite(time) ? time : null,
    panels: parameters.get("panels") !== "0",
    view: view && VIEWS.includes(view) ? view : null,
    camera: parameters.get("camera"),
    follow: parameters.get("follow"),
    // Who asks for a moment wants to look at it.
    play: play === null ? !Number.isFinite(time) : play !== "0",
    orthographic: parameters.get("orthographic") === "1",
    full: parameters.get("full") === "1",
    display,
  };
}

function startTheme(asked: string | null): Theme {
  const wish = asked ?? recall("theme");
  if (wish === "dark" || wish === "light") return wish;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

/** Storage may be forbidden, e.g. in a page opened from a file. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`linkwork.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`linkwork.${key}`, value);
  } catch {
    // Forgetting a preference is no loss.
  }
}
