// Mouse and touch: a press without motion is a click; a press on a body with the shift key pulls it, if it may be pulled; all
// else is the camera's.
import { Plane, Raycaster, Vector2, Vector3 } from "three";
import type { Eye } from "./camera";

export interface Hit {
  body: number;
  /** m, world */
  point: Vector3;
}

/** What the pointer acts on. */
export interface PointerTarget {
  readonly camera: Eye;
  /** Whether bodies may be pulled. */
  draggable(): boolean;
  /** Whether a press pulls without the shift key. */
  pullsAlways(): boolean;
  pick(ray: Raycaster): Hit | null;
  /** Whether the camera may follow the pointer. */
  allowOrbit(allowed: boolean): void;
  click(body: number | null): void;
  pullStart(hit: Hit): void;
  pull(target: Vector3): void;
  pullEnd(): void;
}

/** A press that moves further than this is not a click, pixels. */
const STILL = 4;

interface Press {
  id: number;
  x: number;
  y: number;
  moved: boolean;
  /** The body that this press may pull. */
  hit: Hit | null;
  plane: Plane;
}

export class Pointer {
  private readonly ray = new Raycaster();
  private press: Press | null = null;
  private hovered: PointerEvent | null = null;
  private readonly listeners: [string, (event: PointerEvent) => void][];

  /** To be made before the camera's controls: the first to listen decides whose the gesture is. */
  constructor(private readonly canvas: HTMLCanvasElement, private readonly target: PointerTarget) {
    this.listeners = [
      ["pointerdown", (event) => this.down(event)],
      ["pointermove", (event) => this.move(event)],
      ["pointerup", (event) => this.up(event)],
      ["pointercancel", () => this.cancel()],
    ];
    for (const [name, listener] of this.listeners) canvas.addEventListener(name, listener as EventListener);
  }

  /** Show by the cursor what is under it; to be called when drawn, so that fast motion costs one look a frame. */
  hover(): void {
    if (!this.hovered || this.press) return;
    const hit = this.look(this.hovered);
    this.canvas.style.cursor = hit ? (this.wantsPull(this.hovered) ? "grab" : "pointer") : "auto";
    this.hovered = null;
  }

  dispose(): void {
    for (const [name, listener] of this.listeners) this.canvas.removeEventListener(name, listener as EventListener);
  }

  private down(event: PointerEvent): void {
    // A second finger or button makes the gesture one of the camera.
    if (this.press || event.button !== 0 || event.ctrlKey || event.metaKey) return this.cancel();
    const hit = this.wantsPull(event) ? this.look(event) : null;
    const facing = this.target.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(facing, hit?.point ?? new Vector3());
    this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, moved: false, hit, plane };
    if (!hit) return;
    this.target.allowOrbit(false);
    this.canvas.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const press = this.press;
    if (!press) {
      this.hovered = event;
      return;
    }
    if (event.pointerId !== press.id) return;
    if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL) {
      press.moved = true;
      if (press.hit) {
        this.canvas.style.cursor = "grabbing";
        this.target.pullStart(press.hit);
      }
    }
    if (!press.moved || !press.hit) return;
    const target = this.aim(event).ray.intersectPlane(press.plane, new Vector3());
    if (target) this.target.pull(target);
  }

  private up(event: PointerEvent): void {
    const press = this.press;
    if (!press || event.pointerId !== press.id) return;
    this.cancel();
    if (!press.moved) this.target.click(this.look(event)?.body ?? null);
  }

  /** End the gesture, however it ended. */
  private cancel(): void {
    const press = this.press;
    this.press = null;
    if (!press?.hit) return;
    this.target.allowOrbit(true);
    this.canvas.style.cursor = "auto";
    if (press.moved) this.target.pullEnd();
  }

  private wantsPull(event: PointerEvent): boolean {
    return this.target.draggable() && (event.shiftKey || this.target.pullsAlways());
  }

  private look(event: PointerEvent): Hit | null {
    return this.target.pick(this.aim(event));
  }

  private aim(event: PointerEvent): Raycaster {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const at = new Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
    this.ray.setFromCamera(at, this.target.camera);
    return this.ray;
  }
}
