# SPDX-License-Identifier: Apache-2.0
"""CBMC, the model checker: its origin, and its commands."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from corral.build import image as build
from corral.common import system
from corral.common.progress import alone
from corral.errors import CorralError, fail
from corral.packages import fetch as packages
from harness import waiting

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
OLDEST = (6, 6)
TIME_LIMIT = 900

_PACKAGES = ("cbmc", "minisat", "glibc", "libgcc", "libstdcxx")
#: The libraries that CBMC is linked to: newer than those of Debian 12, so it brings its own.
_LIBRARIES = {
    "ld-linux-x86-64.so.2": ("glibc", "usr/x86_64-linux-gnu/lib/ld-linux-x86-64.so.2"),
    "libc.so.6": ("glibc", "usr/x86_64-linux-gnu/lib/libc.so.6"),
    "libm.so.6": ("glibc", "usr/x86_64-linux-gnu/lib/libm.so.6"),
    "libgcc_s.so.1": ("libgcc", "usr/x86_64-linux-gnu/lib/libgcc_s.so.1"),
    "libstdc++.so.6": ("libstdcxx", "usr/x86_64-linux-gnu/lib/libstdc++.so.6.0.33"),
    "libminisat.so.2": ("minisat", "usr/lib/libminisat.so.2.1.0"),
}

#: In addition to the standard checks of CBMC 6: bounds, pointers, signed overflow,
#: shifts, unwinding.
_CHECKS = ("--pointer-overflow-check",)
_NO_WRAPPING = ("--unsigned-overflow-check", "--conversion-check")

_FAILURE = re.compile(r"^\[(\S+)\] (.*): FAILURE$", re.M)
_PROPERTY = re.compile(r"^Property (\S+):\n +file .*\n +(.*)$", re.M)
_BODILESS = re.compile(r"no body for (?:function|callee) (\S+)")


@dataclass(frozen=True)
class Outcome:
    """The result of CBMC."""

    holds: bool
    failures: tuple[str, ...]
    output: str

    def text(self) -> str:
        """Why it does not hold."""
        return "\n".join(self.failures) or self.output[-3000:]


def _version(program: str) -> tuple[int, ...]:
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return tuple(int(number) for number in re.findall(r"\d+", done.stdout)[:2])


@cache
def program() -> tuple[str, ...]:
    """The command that runs CBMC: the machine's own, or the one of Debian 13 with its libraries."""
    system.ensure(["host"])  # CBMC has the C compiler preprocess
    own = shutil.which("cbmc")
    if own is not None and _version(own) >= OLDEST:
        return (own,)
    try:
        folders = packages.ensure_all(ROOT, _PACKAGES)
    except CorralError as error:
        remedy = "or put CBMC 6.6 or later on the PATH yourself"
        raise fail("tests/proofs", f"there is no model checker: {error}", remedy) from error
    libraries = ROOT / "build" / "tests" / "proofs-cbmc"
    with alone(libraries):
        libraries.mkdir(exist_ok=True)
        for name, (package, path) in _LIBRARIES.items():
            if not (libraries / name).is_file():
                shutil.copy(folders[package] / path, libraries / name)
    loader = str(libraries / "ld-linux-x86-64.so.2")
    command = (loader, "--library-path", str(libraries), str(folders["cbmc"] / "usr/bin/cbmc"))
    try:
        _check_runs(command)
    except OSError as error:
        what = "the CBMC of packages/cbmc is a program for Linux on x86-64"
        raise fail("tests/proofs", what, "put CBMC 6.6 or later on the PATH") from error
    return command


def _check_runs(command: tuple[str, ...]) -> None:
    subprocess.run([*command, "--version"], capture_output=True, check=True)


@cache
def includes(app: str, settings: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Configure as for a build; returns the folders with headers."""
    words = [app.replace("/", "-"), *(value for pair in settings for value in pair)]
    name = f"tests/{'-'.join(words)}"
    folder = build.folder_of(app, "native", name)
    options = build.Options(settings=dict(settings), name=name)
    with alone(folder):  # of the processes that share the proofs, the first one writes it
        build.prepare(f"../tests/{app}", "native", options)
    transport = ROOT / "wall" / "loopback"
    folders = (ROOT / "include", folder / "gen", ROOT, transport)
    headers = tuple(word for one in folders for word in ("-I", str(one)))
    return (*headers, "-DCORRAL_CALL_UNWANTED")  # as the core is compiled


@dataclass(frozen=True)
class Proof:
    """A file of proofs: each function prove_...() in it is one, run by itself."""

    name: str
    sources: tuple[str, ...] = ()  # the proved files, and further parts of the proof
    app: str = "proofs"
    settings: tuple[tuple[str, str], ...] = ()
    unwind: int = 5
    unwindset: tuple[str, ...] = ()
    wrapping: tuple[str, ...] = ()  # proofs of code in which numbers wrap as they should
    variant: str = ""  # of the configuration, where one file is proved in several

    @property
    def title(self) -> str:
        """How tests name it."""
        return f"{self.name} {self.variant}".strip()

    def functions(self) -> list[str]:
        """The proofs of the file."""
        text = (HERE / f"{self.name}.c").read_text(encoding="utf-8")
        return re.findall(r"^void prove_(\w+)\(void\)$", text, re.M)

    def run(self, function: str, root: Path = ROOT) -> Outcome:
        """Prove one; `root` is the tree to take the sources from."""
        return judge(*_ask(self._command(function, root)))

    def run_claim(self, function: str, claim: str, root: Path = ROOT) -> Outcome:
        """Prove only what is claimed in this text: sooner where that fails by far."""
        command = self._command(function, root)
        listed, _ = _ask([*command, "--show-properties"])
        names = [name for name, text in _PROPERTY.findall(listed) if claim in text]
        assert names, f"{self.name}, {function}: nothing claims that {claim}\n{listed[-1000:]}"
        return judge(*_ask([*command, *(part for name in names for part in ("--property", name))]))

    def _command(self, function: str, root: Path) -> list[str]:
        files = [f"tests/proofs/{self.name}.c", *self.sources]
        return [
            *program(),
            *includes(self.app, self.settings),
            *(str(root / name) for name in files),
            *("--function", f"prove_{function}", "--unwind", str(self.unwind)),
            *(("--unwindset", ",".join(self.unwindset)) if self.unwindset else ()),
            *_CHECKS,
            *(() if function in self.wrapping else _NO_WRAPPING),
        ]


def _ask(command: list[str]) -> tuple[str, int]:
    done = waiting.run(
        command,
        TIME_LIMIT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.stdout, done.returncode


def judge(output: str, status: int) -> Outcome:
    """A function of which CBMC knows no body would return anything and do nothing: not wanted."""
    failures = [f"{name}: {claim}" for name, claim in _FAILURE.findall(output)]
    failures += [f"{name} has no body" for name in sorted(set(_BODILESS.findall(output)))]
    holds = status == 0 and not failures and "VERIFICATION SUCCESSFUL" in output
    return Outcome(holds, tuple(failures), output)


def broken(root: Path, source: str, changes: Mapping[str, str]) -> Path:
    """A copy of the proved folders, in which one file is changed."""
    for folder in ("core", "storage", "wall", "tests/proofs"):
        shutil.copytree(ROOT / folder, root / folder, ignore=_only_c)
    path = root / source
    text = path.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert text.count(old) == 1, f"{source}: {old!r} stands there {text.count(old)} times"
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return root


def _only_c(folder: str, names: Iterable[str]) -> set[str]:
    return {
        name
        for name in names
        if Path(name).suffix not in (".c", ".h") and not (Path(folder) / name).is_dir()
    }
