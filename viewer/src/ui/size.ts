// How large a model is, for the range of a sliding drive without limits.

import type { Model } from "../types";

/** Diagonal of the box around the bodies' and joints' starting places, m; at least 0.1. */
export function modelSize(model: Model): number {
  const points = [
    ...model.bodies.map((body) => body.pose.position),
    ...model.joints.filter((joint) => joint.base === null).map((joint) => joint.frame_base.position),
  ];
  const extent = [0, 1, 2].map((axis) => {
    const values = points.map((point) => point[axis]).filter(Number.isFinite);
    return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);
  });
  return Math.max(0.1, Math.hypot(...extent));
}
