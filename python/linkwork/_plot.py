"""Figures of runs."""

from __future__ import annotations

from typing import Any, Sequence

from ._results import History, RunSummary

_LABELS = {
    "energy": "energy (J)",
    "closure": "joint error (m, rad)",
    "residual": "residual (N s, m/s)",
    "contacts": "contact points",
}
_LOGARITHMIC = ("closure", "residual")


def plot(
    run: RunSummary | History,
    y: str | Sequence[str] | None = None,
    *,
    path: str | None = None,
) -> Any:
    """Draw numbers of a run over time and return the matplotlib figure.

    `run` is what `Simulator.run(seconds, every=k)` returned. `y` names joint coordinates, "energy", "closure",
    "residual" or "contacts", one panel each but for coordinates, which share one; all coordinates and the joint error
    unless given. `path` saves the figure too.
    """
    history = run.history if isinstance(run, RunSummary) else run
    if not isinstance(history, History):
        raise ValueError("there is no history to plot; call run(seconds, every=10)")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("plot() needs matplotlib: pip install matplotlib") from None
    wanted = [*history.names, "closure"] if y is None else [y] if isinstance(y, str) else list(y)
    coordinates = [name for name in wanted if name in history.names]
    panels = [name for name in wanted if name not in history.names]
    count = len(panels) + bool(coordinates)
    if count == 0:
        raise ValueError("there is nothing to plot; name a joint coordinate, energy or closure")
    figure = Figure(figsize=(7.0, 1.2 + 1.9 * count), layout="constrained")
    axes = figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0]
    rest = list(axes)
    if coordinates:
        axis = rest.pop(0)
        for name in coordinates:
            axis.plot(history.time, history[name], label=name)
        axis.set_ylabel("coordinates (m, rad)")
        if len(coordinates) <= 12:
            axis.legend(loc="upper right", fontsize="small")
    for axis, name in zip(rest, panels):
        axis.plot(history.time, history[name])
        axis.set_ylabel(_LABELS.get(name, name))
        if name in _LOGARITHMIC and (history[name] > 0).any():
            axis.set_yscale("log")
    axes[-1].set_xlabel("time (s)")
    if path is not None:
        figure.savefig(path)
    return figure
