"""Simulations in the browser, or inline in a notebook."""

from __future__ import annotations

import html as _html
import os
import tempfile
import webbrowser

from . import _linkwork
from ._linkwork import LiveView, Simulator


class View:
    """A page with some seconds of a simulation in it; needs neither server nor network. Notebooks show it inline."""

    def __init__(self, html: str, title: str) -> None:
        #: The page.
        self.html = html
        self._title = title

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def open(self) -> str:
        """Show it in the browser; returns the file that was written for it."""
        handle, path = tempfile.mkstemp(prefix="linkwork-", suffix=".html")
        os.close(handle)
        self.save(path)
        webbrowser.open(f"file://{path}")
        return path

    def _repr_html_(self) -> str:
        page = _html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="480" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"View('{self._title}', {len(self.html) / 1e6:.1f} MB; open(), save(path) or show it in a notebook)"


def view(
    simulator: Simulator,
    seconds: float = 5.0,
    *,
    fps: float = 30.0,
    live: bool = False,
    speed: float = 1.0,
    port: int = 0,
    open: bool | None = None,
) -> View | LiveView:
    """Show a simulation. It stays where it is: what is shown is a copy that goes on from there.

    The next `seconds` are simulated and become a page with `fps` frames a second, which a notebook shows inline and which
    is opened in the browser otherwise (`open` says so explicitly). With `live` the copy runs behind a local server at
    `speed` times real time, to be paused, pulled at and reset in the browser, until `.stop()` of what is returned.
    """
    if not isinstance(simulator, Simulator):
        raise TypeError(f"view() shows a Simulator, not {type(simulator).__name__}")
    show = not _in_notebook() if open is None else open
    if live:
        served = _linkwork._live(simulator, speed, port)
        if show:
            webbrowser.open(served.url)
        return served
    page = View(_linkwork._film(simulator, seconds, fps), simulator.model.name)
    if show:
        page.open()
    return page


def _in_notebook() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"
