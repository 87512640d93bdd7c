# SPDX-License-Identifier: Apache-2.0
"""Keys that an element makes, or the trusted side of a wall: the build needs no random numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from corral.build import image as build
from corral.configure.bindings import Bindings
from corral.errors import CorralError
from corral.generate import api
from trees import ROOT, write_app

RANDOM = "PSA_WANT_GENERATE_RANDOM"
AES = ("PSA_WANT_ALG_CMAC", "PSA_WANT_KEY_TYPE_AES", "PSA_WANT_AES_KEY_SIZE_128")
P256 = (
    "PSA_WANT_ALG_ECDSA",
    "PSA_WANT_ALG_SHA_256",
    "PSA_WANT_ECC_SECP_R1_256",
    "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE",
    "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_IMPORT",
)
#: The drivers in memory that make pairs, for which random numbers are drawn.
LIBRARIES = ("MBEDTLS", "MICRO_ECC", "P256M", "BEARSSL", "WOLFCRYPT")
WITHOUT_LIBRARIES = tuple(f"CORRAL_DRIVER_{name}=n" for name in LIBRARIES)


def settled(folder: Path, board: str, *wants: str) -> Bindings:
    write_app(folder, *wants)
    app = str(folder / "apps" / "test")
    return api.generate_for(api.configure(ROOT, app, board, folder / "build", {}))


def units(bindings: Bindings, driver: str, mechanism: str) -> set[str]:
    """The units of a driver for the keys of its elements, or of the other side."""
    return {
        binding.unit
        for outcome, binding in bindings.all()
        if (outcome.mechanism.name, binding.location) == (mechanism, driver)
        and binding.chain[0].driver == driver
    }


@pytest.mark.parametrize(
    ("board", "driver"),
    [
        ("native", "atecc608"),
        ("native-keyslots", "keyslots"),
        ("mps2-an505-trustzone-remote", "remote"),
        ("riscv32-virt-pmp-remote", "remote"),
    ],
)
def test_symmetric_key_is_made_elsewhere_without_random_numbers_here(
    tmp_path: Path, board: str, driver: str
) -> None:
    bindings = settled(tmp_path, board, *AES)
    assert not bindings.configuration.is_on(RANDOM)
    made = {"allocate_key", "generate_key", "import_key", "destroy_key"}
    assert made <= units(bindings, driver, "KEEP_AES_128")


def test_pair_of_an_element_needs_random_numbers_for_its_import_alone(tmp_path: Path) -> None:
    bindings = settled(tmp_path, "native", *P256, *WITHOUT_LIBRARIES)
    assert not bindings.configuration.is_on(RANDOM)
    assert units(bindings, "atecc608", "ECC_GENERATE_SECP_R1_256") == {"generate_key"}
    assert units(bindings, "atecc608", "ECDSA_SIGN_SECP_R1_256") == {"sign_hash"}
    # By a number of this side a false chip cannot have one key stream used for two keys.
    imported = [
        str(binding.key.type)
        for outcome, binding in bindings.all()
        if outcome.mechanism.name == "ECC_IMPORT_SECP_R1_256" and binding.key is not None
    ]
    assert imported == ["PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)"]


@pytest.mark.parametrize("slots", [4, 0])
@pytest.mark.parametrize("board", ["mps2-an505-trustzone-remote", "riscv32-virt-pmp-remote"])
def test_trusted_side_has_random_numbers_and_both_directions_if_it_makes_keys(
    tmp_path: Path, board: str, slots: int
) -> None:
    one_direction = "CORRAL_DECRYPT_IN_PARTS=n"
    bindings = settled(tmp_path, board, *AES, f"CORRAL_PROTECTED_KEY_SLOTS={slots}", one_direction)
    here = bindings.configuration
    folder = tmp_path / "build"
    client = build.Build(here.app, here.board, folder, folder / "test.elf", True)
    behind = build.prepare_trusted(client, bindings, build.Options())
    for symbol in (RANDOM, "CORRAL_DECRYPT_IN_PARTS"):
        assert behind.configuration.is_on(symbol) == (slots > 0)


@pytest.mark.parametrize("said", ["CORRAL_WALL=y", "CORRAL_WALL_OPERATIONS=3"])
def test_size_of_the_trusted_side_is_said_in_the_file_of_its_board(
    tmp_path: Path, said: str
) -> None:
    with pytest.raises(CorralError) as raised:
        settled(tmp_path, "mps2-an505-trustzone-remote", *AES, said)
    assert str(raised.value).endswith(
        f"app.config:4: {said.partition('=')[0]} is of the trusted side, which board "
        "mps2-an505-trustzone has: write it to mps2-an505-trustzone.config beside app.config"
    )
    (tmp_path / "apps" / "test" / "mps2-an505-trustzone.config").write_text(f"{said}\n")
    write_app(tmp_path, *AES)
    app = str(tmp_path / "apps" / "test")
    api.configure(ROOT, app, "mps2-an505-trustzone", tmp_path / "other", {})
