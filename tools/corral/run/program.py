# SPDX-License-Identifier: Apache-2.0
"""Running a built image on its board, with its simulated chips."""

from __future__ import annotations

import errno
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from corral import ROOT
from corral.build.image import Build
from corral.common import system
from corral.errors import fail
from corral.model.board import Board, port_of
from corral.model.places import Places
from corral.run.chips import Channel, build_simulator, in_short, inside_specs, running

_GDB_PORTS = range(1234, 1334)  # at one of which an emulator waits for a debugger
_COUNTS = "-icount"  # QEMU's, with a word: a run takes up to 17 times as long
_PLACEHOLDER = re.compile(r"\{(\w+)\}")  # other braces of a board's words stand for themselves
_TIME_LIMIT = 1200.0  # seconds; an emulated signature takes seconds, a hang takes for ever


def _is_emulated(build: Build) -> bool:
    return bool(build.board.toolchain.prefix)


def images_of(board: str) -> Path:
    """Where the memories of a board's simulated chips stay between runs."""
    places = Places.of(ROOT)
    folder = places.find("boards", board)
    if folder is None:
        raise places.missing("boards", board, "no such board")
    builds = places.builds_of(folder)
    return builds / "chips" / places.name("boards", folder, builds)


def command_of(
    build: Build,
    channel: Channel,
    input_file: Path | None,
    debug: bool = False,
    arguments: Sequence[str] = (),
    repeats: bool = True,
) -> list[str]:
    """The board's run command, with its placeholders filled in; further words where it has room.

    An emulator takes names apart at spaces and commas, so it gets links in the run's own folder.
    Unless it is to repeat a run instruction by instruction, it need not count these.
    """
    pattern = build.board.argument
    if pattern and any(re.search(r"[\s,]", word) for word in arguments):
        what = "the board's emulator takes words for the program apart at spaces and commas"
        raise fail(build.board.label, what, "leave them out, or give the program a file")
    image = channel.folder / "image"
    image.symlink_to(build.image)
    if input_file:
        (channel.folder / "input").symlink_to(input_file)
    if build.trusted:
        (channel.folder / "trusted").symlink_to(build.trusted)
    erased = channel.folder / "erased"
    erased.write_bytes(b"\xff" * build.board.erased)
    values = {
        "elf": str(image),
        "trusted": str(channel.folder / "trusted") if build.trusted else "",
        "simulator": str(build_simulator(build.board.simulator)) if build.board.simulator else "",
        "input": str(channel.folder / "input") if input_file else "",
        "erased": str(erased),
        "requests": str(channel.requests or ""),
        "responses": str(channel.responses or ""),
        "gdb": _debugger_address() if debug else "",
        "arguments": "".join(pattern.replace("{argument}", word) for word in arguments),
    }
    words = [*build.board.run, *(build.board.debug if debug else ())]
    if not repeats and _COUNTS in words:
        at = words.index(_COUNTS)
        del words[at : at + 2]
    further = () if pattern else arguments
    try:
        return [*(_PLACEHOLDER.sub(lambda found: values[found[1]], w) for w in words), *further]
    except KeyError as error:
        raise fail(
            build.board.label,
            f"run.command has an unknown placeholder {error}",
            f"known are {', '.join(f'{{{name}}}' for name in values)}",
        ) from error


@contextmanager
def prepared(
    build: Build,
    arguments: Sequence[str] = (),
    input_file: Path | None = None,
    images: Path | None = None,
    faults: Mapping[str, str] | None = None,
    debug: bool = False,
    repeats: bool = True,
) -> Iterator[tuple[list[str], dict[str, str]]]:
    """The command that runs an image, and its environment, while its simulated chips run."""
    if not build.board.run:
        remedy = f"add it, or start {build.image} as the board does"
        raise fail(build.board.label, "names no run.command", remedy)
    system.ensure(["host"], port_of(ROOT, build.board).run_with)
    elements = build.board.elements if build.uses_elements else ()
    images = images or images_of(str(build.board.folder))
    # A simulator of ours has the chips inside.
    outside = () if build.board.simulator else elements
    with running(outside, images, _is_emulated(build), faults) as channel:
        words = [*arguments]
        if build.board.simulator and elements:
            specs = inside_specs(build.board, in_short(channel.folder, images), faults or {})
            words = [*(f"chip={spec}" for spec in specs), *words]
        command = command_of(build, channel, input_file, debug, words, repeats)
        environment = {**os.environ, **channel.environment}
        if input_file:
            environment["CORRAL_INPUT"] = str(input_file)
        yield command, environment


