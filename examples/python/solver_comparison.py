# %% [markdown]
# # Solvers on one step
# Every solver sees the same complementarity problem, and none grades itself: residuals are recomputed from masses and Jacobian.

# %%
import time

import linkwork as lw

sim = lw.Simulator(lw.scenes.quadruped(drop=0.0))
sim.run(1.5)
problem = sim.problem
print(problem)

# %%
rows = []
for name, summary in lw.solvers().items():
    begin = time.perf_counter()
    try:
        found = lw.solve(problem, name, tolerance=1e-8, max_iterations=2000)
    except lw.SolveError as error:
        print(f"{name:14s} refuses: {error}")
        continue
    took = time.perf_counter() - begin
    rows.append((found.converged, took, name, found))
for converged, took, name, found in sorted(rows, key=lambda r: (not r[0], r[1])):
    print(f"{name:14s} {found.status:16s} residual {found.residual:.1e}  {found.iterations:5d} iterations  {1e3 * took:7.2f} ms")
assert any(name == "condensed" and converged for converged, _, name, _ in rows)
