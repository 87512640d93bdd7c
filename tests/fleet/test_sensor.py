# SPDX-License-Identifier: Apache-2.0
"""apps/sensor registers and publishes at servers of aiocoap. Independent libraries verify its
messages. It runs as a process over UDP, and on an emulated processor with its key in a virtual
element, over a serial line and a gateway."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import aiocoap
import pytest
from corral.build import image as corral_build
from corral.common import loopback
from corral.common.progress import alone
from corral.fleet import demo
from corral.run import program as corral_run
from corral.run import provision
from corral_server import Server
from gateway import Line, check_sequence, frame, live_on_line
from harness import waiting
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS
from servers import Seen, serve

TIME_LIMIT = waiting.PATIENCE


@pytest.fixture(scope="module")
def sensor() -> Path:
    options = corral_build.Options(
        settings=WITHOUT_ELEMENTS, sanitize="address,undefined", name="tests/fleet-sensor"
    )
    return corral_build.build("sensor", NATIVE, options).image


async def _run(image: Path, folder: Path, port: int, **options: str) -> tuple[int, str]:
    """Run the device; its storage is in a folder. Returns its status and its output."""
    named = {f"FLEET_{name.upper()}": value for name, value in options.items()}
    process = await asyncio.create_subprocess_exec(
        image,
        env={
            **os.environ,
            "CORRAL_STORAGE": str(folder),
            "FLEET_BROKER": loopback.at(port),
            "FLEET_INTERVAL": "1",
            **named,
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await asyncio.wait_for(process.communicate(), TIME_LIMIT)
    return process.returncode or 0, output.decode()


async def _lives(image: Path, folder: Path, seen: Seen) -> list[str]:
    """A device is started, started again, and reset. Returns its identities."""
    context, port = await serve(seen)
    found = []
    try:
        for options in (
            {"count": "5", "directory": loopback.at(port)},
            {"count": "2"},
            {"count": "1", "reset": "1"},
        ):
            status, output = await _run(image, folder, port, **options)
            assert status == 0, output + "\n".join(seen.faults)
            found.append(output.split("identity: ")[1][:32])
            assert found[-1] == seen.verifier.identity.hex()
    finally:
        await context.shutdown()
    return found


def test_readings__of_three_lives__are_verified_by_others(sensor: Path, tmp_path: Path) -> None:
    seen = Seen()
    first, second, third = asyncio.run(_lives(sensor, tmp_path / "storage", seen))
    assert seen.faults == []
    assert first == second != third
    assert seen.endpoints == [f"ep={first}"]
    assert seen.verifier.registrations == 4  # one of them at the directory
    assert seen.verifier.kind == "thermometer"
    assert seen.confirmable == [False, False, False, True, False, False, False, False]
    numbers = [reading.sequence for reading in seen.verifier.readings]
    assert numbers[:5] == [3, 4, 5, 6, 7]  # two registrations came before
    assert numbers[5] == 66  # behind the block of 64 that the first life had reserved
    assert numbers[7] == 2
    assert [r.is_full for r in seen.verifier.readings[:5]] == [True, False, False, True, False]
    assert [float(r.pack[0][2]) for r in seen.verifier.readings[:3]] == [21.5, 21.6, 21.7]
    assert seen.verifier.readings[0].pack[0][1] == "Cel"


async def _refused(image: Path, folder: Path, seen: Seen) -> tuple[int, str]:
    context, port = await serve(seen)
    try:
        return await _run(image, folder, port, count="1", every="1")
    finally:
        await context.shutdown()


def test_readings__at_our_own_server__are_refused_until_enrolled(
    sensor: Path, server: Server, tmp_path: Path
) -> None:
    """Broker and directory in one; a stranger is refused, and known after its label was scanned."""
    here = f"127.0.0.1:{server.port}"

    def live(**options: str) -> tuple[int, str]:
        named = {"broker": here, "directory": here, **options}
        return asyncio.run(_run(sensor, tmp_path / "storage", server.port, **named))

    status, output = live(count="1")
    assert status == 1
    assert "sensor: refused" in output
    identity = output.split("identity: ")[1][:32]
    assert server.rows("readings") == []
    server.run("enrol", identity)
    status, output = live(count="5")
    assert status == 0, output
    taken = server.rows("readings")
    assert len(taken) == 5
    assert {row["identity"] for row in taken} == {identity}
    numbers = [row["sequence"] for row in taken]
    assert numbers == list(range(numbers[0], numbers[0] + 5))


async def _until_stopped(image: Path, folder: Path, port: int) -> tuple[list[str], int]:
    """Run a device without an end, and stop it. Returns its lines and its status."""
    environment = {"CORRAL_STORAGE": str(folder), "FLEET_BROKER": loopback.at(port)}
    process = await asyncio.create_subprocess_exec(
        image,
        env={**os.environ, **environment, "FLEET_INTERVAL": "1"},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    lines = []
    while sum("published" in line for line in lines) < 50:
        line = await asyncio.wait_for(process.stdout.readline(), TIME_LIMIT)
        assert line, "it ended by itself"
        lines.append(line.decode())
    process.terminate()
    return lines, await process.wait()


def test_sensor__publishes_until_it_is_stopped(sensor: Path, tmp_path: Path) -> None:
    async def live(seen: Seen) -> int:
        context, port = await serve(seen)
        try:
            _, status = await _until_stopped(sensor, tmp_path / "storage", port)
        finally:
            await context.shutdown()
        return status

    seen = Seen()
    assert asyncio.run(live(seen)) == -signal.SIGTERM
    assert seen.faults == []
    assert len(seen.verifier.readings) >= 50


LABEL = "ae31-580c-8def-1fbf-0dd5-ed28-b72f-b79b;a"


@pytest.mark.parametrize(
    ("option", "value", "is_right"),
    [
        ("commander", "first", True),
        ("commander", LABEL, True),
        ("commander", LABEL.upper(), True),
        ("commander", LABEL.partition(";")[0], True),
        ("commander", LABEL.partition(";")[0].replace("-", ""), True),
        ("commander", "CF1:AE31580C8DEF1FBF0DD5ED28B72FB79B", True),
        ("commander", LABEL[:-1] + "b", False),
        ("commander", LABEL + "a", False),
        ("commander", LABEL[:-1], False),
        ("commander", "0" + LABEL, False),
        ("commander", LABEL.partition(";")[0][1:], False),
        ("commander", LABEL.replace("a", "g"), False),
        ("commander", "b72fb79b", False),
        ("commander", "", False),
        ("commander", "First", False),
        ("count", "-1", False),
        ("count", "+1", False),
        ("count", "1 ", False),
        ("count", "", False),
        ("count", "4294967296", False),
        ("interval", "1s", False),
        ("interval", "0x10", False),
        ("every", "255", True),
        ("every", "256", False),
    ],
)
def test_option__that_is_not_understood__ends_the_sensor_at_its_start(
    sensor: Path, tmp_path: Path, option: str, value: str, is_right: bool
) -> None:
    options = {"count": "0", option: value}
    status, output = asyncio.run(_run(sensor, tmp_path / "storage", 1, **options))
    assert status == (0 if is_right else 1)
    assert (f"sensor: wrong option: {option}" in output) is not is_right
    assert ("identity: " in output) is is_right


def test_conflicts__lead_to_a_registration_and_the_reading(sensor: Path, tmp_path: Path) -> None:
    seen = Seen(refuse_next=[aiocoap.NOT_FOUND, aiocoap.CONFLICT])
    status, output = asyncio.run(_refused(sensor, tmp_path / "storage", seen))
    assert status == 0, output
    assert seen.faults == []
    assert seen.verifier.registrations == 3
    assert len(seen.verifier.readings) == 1


def _board_build() -> corral_build.Build:
    return corral_build.build(
        "sensor", EMULATED, corral_build.Options(name="tests/fleet-sensor-board")
    )


async def _on_board(images: Path, seen: Seen, *words: str) -> tuple[int, Line]:
    context, port = await serve(seen)
    try:
        return await live_on_line(_board_build(), images, port, words, TIME_LIMIT)
    finally:
        await context.shutdown()


def test_readings__of_a_key_in_an_element__come_over_a_serial_line(tmp_path: Path) -> None:
    images = tmp_path / "chips"
    provision.prepare_virtual_chips(EMULATED, images)
    seen = Seen()
    status, line = asyncio.run(_on_board(images, seen, "count=5", "interval=1", "every=4"))
    text = line.close()
    assert seen.faults == []
    assert status == 0, text
    assert f"identity: {seen.verifier.identity.hex()}" in text
    assert text.count("sensor: published") == 5
    assert seen.confirmable == [False, False, False, True, False]
    assert [reading.sequence for reading in seen.verifier.readings] == [2, 3, 4, 5, 6]


SMALL = "mega2560"
_PAGE = 512  # of its EEPROM, as the storage has it


def test_storage__of_the_atmega2560__goes_round_its_eeprom(tmp_path: Path) -> None:
    """A device is reset again and again: its entries move on, and old pages are erased."""
    eeprom, options = tmp_path / "eeprom", tmp_path / "options"
    built = corral_build.build("sensor", SMALL)
    images = demo.FOLDER / "chips" / SMALL

    def live(text: str) -> str:
        options.write_text(text)
        done = corral_run.run(built, [f"eeprom={eeprom}"], options, images, capture=True)
        assert done.returncode == 0, done.stdout
        return done.stdout.split("identity: ")[1][:32]

    def first_page_is_erased() -> bool:
        return set(eeprom.read_bytes()[:_PAGE]) == {0xFF}

    with alone(demo.FOLDER):
        provision.prepare_virtual_chips(SMALL, images)
        lives = [(live("count=0\nreset=1\n"), first_page_is_erased()) for _ in range(10)]
        identities, is_erased = zip(*lives, strict=True)
        assert live("count=0\n") == identities[-1]
    assert len(set(identities)) == len(lives)
    assert is_erased[0] is False  # then it is, and then it is written again
    assert True in is_erased
    assert is_erased[-1] is False


def _hear(line: Path) -> bytes:
    """The device's output on a line, until the line closes."""
    with socket.socket(socket.AF_UNIX) as end:
        end.settimeout(TIME_LIMIT)
        waiting.until(lambda: end.connect_ex(str(line)) == 0, "nobody listens at the line")
        return b"".join(iter(lambda: end.recv(1024), b""))


