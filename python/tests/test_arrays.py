"""Arrays: what is a view, what is a copy, what is written to `out`; nothing dangles or changes behind the user's back."""

import gc
import threading

import numpy as np
import pytest

import linkwork as lw

BATCH = ["poses", "twists", "coordinates", "velocities", "reactions", "contact_forces", "sensors", "energy", "masses"]
SIMULATOR = ["poses", "twists", "coordinates", "velocities", "reactions", "contact_forces", "energy"]


def junk():
    """Take memory that was freed."""
    return [np.full(size, np.nan) for size in (24, 28, 78, 91, 1000) for _ in range(200)]


def views(state):
    return [state.poses, state.twists, state.coordinates]


def test_arrays_of_a_state_are_views_of_it():
    state = lw.scenes.quadruped().initial_state
    for a, b in zip(views(state), views(state)):
        assert np.shares_memory(a, b) and a.base is state
        assert not a.flags.owndata and not a.flags.writeable


def test_views_cannot_be_written_to():
    sim = lw.Simulator(lw.scenes.fourbar_fixed())
    sim.step()
    solution = lw.solve(sim.problem)
    for view in [*views(sim.state), solution.impulses, solution.velocities, solution.sigma]:
        with pytest.raises(ValueError, match="read-only"):
            view[...] = 0.0
        with pytest.raises(ValueError, match="WRITEABLE"):
            view.flags.writeable = True
        with pytest.raises(ValueError, match="WRITEABLE"):
            view[:1].flags.writeable = True
        view.copy()[...] = 0.0


def test_views_outlive_their_owner():
    sim = lw.Simulator(lw.scenes.quadruped())
    sim.step()
    solution = lw.solve(sim.problem)
    kept = [*views(sim.state), *views(sim.model.initial_state), solution.impulses, solution.velocities, solution.sigma]
    copies = [a.copy() for a in kept]
    parts = [a[-1:] for a in kept]
    sim.run(0.05)
    sim.close()
    del sim, solution
    gc.collect()
    taken = junk()
    for a, part, copy in zip(kept, parts, copies):
        assert np.array_equal(a, copy) and np.array_equal(part, copy[-1:])
    del kept
    gc.collect()
    taken += junk()
    assert all(np.array_equal(part, copy[-1:]) for part, copy in zip(parts, copies)) and taken


def test_a_batch_that_steps_changes_no_array_read_before():
    batch = lw.Batch(lw.scenes.fourbar_fixed(), 5)
    state = batch.state(3)
    kept = [*views(state), *(getattr(batch, name) for name in BATCH)]
    copies = [a.copy() for a in kept]
    batch.step(steps=50)
    batch.randomise(masses=(0.5, 2.0))
    batch.close()
    del batch, state
    gc.collect()
    assert junk() and all(np.array_equal(a, b) for a, b in zip(kept, copies))


def test_writing_to_an_array_changes_no_simulation():
    sim, batch = lw.Simulator(lw.scenes.fourbar_fixed()), lw.Batch(lw.scenes.fourbar_fixed(), 2)
    hash, hashes = sim.hash, batch.hashes
    for array in [sim.poses, sim.twists, sim.coordinates, batch.poses, batch.twists, batch.coordinates, batch.controls]:
        array[...] = 7.0
    assert sim.hash == hash and np.array_equal(batch.hashes, hashes)


@pytest.mark.parametrize("name", BATCH)
def test_out_of_a_batch_holds_what_the_property_tells(name):
    batch = lw.Batch(lw.scenes.quadruped(), 3)
    batch.step(steps=200)
    expected = getattr(batch, name)
    assert np.array_equal(batch.read(name), expected)
    out = np.full(expected.shape, np.nan)
    address = out.ctypes.data
    assert batch.read(name, out) is out and out.ctypes.data == address
    assert np.array_equal(out, expected)


@pytest.mark.parametrize("name", SIMULATOR)
def test_out_of_a_simulator_holds_what_the_property_tells(name):
    sim = lw.Simulator(lw.scenes.quadruped())
    sim.run(0.02)
    out = np.full(np.shape(getattr(sim, name)), np.nan)
    assert sim.read(name, out=out) is out
    assert np.array_equal(out, getattr(sim, name)) and np.array_equal(out, sim.read(name))
    assert np.array_equal(sim.read("sensors"), np.concatenate([np.zeros(0), *sim.sensors.values()]))


