# SPDX-License-Identifier: Apache-2.0
"""READMEs of drivers for hardware say what these take: flash, RAM and stack, as they are now."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from corral.build import image as build
from harness.footprint import Footprint

ELEMENTS = "mps2-an386-keyslots"
#: Then nothing is imported, which takes both in memory.
IN_CHIP = {"CORRAL_SHA_256_BY_ATECC608": "y", "CORRAL_RANDOM_BY_ATECC608": "y"}

_LIFE = ("allocate_key", "destroy_key", "restore_key", "attach_key")
_CIPHER = tuple(
    f"cipher_{name}" for name in ("encrypt_setup", "decrypt_setup", "set_iv", "update", "abort")
)
_CMAC = tuple(f"cmac_{name}" for name in ("setup", "update", "finish", "abort"))
_HASH = tuple(f"hash_{name}" for name in ("setup", "update", "finish", "abort"))

#: By how rows of the table begin: the entry points behind each.
ATECC608 = {
    "P-256 generate": ((*_LIFE, "generate_key", "export_public_key"),),
    "P-256 private": (("import_private_key",),),
    "P-256 public": (("import_public_key", "export_public_key", "copy_public_key"),),
    "ECDSA sign": (("sign_hash",),),
    "ECDSA verify": (("verify_hash",),),
    "ECDH": (("key_agreement",),),
    "AES-128 and HMAC": ((*_LIFE, "import_symmetric_key", "generate_symmetric_key"),),
    "AES-128 ECB": (_CIPHER,),
    "AES-128 CMAC": (_CMAC,),
    "HMAC-SHA-256": (("hmac_compute",),),
    "SHA-256 without": (("hash_compute",), _HASH),
    "Random": (("get_random",),),
}
KEYSLOTS = {
    "AES-128 and AES-256": ((*_LIFE, "import_key", "generate_key"),),
    "ECB": (_CIPHER,),
    "CMAC": (_CMAC,),
}
Rows = Mapping[str, tuple[tuple[str, ...], ...]]


@cache
def built(board: str, name: str, settings: tuple[tuple[str, str], ...] = ()) -> build.Build:
    options = build.Options(settings=dict(settings), name=f"tests/footprint-{name}", lto=False)
    return build.build("../tests/driver/footprint", board, options)


def full(prefix: str, rows: Rows) -> Rows:
    """The rows, by the functions' names in C."""
    return {
        name: tuple(tuple(f"{prefix}_{root}" for root in group) for group in groups)
        for name, groups in rows.items()
    }


def roots_of(rows: Rows, without: tuple[str, ...] = ()) -> list[str]:
    groups = [group for name, found in rows.items() if name not in without for group in found]
    return [root for group in groups for root in group]


def said(driver: Footprint, pattern: str) -> list[int]:
    """The figures of a sentence of the README."""
    found = re.search(pattern, driver.readme)
    assert found, pattern
    return [int(number) for number in found.groups()]


def check_element(driver: Footprint, rows: Rows, base: set[str]) -> None:
    """The table, and the lines above it: of each build, and of each element."""
    everything = roots_of(rows)
    shared = driver.shared(base, everything)
    assert said(driver, r"addition to the (\d+)\s+bytes that every build") == [driver.flash(shared)]
    assert driver.stated(rows) == driver.taken(rows, shared)
    elements = [e for e in built(ELEMENTS, "elements").board.elements if e.driver == driver.driver]
    each = driver.ram(driver.reached(everything)) / len(elements)
    assert said(driver, r"RAM: (\d+) bytes for each") == [each]


def test_atecc608_takes_what_its_readme_says() -> None:
    in_chip = built(ELEMENTS, "in-chip", tuple(IN_CHIP.items()))
    driver = Footprint("atecc608", built(ELEMENTS, "elements"), in_chip)
    rows = full("atecc608", ATECC608)
    check_element(driver, rows, {"transport", "session", "kinds", "slots"})
    whole = driver.reached(roots_of(rows))
    most = roots_of(rows, ("SHA-256 without", "Random"))
    most.remove("atecc608_copy_public_key")
    steps = [f"atecc608_{name}" for name in ("plan", "plan_changes", "write_config", "lock")]
    assert said(driver, r"carries (\d+) bytes of the driver; the whole is (\d+)") == [
        driver.flash(driver.reached(most)),
        driver.flash(whole),
    ]
    assert said(driver, r"`\) is (\d+) bytes") == [driver.flash(driver.reached(steps) - whole)]


def test_keyslots_takes_what_its_readme_says() -> None:
    driver = Footprint("keyslots", built(ELEMENTS, "elements"))
    check_element(driver, full("keyslots", KEYSLOTS), {"part"})


def test_hace_takes_what_its_readme_says() -> None:
    driver = Footprint("hace", built("ast2600-evb", "hace"))
    compute = driver.reached(["hace_driver_hash_compute"])
    assert said(driver, r"takes (\d+) bytes of flash and (\d+) of RAM, each hash (\d+) bytes") == [
        driver.flash(compute),
        driver.ram(compute),
        driver.flash(driver.reached(["hace_driver_sha256"])),
    ]
