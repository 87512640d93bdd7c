# SPDX-License-Identifier: Apache-2.0
"""The virtio crypto device, as QEMU has it: beside OpenSSL, with requests that fail, without it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from corral import ROOT
from corral.build import image as build
from corral.generate import api
from corral.measure.size import image_of
from corral.run import program as run
from corral.run.chips import running
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from harness import waiting
from harness.program import Program, judge

IV = bytes(range(0x10, 0x18)) + b"\xff" * 7 + b"\xfe"
MODES = (modes.ECB(), modes.CBC(IV), modes.CTR(IV))
PROGRAM = Program(
    "driver/virtio_crypto",
    "riscv32-virt",
    "virtio-crypto",
    # No library for AES but the device: constructions are over it, too.
    {f"CORRAL_{name}_AES_128_BY_COMPOSE": "y" for name in ("CMAC", "CCM", "CFB", "OFB")},
    link_flags=tuple(f"-Wl,--wrap=corral_port_virtio_{name}" for name in ("ask", "setting")),
)


README = ROOT / "drivers" / "virtio_crypto" / "README.md"
#: The computing driver, by column of the README's table.
COLUMNS: list[dict[str, str]] = [
    {},
    {"CORRAL_DRIVER_VIRTIO_CRYPTO": "n", "CORRAL_DEFAULT_BY_BEARSSL": "y"},
]


def filled(seed: int, size: int) -> bytes:
    """As test_fill() of the harness."""
    return bytes((seed + 7 * i + i // 256) & 0xFF for i in range(size))


def test_device_and_openssl_agree_and_failures_are_told() -> None:
    result = PROGRAM.run()
    result.check(5)
    lines = re.findall(r"(?m)^result (\d+) (\d) (\d+) ([0-9a-f]{64})$", result.output)
    assert len(lines) == 24
    for key_size, mode, size, digest in lines:
        cipher = Cipher(algorithms.AES(filled(41, int(key_size))), MODES[int(mode)]).encryptor()
        expected = cipher.update(filled(3, int(size))) + cipher.finalize()
        assert hashlib.sha256(expected).hexdigest() == digest, (key_size, mode, size)


def test_without_the_device() -> None:
    built = PROGRAM.build()
    with running((), built.folder, True) as channel:
        command = run.command_of(built, channel, None, False, ("absent=yes",), repeats=False)
        at = next(i for i, word in enumerate(command) if word.startswith("virtio-crypto-device"))
        command = command[: at - 1] + command[at + 1 :]
        done = waiting.run(command, capture_output=True, text=True)
    judge(done.stdout, done.returncode).check(1)


def test_constructions_are_made_over_the_device_and_bring_no_library(tmp_path: Path) -> None:
    api.configure(ROOT, "zoo", "riscv32-virt-pmp", tmp_path, {})
    api.generate(ROOT, "zoo", "riscv32-virt-pmp", tmp_path)
    rows = api.explain(ROOT, "zoo", "riscv32-virt-pmp", tmp_path)
    served = {row.mechanism: row.driver for row in rows if "AES" in row.mechanism}
    assert {served[name] for name in served if "CMAC" in name} == {"compose"}
    assert {served[name] for name in served if "CMAC" not in name} == {"virtio_crypto"}


@pytest.mark.parametrize("column", range(len(COLUMNS)), ids=["device", "library"])
def test_calls_take_what_the_readme_says(column: int) -> None:
    text = README.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:CBC|CMAC): .*\| (\d+) \| ([\d,]+) \| ([\d,]+) \|$", text, re.M)
    flash = re.search(r"The program has ([\d,]+) bytes of .* and ([\d,]+) by", text)
    port = re.search(r"in its two requests (\d+) instructions of the port", text)
    assert flash and port
    said = [int(row[1 + column].replace(",", "")) for row in rows]
    name = f"tests/virtio-cost-{column}"
    options = build.Options(
        settings=COLUMNS[column],
        name=name,
        lto=False,
        link_flags=("-Wl,--wrap=corral_port_virtio_ask",) if column == 0 else (),
    )
    built = build.build("../tests/driver/virtio_crypto/cost", "riscv32-virt", options)
    done = run.run(built, capture=True)
    counted = [
        [int(number) for number in line]
        for line in re.findall(r"^\w+: 0, (\d+), (\d+), (\d+)$", done.stdout, re.M)
    ]
    taken, requests, waited = zip(*counted, strict=True)
    assert list(taken) == pytest.approx(said, rel=0.02), done.stdout
    size = sum(image_of(built).rom().values())
    assert size == pytest.approx(int(flash[1 + column].replace(",", "")), rel=0.02)
    if column == 0:
        assert list(requests) == [int(row[0]) for row in rows]
        assert waited[0] == pytest.approx(int(port[1]), rel=0.02), done.stdout
    else:
        assert not any((*requests, *waited))
