"""Gymnasium environments, stepped natively as batches.

    import gymnasium
    import linkwork.gym

    env = gymnasium.make("FourbarReach-v0")
    many = gymnasium.make_vec("QuadrupedTrot-v0", num_envs=256)

======================  ==================================================================
FourbarReach-v0         a motor turns the crank of a four-bar so that its rocker takes an angle
WalkerBalance-v0        a biped with parallel-link legs stays up while it is pushed
QuadrupedTrot-v0        a robot dog walks at a given speed
GripperGrasp-v0         a gripper of two parallelograms takes a box and lifts it
======================  ==================================================================

A vector environment takes `autoreset_mode` (NEXT_STEP unless given, SAME_STEP, DISABLED), `threads` and `randomise`, a
dictionary of the ranges of Batch.randomise (with "lengths" episodes begin in the initial state of each world). With
`render_mode="rgb_array"` render() gives pictures. What an environment does follows from its own seed: that of environment i is
seed + i, whatever the number of environments and threads.
"""

from __future__ import annotations

try:
    import gymnasium as _gymnasium
except ImportError:
    raise ImportError("linkwork.gym needs Gymnasium: pip install 'gymnasium>=1.1'") from None

from .single import LinkworkEnv
from .task import Task
from .tasks import TASKS, FourbarReach, GripperGrasp, QuadrupedTrot, WalkerBalance
from .vector import LinkworkVectorEnv

__all__ = [
    "TASKS",
    "FourbarReach",
    "GripperGrasp",
    "LinkworkEnv",
    "LinkworkVectorEnv",
    "QuadrupedTrot",
    "Task",
    "WalkerBalance",
]

for _name, _task in TASKS.items():
    _gymnasium.register(
        id=_name,
        entry_point="linkwork.gym.single:LinkworkEnv",
        vector_entry_point="linkwork.gym.vector:LinkworkVectorEnv",
        max_episode_steps=_task.horizon,
        kwargs={"task": _name},
    )
