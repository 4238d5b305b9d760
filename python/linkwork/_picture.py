"""Pictures of mechanisms as SVG, for notebooks: shapes and joints seen from the side, without a browser's viewer."""

from __future__ import annotations

import html
import itertools
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._linkwork import Batch, Model, Simulator, State

COLOURS = ["#4878a8", "#d08848", "#58a068", "#b85858", "#8868a8", "#907050", "#c878a8", "#787878"]
_SIZE = (420, 280)
Points = NDArray[np.float64]


def _rotation(q: list[float]) -> Points:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def camera() -> Points:
    """Rows: right, up and towards the viewer, looking along +y, a little from above and from the side."""
    a, b = math.radians(-25), math.radians(18)
    turn = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    tilt = np.array([[1, 0, 0], [0, math.sin(b), math.cos(b)], [0, -math.cos(b), math.sin(b)]])
    return np.asarray(tilt @ turn)


def _outline(form: dict[str, Any]) -> tuple[Points, float] | None:
    """Points whose hull, widened by a radius, is the shape."""
    kind = form.get("type")
    if kind == "sphere":
        return np.zeros((1, 3)), form["radius"]
    if kind == "ellipsoid":
        return np.zeros((1, 3)), max(form["radii"])
    if kind == "box":
        half = np.array(form["half_extents"])
        return half * np.array(list(itertools.product([-1, 1], repeat=3))), 0.0
    if kind == "capsule":
        return np.array([[0, 0, -form["half_length"]], [0, 0, form["half_length"]]]), form["radius"]
    if kind == "points":
        return np.array(form["points"]), 0.0
    if kind in ("cylinder", "cone"):
        angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        ring = form["radius"] * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
        ends = [ring - [0, 0, form["half_length"]], ring + [0, 0, form["half_length"]]]
        if kind == "cone":
            ends[1] = np.array([[0, 0, form["half_length"]]])
        return np.concatenate(ends), 0.0
    return None


def hull(points: Points) -> Points:
    """Convex hull in the plane, counter-clockwise (Andrew's monotone chain)."""
    unique = sorted(map(tuple, np.round(points, 9)))
    if len(unique) < 3:
        return np.array(unique)

    def half(ordered: Any) -> list[Any]:
        chain: list[Any] = []
        for p in ordered:
            while len(chain) > 1 and (chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1]) <= (
                chain[-1][1] - chain[-2][1]
            ) * (p[0] - chain[-2][0]):
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return np.array(half(unique) + half(reversed(unique)))


@dataclass
class Seen:
    """A mechanism as the camera sees it: right, up and towards the viewer, m."""

    #: Shapes by their distance: points whose hull, widened by a radius, is the outline, and a colour.
    pieces: list[tuple[float, Points, float, str]]
    #: Anchors of joints and centres of bodies, (n, 3).
    anchors: Points
    bodies: Points
    #: Bodies without shapes, which are lines between their joints: their number and the anchors.
    lines: list[tuple[int, Points]]
    #: Heights of floors, m.
    floors: list[float]
    #: Whether a joint holds it to the world.
    held: bool

    @property
    def extent(self) -> tuple[Points, Points] | None:
        """Least and greatest corner of what is seen; None where there is nothing."""
        clouds = [p + s * r for _, p, r, _ in self.pieces for s in (-1, 1)]
        clouds += [self.anchors[:, :2], self.bodies[:, :2]]
        cloud = np.concatenate(clouds)
        return (cloud.min(axis=0), cloud.max(axis=0)) if len(cloud) else None


