// The 3-D view: puts the layers of the picture together and draws when something has changed.
import { Box3, Vector3 } from "three";
import type { Display, Frame, Hello, Theme, Vec3, View, WorldView } from "../types";
import { BodyAxes } from "./axes";
import { Backdrop } from "./backdrop";
import { Bodies } from "./bodies";
import { OrbitCamera } from "./camera";
import { Contacts } from "./contacts";
import { Cords } from "./cords";
import { Extent } from "./extent";
import { ForceScale } from "./force_scale";
import { gridSpacing } from "./grid";
import { Ground } from "./ground";
import { heatLegend } from "./heat";
import { InertiaBoxes, MassCentres } from "./inertia";
import { Joints } from "./joints";
import type { Layer, Picture } from "./layer";
import { LimitGauges } from "./limits";
import { Overlay, project } from "./overlay";
import { palettes } from "./palette";
import { Pointer, type PointerTarget } from "./pointer";
import { MountedCamera } from "./mounted";
import { Poses } from "./poses";
import { Quality } from "./quality";
import { Reactions } from "./reactions";
import { Scenery } from "./scenery";
import { Spring } from "./spring";
import { Stage } from "./stage";
import { Textures } from "./textures";
import { Trails } from "./trails";

/** How often it is checked whether the bodies are still in view, ms. */
const LOOK_MS = 400;

/** What is drawn unless asked otherwise. */
const DISPLAY: Display = {
  grid: true, shadows: true, contacts: true, cones: false, forces: true, joints: true, limits: false,
  reactions: false, heat: false, trails: false, frames: false, names: false, wireframe: false, collision: false,
  inertia: false, centres: false,
};

export class World implements WorldView {
  display: Display = { ...DISPLAY };
  draggable = false;
  pullsAlways = false;
  follow = false;
  followed: number | null = null;
  onSelect: (body: number | null) => void = () => {};
  onGrab: (body: number, local: Vec3, target: Vec3) => void = () => {};
  onRelease: () => void = () => {};

  private readonly poses: Poses;
  private readonly extent: Extent;
  private readonly quality: Quality;
  private readonly stage: Stage;
  private readonly backdrop: Backdrop;
  private readonly camera: OrbitCamera;
  private readonly mounted: MountedCamera[];
  private readonly textures: Textures;
  private readonly pointer: Pointer;
  private readonly overlay: Overlay;
  private readonly ground: Ground;
  private readonly bodies: Bodies;
  private readonly trails: Trails;
  private readonly spring = new Spring();
  private readonly layers: Layer[];
  private readonly forces: ForceScale;
  private frame: Frame | null = null;
  private palette = palettes.dark;
  private body: number | null = null;
  /** Something other than the camera changed since the last drawing. */
  private changed = true;
  /** What the camera was made to frame; null before the first frame. */
  private framed: Box3 | null = null;
  private lookedAt = 0;

  /** Throws if the browser has no WebGL. */
  constructor(private readonly canvas: HTMLCanvasElement, hello: Hello, theme: Theme, full: boolean, failed: (message: string) => void) {
    const { model } = hello;
    this.quality = new Quality(full);
    this.poses = new Poses(model);
    this.extent = new Extent(model, this.poses);
    const { sizes } = this.extent;
    this.forces = new ForceScale(sizes.scene);
    this.stage = new Stage(canvas, this.quality.antialias);
    this.backdrop = new Backdrop(canvas, this.extent.groundHeight !== null);
    this.pointer = new Pointer(canvas, this.pointerTarget());
    this.camera = new OrbitCamera(canvas);
    this.camera.setRange(sizes.scene);
    this.camera.controls.addEventListener("start", this.dismount);
    this.mounted = (model.cameras ?? []).map((camera) => new MountedCamera(model, camera));
    this.textures = new Textures(model.textures ?? [], this.refresh, failed);
    this.overlay = new Overlay(canvas, model.bodies.map((body) => body.name));
    this.ground = new Ground(model, this.extent, this.poses, this.textures);
    this.bodies = new Bodies(model, sizes, this.stage.lights, this.ground.height, this.textures);
    this.trails = new Trails(model.bodies.length);
    const joints = new Joints(model, this.poses, sizes);
    this.layers = [
      this.ground, new Scenery(model, this.poses, this.textures), this.bodies, joints, new LimitGauges(model, joints.size),
      new Cords(), new Contacts(), new Reactions(model), this.trails, new BodyAxes(), new InertiaBoxes(model), new MassCentres(), this.spring,
    ];
    for (const layer of this.layers) this.stage.scene.add(layer.object);
    canvas.addEventListener("webglcontextrestored", this.refresh);
    this.setTheme(theme);
    this.resize();
    this.view("iso");
  }

