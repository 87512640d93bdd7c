# SPDX-License-Identifier: Apache-2.0
"""python -m corral_fleet: devices and their readings, verified on this computer."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import datetime
import io
import json
import math
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from corral_fleet.errors import FleetError, RefusedError, UnreachableError, WrongSettingError
from corral_fleet.fleet import Directory, Found, follow_device, read
from corral_fleet.identity import Identity
from corral_fleet.memory import Memory
from corral_fleet.objects import Reading, Receiver
from corral_fleet.peer import Peers, origin_of
from corral_fleet.senml import Record
from corral_fleet.text import printable
from corral_fleet.trust import Trust

_EPILOG = """\
Who is trusted is the identities and nothing else: neither directory, broker nor proxy. A FILE of
them has lines "identity, name". Exit status: 0, each device was found and what it sent is verified;
1, one was not; 2, wrong arguments.
"""


def _seconds(text: str) -> float:
    seconds = math.nan if text.startswith("+") else float(text)
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is no time to wait: write seconds above 0")
    return seconds


def _count(text: str) -> int:
    count = int(text) if text.isascii() and text.isdigit() else 0
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number of readings to wait for")
    return count


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "identities", nargs="*", metavar="IDENTITY", help="a device's or group's, from its label"
    )
    common.add_argument("--trust", type=Path, metavar="FILE", help="more of them, a line each")
    common.add_argument(
        "--members",
        action="append",
        default=[],
        metavar="ID,ID,...",
        help="the members of a group whose identity is given; may come from anybody, is verified",
    )
    common.add_argument(
        "--directory", default="coap://localhost", metavar="URI", help="(default %(default)s)"
    )
    common.add_argument("--proxy", metavar="URI", help="a proxy that all requests go through")
    common.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="only devices with this in the directory: kd=thermometer, rt=temperature",
    )
    common.add_argument(
        "--patience",
        type=_seconds,
        default=10.0,
        metavar="SECONDS",
        help="until a peer that does not answer is given up (default %(default)g)",
    )
    common.add_argument("--json", action="store_true", help="an object a line")

    parser = argparse.ArgumentParser(
        prog="corral_fleet",
        description=__doc__.splitlines()[0] if __doc__ else "",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("devices", parents=[common], help="which are in the directory, verified")
    readings = commands.add_parser(
        "readings", parents=[common], help="the newest reading of each device, verified"
    )
    readings.add_argument("--follow", action="store_true", help="go on with what comes")
    readings.add_argument(
        "--count", type=_count, metavar="N", help="with --follow: end after so many readings"
    )
    readings.add_argument(
        "--every",
        type=_seconds,
        default=10.0,
        metavar="SECONDS",
        help="with --follow: ask so often through a proxy, and where readings cannot be observed "
        "(default %(default)g)",
    )
    readings.add_argument(
        "--state",
        type=Path,
        metavar="FILE",
        help="keep the highest numbers there, so that nobody can show older readings later",
    )
    return parser


class _Command:
    """The common part of the commands: trusted devices, servers, output."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.status = 0
        self.trust = _trust(arguments)
        self.memory = Memory(getattr(arguments, "state", None))

    def say(self, identity: Identity, text: str, **facts: Any) -> None:
        """A line for people, or the same facts as an object."""
        name = self.trust.names.get(identity, "")
        if self.arguments.json:
            print(json.dumps({"identity": str(identity), "name": name, **facts}), flush=True)
        else:
            print("  ".join(part for part in (identity.short, name, text) if part), flush=True)

    def complain(self, identity: Identity, error: FleetError | str) -> None:
        """The device was not found, or not believed."""
        self.status = 1
        print(f"{identity.short}: {printable(str(error))}", file=sys.stderr, flush=True)

    @contextlib.asynccontextmanager
    async def asking(self) -> AsyncIterator[tuple[Peers, Directory]]:
        """The network."""
        # aiocoap fails at some answers within the loop, where no caller could catch
        # that: the caller gets a timeout.
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        arguments = self.arguments
        renewal = 300.0
        if arguments.proxy is not None and arguments.command == "readings":
            renewal = arguments.every
        async with Peers.open(
            patience=arguments.patience, proxy=arguments.proxy, renewal=renewal
        ) as peers:
            yield peers, Directory(peers, arguments.directory)

    async def found(self, directory: Directory) -> list[Found]:
        """Each device that is trusted and in the directory. Says which are not."""
        devices = []
        for identity in self.trust:
            try:
                found = await directory.find(identity, self.arguments.where)
            except RefusedError as refused:
                self.complain(identity, refused)
                continue
            if found is not None:
                devices.append(found)
            elif not self.arguments.where:
                self.complain(
                    identity,
                    f"the directory at {self.arguments.directory} does not name it: it did not "
                    "register, or this is a group, whose members are given by --members",
                )
        return devices

    async def devices(self) -> None:
        """Which are there."""
        async with self.asking() as (_, directory):
            for found in await self.found(directory):
                device, topics = found.device, list(found.topics)
                text = "  ".join([device.kind, *topics])
                self.say(device.identity, printable(text), kind=device.kind, topics=topics)

    async def readings(self) -> None:
        """Their measurements."""
        async with self.asking() as (peers, directory):
            devices = await self.found(directory)
            if self.arguments.follow:
                await self._follow(peers, devices)
                return
            for found in devices:
                receiver = self.memory.receiver(found.device)
                try:
                    reading = await read(peers, found, receiver)
                except FleetError as error:
                    self.complain(found.device.identity, error)
                    continue
                self._show(receiver, reading)

    async def _follow(self, peers: Peers, devices: list[Found]) -> None:
        """All of them side by side, until the count is reached."""
        queue: asyncio.Queue[tuple[Receiver, Reading | FleetError] | None] = asyncio.Queue()

        async def one(found: Found) -> None:
            receiver = self.memory.receiver(found.device)
            try:
                async for each in follow_device(peers, found, receiver, self.arguments.every):
                    queue.put_nowait((receiver, each))
            except UnreachableError as error:
                queue.put_nowait((receiver, error))
            finally:
                queue.put_nowait(None)

        tasks = [asyncio.create_task(one(found)) for found in devices]
        running, left = len(tasks), self.arguments.count
        try:
            while running and left != 0:
                came = await queue.get()
                if came is None:
                    running -= 1
                elif isinstance(came[1], FleetError):
                    self.complain(came[0].device.identity, came[1])
                else:
                    self._show(came[0], came[1])
                    left = None if left is None else left - 1
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        for fault in ended:
            if isinstance(fault, Exception):
                raise fault

    def _show(self, receiver: Receiver, reading: Reading) -> None:
        self.memory.keep(receiver)
        self.say(
            reading.identity,
            f"#{reading.sequence}  " + ", ".join(_told(record) for record in reading.records),
            sequence=reading.sequence,
            records=[_as_json(record) for record in reading.records],
            object=reading.data.hex(),
        )


