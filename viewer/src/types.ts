// What the server sends: the same layout as crates/linkwork-view/src/frame.rs. See docs/protocol.md.

export type Vec3 = [number, number, number];
/** x, y, z, w */
export type Quat = [number, number, number, number];

export interface Pose {
  position: Vec3;
  rotation: Quat;
}

export type Geometry =
  | { type: "half_space" }
  | { type: "sphere"; radius: number }
  | { type: "box"; half_extents: Vec3 }
  | { type: "capsule"; radius: number; half_length: number }
  | { type: "cylinder"; radius: number; half_length: number }
  | { type: "cone"; radius: number; half_length: number }
  | { type: "ellipsoid"; radii: Vec3 }
  | { type: "convex_hull"; points: Vec3[] }
  | { type: "triangle_mesh"; vertices: Vec3[]; triangles: Vec3[] }
  | { type: "height_field"; nx: number; ny: number; heights: number[]; size: [number, number] };

export interface Body {
  name: string;
  /** kg */
  mass: number;
  com: Vec3;
  /** xx yy zz xy xz yz about the centre of mass, body axes, kg m² */
  inertia: [number, number, number, number, number, number];
  /** Pose of the centre of mass. */
  pose: Pose;
}

export interface Axis {
  limits: { min: number | null; max: number | null; restitution: number } | null;
  /** A stiffness of null is infinite: the coordinate moves as its target says. */
  drive: { stiffness: number | null; damping: number; effort_limit: number | null } | null;
  spring: { stiffness: number; rest: number; damping: number };
  armature: number;
  friction: number;
}

/** A hinge or slide of a chain, in the joint frame at home. */
export interface ChainLink {
  slide: boolean;
  axis: [number, number, number];
  anchor: [number, number, number];
  offset: number;
}

export interface Joint {
  name: string;
  kind: { type: string; pitch?: number; length?: number; links?: ChainLink[] };
  /** Body index, or null for the world. */
  base: number | null;
  follower: number;
  /** Relative to the base's centre of mass (or the world). */
  frame_base: Pose;
  /** Relative to the follower's centre of mass. */
  frame_follower: Pose;
  first_coordinate: number;
  axes: Axis[];
  /** Bound of the whole angle of a ball joint, rad. */
  turn_limits?: Axis["limits"];
}

export interface Shape {
  name: string;
  body: number | null;
  /** Relative to the body's centre of mass, or in the world. */
  local: Pose;
  geometry: Geometry;
  /** What it touches; nothing if `member` or `mask` is 0: it is only seen. */
  group?: { member: number; mask: number };
  /** Red, green, blue, opacity, 0 to 1. */
  colour?: [number, number, number, number];
  texture?: ShapeTexture;
}

/** Red, green, blue, 0 to 1. */
export type Rgb = [number, number, number];

export interface Mark {
  lines: "edge" | "cross";
  colour: Rgb;
}

export type Pattern =
  | { type: "flat"; colour: Rgb; mark?: Mark }
  | { type: "checker"; colours: [Rgb, Rgb]; mark?: Mark }
  | { type: "gradient"; colours: [Rgb, Rgb]; mark?: Mark }
  /** A PNG or JPEG file in base64. */
  | { type: "image"; image: string };

export interface TextureInfo {
  name: string;
  pattern: Pattern;
}

/** How a texture lies on a shape, in the shape's frame. */
export type Mapping =
  /** Along x and y; images per metre, the middle of one at the origin. */
  | { type: "plane"; repeat: [number, number] }
  /** One image for each side of a box. */
  | { type: "cube"; half_extents: Vec3 }
  /** Three corners of each triangle of a mesh. */
  | { type: "corners"; coordinates: [number, number][][] };

export interface ShapeTexture {
  texture: number;
  mapping: Mapping;
}

/** A camera of the model; it looks along −z, with y upwards. */
export interface ModelCamera {
  /** `local` is relative to the body's centre of mass, or in the world. */
  frame: { name: string; body: number | null; local: Pose };
  lens: { type: "perspective"; field_of_view: number } | { type: "orthographic"; height: number };
  aim?: { type: "fixed" } | { type: "follow" } | { type: "look_at"; target: number };
}

export interface Model {
  gravity: Vec3;
  bodies: Body[];
  joints: Joint[];
  shapes: Shape[];
  textures?: TextureInfo[];
  cameras?: ModelCamera[];
}

/** A number that every frame carries. */
export interface ScalarInfo {
  name: string;
  label: string;
  unit: string;
}

export interface CoordinateInfo {
  joint: number;
  /** e.g. "A.angle" */
  name: string;
  unit: string;
}

/** A control, activation or sensor whose value every frame carries. */
export interface SignalInfo {
  name: string;
  unit: string;
  kind: "control" | "activation" | "sensor";
}

