# %% [markdown]
# # A sweep on Ray
# How much does the load at the hinges of a four-bar depend on its masses? The same script runs on a laptop and, with the
# address of a cluster, on many machines. What a world does follows from (seed, world).

# %%
import os
import tempfile

import numpy as np

import linkwork as lw
from linkwork.ray import Sweep, fingerprint, run, run_here


def measure(batch):
    q, v = batch.coordinates, batch.velocities
    return {"crank": q[:, 0], "speed": np.abs(v[:, 0]), "failed": batch.failed}


sweep = Sweep(lw.scenes.fourbar_fixed(), worlds=400, steps=1000, seed=1, masses=(0.5, 2.0), lengths=(0.98, 1.02), measure=measure)
path = os.path.join(tempfile.mkdtemp(), "sweep.parquet")

# %%
if __name__ == "__main__":
    table = run(sweep, workers=2, chunk=50, checkpoint=250, path=path, address=os.environ.get("RAY_ADDRESS"))
    print(f"{len(table['world'])} worlds, crank {table['crank'].mean():.3f} ± {table['crank'].std():.3f} rad, written to {path}")
    assert fingerprint(table) == fingerprint(run_here(sweep)), "the same bits in one process"