def test_files_of_the_simulator__are_its_own_or_left_alone(tmp_path: Path) -> None:
    eeprom, options, line = (tmp_path / name for name in ("eeprom", "options", "line"))
    built = corral_build.build("sensor", SMALL)
    images = demo.FOLDER / "chips" / SMALL
    options.write_text("count=0\n")
    letter = b"not an EEPROM" * 500
    eeprom.write_bytes(letter)
    with alone(demo.FOLDER):
        provision.prepare_virtual_chips(SMALL, images)
        words = [f"eeprom={eeprom}"]
        assert corral_run.run(built, words, options, images, capture=True).returncode != 0
        assert eeprom.read_bytes() == letter
        eeprom.unlink()
        with socket.socket(socket.AF_UNIX) as killed:
            killed.bind(str(line))  # a socket without a listener
        with ThreadPoolExecutor() as pool:
            for _ in range(2):
                said = pool.submit(_hear, line)
                done = corral_run.run(built, [*words, f"line={line}"], options, images, True)
                assert done.returncode == 0, done.stdout
                assert b"identity: " in said.result(TIME_LIMIT)
                assert not line.exists()
    assert len(eeprom.read_bytes()) == 4096


def test_gateway__frames_as_published() -> None:
    assert frame(bytes.fromhex("40001234")) == bytes.fromhex("c0a940001234e6b3c0")
    assert check_sequence(b"coap is cool!") == bytes.fromhex("2426")


