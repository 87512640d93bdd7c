# SPDX-License-Identifier: Apache-2.0
"""The cost of each family of the API: flash and RAM of a build with all of its functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from corral import ROOT
from corral.build import image as building
from corral.measure.image import LAYER
from corral.measure.size import image_of

from corral_bench.record import BY_RANK

BOARD = "mps2-an386"
_APP = "../bench/apps/family"
#: Functions that are linked; those that are inline cost what their callers make of them.
_FUNCTION = re.compile(r"^(?!static)[a-z].*?\b(psa_\w+)\(", re.MULTILINE)
#: Users of keys make and destroy them.
_WITH_KEYS = ("psa_import_key", "psa_destroy_key")
#: Keys in local memory.
_LOCAL = {"CORRAL_DRIVER_ATECC608": "n", **BY_RANK}


def _wants(*names: str) -> dict[str, str]:
    return {f"PSA_WANT_{name}": "y" for name in names}


_AES = ("KEY_TYPE_AES", "AES_KEY_SIZE_128")
_P256 = ("ECC_SECP_R1_256", "KEY_TYPE_ECC_PUBLIC_KEY")
_PAIR = tuple(f"KEY_TYPE_ECC_KEY_PAIR_{how}" for how in ("BASIC", "IMPORT", "GENERATE"))
_RSA = ("KEY_TYPE_RSA_PUBLIC_KEY", "KEY_TYPE_RSA_KEY_PAIR_BASIC", "KEY_TYPE_RSA_KEY_PAIR_IMPORT")
_RANDOM = ("GENERATE_RANDOM",)


@dataclass(frozen=True)
class Family:
    """The functions of a header of include/psa, and their configuration."""

    name: str
    mechanism: str
    header: str
    settings: Mapping[str, str]
    only: str = ""  # a pattern for the names of its functions
    keys: bool = True

    def functions(self) -> list[str]:
        text = (ROOT / "include" / "psa" / self.header).read_text()
        found = dict.fromkeys(_FUNCTION.findall(text))
        return [name for name in found if re.search(self.only, name)]


def _ml(name: str) -> tuple[str, ...]:
    hows = ("BASIC", "IMPORT", "GENERATE")
    return (
        f"KEY_TYPE_{name}_PUBLIC_KEY",
        *(f"KEY_TYPE_{name}_KEY_PAIR_{how}" for how in hows),
    )


_STORAGE = {"CORRAL_STORAGE": "y", "CORRAL_STORAGE_IN_FLASH": "y"}

FAMILIES: tuple[Family, ...] = (
    Family("random", "HMAC-DRBG", "crypto_random.h", _wants(*_RANDOM), keys=False),
    Family("hash", "SHA-256", "crypto_hash.h", _wants("ALG_SHA_256"), keys=False),
    Family("XOF", "SHAKE128", "crypto_xof.h", _wants("ALG_SHAKE128"), keys=False),
    Family("keys", "raw data", "crypto_keys.h", _wants("KEY_TYPE_RAW_DATA", *_RANDOM)),
    Family(
        "MAC", "HMAC-SHA-256", "crypto_mac.h", _wants("ALG_HMAC", "ALG_SHA_256", "KEY_TYPE_HMAC")
    ),
    Family("cipher", "AES-128-CTR", "crypto_cipher.h", _wants("ALG_CTR", *_AES, *_RANDOM)),
    Family("AEAD", "AES-128-GCM", "crypto_aead.h", _wants("ALG_GCM", *_AES, *_RANDOM)),
    Family(
        "key derivation",
        "HKDF-SHA-256",
        "crypto_derivation.h",
        _wants("ALG_HKDF", "ALG_SHA_256", "KEY_TYPE_DERIVE"),
    ),
    Family(
        "key agreement",
        "ECDH P-256",
        "crypto_agreement.h",
        _wants("ALG_ECDH", *_P256, *_PAIR, *_RANDOM),
    ),
    Family(
        "signature",
        "ECDSA P-256",
        "crypto_sign.h",
        _wants("ALG_ECDSA", "ALG_SHA_256", *_P256, *_PAIR, *_RANDOM),
    ),
    Family(
        "asymmetric encryption",
        "RSA-2048 OAEP",
        "crypto_asymmetric.h",
        _wants("ALG_RSA_OAEP", "ALG_SHA_256", "RSA_KEY_SIZE_2048", *_RSA, *_RANDOM),
    ),
    Family(
        "key encapsulation",
        "ECIES P-256",
        "crypto_kem.h",
        _wants("ALG_ECIES_SEC1", "KEY_TYPE_DERIVE", *_P256, *_PAIR, *_RANDOM),
    ),
    Family(
        "key encapsulation",
        "ML-KEM-768",
        "crypto_kem.h",
        _wants("ALG_ML_KEM", "ML_KEM_KEY_SIZE_768", "KEY_TYPE_DERIVE", *_ml("ML_KEM"), *_RANDOM),
    ),
    Family(
        "signature",
        "ML-DSA-44",
        "crypto_sign.h",
        _wants("ALG_ML_DSA", "ML_DSA_KEY_SIZE_44", *_ml("ML_DSA"), *_RANDOM),
        only="message",
    ),
    Family(
        "key wrapping",
        "AES-KW",
        "crypto_wrap.h",
        _wants("ALG_KW", "KEY_TYPE_RAW_DATA", *_AES),
    ),
    Family(
        "password-authenticated key exchange",
        "SPAKE2+ P-256",
        "crypto_pake.h",
        _wants(
            "ALG_SPAKE2P_HMAC",
            "ALG_SHA_256",
            "ALG_HKDF",
            "KEY_TYPE_DERIVE",
            "ECC_SECP_R1_256",
            "KEY_TYPE_SPAKE2P_PUBLIC_KEY",
            *(f"KEY_TYPE_SPAKE2P_KEY_PAIR_{how}" for how in ("BASIC", "IMPORT")),
            *_RANDOM,
        ),
    ),
    Family(
        "password-authenticated key exchange",
        "WPA3-SAE P-256",
        "crypto_pake.h",
        _wants(
            "ALG_WPA3_SAE_FIXED",
            "ALG_SHA_256",
            "KEY_TYPE_PASSWORD",
            "KEY_TYPE_WPA3_SAE_ECC",
            "KEY_TYPE_DERIVE",
            "ECC_SECP_R1_256",
            *_RANDOM,
        ),
    ),
    Family(
        "persistent keys",
        "sealed, in flash, older images refused",
        "crypto_keys.h",
        _wants("KEY_TYPE_RAW_DATA", *_RANDOM) | _STORAGE | {"CORRAL_PERSISTENT_KEYS": "y"},
    ),
    Family(
        "internal trusted storage",
        "in flash",
        "internal_trusted_storage.h",
        _STORAGE,
        keys=False,
    ),
    Family(
        "protected storage",
        "sealed, in flash, older images refused",
        "protected_storage.h",
        _STORAGE | {"CORRAL_PROTECTED_STORAGE": "y"},
        keys=False,
    ),
)


def _measure(name: str, settings: Mapping[str, str], functions: Iterable[str]) -> dict[str, Any]:
    kept = dict.fromkeys(functions)
    options = building.Options(
        settings={**_LOCAL, **settings},
        link_flags=tuple(f"-Wl,--undefined={function}" for function in kept),
        name=f"bench/family-{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}",
    )
    image = image_of(building.build(_APP, BOARD, options))
    rom, ram = image.rom(), image.ram()
    return {
        "functions": len(kept),
        "rom": rom,
        "ram": ram,
        "layer_rom": sum(rom[part] for part in LAYER),
        "layer_ram": sum(ram[part] for part in LAYER),
    }


def _names(family: Family) -> list[str]:
    return [*family.functions(), *(_WITH_KEYS if family.keys else ())]


def measure(family: Family) -> dict[str, Any]:
    """Only one family."""
    name = f"{family.name} {family.mechanism}"
    measured = _measure(name, family.settings, _names(family))
    return {"family": family.name, "mechanism": family.mechanism, **measured}


def measure_all() -> list[dict[str, Any]]:
    """Each family by itself, and at last all of them in one build."""
    rows = []
    settings: dict[str, str] = {}
    functions: dict[str, None] = {}
    for family in FAMILIES:
        rows.append(measure(family))
        print(describe(rows[-1]), flush=True)
        settings |= family.settings
        functions |= dict.fromkeys(_names(family))
    rows.append({"family": "all of these", "mechanism": "", **_measure("all", settings, functions)})
    print(describe(rows[-1]), flush=True)
    return rows


def describe(row: Mapping[str, Any]) -> str:
    """A row as a line for a terminal."""
    name = f"{row['family']}, {row['mechanism']}" if row["mechanism"] else str(row["family"])
    return (
        f"{name} ({row['functions']} functions): layer {row['layer_rom']} bytes of flash, "
        f"{row['layer_ram']} of RAM; library {row['rom']['backend']}"
    )
