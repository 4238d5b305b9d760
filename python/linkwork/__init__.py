"""Linkwork: a simulator for rigid mechanisms with loops, redundant joints, limits, drives and frictional contact.

    import linkwork as lw

    sim = lw.Simulator(lw.scenes.fourbar_fixed())
    print(sim.run(2.0))
    print(sim.coordinates, sim.reaction("A"))

Units are SI and radians throughout. Poses are those of the centres of mass in the world frame, as x, y, z and the
quaternion w, x, y, z; twists are the velocity of the centre of mass and the angular velocity, both in the world frame.
Arrays of states and solutions are read-only views of these; all others are copies that own their memory. No array is a view of a
simulation. `arithmetic` is the kind that this processor has: bits are the same only where it is.

============================  ==================================================
load, scenes, ModelBuilder    mechanisms: from files, built in, put together
Simulator                     one mechanism through time
Batch                         many worlds of one model, on all cores
solve, solvers, Problem       the complementarity problem of a step by itself
inverse, gradient             the forces that make a motion; derivatives of a step
view, plot                    in the browser or a notebook; as a figure
linkwork.gym, linkwork.ray    Gymnasium environments; rollouts and sweeps on Ray
============================  ==================================================
"""

from . import scenes
from ._dynamics import Gradient, Inverse, gradient, inverse
from ._linkwork import (
    AssembleError,
    Batch,
    ClosedError,
    InternalError,
    LinkworkError,
    LiveView,
    LoadError,
    MassProperties,
    Model,
    ModelBuilder,
    ModelError,
    Problem,
    SetupError,
    Simulator,
    Solution,
    SolveError,
    State,
    StepError,
    StepReport,
    ViewError,
    __version__,
    arithmetic,
    load,
    solve,
    solvers,
)
from ._plot import plot
from ._results import Check, History, RunSummary
from ._view import View, view

__all__ = [
    "AssembleError",
    "Batch",
    "Check",
    "ClosedError",
    "Gradient",
    "History",
    "InternalError",
    "Inverse",
    "LinkworkError",
    "LiveView",
    "LoadError",
    "MassProperties",
    "Model",
    "ModelBuilder",
    "ModelError",
    "Problem",
    "RunSummary",
    "SetupError",
    "Simulator",
    "Solution",
    "SolveError",
    "State",
    "StepError",
    "StepReport",
    "View",
    "ViewError",
    "__version__",
    "arithmetic",
    "gradient",
    "inverse",
    "load",
    "plot",
    "scenes",
    "solve",
    "solvers",
    "view",
]
