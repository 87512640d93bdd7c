# SPDX-License-Identifier: Apache-2.0
"""./corral: when it makes an environment, the tree it belongs to, and its errors."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import pytest
from corral import ROOT
from harness.waiting import PATIENCE

#: Plays Python for the front door, and says what it was called for.
PYTHON = """\
#!/bin/sh
case $1 in -[IP]) shift ;; esac
case "$*" in
--version) echo "Python 3.12.0" ;;
-c*fcntl*) exec "{real}" "$@" ;;
-c*version_info*) echo True ;;
-c*) ;;
"-m venv "*)
    echo "makes" >>"{log}"
    sleep {seconds}
    mkdir -p "$3/bin" && cp "$0" "$3/bin/python"
    ;;
"-m pip "*) for last; do :; done; echo "{pip}"; echo "installs $last" >>"{log}"; exit {status} ;;
*) echo "runs $0 $* with $PYTHONPATH" ;;
esac
"""

#: The requirements that are installed, by the command that needs them.
EXPORT = "tools/corral/export/requirements.txt"
SITE = "tools/site/requirements.txt"
FILES = ("requirements.txt", "bench/requirements.txt", EXPORT, SITE, "tests/requirements.txt")


#: Bytes that the environment of all commands may take, with Python's own packages.
MOST = 30_000_000
BY_ITSELF = ("pip", "setuptools")


class Door:
    """A copy of the front door, in a tree that has nothing else."""

    def __init__(self, folder: Path, name: str = "a tree") -> None:
        self.tree = folder / name
        self.bin = folder / "bin"
        self.log = folder / "log"
        (self.tree / "tests").mkdir(parents=True)
        (self.tree / "bench").mkdir()
        self.bin.mkdir()
        for file in ("corral", *FILES):
            (self.tree / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.tree / file)
        self.python()

    def python(self, pip: str = "", status: int = 0, seconds: int = 0) -> None:
        program = self.bin / "python3"
        values = {"log": self.log, "pip": pip, "status": status, "seconds": seconds}
        program.write_text(PYTHON.format(real=Path(sys.executable).resolve(), **values))
        program.chmod(0o755)

    def run(
        self, *words: str, by: Path | None = None, path: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", str(by or self.tree / "corral"), *words],
            env={"PATH": path or f"{self.bin}:/usr/bin:/bin", "HOME": "/nowhere", **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def installed(self) -> list[str]:
        """The files that pip was asked to install since the last call, relative to the tree."""
        text = self.log.read_text() if self.log.exists() else ""
        self.log.unlink(missing_ok=True)
        asked = [line for line in text.splitlines() if line.startswith("installs ")]
        return [line.removeprefix(f"installs {self.tree}/") for line in asked]


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


def test_front_door_without_python_says_so(door: Door) -> None:
    (door.bin / "python3").unlink()
    (door.bin / "dirname").symlink_to("/usr/bin/dirname")
    done = door.run("packages", path=str(door.bin))
    assert done.returncode == 2
    assert done.stderr.startswith("corral: error: python3 is not installed")


def test_front_door_refuses_an_old_python(door: Door) -> None:
    old = '#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" || echo False\n'
    (door.bin / "python3").write_text(old)
    done = door.run("packages")
    assert done.returncode == 2
    assert "Python 3.9.2 is too old" in done.stderr


def test_folder_that_is_gone_is_not_the_fault_of_python(door: Door, tmp_path: Path) -> None:
    command = f'mkdir gone && cd gone && rmdir ../gone && exec "{door.tree}/corral" packages'
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "the folder that this is typed in is not there any more" in done.stderr


def test_python_that_does_not_run_is_not_called_old(door: Door) -> None:
    (door.bin / "python3").write_text("#!/bin/sh\nexit 1\n")
    done = door.run("packages")
    assert done.returncode == 2
    assert f"{door.bin}/python3: does not run: " in done.stderr
    real = f"{Path(sys.executable).resolve().parent}:/usr/bin:/bin"
    command = [str(ROOT / "corral"), "--version"]
    environment = {"PATH": real, "PYTHONHOME": "/of/another"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("corral "), done.stderr


def test_front_door_without_network_says_so_and_tries_again(door: Door) -> None:
    path = f"{Path(sys.executable).resolve().parent}:/usr/bin:/bin"
    done = door.run("packages", path=path, PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)
    assert done.returncode == 2
    assert "corral: error: requirements.txt: Python packages cannot be installed" in done.stderr
    assert "check the network" in done.stderr
    door.python()
    assert door.run("packages").returncode == 0
    assert door.installed() == ["requirements.txt"]


@pytest.mark.parametrize("said", ["[Errno 28] No space left on device", "Disk quota exceeded"])
def test_front_door_on_a_full_disk_does_not_blame_the_network(door: Door, said: str) -> None:
    door.python(pip=f"ERROR: {said}", status=1)
    done = door.run("packages")
    assert done.returncode == 2
    assert "cannot be installed" in done.stderr and "the disk is full: make room" in done.stderr
    assert "network" not in done.stderr


def test_what_tests_and_measurements_need_comes_with_them(door: Door) -> None:
    assert door.run("build", "hmac", "native").returncode == 0
    assert door.installed() == ["requirements.txt"]
    assert door.run("bench").returncode == 0
    assert door.installed() == ["bench/requirements.txt"]
    assert door.run("export").returncode == 0
    assert door.installed() == [EXPORT]
    assert door.run("docs").returncode == 0
    assert door.installed() == [SITE]
    assert door.run("test", "-k", "x").returncode == 0
    assert door.installed() == ["tests/requirements.txt"]
    assert door.run("test").returncode == 0
    assert door.run("bench", "--only", "cost").returncode == 0
    assert door.installed() == []


def test_export_after_a_demo_installs_nothing_more(door: Door) -> None:
    assert door.run("demo").returncode == 0
    assert door.installed() == ["requirements.txt", EXPORT]
    assert door.run("export").returncode == 0
    assert door.installed() == []


def test_measuring_without_a_network_says_once_what_is_missing(door: Door) -> None:
    assert door.run("packages").returncode == 0
    door.python(pip="ERROR: Could not find a version", status=1)
    shutil.copy(door.bin / "python3", door.tree / ".venv" / "bin" / "python")
    done = door.run("bench")
    assert done.returncode == 2
    assert "installing the Python packages of bench/requirements.txt" in done.stderr
    (error,) = [line for line in done.stderr.splitlines() if "error" in line]
    assert "bench/requirements.txt: Python packages cannot be installed" in error
    assert "check the network connection" in error


def test_changed_requirements_are_installed_beside_what_is_there(door: Door) -> None:
    door.run("test")
    kept = door.tree / ".venv" / "kept"
    kept.touch()
    (door.tree / "requirements.txt").write_text("other==1\n")
    door.installed()
    door.run("packages")
    assert door.installed() == ["requirements.txt"]
    assert kept.exists()


def test_another_python_gets_a_new_environment(door: Door) -> None:
    door.run("packages")
    (door.tree / ".venv" / "old").touch()
    python = door.bin / "python3"
    python.write_text(python.read_text().replace("3.12.0", "3.13.0"))
    assert door.run("packages").returncode == 0
    assert not (door.tree / ".venv" / "old").exists()


def test_two_commands_at_once_make_one_environment(door: Door) -> None:
    door.python(seconds=1)
    with ThreadPoolExecutor() as pool:
        both = list(pool.map(door.run, ["packages", "drivers"]))
    assert [done.returncode for done in both] == [0, 0], [done.stderr for done in both]
    assert door.log.read_text().count("makes") == 1
    assert door.installed() == ["requirements.txt"]


def test_modules_do_not_come_from_the_folder_where_one_is(tmp_path: Path) -> None:
    for name in ("argparse", "ensurepip", "fcntl", "pip", "venv"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not ours')\n")
    for words in (["--version"], ["packages"]):
        done = subprocess.run(
            [ROOT / "corral", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0 and "not ours" not in done.stderr


@pytest.mark.parametrize("relative", [False, True])
def test_link_to_the_front_door_belongs_to_the_tree(door: Door, relative: bool) -> None:
    elsewhere = door.tree.parent / "elsewhere"
    theirs = elsewhere / ".venv" / "theirs"
    theirs.parent.mkdir(parents=True)
    theirs.touch()
    (elsewhere / "one").symlink_to(door.tree / "corral")
    if relative:
        (elsewhere / "one").unlink()
        (elsewhere / "one").symlink_to("../a tree/corral")
    (elsewhere / "corral").symlink_to("one")
    done = door.run("packages", by=elsewhere / "corral")
    assert f"-m corral packages with {door.tree}/tools" in done.stdout
    assert theirs.exists()
    assert (door.tree / ".venv" / "installed").exists()


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--help",),
        ("help", "build"),
        ("--version",),
        ("build", "hmac", "native", "--help"),
        ("test", "-h"),
        ("chips", "--help"),
    ],
    ids=" ".join,
)
def test_help_needs_no_environment(door: Door, words: tuple[str, ...]) -> None:
    done = door.run(*words)
    assert done.stdout.startswith(f"runs {door.bin}/python3 -m corral")
    assert not (door.tree / ".venv").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("run", "hmac", "native", "--", "--help"),
        ("test", "x", "--help"),
        ("chips", "native", "client", "--help"),
    ],
    ids=" ".join,
)
def test_help_that_others_are_asked_for_is_work(door: Door, words: tuple[str, ...]) -> None:
    assert "/.venv/bin/python -m corral" in door.run(*words).stdout


@pytest.mark.parametrize(
    "name",
    [f"a{odd}b" for odd in ":;%*?[]$,|'\"\\\n"],
)
def test_path_that_tools_would_take_apart_is_refused(tmp_path: Path, name: str) -> None:
    door = Door(tmp_path, name)
    done = door.run("packages")
    assert done.returncode == 2
    (error,) = done.stderr.splitlines()
    assert error.startswith("corral: error: /") and "move or rename the folder" in error
    assert not (door.tree / ".venv").exists()


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ({"HOME": ""}, "set XDG_CACHE_HOME or HOME"),
        ({"HOME": "", "XDG_CACHE_HOME": "relative"}, "set XDG_CACHE_HOME or HOME"),
        ({"XDG_CACHE_HOME": "/a:b"}, "/a:b/corral/0.2: a path with"),
        ({"HOME": "/a;b"}, "set XDG_CACHE_HOME to another folder"),
    ],
    ids=["none", "relative", "colon", "semicolon"],
)
def test_installed_tree_uses_a_folder_of_the_user_or_says_so(
    door: Door, environment: dict[str, str], complaint: str
) -> None:
    (door.tree / ".installed").write_text("0.2\n")
    done = door.run("packages", **environment)
    assert done.returncode == 2
    (error,) = done.stderr.splitlines()
    assert error.startswith("corral: error: ") and complaint in error
    assert not door.log.exists()


def test_interrupt_at_any_time_is_one_line_at_most() -> None:
    for hundredths in range(0, 60, 4):
        process = subprocess.Popen(
            [ROOT / "corral", "drivers"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        time.sleep(hundredths / 100)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert errors in ("", "corral: interrupted\n"), hundredths


_TOLD = """
import os, runpy, signal, time, corral.cli