#: The CoAP client, and the layers below it. The budget of the device does not include them.
COAP = ("coap.c", "coap_read.c", "exchange.c")
LINE = ("slipmux.c", "serial.c")
NETWORK = ("lan9118.c", "udp.c")
#: A row of a linker map: section, size, and source of a part of the image.
_PLACED = re.compile(
    r"^ \.(text|rodata|data|bss)\S*\s+0x\w+\s+0x(\w+)"
    r" \S*_fleet_device(|_lwip)\.dir/\S*?(\w+\.c)\.obj$",
    re.M,
)
_STRUCTURE = re.compile(r"^ \.bss\.device\.\d+\s+0x\w+\s+0x(\w+) ", re.M)
#: The sections of flash that RAM holds, too: an AVR reads its constants from there.
_IN_RAM = {"mps2-an386": ("data", "bss"), "mega2560": ("rodata", "data", "bss")}
#: The RAM of an image, and the least that it must leave to the stack.
_TAKEN = re.compile(r"^\.(?:data|bss|noinit)\s+0x\w+\s+0x(\w+)", re.M)
_RAM, _STACK = 8 * 1024, 5632


@dataclass
class Parts:
    """The device's side of an image: flash of each source, RAM, and the bytes of packages."""

    flash: dict[str, int] = field(default_factory=dict)
    ram: int = 0
    library: dict[str, int] = field(default_factory=lambda: {"flash": 0, "RAM": 0})


