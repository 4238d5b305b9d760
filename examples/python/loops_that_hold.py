# %% [markdown]
# # Loops that hold
# The same four-bar in Linkwork and in MuJoCo, released and left alone for ten seconds. MuJoCo closes its loop by a soft equality
# constraint, Linkwork by a joint like any other.

# %%
import mujoco
import numpy as np

import linkwork as lw

model = lw.scenes.fourbar_fixed()
text, left_out = model.to_mjcf()
print("not in MJCF:", left_out)
other = mujoco.MjModel.from_xml_string(text)
other.opt.timestep = 1e-3
data = mujoco.MjData(other)

# %% [markdown]
# The gap of a loop is how far its closing equality is from zero.

# %%
seconds = 10.0
run = lw.Simulator(model, dt=1e-3).run(seconds, every=10)
gaps, times = [], []
mujoco.mj_forward(other, data)
for k in range(int(seconds / 1e-3)):
    mujoco.mj_step(other, data)
    if k % 10 == 0:
        equality = data.efc_type[: data.nefc] == mujoco.mjtConstraint.mjCNSTR_EQUALITY
        gaps.append(np.abs(data.efc_pos[: data.nefc][equality]).max())
        times.append(data.time)
print(f"largest gap: Linkwork {run.closure_max_m:.1e} m, MuJoCo {max(gaps):.1e} m")
assert run.closure_max_m < 1e-9 < max(gaps)

# %%
from matplotlib.figure import Figure

figure = Figure(figsize=(6, 3.4), layout="constrained")
axis = figure.subplots()
axis.semilogy(run.history.time[1:], np.maximum(run.history.closure[1:], 1e-17), label="Linkwork")
axis.semilogy(times, np.maximum(gaps, 1e-17), label="MuJoCo (soft equality)")
axis.set(xlabel="time (s)", ylabel="gap of the loop (m)")
axis.legend()
figure
