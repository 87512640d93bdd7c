# SPDX-License-Identifier: Apache-2.0
"""Areas in the test runner: selection, times, progress, and skipped tests."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import Counter, defaultdict
from typing import Any

import pytest

from harness import areas

#: Seconds between two lines that say how far a run is.
EVERY = 20 if sys.stderr.isatty() else 60


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("areas", "areas of tests (tests/areas.toml)")
    names = [*areas.load(), "all"]
    group.addoption("--area", action="append", choices=names, help="run this; may be repeated")
    group.addoption(
        "--quick", action="store_true", help="run two minutes of tests that find most faults"
    )
    group.addoption(
        "--long", action="store_true", help="also run repetitions and campaigns of hours"
    )
    group.addoption("--budget", action="store_true", help="fail if an area takes too long")


def _is_by_name(config: pytest.Config) -> bool:
    return config.args_source is pytest.Config.ArgsSource.ARGS or bool(config.getoption("-k"))


def _has_repeated(config: pytest.Config) -> bool:
    """Whether tests run that repeat others: with --long all, else those that are asked for."""
    return bool(config.getoption("--long")) or _is_by_name(config)


def _chosen(config: pytest.Config) -> list[str]:
    """The areas to run: those asked for; by path or name any; else those that always run."""
    everything = areas.load()
    asked = config.getoption("--area")
    if asked is not None and "all" not in asked:
        return list(asked)
    if asked is not None or _is_by_name(config) or config.getoption("--quick"):
        return list(everything)
    return [name for name, area in everything.items() if area.always]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """A worker gets the selection: its own arguments are other ones."""
    node.workerinput["areas"] = _chosen(node.config)
    node.workerinput["has_repeated"] = _has_repeated(node.config)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave in `items` those of the chosen areas, the quick ones if only these are wanted."""
    told = getattr(config, "workerinput", {})
    chosen = told.get("areas") or _chosen(config)
    has_repeated = told["has_repeated"] if told else _has_repeated(config)
    is_quick = config.getoption("--quick")
    kept = [
        item
        for item in items
        if areas.area_of(item.nodeid).name in chosen
        and (not is_quick or areas.is_quick(item.nodeid))
        and (has_repeated or not areas.is_for_long_runs(item.nodeid))
    ]
    if len(kept) < len(items):
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept


def _processor_time() -> float:
    """Of this process and of those that it ran and waited for, in seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class _Meter:
    """In the processes that run tests: the time of each phase of a test."""

    def __init__(self) -> None:
        self._before = _processor_time()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Any:
        report = yield
        now = _processor_time()
        report.processor = now - self._before
        self._before = now
        return report


class _Display:
    """In the process that the user sees: how far the run is, and at its end what it took."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._began = time.monotonic()
        self._progress: areas.Progress | None = None
        self._is_over = threading.Event()
        self._times: dict[str, float] = defaultdict(float)
        self._skipped: Counter[str] = Counter()
        self._samples = [areas.calculate()]

    def _begin(self, tests: list[str]) -> None:
        if self._progress is None and tests:
            self._progress = areas.Progress(tests, areas.known_times())
            threading.Thread(target=self._tell, args=[self._progress], daemon=True).start()

    def _tell(self, progress: areas.Progress) -> None:
        """A line now and then, also while nothing ends."""
        while not self._is_over.wait(EVERY):
            self._samples.append(areas.calculate())
            print(progress.line(time.monotonic() - self._began), file=sys.stderr, flush=True)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        self._begin(ids)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._begin([item.nodeid for item in session.items])

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """No dots: a line now and then has more information, and one for each failure."""
        if report.when == "call" and not hasattr(report, "wasxfail"):
            return report.outcome, "", report.outcome.upper()
        return None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._times[report.nodeid] += getattr(report, "processor", 0.0)
        if report.failed:
            print(f"failed: {areas.plain(report.nodeid)}", file=sys.stderr)
            print(f"  alone: {areas.repeat(report.nodeid)}", file=sys.stderr, flush=True)
        if report.skipped and isinstance(report.longrepr, tuple):
            self._skipped[report.longrepr[2].removeprefix("Skipped: ")] += 1
        if self._progress is not None and report.when == "teardown":
            self._progress.done(report.nodeid)

    def _spent(self) -> dict[str, float]:
        spent: dict[str, float] = defaultdict(float)
        for nodeid, seconds in self._times.items():
            spent[areas.area_of(nodeid).name] += seconds
        return spent

    @property
    def _is_strict(self) -> bool:
        return bool(self._config.getoption("--budget"))

    def _exceeded(self) -> list[str]:
        return areas.exceeded(self._spent(), areas.factor(self._samples))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._is_over.set()
        self._samples.append(areas.calculate())
        if self._is_strict and self._exceeded() and session.exitstatus == 0:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        areas.keep_times({areas.plain(test): s for test, s in self._times.items()})

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        write = terminalreporter.write_line
        for reason, count in sorted(self._skipped.items()):
            write(f"skipped, {count}: {reason}")
        spent = self._spent()
        for line in areas.table(spent, areas.factor(self._samples)):
            write(line)
        kind = "error" if self._is_strict else "note"
        for name in self._exceeded():
            write(f"{kind}: {name} took longer than {areas.FILE.name} allows", red=self._is_strict)
        if not _has_repeated(self._config):
            write("left out: tests that repeat others (--long runs them)")
        left = [name for name in areas.load() if name not in _chosen(self._config)]
        if left:
            write(f"left out: {', '.join(left)} (--area all runs them)")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--long"):
        os.environ[areas.LONG] = "1"
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(_Meter(), "areas-meter")
        return
    if not config.getoption("numprocesses", None):
        config.pluginmanager.register(_Meter(), "areas-meter")
    config.pluginmanager.register(_Display(config), "areas-display")