  show(frame: Frame): void {
    this.frame = frame;
    this.poses.read(frame.poses);
    this.trails.record(frame, this.poses);
    this.forces.follow(frame, this.display.reactions);
    if (!this.framed) this.frameBox(this.framing());
    else this.keepInView();
    this.changed = true;
  }

  render(): boolean {
    const { middle } = this;
    if (middle) this.camera.follow(middle);
    const moved = this.camera.update();
    this.pointer.hover();
    const wasQuick = this.quality.quick;
    if (!this.quality.update(this.changed || moved, performance.now())) return false;
    const { quick } = this.quality;
    const picture = this.picture();
    if (this.changed || quick !== wasQuick) this.compose(picture);
    this.camera.mounted?.place(this.poses, this.camera.aspect, this.extent.sizes.scene);
    const camera = this.camera.eye;
    const target = this.target;
    const distance = camera.position.distanceTo(target);
    this.ground.centre(target, distance);
    this.backdrop.draw(this.palette, camera, this.display.grid, () => this.ground.lines(target, distance));
    this.overlay.draw(picture, camera, this.spring.target);
    this.stage.pixelRatio = this.quality.pixelRatio(this.canvas.clientWidth * this.canvas.clientHeight);
    this.stage.render(camera);
    this.changed = false;
    return true;
  }

  /** Whether the picture is drawn in full, and not quickly because it moves. */
  settled(): boolean {
    return !this.changed && !this.quality.quick && this.textures.ready;
  }

  lookThrough(camera: number | null): void {
    this.camera.mounted = camera === null ? null : (this.mounted[camera] ?? null);
    this.changed = true;
  }

  /** Where the body is that is kept in the middle, m. */
  private get middle(): Vector3 | null {
    const followed = this.followed ?? (this.follow ? this.body : null);
    return followed === null ? null : this.poses.centre(followed);
  }

  /** What the camera should see now, about the body that is kept in the middle. */
  private framing(): Box3 {
    const box = this.extent.framing(this.poses).clone();
    const { middle } = this;
    if (!middle) return box;
    const far = box.max.clone().sub(middle).max(middle.clone().sub(box.min));
    return box.setFromCenterAndSize(middle, far.multiplyScalar(2));
  }

  /** What the camera looks at, m. */
  private get target(): Vector3 {
    const { mounted, controls } = this.camera;
    return mounted ? mounted.target(this.extent.framing(this.poses).getCenter(new Vector3())) : controls.target;
  }

  /** Leave a camera of the model, from where it is. */
  private readonly dismount = (): void => this.camera.dismount(this.target);

  get selected(): number | null {
    return this.body;
  }

  select(body: number | null): void {
    this.body = body !== null && body in this.poses.bodies ? body : null;
    this.changed = true;
  }

  refresh = (): void => {
    this.changed = true;
  };

  setTheme(theme: Theme): void {
    this.palette = palettes[theme];
    this.stage.lights.setPalette(this.palette);
    this.changed = true;
  }

  resize(): void {
    this.camera.setAspect(this.stage.resize());
    this.backdrop.resize();
    this.overlay.resize();
    this.changed = true;
  }

  fit(): void {
    this.camera.mounted = null;
    this.frameBox(this.framing());
  }

  view(name: View): void {
    this.camera.mounted = null;
    this.frameBox(this.framing(), name);
  }

  get orthographic(): boolean {
    return this.camera.orthographic;
  }

