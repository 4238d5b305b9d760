"""One environment, for what knows no vectors."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from .task import Task
from .vector import LinkworkVectorEnv


class LinkworkEnv(gymnasium.Env[Any, Any]):
    """A batch of one world. Episodes are truncated by Gymnasium's TimeLimit when made by gymnasium.make."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 50}

    def __init__(
        self,
        task: str | Task,
        *,
        render_mode: str | None = None,
        randomise: dict[str, tuple[float, float]] | None = None,
    ) -> None:
        self.vector = LinkworkVectorEnv(
            task,
            1,
            autoreset_mode=AutoresetMode.DISABLED,
            threads=1,
            max_episode_steps=1 << 60,
            render_mode=render_mode,
            randomise=randomise,
        )
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "render_fps": self.vector.metadata["render_fps"]}
        self.task = self.vector.task
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Start anew."""
        super().reset(seed=seed)
        observations, _ = self.vector.reset(seed=seed)
        return observations[0], {}

    def step(self, action: Any) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """One step."""
        observations, reward, terminated, truncated, infos = self.vector.step(np.asarray(action)[None])
        info = {"diverged": True} if "diverged" in infos else {}
        return observations[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self) -> NDArray[np.uint8] | None:
        """A picture, (height, width, 3); None unless render_mode is "rgb_array"."""
        pictures = self.vector.render()
        return None if pictures is None else pictures[0]

    def close(self) -> None:
        """Free the batch."""
        self.vector.close()
