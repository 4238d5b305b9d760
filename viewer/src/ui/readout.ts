// Rows of a name and numbers with a unit, updated in place.

import { h, setText } from "./dom";
import { number, vector } from "./format";

/** A table whose rows are added once and written often. */
export class Readout {
  readonly element = h("dl", { class: "readout" });

  /** A row with one value. */
  value(label: string, unit = "", title = ""): Value {
    return new Value(this.row(label, unit, title, 1)[0]);
  }

  /** A row that is shown only at times. */
  optional(label: string, unit: string, title: string): OptionalValue {
    const [cell] = this.row(label, unit, title, 1);
    const row = cell.parentElement!;
    return new OptionalValue(cell, [row.previousElementSibling as HTMLElement, row]);
  }

  /** A row with several values of one unit. */
  vector(label: string, unit: string, size: number, title = ""): Vector {
    return new Vector(this.row(label, unit, title, size));
  }

  private row(label: string, unit: string, title: string, cells: number): HTMLElement[] {
    const values = Array.from({ length: cells }, () => h("span", { class: "number" }));
    this.element.append(
      h("dt", { title: title || null }, label),
      h("dd", { class: cells > 1 ? "vector" : "single" }, ...values, h("span", { class: "unit" }, unit)),
    );
    return values;
  }
}

export class Value {
  constructor(private readonly cell: HTMLElement) {}

  set(x: number): void {
    setText(this.cell, number(x));
  }

  text(text: string, tone: "" | "bad" | "good" = ""): void {
    setText(this.cell, text);
    if (this.cell.dataset.tone !== tone) this.cell.dataset.tone = tone;
  }
}

export class OptionalValue extends Value {
  constructor(
    cell: HTMLElement,
    private readonly parts: HTMLElement[],
  ) {
    super(cell);
  }

  show(shown: boolean): void {
    for (const part of this.parts) if (part.hidden === shown) part.hidden = !shown;
  }
}

export class Vector {
  constructor(private readonly cells: HTMLElement[]) {}

  set(values: ArrayLike<number>): void {
    this.texts(vector(values));
  }

  texts(texts: string[]): void {
    texts.forEach((text, i) => setText(this.cells[i], text));
  }
}
