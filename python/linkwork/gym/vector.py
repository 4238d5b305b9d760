"""A vector environment on a batch."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .._linkwork import Batch
from .._raster import Camera
from .task import Task
from .tasks import find

Floats = NDArray[np.float64]


class LinkworkVectorEnv(VectorEnv):
    """Environments of one task, stepped together without the GIL.

    A world that diverges ends its episode (terminated, with "diverged" in the infos) and starts anew like any other.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 50, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        task: str | Task,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        randomise: dict[str, tuple[float, float]] | None = None,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}; it must be None or 'rgb_array'. linkwork.view shows a Simulator in the browser")
        self.render_mode = render_mode
        self.task = find(task)
        self._camera: Camera | None = None
        self.num_envs = int(num_envs)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        rate = round(1 / (self.task.dt * self.task.steps))
        self.metadata = {**type(self).metadata, "render_fps": rate, "autoreset_mode": self.autoreset_mode}
        self.horizon = self.task.horizon if max_episode_steps is None else int(max_episode_steps)
        self._randomise = randomise
        self._threads = threads
        high = np.full(self.task.observations, np.inf)
        self.single_observation_space = gymnasium.spaces.Box(-high, high, dtype=np.float64)
        one = np.ones(self.task.actions, dtype=np.float32)
        self.single_action_space = gymnasium.spaces.Box(-one, one, dtype=np.float32)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.batch = self._make(0)
        self.task.prepare(self.num_envs)
        self._randoms = [np.random.default_rng() for _ in range(self.num_envs)]
        self._taken = np.zeros(self.num_envs, dtype=np.int64)
        self._over = np.zeros(self.num_envs, dtype=bool)
        self._started = False

    def _make(self, seed: int) -> Batch:
        batch = Batch(self.task.model, self.num_envs, dt=self.task.dt, threads=self._threads, seed=seed)
        if self._randomise:
            batch.randomise(**self._randomise)
        return batch

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """Start all environments, or those of options["reset_mask"]. Environment i gets seed + i."""
        if seed is not None:
            seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"there are {len(seeds)} seeds for {self.num_envs} environments; give one of each")
            for i, s in enumerate(seeds):
                if s is not None:
                    self._randoms[i] = np.random.default_rng(s)
            if self._randomise and isinstance(seed, (int, np.integer)):
                self.batch.close()
                self.batch = self._make(int(seed))
        mask = np.ones(self.num_envs, dtype=bool)
        if options is not None and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"], dtype=bool)
            if mask.shape != (self.num_envs,):
                raise ValueError(f"reset_mask has shape {mask.shape}; it must have ({self.num_envs},)")
        self._begin(mask)
        self._started = True
        return self.task.observe(self.batch), {}

    def _begin(self, mask: NDArray[np.bool_]) -> None:
        worlds = np.flatnonzero(mask)
        states = [self.task.begin(int(i), self._randoms[i]) for i in worlds]
        if self._randomise and "lengths" in self._randomise:
            # Where lengths differ, loops are closed in another state.
            self.batch.reset(worlds)
        else:
            self.batch.reset(worlds, states)
        self._taken[mask] = 0
        self._over[mask] = False

    def step(self, actions: Any) -> tuple[Floats, Floats, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One step of the task in every environment."""
        if not self._started:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        action = np.asarray(actions, dtype=np.float64)
        if action.shape != (self.num_envs, self.task.actions):
            raise ValueError(f"actions have shape {action.shape}; they must have ({self.num_envs}, {self.task.actions})")
        if self.autoreset_mode == AutoresetMode.DISABLED and self._over.any():
            which = np.flatnonzero(self._over).tolist()
            raise gymnasium.error.ResetNeeded(f"environments {which} are over; reset them with options['reset_mask']")
        action = np.clip(action, -1.0, 1.0)
        fresh = self._over.copy() if self.autoreset_mode == AutoresetMode.NEXT_STEP else np.zeros_like(self._over)
        self.batch.step(
            self.task.controls(action),
            self.task.steps,
            wrenches=self.task.wrenches(self.batch, self._randoms),
        )
        self._taken += 1
        reward, terminated = self.task.judge(self.batch, action)
        diverged = self.batch.quarantined
        reward = np.where(diverged, 0.0, reward)
        terminated = terminated | diverged
        truncated = (self._taken >= self.horizon) & ~terminated
        infos: dict[str, Any] = {}
        if diverged.any():
            infos["diverged"], infos["_diverged"] = diverged, diverged
        if fresh.any():
            # Whose episode was over: this step only started the next one.
            self._begin(fresh)
            reward[fresh] = 0.0
            terminated[fresh] = truncated[fresh] = False
        self._over = terminated | truncated
        observations = self.task.observe(self.batch)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._over.any():
            over = self._over.copy()
            final = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(over):
                final[i] = observations[i].copy()
            infos["final_obs"], infos["_final_obs"] = final, over
            infos["final_info"], infos["_final_info"] = {}, over
            self._begin(over)
            observations = self.task.observe(self.batch)
        return observations, reward, terminated, truncated, infos

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Pictures of all environments, (height, width, 3) each; None unless render_mode is "rgb_array"."""
        if self.render_mode is None:
            return None
        if self._camera is None:
            self._camera = Camera(self.task.model)
        return tuple(self._camera.picture(self.batch.state(i)) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Free the batch."""
        self.batch.close()
