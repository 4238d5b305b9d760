"""Rollouts and sweeps over Ray: the same script on a laptop and on a cluster.

    import linkwork as lw
    from linkwork.ray import Sweep, run

    sweep = Sweep(lw.scenes.fourbar_fixed(), worlds=10_000, steps=2000, seed=1, masses=(0.8, 1.2))
    table = run(sweep, workers=8, address="auto", path="sweep.parquet")

A sweep is cut into chunks of worlds. Each chunk is a Batch whose worlds have their numbers in the experiment, so that what a
world does follows from (seed, world) and not from who simulates it. Workers are Ray actors that get the model once. They hand
back a checkpoint after every `checkpoint` steps; a chunk whose worker dies goes on from its last one on a new worker. The
table has one row a world, in order, equal in bits for any number of workers, failures included.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np
from numpy.typing import NDArray

from ._linkwork import Batch, Model

Table = dict[str, NDArray[Any]]
#: controls(world numbers, time in s) gives (worlds, actuators); measure(batch) gives columns of length worlds.
Controls = Callable[[NDArray[np.int64], float], NDArray[np.float64]]
Measure = Callable[[Batch], Table]


@dataclass(frozen=True)
class Sweep:
    """What is simulated: `worlds` of a model, each for `steps` steps.

    `controls(numbers, time)` gives controls (worlds, actuators) every `every` steps from the numbers of the worlds and the
    time (s); those of the model are held unless given. `measure(batch)` gives the columns of the table at the end; joint
    coordinates and their rates unless given. Both are functions of a module, or anything else Ray can pickle. masses,
    friction, gains and lengths are ranges as in Batch.randomise.
    """

    model: Model
    worlds: int
    steps: int
    seed: int = 0
    every: int = 10
    dt: float | None = None
    controls: Controls | None = None
    measure: Measure | None = None
    masses: tuple[float, float] | None = None
    friction: tuple[float, float] | None = None
    gains: tuple[float, float] | None = None
    lengths: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        for name in ("worlds", "steps", "every"):
            if int(getattr(self, name)) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1")

    @property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """Ranges that are drawn from."""
        names = ("masses", "friction", "gains", "lengths")
        return {n: getattr(self, n) for n in names if getattr(self, n) is not None}


@dataclass
class Chunk:
    """Worlds first … first + count − 1 of a sweep, as far as they are."""

    first: int
    count: int
    done: int = 0
    saved: bytes | None = None
    table: Table | None = field(default=None, repr=False)


def advance(sweep: Sweep, chunk: Chunk, steps: int, threads: int = 1) -> Chunk:
    """Take the next steps of a chunk from its checkpoint. The chunk that is given stays as it is."""
    with Batch(sweep.model, chunk.count, seed=sweep.seed, first=chunk.first, dt=sweep.dt, threads=threads) as batch:
        if chunk.saved is not None:
            batch.restore(chunk.saved)
        elif sweep.ranges:
            batch.randomise(**sweep.ranges)
        numbers = np.arange(chunk.first, chunk.first + chunk.count)
        done, end = chunk.done, min(chunk.done + steps, sweep.steps)
        while done < end:
            # Controls change at multiples of `every`, wherever checkpoints are.
            take = min(sweep.every - done % sweep.every, end - done)
            given = None
            if sweep.controls is not None and done % sweep.every == 0:
                given = sweep.controls(numbers, done * batch.dt)
            batch.step(given, take)
            done += take
        if done < sweep.steps:
            return Chunk(chunk.first, chunk.count, done, batch.save())
        return Chunk(chunk.first, chunk.count, done, None, _table(sweep, batch, numbers))


def _table(sweep: Sweep, batch: Batch, numbers: NDArray[np.int64]) -> Table:
    table: Table = {"world": numbers, "steps": batch.steps, "time": batch.time, "quarantined": batch.quarantined}
    if sweep.measure is not None:
        measured = sweep.measure(batch)
        for name, column in measured.items():
            column = np.asarray(column)
            if column.shape != (len(batch),):
                raise ValueError(f"measure gave '{name}' of shape {column.shape}; it must have ({len(batch)},)")
            table[name] = column
        return table
    for kind, values in (("q", batch.coordinates), ("v", batch.velocities)):
        for k, name in enumerate(batch.model.coordinates):
            table[f"{kind} {name}"] = values[:, k]
    table["hash"] = batch.hashes
    return table


def _chunks(sweep: Sweep, size: int) -> list[Chunk]:
    return [Chunk(first, min(size, sweep.worlds - first)) for first in range(0, sweep.worlds, size)]


def _joined(chunks: list[Chunk]) -> Table:
    tables = [c.table for c in chunks]
    assert all(t is not None for t in tables)
    return {name: np.concatenate([t[name] for t in tables if t is not None]) for name in (tables[0] or {})}


class Progress:
    """A line on standard error: how far a sweep is, and how fast."""

    def __init__(self, sweep: Sweep, shown: bool) -> None:
        self._total = sweep.worlds * sweep.steps
        self._shown, self._begin, self._said = shown, time.monotonic(), 0.0

    def tell(self, chunks: list[Chunk], restarts: int, end: bool = False) -> None:
        """Say it, at most ten times a second."""
        now = time.monotonic()
        if not self._shown or (now - self._said < 0.1 and not end):
            return
        self._said = now
        done = sum(c.done * c.count for c in chunks)
        rate = done / max(now - self._begin, 1e-9)
        text = f"\r{100 * done / self._total:5.1f} %  {rate:,.0f} world-steps/s  {restarts} workers restarted"
        print(text, end="\n" if end else "", file=sys.stderr, flush=True)


def run_here(sweep: Sweep, *, chunk: int = 256, threads: int = 1, progress: bool = False) -> Table:
    """The sweep in this process, without Ray: the same table, bit for bit."""
    chunks = _chunks(sweep, chunk)
    told = Progress(sweep, progress)
    for i, c in enumerate(chunks):
        chunks[i] = advance(sweep, c, sweep.steps, threads)
        told.tell(chunks, 0)
    told.tell(chunks, 0, end=True)
    return _joined(chunks)


def run(
    sweep: Sweep,
    *,
    workers: int | None = None,
    address: str | None = None,
    chunk: int = 256,
    checkpoint: int = 500,
    max_restarts: int = 100,
    path: str | os.PathLike[str] | None = None,
    progress: bool = True,
    on_progress: Callable[[list[Chunk], list[int]], None] | None = None,
) -> Table:
    """The sweep on Ray actors; returns the table by columns and writes it as Parquet if `path` is given.

    Connects to the cluster at `address`, or to the one that runs, or starts Ray on this machine. `workers` actors (one a
    core of the cluster unless given) simulate `chunk` worlds at a time and hand back a checkpoint every `checkpoint` steps.
    A worker that dies is replaced, at most `max_restarts` times in all. `on_progress(chunks, pids)` is called whenever a
    chunk got ahead, with the process ids of the workers.
    """
    try:
        ray = importlib.import_module("ray")
    except ImportError:
        raise ImportError("linkwork.ray needs Ray: pip install ray") from None
    if chunk < 1 or checkpoint < 1:
        raise ValueError("chunk and checkpoint must be at least 1")
    if path is not None:
        _parquet()
    if not ray.is_initialized():
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(address=address, log_to_driver=False, logging_level="error")
    count = workers if workers is not None else max(1, int(ray.cluster_resources().get("CPU", 1)))
    if count < 1:
        raise ValueError(f"workers is {count}; it must be at least 1")
    chunks = _chunks(sweep, chunk)
    # Shipped once: actors fetch it from the object store.
    shipped = ray.put(sweep)
    actor = ray.remote(num_cpus=1, max_restarts=0)(_Worker)
    died = (ray.exceptions.RayActorError, ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError)
    told = Progress(sweep, progress)
    waiting = list(range(len(chunks)))
    pids: dict[Any, int] = {}
    busy: dict[Any, tuple[Any, int]] = {}
    restarts = 0

    def give(worker: Any, index: int) -> None:
        busy[worker.advance.remote(chunks[index], checkpoint)] = (worker, index)

    def hire() -> Any:
        return actor.remote(shipped)

    try:
        for _ in range(min(count, len(waiting))):
            give(hire(), waiting.pop(0))
        while busy:
            finished, _ = ray.wait(list(busy), num_returns=1)
            worker, index = busy.pop(finished[0])
            try:
                pid, ahead = ray.get(finished[0])
            except died:
                restarts += 1
                pids.pop(worker, None)
                if restarts > max_restarts:
                    raise RuntimeError(f"workers died {restarts} times; the sweep was given up") from None
                # Nothing was handed back: the chunk is where its last checkpoint left it.
                give(hire(), index)
                told.tell(chunks, restarts)
                continue
            chunks[index] = ahead
            pids[worker] = pid
            if ahead.table is None:
                give(worker, index)
            elif waiting:
                give(worker, waiting.pop(0))
            else:
                pids.pop(worker, None)
                ray.kill(worker)
            told.tell(chunks, restarts)
            if on_progress is not None:
                on_progress(chunks, list(pids.values()))
    finally:
        for worker, _ in busy.values():
            ray.kill(worker)
    told.tell(chunks, restarts, end=True)
    table = _joined(chunks)
    if path is not None:
        save(table, path, sweep)
    return table


class _Worker:
    """What runs in an actor."""

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep

    def advance(self, chunk: Chunk, steps: int) -> tuple[int, Chunk]:
        """Process id, and the chunk after some more steps."""
        return os.getpid(), advance(self._sweep, chunk, steps)


def _parquet() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise ImportError("tables are written as Parquet with pyarrow: pip install pyarrow") from None


def save(table: Table, path: str | os.PathLike[str], sweep: Sweep | None = None) -> None:
    """Write a table as Parquet, with model and seed of the sweep in its metadata."""
    arrow, parquet = _parquet()
    made = arrow.table({name: arrow.array(column) for name, column in table.items()})
    if sweep is not None:
        facts = {"model": sweep.model.name, "model_hash": sweep.model.hash, "seed": str(sweep.seed), "steps": str(sweep.steps)}
        made = made.replace_schema_metadata({f"linkwork.{k}": v for k, v in facts.items()})
    parquet.write_table(made, os.fspath(path))


def fingerprint(table: Table) -> str:
    """A hash of every bit of a table."""
    digest = hashlib.sha256()
    for name, column in table.items():
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()
