# SPDX-License-Identifier: Apache-2.0
"""BLAKE2 with a key: no package has vectors of it.

Some of the designers' are typed in, with the longest key; Python's own implementation, which agrees
with these, gives those of other keys, and of MACs that are cut (the first bytes of the whole one).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from .row import Result, Row

# BLAKE2/BLAKE2, testvectors/blake2-kat.json: of the key 00 01 02 ... and the message 00 01 02 ...,
# by its length.
PUBLISHED = {
    "BLAKE2S_HASH256": {
        0: "48a8997da407876b3d79c0d92325ad3b89cbb754d86ab71aee047ad345fd2c49",
        1: "40d15fee7c328830166ac3f918650f807e7e01e177258cdc0a39b11f598066f1",
        64: "8975b0577fd35566d750b362b0897a26c399136df07bababbde6203ff2954ed4",
        129: "46a73a8dd3e70f59d3942c01df599def783c9da82fd83222cd662b53dce7dbdf",
        255: "3fb735061abc519dfe979e54c1ee5bfad0a9d858b3315bad34bde999efd724dd",
    },
    "BLAKE2B_HASH512": {
        0: "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786"
        "b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568",
        1: "961f6dd1e4dd30f63901690c512e78e4b45e4742ed197c3c5e45c549fd25f2e4"
        "187b0bc9fe30492b16b0d0bc4ef9b0f34c7003fac09a5ef1532e69430234cebd",
        64: "65676d800617972fbd87e4b9514e1c67402b7a331096d3bfac22f1abb95374ab"
        "c942f16e9ab0ead33b87c91968a6e509e119ff07787b3ef483e1dcdccf6e3022",
        129: "64475dfe7600d7171bea0b394e27c9b00d8e74dd1e416a79473682ad3dfdbb70"
        "6631558055cfc8a40e07bd015a4540dcdea15883cbbf31412df1de1cd4152b91",
        255: "142709d62e28fcccd0af97fad0f8465b971e82201dc51070faa0372aa43e9248"
        "4be1c1e73ba10906d5d1853db6a4106e0a7bf9800d373d6dee2d46d62ef2a461",
    },
}


def _row(name: str, source: str, key: bytes, message: bytes, mac: bytes, cut: int = 0,
         result: Result = "VALID") -> Row:  # fmt: skip
    alg = f"PSA_ALG_BLAKE2_MAC(PSA_ALG_{name})"
    if cut:
        alg = f"PSA_ALG_TRUNCATED_MAC({alg}, {cut})"
    title = f"key {len(key)}, message {len(message)}, mac {len(mac)}"
    return Row(title, f"BLAKE2_MAC_{name}", source, "MAC", alg, "PSA_KEY_TYPE_BLAKE2", key,
               input=message, output=mac, result=result)  # fmt: skip


def rows() -> Iterator[Row]:
    for name, macs in PUBLISHED.items():
        function = hashlib.blake2b if "2B" in name else hashlib.blake2s
        size = function.MAX_KEY_SIZE
        for length, mac in macs.items():
            yield _row(name, "blake2-kat.json", bytes(range(size)), bytes(range(length)),
                       bytes.fromhex(mac))  # fmt: skip
        for key_size in (1, 7, size // 2, size - 1, size):
            for length in (0, 3, size, 2 * size, 2 * size + 1, 300):
                key, message = bytes(range(1, 1 + key_size)), bytes(i % 251 for i in range(length))
                whole = function(message, key=key).digest()
                wrong = whole[:-1] + bytes([whole[-1] ^ 1])
                yield _row(name, "hashlib", key, message, whole)
                yield _row(name, "hashlib", key, message, wrong, 0, "INVALID")
                yield _row(name, "hashlib", key, message, whole[:16], 16)
