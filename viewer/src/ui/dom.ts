// Building elements without a framework.

type Props = Record<string, string | number | boolean | null | ((event: any) => void)>;
type Child = Node | string | null | false;

/** An element; functions become listeners ("click"), true and false switch attributes, null leaves one out. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else if (value !== null) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** Writes only what changed: an untouched text needs no layout. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A button with a picture; the title also says the key. */
export function iconButton(name: keyof typeof ICONS, title: string, click: () => void): HTMLButtonElement {
  return h("button", { class: "icon", type: "button", title, "aria-label": title, click }, icon(name));
}

export function icon(name: keyof typeof ICONS): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  setIcon(svg, name);
  return svg;
}

export function setIcon(svg: SVGSVGElement, name: keyof typeof ICONS): void {
  if (svg.dataset.icon === name) return;
  svg.dataset.icon = name;
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.replaceChildren(path);
}

/** Strokes on a 16 x 16 grid. */
const ICONS = {
  play: "M5 3 L12.5 8 L5 13 Z",
  pause: "M5.2 3 V13 M10.8 3 V13",
  back: "M4 3.5 V12.5 M12 3.5 L6.5 8 L12 12.5 Z",
  forward: "M12 3.5 V12.5 M4 3.5 L9.5 8 L4 12.5 Z",
  start: "M3.5 3.5 V12.5 M9 4 L5 8 L9 12 M13 4 L9 8 L13 12",
  end: "M12.5 3.5 V12.5 M7 4 L11 8 L7 12 M3 4 L7 8 L3 12",
  loop: "M3 8 a5 5 0 0 1 8.6 -3.4 M13 8 a5 5 0 0 1 -8.6 3.4 M12 1.8 V5 H8.8 M4 14.2 V11 H7.2",
  left: "M2.5 3 H13.5 V13 H2.5 Z M6.2 3 V13",
  right: "M2.5 3 H13.5 V13 H2.5 Z M9.8 3 V13",
  chart: "M2.5 2.5 V13.5 H13.5 M4.5 10.5 L7 7 L9.5 9 L13 4",
  fit: "M2.5 5.5 V2.5 H5.5 M10.5 2.5 H13.5 V5.5 M13.5 10.5 V13.5 H10.5 M5.5 13.5 H2.5 V10.5 M6 6 H10 V10 H6 Z",
  eye: "M1.5 8 C4 3.8 12 3.8 14.5 8 C12 12.2 4 12.2 1.5 8 Z M8 6 A2 2 0 1 0 8 10 A2 2 0 1 0 8 6",
  cube: "M8 1.8 L13.5 4.8 V11.2 L8 14.2 L2.5 11.2 V4.8 Z M2.5 4.8 L8 7.8 L13.5 4.8 M8 7.8 V14.2",
  theme: "M8 2.2 A5.8 5.8 0 1 0 13.8 8 A4.6 4.6 0 0 1 8 2.2",
  hand: "M5 8.5 V4 a1 1 0 0 1 2 0 V7.5 M7 7.5 V3 a1 1 0 0 1 2 0 V7.5 M9 7.5 V4 a1 1 0 0 1 2 0 V9 a4.5 4.5 0 0 1 -8 3 L2.4 9.6 a1 1 0 0 1 1.6 -1 L5 9.6",
  wide: "M2 8 H14 M4.5 5.5 L2 8 L4.5 10.5 M11.5 5.5 L14 8 L11.5 10.5",
  close: "M4 4 L12 12 M12 4 L4 12",
  plus: "M8 3 V13 M3 8 H13",
  reset: "M3.2 8.6 A4.9 4.9 0 1 0 5 4.2 M5.4 1.6 L4.6 4.5 L7.6 5.2",
} as const;
