# SPDX-License-Identifier: Apache-2.0
"""./corral fleet demo: a fleet of three devices, its functions, and the attacks that it stops.

All of it is in a folder that goes away, but for the simulated elements, which are the demo's own.
"""

from __future__ import annotations

import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from corral import ROOT
from corral.build.image import Options
from corral.common import system
from corral.common.progress import alone, step
from corral.common.table import align, listing
from corral.errors import fail
from corral.fleet import devices as making
from corral.fleet import server as serving
from corral.fleet import wire as network
from corral.fleet.devices import PROCESS, Device
from corral.fleet.server import Row, Server
from corral.fleet.wire import Wire
from corral.run import needed
from corral.run.chips import scratch_folder

FOLDER = ROOT / "build" / "fleet" / "demo"
_READINGS = 4
_EVERY = 2  # the n-th of which is confirmable
_INTERVAL = 100  # milliseconds
_PATIENCE = 120.0  # seconds until the server has written what it refused
_READ = 4  # kind of a reading in the store's log
_HEADS = ("place", "processor", "key in", "identity", "readings", "frames", "damaged")


@dataclass
class Fleet:
    """The common state of the demo's steps."""

    devices: list[Device]
    server: Server
    wire: Wire
    say: Callable[[str], None]
    figures: Row = field(default_factory=dict)

    def live(self, devices: Sequence[Device], count: int, **options: int) -> dict[str, list[str]]:
        """Let devices run, through the wire."""
        return making.live(
            devices,
            self.server.binary,
            self.wire,
            count=count,
            every=_EVERY,
            interval=_INTERVAL,
            directory=1,
            **options,
        )

    def expect(self, holds: bool, what: str) -> None:
        """The statements of the demo are checked."""
        if not holds:
            raise fail("fleet demo", f"not so: {what}", "./corral test tests/fleet says more")

    def refused(self, what: str, attack: Callable[[], str]) -> None:
        """Carry out an attack; the server refuses it, for a reason that it keeps."""
        before = len(self.server.rows("refused"))
        answer = attack()
        end = time.monotonic() + _PATIENCE
        while len(rows := self.server.rows("refused")) == before and time.monotonic() < end:
            time.sleep(0.05)
        self.expect(len(rows) > before, f"{what} was refused")
        reason = rows[-1]["reason"]
        self.say(f"   {what}: refused, {reason!a} ({answer})")
        self.figures.setdefault("refused", {})[what] = reason

    def accepted(self) -> int:
        """How many readings the server has accepted."""
        return len(self.server.rows("readings", "--last", "10000"))


def demo(is_json: bool, process: Options = PROCESS, folder: Path = FOLDER) -> int:
    """Run all of it; 0, or an error says what was otherwise than it should be."""
    say: Callable[[str], None] = (lambda _: None) if is_json else print
    system.ensure(["host", "cargo"], needed.by_boards(making.BOARDS))
    with alone(folder):
        binary = serving.binary()
        with tempfile.TemporaryDirectory(prefix="corral-", dir=scratch_folder()) as scratch:
            devices = making.build_all(folder / "chips", Path(scratch), process)
            begin = time.monotonic()
            figures = _demo(devices, Server(binary, Path(scratch, "fleet.sqlite")), say)
            figures["seconds"] = round(time.monotonic() - begin, 1)
    if is_json:
        print(json.dumps(figures))
    else:
        _sum_up(figures)
    return 0


@contextmanager
def _fleet(devices: list[Device], server: Server, say: Callable[[str], None]) -> Iterator[Fleet]:
    with server.serving():
        wire = Wire(server.address)
        with wire.passing():
            yield Fleet(devices, server, wire, say)


def _demo(devices: list[Device], server: Server, say: Callable[[str], None]) -> Row:
    with _fleet(devices, server, say) as fleet:
        say(f"\n1. corral-fleet listens at coap://{server.address}; its store is one file, empty.")
        _enrol(fleet)
        _publish(fleet)
        _attack(fleet)
        _change_owner(fleet)
        _hand_over(fleet)
        _alter(fleet)
        return _figures(fleet)


