# SPDX-License-Identifier: Apache-2.0
"""Says what is being done, and shows that it still is when it takes long."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from corral.common.style import width
from corral.errors import CorralError, Problem, fail

_PATIENCE = 2.0  # seconds until a step begins to show its time
_NO_ROOM = re.compile(r"(?i)no space left on device|os error 28|ENOSPC|disk quota exceeded")
_NO_WRITING = re.compile(r"(?i)read-only file system|permission denied|os error (13|30)\b|EROFS")


#: Process, thread and folder of each lock that is held.
_held: set[tuple[int, int, Path]] = set()


def remedy_for(output: str, otherwise: str) -> str:
    """The remedy for a failure with this output, if it is not the usual one."""
    if _NO_ROOM.search(output):
        return "the disk is full: make room, then run the same command again"
    if _NO_WRITING.search(output):
        return "see to the rights to it, or copy the tree to where you may write"
    if _NO_MAIN.search(output):
        return "write int main(void) in a C file of the application's folder"
    if _OF_MBEDTLS.search(output):
        return "call the functions of psa/crypto.h instead: docs/coming-from/README.md lists them"
    return otherwise


_OF_MBEDTLS = re.compile(r"fatal error: ['\"]?mbedtls/\w+\.h['\"]?(:| file) no", re.I)
_NO_MAIN = re.compile(r"undefined (reference to|symbol:) [`'\"]?main\b")
_ERROR = re.compile(
    r"(?i)^(?!collect2|cc1|ninja).*(\berror\b ?(:|at )|undefined reference|multiple definition)"
    r"|^\S*\bld(\.\w+)?: (?!.*: in function|warning)"
)
_BEFORE = re.compile(r"In file included from|^ +from |: [Ii]n (member )?function|At top level:")
_AFTER = re.compile(
    r": (error|warning|note): |: [Ii]n (member )?function|At top level:|^\[\d+/\d+\]|^--"
    r"|^(FAILED|ninja|collect2|cc1): ?"
)


def first_error(output: str, limit: int = 12) -> str:
    """The lines about the first error of a compiler, a linker or CMake; without one the last."""
    lines = output.strip().splitlines()
    first = next((i for i, line in enumerate(lines) if _ERROR.search(line)), None)
    if first is None:
        return "\n".join(lines[-limit:])
    begin, end = first, first + 1
    while begin > 0 and _BEFORE.search(lines[begin - 1]):
        begin -= 1
    while end < len(lines) and end < first + limit and not _AFTER.search(lines[end]):
        end += 1
    return "\n".join(lines[begin:end]).rstrip()


_COUNT = re.compile(r"\[(\d+)/(\d+)\] ")
_OF_NINJA = re.compile(r"^\[\d+/\d+\] |^ninja: ")


def warnings(output: str) -> str:
    """Messages of compilers in a successful build by Ninja."""
    lines = [line for line in output.splitlines(keepends=True) if not _OF_NINJA.match(line)]
    return "".join(lines) if any("warning: " in line for line in lines) else ""


#: An error of a command of ours that another program has run.
_OURS = re.compile(r"(?m)^corral: error: (.+?): (.+)$")


class _Step:
    """The present step, and how much of it Ninja has left."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = time.monotonic()
        self.began = 0.0  # Ninja
        self.done = self.of = 0
        self.longest = 0

    def read(self, line: str) -> None:
        """A line of Ninja: "[9/12] Building C object ..."."""
        if found := _COUNT.match(line):
            self.began = self.began or time.monotonic()
            self.done, self.of = map(int, found.groups())

    def time(self) -> str:
        now = time.monotonic()
        text = f"{now - self.start:.0f} s"
        if 1 < self.done < self.of:
            left = (now - self.began) / (self.done - 1) * (self.of - self.done)
            text += f", {self.done} of {self.of}, about {left:.0f} s left"
        return text

    def show(self, text: str, end: str = "") -> None:
        """Replace the line on the terminal, which may be narrower."""
        line = f"  {self.text} ...{text}"[: width(sys.stderr) - 1]
        self.longest = max(self.longest, len(line))
        print(f"\r{line:<{self.longest}}", end=end, file=sys.stderr, flush=True)


#: The step of this thread.
_step: ContextVar[_Step | None] = ContextVar("step", default=None)


@contextmanager
def step(text: str) -> Iterator[_Step]:
    """Print what is done now, with the seconds it takes once they are more than two."""
    now = _Step(text)
    done = threading.Event()
    terminal = sys.stderr.isatty()
    if terminal:
        now.show("")
    else:
        print(f"  {text} ...", file=sys.stderr, flush=True)

    def tick() -> None:
        wait = _PATIENCE
        while not done.wait(wait):
            if terminal:
                now.show(f" {now.time()}")
                wait = 1.0
            else:
                print(f"  {text} ... still at it after {now.time()}", file=sys.stderr, flush=True)
                wait = 20.0

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    above = _step.set(now)
    try:
        yield now
    finally:
        _step.reset(above)
        done.set()
        thread.join()
        if terminal:
            now.show(f" {time.monotonic() - now.start:.1f} s", end="\n")


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other commands out of a folder below build/ until this one is done with it.

    A thread that holds the lock may take it again.
    """
    place = (os.getpid(), threading.get_ident(), folder.resolve())
    if place in _held:
        yield
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f".{folder.name}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            with step(f"waiting for another command to be done with {folder.name}"):
                fcntl.flock(file, fcntl.LOCK_EX)
        _held.add(place)
        try:
            yield
        finally:
            _held.discard(place)


def ninja(
    words: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Ninja, and show in the step of this thread how much is left."""
    command = ["ninja", *words]
    now = _step.get()
    lines = []
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout
        for line in process.stdout:
            lines.append(line)
            if now:
                now.read(line)
    return subprocess.CompletedProcess(command, process.returncode, "".join(lines), "")


def run_quietly(
    command: Sequence[str],
    what: str,
    remedy: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> str:
    """Run a program and return what it printed; a failure shows its first error and the remedy."""
    try:
        if command[0] == "ninja":
            done = ninja(command[1:], cwd, env)
        else:
            done = subprocess.run(
                command,
                cwd=cwd,
                env=env,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
    except FileNotFoundError as error:
        raise fail(command[0], "this program is not installed", remedy) from error
    if done.returncode != 0:
        said = done.stdout + done.stderr
        if ours := _OURS.findall(said):
            raise CorralError([Problem(where, text) for where, text in ours])
        text = f"{command[0]} failed with status {done.returncode}:\n{first_error(said)}\n"
        raise fail(what, text, remedy_for(said, remedy))
    return done.stdout
