"""Built-in mechanisms: one function a scene, with its parameters as keywords.

    model = linkwork.scenes.fourbar_fixed(drive=1, speed=4.0)

`names()` lists them; `help(linkwork.scenes.quadruped)` tells the parameters with their units and ranges. A scene may have a
script that moves it; a Simulator follows it until controls are given.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable

from . import _linkwork
from ._linkwork import Model

_SCENES = {name: (summary, parameters) for name, summary, parameters in _linkwork._scenes()}


def names() -> list[str]:
    """Names of all scenes."""
    return list(_SCENES)


def make(name: str, **parameters: float) -> Model:
    """The scene of this name, with some of its parameters set."""
    if name not in _SCENES:
        raise ValueError(f"there is no scene '{name}'; choose one of: {', '.join(_SCENES)}")
    given = []
    for key, value in parameters.items():
        try:
            given.append((key, float(value)))
        except (TypeError, ValueError):
            raise TypeError(f"{key} of scene '{name}' must be a number, not {value!r}") from None
    return _linkwork._scene(name, given)


def _function(name: str) -> Callable[..., Model]:
    summary, parameters = _SCENES[name]

    def build(**parameters: float) -> Model:
        return make(name, **parameters)

    lines = [f"{summary[0].upper()}{summary[1:]}.", ""]
    for key, default, low, high, text in parameters:
        lines.append(f"{key}={default:g}: {text} ({low:g} to {high:g})")
    keyword = inspect.Parameter.KEYWORD_ONLY
    names = [inspect.Parameter(key, keyword, default=default, annotation="float") for key, default, *_ in parameters]
    build.__signature__ = inspect.Signature(names, return_annotation="Model")  # type: ignore[attr-defined]
    build.__name__ = build.__qualname__ = name
    build.__doc__ = "\n".join(lines)
    return build


for _name in _SCENES:
    globals()[_name] = _function(_name)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"there is no scene '{name}'; choose one of: {', '.join(_SCENES)}")


def __dir__() -> list[str]:
    return ["make", "names", *_SCENES]
