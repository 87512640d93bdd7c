# SPDX-License-Identifier: Apache-2.0
"""Bad entropy through the emulator: boards with two sources, and with one."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from corral.build import image as build
from corral.run import program as run
from corral.run.chips import running
from harness import waiting
from harness.program import Program

APP = "../tests/boards/entropy"
TWO, ONE = "riscv32-virt", "mps2-an386"
DEVICE, HOST = 1, 2  # bits of corral_entropy_failed()
SUCCESS, INSUFFICIENT, BAD_STATE = 0, -148, -137
#: More than a run takes, of the device, which gives 64 bytes for each request, too.
PLENTY = 20000
#: Of both sources, the start-up test and the first seed; the emulator reads somewhat ahead.
BEGUN = 2000
#: Bytes that look random, the same in each run: a real source sets off the tests now and then.
GOOD = random.Random(14).randbytes(PLENTY)
OTHER = random.Random(41).randbytes(PLENTY)
BAD = {
    "zeros": bytes(PLENTY),
    "pattern": bytes(range(4)) * (PLENTY // 4),
    "nothing": b"",
}


@cache
def built(board: str) -> build.Build:
    return build.build(
        APP, board, build.Options(name=f"tests/entropy-{board}", together="core and glue")
    )


def drawn(board: str, scratch: Path, device: bytes, host: bytes) -> list[tuple[int, int]]:
    """Status and sources that are out: of the initialisation, and of each draw.

    A file that ends is one that does not answer, for which the program waits; so no bytes at all
    for the device mean that there is none.
    """
    (scratch / "device").write_bytes(device)
    (scratch / "host").write_bytes(host)
    done = built(board)
    # No word of a command line of semihosting may be long, and names are relative to here.
    with running((), done.folder, True) as channel:
        for name in ("device", "host"):
            (channel.folder / name).symlink_to(scratch / name)
        word = f"entropy={channel.folder / 'host'}"
        command = run.command_of(done, channel, None, False, (word,), repeats=False)
        if "virtio-rng-device" in command:
            at = command.index("virtio-rng-device")
            source = f"rng-random,id=source,filename={channel.folder / 'device'}"
            there = ["-object", source, "-device", "virtio-rng-device,rng=source"]
            command[at - 1 : at + 1] = there if device else []
        result = waiting.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    lines = [line.split() for line in result.stdout.splitlines()]
    return [(int(status), int(out)) for _, status, out in lines]


def changes(of: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Without what is as it was before."""
    return [row for i, row in enumerate(of) if i == 0 or row != of[i - 1]]


def test_two_good_sources_stay_in(tmp_path: Path) -> None:
    assert changes(drawn(TWO, tmp_path, GOOD, OTHER)) == [(SUCCESS, 0)]


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("source", [DEVICE, HOST])
def test_source_that_is_bad_from_the_start_is_out_and_the_other_is_enough(
    tmp_path: Path, kind: str, source: int
) -> None:
    device, host = (BAD[kind], OTHER) if source == DEVICE else (GOOD, BAD[kind])
    assert changes(drawn(TWO, tmp_path, device, host)) == [(SUCCESS, source)]


@pytest.mark.parametrize(("kind", "length"), [("zeros", 300), ("pattern", PLENTY)])
@pytest.mark.parametrize("source", [DEVICE, HOST])
def test_source_that_goes_bad_is_out_for_good(
    tmp_path: Path, kind: str, length: int, source: int
) -> None:
    """Also when it is good again. A pattern is seen by its share of a window, later."""
    bad = BAD[kind][:length]
    device = GOOD[:BEGUN] + bad + GOOD[BEGUN:] if source == DEVICE else GOOD
    host = OTHER[:BEGUN] + bad + OTHER[BEGUN:] if source == HOST else OTHER
    assert changes(drawn(TWO, tmp_path, device, host)) == [(SUCCESS, 0), (SUCCESS, source)]


def test_two_bad_sources_give_nothing(tmp_path: Path) -> None:
    found = drawn(TWO, tmp_path, BAD["zeros"], BAD["pattern"])
    assert changes(found) == [(INSUFFICIENT, DEVICE | HOST), (BAD_STATE, DEVICE | HOST)]


def test_two_sources_that_go_bad_give_nothing_until_one_passes_the_start_up_test(
    tmp_path: Path,
) -> None:
    bad = bytes(300)
    device, host = GOOD[:BEGUN] + BAD["zeros"], OTHER[:BEGUN] + bad + OTHER[BEGUN:]
    found = changes(drawn(TWO, tmp_path, device, host))
    assert found[0] == (SUCCESS, 0)
    assert (INSUFFICIENT, DEVICE | HOST) in found
    assert found[-1] == (SUCCESS, DEVICE)


@pytest.mark.parametrize("kind", BAD)
def test_single_source_that_goes_bad_gives_nothing(tmp_path: Path, kind: str) -> None:
    found = changes(drawn(ONE, tmp_path, b"", OTHER[:BEGUN] + BAD[kind]))
    assert found == [(SUCCESS, 0), (INSUFFICIENT, 0)]
    found = changes(drawn(ONE, tmp_path, b"", BAD[kind]))
    assert found == [(INSUFFICIENT, 0), (BAD_STATE, 0)]


def test_each_request_to_the_device_fails_in_turn() -> None:
    wrap = tuple(f"-Wl,--wrap=corral_port_{name}" for name in ("virtio_ask", "entropy_host"))
    Program("boards/queue", TWO, "entropy-queue", {}, link_flags=wrap).run().check(3)
