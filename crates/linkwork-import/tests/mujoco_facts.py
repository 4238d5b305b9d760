"""Print, as JSON, what MuJoCo makes of the files given: one object a file."""

import json
import sys

import mujoco
import numpy as np

ONE_COORDINATE = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)


def solids(model, data):
    """Bodies that move as one: mass, centre and inertia about it in the world, at home."""
    found = []
    for root in range(1, model.nbody):
        if model.body_weldid[root] != root or model.body_dofnum[root] == 0:
            continue
        parts = [i for i in range(1, model.nbody) if model.body_weldid[i] == root]
        mass = sum(model.body_mass[i] for i in parts)
        centre = sum(model.body_mass[i] * data.xipos[i] for i in parts) / mass
        inertia = np.zeros((3, 3))
        for i in parts:
            axes = data.ximat[i].reshape(3, 3)
            arm = data.xipos[i] - centre
            steiner = np.eye(3) * arm.dot(arm) - np.outer(arm, arm)
            inertia += axes @ np.diag(model.body_inertia[i]) @ axes.T
            inertia += model.body_mass[i] * steiner
        found.append(
            {
                "body": root - 1,
                "mass": float(mass),
                "centre": centre.tolist(),
                "inertia": inertia.ravel().tolist(),
            }
        )
    return found


def hinges(model):
    """What acts on joints of one coordinate that have a name."""
    found = []
    reflected = bool(np.any(getattr(model, "actuator_armature", 0)))
    for i in range(model.njnt):
        joint, dof = model.joint(i), model.jnt_dofadr[i]
        if model.jnt_type[i] not in ONE_COORDINATE or not joint.name:
            continue
        found.append(
            {
                "name": joint.name,
                "home": float(model.qpos0[model.jnt_qposadr[i]]),
                "rest": float(model.qpos_spring[model.jnt_qposadr[i]]),
                "stiffness": float(model.jnt_stiffness[i]),
                "damping": float(model.dof_damping[dof]),
                "friction": float(model.dof_frictionloss[dof]),
                "armature": None if reflected else float(model.dof_armature[dof]),
                "range": model.jnt_range[i].tolist() if model.jnt_limited[i] else None,
            }
        )
    return found


def actuators(model):
    """Gain and bias of actuators that have a name."""
    return [
        {
            "name": model.actuator(i).name,
            "gain": float(model.actuator_gainprm[i][0]),
            "bias": model.actuator_biasprm[i][:3].tolist(),
        }
        for i in range(len(model.actuator_gainprm))
        if model.actuator(i).name
    ]


def keys(model, data):
    """Places and velocities (linear, angular, in the world) of all bodies in all keyframes."""
    found = []
    for key in range(model.nkey):
        mujoco.mj_resetDataKeyframe(model, data, key)
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        velocities = []
        for body in range(1, model.nbody):
            velocity = np.zeros(6)
            kind = mujoco.mjtObj.mjOBJ_XBODY
            mujoco.mj_objectVelocity(model, data, kind, body, velocity, 0)
            velocities.append([*velocity[3:], *velocity[:3]])
        found.append(
            {
                "name": model.key(key).name,
                "positions": data.xpos[1:].tolist(),
                "velocities": velocities,
            }
        )
    return found


def facts(path):
    try:
        model = mujoco.MjModel.from_xml_path(path)
    except ValueError as error:
        return {"file": path, "error": str(error)}
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return {
        "file": path,
        "deformable": int(model.nflex + model.nplugin + model.nskin),
        "mass": float(model.body_mass[1:].sum()),
        "joints": int(model.njnt),
        "freedoms": int(model.nv),
        "bodies": [
            {
                "name": model.body(i).name,
                "mass": float(model.body_mass[i]),
                "position": data.xpos[i].tolist(),
            }
            for i in range(1, model.nbody)
        ],
        "solids": solids(model, data),
        "hinges": hinges(model),
        "actuators": actuators(model),
        "keys": keys(model, data),
    }


def main():
    print()
    json.dump([facts(path) for path in sys.argv[1:]], sys.stdout)


main()
