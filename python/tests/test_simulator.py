"""What the package simulates: physics, names, arrays, and the same bits again."""

import importlib
import inspect
import math
import pickle

import numpy as np
import pytest

import linkwork as lw


def swing():
    """The seat on two hanging bars of the README: four hinges close a loop."""
    b = lw.ModelBuilder()
    bar = lw.MassProperties.solid_box(1.0, (0.02, 0.02, 0.25))
    board = lw.MassProperties.solid_box(2.0, (0.2, 0.1, 0.02))
    b.add_body("left", bar, (-0.2, 0, -0.25))
    b.add_body("right", bar, (0.2, 0, -0.25))
    b.add_body("seat", board, (0, 0, -0.5))
    y = (0, 1, 0)
    b.add_joint("revolute", "A", None, "left", anchor=(-0.2, 0, 0), axis=y)
    b.add_joint("revolute", "B", "left", "seat", anchor=(-0.2, 0, -0.5), axis=y)
    b.add_joint("revolute", "C", "right", "seat", anchor=(0.2, 0, -0.5), axis=y)
    b.add_joint("revolute", "D", None, "right", anchor=(0.2, 0, 0), axis=y)
    return b.build("swing")


def pendulum(length=1.0, mass=2.0):
    b = lw.ModelBuilder()
    b.add_body("bob", lw.MassProperties.solid_sphere(mass, 0.05), (0, 0, -length))
    b.add_joint("revolute", "hinge", None, "bob", axis=(0, 1, 0))
    b.add_motor("hinge", "motor", limit=5.0)
    return b.build("pendulum")


def test_the_loop_holds_and_energy_is_kept():
    sim = lw.Simulator(swing())
    sim.assemble({"A": 0.6})
    assert sim.coordinate("A") == pytest.approx(0.6, abs=1e-12)
    before = sim.energy
    run = sim.run(2.0, every=10)
    assert run.solves_failed == 0 and run.closure_max_m < 1e-9
    assert sim.energy == pytest.approx(before, abs=1e-4)
    assert sim.time == pytest.approx(2.0)
    history = run.history
    assert len(history) == 201 and history["A"].shape == (201,)
    assert history["A"][-1] == sim.coordinate("A")


def test_a_small_swing_has_the_period_of_theory():
    length, mass, radius = 1.0, 2.0, 0.05
    sim = lw.Simulator(pendulum(length, mass))
    sim.assemble({"hinge": 0.01})
    # Compound pendulum: I about the pivot.
    inertia = mass * length**2 + 0.4 * mass * radius**2
    period = 2 * math.pi * math.sqrt(inertia / (mass * 9.81 * length))
    run = sim.run(3 * period, every=1)
    q, t = run.history["hinge"], run.history.time
    down = np.flatnonzero((q[:-1] > 0) & (q[1:] <= 0))
    times = t[down] + q[down] / (q[down] - q[down + 1]) * np.diff(t)[down]
    assert np.diff(times).mean() == pytest.approx(period * (1 + 0.01**2 / 16), rel=2e-6)


def test_reactions_carry_the_weight():
    sim = lw.Simulator(swing())
    for _ in range(3):
        sim.step()
    carried = sim.reaction("A")[:3] + sim.reaction("D")[:3]
    assert carried == pytest.approx([0, 0, 4.0 * 9.81], abs=1e-6)
    assert sim.reactions.shape == (4, 6)
    assert np.array_equal(sim.reactions[0], sim.reaction("A"))


def test_a_motor_turns_by_its_torque():
    sim = lw.Simulator(pendulum(), dt=1e-4)
    sim.step({"motor": 3.0})
    inertia = 2.0 + 0.4 * 2.0 * 0.05**2
    rate = sim.synchronised()
    assert rate.twists[0, 4] == pytest.approx(1e-4 * 3.0 / inertia, rel=1e-3)
    # Beyond the limit it gives the limit.
    sim.reset()
    sim.step([50.0])
    assert sim.synchronised().twists[0, 4] == pytest.approx(1e-4 * 5.0 / inertia, rel=1e-3)
    assert sim.controls == pytest.approx([50.0])


def test_a_drive_is_an_actuator_by_the_name_of_its_joint():
    b = lw.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("arm", lw.MassProperties.solid_box(1.0, (0.2, 0.02, 0.02)), (0.2, 0, 0))
    b.add_joint("revolute", "elbow", None, "arm", axis=(0, 0, 1), drive=(50.0, 5.0))
    model = b.build()
    assert model.actuators == ["elbow"] and model.actuator("elbow")["servo"]
    sim = lw.Simulator(model)
    sim.run(3.0, {"elbow": 0.7})
    assert sim.coordinate("elbow") == pytest.approx(0.7, abs=1e-6)


