"""Each engine runs a case: steps a CPU second (median), error, and what else it tells."""

import csv
import json
import statistics
import subprocess
import time

import mujoco
import numpy as np

from geometry import overlap, rapier_scene


# Tolerance of Linkwork's variant `loose`, N s and m/s: 10 µm a step of 10 ms.
LOOSE = 1e-3


def linkwork(program, variant, case, repeats, scratch):
    """With the scene's settings and the tolerance of the case, or a loose one. `bench speed` does nothing but step."""
    folder = scratch / "linkwork"
    subprocess.run(["rm", "-rf", folder], check=True)
    tolerance = LOOSE if variant == "loose" else case.tolerance
    more = ["--tolerance", str(tolerance)] if tolerance else []
    more += ["--dt", str(case.dt)]
    timed = [program, "bench", "speed", *named(case), *more, "--time", str(case.time), "--repeats", str(repeats), "--out", folder]
    subprocess.run(timed, check=True, capture_output=True)
    record = json.loads((folder / "speed.jsonl").read_text().splitlines()[-1])
    error = record["closure_max"]
    if case.error == "penetration":
        path = folder / "trajectory.csv"
        run = [program, "run", *case.scene, *more, "--time", str(case.time), "--out", path]
        subprocess.run(run, check=True, capture_output=True)
        error = penetration(case, path)
    return record["steps_per_cpu_s"], error, record["failed"]


def named(case):
    """The arguments of `linkwork bench speed` for the case."""
    scene = case.scene[0]
    if "/" in scene:
        return ["--model", f"{scene}@{case.key}" if case.key else scene]
    for argument in case.scene:
        if argument.startswith("n="):
            return ["--sizes", f"{scene}={argument[2:]}"]
    return ["--scenes", scene]


def penetration(case, path):
    """Overlap in a trajectory: by the same routine as for the others, or for robots as Linkwork tells it."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    head, rows = rows[0], rows[1:]
    if not case.rapier:
        at = head.index("penetration (m)")
        return max(float(rows[s][at]) for s in case.samples())
    first = [i for i, name in enumerate(head) if name.endswith(".x (m)")]
    poses = [[[float(v) for v in rows[s][i : i + 7]] for i in first] for s in case.samples()]
    return overlap(case, poses)


def vary(model, variant, dt):
    """`default`: the file's parameters, MuJoCo's own in exported scenes; `stiff`: time constant 2 dt, the shortest that
    it takes for safe (at dt heaps fly apart), and full impedance; `cg`: the default with conjugate gradients."""
    if variant == "stiff":
        for reference in (model.geom_solref, model.eq_solref, model.jnt_solref):
            reference[:] = (2 * dt, 1.0)
        for impedance in (model.geom_solimp, model.eq_solimp, model.jnt_solimp):
            impedance[:] = (0.9999, 0.9999, 0.001, 0.5, 2.0)
    if variant == "cg":
        model.opt.solver = mujoco.mjtSolver.mjSOL_CG


def mujoco_run(variant, case, repeats):
    model = case.model()
    vary(model, variant, case.dt)
    rates = []
    for _ in range(repeats):
        data = case.start(model)
        start = time.process_time()
        mujoco.mj_step(model, data, case.steps())
        rates.append(case.steps() / (time.process_time() - start))
    return statistics.median(rates), watched(model, case), 0


def watched(model, case):
    """The error of a run that is not timed; NaN if it became unstable."""
    data, poses, worst = case.start(model), [], 0.0
    samples = set(case.samples())
    for step in range(1, case.steps() + 1):
        mujoco.mj_step(model, data)
        if case.error == "closure":
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_makeConstraint(model, data)
            loops = data.efc_type[: data.nefc] == mujoco.mjtConstraint.mjCNSTR_EQUALITY
            gaps = data.efc_pos[: data.nefc][loops]
            # Rows of a `connect` are the three components of its gap.
            gaps = np.linalg.norm(gaps[: len(gaps) // 3 * 3].reshape(-1, 3), axis=1)
            worst = max(worst, gaps.max(initial=0.0))
        elif step in samples and case.rapier:
            poses.append([[*data.xpos[b], *data.xquat[b]] for b in range(1, model.nbody)])
        elif step in samples:
            # A file may ask for a distance that contacts keep.
            worst = max([worst, *(data.contact.includemargin - data.contact.dist)])
    # MuJoCo begins anew where numbers grow too large.
    if data.time < 0.5 * case.time:
        return float("nan")
    return overlap(case, poses) if poses else worst


def rapier(program, variant, case, repeats):
    scene = rapier_scene(case, repeats, variant == "stiff")
    run = subprocess.run([program], input=json.dumps(scene), capture_output=True, check=True, text=True)
    answer = json.loads(run.stdout)
    error = answer["closure_m"] if case.error == "closure" else overlap(case, answer["poses"])
    return statistics.median(answer["rates"]), error, 0
