"""What Pinocchio makes of URDF files, as JSON lines for tests/pinocchio_agrees.rs.

Each argument is FILE or FILE:free; the latter is built with a free-flyer root.
"""

import json
import sys

import pinocchio as pin


def facts(argument):
    path, free = argument.removesuffix(":free"), argument.endswith(":free")
    if free:
        model = pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer())
    else:
        model = pin.buildModelFromUrdf(path)
    data = model.createData()
    pin.framesForwardKinematics(model, data, pin.neutral(model))
    links = {}
    for i, frame in enumerate(model.frames):
        if frame.type == pin.FrameType.BODY and frame.name != "universe":
            pose = data.oMf[i]
            links[frame.name] = [*pose.translation, *pose.rotation.flatten()]
    # Masses of what is fixed to the world are kept by the universe's inertia.
    mass = sum(inertia.mass for inertia in model.inertias)
    return {"file": argument, "nq": model.nq, "nv": model.nv, "mass": mass, "links": links}


for argument in sys.argv[1:]:
    print(json.dumps(facts(argument)), flush=True)
