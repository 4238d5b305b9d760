"""Inverse dynamics and gradients."""

import numpy as np
import pytest

import linkwork as lw


def motion(sim, steps):
    states = [sim.state]
    for _ in range(steps):
        sim.step()
        states.append(sim.state)
    return states


def test_torques_of_an_arm_are_found_again():
    sim = lw.Simulator(lw.scenes.arm7())
    acted = []
    states = [sim.state]
    for _ in range(30):
        sim.step()
        states.append(sim.state)
        acted.append(sim.efforts["drive"])
    found = lw.inverse(sim.model, states)
    assert found.torques.shape == (29, len(sim.model.coordinates))
    assert found.feasible.all() and found.determined.all()
    # What acts at a state leads to the next; the first has no neighbour before it.
    acted = np.array(acted[1:])
    assert np.abs(found.torques - acted).max() < 1e-6 * np.abs(acted).max()
    assert found.reactions.shape == (29, len(sim.model.joints), 6)
    assert np.abs(found.residual).max() < 1e-6
    # From the start on there is one more.
    assert len(lw.inverse(sim.model, states, start=True).times) == 30


def test_a_passive_joint_that_holds_still_lacks_a_torque():
    model = lw.scenes.pendulum()
    state = lw.Simulator(model).state
    still = [lw.State(i * 1e-3, state.poses, state.twists, state.coordinates) for i in range(3)]
    assert not lw.inverse(model, still).feasible.any()
    held = lw.inverse(model, still, actuated="all")
    assert held.feasible.all() and abs(held.torques[0, 0]) > 1.0
    named = lw.inverse(model, still, actuated=["hinge0"])
    assert named.torques == held.torques


def test_bad_motions_are_refused():
    model = lw.scenes.pendulum()
    state = lw.Simulator(model).state
    with pytest.raises(ValueError, match="at least 3"):
        lw.inverse(model, [state, state])
    with pytest.raises(lw.SetupError, match="does not come after"):
        lw.inverse(model, [state] * 3)
    with pytest.raises(ValueError, match="'drives', 'all'"):
        lw.inverse(model, [state] * 3, actuated="some")


def test_a_gradient_agrees_with_differences():
    model = lw.scenes.box_on_plane(speed=1.0, friction=0.3)
    sim = lw.Simulator(model)
    floor, shape = model.shapes
    found = lw.gradient(sim, [("friction", floor, shape), ("mass", 0), ("wrench", 0, 0)])
    assert found.state.shape == (12, 12) and found.parameters.shape == (12, 3)
    assert found.unique and found.margin > 0 and found.report.status == "converged"
    assert {what for _, what, _ in found.active} == {"slides"}
    # The first kick is half a one: dv/dmu = -g dt/2, dv/dF = dt/2m.
    assert found.parameters[6, 0] == pytest.approx(-9.81 * 0.5e-3, rel=1e-6)
    assert found.parameters[6, 2] == pytest.approx(0.5e-3, rel=1e-6)
    speeds = []
    for mu in (0.299, 0.301):
        other = lw.Simulator(lw.scenes.box_on_plane(speed=1.0, friction=mu))
        other.step()
        speeds.append(other.twists[0, 0])
    assert found.parameters[6, 0] == pytest.approx((speeds[1] - speeds[0]) / 0.002, rel=1e-5)


def test_parameters_that_are_not_there_are_refused():
    sim = lw.Simulator(lw.scenes.pendulum())
    for parameter, said in [
        (("length", 0), "there is no parameter 'length'"),
        (("mass", "wheel"), "there is no body 'wheel'"),
        (("anchor", "hinge0", "top", 0), "'base' or 'follower'"),
        (("wrench", 0, 9), "the model has no"),
        ((), "empty"),
    ]:
        with pytest.raises(ValueError, match=said):
            lw.gradient(sim, [parameter])
