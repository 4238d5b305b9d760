# %% [markdown]
# # Quick start
# A swing: a seat on two hanging bars. Its four hinges close a loop.

# %%
import linkwork as lw

b = lw.ModelBuilder()
bar = lw.MassProperties.solid_box(1.0, (0.02, 0.02, 0.25))  # kg, half edges in m
board = lw.MassProperties.solid_box(2.0, (0.2, 0.1, 0.02))
b.add_body("left", bar, position=(-0.2, 0, -0.25))
b.add_body("right", bar, position=(0.2, 0, -0.25))
b.add_body("seat", board, position=(0, 0, -0.5))
y = (0, 1, 0)
b.add_joint("revolute", "A", None, "left", anchor=(-0.2, 0, 0), axis=y)
b.add_joint("revolute", "B", "left", "seat", anchor=(-0.2, 0, -0.5), axis=y)
b.add_joint("revolute", "C", "right", "seat", anchor=(0.2, 0, -0.5), axis=y)
b.add_joint("revolute", "D", None, "right", anchor=(0.2, 0, 0), axis=y)
for name, half in (("left", (0.02, 0.02, 0.25)), ("right", (0.02, 0.02, 0.25)), ("seat", (0.2, 0.1, 0.02))):
    b.add_box(name, half)
model = b.build("swing")
print(model.check())

# %% [markdown]
# Pull it back by 0.6 rad, let it go and simulate two seconds.

# %%
sim = lw.Simulator(model, dt=1e-3)
sim.assemble({"A": 0.6})
run = sim.run(2.0, every=5)
print(run)
print("hinge A is at", sim.coordinate("A"), "rad; its reaction is", sim.reaction("A")[:3], "N")
assert run.closure_max_m < 1e-9, "the loop stays closed"
sim

# %% [markdown]
# Numbers of the run, and a thousand swings of other masses at once.

# %%
figure = lw.plot(run, ["A", "energy", "closure"])
batch = lw.Batch(model, 1000, seed=1)
batch.randomise(masses=(0.5, 2.0))
batch.step(steps=100)
print(batch, batch.coordinates[:, 0].std(), "rad apart;", batch.failed.sum(), "solves failed")
