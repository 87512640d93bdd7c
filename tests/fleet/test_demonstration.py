# SPDX-License-Identifier: Apache-2.0
"""./corral fleet demo: three devices, the refused messages, and the files that remain."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import pytest
from corral.build import image as corral_build
from corral.fleet import demo, devices
from harness.program import WITHOUT_ELEMENTS

#: The process as the other tests here have it.
PROCESS = corral_build.Options(
    settings=WITHOUT_ELEMENTS, sanitize="address,undefined", name="tests/fleet-sensor"
)


def test_demo__shows_what_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.demo(is_json=True, process=PROCESS) == 0
    figures = json.loads(capsys.readouterr().out)
    assert [row["processor"].split()[0] for row in figures["devices"]] == [
        "Linux",
        "Cortex-M4",
        "ATmega2560",
    ]
    assert [row["readings"] for row in figures["devices"]] == [5, 4, 5]
    assert figures["accepted"] == 14 == figures["verified"]["readings"]
    assert figures["refused"] == {
        "a reading sent once more": "replayed",
        "a reading with another value": "bad signature of low bits",
        "a device without an owner here": "not enrolled",
        "it, under its new identity": "not enrolled",
    }
    assert figures["altered"]["faults"] == ["bad signature"]
    process, emulated, on_line = figures["devices"]
    assert process["gateway"] == emulated["gateway"] == {}
    assert on_line["gateway"]["up"] > on_line["readings"]
    assert on_line["gateway"]["malformed"] == on_line["gateway"]["lost"] == 0


def _children() -> set[str]:
    found: set[str] = set()
    for task in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that ended meanwhile
            found |= set(task.read_text().split())
    return found


def test_demo__interrupted_leaves_nothing_running(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Interrupted while all devices, a gateway, chips and the server run."""
    before, running = _children(), set()

    def interrupt(_life: object) -> list[str]:
        running.update(_children() - before)
        raise KeyboardInterrupt

    monkeypatch.setattr(devices._Life, "end", interrupt)
    monkeypatch.setattr(demo, "scratch_folder", lambda: tmp_path)
    with pytest.raises(KeyboardInterrupt):
        demo.demo(is_json=True, process=PROCESS)
    assert len(running) >= 6
    assert _children() == before
    assert os.listdir(tmp_path) == []
