"""Every snippet of the guide and of the README runs, in order."""

import pathlib
import re

import pytest

import linkwork as lw

ROOT = pathlib.Path(__file__).resolve().parents[2]


def snippets(path):
    return re.findall(r"```python\n(.*?)```", (ROOT / path).read_text(), flags=re.S)


def test_guide(tmp_path, monkeypatch):
    pytest.importorskip("gymnasium")
    monkeypatch.chdir(tmp_path)
    space = {}
    found = snippets("docs/guide/python.md")
    assert len(found) >= 6
    for text in found:
        if "linkwork.ray" in text:
            # As it stands it is ten thousand worlds on Ray, which test_ray.py has in small.
            text = text.replace("10_000", "20").replace("2000", "50").replace("import Sweep, run", "import Sweep, run_here as run")
            text = re.sub(r", workers=2, path=[^)]*", "", text)
        exec(compile(text, "docs/guide/python.md", "exec"), space)
    assert isinstance(space["sim"], lw.Simulator) and len(space["table"]["world"]) == 20


def test_readme(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = snippets("README.md")
    assert found
    space = {}
    for text in found:
        exec(compile(text, "README.md", "exec"), space)
