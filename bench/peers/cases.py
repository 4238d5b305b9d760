"""What is compared: scenes of Linkwork, their MJCF, and files that both read."""

import dataclasses
import pathlib
import subprocess

import mujoco

import twins


@dataclasses.dataclass
class Case:
    """A scene in all engines."""

    name: str
    # Arguments of `linkwork run` that name it.
    scene: list
    # As text, or the path of a file.
    mjcf: object
    # Step size and simulated time, s.
    dt: float
    time: float
    # "penetration": deepest overlap (m) in the last second; "closure": widest gap of a loop (m) of the whole run.
    error: str
    # Of Linkwork's solves, N s and m/s; the scene's own if None.
    tolerance: object = None
    key: object = None
    # Velocities of bodies at the start, m/s.
    speeds: dict = dataclasses.field(default_factory=dict)
    # Rapier reads no robots.
    rapier: bool = True

    def steps(self):
        return round(self.time / self.dt)

    def samples(self):
        """Steps at which overlap is looked at: ten, over the last second or half of the time."""
        steps = self.steps()
        span = min(round(1.0 / self.dt), steps // 2)
        return [steps - span + round(span * (i + 1) / 10) for i in range(10)]

    def model(self):
        """Compiled, at the step size asked for."""
        text = isinstance(self.mjcf, str)
        model = mujoco.MjModel.from_xml_string(self.mjcf) if text else mujoco.MjModel.from_xml_path(str(self.mjcf))
        model.opt.timestep = self.dt
        return model

    def start(self, model):
        data = mujoco.MjData(model)
        if self.key:
            mujoco.mj_resetDataKeyframe(model, data, model.key(self.key).id)
            data.ctrl[:] = 0
        for name, speed in self.speeds.items():
            at = model.jnt_dofadr[model.body(name).jntadr[0]]
            data.qvel[at : at + 3] = speed
        return data


def exported(linkwork, scratch, scene):
    """The MJCF of a scene, as Linkwork writes it."""
    path = scratch / ("-".join(scene).replace("=", "") + ".xml")
    subprocess.run([linkwork, "convert", *scene, path], check=True, capture_output=True)
    return path.read_text()


def cases(linkwork, scratch, data):
    def contacts(name, scene, dt, time, **more):
        return Case(name, scene, exported(linkwork, scratch, scene), dt, time, "penetration", **more)

    def heap(n):
        return contacts(f"heap {n}", ["heap", "--set", f"n={n}"], 0.01, 6.0)

    found = [
        Case("four-bar", ["fourbar_fixed"], twins.fourbar(), 1e-3, 10.0, "closure", tolerance=1e-9),
        Case("16 coupled loops", ["coupled_fourbars", "--set", "n=16"], twins.coupled(16), 1e-3, 2.0, "closure", tolerance=1e-9),
        contacts("stack 10", ["stack", "--set", "n=10"], 1e-3, 2.0),
        contacts("wall", ["wall"], 1e-3, 2.0, speeds={"ball": [5.0, 0.0, 0.0]}),
        contacts("clutter 8", ["clutter", "--set", "n=8"], 0.01, 6.0),
        *map(heap, [40, 80, 160]),
        contacts("pyramid 120", ["pyramid"], 0.01, 3.0),
    ]
    files = [
        ("gym humanoid", "models/gymnasium_mujoco/humanoid.xml", None, "penetration"),
        ("Cassie", "models/agility_cassie/scene.xml", "home", "closure"),
        ("OP3", "robots/robotis_op3/scene.xml", None, "penetration"),
        ("Booster T1", "robots/booster_t1/scene.xml", None, "penetration"),
    ]
    for name, file, key, error in files if data else []:
        path = pathlib.Path(data) / file
        if path.exists():
            scene = [str(path), *(["--key", key] if key else [])]
            found.append(Case(name, scene, path, 1e-3, 2.0, error, tolerance=1e-9, key=key, rapier=False))
    return found