def _enrol(fleet: Fleet) -> None:
    with step("three devices make their keys"):
        fleet.live(fleet.devices, count=0)
    fleet.say("2. Three devices have made their keys. Their labels are all that is configured:")
    rows = []
    for device in fleet.devices:
        label = _label(fleet, device)
        fleet.server.rows("enrol", label, "--place", device.name)
        rows.append((device.what, f"key in {device.key}", label, f"enrolled: {device.name}"))
    fleet.say(align(rows, indent="   ", left=range(4)))


def _label(fleet: Fleet, device: Device) -> str:
    return str(fleet.server.rows("labels", device.identity)[0]["label"])


def _publish(fleet: Fleet) -> None:
    with step("they register and publish"):
        fleet.live(fleet.devices, count=_READINGS)
    rows = fleet.server.rows("devices")
    wanted = _READINGS * len(fleet.devices)
    fleet.expect(fleet.accepted() == wanted, f"{wanted} readings were accepted")
    size = round(statistics.mean(map(len, fleet.wire.readings())))
    fleet.say(
        f"3. They have registered and published {wanted} readings of {size} bytes on the wire, each"
        " signed.\n   All were verified; the newest:"
    )
    newest = {row["identity"]: row for row in fleet.server.rows("readings")}
    places = {row["identity"]: row["place"] for row in rows}
    shown = [
        (places[name], f"{row['records'][0]['v']} {row['records'][0]['u']}", f"{row['sequence']}")
        for name, row in newest.items()
    ]
    fleet.say(align([(place, v, f"number {n}") for place, v, n in shown], "   ", range(3)))
    fleet.figures["reading_bytes"] = size


def _attack(fleet: Fleet) -> None:
    fleet.say("4. An attacker is on the network:")
    before = fleet.accepted()
    recorded = fleet.wire.readings()
    short = [message for message in recorded if network.has_low_bits(message)]
    forged = network.altered(short[-1])
    fleet.refused("a reading sent once more", lambda: fleet.wire.send(recorded[0]))
    fleet.refused("a reading with another value", lambda: fleet.wire.send(forged))
    office = fleet.devices[0]
    stranger = Device(
        "stranger", office.what, office.key, office.build, fleet.devices[0].folder, office.images
    )
    fleet.refused("a device without an owner here", lambda: _said(fleet, stranger))
    fleet.expect(fleet.accepted() == before, "nothing of that was accepted")


def _said(fleet: Fleet, device: Device, **options: int) -> str:
    """The output of a device about the one reading that it tries to publish."""
    return fleet.live([device], count=1, **options)[device.name][-1]


def _change_owner(fleet: Fleet) -> None:
    """The device with the least memory gets a new owner."""
    device = fleet.devices[-1]
    old = device.identity
    fleet.say(f"5. The {device.name}'s device is sold. A reset destroys its key and makes another:")
    fleet.refused("it, under its new identity", lambda: _said(fleet, device, reset=1))
    fleet.expect(device.identity != old, "a reset makes another identity")
    fleet.server.run("revoke", old)
    fleet.server.rows("enrol", _label(fleet, device), "--place", device.name)
    before = fleet.accepted()
    with step("it publishes for its new owner"):
        _said(fleet, device)
    fleet.expect(fleet.accepted() == before + 1, "it publishes for its new owner")
    fleet.say(f"   enrolled by its new label, {_label(fleet, device)}, it publishes again;")
    fleet.say("   the old identity is revoked, and its readings stay verifiable.")


