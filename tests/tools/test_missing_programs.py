# SPDX-License-Identifier: Apache-2.0
"""On a machine without the programs of a command, one message names all of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from corral.common import system
from corral.run import needed

ROOT = Path(__file__).resolve().parents[2]
ARM = {"gcc-arm-none-eabi", "qemu-system-arm"}


@pytest.mark.parametrize(
    ("words", "packages"),
    [
        ("run ecdsa mps2-an386", {*ARM, "cmake", "ninja-build", "gcc"}),
        ("run hmac native", {"cmake", "ninja-build", "gcc"}),
        ("fleet demo", {*ARM, "cargo-web", "gcc-avr", "gcc"}),
        ("demo", {*ARM, "openssl", "gcc-avr", "gcc"}),
        ("demo --gateway", {"openssl", "softhsm2", "swtpm", "gcc"}),
        ("test", {*ARM, "openssl", "gcc-avr", "clang", "ccache", "g++"}),
    ],
)
def test_all_missing_packages_are_named_at_once(
    words: str, packages: set[str], tmp_path: Path
) -> None:
    for name in ("apt-get", "apt-cache"):
        (tmp_path / name).write_text("#!/bin/sh\necho of Debian\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "corral", *words.split()],
        env={**os.environ, "PATH": str(tmp_path), "CORRAL_INSTALL": "0"}
        | {"PYTHONPATH": str(ROOT / "tools")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if line.startswith("corral: error: ")]
    assert (done.returncode, len(said)) == (2, 1), done.stderr
    missing, _, remedy = said[0].partition(": as root: apt-get install ")
    named = set(remedy.split())
    assert set(missing.partition(" are missing: ")[2].split()) == named
    assert packages <= named


def test_libraries_of_elements_are_named_with_their_simulators() -> None:
    assert {"softhsm2", "swtpm", "libtss2-dev"} <= set(needed.by_boards(["gateway"]))


#: An apt-get whose list is in use twice, and that installs a program with two words.
APT = """\
#!/bin/sh
echo "$@" >> "{folder}/log"
if [ "$1" = update ] && [ "$(grep -c update "{folder}/log")" -lt 3 ]; then
    echo "E: Could not get lock /var/lib/apt/lists/lock." >&2
    exit 100
fi
[ "$1" = update ] || ln -s /bin/true "{folder}/two"
"""


def test_another_installation_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "apt-get").write_text(APT.format(folder=tmp_path))
    (tmp_path / "apt-get").chmod(0o755)
    for name in ("sh", "env", "grep", "ln"):
        (tmp_path / name).symlink_to(f"/bin/{name}")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    system.ensure([], {"package-of-two": "two"})
    log = (tmp_path / "log").read_text().splitlines()
    assert log[:3] == ["update -q"] * 3
    assert len(waits) == 2
    assert "-o DPkg::Lock::Timeout=600" in log[3]  # apt-get itself waits for other installations
    assert log[3].split()[-1] == "package-of-two"
    assert len(log) == 4
