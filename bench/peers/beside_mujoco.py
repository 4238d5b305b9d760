"""Steps a CPU second of Linkwork and of MuJoCo, in one run: medians of five, 1 ms, one thread.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install mujoco
    cargo build --release
    /tmp/peers/bin/python bench/peers/beside_mujoco.py target/release/linkwork ../shared/data

Mechanisms with loops have a twin here: an MJCF tree whose loops are closed by `connect`. Files are read by both.
Linkwork starts processes of its own; what it takes to load a file is not counted on either side.
"""

import json
import math
import statistics
import subprocess
import sys
import time

import mujoco

REPEATS = 5
CAPSULE = '<geom type="capsule" mass="{mass}" fromto="0 0 0 {x} 0 {z}" size="0.02" contype="0" conaffinity="0"/>'
HINGE = '<joint axis="0 1 0"/>'


def mjcf(bodies, closures):
    """A model of planar linkages; `closures` are pairs of sites that stay together."""
    pairs = "".join(f'<connect site1="{a}" site2="{b}"/>' for a, b in closures)
    return f'<mujoco><option timestep="0.001"/><worldbody>{bodies}</worldbody><equality>{pairs}</equality></mujoco>'


def bar(at, to, mass, site, inner=""):
    """A hinged bar from `at`, relative to its parent, to `to`, relative to `at`."""
    shape = CAPSULE.format(mass=mass, x=to[0], z=to[1])
    end = f'<site name="{site}" pos="{to[0]} 0 {to[1]}"/>'
    return f'<body pos="{at[0]} 0 {at[1]}">{HINGE}{shape}{end}{inner}</body>'


def fourbar():
    """The twin of `fourbar_fixed`: crank and coupler on one side, rocker on the other."""
    coupler = bar((0.1, 0.2), (0.6, 0.1), 1.0, "a")
    bodies = bar((0, 1), (0.1, 0.2), 1.0, "crank", coupler) + bar((0.8, 1), (-0.1, 0.3), 1.0, "b")
    return mjcf(bodies, [("a", "b")])


def meet(a, ra, b, rb):
    """The lower of the two points at distance ra of a and rb of b."""
    dx, dz = b[0] - a[0], b[1] - a[1]
    d = math.hypot(dx, dz)
    x = (d * d + ra * ra - rb * rb) / (2 * d)
    y = math.sqrt(ra * ra - x * x)
    points = [(a[0] + (x * dx + s * y * dz) / d, a[1] + (x * dz - s * y * dx) / d) for s in (1, -1)]
    return min(points, key=lambda p: p[1])


def coupled(n):
    """The twin of `coupled_fourbars`."""
    rockers, pitch, level = (0.5, 0.46, 0.54, 0.48), 0.6, 0.5
    lengths = [rockers[i % 4] for i in range(n + 1)]
    pivots = [(pitch * i, level + length) for i, length in enumerate(lengths)]
    angle = 0.8 - math.pi / 2
    ends = [(pivots[0][0] + lengths[0] * math.cos(angle), pivots[0][1] + lengths[0] * math.sin(angle))]
    for i in range(1, n + 1):
        ends.append(meet(pivots[i], lengths[i], ends[-1], pitch))
    away = lambda a, b: (b[0] - a[0], b[1] - a[1])
    bodies = ""
    for i in range(n + 1):
        rocker = away(pivots[i], ends[i])
        coupler = bar(rocker, away(ends[i], ends[i + 1]), 0.5, f"c{i}") if i < n else ""
        bodies += bar(pivots[i], rocker, 1.0, f"e{i}", coupler)
    return mjcf(bodies, [(f"c{i}", f"e{i + 1}") for i in range(n)])


def mujoco_rate(model, steps, key):
    model.opt.timestep = 1e-3
    rates = []
    for _ in range(REPEATS):
        data = mujoco.MjData(model)
        if key:
            mujoco.mj_resetDataKeyframe(model, data, model.key(key).id)
            data.ctrl[:] = 0
        start = time.process_time()
        mujoco.mj_step(model, data, steps)
        rates.append(steps / (time.process_time() - start))
    return statistics.median(rates)


def linkwork_rate(linkwork, arguments, steps):
    rates, failed = [], 0
    for _ in range(REPEATS):
        command = [linkwork, "run", *arguments, "--dt", "0.001", "--time", str(steps / 1000), "--tolerance", "1e-9", "--json"]
        run = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
        rates.append(run["steps_per_cpu_s"])
        failed = max(failed, run["solves_failed"])
    return statistics.median(rates), failed


def main():
    linkwork, data = sys.argv[1], sys.argv[2]
    parse, read = mujoco.MjModel.from_xml_string, mujoco.MjModel.from_xml_path
    files = [
        ("models/gymnasium_mujoco/humanoid.xml", None),
        ("models/agility_cassie/scene.xml", "home"),
        ("robots/robotis_op3/scene.xml", None),
        ("robots/booster_t1/scene.xml", None),
    ]
    cases = [
        ("four-bar", lambda: parse(fourbar()), ["fourbar_fixed"], 10000, None),
        ("16 coupled loops", lambda: parse(coupled(16)), ["coupled_fourbars", "--set", "n=16"], 2000, None),
    ]
    for file, key in files:
        path = f"{data}/{file}"
        arguments = [path, *(["--key", key] if key else [])]
        cases.append((file, lambda path=path: read(path), arguments, 1000, key))
    print("| scene | Linkwork | failed | MuJoCo | ratio |\n|---|---|---|---|---|")
    for name, model, arguments, steps, key in cases:
        peer = mujoco_rate(model(), steps, key)
        own, failed = linkwork_rate(linkwork, arguments, steps)
        print(f"| {name} | {own / 1e3:.1f} k | {failed} | {peer / 1e3:.1f} k | {own / peer:.2f} |", flush=True)


if __name__ == "__main__":
    main()