def _trust(arguments: argparse.Namespace) -> Trust:
    trust = Trust() if arguments.trust is None else Trust.from_file(arguments.trust)
    trust.names.update(Trust.of(arguments.identities).names)
    if not trust.names:
        raise WrongSettingError(
            "nobody is trusted: give the identities on the devices' labels, or a --trust FILE"
        )
    for members in arguments.members:
        try:
            trust.reveal(Identity.parse(member) for member in members.split(","))
        except RefusedError as refused:
            raise WrongSettingError(
                f"--members: {refused}, which is not among the trusted"
            ) from refused
    for criterion in arguments.where:
        if "=" not in criterion or criterion.startswith("ep="):
            raise WrongSettingError(f"--where {criterion}: write NAME=VALUE, as kd=thermometer")
    for uri in (arguments.directory, arguments.proxy):
        if uri is not None:
            try:
                origin_of(uri)
            except UnreachableError as error:
                raise WrongSettingError(str(error)) from error
    return trust


def _told(record: Record) -> str:
    value = record.value
    if isinstance(value, bytes):
        value = value.hex()
    shown = f"{value:g}" if isinstance(value, float) else str(value)
    if value is None:
        shown = f"sum {record.sum:g}"
    parts = [record.name, printable(shown), printable(record.unit or "")]
    if record.time is not None:
        parts.append(f"at {_time(record.time)}")
    if record.clock is not None:
        parts.append(f"(clock {record.clock.source} {record.clock.seconds:g} s)")
    return " ".join(part for part in parts if part)


def _time(seconds: float) -> str:
    try:
        told = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    except (OverflowError, ValueError, OSError):
        return f"{seconds:g}"
    return told.isoformat(timespec="seconds").replace("+00:00", "Z")


def _as_json(record: Record) -> dict[str, object]:
    """The record by SenML's names of JSON."""
    value = record.value
    label = {str: "vs", bool: "vb", bytes: "vd"}.get(type(value), "v")
    fields = {
        "n": record.name,
        "u": record.unit,
        label: value.hex() if isinstance(value, bytes) else value,
        "s": record.sum,
        "t": record.time,
        "clock": None if record.clock is None else dataclasses.asdict(record.clock),
    }
    return {name: field for name, field in fields.items() if field is not None}


def main(words: list[str] | None = None) -> int:
    """Carry out a command; the exit status."""
    parser = _parser()
    arguments = parser.parse_args(words)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal may lack letters of a device's text.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        command = _Command(arguments)
        asyncio.run(command.devices() if arguments.command == "devices" else command.readings())
    except WrongSettingError as error:
        print(f"corral_fleet: {error}", file=sys.stderr)
        return 2
    except FleetError as error:
        print(f"corral_fleet: {printable(str(error))}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader closed the output; Python would complain at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return command.status


if __name__ == "__main__":
    sys.exit(main())
