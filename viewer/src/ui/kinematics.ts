// Connections of the bodies: a spanning forest over the joints, and the joints that close loops.

import type { Joint, Model } from "../types";

/** A line of the bodies tree. */
export interface Entry {
  kind: "heading" | "body" | "loop";
  depth: number;
  label: string;
  /** The joint's type and name, or what it closes. */
  detail: string;
  /** Body to select; null for headings. */
  body: number | null;
}

/** Lines of the tree: mechanisms connected to the world, then floating mechanisms, then bodies without joints. */
export function bodiesTree(model: Model): Entry[] {
  // A free joint locks nothing.
  const joints = model.joints.filter((joint) => joint.kind.type !== "free");
  const neighbours = new Map<number | null, Joint[]>();
  for (const joint of joints) {
    for (const end of [joint.base, joint.follower]) {
      neighbours.set(end, [...(neighbours.get(end) ?? []), joint]);
    }
  }
  const forest = new Forest(model, neighbours);
  const held = forest.grow(null, 0);
  const floating: Entry[] = [];
  const free: Entry[] = [];
  model.bodies.forEach((body, i) => {
    if (forest.reached.has(i)) return;
    const entry: Entry = { kind: "body", depth: 1, label: body.name, detail: "", body: i };
    if (neighbours.has(i)) floating.push(entry, ...forest.grow(i, 1));
    else free.push(entry);
  });
  return [...section("World", held), ...section("Floating mechanisms", floating), ...section("Free bodies", free)];
}

function section(label: string, entries: Entry[]): Entry[] {
  const bodies = entries.filter((entry) => entry.kind === "body").length;
  if (entries.length === 0) return [];
  return [{ kind: "heading", depth: 0, label, detail: String(bodies), body: null }, ...entries];
}

class Forest {
  readonly reached = new Set<number | null>();
  private readonly used = new Set<Joint>();

  constructor(
    private readonly model: Model,
    private readonly neighbours: Map<number | null, Joint[]>,
  ) {}

  /**
   * All bodies connected to `root`. Breadth first determines the joints of the tree and those that close loops, so that a
   * loop is cut far from the world; an explicit order, not recursion, as chains may be thousands long.
   */
  grow(root: number | null, depth: number): Entry[] {
    const children = new Map<number | null, { joint: Joint; body: number }[]>();
    const loops = new Map<number | null, Joint[]>();
    const queue: (number | null)[] = [root];
    this.reached.add(root);
    for (let head = 0; head < queue.length; head++) {
      const at = queue[head];
      for (const joint of this.neighbours.get(at) ?? []) {
        if (this.used.has(joint)) continue;
        this.used.add(joint);
        const other = joint.base === at ? joint.follower : joint.base;
        if (other === null || this.reached.has(other)) {
          loops.set(at, [...(loops.get(at) ?? []), joint]);
        } else {
          this.reached.add(other);
          children.set(at, [...(children.get(at) ?? []), { joint, body: other }]);
          queue.push(other);
        }
      }
    }
    return this.list(root, depth, children, loops);
  }

  private list(
    root: number | null,
    depth: number,
    children: Map<number | null, { joint: Joint; body: number }[]>,
    loops: Map<number | null, Joint[]>,
  ): Entry[] {
    const entries: Entry[] = [];
    const stack: { body: number | null; depth: number; joint: Joint | null }[] = [{ body: root, depth, joint: null }];
    for (let item = stack.pop(); item; item = stack.pop()) {
      const { body, joint } = item;
      if (joint && body !== null) {
        const detail = `${joint.name} · ${words(joint.kind.type)}`;
        entries.push({ kind: "body", depth: item.depth, label: this.name(body), detail, body });
      }
      for (const closing of loops.get(body) ?? []) {
        const other = closing.base === body ? closing.follower : closing.base;
        const detail = `${words(closing.kind.type)} to ${this.name(other)}`;
        entries.push({ kind: "loop", depth: item.depth + 1, label: closing.name, detail, body: body ?? other });
      }
      const below = (children.get(body) ?? []).map((child) => ({ ...child, depth: item.depth + 1 }));
      stack.push(...below.reverse());
    }
    return entries;
  }

  private name(body: number | null): string {
    return body === null ? "world" : this.model.bodies[body].name;
  }
}

/** "point_on_line" as one reads it. */
export function words(type: string): string {
  return type.replaceAll("_", " ");
}
