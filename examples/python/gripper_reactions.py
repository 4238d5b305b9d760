# %% [markdown]
# # Reactions in a hyperstatic gripper
# Two fingers on parallelograms: each loop has three rows more than it needs. The motion is unique, and of the reactions the
# resultants are; given are those of least norm, as equally stiff hinges would share the load.

# %%
import numpy as np

import linkwork as lw
from linkwork.gym.models import gripper

model = gripper()
found = model.check()
print(found)
assert found.redundant_rows == 6

# %% [markdown]
# Close the grip with 0.8 N m, lift the box, and read what the hinges of the right finger carry.

# %%
sim = lw.Simulator(model, dt=2e-3)
sim.run(0.3, {"grip": 0.8})
for k in range(20):  # slowly, or the box slips
    sim.run(0.05, {"lift": 0.004 * (k + 1)})
sim.run(1.0)
box = sim.pose("box")
print(f"the box is {1000 * (box[2] - 0.025):.1f} mm up")
assert box[2] - 0.025 > 0.07
hinges = [j for j in model.joints if j.startswith("right") and j.endswith("bottom")]
carried = np.zeros(3)
for hinge in hinges:
    force = sim.reaction(hinge)[:3]
    carried += force
    print(f"{hinge:20s} {force.round(3)} N on the finger")

# %% [markdown]
# The resultant does not depend on how the hinges share it: it balances weight of the finger and force of the pad.

# %%
contacts = sim.contacts
pad = model.shapes.index("right pad")
force = np.zeros(3)
for (a, b), f in zip(contacts["shapes"], contacts["forces"]):
    force += f if b == pad else -f if a == pad else 0
weight = model.masses[model.bodies.index("right finger")] * model.gravity
print("hinges", carried.round(4), " pad and weight", (force + weight).round(4), "N")
assert np.abs(carried + force + weight).max() < 1e-3
