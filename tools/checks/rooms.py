# SPDX-License-Identifier: Apache-2.0
"""How many rooms a key passes through when it signs, and to how many it returns.

usage: .venv/bin/python tools/checks/rooms.py [--way]

Builds tests/rooms for this machine with the core and the storage instrumented, runs it, and reads
which functions were entered, inline ones included. A room is a source with its header. A header is
none if it has no source, or one without a function: it holds fields and constants. A key passes a
room each time that another room calls into it, and returns to one when it was there before;
calls of drivers are not its way. --way prints the rooms in turn.
"""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "storage")

#: Neither a room nor on the way to one: dispatch, and calls of drivers.
OUTSIDE = "outside"


class Limit(NamedTuple):
    """The most rooms that a key passes, and how often it enters the same, and the pool of slots."""

    rooms: int
    same: int
    pool: int


#: By kinds of key, as tests/rooms signs with them. One that has to be loaded passes the storage,
#: too: a checksum (storage/crc) and a read of bytes (core/common/memory) for each entry that is
#: looked at, and the pool to find, free and fill a slot.
LIMITS = {
    "volatile": Limit(rooms=9, same=2, pool=1),
    "persistent": Limit(rooms=9, same=2, pool=1),
    "loaded": Limit(rooms=36, same=7, pool=3),
}


def room(file: str) -> str:
    """The room of a source or header of ours: its path without suffix; none: empty."""
    path = Path(file)
    if path.is_relative_to(ROOT / "build"):
        return OUTSIDE
    if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in FOLDERS:
        return ""
    source = path.with_suffix(".c")
    if not source.is_file() or "\n{\n" not in source.read_text(encoding="utf-8"):
        return ""
    return path.relative_to(ROOT).with_suffix("").as_posix()


def passed(events: Iterable[str], room_of: dict[str, str]) -> list[str]:
    """The rooms that calls lead into, in turn; `events` are lines of tests/rooms."""
    way: list[str] = []
    stack = [""]
    for event in events:
        if event == "-":
            stack.pop()
            continue
        here = room_of[event.removeprefix("+ ")] or stack[-1]
        if stack[-1] == OUTSIDE:
            here = OUTSIDE
        if here not in (stack[-1], OUTSIDE):
            way.append(here)
        stack.append(here)
    return way


def returns(way: Sequence[str]) -> dict[str, int]:
    """How often each room was entered again."""
    return {name: way.count(name) - 1 for name in dict.fromkeys(way) if way.count(name) > 1}


def is_within(way: Sequence[str], limit: Limit) -> bool:
    same = max(map(way.count, way), default=0)
    return (
        len(way) <= limit.rooms and same <= limit.same and way.count("core/keys/pool") <= limit.pool
    )


def _run(command: Sequence[str], folder: Path = ROOT) -> str:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def _instrument(folder: Path) -> None:
    """Compile what is ours once more, so that entries and returns are reported, and link."""
    for one in json.loads((folder / "cmake" / "compile_commands.json").read_text()):
        if room(one["file"]) not in ("", OUTSIDE):
            words = shlex.split(one["command"])
            _run([*words, "-finstrument-functions"], Path(one["directory"]))
    link = _run(["ninja", "-C", str(folder / "cmake"), "-t", "commands"]).splitlines()[-1]
    _run(["sh", "-c", link], folder / "cmake")


def _rooms(image: Path, distances: Sequence[str]) -> dict[str, str]:
    """The room of each function, by its distance from main()."""
    symbols = (line.split() for line in _run(["nm", str(image)]).splitlines())
    main = next(int(words[0], 16) for words in symbols if words[-1] == "main")
    addresses = [hex(main + int(distance)) for distance in distances]
    lines = _run(["addr2line", "-e", str(image), *addresses]).splitlines()
    files = (str(Path(line.rpartition(":")[0]).resolve()) for line in lines)
    return dict(zip(distances, map(room, files), strict=True))


def ways() -> dict[str, list[str]]:
    """By kind of key, the rooms that it passes."""
    built = _run([str(ROOT / "corral"), "build", "../tests/rooms", "native"])
    image = ROOT / built.splitlines()[-1]
    _instrument(image.parent)
    lines = _run([str(image)], image.parent).splitlines()
    distances = sorted({line.removeprefix("+ ") for line in lines if line.startswith("+")})
    room_of = _rooms(image, distances)
    by_kind: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("key "):
            events = by_kind.setdefault(line.removeprefix("key "), [])
        else:
            events.append(line)
    return {kind: passed(events, room_of) for kind, events in by_kind.items()}


def main(words: Sequence[str]) -> int:
    is_fine = True
    for kind, way in ways().items():
        print(f"{kind}: {len(way)} rooms, {sum(returns(way).values())} returns")
        if "--way" in words:
            print(*(f"    {name}" for name in way), sep="\n")
        is_fine &= is_within(way, LIMITS[kind])
    return 0 if is_fine else 1


if __name__ == "__main__":
    # A reader that stops early, such as head, ends this without a message.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main(sys.argv[1:]))
