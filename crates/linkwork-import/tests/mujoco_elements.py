"""Balls with a range, muscles and mocap bodies as MuJoCo has them, as JSON.

Each argument is FILE:OUT. OUT is written beside FILE: it includes FILE and has random states as keyframes, so that both
readers start from the same numbers."""

import json
import os
import sys

import mujoco
import numpy as np

STATES = 100
# Time and step of the runs, s.
END, STEP = 0.5, 1e-4
# Time after which what is damped rests, s.
REST = 20.0


def text(values):
    return " ".join(repr(float(x)) for x in values)


def turns(model, data):
    """Angles of the balls."""
    found = []
    for j in range(model.njnt):
        if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL:
            vector = np.zeros(3)
            at = model.jnt_qposadr[j]
            mujoco.mju_quat2Vel(vector, data.qpos[at : at + 4], 1)
            found.append(float(np.linalg.norm(vector)))
    return found


def sensors(model, data, of_forces=False):
    """Values of the sensors of place and velocity, or of forces and accelerations, by name; of contacts in both."""
    found = {}
    for i in range(model.nsensor):
        both = model.sensor_type[i] == mujoco.mjtSensor.mjSENS_CONTACT
        if both or (model.sensor_needstage[i] == mujoco.mjtStage.mjSTAGE_ACC) == of_forces:
            at, size = model.sensor_adr[i], model.sensor_dim[i]
            found[model.sensor(i).name] = data.sensordata[at : at + size].tolist()
    return found


def at_states(model, data, rng, first):
    """Angles, muscle forces and rates of activations at random states, activations and controls."""
    found = []
    for i in range(STATES):
        mujoco.mj_resetDataKeyframe(model, data, first + i)
        data.ctrl[:] = rng.uniform(-0.2, 1.2, model.nu)
        data.act[:] = rng.uniform(0, 1, model.na)
        mujoco.mj_forward(model, data)
        found.append(
            {
                "turns": turns(model, data),
                "controls": data.ctrl.tolist(),
                "activations": data.act.tolist(),
                "forces": data.actuator_force.tolist(),
                "rates": data.act_dot.tolist(),
                "sensors": sensors(model, data),
            }
        )
    return found


def run(model, data, end):
    """From home with all controls at 0.7."""
    mujoco.mj_resetData(model, data)
    data.ctrl[:] = 0.7
    if model.nmocap:
        data.mocap_pos[0] += [0.1, 0, 0.05]
    while data.time < end - 1e-9:
        mujoco.mj_step(model, data)
    return {
        "qpos": data.qpos.tolist(),
        "act": data.act.tolist(),
        "turns": turns(model, data),
        "xpos": data.xpos[1:].tolist(),
        "forces": sensors(model, data, True),
    }


def facts(argument):
    path, out = argument.split(":")
    model = mujoco.MjModel.from_xml_path(path)
    rng = np.random.default_rng(11)
    keys = []
    for i in range(STATES):
        qpos = model.qpos0.copy()
        mujoco.mj_integratePos(model, qpos, rng.uniform(-0.5, 0.5, model.nv), 1.0)
        qvel = rng.uniform(-2, 2, model.nv)
        keys.append(f'<key name="random {i}" qpos="{text(qpos)}" qvel="{text(qvel)}"/>')
    with open(out, "w", encoding="utf-8") as file:
        name = os.path.basename(path)
        file.write(f'<mujoco><include file="{name}"/><keyframe>{"".join(keys)}</keyframe></mujoco>')
    model = mujoco.MjModel.from_xml_path(out)
    data = mujoco.MjData(model)
    states = at_states(model, data, rng, model.nkey - STATES)
    model.opt.timestep = STEP
    moved = run(model, data, END)
    model.opt.timestep = 1e-3
    return {"states": states, "moved": moved, "rest": run(model, data, REST)}


def main():
    print()
    json.dump([facts(argument) for argument in sys.argv[1:]], sys.stdout)


main()
