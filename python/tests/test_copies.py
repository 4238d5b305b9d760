"""Copies, pickles and processes: what is made from an object goes on with its bits and shares nothing with it."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest

import linkwork as lw


def again(how, thing):
    return {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda x: pickle.loads(pickle.dumps(x))}[how](thing)


@pytest.mark.parametrize("how", ["copy", "deepcopy", "pickle"])
def test_a_simulator_goes_on_as_another(how):
    sim = lw.Simulator(lw.scenes.quadruped(), dt=2e-3, tolerance=1e-8)
    sim.set_force(0, 1.5)
    sim.run(0.3)
    other = again(how, sim)
    assert (other.dt, other.steps, other.hash) == (sim.dt, sim.steps, sim.hash)
    before = sim.hash
    other.run(0.2)
    assert sim.hash == before != other.hash
    sim.run(0.2)
    assert sim.hash == other.hash and np.array_equal(sim.reactions, other.reactions)


@pytest.mark.parametrize("how", ["copy", "deepcopy", "pickle"])
@pytest.mark.parametrize("name", ["fourbar_fixed", "quadruped", "walker31"])
def test_a_batch_goes_on_as_another(how, name):
    model = lw.scenes.make(name)
    batch = lw.Batch(model, 3, seed=4, first=7, dt=2e-3, max_speed=np.inf, halvings=2, threads=2)
    batch.randomise(masses=[0.9, 1.1])
    batch.step(model.controls, steps=50)
    other = again(how, batch)
    assert (len(other), other.seed, other.first, other.dt, other.threads) == (3, 4, 7, 2e-3, 2)
    assert np.array_equal(other.masses, batch.masses) and np.array_equal(other.controls, batch.controls)
    batch.step(steps=30), other.step(steps=30)
    assert np.array_equal(other.hashes, batch.hashes)
    batch.close()
    other.step()


def test_models_and_states_never_change_and_are_their_own_copies():
    model = lw.scenes.fourbar_fixed()
    state = model.initial_state
    for how in ("copy", "deepcopy"):
        assert again(how, model) is model and again(how, state) is state


def test_problems_and_masses_are_pickled_to_the_bit():
    sim = lw.Simulator(lw.scenes.quadruped(drop=0.0))
    sim.run(0.1)
    problem = sim.problem
    assert np.array_equal(lw.solve(again("pickle", problem)).impulses, lw.solve(problem).impulses)
    inertia = np.array([[2.0, 0.1, 0.0], [0.1, 1.5, 0.2], [0.0, 0.2, 1.0]])
    mass = lw.MassProperties(3.0, inertia, com=(0.1, 0.2, 0.3))

    def model_of(mass):
        b = lw.ModelBuilder()
        b.add_body("a", mass)
        return b.build("a").hash

    assert model_of(again("pickle", mass)) == model_of(mass)


def test_closed_objects_are_not_copied():
    sim, batch = lw.Simulator(lw.scenes.fourbar_fixed()), lw.Batch(lw.scenes.fourbar_fixed(), 2)
    sim.close(), batch.close()
    for thing in (sim, batch):
        with pytest.raises(lw.ClosedError):
            copy.copy(thing)


def work(sim):
    sim.run(0.05)
    return sim.hash


@pytest.mark.parametrize("how", ["spawn", "fork"])
def test_simulators_go_on_in_other_processes(how):
    if how not in multiprocessing.get_all_start_methods():
        pytest.skip(f"there is no {how} here")
    sim = lw.Simulator(lw.scenes.fourbar_fixed())
    sim.run(0.05)
    with multiprocessing.get_context(how).Pool(2) as pool:
        hashes = pool.map(work, [sim, sim, sim])
    assert set(hashes) == {work(sim)}
