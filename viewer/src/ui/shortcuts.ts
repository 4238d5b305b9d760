// Keys, and the list of them that `?` opens.

import { h } from "./dom";

export interface Shortcut {
  /** As KeyboardEvent.key; several keys may do the same. */
  keys: string[];
  shift?: boolean;
  /** How the key is written in the list. */
  shown: string;
  does: string;
  run: () => void;
}

/** Calls the shortcuts of a page, except while the user types. */
export function listenToKeys(shortcuts: Shortcut[]): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || takesText(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    // Who came to a button by keyboard presses it with these.
    if ((event.key === " " || event.key === "Enter") && (event.target as Element).matches(":is(button, input):focus-visible")) return;
    const shortcut = shortcuts.find(({ keys, shift }) => keys.includes(event.key) && (shift === undefined || shift === event.shiftKey));
    if (!shortcut) return;
    // Space would otherwise also press the button that was clicked last.
    event.preventDefault();
    shortcut.run();
  });
}

function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement ? target.type !== "checkbox" : target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/** A dialogue with all shortcuts and what the mouse does. */
export function helpDialog(shortcuts: Shortcut[], draggable: boolean): HTMLDialogElement {
  const rows = shortcuts.map(({ shown, does }) => h("div", {}, h("kbd", {}, shown), h("span", {}, does)));
  const mouse: [string, string][] = [
    ["left drag", "turn the view"],
    ["right drag", "shift the view"],
    ["wheel", "zoom"],
    ["click", "select a body"],
    ["drag a plot", "move through time"],
    ["shift wheel", "zoom the plots' time"],
    ["double click", "plots: show all of the time"],
  ];
  if (draggable) mouse.push(["shift drag", "pull a body with a spring"]);
  const close = h("button", { type: "button", click: () => dialog.close() }, "Close");
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Keyboard shortcuts" },
    h("h2", {}, "Keyboard and mouse"),
    h("div", { class: "keys" }, ...rows, ...mouse.map(([how, what]) => h("div", {}, h("kbd", {}, how), h("span", {}, what)))),
    close,
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "?") dialog.close();
  });
  return dialog;
}
