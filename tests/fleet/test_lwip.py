# SPDX-License-Identifier: Apache-2.0
"""apps/sensor on an emulated processor with Ethernet, over lwIP, at the server."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from corral.build import image as corral_build
from corral.fleet.wire import Wire
from corral.run import program as corral_run
from corral.run import provision
from corral_server import Server
from harness.program import EMULATED


class Lossy(Wire):
    """Loses each third datagram, whichever way it goes."""

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self._number = count(1)
        self.lost = 0

    def loses(self, message: bytes) -> bool:
        is_lost = next(self._number) % 3 == 0
        self.lost += is_lost
        return is_lost


def test_readings__through_a_network_that_loses_a_third__all_arrive_once(
    server: Server, tmp_path: Path
) -> None:
    built = corral_build.build("sensor-lwip", EMULATED)
    images = tmp_path / "chips"
    provision.prepare_virtual_chips(EMULATED, images)
    flash = f"flash={tmp_path / 'flash'}"

    def live(wire: Wire, *words: str) -> tuple[int, str]:
        """Run it once with its flash, by the computer's clock. Returns its status and output."""
        at = wire.address_for_guests
        where = (flash, f"broker={at}", "interval=1", "every=1")
        done = corral_run.run(built, (*where, *words), None, images, True, repeats=False)
        return done.returncode, done.stdout

    wire = Lossy(f"{server.host}:{server.port}")
    with wire.passing():
        status, said = live(wire, "count=0")
        assert (status, wire.up) == (0, []), said
        identity = said.split("identity: ")[1][:32]
        server.run("enrol", identity)
        status, said = live(wire, "count=2")
        assert (status, said.count("sensor: published")) == (0, 2), said
    assert wire.lost > 2
    rows = server.rows("readings")
    assert [row["records"][0]["v"] for row in rows] == [21.5, 21.6]
    assert {row["identity"] for row in rows} == {identity}
    assert server.rows("verify", str(server.store))[0]["faults"] == []


def test_network__without_a_place_to_go_to__is_no_transport(tmp_path: Path) -> None:
    built = corral_build.build("sensor-lwip", EMULATED)
    images = tmp_path / "chips"
    provision.prepare_virtual_chips(EMULATED, images)
    for words in ((), ("broker=nobody",), ("broker=10.0.2.2:0",), ("broker=10.0.2.2:65536",)):
        done = corral_run.run(built, ("count=0", *words), None, images, capture=True)
        assert (done.returncode, "sensor: no transport" in done.stdout) == (1, True), words
