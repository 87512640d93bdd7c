# SPDX-License-Identifier: Apache-2.0
"""The protocol's worked examples, and a second library's opinion of them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import cbor2
import pytest
import reference
import worked
from corral.fleet import wire
from pycose.keys import CoseKey
from pycose.messages import Sign1Message

HERE = Path(__file__).parent
PROTOCOL = (HERE.parents[1] / "docs" / "fleet" / "PROTOCOL.md").read_text()
VECTORS: dict[str, str] = json.loads((HERE / "vectors.json").read_text())

P256_SIGNER = reference.Signer.p256(worked.P256)
ED25519_SIGNER = reference.Signer.ed25519(worked.ED25519)


def test_vectors__are_what_the_reference_makes() -> None:
    assert worked.vectors() == VECTORS


@pytest.mark.parametrize(
    "name",
    [
        "p256_identity_input",
        "p256_identity",
        "p256_label",
        "reading_low",
        "reading_context",
        "senml_synchronised",
        "command",
        "command_context",
        "result",
        "handover",
        "handover_context",
    ],
)
def test_protocol_page__shows_the_vector(name: str) -> None:
    without_comments = re.sub(r"(?<=\S) {3,}[^\n]*", "", PROTOCOL)
    assert VECTORS[name] in re.sub(r"\s", "", without_comments)


def test_protocol_page__shows_the_bundle_around_the_jws() -> None:
    without_comments = re.sub(r"(?<=\S) {3,}[^\n]*", "", PROTOCOL)
    around, _, after = VECTORS["bundle"].partition(VECTORS["jws"])
    assert around in re.sub(r"\s", "", without_comments) and after == ""


def test_protocol_page__shows_the_jws_and_its_header() -> None:
    shown = bytes.fromhex(VECTORS["jws"]).decode()
    assert shown in re.sub(r"\s", "", PROTOCOL)
    header = base64.urlsafe_b64decode(shown.partition(".")[0] + "==").decode()
    assert header in PROTOCOL


def test_wire__tells_readings_by_their_header_alone() -> None:
    low, full = (bytes.fromhex(VECTORS[name]) for name in ("reading_low", "reading_full"))
    like_low = full[:-8] + b"\x06\x42" + full[-6:]  # a signature may have any bytes
    readings = [b"\x50\x03\x00\x01\xff" + each for each in (low, full, like_low)]
    assert [wire.has_low_bits(each) for each in readings] == [True, False, False]
    forged = wire.altered(readings[0])
    differs = [at for at, byte in enumerate(readings[0]) if byte != forged[at]]
    assert differs == [5 + 12, 5 + len(low) - 67]


def context(kind: str, signer: reference.Device, *rest: object) -> bytes:
    return reference.encode([f"cf1-{kind}", signer.identity, *rest])


THERMOMETER = reference.Device(P256_SIGNER)
VALVE = reference.Device(
    ED25519_SIGNER, "valve", cbor2.loads(bytes.fromhex(VECTORS["ed25519_identity_input"]))[3]
)
NONCE = bytes.fromhex(VECTORS["registration_nonce"])


@pytest.mark.parametrize(
    ("name", "device", "external"),
    [
        ("reading_low", THERMOMETER, context("reading", THERMOMETER, THERMOMETER.name, 65537)),
        ("reading_full", THERMOMETER, context("reading", THERMOMETER, THERMOMETER.name, 65537)),
        (
            "reading_synchronised",
            THERMOMETER,
            context("reading", THERMOMETER, THERMOMETER.name, 65543),
        ),
        ("reading_ed25519", VALVE, context("reading", VALVE, VALVE.name, 1)),
        ("registration", THERMOMETER, context("registration", THERMOMETER, NONCE, 65538)),
        ("registration_of_member", VALVE, context("registration", VALVE, NONCE, 2)),
        (
            "directory",
            THERMOMETER,
            context("directory", THERMOMETER, [NONCE, f"ep={THERMOMETER.name}"], 65541),
        ),
        ("ask", THERMOMETER, context("ask", THERMOMETER, NONCE, 65542)),
        ("command", VALVE, bytes.fromhex(VECTORS["command_context"])),
        (
            "command_of_member",
            THERMOMETER,
            context(
                "command",
                THERMOMETER,
                [reference.Device(P256_SIGNER, "operator").identity, worked.CHALLENGE],
                0,
            ),
        ),
        (
            "result",
            THERMOMETER,
            context(
                "result",
                THERMOMETER,
                hashlib.sha256(bytes.fromhex(VECTORS["command"])).digest(),
                65539,
            ),
        ),
        ("handover", THERMOMETER, context("handover", THERMOMETER, VALVE.identity, 65540)),
    ],
)
def test_pycose__verifies_the_vector_and_nothing_else(
    name: str, device: reference.Device, external: bytes
) -> None:
    message = Sign1Message.decode(
        reference.encode(cbor2.CBORTag(18, cbor2.loads(bytes.fromhex(VECTORS[name]))))
    )
    message.key = CoseKey.from_dict(device.signer.cose_key())
    message.external_aad = external
    assert message.verify_signature()
    message.external_aad = external[:-1] + bytes([external[-1] ^ 1])
    assert not message.verify_signature()
