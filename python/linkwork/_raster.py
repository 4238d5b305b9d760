"""Pictures of mechanisms as arrays of pixels, for environments: without a browser or a graphics library."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._linkwork import Model, State
from ._picture import COLOURS, Points, camera, hull, look

Pixels = NDArray[np.uint8]
_BACKGROUND = (250, 250, 250)
#: Distance of the lines on floors, m, and how many there are to each side.
_GRID = 0.5
_LINES = 6


class Camera:
    """Takes pictures of a mechanism, of one scale and direction. It follows bodies that no joint holds to the world."""

    def __init__(self, model: Model, size: tuple[int, int] = (480, 320)) -> None:
        self._model = model
        #: Width and height, pixels.
        self.size = size
        seen = look(model, model.initial_state)
        found = seen.extent
        low, high = (np.zeros(2), np.ones(2)) if found is None else found
        room = np.maximum(high - low, 0.2 * max((high - low).max(), 1e-6))
        self._scale = float(np.min(0.6 * np.array(size) / room))
        self._middle = (low + high) / 2
        self._start = seen.bodies[:, :2].mean(axis=0)

    def picture(self, state: State) -> Pixels:
        """The mechanism in a state, (height, width, 3)."""
        width, height = self.size
        pixels = np.full((height, width, 3), _BACKGROUND, dtype=np.uint8)
        seen = look(self._model, state)
        middle = self._middle
        if not seen.held:
            middle = middle + seen.bodies[:, :2].mean(axis=0) - self._start
        if not np.isfinite(np.concatenate([middle, seen.anchors.ravel(), seen.bodies.ravel()])).all():
            return pixels

        def place(points: Points) -> Points:
            return np.array([width, height]) / 2 + self._scale * (points - middle) * [1, -1]

        for floor in seen.floors:
            for ends in _grid(state.poses[:, :2].mean(axis=0), floor):
                _fill(pixels, place((ends @ camera().T)[:, :2]), 0.6, (225, 225, 225))
        for _, points, radius, colour in seen.pieces:
            value = tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
            _fill(pixels, place(hull(points)), max(self._scale * radius, 0.7), value)
        for body, ends in seen.lines:
            colour = COLOURS[body % len(COLOURS)]
            value = tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
            for pair in zip(ends[:-1, :2], ends[1:, :2]):
                _fill(pixels, place(np.array(pair)), 1.5, value)
        for anchor in place(seen.anchors[:, :2]):
            _fill(pixels, anchor[None], 2.0, (30, 30, 30))
        return pixels


def _grid(middle: Points, height: float) -> list[Points]:
    """Lines on a floor around a place, m."""
    x, y = np.round(middle / _GRID) * _GRID
    steps = _GRID * np.arange(-_LINES, _LINES + 1)
    far = steps[-1]
    along = [np.array([[x - far, y + s, height], [x + far, y + s, height]]) for s in steps]
    across = [np.array([[x + s, y - far, height], [x + s, y + far, height]]) for s in steps]
    return along + across


def _fill(pixels: Pixels, corners: Points, radius: float, colour: tuple[int, ...]) -> None:
    """Paint all pixels within a radius of a convex polygon, corners in order."""
    size = np.array(pixels.shape[1::-1])
    low = np.clip(np.floor(corners.min(axis=0) - radius), 0, size).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0) + radius) + 1, 0, size).astype(int)
    if (high <= low).any():
        return
    x, y = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
    inside = np.full(x.shape, len(corners) > 2)
    near = np.zeros(x.shape, dtype=bool)
    for a, b in zip(corners, np.roll(corners, -1, axis=0)):
        ex, ey = b - a
        dx, dy = x - a[0], y - a[1]
        # Rows grow downwards, so that the corners go round the other way.
        inside &= ex * dy - ey * dx <= 0
        along = np.clip((ex * dx + ey * dy) / max(ex * ex + ey * ey, 1e-12), 0, 1)
        near |= (dx - along * ex) ** 2 + (dy - along * ey) ** 2 <= radius * radius
    pixels[low[1] : high[1], low[0] : high[0]][inside | near] = colour
