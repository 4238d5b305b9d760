"""Print, as JSON, what MuJoCo makes of the files given: one object a file."""

import json
import sys

import mujoco


def facts(path):
    try:
        model = mujoco.MjModel.from_xml_path(path)
    except ValueError as error:
        return {"file": path, "error": str(error)}
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    deformable = model.nflex + model.nplugin + model.nskin
    return {
        "file": path,
        "deformable": int(deformable),
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
    }


def main():
    # MuJoCo warns on standard output of nothing; the facts are all there is.
    json.dump([facts(path) for path in sys.argv[1:]], sys.stdout)


main()