def _hand_over(fleet: Fleet) -> None:
    """The device that is a process gets another key, and stays where it is."""
    device = fleet.devices[0]
    old = device.identity
    before = fleet.accepted()
    fleet.say(
        f"6. The {device.name}'s device stays, and gets another key. Its old one signs for it:"
    )
    with step("it hands over"):
        _said(fleet, device, handover=1)
    places = {row["identity"]: row for row in fleet.server.rows("devices")}
    new = places[device.identity]
    fleet.expect(device.identity != old and places[old]["revoked"], "the old identity is revoked")
    fleet.expect(new["place"] == device.name and not new["revoked"], "the new one has its place")
    fleet.expect(fleet.accepted() == before + 1, "it publishes under its new identity")
    fleet.say(f"   it publishes as {_label(fleet, device)}, which nobody")
    fleet.say("   enrolled; the old identity is revoked.")


def _alter(fleet: Fleet) -> None:
    """The owner of the file may write to it; a verifier notices."""
    copy = fleet.server.store.with_name("copy.sqlite")
    fleet.server.run("backup", str(copy))
    status, rows = fleet.server.run("verify", str(copy))
    fleet.expect(status == 0 and rows[0]["faults"] == [], "the store verifies")
    fleet.figures["verified"] = {name: rows[0][name] for name in ("readings", "registrations")}
    fleet.say(
        f"7. An application verifies the broker's file, offline: {rows[0]['readings']} readings and"
        f" {rows[0]['registrations']} registrations hold."
    )
    place = _write_by_hand(copy)
    status, rows = fleet.server.run("verify", str(copy))
    faults = rows[0]["faults"]
    fleet.expect(status == 1 and len(faults) > 0, "the altered store does not verify")
    fleet.expect(faults[0]["position"] == place, "the reading that was altered is named")
    what = faults[0]["what"]
    fleet.say(f"   The value in its entry {place} is altered by hand: {len(faults)} does not hold,")
    fleet.say(f"   entry {place}, {what!a}.")
    fleet.figures["altered"] = {"entry": place, "faults": [fault["what"] for fault in faults]}


def _write_by_hand(store: Path) -> int:
    """Alter the value of a stored reading; its position in the log."""
    with sqlite3.connect(store) as database:
        position, body = database.execute(
            "SELECT position, body FROM log WHERE kind = ? ORDER BY position LIMIT 1", (_READ,)
        ).fetchone()
        changed = bytearray(body)
        changed[-67] ^= 0x40  # before the signature of 64 bytes and its head of two
        database.execute("UPDATE log SET body = ? WHERE position = ?", (changed, position))
    database.close()
    return int(position)


def _figures(fleet: Fleet) -> Row:
    known = {row["identity"]: row for row in fleet.server.rows("devices")}
    rows: list[Row] = []
    for device in fleet.devices:
        row: Row = {"place": device.name, "processor": device.what, "key": device.key}
        row |= {"identity": device.identity, "gateway": device.gateway}
        of_place = [other for other in known.values() if other["place"] == device.name]
        row["readings"] = sum(other["readings"] or 0 for other in of_place)
        rows.append(row)
    passed = {"up": len(fleet.wire.up), "down": len(fleet.wire.down)}
    return {"devices": rows, "datagrams": passed, "accepted": fleet.accepted(), **fleet.figures}


def _sum_up(figures: Row) -> None:
    print("\nIn figures:\n")
    rows: list[Sequence[str]] = [_HEADS]
    for row in figures["devices"]:
        gateway = row["gateway"]
        frames = f"{gateway['up']} up, {gateway['down']} down" if gateway else "-"
        damaged = str(gateway["malformed"]) if gateway else "-"
        short = f"{row['identity'][:4]}..{row['identity'][-4:]}"
        rows.append(
            (
                row["place"],
                row["processor"],
                row["key"],
                short,
                str(row["readings"]),
                frames,
                damaged,
            )
        )
    print("\n".join(listing(rows)))
    wire = figures["datagrams"]
    print(
        f"\n{figures['accepted']} readings accepted, {len(figures['refused'])} attempts refused,"
        f" {len(figures['altered']['faults'])} alteration found; {wire['up']} datagrams to the"
        f" server and {wire['down']} from it; {figures['seconds']:.0f} s"
    )