def main():
    try:
        os.kill(os.getpid(), signal.{name})
        time.sleep(1000)
    finally:
        print("cleared away")

corral.cli.main = main
runpy.run_module("corral", run_name="__main__")
"""


@pytest.mark.parametrize(("name", "said"), [("SIGTERM", "ended"), ("SIGINT", "interrupted")])
def test_told_to_end__clears_away(name: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _TOLD.format(name=name)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("cleared away\n", f"corral: {said}\n")
    assert done.returncode == 128 + signal.Signals[name]


# An exception in each of these goes no further than a note on standard error, or not even there.
_SWALLOWS = {
    "callback": """
import os, runpy, signal, time, weakref, corral.cli

class Thing:
    pass

def told(_):
    os.kill(os.getpid(), signal.{name})

def main():
    thing = Thing()
    kept = weakref.ref(thing, told)
    try:
        del thing
        time.sleep(1000)
    finally:
        print("cleared away")

corral.cli.main = main
runpy.run_module("corral", run_name="__main__")
""",
    "import": """
import os, runpy, signal, sys, time

class Finder:
    def find_spec(self, name, *_):
        if name == "corral.cli":
            try:
                print("cleared away", flush=True)
                os.kill(os.getpid(), signal.{name})
                time.sleep(1000)
            except BaseException:
                pass

sys.meta_path.insert(0, Finder())
runpy.run_module("corral", run_name="__main__")
""",
}


@pytest.mark.parametrize(("name", "said"), [("SIGTERM", "ended"), ("SIGINT", "interrupted")])
@pytest.mark.parametrize("place", _SWALLOWS)
def test_told_to_end_where_exceptions_are_swallowed__ends(place: str, name: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SWALLOWS[place].format(name=name)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools")},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.stdout, done.stderr) == ("cleared away\n", f"corral: {said}\n")
    assert done.returncode == 128 + signal.Signals[name]


def test_environment_of_all_commands_is_small() -> None:
    """Sums only these packages: the environment here also has those of the tests."""
    listed = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(), re.M)
    paths = [
        Path(str(file.locate()))
        for name in {*listed, *BY_ITSELF}
        for file in metadata.distribution(name).files or ()
    ]
    taken = sum(path.stat().st_blocks * 512 for path in paths if path.is_file())
    assert listed and 1_000_000 < taken < MOST, taken
