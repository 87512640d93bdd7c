# SPDX-License-Identifier: Apache-2.0
"""The published exchange by J-PAKE in TLS and Thread, from the self-test of Mbed TLS.

Messages come in TLS's frames; here they are taken apart into the values that PSA has.
"""

from __future__ import annotations

import re
from pathlib import Path

_ARRAY = re.compile(r"ecjpake_test_(\w+)\[\]\s*=\s*\{([^}]*)\}")
_NUMBER = re.compile(r"0x([0-9a-f]{2})")
#: Bytes of the curve's name before the server's second message.
_CURVE = 3


def _values(message: bytes) -> list[bytes]:
    """Points and proofs, each behind a byte with its length."""
    found = []
    while message:
        length = message[0]
        found.append(message[1 : 1 + length])
        message = message[1 + length :]
    return found


def _array(name: str, data: bytes) -> str:
    text = ", ".join(f"0x{byte:02x}" for byte in data)
    return f"const uint8_t {name}[{len(data)}] = {{{text}}};\n"


def source(package: Path) -> str:
    """C definitions for tests/api/pake/published.h; the file lies in build/tests."""
    text = (package / "library" / "ecjpake.c").read_text(encoding="utf-8")
    arrays = {
        found[1]: bytes.fromhex("".join(_NUMBER.findall(found[2])))
        for found in _ARRAY.finditer(text)
    }
    lines = ['#include "../../tests/api/pake/published.h"\n\n']
    for name in ("x1", "x2", "x3", "x4", "shared_key", "pms"):
        value = arrays[name].removeprefix(b"\x41") if name == "shared_key" else arrays[name]
        lines.append(_array(f"published_{name}", value))
    lines.append(_array("published_password", arrays["password"]))
    sides = {
        "client": _values(arrays["cli_one"]) + _values(arrays["cli_two"]),
        "server": _values(arrays["srv_one"]) + _values(arrays["srv_two"][_CURVE:]),
    }
    for side, values in sides.items():
        assert [len(value) for value in values] == [65, 65, 32] * 3, side
        rows = ", ".join(
            f"{{{len(value)}, {{{', '.join(f'0x{byte:02x}' for byte in value)}}}}}"
            for value in values
        )
        lines.append(f"const struct published_value published_{side}[9] = {{{rows}}};\n")
    return "".join(lines)
