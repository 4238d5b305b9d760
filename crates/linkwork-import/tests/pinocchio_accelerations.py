"""Print, as JSON, random states of a URDF file and Pinocchio's accelerations in them.

Arguments: FILE, the number of states, and "free" to float the root. Nothing but gravity acts.
"""

import json
import sys

import numpy as np
import pinocchio as pin


def root(model, data, q, v, a):
    """Pose (position, w x y z), velocity and acceleration (linear, angular) of the root link."""
    link = next(f for f in model.frames if f.type == pin.FrameType.BODY and f.parentJoint == 1)
    at, world = model.getFrameId(link.name), pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    pin.forwardKinematics(model, data, q, v, a)
    pose = pin.updateFramePlacement(model, data, at)
    turn = pin.Quaternion(pose.rotation)
    return {
        link.name: {
            "pose": [*pose.translation, turn.w, turn.x, turn.y, turn.z],
            "twist": pin.getFrameVelocity(model, data, at, world).vector.tolist(),
            "acceleration": pin.getFrameClassicalAcceleration(model, data, at, world).vector.tolist(),
        }
    }


def main(path, count, free):
    arguments = [pin.JointModelFreeFlyer()] if free else []
    model = pin.buildModelFromUrdf(path, *arguments)
    model.armature[:] = 0
    data = model.createData()
    random = np.random.default_rng(1)
    states = []
    for _ in range(count):
        q = pin.integrate(model, pin.neutral(model), random.uniform(-1, 1, model.nv))
        v = random.uniform(-2, 2, model.nv)
        a = pin.aba(model, data, q, v, np.zeros(model.nv)).copy()
        joints = {}
        for i in range(2 if free else 1, model.njoints):
            joint = model.joints[i]
            # A continuous joint has a cosine and a sine.
            angle = q[joint.idx_q]
            if joint.nq == 2:
                angle = np.arctan2(q[joint.idx_q + 1], q[joint.idx_q])
            joints[model.names[i]] = [angle, v[joint.idx_v], a[joint.idx_v]]
        roots = root(model, data, q, v, a) if free else {}
        states.append({"joints": joints, "roots": roots})
    json.dump(states, sys.stdout)


main(sys.argv[1], int(sys.argv[2]), sys.argv[3:] == ["free"])
