# SPDX-License-Identifier: Apache-2.0
"""The measured programs: applications of bench/apps, each with every backend that supports it."""

from __future__ import annotations

from corral_bench.record import LEAST, Scenario

#: Of the board mps2-an386.
FIRST_ELEMENT = 0x800001

_CURVE = "CORRAL_SECP_R1_256_BY_"
_CBC = "CORRAL_CBC_NO_PADDING_AES_128_BY_"
_SHA = "CORRAL_SHA_256_BY_"
_HMAC = "CORRAL_HMAC_SHA_256_BY_"
#: BearSSL signs deterministically and not otherwise.
_DETERMINISTIC = {"PSA_WANT_ALG_ECDSA": "n", "PSA_WANT_ALG_DETERMINISTIC_ECDSA": "y"}
#: One slot of each pool, as the others' figures of RAM were taken; the program ends early.
_ONE_SLOT = {"CORRAL_SINGLE_KEY_SLOTS": "1"}


def _by(*symbols: str) -> dict[str, str]:
    return dict.fromkeys(symbols, "y")


def _element(single: int, pairs: int, protected: int) -> dict[str, str]:
    """Keys in the first element only."""
    return {
        "CORRAL_SINGLE_KEY_SLOTS": str(single),
        "CORRAL_KEY_PAIR_SLOTS": str(pairs),
        "CORRAL_PROTECTED_KEY_SLOTS": str(protected),
    }


_CURVES: dict[str, dict[str, str]] = {
    "micro_ecc": _by(_CURVE + "MICRO_ECC", _SHA + "BEARSSL"),
    "p256m": _by(_CURVE + "P256M", _SHA + "BEARSSL"),
    "mbedtls": _by(_CURVE + "MBEDTLS", _SHA + "MBEDTLS"),
    "bearssl": _by(_CURVE + "BEARSSL", _SHA + "BEARSSL") | _DETERMINISTIC,
}

_TABLE: dict[str, dict[str, dict[str, str]]] = {
    "hash": {"bearssl": _by(_SHA + "BEARSSL"), "mbedtls": _by(_SHA + "MBEDTLS")},
    "hmac": {
        "bearssl": _by(_HMAC + "BEARSSL"),
        "mbedtls": _by(_HMAC + "MBEDTLS"),
        "compose+bearssl": _by(_HMAC + "COMPOSE", _SHA + "BEARSSL"),
        "compose+mbedtls": _by(_HMAC + "COMPOSE", _SHA + "MBEDTLS"),
        "atecc608": _element(0, 0, 1),
    },
    "cbc": {
        "bearssl": _by(_CBC + "BEARSSL"),
        "mbedtls": _by(_CBC + "MBEDTLS"),
        "compose+bearssl": _by(_CBC + "COMPOSE", "CORRAL_AES_128_BY_BEARSSL"),
        "compose+mbedtls": _by(_CBC + "COMPOSE", "CORRAL_AES_128_BY_MBEDTLS"),
        "atecc608": _element(0, 0, 1),
    },
    "ccm": {
        "bearssl": _by("CORRAL_CCM_AES_128_BY_BEARSSL"),
        "mbedtls": _by("CORRAL_CCM_AES_128_BY_MBEDTLS"),
        "compose+bearssl": _by("CORRAL_CCM_AES_128_BY_COMPOSE", "CORRAL_AES_128_BY_BEARSSL"),
        "compose+mbedtls": _by("CORRAL_CCM_AES_128_BY_COMPOSE", "CORRAL_AES_128_BY_MBEDTLS"),
    },
    "ecdsa": {**_CURVES, "atecc608": _element(0, 0, 2)},
    "all": {
        "bearssl+p256m": _by(_HMAC + "BEARSSL", _CBC + "BEARSSL") | _CURVES["p256m"],
        "bearssl+micro_ecc": _by(_HMAC + "BEARSSL", _CBC + "BEARSSL") | _CURVES["micro_ecc"],
        "mbedtls": _by(_HMAC + "MBEDTLS", _CBC + "MBEDTLS") | _CURVES["mbedtls"],
        "one slot": _by(_HMAC + "BEARSSL", _CBC + "BEARSSL") | _CURVES["p256m"] | _ONE_SLOT,
    },
    "elements": {
        "bearssl+p256m": _by(_HMAC + "BEARSSL", _CBC + "BEARSSL") | _CURVES["p256m"],
    },
    "curve": {**_CURVES, "atecc608": _element(0, 0, 3)},
}

#: Applications of which the whole image is shown.
APPLICATIONS = {
    "hash": "one hash",
    "hmac": "HMAC",
    "cbc": "CBC",
    "ecdsa": "ECDSA",
    "all": "all three",
}

#: Built by default, too, with the drivers that add the least flash: goals for the whole image.
SMALLEST = {"hash": 1550, "hmac": 3000, "cbc": 7300, "ecdsa": 8100, "all": 12500}

SCENARIOS = tuple(
    Scenario(f"{application}/{backend}", f"../bench/apps/{application}", settings)
    for application, backends in _TABLE.items()
    for backend, settings in backends.items()
) + tuple(Scenario(f"{name}/{LEAST}", f"../bench/apps/{name}", {}) for name in SMALLEST)

#: A run with a short pool of slots is for its bytes; it would stop where the pool is full.
BYTES_ONLY = "one slot"

#: The application that is a part of its own: slow, and of interest backend by backend.
CURVE = "curve"

_ALSO_WITH_LTO = ("hash/bearssl", "hmac/bearssl", "cbc/bearssl", "ecdsa/p256m", "all/bearssl+p256m")

#: The smallest builds again, with link-time optimisation; never compared with the others.
LTO = tuple(
    Scenario(f"{s.name}", s.app, s.settings, lto=True)
    for s in SCENARIOS
    if s.name in _ALSO_WITH_LTO or s.backend == LEAST
)

#: Goals for the whole image with it.
SMALLEST_LTO = {"cbc": 4800, "ecdsa": 6400, "all": 9500}

#: The comparison in continuous integration: every application, without the slow curves twice.
FAST = (
    "hash/bearssl",
    "hmac/bearssl",
    "cbc/bearssl",
    "ecdsa/p256m",
    "hmac/compose+bearssl",
    "cbc/least flash",
    "all/least flash",
)


def defines_of(scenario: Scenario) -> tuple[str, ...]:
    """The application's definitions on the compiler's command line."""
    return (f"BENCH_LOCATION={FIRST_ELEMENT:#x}",) if scenario.backend == "atecc608" else ()
