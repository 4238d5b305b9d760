"""Runs all cases in all engines and writes the results."""

import csv
import datetime
import json
import math

import mujoco

import engines
from cases import cases
from plot import draw

COLUMNS = ["scene", "engine", "variant", "dt", "time_s", "repeats", "steps_per_cpu_s", "error_kind", "error_m", "solves_failed"]
NUMBERS = ["dt", "time_s", "repeats", "steps_per_cpu_s", "error_m", "solves_failed"]


def runs(args, rapier, case):
    """(engine, variant, what to call) of a case."""
    for variant in ("default", "loose") if case.error == "penetration" and case.rapier else ("default",):
        yield "Linkwork", variant, lambda v=variant: engines.linkwork(args.linkwork, v, case, args.repeats, args.scratch)
    for variant in ("default", "stiff", "cg"):
        yield "MuJoCo", variant, lambda v=variant: engines.mujoco_run(v, case, args.repeats)
    for variant in ("default", "stiff") if case.rapier else ():
        yield "Rapier", variant, lambda v=variant: engines.rapier(rapier, v, case, args.repeats)


def compare(args, rapier):
    """Run the scenes asked for; results of others in the folder stay."""
    args.linkwork = args.linkwork.resolve()
    wanted = [name for name in args.scenes.split(",") if name]
    found = cases(args.linkwork, args.scratch, args.data)
    order = [case.name for case in found]
    rows = read(args.out)
    for case in found:
        if wanted and case.name not in wanted:
            continue
        rows = [row for row in rows if row["scene"] != case.name]
        for engine, variant, run in runs(args, rapier, case):
            rate, error, failed = run()
            values = [case.name, engine, variant, case.dt, case.time, args.repeats, rate, case.error, error, failed]
            rows.append(dict(zip(COLUMNS, values)))
            print(f"{case.name:18} {engine:9} {variant:8} {rate:10.0f} steps/CPU s  {case.error} {error:.1e} m  {failed} failed", flush=True)
            rows.sort(key=lambda row: order.index(row["scene"]) if row["scene"] in order else len(order))
            write(args.out, args.scratch, rows)
    draw(args.out, rows)


def read(out):
    """What the folder has."""
    path = out / "peers.csv"
    if not path.exists():
        return []
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row.update({name: float(row[name]) for name in NUMBERS})
    return rows


def write(out, scratch, rows):
    with open(out / "peers.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    (out / "peers.md").write_text(machine(scratch) + "\n\n" + table(rows))


def machine(scratch):
    """What it was measured on, as Linkwork tells it."""
    stamp = json.loads((scratch / "linkwork" / "machine.json").read_text())
    day = datetime.datetime.fromtimestamp(stamp["unix_s"], datetime.timezone.utc).strftime("%-d %B %Y")
    return (
        f"{day}, {stamp['processor']} ({stamp['cores']} cores), {stamp['system']}; Linkwork at {stamp['commit']}, "
        f"MuJoCo {mujoco.__version__}, Rapier 0.36.1 (f64)."
    )


def table(rows):
    """A line a scene: steps a CPU second and error of every variant."""
    variants = [("Linkwork", "default"), ("Linkwork", "loose"), ("MuJoCo", "default"), ("MuJoCo", "stiff"), ("MuJoCo", "cg"), ("Rapier", "default"), ("Rapier", "stiff")]
    head = ["scene", "error", *(" ".join(v).replace(" default", "") for v in variants)]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for scene in dict.fromkeys(row["scene"] for row in rows):
        found = {(r["engine"], r["variant"]): r for r in rows if r["scene"] == scene}
        kind = next(iter(found.values()))["error_kind"]
        lines.append("| " + " | ".join([scene, kind, *(cell(found.get(v)) for v in variants)]) + " |")
    return "\n".join(lines) + "\n"


def cell(row):
    if row is None:
        return "–"
    rate = row["steps_per_cpu_s"]
    text = f"{rate / 1e3:.3g} k" if rate >= 1e3 else f"{rate:.3g}"
    failed = f" ({row['solves_failed']:.0f} failed)" if row["solves_failed"] else ""
    error = "unstable" if math.isnan(row["error_m"]) else f"{row['error_m']:.0e}"
    return f"{text}, {error}{failed}"
