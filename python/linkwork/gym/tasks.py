"""The tasks of the registered environments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import scenes
from .._linkwork import Batch, Model, Simulator, State
from .models import fourbar, gripper
from .task import Floats, Task, upright


class FourbarReach(Task):
    """Turn the crank so that the rocker takes an angle drawn at random. Action: torque. Observation: crank angle as cosine
    and sine, its rate, rocker angle and rate, the angle wanted, the error."""

    dt = 5e-3
    steps = 4
    horizon = 100
    actions = 1
    observations = 7
    torque = 3.0
    starts = 32

    def __init__(self) -> None:
        super().__init__()
        sim = Simulator(self.model)
        self._states: list[State] = []
        rocker = []
        for angle in np.linspace(0, 2 * np.pi, self.starts, endpoint=False):
            sim.assemble({"A": float(angle)})
            self._states.append(sim.state)
            rocker.append(sim.coordinate("D"))
        low, high = min(rocker), max(rocker)
        middle, half = (low + high) / 2, (high - low) / 2
        #: Angles that are asked for, rad.
        self.range = (middle - 0.8 * half, middle + 0.8 * half)
        self.prepare(1)

    def make(self) -> Model:
        return fourbar(torque=self.torque)

    def prepare(self, worlds: int) -> None:
        self.goals = np.zeros(worlds)

    def begin(self, world: int, random: np.random.Generator) -> State:
        self.goals[world] = random.uniform(*self.range)
        return self._states[random.integers(self.starts)]

    def controls(self, action: Floats) -> Floats:
        return self.torque * action

    def observe(self, batch: Batch) -> Floats:
        q, v = batch.coordinates, batch.velocities
        error = q[:, 3] - self.goals
        return np.stack([np.cos(q[:, 0]), np.sin(q[:, 0]), 0.1 * v[:, 0], q[:, 3], 0.2 * v[:, 3], self.goals, error], axis=1)

    def judge(self, batch: Batch, action: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        q, v = batch.coordinates, batch.velocities
        error = np.abs(q[:, 3] - self.goals)
        reward = np.exp(-8 * error) - 0.002 * np.minimum(v[:, 0] ** 2, 100.0) - 0.01 * action[:, 0] ** 2
        return reward, np.zeros(len(batch), dtype=bool)


class _Floating(Task):
    """What robots that stand have in common: body 0 is the trunk."""

    #: Height of the trunk below which it has fallen, m.
    fallen = 0.2

    def __init__(self) -> None:
        super().__init__()
        self._home = self.model.controls
        self._upright = upright(self.model.initial_state.poses[:1, 3:])[0]

    def _trunk(self, batch: Batch) -> tuple[Floats, Floats, Floats]:
        """Place, the world's z axis in its frame, and its twist."""
        poses, twists = batch.poses[:, 0], batch.twists[:, 0]
        return poses[:, :3], upright(poses[:, 3:]), twists

    def _down(self, batch: Batch) -> NDArray[np.bool_]:
        place, up, _ = self._trunk(batch)
        down: NDArray[np.bool_] = (place[:, 2] < self.fallen) | (up @ self._upright < 0.6)
        return down


