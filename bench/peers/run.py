#!/usr/bin/env python3
"""Linkwork, MuJoCo and Rapier side by side: steps a CPU second, and the error at that speed.

    cargo build --release
    bench/peers/run.py target/release/linkwork --data ../shared/data

Makes a virtual environment with MuJoCo in a scratch folder, builds bench/peers/rapier there, runs every scene in all
engines and variants one after the other on one thread, and writes peers.csv, peers.md and peers.svg.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("linkwork", type=pathlib.Path, help="the command, of a release build")
    parser.add_argument("--data", type=pathlib.Path, help="folder of robots; those it lacks are left out")
    parser.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path("/tmp/linkwork-peers"), help="what is installed and built")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("peers"), help="folder of the results")
    parser.add_argument("--scenes", default="", help="some scenes only, separated by commas")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each; the median counts")
    return parser.parse_args()


def enter(scratch):
    """Go on in an environment with MuJoCo."""
    python = scratch / "venv" / "bin" / "python"
    if pathlib.Path(sys.prefix) == scratch / "venv":
        return
    if not python.exists():
        venv.create(scratch / "venv", with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "mujoco==4.0.0", "matplotlib"], check=True)
    os.execv(python, [str(python), *sys.argv])


def rapier(scratch):
    """Build the program that runs scenes in Rapier."""
    target = scratch / "rapier"
    manifest = HERE / "rapier" / "Cargo.toml"
    command = ["cargo", "build", "--release", "--quiet", "--manifest-path", manifest, "--target-dir", target]
    subprocess.run(command, check=True)
    return target / "release" / "rapier-peer"


def main():
    args = arguments()
    args.scratch = args.scratch.resolve()
    args.scratch.mkdir(parents=True, exist_ok=True)
    enter(args.scratch)
    args.out.mkdir(parents=True, exist_ok=True)
    import compare

    compare.compare(args, rapier(args.scratch))


if __name__ == "__main__":
    main()