def _placed(built: corral_build.Build) -> str:
    text = (built.folder / f"{built.image.name}.map").read_text()
    return text[text.index("Linker script and memory map") :]


def device_parts(built: corral_build.Build) -> Parts:
    """By the image's map."""
    placed, in_ram = _placed(built), _IN_RAM[built.board.name]
    structure = _STRUCTURE.search(placed)
    assert structure is not None
    parts = Parts(ram=int(structure[1], 16))
    for section, digits, package, name in _PLACED.findall(placed):
        size = int(digits, 16)
        if package:
            parts.library["flash"] += size if section != "bss" else 0
            parts.library["RAM"] += size if section in in_ram else 0
            continue
        if section != "bss":
            parts.flash[name] = parts.flash.get(name, 0) + size
        if section in in_ram:
            parts.ram += size
    return parts


#: By which a device obeys: a slot for its commander's public key.
OBEYING = {"CORRAL_SINGLE_KEY_SLOTS": "1"}


@pytest.mark.parametrize(("board", "flash_limit"), [(EMULATED, 6.25), (SMALL, 11)])
def test_device_that_obeys__keeps_its_budget_of_flash(board: str, flash_limit: float) -> None:
    obeying = corral_build.Options(settings=OBEYING, name=f"tests/fleet-obeying-{board}", lto=False)
    flash = device_parts(corral_build.build("sensor", board, obeying)).flash
    device = sum(size for name, size in flash.items() if name not in (*COAP, *LINE))
    assert flash["command.c"] > 0
    assert 5000 < device <= flash_limit * 1024, f"{device} bytes"


@pytest.mark.parametrize(
    ("app", "board", "flash_limit", "passing", "passing_limit"),
    [
        ("sensor", EMULATED, 6, LINE, 512),
        ("sensor-lwip", EMULATED, 6, NETWORK, 1536),
        ("sensor", SMALL, 11, LINE, 1024),
    ],
)
def test_device_side__keeps_its_budget(
    app: str, board: str, flash_limit: int, passing: tuple[str, ...], passing_limit: int
) -> None:
    """docs/fleet/DEVICE.md has the figures."""
    # Optimised at the link, no source has a part of its own.
    apart = corral_build.Options(name=f"tests/fleet-{app}-{board}", lto=False)
    parts = device_parts(corral_build.build(app, board, apart))
    flash, ram, library = parts.flash, parts.ram, parts.library
    coap, passed = (sum(flash[name] for name in part) for part in (COAP, passing))
    device = sum(flash.values()) - coap - passed
    said = f"{device} bytes, CoAP {coap}, passing {passed}, {ram} bytes of RAM, lwIP {library}"
    assert 3000 < device <= device + passed <= flash_limit * 1024, said
    assert 1000 < coap <= 3 * 1024, said
    assert 0 < passed <= passing_limit, said
    assert 200 < ram <= 700, said
    if passing is NETWORK:
        assert 5000 < library["flash"] <= 6656, said
        assert 2560 < library["RAM"] <= 3072, said
    if board == SMALL:
        taken = sum(
            int(size, 16) for size in _TAKEN.findall(_placed(corral_build.build(app, board)))
        )
        assert _STACK <= _RAM - taken < _RAM, taken
