#!/usr/bin/env python3
"""Run MJCF files beside MuJoCo; a table of how far bodies are apart afterwards.

    scripts/beside_mujoco.py target/release/linkwork ../shared/data/robots [--time 1] [--dt 0.001] [--filter TEXT] [--hard]

Needs the Python packages mujoco and numpy. Every file is let go from its home, and from the stored state `home` where it has one,
with the softness of the file (--soft; --hard leaves it out). Bodies that are welded to each other are one body; they are matched
by name or, without one, by where their centre of mass is at the start. A line a run: bodies compared, the largest distance of
centres of mass at the end and whose, and what fell: the centre of mass sinks by more than 5 cm, freely or onto something. Lines above
2 cm that are no fall, and are not within 2 cm of MuJoCo with a tenth of the step either, begin with '!', and tell what the importer left out; the exit code is their number, at most 100. Files with a shorter
step than --dt are run with their own: MuJoCo is not stable otherwise.
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

import mujoco
import numpy

FALL = 0.05


def groups(model):
    """Bodies by the body they are welded to, without those welded to the world."""
    found = {}
    for body in range(1, model.nbody):
        root = model.body_weldid[body]
        if root != 0:
            found.setdefault(root, []).append(body)
    return {root: bodies for root, bodies in found.items() if model.body_mass[bodies].sum() > 0}


def centres(model, data, bodies):
    """Centre of mass of each group, m."""
    out = {}
    for root, group in bodies.items():
        mass = model.body_mass[group]
        out[root] = (mass[:, None] * data.xipos[group]).sum(0) / mass.sum()
    return out


def theirs(file, key, time, dt):
    """Centres of mass at the start and at the end, how far the mechanism fell, and the step; `None` for no such key."""
    model = mujoco.MjModel.from_xml_path(str(file))
    dt = min(dt, model.opt.timestep)
    model.opt.timestep = dt
    data = mujoco.MjData(model)
    if key is not None:
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, key)
        if number < 0:
            return None
        mujoco.mj_resetDataKeyframe(model, data, number)
    mujoco.mj_forward(model, data)
    bodies = groups(model)
    start = centres(model, data, bodies)
    height = data.subtree_com[0][2]
    falls = any(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE)
    for _ in range(round(time / dt)):
        mujoco.mj_step(model, data)
        falls |= data.ncon > 0
    # Positions of the state, not of the last step's start.
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    names = {root: model.body(root).name for root in bodies}
    return start, centres(model, data, bodies), names, (height - data.subtree_com[0][2]) * falls, dt


def ours(linkwork, file, key, time, dt, hard):
    """Name, centre of mass at the start and at the end of each body, and what was left out; or what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "path.csv"
        command = [linkwork, "run", str(file), "--time", str(time), "--dt", str(dt), "--out", str(table), "--json", "--notices"]
        command += [] if hard else ["--soft"]
        command += [] if key is None else ["--key", key]
        done = subprocess.run(command, capture_output=True, text=True)
        if not table.exists():
            return done.stderr.strip()[-120:]
        with open(table) as text:
            rows = csv.reader(text)
            head = next(rows)
            first = next(rows)
            last = first
            for last in rows:
                pass
    bodies = {}
    for i, label in enumerate(head):
        if label.endswith(".x (m)") and head[i + 3 : i + 4] == [label[:-6] + ".qw (1)"]:
            place = lambda row: numpy.array([float(x) for x in row[i : i + 3]])
            bodies[label.removesuffix(".x (m)")] = (place(first), place(last))
    left_out = [line.split(": ", 2)[-1] for line in done.stderr.splitlines() if "left out" in line]
    return bodies, left_out


def farthest(start, end, names, bodies):
    """Largest distance at the end and whose, how many bodies were found, and the largest distance at the start."""
    apart, whose, matched, begin = 0.0, "", 0, 0.0
    for root in start:
        name = names[root]
        if name not in bodies:
            near = min(bodies, key=lambda b: numpy.linalg.norm(bodies[b][0] - start[root]), default=None)
            if near is None or numpy.linalg.norm(bodies[near][0] - start[root]) > 1e-6:
                continue
            name = near
        matched += 1
        begin = max(begin, numpy.linalg.norm(bodies[name][0] - start[root]))
        distance = numpy.linalg.norm(bodies[name][1] - end[root])
        if not distance <= apart:
            apart, whose = distance, name
    return apart, whose, matched, begin


def compare(args, file, key):
    """One line, and whether it is bad."""
    label = f"{file}{'' if key is None else ' --key ' + key}"
    try:
        found = theirs(file, key, args.time, args.dt)
    except ValueError as error:
        return f"  {label}: MuJoCo refuses it: {str(error).strip()[:80]}", False
    if found is None:
        return None, False
    start, end, names, fell, dt = found
    answer = ours(args.linkwork, file, key, args.time, dt, args.hard)
    if isinstance(answer, str):
        return f"! {label}: {answer}", True
    bodies, left_out = answer
    apart, whose, matched, begin = farthest(start, end, names, bodies)
    falls = fell > FALL
    bad = not apart <= 0.02 and not falls
    finer = ""
    if bad:
        # MuJoCo's own error is of first order in the step.
        close = theirs(file, key, args.time, 0.1 * dt)
        near = farthest(start, close[1], names, bodies)[0]
        finer = f", {near:.1e} m from MuJoCo with a tenth of the step"
        bad = not near <= 0.02
    note = f", falls {fell:.2f} m" if falls else finer
    if bad and left_out:
        note += f"; {'; '.join(left_out)[:160]}"
    text = f"{matched} of {len(start)} bodies, {begin:.1e} m apart at first, {apart:.1e} m at the end ({whose}){note}"
    return f"{'!' if bad else ' '} {label}: {text}", bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("linkwork")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--time", type=float, default=1.0, help="s")
    parser.add_argument("--dt", type=float, default=0.001, help="s")
    parser.add_argument("--filter", default="")
    parser.add_argument("--hard", action="store_true", help="leave the softness of the file out")
    args = parser.parse_args()
    bad = 0
    for file in sorted(args.folder.rglob("*.xml")):
        if args.filter not in str(file):
            continue
        for key in [None, "home"]:
            line, wrong = compare(args, file, key)
            if line is not None:
                print(line, flush=True)
            bad += wrong
    sys.exit(min(bad, 100))


if __name__ == "__main__":
    main()
