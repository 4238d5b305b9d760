"""World-steps a second of a batch, beside mujoco.rollout on the same model, in one run.

    pip install mujoco && python bench/python/throughput.py

Each figure is the best of several rounds taken in turn, so that both meet the same machine. Rates per CPU second (of all threads)
are those that other processes disturb least: on two free cores the rate is twice the one of two threads per CPU second. Linkwork solves every step to
1e-9 and closes joints to 1e-11; MuJoCo runs with the options of its defaults (Newton, 1e-8, soft constraints).
"""

import argparse
import time

import numpy as np

import linkwork as lw


def best(rounds, *tasks):
    """Least wall and CPU time (all threads) of each task, s, over rounds in which all take turns."""
    least = np.full((len(tasks), 2), np.inf)
    for _ in range(rounds):
        for i, task in enumerate(tasks):
            wall, cpu = time.perf_counter(), time.process_time()
            task()
            took = time.perf_counter() - wall, time.process_time() - cpu
            least[i] = np.minimum(least[i], took)
    return least


def rollout(model, worlds, steps, dt, threads, warm):
    """A function that simulates `steps` steps of `worlds` worlds from where `warm` seconds lead, and contacts at its end."""
    import mujoco
    from mujoco import rollout

    text, _ = model.to_mjcf()
    m = mujoco.MjModel.from_xml_string(text)
    m.opt.timestep = dt
    data = [mujoco.MjData(m) for _ in range(threads)]
    d = data[0]
    if m.nu:
        d.ctrl[:] = model.controls
    for _ in range(int(warm / dt)):
        mujoco.mj_step(m, d)
    size = mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    state = np.zeros(size)
    mujoco.mj_getState(m, d, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    states = np.tile(state, (worlds, 1))
    control = np.tile(model.controls, (worlds, steps, 1)) if m.nu else None
    runner = rollout.Rollout(nthread=threads if threads > 1 else 0)

    def task():
        runner.rollout(m, data, states, control, nstep=steps)

    return task, int(d.ncon)


def measure(name, model, worlds, steps, warm, rounds, dt=1e-3):
    batches = []
    for threads in (1, 2):
        batch = lw.Batch(model, worlds, dt=dt, threads=threads)
        batch.step(steps=max(1, int(warm / dt)))
        batches.append(batch)
    tasks = [lambda b=b: b.step(steps=steps) for b in batches]
    contacts = None
    try:
        for threads in (1, 2):
            task, contacts = rollout(model, worlds, steps, dt, threads, warm)
            tasks.append(task)
    except ImportError:
        print("mujoco is not installed: Linkwork only")
    rates = worlds * steps / best(rounds, *tasks)
    print(f"{name}, world-steps a second: failed solves {int(batches[0].failed.sum())}, joints closed to {batches[0].closure.max():.1e}, contacts in MuJoCo {contacts}")
    for kind, column in (("wall", 0), ("CPU", 1)):
        one, two = rates[0, column], rates[1, column]
        line = f"  per {kind:4s} second: linkwork {one:9,.0f} on one thread, {two:9,.0f} on two (x {two / one:.2f})"
        if len(rates) == 4:
            m, n = rates[2, column], rates[3, column]
            line += f"; mujoco {m:9,.0f}, {n:9,.0f} (x {n / m:.2f}); linkwork / mujoco {one / m:.2f}, {two / n:.2f}"
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    measure("four-bar", lw.scenes.fourbar_fixed(), 512, 100, 0.1, args.rounds)
    measure("quadruped", lw.scenes.quadruped(drop=0.0, push=0.0), 64, 100, 1.5, args.rounds)


if __name__ == "__main__":
    main()