/** An actuator that can be set; the controls are the first of the signals, in the same order. */
export interface ActuatorInfo {
  name: string;
  kind: "motor" | "servo" | "tendon" | "frame" | "adhesion";
  range: [number, number];
  unit: string;
  /** The joint coordinate it acts on. */
  coordinate: number | null;
}

export interface Hello {
  type: "hello";
  version: string;
  mode: "live" | "replay" | "embedded";
  title: string;
  /** Whether control messages are accepted from this page. */
  control: boolean;
  model: Model;
  settings: { dt: number; solver: string; tolerance: number };
  solvers: string[];
  scalars: ScalarInfo[];
  coordinates: CoordinateInfo[];
  signals: SignalInfo[];
  actuators: ActuatorInfo[];
  keyframes: string[];
  records: number;
  times: number[] | null;
  start: number;
  end: number;
  warning: string | null;
}

/** One decoded frame; the arrays are views into the message. */
export interface Frame {
  index: number;
  paused: boolean;
  /** The state did not come from the frame before by stepping. */
  jumped: boolean;
  /** Sent to a page that came later than it was made. */
  past: boolean;
  time: number;
  scalars: Float64Array;
  coordinates: Float64Array;
  rates: Float64Array;
  targets: Float64Array;
  /** 6 per coordinate: drive, limit, friction, passive, coupling, applied. */
  efforts: Float64Array;
  /** 8 per joint: force, torque, closure error linear and angular. */
  joints: Float32Array;
  /** 7 per body: position, quaternion x y z w. */
  poses: Float32Array;
  /** 6 per body. */
  twists: Float32Array;
  /** 6 per body. */
  net: Float32Array;
  /** 12 per contact: point, normal, force on B, gap, friction, kind. */
  contacts: Float32Array;
  /** 2 per contact: shape A, shape B. */
  contactShapes: Uint32Array;
  /** 6 per straight segment of a tendon's path: both ends, m. */
  cords: Float32Array;
  /** Controls, activations, then values of sensors; empty if the model has neither. */
  signals: Float64Array;
  /** Live: the force with which a viewer pulls at a body, N, world axes; null if none does. */
  pull: Float32Array | null;
}

export const OPEN = 0;
export const STICK = 1;
export const SLIP = 2;

export interface Status {
  type: "status";
  paused: boolean;
  speed: number;
  real_time_factor: number;
  solver: string;
  tolerance: number;
  viewers: number;
  dropped: number;
  grab: number | null;
  /** Why the run cannot go on; null while it can. */
  stopped: string | null;
}

export interface Series {
  name: string;
  unit: string;
  t: number[];
  y: (number | null)[];
}

/** What is drawn besides the shapes. */
export interface Display {
  grid: boolean;
  shadows: boolean;
  contacts: boolean;
  cones: boolean;
  forces: boolean;
  joints: boolean;
  limits: boolean;
  reactions: boolean;
  heat: boolean;
  trails: boolean;
  frames: boolean;
  names: boolean;
  wireframe: boolean;
  /** What bodies touch with, where they have shapes only to be seen. */
  collision: boolean;
  /** Boxes of the same mass and inertia. */
  inertia: boolean;
  /** Centres of mass. */
  centres: boolean;
}

export type Theme = "dark" | "light";
export type View = "iso" | "front" | "side" | "top";

/** The 3-D view, as the rest of the page sees it: implemented in world/. */
export interface WorldView {
  /** Draw this frame from now on. */
  show(frame: Frame): void;
  /** Draw the picture now; called once per animation frame. Returns false if nothing changed and nothing was drawn. */
  render(): boolean;
  select(body: number | null): void;
  readonly selected: number | null;
  display: Display;
  /** To be called after `display` was changed. */
  refresh(): void;
  setTheme(theme: Theme): void;
  resize(): void;
  /** Move the camera so that everything is seen. */
  fit(): void;
  view(name: View): void;
  /** Without perspective. */
  orthographic: boolean;
  /** Look through a camera of the model; null: through that of the page. */
  lookThrough(camera: number | null): void;
  /** Keep the selected body in the middle. */
  follow: boolean;
  /** Keep this body in the middle, selected or not. */
  followed: number | null;
  /** CSS pixels of a body's centre of mass. */
  screen(body: number): [number, number];
  /** A body was clicked (null: empty space). */
  onSelect: (body: number | null) => void;
  /** With `draggable`, a drag on a body with the shift key pulls it: local point (from the centre of mass, body axes), target in the world. */
  draggable: boolean;
  /** A drag on a body pulls it without the shift key as well: for touch screens. */
  pullsAlways: boolean;
  onGrab: (body: number, local: Vec3, target: Vec3) => void;
  onRelease: () => void;
}
