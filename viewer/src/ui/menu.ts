// A button that opens a small panel below or above it.

import { h } from "./dom";

/** The panel's content is built when it opens; it closes by Escape and by a press elsewhere. */
export function menuButton(button: HTMLButtonElement, label: string, build: (close: () => void) => HTMLElement): HTMLElement {
  const root = h("div", { class: "menu" }, button);
  let panel: HTMLElement | null = null;

  const close = () => {
    panel?.remove();
    panel = null;
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", pressed, true);
    document.removeEventListener("keydown", typed, true);
  };
  const pressed = (event: PointerEvent) => {
    const target = event.target as Node;
    if (!root.contains(target) && !panel?.contains(target)) close();
  };
  const typed = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
    button.focus();
  };
  const open = () => {
    panel = h("div", { class: "popup", role: "dialog", "aria-label": label }, build(close));
    // Not in the button's place, whose ancestors may clip it.
    document.body.append(panel);
    place(panel, button);
    button.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", pressed, true);
    document.addEventListener("keydown", typed, true);
  };

  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => (panel ? close() : open()));
  return root;
}

/** Within the window, on the side of the button where there is more room. */
function place(panel: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const below = innerHeight - at.bottom > at.top;
  const room = (below ? innerHeight - at.bottom : at.top) - 12;
  panel.style.maxHeight = `${room}px`;
  panel.style.left = `${Math.max(6, Math.min(at.left, innerWidth - panel.offsetWidth - 6))}px`;
  if (below) panel.style.top = `${at.bottom + 4}px`;
  else panel.style.bottom = `${innerHeight - at.top + 4}px`;
}
