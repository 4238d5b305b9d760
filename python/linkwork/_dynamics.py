"""Inverse dynamics and gradients."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._linkwork import Model, Simulator, State, StepReport, _invert


@dataclass(frozen=True, repr=False)
class Inverse:
    """The forces that make a motion, one row for each of its inner states."""

    #: Times of the states they act at, s.
    times: NDArray[np.float64]
    #: Force or torque of the actuator of each coordinate, (n, coordinates), N or N m.
    torques: NDArray[np.float64]
    #: Whether the motion leaves each of them no other value, (n, coordinates).
    determined: NDArray[np.bool_]
    #: Reactions of the joints, (n, joints, 6): force (N) and torque (N m) on the follower at its anchor.
    reactions: NDArray[np.float64]
    #: What no admissible force explains, (n, bodies, 6): force (N) and torque (N m) about the centre of mass.
    residual: NDArray[np.float64]
    #: Its share of all that acts, in the metric of the inverse masses.
    unexplained: NDArray[np.float64]
    #: Sum of the sizes of the contact forces, N.
    contact_force: NDArray[np.float64]
    #: Whether forces that may act explain the motion.
    feasible: NDArray[np.bool_]

    def __repr__(self) -> str:
        n, coordinates = self.torques.shape
        share = self.unexplained.max(initial=0.0)
        return f"Inverse({n} states, {coordinates} coordinates, {int(self.feasible.sum())} feasible, at most {share:.2e} unexplained)"


def inverse(
    model: Model,
    states: Iterable[State],
    *,
    dt: float | None = None,
    actuated: str | Sequence[str | int] = "drives",
    start: bool = False,
    still: float | None = None,
) -> Inverse:
    """The forces that make a motion, given as states one step apart.

    Only poses, coordinates and times are looked at; with start the first state is where the motion begins, with velocities
    at the time of its poses. dt in s is that of the model unless given. actuated is "drives", "all" or a list of
    coordinates. still is the speed up to which contacts rest, m/s.
    """
    listed = actuated if isinstance(actuated, str) else list(actuated)
    return Inverse(**_invert(model, list(states), dt, listed, start, still))


@dataclass(frozen=True, repr=False)
class Gradient:
    """The derivatives of a step. States are counted in tangent coordinates, 12 a body: the poses of all bodies, 6 each
    (position, m, and turn about the world's axes, rad), then their twists (m/s, rad/s)."""

    #: Next state by present state.
    state: NDArray[np.float64]
    #: Next state by the parameters, a column each.
    parameters: NDArray[np.float64]
    #: What each block of rows did: its source, "holds", "slides", "open" or "at bound", and how far it is from another, m/s.
    active: list[tuple[str, str, float]]
    #: The least of these distances: how near the step is to a kink.
    margin: float
    #: Whether the active set leaves one answer.
    unique: bool
    #: What the step said.
    report: StepReport

    def __repr__(self) -> str:
        (n, _), parameters = self.state.shape, self.parameters.shape[1]
        word = "unique" if self.unique else "not unique"
        return f"Gradient({n} tangent coordinates, {parameters} parameters, {len(self.active)} blocks, margin {self.margin:.2e} m/s, {word})"


def gradient(simulator: Simulator, parameters: Iterable[Sequence[str | int]] = ()) -> Gradient:
    """Take a step, and differentiate it by the state it started from and by parameters.

    A parameter is a tuple: ("force", coordinate), ("target", coordinate), ("velocity_target", coordinate),
    ("wrench", body, 0 to 5), ("mass", body), ("friction", shape, shape), ("compliance", shape, shape) or
    ("anchor", joint, "base" or "follower", axis).
    """
    return Gradient(**simulator._step_gradient([tuple(p) for p in parameters]))
