"""Counts of actuators, sensors and stored states of the files given, and the values of their kinematic sensors at
random states, as JSON.

Each argument is FILE:OUT. OUT is written beside FILE: it includes FILE and has the states as keyframes, so that both
readers start from the same numbers."""

import json
import os
import sys

import mujoco
import numpy as np

STATES = 100


def text(values):
    return " ".join(repr(float(x)) for x in values)


def states(model, rng):
    """Random places and velocities; quaternions are of unit length."""
    found = []
    for _ in range(STATES):
        qpos = model.qpos0.copy()
        velocity = rng.uniform(-1, 1, model.nv)
        mujoco.mj_integratePos(model, qpos, rng.uniform(-0.3, 0.3, model.nv), 1.0)
        mujoco.mj_normalizeQuat(model, qpos)
        found.append((qpos, velocity))
    return found


def values(model, data):
    """Values of the sensors of place and velocity, by name or number."""
    mujoco.mj_forward(model, data)
    found = {}
    for i in range(model.nsensor):
        if model.sensor_needstage[i] == mujoco.mjtStage.mjSTAGE_ACC:
            continue
        at, size = model.sensor_adr[i], model.sensor_dim[i]
        name = model.sensor(i).name or f"sensor_{i}"
        found[name] = data.sensordata[at : at + size].tolist()
    return found


def facts(argument):
    path, out = argument.split(":")
    model = mujoco.MjModel.from_xml_path(path)
    counts = [int(model.nu), int(model.nsensor), int(model.nkey)]
    rng = np.random.default_rng(7)
    random = states(model, rng)
    keys = [f'<key name="random {i}" qpos="{text(q)}" qvel="{text(v)}"/>' for i, (q, v) in enumerate(random)]
    with open(out, "w", encoding="utf-8") as file:
        name = os.path.basename(path)
        file.write(f'<mujoco><include file="{name}"/><keyframe>{"".join(keys)}</keyframe></mujoco>')
    model = mujoco.MjModel.from_xml_path(out)
    data = mujoco.MjData(model)
    all_values = []
    for i in range(STATES):
        mujoco.mj_resetDataKeyframe(model, data, model.nkey - STATES + i)
        all_values.append(values(model, data))
    return {"counts": counts, "values": all_values}


def main():
    print()
    json.dump([facts(argument) for argument in sys.argv[1:]], sys.stdout)


main()
