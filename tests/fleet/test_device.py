# SPDX-License-Identifier: Apache-2.0
"""The device side of a fleet, part by part, with power cut at every step of its storage."""

from __future__ import annotations

import hashlib
import hmac
import importlib.util
import json
from pathlib import Path

import worked
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from harness.program import NATIVE, TESTS, Program
from harness.programs import PERSISTENT
from reference import derive_pairing

HERE = Path(__file__).resolve().parent
DEVICE = TESTS.parent / "fleet" / "device"
#: The parts of vectors.json that the program compares with.
_USED = (
    "p256_identity",
    "ed25519_identity",
    "senml",
    "reading_low",
    "reading_full",
    "reading_ed25519",
    "senml_synchronised",
    "senml_set",
    "senml_running",
    "jws_pack",
    "jws",
    "jws_ed25519_pack",
    "jws_ed25519",
    "registration_nonce",
    "registration",
    "directory",
    "group_identity",
    "command_nonce",
    "command",
    "operators",
    "command_of_member",
    "result",
    "handover",
)


def _header() -> str:
    """The worked examples of the protocol, and the keys that they are made with, in C."""
    read = json.loads((HERE / "vectors.json").read_text(encoding="utf-8"))
    made = {name: bytes.fromhex(read[name]) for name in _USED}
    made["p256_secret"] = worked.P256.to_bytes(32, "big")
    made["ed25519_secret"] = worked.ED25519
    made["x25519_secret"] = worked.X25519
    made["command_hash"] = hashlib.sha256(made["command"]).digest()
    made |= _paired(made)
    lines = [
        f"static const uint8_t vector_{name}[] = {{{', '.join(map(str, value))}}};"
        for name, value in made.items()
    ]
    return "#include <stdint.h>\n" + "\n".join([*lines, *_edges()]) + "\n"


def _edges() -> list[str]:
    """Signatures at the edges of Ed25519 (ed25519.json), in C.

    A verifier may multiply by the cofactor (RFC 8032, 5.1.7): Monocypher does, the server does not.
    """

    def array(digits: str) -> str:
        return "{" + ", ".join(str(byte) for byte in bytes.fromhex(digits)) + "}"

    cases = json.loads((HERE / "ed25519.json").read_text(encoding="utf-8"))["cases"]
    return [
        "static const struct ed25519_case {",
        "    uint8_t key[32], signature[64], message[32], length, holds;",
        "} ed25519_cases[] = {",
        *(
            f"    {{{array(case['key'])}, {array(case['signature'])}, {array(case['message'])},"
            f" {len(case['message']) // 2}, {int(case['holds'] or 'cofactored' in case)}}},"
            for case in cases
        ),
        "};",
    ]


def _paired(made: dict[str, bytes]) -> dict[str, bytes]:
    """The device with X25519, paired by the published command, as if that offered a key."""
    offers = X25519PrivateKey.from_private_bytes(made["p256_secret"])
    device = X25519PrivateKey.from_private_bytes(made["x25519_secret"])
    offer = offers.public_key().public_bytes_raw()
    secret = device.exchange(X25519PublicKey.from_public_bytes(offer))
    pairing = derive_pairing(secret, made["command"], made["ed25519_identity"])
    other = made["command_of_member"]
    earlier = derive_pairing(secret, other, made["ed25519_identity"])
    return {
        "earlier_hash": hashlib.sha256(other).digest(),
        "earlier_answer": earlier.of_owner,
        "earlier_mac": hmac.digest(earlier.key, made["command"], "sha256"),
        "pairing_offer": offer,
        "pairing_confirmation": pairing.of_device,
        "pairing_answer": pairing.of_owner,
        "pairing_mac": hmac.digest(pairing.key, made["command"], "sha256"),
    }


def program() -> Program:
    """All suites in one program, on flash that power can fail for."""
    folder = TESTS.parent / "build" / "tests" / "fleet-vectors"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "vectors.h"
    if not path.is_file() or path.read_text(encoding="utf-8") != _header():
        path.write_text(_header(), encoding="utf-8")
    sources = (TESTS / "persistent" / "device.c", *sorted(DEVICE.glob("*.c")))
    wrapped = ("fleet_object_sign", "fleet_key_write")
    return Program(
        "fleet/device",
        NATIVE,
        "fleet-device",
        PERSISTENT,
        sources,
        link_flags=tuple(f"-Wl,--wrap={name}" for name in wrapped),
        includes=(folder,),
    )


def test_parts() -> None:
    made = program()
    made.run().check_each(made.suites())


def test_sources_of_a_device_use_each_others_names_in_no_circle() -> None:
    path = TESTS.parent / "tools" / "checks" / "calls.py"
    specification = importlib.util.spec_from_file_location("calls", path)
    assert specification and specification.loader
    calls = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(calls)
    listed = calls.symbols(program().build().folder)
    assert len(calls.graph(listed)["fleet/device"]) == len(list(DEVICE.glob("*.c")))
    assert calls.circles(listed) == []
