# SPDX-License-Identifier: Apache-2.0
"""The applications on the simulated ATmega2560: 8 bits, 8 KB of RAM."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from corral import build, run
from corral.bench.avr import measure_avr
from corral.chips import build_simulator

BOARD = "mega2560"


@pytest.mark.parametrize(
    ("app", "driver"),
    [
        ("hmac", "HMAC_SHA_256_BY_BEARSSL"),
        ("hmac", "HMAC_SHA_256_BY_COMPOSE"),
        ("aes-cbc", "CBC_NO_PADDING_AES_128_BY_BEARSSL"),
        ("ecdsa", "SECP_R1_256_BY_MICRO_ECC"),
    ],
)
def test_application_passes(app: str, driver: str) -> None:
    options = build.Options(settings={f"CORRAL_{driver}": "y"}, name=f"{app}-{BOARD}-{driver}")
    result = run.run(build.build(app, BOARD, options), capture=True)
    assert (result.stdout, result.returncode) == (f"{app}: pass\n", 0)


def services(tmp_path: Path, request: bytes, entropy: Path | None = None) -> tuple[int, str]:
    """What the program that uses the board's services makes of a request: status and output."""
    file = tmp_path / "input"
    file.write_bytes(request)
    done = build.build("../tests/boards/services", BOARD, build.Options(name=f"services-{BOARD}"))
    words = [f"entropy={entropy}"] if entropy else []
    result = run.run(done, words, input_file=file, capture=True)
    return result.returncode, result.stdout


@pytest.mark.parametrize("status", [0, 1, 7, 98])
def test_exit_status_arrives(tmp_path: Path, status: int) -> None:
    assert services(tmp_path, bytes([status])) == (status, "")


@pytest.mark.parametrize("length", [0, 1, 6, 7, 8, 1000])
def test_input_file_is_read_to_its_end(tmp_path: Path, length: int) -> None:
    text = ("0123456789" * length)[:length]
    assert services(tmp_path, b"e" + text.encode()) == (0, text)


def test_entropy_comes_from_the_named_file(tmp_path: Path) -> None:
    entropy = tmp_path / "entropy"
    entropy.write_bytes(bytes(range(8)))
    assert services(tmp_path, b"r", entropy) == (64, "0001020304050607")


def test_entropy_ends_with_its_file(tmp_path: Path) -> None:
    entropy = tmp_path / "entropy"
    entropy.write_bytes(bytes(7))
    assert services(tmp_path, b"r", entropy)[0] == 99


def test_entropy_of_the_computer_does_not_repeat(tmp_path: Path) -> None:
    assert len({services(tmp_path, b"r") for _ in range(4)}) == 4


def test_stack_that_meets_the_variables_ends_the_run(tmp_path: Path) -> None:
    status, output = services(tmp_path, b"d")
    assert status == 255
    assert "the stack has met the variables" in output


def test_simulator_refuses_what_is_no_program(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("no ELF file")
    simulator = str(build_simulator("mega2560"))
    result = subprocess.run([simulator, str(file)], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "no ELF file" in result.stderr


def test_cycles_of_an_application_repeat_exactly_and_add_up() -> None:
    first, second = measure_avr("hmac", "bearssl"), measure_avr("hmac", "bearssl")
    assert first == second
    assert first["exit_status"] == 0
    assert (first["unit"], first["board"]) == ("cycles", BOARD)
    calls = {call["function"]: call for call in first["calls"]}
    assert list(calls) == ["psa_crypto_init", "psa_import_key", "psa_mac_compute"]
    mac = calls["psa_mac_compute"]
    assert mac["primitive"] > 100 * mac["layer"] > 0
    assert sum(mac["parts"].values()) == mac["layer"] == sum(mac["profile"].values())
    assert mac["parts"]["dispatch"] > 0
    assert mac["stack"] > 0


def test_cycles_of_the_generator_are_not_those_of_the_layer() -> None:
    calls = {call["function"]: call for call in measure_avr("cbc", "bearssl")["calls"]}
    encrypt = calls["psa_cipher_encrypt"]
    assert encrypt["random"] > 100 * encrypt["layer"]


def test_constants_of_an_image_count_as_flash_and_as_ram() -> None:
    measured = measure_avr("hash", "bearssl")
    # The 64 words of SHA-256 and what BearSSL says about it.
    assert 256 <= measured["ram"]["backend"] < 512
    assert measured["rom"]["backend"] > 256
    assert measured["rom"]["other"] == measured["ram"]["other"] == 0
