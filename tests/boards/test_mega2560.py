# SPDX-License-Identifier: Apache-2.0
"""The applications on the simulated ATmega2560: 8 bits, 8 KB of RAM."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest
from corral.build import image as build
from corral.run import program as run
from corral.run import provision
from corral.run.chips import build_simulator
from corral_bench.avr import measure_avr

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


def test_every_family_compiles_where_int_has_16_bits() -> None:
    chosen = ("SECP_R1_256_BY_P256M", "HMAC_SHA_256_BY_COMPOSE", "CMAC_AES_128_BY_COMPOSE")
    settings = {f"CORRAL_{symbol}": "y" for symbol in chosen}
    done = build.build("../tests/boards/wide", BOARD, build.Options(settings, name=f"wide-{BOARD}"))
    assert done.image.is_file()


def test_status_of_a_small_buffer_is_whole_where_size_t_has_16_bits() -> None:
    """A mask of a size_t becomes a positive status, which no application takes for an error."""
    options = build.Options(name=f"narrow-{BOARD}")
    result = run.run(build.build("../tests/boards/narrow", BOARD, options), capture=True)
    assert (result.stdout, result.returncode) == ("narrow: pass\n", 0)


@cache
def services_build() -> build.Build:
    return build.build("../tests/boards/services", BOARD, build.Options(name=f"services-{BOARD}"))


def services(tmp_path: Path, request: bytes, entropy: Path | None = None) -> tuple[int, str]:
    """Send a request to the program that uses the board's services. Returns status and output."""
    file = tmp_path / "input"
    file.write_bytes(request)
    words = [f"entropy={entropy}"] if entropy else []
    result = run.run(services_build(), words, input_file=file, capture=True)
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
    assert len({services(tmp_path, b"r") for _ in range(2)}) == 2


def test_stack_that_meets_the_variables_ends_the_run(tmp_path: Path) -> None:
    status, output = services(tmp_path, b"d")
    assert status == 255
    assert "the stack has met the variables" in output


@cache
def element_build() -> build.Build:
    """ECDSA with a key in the first element; the second one is unused."""
    slots = {"SINGLE_KEY": "0", "KEY_PAIR": "0", "PROTECTED_KEY": "2"}
    settings = {f"CORRAL_{pool}_SLOTS": number for pool, number in slots.items()}
    options = build.Options(
        settings=settings | {"CORRAL_SECP_R1_256_BY_MICRO_ECC": "y"},
        defines=("BENCH_LOCATION=0x800001",),
        name=f"ecdsa-element-{BOARD}",
    )
    return build.build("../bench/apps/ecdsa", BOARD, options)


@pytest.fixture(scope="module")
def chips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Memories of two chips, configured and locked by the board itself."""
    folder = tmp_path_factory.mktemp("chips")
    provision.prepare_virtual_chips(BOARD, folder)
    return folder


def on_element(chips: Path, fault: str = "") -> tuple[int, str]:
    """Generate, sign and verify in the first element, where a fault may happen."""
    faults = {"SE0": fault} if fault else None
    result = run.run(element_build(), images=chips, faults=faults, capture=True)
    return result.returncode, result.stdout


def test_key_in_an_element_signs_and_verifies(chips: Path) -> None:
    assert on_element(chips) == (0, "bench: pass\n")


@pytest.mark.parametrize("fault", ["nak@8", "crc@12", "garbage@20"])
def test_transfer_that_goes_wrong_is_repeated(chips: Path, fault: str) -> None:
    assert on_element(chips, fault) == (0, "bench: pass\n")


def test_element_that_stays_silent_fails_the_call(chips: Path) -> None:
    assert on_element(chips, "silence@30+") == (1, "bench: FAIL\n")


def test_chip_on_a_bus_that_the_board_has_not_is_refused() -> None:
    simulator = str(build_simulator("mega2560"))
    command = [simulator, str(element_build().image), "chip=bus=1"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "bus 0" in result.stderr


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
    # The 64 words of SHA-256, and BearSSL's description of the hash.
    assert 256 <= measured["ram"]["backend"] < 512
    assert measured["rom"]["backend"] > 256
    assert measured["rom"]["other"] == measured["ram"]["other"] == 0


def test_time_of_bus_and_chip_is_not_counted_as_work() -> None:
    measured = measure_avr("hmac", "atecc608")
    calls = {call["function"]: call for call in measured["calls"]}
    mac = calls["psa_mac_compute"]
    assert measured["exit_status"] == 0
    assert mac["primitive"] == 0
    # At 100 kHz a byte takes 1440 cycles, whatever the processor does meanwhile.
    assert mac["bus_bytes"] > mac["transfers"] > 0
    assert mac["element"] + mac["bus"] < 1440 * mac["bus_bytes"]
    assert mac["chip_us"] > 10_000
