# SPDX-License-Identifier: Apache-2.0
"""Make tests/update/images.c: small images, signed by imgtool with the key of emulated boards."""

from __future__ import annotations

import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

#: ports/emulated/update.c has its public key.
KEY_FILE = Path(__file__).with_name("maker.pem")
KEY = load_pem_private_key(KEY_FILE.read_bytes(), None)
assert isinstance(KEY, ec.EllipticCurvePrivateKey)
OTHER = ec.derive_private_key(5, ec.SECP256R1())
HEADER_SIZE = 32
TYPE_ECDSA = 0x22

#: Name, version, key, further words for imgtool.
IMAGES = (
    ("first", "1.2.3+4", KEY, ()),
    ("newer", "1.3.0+0", KEY, ("--security-counter", "7")),
    ("older", "1.2.3+3", KEY, ()),
    ("lower", "1.4.0+0", KEY, ("--security-counter", "6")),
    ("forged", "1.4.0+0", OTHER, ()),
)


#: Name and entries of images that only their maker can make.
SIGNED_AREAS = (
    ("counted", "40000100aa 50000400 00000080 7200 0000"),
    ("counted_twice", "50000400 07000000 50000400 00000000"),
    ("counted_in_three_bytes", "50000300 070000"),
    ("beyond_its_area", "40000500 07000000"),
    ("with_half_an_entry", "50000400 07000000 7200"),
)


def signed(version: str, key: ec.EllipticCurvePrivateKey, words: tuple[str, ...] = ()) -> bytes:
    """An image of imgtool with 64 bytes of code."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (folder / "key.pem").write_bytes(pem)
        (folder / "app.bin").write_bytes(bytes(ord(version[2]) + i & 0xFF for i in range(64)))
        sizes = ("--header-size", hex(HEADER_SIZE), "--slot-size", "0x3000", "--align", "8")
        command = (Path(sys.executable).with_name("imgtool"), "sign", "--key", "key.pem", *sizes)
        more = ("--pad-header", "--version", version, *words, "app.bin", "signed.bin")
        subprocess.run((*command, *more), cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return (folder / "signed.bin").read_bytes()


def entry_of_signature(image: bytes) -> int:
    """Where the entry of the signature begins, which is the last one."""
    size = HEADER_SIZE + int.from_bytes(image[12:16], "little")
    at = size + int.from_bytes(image[10:12], "little") + 4
    while image[at] != TYPE_ECDSA:
        at += 4 + int.from_bytes(image[at + 2 : at + 4], "little")
    return at


def with_signature(content: bytes, signature: bytes) -> bytes:
    """An image of which all before the entries is given."""
    entry = bytes([TYPE_ECDSA, 0, len(signature), 0]) + signature
    return content + struct.pack("<HH", 0x6907, 4 + len(entry)) + entry


def with_short_number(image: bytes) -> bytes:
    """The same image with a signature whose first number has a zero byte in front."""
    end = HEADER_SIZE + int.from_bytes(image[12:16], "little")
    while True:
        signature = KEY.sign(image[:end], ec.ECDSA(hashes.SHA256()))
        if decode_dss_signature(signature)[0] < 1 << 247:
            return with_signature(image[:end], signature)


def with_signed_area(image: bytes, entries: str) -> bytes:
    """The same image with these entries, in hexadecimal digits, in its signed area."""
    end = HEADER_SIZE + int.from_bytes(image[12:16], "little")
    area = bytes.fromhex(entries)
    area = struct.pack("<HH", 0x6908, 4 + len(area)) + area
    content = image[:10] + struct.pack("<H", len(area)) + image[12:end] + area
    return with_signature(content, KEY.sign(content, ec.ECDSA(hashes.SHA256())))


def text() -> str:
    """The source file."""
    found = {name: signed(version, key, words) for name, version, key, words in IMAGES}
    found["brief"] = with_short_number(found["first"])
    found |= {name: with_signed_area(found["first"], area) for name, area in SIGNED_AREAS}
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "/* Made by tests/update/images.py with imgtool 2.5.0. */",
        '#include "device.h"',
        "",
    ]
    for name, image in found.items():
        lines.append(f"static const uint8_t {name}[] = {{")
        rows = [image[i : i + 16] for i in range(0, len(image), 16)]
        lines += ["    " + ", ".join(f"0x{byte:02x}" for byte in row) + "," for row in rows]
        lines += ["};", ""]
    for name in found:
        lines.append(f"const struct image image_{name} = {{{name}, sizeof {name}}};")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    file = Path(__file__).with_name("images.c")
    file.write_text(text(), encoding="utf-8")
    subprocess.run(("clang-format", "-i", file), check=True)
