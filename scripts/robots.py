#!/usr/bin/env python3
"""Check and run every robot file below a folder; a table of what fails.

    scripts/robots.py target/release/linkwork ../shared/data/robots [--limit 60] [--time 3] [--filter TEXT]

Every file is checked, then run for 3 s at 1 ms let go, with --actuate 0.3, with --track 0.2, and with --key home
where it has that state. A line a run: processor time, solves that failed, steps taken in halves, and the energy that
is unaccounted for as a share of the largest exchange. Lines with a failed solve, more than 1 %, or no end within the
limit of processor time begin with '!'; the exit code is the number of such lines, at most 100.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys

MODES = [[], ["--actuate", "0.3"], ["--track", "0.2"], ["--key", "home"]]
ENDS = {".xml", ".mjcf", ".urdf", ".sdf"}


def run(command, limit):
    """Standard output, error and processor time (s); None where it took too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    bound = lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=bound)
    if done.returncode < 0:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, done.stderr, after.ru_utime - before.ru_utime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("linkwork")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=60, help="processor time of a run, s")
    parser.add_argument("--time", default="3")
    parser.add_argument("--filter", default="")
    args = parser.parse_args()
    bad = 0
    files = sorted(f for f in args.folder.rglob("*") if f.suffix in ENDS and args.filter in str(f))
    for file in files:
        checked = run([args.linkwork, "check", str(file), "--json"], args.limit)
        if checked is None or checked[2] > 5.0:
            bad += 1
            print(f"! {file}: check takes more than {'the limit' if checked is None else '5 s'}", flush=True)
        if checked is None or not checked[0]:
            print(f"  {file}: {'' if checked is None else checked[1].strip()[:160]}", flush=True)
            continue
        for mode in MODES:
            command = [args.linkwork, "run", str(file), "--time", args.time, "--dt", "0.001", "--json", *mode]
            done = run(command, args.limit)
            label = f"{file} {' '.join(mode)}"
            if done is None:
                bad += 1
                print(f"! {label}: no end within {args.limit} s of processor time", flush=True)
                continue
            if not done[0]:
                # No such stored state.
                if mode[:1] != ["--key"]:
                    bad += 1
                    print(f"! {label}: {done[1].strip()[-160:]}", flush=True)
                continue
            found = json.loads(done[0])
            failed, halves = found["solves_failed"], found["status"]["substepped"]
            energy = found["energy_drift"]
            wrong = failed > 0 or energy is None or abs(energy) > 0.01
            bad += wrong
            share = "none" if energy is None else f"{100 * energy:.3f} %"
            print(
                f"{'!' if wrong else ' '} {label}: {done[2]:.1f} s, {failed} failed, {halves} in halves, {share}",
                flush=True,
            )
    sys.exit(min(bad, 100))


if __name__ == "__main__":
    main()
