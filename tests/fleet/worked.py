# SPDX-License-Identifier: Apache-2.0
"""Write vectors.json, the worked examples of docs/fleet/PROTOCOL.md.

The secrets are published ones: P-256 of RFC 6979 appendix A.2.5, Ed25519 of RFC 8032 section 7.1
(test 1), X25519 of RFC 7748 section 6.1 (Alice's).

To renew: python tests/fleet/worked.py > tests/fleet/vectors.json
"""

from __future__ import annotations

import json

import reference
from cbor2 import CBORTag
from reference import Device, Signer, encode

P256 = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
ED25519 = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
X25519 = bytes.fromhex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
NONCE = bytes.fromhex("00112233445566778899aabb")
CHALLENGE = bytes.fromhex("0102030405060708090a0b0c0d0e0f10")
PACK = [{0: "t", 1: "Cel", 2: 23.5, 6: 1795000000}]
#: Measurements of a device with a clock: now, and a minute ago.
NOW = {0: "t", 1: "Cel", 2: CBORTag(4, [-1, 235])}
BEFORE = {0: "t", 1: "Cel", 2: CBORTag(4, [-1, 234])}
SYNCHRONISED = [{**NOW, -3: 1795000000, "btsync": 3600}, {**BEFORE, 6: -60}]
SET = [{**NOW, -3: 1795000000, "btset": 40000}, {**BEFORE, 6: -60}]
JSON_PACK = [{"n": "t", "u": "Cel", "v": 23.5, "t": 1795000000}]
#: The same, as a device without floats writes it.
JSON_NOW = (
    b'[{"n":"t","u":"Cel","v":235e-1,"bt":1795000000,"btsync":3600},'
    b'{"n":"t","u":"Cel","v":234e-1,"t":-60}]'
)
RUNNING = [{**NOW, "btrun": 20}, {**BEFORE, 6: 1794999940}]


def vectors() -> dict[str, str]:
    """Each object by name, as text or hexadecimal digits."""
    first = Device(Signer.p256(P256))
    agreement = {
        1: 1,
        -1: 4,
        -2: bytes.fromhex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"),
    }
    second = Device(Signer.ed25519(ED25519), "valve", agreement)
    members = sorted([first.identity, second.identity])
    member = Device(second.signer, second.kind, agreement, tuple(members))
    key = first.signer.cose_key()
    reading = first.reading(PACK, 65537)
    command = second.command(first.identity, CHALLENGE, "blink", 3)
    # The commander by group has the device's key, as kind "operator": another identity.
    operator = Device(first.signer, "operator")
    operators = sorted([second.identity, operator.identity])
    of_group = Device(operator.signer, operator.kind, None, tuple(operators))
    context = ["cf1-reading", first.identity, first.name, 65537]
    protected = encode({1: -7, 3: 112})
    made = {
        "p256_cose_key": encode(key),
        "p256_identity_input": encode(["cf1-id", key, "thermometer", None]),
        "p256_identity": first.identity,
        "ed25519_identity_input": encode(["cf1-id", second.signer.cose_key(), "valve", agreement]),
        "ed25519_identity": second.identity,
        "group_input": encode(["cf1-group", members]),
        "group_identity": reference.group_identity(members),
        "senml": encode(PACK),
        "reading_context": encode(context),
        "reading_to_be_signed": reference.to_be_signed(protected, context, encode(PACK)),
        "reading_low": reading,
        "reading_full": first.reading(PACK, 65537, reference.FULL),
        "reading_ed25519": second.reading(PACK, 1, reference.FULL),
        "senml_synchronised": encode(SYNCHRONISED),
        "senml_set": encode(SET),
        "senml_running": encode(RUNNING),
        "reading_synchronised": first.reading(SYNCHRONISED, 65543, reference.FULL),
        "jws_pack": JSON_NOW,
        "jws": first.jws(JSON_NOW, 65544),
        "jws_ed25519": second.jws(JSON_PACK, 2),
        "jws_ed25519_pack": reference.as_json(JSON_PACK),
        "bundle": first.original(PACK, 65537) + encode(first.jws(JSON_NOW, 65544).decode()),
        "registration_nonce": NONCE,
        "registration": first.registration(65538, NONCE),
        "registration_of_member": member.registration(2, NONCE, '</t>;rt="temperature"'),
        "directory": first.registration(
            65541, NONCE, '</t>;rt="temperature"', [f"ep={first.name}"]
        ),
        "ask": first.ask(NONCE, CHALLENGE, 65542),
        "command_nonce": CHALLENGE,
        "command": command,
        "command_context": encode(["cf1-command", first.identity, [second.identity, CHALLENGE], 0]),
        "operators": reference.group_identity(operators),
        "command_of_member": of_group.command(first.identity, CHALLENGE, "heat", True),
        "result": first.result(command, 65539, 0, None),
        "handover": first.handover(second, 65540),
        "handover_context": encode(["cf1-handover", first.identity, second.identity, 65540]),
    }
    text = {"p256_label": reference.label(first.identity)}
    return text | {name: value.hex() for name, value in made.items()}


if __name__ == "__main__":
    print(json.dumps(vectors(), indent=2))
