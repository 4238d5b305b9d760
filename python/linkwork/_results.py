"""What runs and checks tell."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Check:
    """What can be said of a model before it is run."""

    #: Independent ways to move, limits and contacts left out; None where it would take too long to find.
    degrees_of_freedom: int | None
    #: Rows that joints and couplings lock.
    rows: int
    #: Those of them that follow from the others.
    redundant_rows: int | None
    #: Condition number of the Delassus matrix of these rows, on its nonzero spectrum.
    condition: float | None
    #: Joints whose reactions are not unique: only their resultants are.
    not_unique: list[str]
    #: How far joints are open at the start, m.
    open_linear: float
    #: How far joints are open at the start, rad.
    open_angular: float
    #: Contact points at the start.
    contacts: int
    #: Deepest overlap at the start, m.
    penetration: float
    #: How the first solve ended.
    status: str
    #: Its scaled residual, N s or m/s.
    residual: float
    #: What may go wrong, with remedies.
    warnings: list[str]

    def __str__(self) -> str:
        lines = [
            f"degrees of freedom  {self.degrees_of_freedom}",
            f"constraints         {self.rows} rows, {self.redundant_rows} redundant",
            f"open at the start   {self.open_linear:.2e} m, {self.open_angular:.2e} rad",
            f"contacts            {self.contacts}, overlap {self.penetration:.2e} m",
            f"first step          {self.status}, residual {self.residual:.2e}",
        ]
        if self.not_unique:
            lines.append(f"not unique at       {', '.join(self.not_unique)}")
        lines += [f"warning: {w}" for w in self.warnings] or ["nothing to warn of"]
        return "\n".join(lines)


@dataclass(frozen=True)
class History:
    """Numbers along a run, one row a kept step."""

    #: Times, s.
    time: NDArray[np.float64]
    #: Joint coordinates, (steps, coordinates), m or rad.
    coordinates: NDArray[np.float64]
    #: Total energy with the velocities at the time of the poses, J.
    energy: NDArray[np.float64]
    #: Largest joint residual, m or rad.
    closure: NDArray[np.float64]
    #: Scaled residual of the solve, N s or m/s.
    residual: NDArray[np.float64]
    #: Contact points.
    contacts: NDArray[np.float64]
    #: Names of the joint coordinates.
    names: list[str] = field(default_factory=list)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """A joint coordinate, or a field, by name."""
        if name in self.names:
            column: NDArray[np.float64] = self.coordinates[:, self.names.index(name)]
            return column
        if name in ("time", "energy", "closure", "residual", "contacts"):
            found: NDArray[np.float64] = getattr(self, name)
            return found
        known = ", ".join(["time", "energy", "closure", "residual", "contacts", *self.names])
        raise KeyError(f"there is no '{name}' in the history; choose one of: {known}")

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} to {self.time[-1]:g} s" if len(self.time) else "empty"
        return f"History({len(self)} steps, {span}, {len(self.names)} coordinates)"


class RunSummary:
    """A run in numbers. Every key of `linkwork run --json` is an attribute; `keys` lists them."""

    #: What was kept along the run, if `every` was given.
    history: History | None

    def __init__(self, values: dict[str, Any], history: History | None = None) -> None:
        self._values = values
        self.history = history

    @classmethod
    def _of_json(cls, text: str, history: History | None) -> RunSummary:
        return cls(json.loads(text), history)

    @property
    def keys(self) -> list[str]:
        """Names of all numbers."""
        return list(self._values)

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__.get("_values", {})
        if name in values:
            return values[name]
        raise AttributeError(f"a run has no '{name}'; it has: {', '.join(values)}")

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            raise KeyError(f"a run has no '{name}'; it has: {', '.join(self._values)}")
        return self._values[name]

    def __repr__(self) -> str:
        v = self._values
        drift = abs(v["energy_drift"])
        return (
            f"RunSummary({v['sim_time']:g} s in {v['steps']} steps, {v['solves_failed']} solves failed, "
            f"joints closed to {v['closure_max_m']:.2e} m {v['closure_max_rad']:.2e} rad, "
            f"energy unaccounted {drift:.2e} of {v['energy_scale']:.3g} J)"
        )
