"""Sweeps: checkpoints change no bit, and a worker that is killed costs nothing but time."""

import os
import signal

import numpy as np
import pytest

import linkwork as lw
from linkwork import ray as lr


def sweep(worlds=24, steps=400):
    return lr.Sweep(lw.scenes.fourbar_fixed(), worlds, steps, seed=5, masses=(0.8, 1.2), lengths=(0.98, 1.02))


def test_checkpoints_and_chunks_change_no_bit():
    expected = lr.fingerprint(lr.run_here(sweep()))
    assert lr.fingerprint(lr.run_here(sweep(), chunk=7, threads=2)) == expected
    chunk = lr.Chunk(0, 24)
    while chunk.table is None:
        chunk = lr.advance(sweep(), chunk, 37)
    assert lr.fingerprint(chunk.table) == expected


def controls(numbers, time):
    return 0.2 * np.sin(numbers[:, None] + 3 * time + np.arange(12))


def height(batch):
    return {"height": batch.poses[:, 0, 2], "failed": batch.failed}


def test_controls_and_measures():
    model = lw.scenes.quadruped(drop=0.0)
    s = lr.Sweep(model, 4, 100, every=20, controls=controls, measure=height)
    table = lr.run_here(s)
    assert set(table) == {"world", "steps", "time", "quarantined", "height", "failed"}
    assert table["world"].tolist() == [0, 1, 2, 3] and (table["steps"] == 100).all()
    assert np.unique(table["height"]).size == 4
    chunk = lr.Chunk(0, 4)
    while chunk.table is None:
        chunk = lr.advance(s, chunk, 33)
    assert lr.fingerprint(chunk.table) == lr.fingerprint(table)


def test_bad_sweeps_are_refused():
    with pytest.raises(ValueError, match="worlds is 0"):
        lr.Sweep(lw.scenes.fourbar_fixed(), 0, 10)
    bad = lr.Sweep(lw.scenes.fourbar_fixed(), 2, 10, measure=lambda batch: {"x": [1.0]})
    with pytest.raises(ValueError, match="'x'"):
        lr.run_here(bad)


def test_a_killed_worker_costs_nothing(tmp_path):
    ray = pytest.importorskip("ray")
    parquet = pytest.importorskip("pyarrow.parquet")
    s = sweep(worlds=40, steps=3000)
    expected = lr.run_here(s)
    killed = []

    def kill(chunks, pids):
        # In the middle of the sweep, with checkpoints at hand and work left.
        done = sum(c.done * c.count for c in chunks) / (s.worlds * s.steps)
        if not killed and 0.2 < done < 0.8 and pids:
            os.kill(pids[0], signal.SIGKILL)
            killed.append((pids[0], done))

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        path = tmp_path / "sweep.parquet"
        table = lr.run(s, workers=2, chunk=8, checkpoint=250, path=path, progress=False, on_progress=kill)
    finally:
        ray.shutdown()
    assert len(killed) == 1
    assert list(table) == list(expected)
    assert table["world"].tolist() == list(range(40))
    assert lr.fingerprint(table) == lr.fingerprint(expected)
    read = parquet.read_table(path)
    assert lr.fingerprint({n: read[n].to_numpy() for n in read.column_names}) == lr.fingerprint(expected)
    assert read.schema.metadata[b"linkwork.seed"] == b"5"
