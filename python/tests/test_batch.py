"""Many worlds: the same bits whatever the threads, order and company; quarantine; randomisation."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import linkwork as lw

# More than are stepped together.
NUMBERS = np.arange(10)


def controls(number, step, count):
    return 0.3 * np.sin(number + 0.2 * step + np.arange(count))


def hashes(model, numbers, threads, steps=40):
    """State hashes of worlds with these numbers, each driven and varied by its number."""
    found = {}
    with lw.Batch(model, len(numbers), seed=3, threads=threads) as batch:
        ranges = dict(masses=(0.8, 1.2), friction=(0.5, 1.5), gains=(0.9, 1.1), lengths=(0.99, 1.01))
        for i, number in enumerate(numbers):
            # A batch of one at its number draws what the world draws in any other.
            with lw.Batch(model, 1, seed=3, first=int(number)) as alone:
                alone.randomise(**ranges)
                masses = alone.masses[0] / model.masses
            batch.vary(i, masses=masses)
        for step in range(steps):
            forces = [controls(n, step, len(model.coordinates)) for n in numbers]
            batch.step(steps=5, forces=np.array(forces))
        assert not batch.quarantined.any()
        for number, hash in zip(numbers, batch.hashes):
            found[int(number)] = int(hash)
    return found


@pytest.mark.parametrize("name", ["fourbar_fixed", "quadruped"])
def test_bits_depend_on_nothing_but_the_world(name):
    model = lw.scenes.make(name)
    first = hashes(model, NUMBERS, 1)
    assert len(set(first.values())) == len(NUMBERS)
    for threads in (2, 3, 8):
        assert hashes(model, NUMBERS, threads) == first
    assert hashes(model, NUMBERS[::-1], 2) == first
    assert hashes(model, NUMBERS[2:3], 1)[2] == first[2]


def test_bits_do_not_depend_on_the_width_of_vectors():
    """AVX-512, where there is one, and AVX2."""
    script = (
        "import linkwork as lw\n"
        "for name in ('fourbar_fixed', 'quadruped'):\n"
        "    batch = lw.Batch(lw.scenes.make(name), 3, seed=3, threads=1)\n"
        "    batch.randomise(masses=(0.8, 1.2))\n"
        "    batch.step(steps=150)\n"
        "    print(lw.arithmetic, *batch.hashes)\n"
    )

    def told(**environment):
        environment = {**os.environ, **environment}
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
        return done.stdout.split("\n")

    widest = told()
    assert len(widest[0].split()) == 4
    if lw.arithmetic == "avx2-fma":
        assert told(LINKWORK_ARITHMETIC="avx2") == widest


def test_draws_follow_from_seed_and_number():
    model = lw.scenes.fourbar_fixed()
    whole = lw.Batch(model, 6, seed=9)
    whole.randomise(masses=(0.5, 2.0), lengths=(0.97, 1.03))
    part = lw.Batch(model, 2, seed=9, first=4)
    part.randomise(masses=(0.5, 2.0), lengths=(0.97, 1.03))
    whole.step(steps=100), part.step(steps=100)
    assert np.array_equal(whole.hashes[4:], part.hashes)
    other = lw.Batch(model, 6, seed=10)
    other.randomise(masses=(0.5, 2.0))
    assert not np.array_equal(other.masses, whole.masses)
    factors = whole.masses / model.masses
    assert factors.min() >= 0.5 and factors.max() <= 2.0 and np.unique(factors).size == factors.size
    assert whole.closure.max() < 1e-9


def test_a_world_is_a_simulator():
    # Contacts of its soles have physical compliance, which lanes do not have.
    model = lw.scenes.walker31()
    batch = lw.Batch(model, 2, halvings=8, max_iterations=1000)
    assert not batch.has_lanes
    sim = lw.Simulator(model)
    targets = model.controls + 0.1
    batch.step(np.stack([model.controls, targets]), steps=300)
    for _ in range(300):
        sim.step(targets)
    assert batch.state(1) == sim.state
    assert batch.coordinates[1] == pytest.approx(sim.coordinates, abs=0)
    assert np.array_equal(batch.poses[1], sim.poses) and np.array_equal(batch.twists[1], sim.twists)
    assert np.array_equal(batch.velocities[1], sim.velocities)
    assert batch.steps.tolist() == [300, 300] and batch.time == pytest.approx([0.3, 0.3])


@pytest.mark.parametrize("name, steps", [("fourbar_fixed", 1000), ("quadruped", 400)])
def test_a_world_in_lanes_agrees_with_a_simulator(name, steps):
    model = lw.scenes.make(name)
    batch = lw.Batch(model, 6)
    assert batch.has_lanes
    sim = lw.Simulator(model)
    batch.step(model.controls, steps=steps)
    for _ in range(steps):
        sim.step(model.controls)
    # Drives are at their limits as the quadruped lands.
    assert batch.alone.max() < 0.1 * steps
    assert batch.poses[5] == pytest.approx(sim.poses, abs=1e-9)
    assert batch.coordinates[5] == pytest.approx(sim.coordinates, abs=1e-9)
    assert batch.closure.max() < 1e-11 and batch.residuals.max() < 1e-9


def test_contact_forces_carry_the_weight():
    model = lw.scenes.quadruped(drop=0.0, push=0.0)
    batch = lw.Batch(model, 2)
    batch.step(steps=1500)
    weight = model.masses.sum() * 9.81
    assert batch.contact_forces.sum(axis=1)[:, 2] == pytest.approx([weight, weight], rel=1e-3)


def test_a_diverging_world_is_quarantined():
    model = lw.scenes.free_body()
    batch = lw.Batch(model, 3, max_speed=50.0)
    wrenches = np.zeros((3, 1, 6))
    wrenches[1, 0, 0] = 1e3
    batch.step(steps=2000, wrenches=wrenches)
    assert batch.quarantined.tolist() == [False, True, False]
    assert list(batch.errors) == [1] and "max_speed" in batch.errors[1]
    assert batch.steps[0] == 2000 and batch.steps[1] < 2000
    left = batch.state(1)
    batch.step(steps=10)
    assert batch.state(1) == left
    batch.reset([1])
    batch.step(steps=10)
    assert not batch.quarantined.any() and batch.steps[1] == 10


def test_reset_by_index_mask_and_state():
    model = lw.scenes.fourbar_fixed()
    batch = lw.Batch(model, 4)
    batch.step(steps=50)
    moved = batch.state(3)
    batch.reset(np.array([True, False, False, True]))
    assert batch.time == pytest.approx([0, 0.05, 0.05, 0])
    batch.reset([0, 1], moved)
    assert batch.state(0) == moved and batch.state(1) == moved
    batch.reset([2, 3], [moved, model.initial_state])
    assert batch.state(2) == moved and batch.state(3) == model.initial_state
    batch.reset([])
    batch.reset()
    assert np.array_equal(batch.time, np.zeros(4))


@pytest.mark.parametrize("name", ["fourbar_fixed", "quadruped"])
def test_saved_batches_go_on_with_the_same_bits(name):
    model = getattr(lw.scenes, name)()
    batch = lw.Batch(model, 3, seed=2)
    batch.randomise(masses=(0.9, 1.1), friction=(0.5, 1.0))
    batch.step(model.controls + 0.05, steps=300)
    saved = batch.save()
    batch.step(steps=200)
    other = lw.Batch(model, 3)
    other.restore(saved)
    other.step(steps=200)
    assert np.array_equal(other.hashes, batch.hashes)
    with pytest.raises(lw.SetupError, match="worlds"):
        lw.Batch(model, 2).restore(saved)
    with pytest.raises(lw.SetupError, match="another model"):
        other = lw.scenes.quadruped(friction=0.3) if name == "quadruped" else lw.scenes.pendulum()
        lw.Batch(other, 3).restore(saved)


def test_forces_act_during_one_call_only():
    model = lw.scenes.fourbar_fixed()
    a, b = lw.Batch(model, 1), lw.Batch(model, 1)
    forces = np.full((1, 4), 0.5)
    a.step(steps=5, forces=forces)
    b.step(steps=5, forces=forces)
    a.step(steps=5)
    b.step(steps=5, forces=np.zeros((1, 4)))
    assert np.array_equal(a.hashes, b.hashes)


def test_a_batch_tells_what_simulators_tell():
    model = lw.scenes.quadruped(drop=0.0, push=0.0)
    batch = lw.Batch(model, 4, threads=2)
    batch.randomise(masses=[0.9, 1.1])
    batch.step(steps=600)
    weights = batch.masses.sum(axis=1) * 9.81
    assert batch.contact_forces.sum(axis=1)[:, 2] == pytest.approx(weights, rel=1e-2)
    # The legs carry the trunk by their first joints, whose reactions are those on the legs.
    bases = [model.joint(i)["base"] == model.bodies[0] for i in range(len(model.joints))]
    carried = -batch.reactions[:, bases, 2].sum(axis=1)
    assert carried == pytest.approx(batch.masses[:, 0] * 9.81, rel=1e-2)
    alone = lw.Batch(model, 4, threads=1)
    alone.randomise(masses=[0.9, 1.1])
    alone.step(steps=600)
    for name in ("reactions", "contact_forces", "energy"):
        assert np.array_equal(getattr(alone, name), getattr(batch, name))
    efforts = batch.efforts
    assert set(efforts) == {"drive", "limit", "friction", "passive", "coupling"}
    assert all(e.shape == (4, 12) for e in efforts.values()) and np.abs(efforts["drive"]).max() > 1.0
    # Reading them changes nothing.
    batch.step(steps=50), lw.Batch.step(alone, steps=50)
    assert np.array_equal(batch.hashes, alone.hashes)


def test_energy_of_worlds_is_that_of_the_simulator():
    model = lw.scenes.walker31()
    batch, sim = lw.Batch(model, 2, halvings=8, max_iterations=1000), lw.Simulator(model)
    batch.step(model.controls, steps=20)
    for _ in range(20):
        sim.step(model.controls)
    assert batch.energy.tolist() == [sim.energy] * 2
    assert np.array_equal(batch.reactions[1], sim.reactions)
    assert np.array_equal(batch.contact_forces[0], sim.contact_forces)
    assert np.array_equal(batch.efforts["drive"][1], sim.efforts["drive"])


def test_interrupts_end_a_step_with_all_worlds_at_the_same_time():
    batch = lw.Batch(lw.scenes.fourbar_fixed(), 64, threads=2)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            batch.step(steps=4_000_000_000)
    finally:
        signal.signal(signal.SIGINT, before)
    taken = int(batch.steps[0])
    assert 0 < taken < 4_000_000_000 and (batch.steps == taken).all()
    other = lw.Batch(batch.model, 1, threads=1)
    other.step(steps=taken)
    assert other.hashes[0] == batch.hashes[63]


def test_one_hard_world_does_not_stall_the_batch():
    """Torques of 1e5 N m took 30 s a step before the iterations of all solves of a step were bounded together."""
    model = lw.scenes.quadruped(drop=0.0, push=0.0)
    batch = lw.Batch(model, 16)
    forces = np.zeros((16, 12))
    for size in (1e3, 1e4, 1e5, 1e6):
        forces[5] = size * np.sin(2.3 * np.arange(12))
        batch.reset()
        batch.step(steps=40, forces=forces)
        others = np.arange(16) != 5
        assert (batch.steps[others] == 40).all() and not batch.quarantined[others].any() and not batch.failed[others].any()
    assert batch.quarantined[5] and batch.steps[5] < 40