def test_contacts_carry_a_box():
    b = lw.ModelBuilder()
    b.add_ground(friction=0.6)
    b.add_body("box", lw.MassProperties.solid_box(3.0, (0.1, 0.1, 0.1)), (0, 0, 0.1))
    b.add_box("box", (0.1, 0.1, 0.1), friction=0.6)
    sim = lw.Simulator(b.build())
    sim.run(0.2)
    contacts = sim.contacts
    assert contacts["points"].shape == (4, 3) and contacts["shapes"].shape == (4, 2)
    assert np.abs(contacts["forces"].sum(axis=0)) == pytest.approx([0, 0, 3 * 9.81], abs=1e-6)
    # A push within the friction cone moves nothing.
    sim.set_wrench("box", force=(10.0, 0, 0))
    sim.run(0.2)
    assert abs(sim.pose("box")[0]) < 1e-6


def test_a_moved_body_is_where_it_is_placed_and_carries_what_hangs_on_it():
    b = lw.ModelBuilder()
    b.add_body("hand", lw.MassProperties.solid_sphere(1.0, 0.1), (0, 0, 1))
    b.add_joint("free", "hand", None, "hand", drive=(np.inf, 0))
    b.add_body("bob", lw.MassProperties.solid_sphere(1.0, 0.1), (0, 0, 0.5))
    b.add_joint("spherical", "ball", "hand", "bob", anchor=(0, 0, 1), turn_limit=0.5)
    model = b.build()
    assert model.joint("hand")["moved"] and model.joint("ball")["turn_limit"] == 0.5
    sim = lw.Simulator(model)
    for i in range(1, 1001):
        sim.place("hand", (4 * (1e-3 * i) ** 2, 0, 1))
        sim.step()
        assert np.linalg.norm(sim.coordinates[-3:]) < 0.5 + 1e-9
    assert sim.pose("hand")[:3] == pytest.approx([4, 0, 1], abs=1e-12)
    with pytest.raises(ValueError, match="bob"):
        sim.place("bob", (0, 0, 0))


def test_forces_and_wrenches_can_be_taken_back():
    sim = lw.Simulator(pendulum())
    sim.set_force("hinge", 1.0)
    sim.step()
    moved = sim.velocities[0]
    assert moved > 0
    sim.reset()
    sim.step()
    assert abs(sim.velocities[0]) < 1e-12


def test_saved_runs_go_on_with_the_same_bits():
    sim = lw.Simulator(lw.scenes.quadruped())
    sim.run(0.4)
    saved = sim.save()
    sim.run(0.3)
    expected = sim.hash
    other = lw.Simulator(lw.scenes.quadruped())
    other.restore(saved)
    other.run(0.3)
    assert other.hash == expected


def test_models_and_states_pickle_to_the_bit(tmp_path):
    for model in (swing(), lw.scenes.fourbar_fixed(drive=1, speed=4.0)):
        again = pickle.loads(pickle.dumps(model))
        assert again.hash == model.hash and again.actuators == model.actuators
        one, two = lw.Simulator(model), lw.Simulator(again)
        one.run(0.1), two.run(0.1)
        assert one.hash == two.hash
        assert pickle.loads(pickle.dumps(one.state)) == one.state
    path = tmp_path / "swing.linkwork.toml"
    swing().save(path)
    assert lw.load(path).hash == swing().hash


def test_states_can_be_made_of_arrays():
    sim = lw.Simulator(swing())
    s = sim.state
    again = lw.State(s.time, s.poses, s.twists, s.coordinates)
    assert again == s
    sim.run(0.1)
    sim.reset(again)
    assert sim.hash == s.hash


def test_check_tells_mobility():
    found = lw.scenes.fourbar_fixed().check()
    assert (found.degrees_of_freedom, found.redundant_rows) == (1, 3)
    assert found.not_unique == ["A", "B", "C", "D"] and found.warnings == []
    assert "degrees of freedom  1" in str(found)


