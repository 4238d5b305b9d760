"""CI has everything that the tests need: none may be skipped there."""

import os


def pytest_sessionfinish(session):
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", [])
    if skipped and os.environ.get("CI", "") not in ("", "false"):
        for report in skipped:
            reporter.write_line(f"CI has to have what this needs: {report.nodeid}")
        session.exitstatus = 1