class WalkerBalance(_Floating):
    """Stay up while the chest is pushed from random sides. Actions: targets of waist, hips, knees and ankles, up to 0.2 rad
    from where it stands. Observation: height, tilt and twist of the pelvis, the driven coordinates and their rates."""

    dt = 2e-3
    steps = 10
    horizon = 200
    actions = 9
    fallen = 0.6
    reach = 0.2
    push = 80.0
    observations = 10 + 2 * 9

    def make(self) -> Model:
        return scenes.make("walker31", push=0.0)

    def __init__(self) -> None:
        super().__init__()
        names = self.model.coordinates
        pulled = [self.model.actuator(i)["pulls_on"] for i in range(len(self._home))]
        sides = ("left", "right")
        leg = ("hip roll", "thigh", "knee drive crank", "ankle roll")
        driven = ["waist", *(f"{side} {joint}" for side in sides for joint in leg)]
        #: Their indices among actuators and coordinates.
        self._driven = np.array([pulled.index(name) for name in driven])
        self._at = np.array([names.index(name) for name in driven])
        #: Second servos of the parallel links, and the first ones, whose angles they have too.
        pairs = [("thigh rod top", "thigh"), ("knee", "knee drive crank"), ("shank rod top", "knee drive crank")]
        linked = [[pulled.index(f"{side} {joint}") for joint in pair] for side in sides for pair in pairs]
        self._followers, self._leaders = np.array(linked).T
        self._chest = self.model.bodies.index("chest")
        self.prepare(1)

    def prepare(self, worlds: int) -> None:
        self._left = np.zeros(worlds, dtype=np.int64)
        self._force = np.zeros((worlds, 2))

    def begin(self, world: int, random: np.random.Generator) -> State:
        self._left[world] = random.integers(20, 60)
        self._force[world] = 0.0
        return self.model.initial_state

    def controls(self, action: Floats) -> Floats:
        controls = np.tile(self._home, (len(action), 1))
        controls[:, self._driven] += self.reach * action
        controls[:, self._followers] = controls[:, self._leaders]
        return controls

    def wrenches(self, batch: Batch, randoms: list[np.random.Generator]) -> Floats:
        wrenches = np.zeros((len(batch), len(self.model.bodies), 6))
        self._left -= 1
        for i in np.flatnonzero(self._left == 0):
            angle = randoms[i].uniform(0, 2 * np.pi)
            self._force[i] = randoms[i].uniform(0.3, 1.0) * self.push * np.array([np.cos(angle), np.sin(angle)])
        pushed = (self._left <= 0) & (self._left > -8)
        wrenches[pushed, self._chest, :2] = self._force[pushed]
        for i in np.flatnonzero(self._left <= -8):
            self._left[i] = randoms[i].integers(30, 80)
        return wrenches

    def observe(self, batch: Batch) -> Floats:
        place, up, twist = self._trunk(batch)
        q, v = batch.coordinates[:, self._at], batch.velocities[:, self._at]
        return np.concatenate([place[:, 2:], up, 0.5 * twist, q, 0.1 * v], axis=1)

    def judge(self, batch: Batch, action: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        place, up, twist = self._trunk(batch)
        down = self._down(batch)
        drift = np.sum(place[:, :2] ** 2, axis=1)
        lean = 1.0 - up @ self._upright
        effort = np.sum(action**2, axis=1)
        reward = 1.0 - 5 * lean - np.minimum(drift, 1.0) - 0.05 * np.minimum(np.sum(twist[:, :3] ** 2, axis=1), 4.0) - 0.01 * effort
        return np.where(down, -5.0, reward), down


class QuadrupedTrot(_Floating):
    """Walk ahead at 0.5 m/s. Actions: targets of the twelve joints, up to 0.4 rad from where it stands. Observation: a clock
    of 2.5 Hz, height, tilt and twist of the trunk, coordinates and their rates."""

    dt = 4e-3
    steps = 5
    horizon = 250
    actions = 12
    observations = 2 + 10 + 24
    fallen = 0.18
    reach = 0.4
    speed = 0.5
    frequency = 2.5

    def make(self) -> Model:
        return scenes.make("quadruped", drop=0.0, push=0.0)

    def __init__(self) -> None:
        super().__init__()
        self._stand = self.model.initial_state.coordinates

    def controls(self, action: Floats) -> Floats:
        controls: Floats = self._home + self.reach * action
        return controls

    def observe(self, batch: Batch) -> Floats:
        place, up, twist = self._trunk(batch)
        phase = 2 * np.pi * self.frequency * batch.time[:, None]
        clock = np.concatenate([np.cos(phase), np.sin(phase)], axis=1)
        q, v = batch.coordinates - self._stand, batch.velocities
        return np.concatenate([clock, place[:, 2:], up, 0.5 * twist, q, 0.05 * v], axis=1)

    def judge(self, batch: Batch, action: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        place, up, twist = self._trunk(batch)
        down = self._down(batch)
        ahead = np.exp(-8 * (twist[:, 0] - self.speed) ** 2)
        sideways = np.minimum(twist[:, 1] ** 2 + 0.2 * twist[:, 5] ** 2, 2.0)
        lean = 1.0 - up @ self._upright
        reward = 0.2 + ahead - 0.5 * sideways - 2 * lean - 0.01 * np.sum(action**2, axis=1)
        return np.where(down, -2.0, reward), down


class GripperGrasp(Task):
    """Take the box and lift it by 10 cm. Actions: torque of the grip, and height of the lift. Observation: grip and lift with
    their rates, the box seen from the palm, its velocity and its height."""

    dt = 2e-3
    steps = 10
    horizon = 100
    actions = 2
    observations = 4 + 3 + 3 + 1
    lift = 0.12
    goal = 0.1

    def make(self) -> Model:
        return gripper()

    def __init__(self) -> None:
        super().__init__()
        names, bodies = self.model.coordinates, self.model.bodies
        self._grip, self._slide = names.index("right inner top"), names.index("lift")
        self._palm, self._box = bodies.index("palm"), bodies.index("box")
        self._rest = float(self.model.initial_state.poses[self._box, 2])
        order = self.model.actuators
        self._order = [order.index("grip"), order.index("lift")]

    def begin(self, world: int, random: np.random.Generator) -> State:
        state = self.model.initial_state
        poses = state.poses.copy()
        poses[self._box, :2] += random.uniform(-0.004, 0.004, 2)
        return State(0.0, poses, state.twists, state.coordinates)

    def controls(self, action: Floats) -> Floats:
        controls = np.zeros((len(action), 2))
        controls[:, self._order[0]] = action[:, 0]
        controls[:, self._order[1]] = self.lift * (action[:, 1] + 1) / 2
        return controls

    def observe(self, batch: Batch) -> Floats:
        q, v = batch.coordinates, batch.velocities
        poses, twists = batch.poses, batch.twists
        pick = [self._grip, self._slide]
        seen = poses[:, self._box, :3] - poses[:, self._palm, :3]
        height = poses[:, self._box, 2:3] - self._rest
        return np.concatenate([q[:, pick], 0.1 * v[:, pick], 10 * seen, twists[:, self._box, :3], 10 * height], axis=1)

    def judge(self, batch: Batch, action: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        poses = batch.poses
        height = poses[:, self._box, 2] - self._rest
        away = np.linalg.norm(poses[:, self._box, :2], axis=1)
        lost = (away > 0.15) | (height < -0.02)
        reward = np.clip(height / self.goal, 0.0, 1.0) - 2 * np.minimum(away, 0.1) - 0.01 * np.sum(action**2, axis=1)
        return np.where(lost, -1.0, reward), lost


TASKS: dict[str, type[Task]] = {
    "FourbarReach-v0": FourbarReach,
    "WalkerBalance-v0": WalkerBalance,
    "QuadrupedTrot-v0": QuadrupedTrot,
    "GripperGrasp-v0": GripperGrasp,
}


def find(task: str | Task) -> Task:
    """A task, or a registered one by name."""
    if isinstance(task, Task):
        return task
    if task not in TASKS:
        raise ValueError(f"there is no task '{task}'; choose one of: {', '.join(TASKS)}")
    return TASKS[task]()