def test_files_are_loaded(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(
        """<mujoco><worldbody><body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02" mass="1"/><site name="tip" pos="0.4 0 0"/></body></worldbody>
        <actuator><motor name="m" joint="hinge" ctrlrange="-2 2"/></actuator>
        <sensor><jointpos name="angle" joint="hinge"/><framepos name="tip" objtype="site" objname="tip"/></sensor>
        <keyframe><key name="down" qpos="1.5707963"/></keyframe></mujoco>"""
    )
    model = lw.load(path)
    assert model.actuators == ["m"] and model.sensors == ["angle", "tip"]
    assert model.control_ranges == pytest.approx(np.array([[-2.0, 2.0]]))
    sim = lw.Simulator(model, key="down")
    assert sim.sensors["angle"] == pytest.approx([1.5707963])
    assert sim.sensors["tip"] == pytest.approx([0, 0, 0.6], abs=1e-6)
    with pytest.raises(ValueError, match="choose one of: down"):
        lw.load(path, key="up")
    with pytest.raises(lw.LoadError, match="arm.urdf"):
        lw.load(tmp_path / "arm.urdf")


def test_paths_at_home_and_remedies_in_python(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    swing().save(tmp_path / "swing.linkwork.toml")
    assert lw.load("~/swing.linkwork.toml").hash == swing().hash
    with pytest.raises(lw.LoadError, match="assets=") as error:
        lw.load(tmp_path / "swing.linkwork.toml", assets=tmp_path / "none")
    assert "--" not in str(error.value)


def test_meshes_are_found_in_packages(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    lines += ["f 1 2 4", "f 1 4 3", "f 5 7 8", "f 5 8 6", "f 1 5 6", "f 1 6 2", "f 3 4 8", "f 3 8 7", "f 1 3 7", "f 1 7 5", "f 2 6 8", "f 2 8 4"]
    (tmp_path / "elsewhere" / "box.obj").write_text("\n".join(lines) + "\n")
    urdf = tmp_path / "a.urdf"
    urdf.write_text(
        """<robot name="a"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
        </inertial><collision><geometry><mesh filename="package://parts/box.obj"/></geometry></collision></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""
    )
    with pytest.raises(lw.LoadError, match="parts"):
        lw.load(urdf)
    model = lw.load(urdf, packages={"parts": tmp_path / "elsewhere"})
    assert len(model.shapes) == 1 and "<polygon" in model._repr_html_()


def test_solvers_agree_on_a_step():
    sim = lw.Simulator(lw.scenes.quadruped(drop=0.0))
    sim.run(0.3)
    problem = sim.problem
    found = {name: lw.solve(problem, name, tolerance=1e-9) for name in ("condensed", "newton", "admm-ncp-sa")}
    assert all(s.converged for s in found.values())
    # Impulses need not be unique; velocities are.
    u = [s.velocities for s in found.values()]
    assert np.abs(u[0] - u[1]).max() < 1e-6 and np.abs(u[0] - u[2]).max() < 1e-6
    assert set(lw.solvers()) >= set(found)


def test_problems_are_saved_to_the_bit(tmp_path):
    sim = lw.Simulator(lw.scenes.fourbar_fixed())
    sim.run(0.05)
    sim.problem.save(tmp_path / "p.json")
    again = lw.Problem.load(tmp_path / "p.json")
    assert np.array_equal(lw.solve(again).impulses, lw.solve(sim.problem).impulses)
    with pytest.raises(lw.SolveError):
        lw.Problem.from_fclib(tmp_path / "none.hdf5")


def test_everything_tells_what_it_is():
    model = lw.scenes.fourbar_fixed()
    sim = lw.Simulator(model)
    sim.step()
    batch = lw.Batch(model, 2)
    things = [model, sim, sim.report, sim.state, sim.problem, lw.solve(sim.problem), batch, lw.ModelBuilder()]
    things += [lw.MassProperties.solid_sphere(1, 1), sim.run(0.01, every=1), sim.run(0.01, every=1).history]
    motion = [sim.state for _ in range(3) if sim.step()]
    things += [lw.gradient(sim), lw.inverse(model, motion), model.check()]
    for thing in things:
        text = repr(thing)
        assert len(text) < 600
        assert type(thing).__name__ in text and any(c.isdigit() for c in text), text
    for thing in (model, sim, batch):
        assert "<svg" in thing._repr_html_()


def test_views_are_pages_of_their_own(tmp_path):
    sim = lw.Simulator(swing())
    before = sim.hash
    try:
        view = lw.view(sim, 0.2, open=False)
    except lw.ViewError as error:
        pytest.skip(f"the page was not built: {error}")
    assert sim.hash == before
    assert "<iframe" in view._repr_html_()
    view.save(tmp_path / "a.html")
    assert "swing" in (tmp_path / "a.html").read_text()
    live = lw.view(sim, live=True, open=False)
    assert live.url.startswith("http://127.0.0.1")
    live.stop()
    assert "stopped" in repr(live)


def test_figures(tmp_path):
    pytest.importorskip("matplotlib")
    run = lw.Simulator(swing()).run(0.1, every=5)
    lw.plot(run, ["A", "energy", "closure"], path=str(tmp_path / "a.svg"))
    assert (tmp_path / "a.svg").stat().st_size > 1000
    with pytest.raises(KeyError, match="choose one of"):
        lw.plot(run, "nothing")


def test_help_tells_units():
    for thing, word in ((lw.Simulator.poses, "quaternion w, x, y, z"), (lw.Batch.twists, "rad/s"), (lw.load, "MJCF")):
        assert word in thing.__doc__
    assert "rad/s" in lw.scenes.fourbar_fixed.__doc__
    assert inspect.signature(lw.scenes.quadruped).parameters["speed"].default == 0.4


def test_everything_public_has_a_docstring():
    modules = [lw, lw.scenes]
    for optional in ("gym", "ray"):
        try:
            modules.append(importlib.import_module(f"linkwork.{optional}"))
        except ImportError:
            pass
    bare = []
    for module in modules:
        for name, thing in vars(module).items():
            if name.startswith("_") or inspect.ismodule(thing) or not str(getattr(thing, "__module__", "")).startswith("linkwork"):
                continue
            parts = vars(thing).items() if inspect.isclass(thing) else []
            members = [(name, thing), *((f"{name}.{n}", getattr(thing, n, v)) for n, v in parts if not n.startswith("_"))]
            for label, member in members:
                described = callable(member) or isinstance(member, property) or type(member).__name__ == "getset_descriptor"
                if described and not inspect.getdoc(member):
                    bare.append(label)
    assert not bare
