"""Print, as JSON, random states of a URDF robot with loops and its accelerations by Pinocchio's matrices.

Arguments: FILE, the number of states, and pairs "A,B" of frames that coincide in all six directions.
Nothing but gravity acts. Pinocchio gives the mass matrix, the bias forces, the Jacobians of the frames
and what of their accelerations velocities make; the closures may be redundant, so what they leave is
solved on their null space.
"""

import json
import sys

import numpy as np
import pinocchio as pin

WORLD = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
# Singular values below this share of the largest are those of redundant rows.
REDUNDANT = 1e-8


class Loops:
    """The closures of a model."""

    def __init__(self, model, pairs):
        self.model, self.data, self.pairs = model, model.createData(), pairs

    def rows(self, q):
        """Jacobian of the closures, and how far they are open."""
        pin.computeJointJacobians(self.model, self.data, q)
        pin.updateFramePlacements(self.model, self.data)
        rows, gaps = [], []
        for a, b in self.pairs:
            jacobians = [pin.getFrameJacobian(self.model, self.data, f, WORLD) for f in (a, b)]
            rows.append(jacobians[0] - jacobians[1])
            pose_a, pose_b = self.data.oMf[a], self.data.oMf[b]
            turn = pin.log3(pose_a.rotation @ pose_b.rotation.T)
            gaps += [pose_a.translation - pose_b.translation, turn]
        return np.vstack(rows), np.concatenate(gaps)

    def close(self, q):
        """Move q until all is closed to round-off."""
        for _ in range(50):
            rows, gaps = self.rows(q)
            if np.abs(gaps).max() < 1e-15:
                break
            q = pin.integrate(self.model, q, -np.linalg.pinv(rows, rcond=REDUNDANT) @ gaps)
        assert np.abs(gaps).max() < 1e-13, gaps
        return q

    def accelerations(self, q, v):
        """With J v = 0."""
        model, data = self.model, self.data
        mass = pin.crba(model, data, q)
        mass = np.triu(mass) + np.triu(mass, 1).T
        force = -pin.nonLinearEffects(model, data, q, v)
        rows, _ = self.rows(q)
        pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
        of_frame = lambda f: pin.getFrameClassicalAcceleration(model, data, f, WORLD).vector
        bends = np.concatenate([of_frame(a) - of_frame(b) for a, b in self.pairs])
        given = np.linalg.pinv(rows, rcond=REDUNDANT) @ -bends
        free = null_space(rows)
        moved = np.linalg.solve(free.T @ mass @ free, free.T @ (force - mass @ given))
        return given + free @ moved


def null_space(rows):
    _, sizes, right = np.linalg.svd(rows)
    return right[np.count_nonzero(sizes > REDUNDANT * sizes[0]) :].T


def main(path, count, pairs):
    model = pin.buildModelFromUrdf(path)
    model.armature[:] = 0
    pairs = [[model.getFrameId(name) for name in pair.split(",")] for pair in pairs]
    loops = Loops(model, pairs)
    random = np.random.default_rng(1)
    home = loops.close(pin.neutral(model))
    states = []
    for _ in range(count):
        # Along the motions that are left, then closed again.
        step = null_space(loops.rows(home)[0])
        step = step @ random.uniform(-0.3, 0.3, step.shape[1])
        q = loops.close(pin.integrate(model, home, step))
        free = null_space(loops.rows(q)[0])
        v = free @ random.uniform(-2, 2, free.shape[1])
        a = loops.accelerations(q, v)
        joints = {}
        for i in range(1, model.njoints):
            joint = model.joints[i]
            assert joint.nq == 1, "only joints of one coordinate are told"
            joints[model.names[i]] = [q[joint.idx_q], v[joint.idx_v], a[joint.idx_v]]
        states.append({"joints": joints, "roots": {}})
    json.dump(states, sys.stdout)


main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
