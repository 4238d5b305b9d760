"""Mechanisms of the environments that are not scenes."""

from __future__ import annotations

import math

import numpy as np

from .._linkwork import MassProperties, Model, ModelBuilder


def _bar(b: ModelBuilder, name: str, start: tuple[float, float], end: tuple[float, float], mass: float) -> None:
    """A bar between two points of the x-z plane."""
    (x0, z0), (x1, z1) = start, end
    length = math.hypot(x1 - x0, z1 - z0)
    # The body's z axis lies along the bar: turned about y by the angle from z.
    angle = math.atan2(x1 - x0, z1 - z0)
    turn = (math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0)
    properties = MassProperties.solid_box(mass, (0.01, 0.01, length / 2))
    b.add_body(name, properties, ((x0 + x1) / 2, 0.0, (z0 + z1) / 2), turn)
    b.add_capsule(name, 0.012, length / 2, name=f"{name} bar")


def fourbar(crank: float = 0.3, coupler: float = 0.8, rocker: float = 0.6, ground: float = 0.8, torque: float = 3.0) -> Model:
    """A crank-rocker on fixed pivots with a motor (N m) on its crank; lengths in m, links of 0.4 kg a metre."""
    angle = 2.0
    a, d = (0.0, 1.0), (ground, 1.0)
    bx, bz = a[0] + crank * math.cos(angle), a[1] + crank * math.sin(angle)
    # Where the circles about B and D meet, the upper one.
    dx, dz = d[0] - bx, d[1] - bz
    r = math.hypot(dx, dz)
    along = (coupler**2 - rocker**2 + r**2) / (2 * r)
    height = math.sqrt(coupler**2 - along**2)
    cx, cz = bx + (along * dx - height * dz) / r, bz + (along * dz + height * dx) / r
    b = ModelBuilder()
    _bar(b, "crank", a, (bx, bz), 0.4 * crank)
    _bar(b, "coupler", (bx, bz), (cx, cz), 0.4 * coupler)
    _bar(b, "rocker", d, (cx, cz), 0.4 * rocker)
    y = (0.0, -1.0, 0.0)
    b.add_joint("revolute", "A", None, "crank", anchor=(a[0], 0, a[1]), axis=y, damping=0.02)
    b.add_joint("revolute", "B", "crank", "coupler", anchor=(bx, 0, bz), axis=y)
    b.add_joint("revolute", "C", "coupler", "rocker", anchor=(cx, 0, cz), axis=y)
    b.add_joint("revolute", "D", None, "rocker", anchor=(d[0], 0, d[1]), axis=y, damping=0.02)
    for one, other in (("crank", "rocker"), ("crank", "coupler"), ("coupler", "rocker")):
        b.exclude(one, other)
    b.add_motor("A", "motor", limit=torque)
    return b.build("fourbar")


def gripper(box: float = 0.025, mass: float = 0.2) -> Model:
    """A gripper on a vertical slide: two fingers on parallelograms, geared to each other, over a box (half width in m, kg).

    Four hinges of each finger close a planar loop in space, so three rows of each loop are redundant.
    """
    b = ModelBuilder()
    b.add_ground(friction=0.6)
    top = 0.15
    b.add_body("palm", MassProperties.solid_box(0.5, (0.09, 0.03, 0.015)), (0, 0, top))
    b.add_box("palm", (0.09, 0.03, 0.012), name="palm box")
    b.add_joint("prismatic", "lift", None, "palm", anchor=(0, 0, top), axis=(0, 0, 1), limits=(-0.01, 0.2), drive=(4000.0, 300.0), effort_limit=60.0)
    length = 0.08
    for side, s in (("left", -1.0), ("right", 1.0)):
        for which, x in (("inner", 0.045), ("outer", 0.075)):
            link = f"{side} {which}"
            b.add_body(link, MassProperties.solid_box(0.03, (0.005, 0.01, length / 2)), (s * x, 0, top - length / 2))
        finger = f"{side} finger"
        b.add_body(finger, MassProperties.solid_box(0.08, (0.02, 0.015, 0.02)), (s * 0.055, 0, top - length - 0.02))
        pad = np.array([s * 0.045 - s * 0.055, 0, -0.005])
        b.add_box(finger, (0.005, 0.015, 0.025), pad, friction=0.9, name=f"{side} pad")
        for which, x in (("inner", 0.045), ("outer", 0.075)):
            link = f"{side} {which}"
            y = (0, 1, 0)
            b.add_joint("revolute", f"{link} top", "palm", link, anchor=(s * x, 0, top), axis=y)
            b.add_joint("revolute", f"{link} bottom", link, finger, anchor=(s * x, 0, top - length), axis=y)
    b.add_coupling("gears", {"left inner top": 1.0, "right inner top": 1.0})
    b.add_motor("right inner top", "grip", limit=1.0)
    b.add_body("box", MassProperties.solid_box(mass, (box, box, box)), (0, 0, box))
    b.add_box("box", (box, box, box), friction=0.9, name="box")
    return b.build("gripper")