def look(model: Model, state: State) -> Seen:
    """See a mechanism in a state."""
    drawing = json.loads(model._drawing(state))
    frame = camera()
    pieces: list[tuple[float, Points, float, str]] = []
    floors = []
    for shape in drawing["shapes"]:
        pose, body = shape["pose"], shape["body"]
        found = _outline(shape["form"])
        if found is None:
            if body is None and shape["form"].get("type") == "half_space":
                floors.append(float(pose[2]))
            continue
        points, radius = found
        seen = (points @ _rotation(pose[3:]).T + np.array(pose[:3])) @ frame.T
        given = shape["colour"]
        if given is not None:
            colour = "#" + "".join(f"{round(255 * min(max(c, 0), 1)):02x}" for c in given[:3])
        else:
            colour = "#b0b0b0" if body is None else COLOURS[body % len(COLOURS)]
        if body is None and np.ptp(seen, axis=0).max() > 20:
            continue  # Floors would leave nothing of the rest.
        pieces.append((float(seen[:, 2].mean()), seen[:, :2], radius, colour))
    pieces.sort(key=lambda piece: piece[0])
    joints = drawing["joints"]
    anchors = np.array([j["anchor"] for j in joints]).reshape(-1, 3) @ frame.T
    bodies = np.array([b[:3] for b in drawing["bodies"]]).reshape(-1, 3) @ frame.T
    shaped = {shape["body"] for shape in drawing["shapes"]}
    bare = sorted(set(range(len(bodies))) - shaped)
    lines = [(b, anchors[[b in j["bodies"] for j in joints]]) for b in bare]
    held = any(j["bodies"][0] is None for j in joints)
    return Seen(pieces, anchors, bodies, lines, floors, held)


def svg(model: Model, state: State) -> str:
    """The mechanism in a state, as an SVG picture."""
    seen = look(model, state)
    found = seen.extent
    if found is None:
        return ""
    low, high = found
    extent = max((high - low).max(), 1e-6)
    scale = min((_SIZE[0] - 40) / max(high[0] - low[0], 0.2 * extent), (_SIZE[1] - 40) / max(high[1] - low[1], 0.2 * extent))
    middle = (low + high) / 2

    def place(p: Points) -> tuple[float, float]:
        return (
            _SIZE[0] / 2 + scale * float(p[0] - middle[0]),
            _SIZE[1] / 2 - scale * float(p[1] - middle[1]),
        )

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIZE[0]}" height="{_SIZE[1]}" viewBox="0 0 {_SIZE[0]} {_SIZE[1]}">']
    for _, points, radius, colour in seen.pieces:
        at = [place(p) for p in hull(points)]
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        style = f'fill="{colour}" fill-opacity="0.75" stroke="{colour}" stroke-linejoin="round" stroke-linecap="round"'
        if len(at) == 1:
            out.append(f'<circle cx="{at[0][0]:.1f}" cy="{at[0][1]:.1f}" r="{max(scale * radius, 1):.1f}" {style}/>')
        else:
            width = max(2 * scale * radius, 1)
            out.append(f'<polygon points="{text}" stroke-width="{width:.1f}" stroke-opacity="0.75" {style}/>')
    if not seen.pieces:
        for body in seen.bodies:
            x, y = place(body)
            out.append(f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="#4878a8"/>')
    for body, ends in seen.lines:
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, ends))
        out.append(f'<polyline points="{text}" fill="none" stroke="{COLOURS[body % len(COLOURS)]}" stroke-width="3"/>')
    for anchor in seen.anchors:
        x, y = place(anchor)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#fff" stroke="#222"/>')
    out.append("</svg>")
    return "".join(out)


def _card(title: str, lines: list[str], picture: str) -> str:
    body = "<br>".join(html.escape(line) for line in lines)
    return (
        '<div style="display:inline-block;border:1px solid #ccc;border-radius:6px;padding:8px">'
        f"<b>{html.escape(title)}</b><br><small>{body}</small><br>{picture}</div>"
    )


def model_html(model: Model) -> str:
    """What a notebook shows of a model."""
    lines = [repr(model)]
    if model.actuators:
        more = " …" if len(model.actuators) > 8 else ""
        lines.append("actuators: " + ", ".join(model.actuators[:8]) + more)
    return _card(model.name, lines, svg(model, model.initial_state))


def simulator_html(simulator: Simulator) -> str:
    """What a notebook shows of a simulator."""
    lines = [repr(simulator)]
    if simulator.report is not None:
        lines.append(repr(simulator.report))
    return _card(simulator.model.name, lines, svg(simulator.model, simulator.state))


def batch_html(batch: Batch) -> str:
    """What a notebook shows of a batch: its first world."""
    lines = [repr(batch), "world 0:"]
    return _card(batch.model.name, lines, svg(batch.model, batch.state(0)))
