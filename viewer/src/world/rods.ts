// A form for bodies that have no shapes, as links of mechanisms often do: bars between their joints.
import { Matrix4, Vector3 } from "three";
import type { Model } from "../types";
import type { Sizes } from "./extent";
import { bar, unit, type Piece } from "./forms";

/** Radius of a bar and of the ball at a centre of mass, relative to the scene. */
const BAR = 0.009;
const BALL = 0.017;

/** Pieces for a body without shapes, in the frame of its centre of mass. */
export function rods(model: Model, body: number, sizes: Sizes): Piece[] {
  const anchors = anchorsOf(model, body);
  const reach = Math.max(0, ...anchors.map((a) => a.length()));
  // Links much shorter than the scene stay links, and do not become balls.
  const radius = Math.min(BAR * sizes.scene, reach > 0 ? 0.12 * reach : Infinity);
  const ball = (at: Vector3, r: number) => unit("sphere", r, r, r, new Matrix4().setPosition(at));
  const ends = spans(anchors, radius);
  return [
    ball(new Vector3(), (radius * BALL) / BAR),
    ...ends.map(([from, to]) => bar(from, to, radius)),
    // Round off the bars' ends.
    ...anchors.map((a) => ball(a, radius)),
  ];
}

/** Which points are joined: the two anchors of a simple link, otherwise each anchor with the centre of mass. */
function spans(anchors: Vector3[], radius: number): [Vector3, Vector3][] {
  const centre = new Vector3();
  if (anchors.length !== 2) {
    return anchors.filter((a) => a.length() > radius).map((a) => [centre, a]);
  }
  const [a, b] = anchors;
  const along = b.clone().sub(a);
  const foot = a.clone().addScaledVector(along, Math.min(1, Math.max(0, -a.dot(along) / along.lengthSq())));
  const link: [Vector3, Vector3] = [a, b];
  return foot.length() > radius ? [link, [foot, centre]] : [link];
}

/** Where joints hold a body, without repetition, in the frame of its centre of mass. */
function anchorsOf(model: Model, body: number): Vector3[] {
  const all = model.joints.flatMap((joint) => [
    ...(joint.base === body ? [joint.frame_base] : []),
    ...(joint.follower === body ? [joint.frame_follower] : []),
  ]);
  const distinct: Vector3[] = [];
  for (const { position } of all) {
    const at = new Vector3(...position);
    if (!distinct.some((other) => other.distanceTo(at) < 1e-9)) distinct.push(at);
  }
  return distinct;
}
