"""What an environment asks of a mechanism."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._linkwork import Batch, Model, State

Floats = NDArray[np.float64]


class Task:
    """A mechanism with actions, observations and a reward, for all worlds of a batch at once.

    Actions are in [-1, 1]. To make an environment of your own, fill in the methods and give the task to
    LinkworkVectorEnv or LinkworkEnv.
    """

    #: Physics step, s.
    dt: float = 2e-3
    #: Physics steps of a step of the environment.
    steps: int = 10
    #: Steps of the environment after which an episode is truncated.
    horizon: int = 200
    #: Numbers of an action and of an observation.
    actions: int = 1
    observations: int = 1

    def __init__(self) -> None:
        #: The mechanism.
        self.model: Model = self.make()

    def make(self) -> Model:
        """The mechanism."""
        raise NotImplementedError

    def prepare(self, worlds: int) -> None:
        """Make room for what is kept of each world."""

    def begin(self, world: int, random: np.random.Generator) -> State:
        """Draw goals and the like of a world, and the state it starts in."""
        return self.model.initial_state

    def controls(self, action: Floats) -> Floats:
        """Controls of the actuators, (worlds, actuators)."""
        raise NotImplementedError

    def wrenches(self, batch: Batch, randoms: list[np.random.Generator]) -> Floats | None:
        """Disturbances, (worlds, bodies, 6), if there are any."""
        return None

    def observe(self, batch: Batch) -> Floats:
        """Observations, (worlds, observations)."""
        raise NotImplementedError

    def judge(self, batch: Batch, action: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Rewards, and whether an episode is over."""
        raise NotImplementedError


def upright(quaternions: Floats) -> Floats:
    """The world's z axis in the frames of bodies, (n, 3) from quaternions w, x, y, z."""
    w, x, y, z = quaternions.T
    return np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)
