"""Every example runs, as a script and as a notebook, and asserts what it claims."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
NEEDS = {"loops_that_hold": ["mujoco", "matplotlib"], "sweep_ray": ["ray", "pyarrow"], "ppo": ["jax", "gymnasium"]}
NEEDS |= {"gripper_reactions": ["gymnasium"], "quickstart": ["matplotlib"]}
SHORT = {"ppo": ["--seeds", "1", "--rounds", "3", "--worlds", "8"]}


def run(path, *args):
    for module in NEEDS.get(path.stem, []):
        pytest.importorskip(module)
    env = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, str(path), *args], capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("name", [p.stem for p in sorted((EXAMPLES / "python").glob("*.py"))])
def test_script(name):
    assert run(EXAMPLES / "python" / f"{name}.py", *SHORT.get(name, []))


@pytest.mark.parametrize("name", [p.stem for p in sorted((EXAMPLES / "notebooks").glob("*.ipynb"))])
def test_notebook(name, tmp_path):
    """The cells in order in one process, and what the last line of each shows as a notebook would show it."""
    cells = json.loads((EXAMPLES / "notebooks" / f"{name}.ipynb").read_text())["cells"]
    code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    runner = (
        "import ast\nspace = {'__name__': '__main__'}\n"
        f"for text in {code!r}:\n"
        "    tree = ast.parse(text)\n"
        "    shown = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None\n"
        "    exec(compile(tree, 'cell', 'exec'), space)\n"
        "    if shown is not None:\n"
        "        value = eval(compile(ast.Expression(shown.value), 'cell', 'eval'), space)\n"
        "        page = getattr(value, '_repr_html_', lambda: repr(value))()\n"
        "        print('shown', len(page or ''))\n"
    )
    script = tmp_path / f"{name}.py"
    script.write_text(runner)
    assert run(script, *SHORT.get(name, []))


def test_notebooks_are_those_of_the_scripts():
    script = EXAMPLES.parent / "scripts" / "notebooks"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
