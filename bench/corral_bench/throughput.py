# SPDX-License-Identifier: Apache-2.0
"""On this computer: how often in a second through the API, by the library directly, and OpenSSL."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corral import ROOT
from corral.build import image as build
from corral.build.image import Options
from corral.errors import fail
from corral.packages import fetch as packages
from corral.run import program as run

_APP = "../bench/apps/throughput"
_BOARD = "native"
_LINE = re.compile(r'^throughput "(?P<name>[^"]+)" (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$', re.M)

#: Of each driver: its package with the folders of its headers, and the settings that
#: bind all its mechanisms.
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
    "mbedtls": (
        "mbedtls",
        ("include",),
        {"CORRAL_DEFAULT_BY_MBEDTLS": "y"},
    ),
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
    "MBEDTLS_GCM_C",
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


#: OpenSSL's equivalents: the arguments of its own measurement.
_OPENSSL = {
    "SHA-256": ("-evp", "sha256"),
    "HMAC-SHA-256": ("-hmac", "sha256"),
    "AES-128-CBC": ("-decrypt", "-evp", "aes-128-cbc"),
    "AES-128-GCM": ("-evp", "aes-128-gcm"),
}
_OF_SIZES = re.compile(r"^\+F:\d+:[^:]+:([\d.]+)$", re.M)
_OF_ECDSA = re.compile(r"^\+F4:\d+:256:([\d.]+):([\d.]+)$", re.M)
_SECONDS = "1"


def _openssl(*arguments: str) -> str:
    command = ["openssl", "speed", "-mr", "-seconds", _SECONDS, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise fail("openssl speed", done.stderr.strip(), "install openssl")
    return done.stdout


def _beside(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """OpenSSL's own figures, for the mechanisms and sizes of the rows, by one thread.

    Its figures are of processor time, as ours; for several processes it only has
    wall-clock time. A key is expanded once and not for each message.
    """
    found = []
    for mechanism, size in sorted({(row["mechanism"], row["bytes"]) for row in rows}):
        if mechanism in _OPENSSL:
            said = _openssl("-bytes", str(size), *_OPENSSL[mechanism])
            rate = float(_OF_SIZES.findall(said)[-1])
            found.append(_row_of_openssl(mechanism, size, rate / size))
    rates = _OF_ECDSA.findall(_openssl("ecdsap256"))[-1]
    for name, rate in zip(("ECDSA sign", "ECDSA verify"), rates, strict=True):
        found.append(_row_of_openssl(name, 32, float(rate)))
    return found


def _row_of_openssl(mechanism: str, size: int, per_second: float) -> dict[str, Any]:
    return {"mechanism": mechanism, "bytes": size, "ns": round(1e9 / per_second)}


def processor() -> str:
    """As Linux names it."""
    info = Path("/proc/cpuinfo")
    text = info.read_text() if info.is_file() else ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.M)
    return found[1].strip() if found else platform.machine()


def measure_all() -> dict[str, Any]:
    """Every driver; with the load of the computer, by which such figures have to be judged."""
    if shutil.which("openssl") is None:
        raise fail("openssl speed", "there is no such program", "install openssl")
    load = round(os.getloadavg()[0], 2)
    rows = [row for driver in _DRIVERS for row in _measure(driver)]
    version = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=False)
    return {
        "processor": processor(),
        "processors": os.cpu_count(),
        "load_before": load,
        "rows": rows,
        "openssl": {"version": version.stdout.split("(")[0].strip(), "rows": _beside(rows)},
    }


#: The driver that supports most, which most programs on a PC get.
_SHOWN = "mbedtls"
#: How the names of those rows go on whose keys are stored.
_STORED = ", stored key"
_Key = tuple[str, int, int]


def _key(row: Mapping[str, Any]) -> _Key:
    return row["mechanism"], row["threads"], row["bytes"]


def _shown(measured: Mapping[str, Any]) -> dict[_Key, Mapping[str, Any]]:
    return {_key(row): row for row in measured["rows"] if row["driver"] == _SHOWN}


def _us(nanoseconds: int) -> str:
    return f"{nanoseconds / 1000:,.2f}"


def kept(measured: Mapping[str, Any]) -> dict[str, Any]:
    """Of a measurement what the baseline keeps: the driver that is shown."""
    return {**measured, "rows": list(_shown(measured).values())}


def rows(measured: Mapping[str, Any]) -> list[list[str]]:
    """A row for each mechanism and size, by one thread and by two."""
    head = [f"{n}: {what}" for n in ("one", "two") for what in ("us", "of library")]
    where = f"{measured['processor']}, {measured['processors']} processors"
    where += f", load {measured['load_before']}"
    version = " ".join(measured["openssl"]["version"].split()[:2])
    made = [[f"By threads ({where})", "bytes", *head, f"{version}, one: us"]]
    others = {(row["mechanism"], row["bytes"]): row["ns"] for row in measured["openssl"]["rows"]}
    mine = _shown(measured)
    for mechanism, size in dict.fromkeys((name, size) for name, _, size in mine):
        if _STORED in mechanism:
            continue
        cells = []
        for threads in (1, 2):
            row = mine[mechanism, threads, size]
            cells += [_us(row["api_ns"]), f"{row['ratio']:.2f}"]
        made.append([mechanism, f"{size:,}", *cells, _us(others[mechanism, size])])
    return made


def stored_keys(measured: Mapping[str, Any]) -> list[list[str]]:
    """One use of a key, by where it is when it is not used."""
    mine = [row for row in _shown(measured).values() if row["threads"] == 1]
    stored = [row for row in mine if _STORED in row["mechanism"]]
    size = stored[0]["bytes"]
    name, _, _ = stored[0]["mechanism"].partition(",")
    plain = next(row for row in mine if row["mechanism"] == name and row["bytes"] == size)
    said = ("volatile", "stored", "stored, with `PSA_KEY_USAGE_CACHE`")
    return [
        [f"Key of {name}, {size} bytes", "us"],
        *([how, _us(row["api_ns"])] for how, row in zip(said, (plain, *stored), strict=True)),
    ]
