"""Speed against error, a panel a scene."""

import math

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator

COLOURS = {"Linkwork": "#c0392b", "MuJoCo": "#2a6fbb", "Rapier": "#2e8b57"}
MARKS = {"default": "o", "loose": "v", "stiff": "s", "cg": "^"}
COLUMNS = 4
# A smaller error, or none, is drawn here, m.
LEAST = 1e-14


def draw(out, rows):
    scenes = list(dict.fromkeys(row["scene"] for row in rows))
    if not scenes:
        return
    # The same file for the same numbers.
    plt.rcParams.update({"svg.hashsalt": "peers", "font.size": 9})
    lines = math.ceil(len(scenes) / COLUMNS)
    figure, axes = plt.subplots(lines, COLUMNS, figsize=(3.1 * COLUMNS, 2.7 * lines), squeeze=False)
    panels = axes.flatten()
    for panel in panels[len(scenes) :]:
        panel.axis("off")
    for panel, scene in zip(panels, scenes):
        found = [row for row in rows if row["scene"] == scene]
        for row in found:
            error = max(row["error_m"], LEAST)
            panel.plot(error, row["steps_per_cpu_s"], MARKS[row["variant"]], color=COLOURS[row["engine"]], markersize=7, alpha=0.85)
        panel.set(xscale="log", yscale="log", title=scene, xlabel=f"{found[0]['error_kind']} (m)")
        rates = [row["steps_per_cpu_s"] for row in found]
        panel.set(xlim=(LEAST / 3, 1), ylim=(min(rates) / 2, max(rates) * 2), xticks=[1e-14, 1e-11, 1e-8, 1e-5, 1e-2])
        panel.minorticks_off()
        panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        panel.yaxis.set_major_formatter(FuncFormatter(lambda rate, _: f"{rate / 1e3:g} k"))
        panel.grid(alpha=0.3)
    for line in axes:
        line[0].set_ylabel("steps a CPU second")
    keys = [plt.Line2D([], [], marker="o", linestyle="", color=c, label=e) for e, c in COLOURS.items()]
    keys += [plt.Line2D([], [], marker=m, linestyle="", color="#555", label=v) for v, m in MARKS.items()]
    figure.legend(handles=keys, loc="lower center", ncols=len(keys), frameon=False)
    figure.tight_layout(rect=(0, 0.05, 1, 1))
    figure.savefig(out / "peers.svg", metadata={"Date": None})
    figure.savefig(out / "peers.png", dpi=110)
