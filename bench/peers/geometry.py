"""Poses, overlap, and scenes for Rapier, from compiled MJCF."""

import mujoco
import numpy as np

FORMS = {
    mujoco.mjtGeom.mjGEOM_PLANE: lambda s: {"type": "plane"},
    mujoco.mjtGeom.mjGEOM_SPHERE: lambda s: {"type": "sphere", "radius": s[0]},
    mujoco.mjtGeom.mjGEOM_BOX: lambda s: {"type": "box", "half": list(s)},
    mujoco.mjtGeom.mjGEOM_CAPSULE: lambda s: {"type": "capsule", "radius": s[0], "half": s[1]},
    mujoco.mjtGeom.mjGEOM_CYLINDER: lambda s: {"type": "cylinder", "radius": s[0], "half": s[1]},
}


def overlap(case, samples):
    """Deepest overlap (m) of free bodies at the poses given: the same routines, MuJoCo's, for every engine. NaN if a
    body has flown off."""
    model = case.model()
    model.geom_margin[:] = 0
    model.geom_gap[:] = 0
    data, deepest = mujoco.MjData(model), 0.0
    for poses in samples:
        # Scenes are a few metres wide.
        if not np.abs(np.array(poses)[:, :3]).max() < 50:
            return float("nan")
        data.qpos[:] = np.concatenate(poses)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_collision(model, data)
        deepest = max([deepest, *(-data.contact.dist[: data.ncon])])
    return deepest


def rapier_scene(case, repeats, stiff):
    """Bodies with their frames at the centres of mass, shapes and joints."""
    model = case.model()
    data = case.start(model)
    mujoco.mj_forward(model, data)
    bodies = []
    for b in range(1, model.nbody):
        velocity = np.zeros(6)
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, b, velocity, 0)
        bodies.append({
            "mass": model.body_mass[b],
            "inertia": list(model.body_inertia[b]),
            "axes": list(model.body_iquat[b]),
            "pose": [*data.xipos[b], *data.xquat[b]],
            "twist": [*velocity[3:], *velocity[:3]],
            "shapes": shapes(model, b),
        })
    return {
        "dt": case.dt,
        "steps": case.steps(),
        "repeats": repeats,
        "samples": case.samples(),
        "stiff": stiff,
        "bodies": bodies,
        "world": shapes(model, 0),
        "joints": hinges(model, data) + connects(model),
    }


def shapes(model, body):
    found = []
    for g in np.flatnonzero(model.geom_bodyid == body):
        if model.geom_contype[g] == 0:
            continue
        form = FORMS[mujoco.mjtGeom(model.geom_type[g])](model.geom_size[g])
        at = model.geom_pos[g] - model.body_ipos[body]
        found.append({**form, "pose": [*at, *model.geom_quat[g]], "friction": model.geom_friction[g][0]})
    return found


def hinges(model, data):
    """Hinges of the tree; all bodies start turned alike, so that an axis is the same in both."""
    found = []
    for j in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_HINGE):
        body = model.jnt_bodyid[j]
        parent = model.body_parentid[body]
        at = data.xanchor[j]
        found.append({
            "a": None if parent == 0 else int(parent - 1),
            "b": int(body - 1),
            "anchor_a": list(at - (0 if parent == 0 else data.xipos[parent])),
            "anchor_b": list(at - data.xipos[body]),
            "axis": list(model.jnt_axis[j]),
        })
    return found


def connects(model):
    found = []
    for e in np.flatnonzero(model.eq_type == mujoco.mjtEq.mjEQ_CONNECT):
        sites = model.eq_obj1id[e], model.eq_obj2id[e]
        a, b = (model.site_bodyid[s] for s in sites)
        anchor = lambda s, body: list(model.site_pos[s] - model.body_ipos[body])
        found.append({
            "a": int(a - 1),
            "b": int(b - 1),
            "anchor_a": anchor(sites[0], a),
            "anchor_b": anchor(sites[1], b),
            "axis": None,
        })
    return found