def test_out_may_be_a_part_of_a_larger_array():
    batch = lw.Batch(lw.scenes.quadruped(), 4)
    batch.step(steps=20)
    q = batch.coordinates
    width = q.shape[1]
    observations = np.full((9, 2 * width + 1), 7.0)
    batch.read("coordinates", observations[1:8:2, 1 : width + 1])
    batch.read("velocities", observations[7::-2, width + 1 :])
    assert np.array_equal(observations[1:8:2, 1 : width + 1], q)
    assert np.array_equal(observations[7::-2, width + 1 :], batch.velocities)
    # Nothing beside it is touched.
    assert (observations[::2] == 7.0).all() and (observations[:, 0] == 7.0).all()


def test_out_that_does_not_fit_is_refused_and_left_alone():
    batch = lw.Batch(lw.scenes.fourbar_fixed(), 3)
    sim = lw.Simulator(batch.model)
    shape = batch.poses.shape
    fixed = np.zeros(shape)
    fixed.flags.writeable = False
    odd = np.zeros(8 * np.prod(shape) + 1, dtype=np.uint8)[1:].view(float).reshape(shape)
    cases = [
        (np.zeros((4, *shape[1:])), ValueError, "shape"),
        (np.zeros(0), ValueError, "shape"),
        (np.zeros(shape, dtype=np.float32), TypeError, "float64"),
        (np.zeros(shape, dtype=">f8"), TypeError, "float64"),
        (np.zeros(shape).tolist(), TypeError, "numpy array"),
        (b"x" * 1000, TypeError, "numpy array"),
        (fixed, ValueError, "cannot be written"),
        (np.asfortranarray(np.zeros(shape)), ValueError, "contiguous"),
        (np.zeros((*shape[:2], 9))[:, :, :7], ValueError, "contiguous"),
        (np.broadcast_to(np.zeros(shape[1:]), shape), ValueError, "contiguous|cannot be written"),
        (np.lib.stride_tricks.as_strided(np.zeros(1000), shape, (8, 56, 8)), ValueError, "contiguous"),
        (odd, ValueError, "contiguous"),
    ]
    for out, kind, text in cases:
        with pytest.raises(kind, match=text):
            batch.read("poses", out)
        assert not isinstance(out, np.ndarray) or not out.any()
    with pytest.raises(ValueError, match="cannot be written"):
        sim.read("poses", sim.state.poses)
    with pytest.raises(ValueError, match="choose one of: poses"):
        batch.read("pose")
    with pytest.raises(ValueError, match="choose one of: poses"):
        sim.read("contacts", np.zeros(3))
    out = np.zeros(shape)
    batch.close()
    with pytest.raises(lw.ClosedError):
        batch.read("poses", out)
    assert not out.any()


def test_threads_that_read_into_one_array_never_tear_a_world():
    """The numbers are written with the GIL held: another thread sees those of one read."""
    model = lw.scenes.fourbar_fixed()
    batch = lw.Batch(model, 8, threads=1)
    out = np.zeros(batch.coordinates.shape)
    faults, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            batch.read("coordinates", out)
            row = out.copy()
            # All worlds are the same world.
            if not (row == row[0]).all():
                faults.append(row)

    readers = [threading.Thread(target=read) for _ in range(3)]
    [t.start() for t in readers]
    for _ in range(200):
        batch.step()
    stop.set()
    [t.join() for t in readers]
    assert not faults
    assert np.array_equal(batch.read("coordinates", out), batch.coordinates)


def test_numbers_of_any_layout_are_read():
    """What learning libraries hand over: other types, strides and byte orders, arrays by protocol, and memory that is not aligned."""
    model = lw.scenes.quadruped()
    controls = model.controls + 0.1

    class Tensor:
        def __array__(self, dtype=None, copy=None):
            return controls

    odd = np.zeros(8 * controls.size + 1, dtype=np.uint8)[1:].view(float)
    odd[:] = controls
    assert not odd.flags.aligned
    forms = [controls.tolist(), tuple(controls), np.repeat(controls, 2)[::2], controls[::-1].copy()[::-1], controls.astype(">f8"), Tensor(), odd]
    forms += [np.asfortranarray(np.stack([controls, controls], axis=1))[:, 0], np.longdouble(controls)]
    for form in forms:
        sim = lw.Simulator(model)
        sim.step(form)
        assert np.array_equal(sim.controls, controls)
    sim.step(controls.astype(np.float32))
    assert np.array_equal(sim.controls, controls.astype(np.float32))
    batch = lw.Batch(model, 2)
    batch.step(np.asfortranarray(np.stack([controls, 2 * controls])))
    assert np.array_equal(batch.controls, np.stack([controls, 2 * controls]))
