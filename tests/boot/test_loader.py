# SPDX-License-Identifier: Apache-2.0
"""apps/boot in QEMU: it starts the image that is verified, tries a new one, and takes it back."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from corral.build import image as building
from corral.run import program as running
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from elftools.elf.elffile import ELFFile

from update import images

BOARD = "mps2-an386"
PAGE_SIZE = 4096
SLOT = 2 * PAGE_SIZE
SLOT_SIZE = 0x40000
HEADER_SIZE = 0x200
#: Behind the flash.
COUNTER = SLOT + 2 * SLOT_SIZE
#: boards/mps2-an386/memory.ld
RAM, RAM_END, MEMORY = 0x20000000, 0x20400000, 0x21000000
READY, FAILED, TRIAL = 0, 4, 5
NO_IMAGE, NO_SIGNATURE, OLDER, NO_FLASH, NO_START = -135, -149, -133, -146, -134


def signed(
    code: bytes, version: str, key: ec.EllipticCurvePrivateKey = images.KEY, counter: int = 0
) -> bytes:
    """An image as imgtool signs it, without the entries that Corral does not read."""
    area = struct.pack("<HHHHI", 0x6908, 12, 0x50, 4, counter) if counter else b""
    header = struct.pack(
        "<IIHHIIBBHI",
        0x96F3B83D,
        0,
        HEADER_SIZE,
        len(area),
        len(code),
        0,
        *(int(number) for number in version.split(".")),
        0,
    )
    content = header.ljust(HEADER_SIZE, b"\0") + code + area
    return images.with_signature(content, key.sign(content, ec.ECDSA(hashes.SHA256())))


@pytest.fixture(scope="module")
def loader() -> building.Build:
    return building.build("boot", BOARD)


@pytest.fixture(scope="module")
def code() -> bytes:
    """The application, as objcopy writes its memory."""
    built = building.build("../tests/boot/application", BOARD)
    with built.image.open("rb") as file:
        parts = [s for s in ELFFile(file).iter_segments("PT_LOAD") if s["p_filesz"] > 0]
        end = max(part["p_paddr"] + part["p_filesz"] for part in parts)
        content = bytearray(end - MEMORY)
        for part in parts:
            at = part["p_paddr"] - MEMORY
            content[at : at + part["p_filesz"]] = part.data()
    return bytes(content)


class Device:
    """A board whose flash is a file, with an image in its first slot."""

    def __init__(self, folder: Path, loader: building.Build, image: bytes) -> None:
        self.loader, self.input = loader, folder / "input.bin"
        self.flash = folder / "slots.bin"
        content = b"\xff" * SLOT + image
        self.flash.write_bytes(content.ljust(COUNTER + PAGE_SIZE, b"\xff"))

    def run(self, image: bytes = b"") -> tuple[list[str], int]:
        """From power on to the end, with an image to install. Returns lines and status."""
        self.input.write_bytes(image)
        words, given = [f"slots={self.flash}"], self.input if image else None
        done = running.run(self.loader, words, given, capture=True, repeats=False)
        return done.stdout.split("\n")[:-1], done.returncode

    def change(self, at: int) -> None:
        content = bytearray(self.flash.read_bytes())
        content[at] ^= 1
        self.flash.write_bytes(content)


def line(version: str, state: int, error: int = 0) -> str:
    return f"{version} {state} {error}"


def stopped(status: int) -> tuple[list[str], int]:
    return [f"boot: no image starts: {status}"], 1


def ended(*lines: str, status: int = 0) -> tuple[list[str], int]:
    return [*lines, f"ends with {status}"], 2 if status else 0


@pytest.fixture
def device(tmp_path: Path, loader: building.Build, code: bytes) -> Device:
    return Device(tmp_path, loader, signed(code, "1.2.0"))


def test_image_that_accepts_itself_stays(device: Device, code: bytes) -> None:
    first, newer = line("1.2.0", READY), line("1.3.0", TRIAL)
    assert device.run() == ended(first)
    assert device.run(signed(code, "1.3.0")) == ended(first, newer)
    assert device.run() == ended(line("1.3.0", READY))
    # And the next one goes to the other slot.
    assert device.run(signed(code, "1.4.0")) == ended(line("1.3.0", READY), line("1.4.0", TRIAL))
    assert device.run() == ended(line("1.4.0", READY))


def test_image_that_does_not_accept_itself_is_taken_back(device: Device, code: bytes) -> None:
    started = [line("1.2.0", READY), line("1.3.1", TRIAL)]
    assert device.run(signed(code, "1.3.1")) == ended(*started)
    assert device.run() == ended(line("1.2.0", FAILED, -132))


def test_image_that_crashes_is_taken_back(device: Device, code: bytes) -> None:
    started = [line("1.2.0", READY), line("1.3.2", TRIAL)]
    assert device.run(signed(code, "1.3.2")) == ([*started, "", "processor fault"], 255)
    assert device.run() == ended(line("1.2.0", FAILED, -132))


def test_image_that_rejects_itself_is_taken_back(device: Device, code: bytes) -> None:
    lines = [line("1.2.0", READY), line("1.3.3", TRIAL), line("1.2.0", FAILED, -147)]
    assert device.run(signed(code, "1.3.3")) == ended(*lines)


def test_forged_image_is_rejected(device: Device, code: bytes) -> None:
    forged = signed(code, "1.3.0", images.OTHER)
    assert device.run(forged) == ended(line("1.2.0", READY), status=NO_SIGNATURE)
    assert device.run() == ended(line("1.2.0", FAILED, NO_SIGNATURE))


def test_older_image_is_rejected(device: Device, code: bytes) -> None:
    assert device.run(signed(code, "1.1.0")) == ended(line("1.2.0", READY), status=OLDER)
    assert device.run() == ended(line("1.2.0", FAILED, OLDER))


def test_flash_that_an_attacker_sets_back_does_not_start(device: Device, code: bytes) -> None:
    old = device.flash.read_bytes()[:COUNTER]
    newer = signed(code, "1.3.0", counter=2)
    assert device.run(newer) == ended(line("1.2.0", READY), line("1.3.0", TRIAL))
    assert device.run() == ended(line("1.3.0", READY))
    device.flash.write_bytes(old + device.flash.read_bytes()[COUNTER:])
    assert device.run() == stopped(OLDER)


def test_image_on_trial_leaves_the_way_back(device: Device, code: bytes) -> None:
    started = [line("1.2.0", READY), line("1.3.1", TRIAL)]
    assert device.run(signed(code, "1.3.1", counter=2)) == ended(*started)
    assert device.run() == ended(line("1.2.0", FAILED, -132))


def test_loader_without_a_good_image_stops(device: Device, code: bytes) -> None:
    device.change(SLOT + HEADER_SIZE + len(code) - 1)
    assert device.run() == stopped(NO_SIGNATURE)
    device.change(SLOT)
    assert device.run() == stopped(NO_IMAGE)
    device.flash.unlink()
    assert device.run() == stopped(NO_FLASH)


def test_signed_image_that_cannot_start_is_taken_back(device: Device, code: bytes) -> None:
    broken = struct.pack("<II", 0, 0) + code[8:]
    lines, status = device.run(signed(broken, "1.3.0"))
    assert (lines[1:], status) == stopped(NO_START)
    assert device.run() == ended(line("1.2.0", FAILED, -132))


@pytest.mark.parametrize(
    ("stack", "entry", "size"),
    [
        (RAM, MEMORY + 65, 128),
        (RAM_END + 8, MEMORY + 65, 128),
        (RAM_END - 4, MEMORY + 65, 128),
        (RAM_END, MEMORY + 64, 128),
        (RAM_END, MEMORY + 63, 128),
        (RAM_END, MEMORY + 129, 128),
        (RAM_END, 65, 128),
        (RAM_END, MEMORY + 65, 64),
        (RAM_END, MEMORY + 65, 0),
    ],
    ids=str,
)
def test_image_for_other_memory_does_not_start(
    stack: int, entry: int, size: int, tmp_path: Path, loader: building.Build
) -> None:
    # Its first instructions end the run by a call of the host, if it starts.
    code = struct.pack("<II", stack, entry).ljust(64, b"\0") + _EXIT.ljust(64, b"\0")
    assert Device(tmp_path, loader, signed(code[:size], "1.0.0")).run() == stopped(NO_START)


#: ldr r0, =0x18; ldr r1, =0x20026; bkpt 0xab
_EXIT = bytes.fromhex("18200149abbe00bf26000200")


def test_smallest_image_starts(tmp_path: Path, loader: building.Build) -> None:
    code = struct.pack("<II", RAM_END, MEMORY + 65).ljust(64, b"\0") + _EXIT
    assert Device(tmp_path, loader, signed(code, "1.0.0")).run() == ([], 0)