  set orthographic(on: boolean) {
    this.camera.mounted = null;
    this.camera.orthographic = on;
    this.camera.update();
    this.changed = true;
  }

  /** Look so that everything is seen in all of these frames, from the present direction. */
  frameAll(frames: Iterable<Frame>): void {
    const box = new Box3();
    for (const frame of frames) {
      this.poses.read(frame.poses);
      // As seen from the body that is kept in the middle.
      const middle = this.middle ?? new Vector3();
      box.union(this.framing().translate(middle.negate()));
    }
    if (this.frame) this.poses.read(this.frame.poses);
    box.translate(this.middle ?? new Vector3());
    // Nothing leaves the picture, so that the camera stands still.
    this.frameBox(box);
    this.camera.chosen = true;
  }

  private frameBox(box: Box3, view?: View): void {
    this.camera.frame(box, view);
    if (this.frame) this.framed = box;
    this.changed = true;
  }

  /** Widens the view when bodies leave it, as long as the user has not chosen another one. */
  private keepInView(): void {
    const now = performance.now();
    if (now - this.lookedAt < LOOK_MS || this.camera.chosen || this.camera.mounted || this.middle || !this.framed) return;
    this.lookedAt = now;
    if (!this.camera.sees(this.extent.bodies(this.poses))) this.frameBox(this.extent.framing(this.poses).union(this.framed));
  }

  /** CSS pixels, in the window, of a body's centre of mass. */
  screen(body: number): [number, number] {
    const { left, top } = this.canvas.getBoundingClientRect();
    const [x, y] = project(this.poses.centre(body), this.camera.eye, this.canvas) ?? [NaN, NaN];
    return [left + x, top + y];
  }

  /** Newtons that a metre of arrow stands for. */
  forceScale(): number {
    return this.forces.newtonsPerMetre;
  }

  /** Distance between strong lines of the grid, m. */
  gridSpacing(): number {
    return gridSpacing(this.camera.distance);
  }

  /** Closure errors (m, rad) and their colours, for `display.heat`. */
  heatLegend(): { label: string; colour: string }[] {
    return heatLegend();
  }

  dispose(): void {
    this.canvas.removeEventListener("webglcontextrestored", this.refresh);
    this.pointer.dispose();
    this.camera.controls.dispose();
    this.textures.dispose();
    this.overlay.dispose();
    this.backdrop.dispose();
    for (const layer of this.layers) layer.dispose();
    this.stage.dispose();
  }

  private picture(): Picture {
    const { frame, poses, display, palette, body: selected, extent, quality } = this;
    return {
      frame, poses, display, palette, selected, extent, sizes: extent.sizes, forceScale: this.forceScale(),
      quick: quality.quick, shadows: display.shadows && quality.shadows,
    };
  }

  /** Bring all layers up to date. */
  private compose(picture: Picture): void {
    for (const layer of this.layers) layer.draw(picture);
    const box = picture.shadows && !picture.quick ? this.extent.shaded(this.poses) : null;
    this.stage.shadow(box);
    if (box) this.ground.catchShadows(box, this.stage.lights.direction);
  }

  /** What the pointer may do to this view. */
  private pointerTarget(): PointerTarget {
    const world = this;
    return {
      get camera() {
        return world.camera.eye;
      },
      draggable: () => this.draggable,
      pullsAlways: () => this.pullsAlways,
      pick: (ray) => this.bodies.pick(ray),
      allowOrbit: (allowed) => {
        this.camera.controls.enabled = allowed;
      },
      click: (body) => {
        this.select(body);
        this.onSelect(body);
      },
      pullStart: ({ body, point }) => {
        this.spring.hold(body, point.clone().applyMatrix4(this.poses.of(body).clone().invert()), point.clone());
      },
      pull: (target) => {
        this.spring.moveTo(target);
        const pulling = this.spring.pulling;
        if (pulling) this.onGrab(pulling.body, pulling.local, pulling.target);
        this.changed = true;
      },
      pullEnd: () => {
        this.spring.release();
        this.onRelease();
        this.changed = true;
      },
    };
  }
}
