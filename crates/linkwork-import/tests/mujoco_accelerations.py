"""Print, as JSON, random states of an MJCF file and MuJoCo's accelerations in them.

Arguments: FILE, the number of states, and what acts besides gravity: "nothing", "passive" (springs,
dampers and armatures) or "actuated" (these, and actuators with random controls). Joints of one
coordinate have names; other joints must be free and are told by the motion of their body's frame in
the world.
"""

import json
import sys

import mujoco
import numpy as np

OFF = ("CONTACT", "LIMIT", "EQUALITY", "FRICTIONLOSS")


def roots(model, data):
    """Pose (position, w x y z), velocity and acceleration (linear, angular) of floating bodies."""
    found = {}
    for j in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE):
        body, dof = model.jnt_bodyid[j], model.jnt_dofadr[j]
        turn = data.xmat[body].reshape(3, 3)
        # MuJoCo has angular rates in the body's axes; ω × ω = 0, so they only need turning.
        rate, change = data.qvel[dof : dof + 6], data.qacc[dof : dof + 6]
        found[model.body(body).name] = {
            "pose": [*data.xpos[body], *data.xquat[body]],
            "twist": [*rate[:3], *(turn @ rate[3:])],
            "acceleration": [*change[:3], *(turn @ change[3:])],
        }
    return found


def scatter(model, data, random):
    """A random state: within the ranges of the joints, anywhere for floating bodies."""
    mujoco.mj_resetData(model, data)
    data.qvel[:] = random.uniform(-2, 2, model.nv)
    for j in range(model.njnt):
        at = model.jnt_qposadr[j]
        if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE:
            data.qpos[at : at + 3] += random.uniform(-1, 1, 3)
            turn = random.normal(size=4)
            data.qpos[at + 3 : at + 7] = turn / np.linalg.norm(turn)
            continue
        low, high = model.jnt_range[j] if model.jnt_limited[j] else (-1, 1)
        data.qpos[at] = random.uniform(low, high)
    for i in range(model.nu):
        low, high = model.actuator_ctrlrange[i] if model.actuator_ctrllimited[i] else (-1, 1)
        data.ctrl[i] = random.uniform(low, high)


def main(path, count, acting):
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    for name in OFF:
        model.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")
    if acting != "actuated":
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
    if acting == "nothing":
        for passive in ("dof_damping", "dof_armature", "jnt_stiffness"):
            getattr(model, passive)[:] = 0
        model.tendon_damping[:] = 0
        model.tendon_stiffness[:] = 0
        mujoco.mj_setConst(model, data)
    random = np.random.default_rng(1)
    states = []
    for _ in range(count):
        scatter(model, data, random)
        mujoco.mj_forward(model, data)
        single = np.flatnonzero(model.jnt_type != mujoco.mjtJoint.mjJNT_FREE)
        states.append(
            {
                "joints": {
                    model.joint(j).name: [
                        data.qpos[model.jnt_qposadr[j]],
                        data.qvel[model.jnt_dofadr[j]],
                        data.qacc[model.jnt_dofadr[j]],
                    ]
                    for j in single
                },
                "roots": roots(model, data),
                "controls": data.ctrl.tolist(),
            }
        )
    print()
    json.dump(states, sys.stdout)


main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