def run(
    build: Build,
    arguments: Sequence[str] = (),
    input_file: Path | None = None,
    images: Path | None = None,
    capture: bool = False,
    faults: Mapping[str, str] | None = None,
    debug: bool = False,
    repeats: bool = True,
) -> subprocess.CompletedProcess[str]:
    """Run an image until it ends; its exit status is in the result. debug: under a debugger."""
    if debug:
        _prepare_debugger(build)
    with prepared(build, arguments, input_file, images, faults, debug, repeats) as (
        words,
        environment,
    ):
        in_gdb = debug and not _is_emulated(build)
        command = ["gdb", "-q", "--args", *words] if in_gdb else words
        # Under a debugger an interrupt is for the program that it looks at.
        ours = signal.signal(signal.SIGINT, lambda *_: None) if debug else None
        try:
            return subprocess.run(
                command,
                env=environment,
                stdin=None if not _is_emulated(build) else subprocess.DEVNULL,
                stdout=subprocess.PIPE if capture else None,
                stderr=subprocess.STDOUT if capture else None,
                text=True,
                errors="replace",
                timeout=None if debug else _TIME_LIMIT,
                check=False,
            )
        except FileNotFoundError as error:
            what = f"{command[0]} is not installed"
            raise fail(f"{build.board.label}: run.command", what, "install it") from error
        except subprocess.TimeoutExpired as error:
            what = f"still running after {_TIME_LIMIT:.0f} s"
            remedy = "look where it waits: ./corral run with --debug has no such limit"
            raise fail(f"{build.app} on {build.board.name}", what, remedy) from error
        finally:
            if ours:
                signal.signal(signal.SIGINT, ours)


def beside_chips(board: Board, images: Path, command: Sequence[str]) -> int:
    """Run a program that was built elsewhere with a board's simulated chips; its exit status."""
    with running(board.elements, images, fifos=False) as channel:
        environment = {**os.environ, "CORRAL_SIM_SOCKET": "", **channel.environment}
        return subprocess.run(command, env=environment, check=False).returncode


def _is_taken(port: int) -> bool:
    """Whether a process listens here. A test connection would start another user's program."""
    # A machine may have no localhost, or not all that it says of it, such as IPv6.
    with suppress(OSError):
        known = socket.getaddrinfo("localhost", port, type=socket.SOCK_STREAM)
        return any(_is_taken_at(address, family) for family, *_, address in known)
    return False


def _is_taken_at(address: Any, family: int) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return error.errno == errno.EADDRINUSE
    return False


@cache
def _debugger_address() -> str:
    """Where an emulator of this process waits: another may do so already."""
    free = (port for port in _GDB_PORTS if not _is_taken(port))
    return f"localhost:{next(free, _GDB_PORTS[0])}"


def _prepare_debugger(build: Build) -> None:
    if not _is_emulated(build):
        system.ensure(["gdb"])
    elif not build.board.debug:
        raise fail(
            f"{build.board.label}: run.debug",
            "no words by which the board's emulator waits for a debugger",
            "add them if it can, {gdb} for the address; or debug on board native",
        )
    else:
        attach = shlex.join(
            ["gdb-multiarch", str(build.image), "-ex", f"target remote {_debugger_address()}"]
        )
        print(f"  the program waits for a debugger, for example:\n  {attach}", file=sys.stderr)
