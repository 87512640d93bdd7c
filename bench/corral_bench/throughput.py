# SPDX-License-Identifier: Apache-2.0
"""On this computer: how often in a second through the API, and by calling the library directly."""

from __future__ import annotations

import os
import re
from typing import Any

from corral import build, packages, run
from corral.build import ROOT, Options
from corral.errors import fail

_APP = "../bench/apps/throughput"
_BOARD = "native"
_LINE = re.compile(r'^throughput "(?P<name>[^"]+)" (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$', re.M)

#: Of each driver: its package with the folders of its headers, and what binds everything it has.
_DRIVERS: dict[str, tuple[str, tuple[str, ...], dict[str, str]]] = {
    "bearssl": (
        "bearssl",
        ("inc",),
        {
            "CORRAL_DEFAULT_BY_BEARSSL": "y",
            "CORRAL_SECP_R1_256_BY_BEARSSL": "y",
            "PSA_WANT_ALG_ECDSA": "n",
            "PSA_WANT_ALG_DETERMINISTIC_ECDSA": "y",
        },
    ),
    "mbedtls": ("mbedtls", ("include",), {"CORRAL_SECP_R1_256_BY_MBEDTLS": "y"}),
    "micro_ecc": ("micro_ecc", (".",), {"CORRAL_SECP_R1_256_BY_MICRO_ECC": "y"}),
    "p256m": ("mbedtls", ("3rdparty/p256-m/p256-m",), {"CORRAL_SECP_R1_256_BY_P256M": "y"}),
}
#: As Mbed TLS's own headers have to see it: the driver's configuration.
_MBEDTLS = (
    "MBEDTLS_CONFIG_FILE=<corral_mbedtls_config.h>",
    "MBEDTLS_SHA256_C",
    "MBEDTLS_MD_C",
    "MBEDTLS_AES_C",
    "MBEDTLS_CIPHER_MODE_CBC",
    "MBEDTLS_BIGNUM_C",
    "MBEDTLS_ECP_C",
    "MBEDTLS_ECDSA_C",
)


def _measure(driver: str) -> list[dict[str, Any]]:
    package, folders, settings = _DRIVERS[driver]
    root = packages.ensure(ROOT, package)
    # Ours first: Mbed TLS has headers of the same names.
    inner = (ROOT / "include", ROOT / "drivers" / driver)
    options = Options(
        settings=settings,
        sources=(ROOT / "bench" / "direct" / f"{driver}.c",),
        includes=(*inner, *(root / folder for folder in folders)),
        defines=_MBEDTLS if driver == "mbedtls" else (),
        name=f"bench/throughput-{driver}",
    )
    done = run.run(build.build(_APP, _BOARD, options), capture=True)
    found = [
        {
            "driver": driver,
            "mechanism": m["name"],
            "threads": int(m[2]),
            "bytes": int(m[3]),
            "api_per_second": int(m[4]),
            "direct_per_second": int(m[5]),
            "api_ns": int(m[6]),
            "direct_ns": int(m[7]),
            "ratio": round(int(m[7]) / int(m[6]), 3),
        }
        for m in _LINE.finditer(done.stdout)
    ]
    if done.returncode or not found:
        raise fail("bench/apps/throughput", f"{driver}: {done.stdout}", "see bench/README.md")
    return found


def measure_all() -> dict[str, Any]:
    """Every driver; with the load of the computer, by which such figures have to be judged."""
    load = round(os.getloadavg()[0], 2)
    rows = [row for driver in _DRIVERS for row in _measure(driver)]
    return {"processors": os.cpu_count(), "load_before": load, "rows": rows}
