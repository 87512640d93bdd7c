# SPDX-License-Identifier: Apache-2.0
"""The application's package accepts the worked examples, and rejects malformed ones."""

from __future__ import annotations

import contextlib
import json
import random
import re
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path

import cbor2
import pytest
import reference
import worked
from client import filled
from corral_fleet import (
    Device,
    Identity,
    Reason,
    Receiver,
    Record,
    RefusedError,
    Trust,
    WrongSettingError,
    cbor,
    links,
    read_registration,
    senml,
)
from corral_fleet.identity import PublicKey
from corral_fleet.memory import Memory
from reference import FULL, LOW, Signer, encode

VECTORS: dict[str, str] = json.loads((Path(__file__).parent / "vectors.json").read_text())
THERMOMETER = reference.Device(Signer.p256(worked.P256))
VALVE = reference.Device(
    Signer.ed25519(worked.ED25519),
    "valve",
    cbor2.loads(bytes.fromhex(VECTORS["ed25519_identity_input"]))[3],
)
NONCE = worked.NONCE
PACK = worked.PACK
RECORD = Record("t", "Cel", 23.5, None, 1795000000.0)


def vector(name: str) -> bytes:
    return bytes.fromhex(VECTORS[name])


def public(device: reference.Device) -> Device:
    """The package's view of a device of the reference."""
    return Device.read(device.signer.cose_key(), device.kind, device.agreement)


def receiver(device: reference.Device = THERMOMETER, highest: int | None = None) -> Receiver:
    return Receiver(public(device), highest)


def reason(call: Callable[[], object]) -> Reason:
    """Why something is refused."""
    with pytest.raises(RefusedError) as refused:
        call()
    return refused.value.reason


def test_identities__of_devices_and_groups__are_those_of_the_protocol() -> None:
    assert [public(one).identity.octets for one in (THERMOMETER, VALVE)] == [
        vector("p256_identity"),
        vector("ed25519_identity"),
    ]
    members = [public(one).identity for one in (THERMOMETER, VALVE)]
    assert Identity.of_group(members).octets == vector("group_identity")


def test_labels__are_read_in_each_form_and_with_their_check_digit_alone() -> None:
    identity = Identity(vector("p256_identity"))
    assert identity.label == VECTORS["p256_label"]
    for text in (identity.label, identity.scan_text, str(identity), identity.label.upper()):
        assert Identity.parse(text) == identity
    for digit in set("0123456789abcdef") - {identity.label[-1]}:
        with pytest.raises(WrongSettingError, match="check digit"):
            Identity.parse(identity.label[:-1] + digit)
    for text in ("", identity.short, str(identity) + "0", "x" * 32):
        with pytest.raises(WrongSettingError, match="32 hexadecimal digits"):
            Identity.parse(text)


@pytest.mark.parametrize(
    ("name", "device", "sequence"),
    [("reading_full", THERMOMETER, 65537), ("reading_ed25519", VALVE, 1)],
)
def test_first_reading__with_its_number_in_full__is_taken(
    name: str, device: reference.Device, sequence: int
) -> None:
    taker = receiver(device)
    for tag in (b"", b"\xd2"):
        reading = taker.accept(tag + vector(name))
        assert (reading.sequence, reading.records) == (sequence, (RECORD,))
        assert (reading.data, reading.is_repeated) == (vector(name), bool(tag))


def test_low_bits__need_a_number_before__and_give_the_object_in_full() -> None:
    assert reason(lambda: receiver().accept(vector("reading_low"))) is Reason.NO_FULL_NUMBER
    reading = receiver(highest=65536).accept(vector("reading_low"))
    assert (reading.sequence, reading.data) == (65537, vector("reading_full"))


def test_low_bits__of_what_would_be_too_long_with_all__are_refused() -> None:
    longest = THERMOMETER.reading(filled(THERMOMETER, 1018, LOW), 6, LOW)
    assert len(receiver(highest=5).accept(longest).data) == 1024
    longer = THERMOMETER.reading(filled(THERMOMETER, 1019, LOW), 6, LOW)
    assert reason(lambda: receiver(highest=5).accept(longer)) is Reason.MALFORMED


def test_low_bits__wrap_around_and_reach_to_the_threshold() -> None:
    for highest, sequence in ((65535, 65537), (40000, 72768), (32768, 65536)):
        low = THERMOMETER.reading(PACK, sequence)
        assert receiver(highest=highest).accept(low).sequence == sequence
    beyond = THERMOMETER.reading(PACK, 72769)
    assert reason(lambda: receiver(highest=40000).accept(beyond)) is Reason.BEYOND_THRESHOLD
    missed = THERMOMETER.reading(PACK, 40001 + 65536)
    taker = receiver(highest=40000)
    assert reason(lambda: taker.accept(missed)) is Reason.BAD_SIGNATURE_OF_LOW_BITS
    last = THERMOMETER.reading(PACK, 5)
    at_the_end = receiver(highest=2**64 - 2)
    assert reason(lambda: at_the_end.accept(last)) is Reason.BEYOND_THRESHOLD


def test_older_reading__after_a_newer_one__is_replayed() -> None:
    taker = receiver()
    old, new = (THERMOMETER.reading(PACK, number, FULL) for number in (7, 8))
    taker.accept(new)
    assert reason(lambda: taker.accept(old)) is Reason.REPLAYED
    assert (
        reason(lambda: taker.accept(THERMOMETER.reading(PACK, 7, LOW))) is Reason.BEYOND_THRESHOLD
    )
    other = THERMOMETER.reading([{0: "t", 2: 9}], 8, FULL)
    assert reason(lambda: taker.accept(other)) is Reason.REPLAYED
    assert taker.accept(new).is_repeated and taker.highest == 8
    later = Receiver(taker.device, taker.highest, taker.last)
    assert later.accept(new).is_repeated
    assert reason(lambda: later.accept(old)) is Reason.REPLAYED


def test_numbers__that_several_runs_keep_in_one_file__are_never_lowered(tmp_path: Path) -> None:
    def seen(memory: Memory, device: reference.Device, number: int) -> None:
        taker = memory.receiver(public(device))
        taker.accept(device.reading(PACK, number, FULL))
        memory.keep(taker)

    one, other = (Memory(tmp_path / "state") for _ in range(2))
    late = one.receiver(public(THERMOMETER))
    seen(other, THERMOMETER, 2**64 - 1)
    seen(one, VALVE, 2**63)
    late.accept(THERMOMETER.reading(PACK, 255, FULL))
    one.keep(late)
    later = Memory(tmp_path / "state")
    highest = [later.receiver(public(device)).highest for device in (THERMOMETER, VALVE)]
    assert highest == [2**64 - 1, 2**63]
    newest = THERMOMETER.reading(PACK, 2**64 - 1, FULL)
    assert later.receiver(public(THERMOMETER)).accept(newest).is_repeated


def test_file_that_holds_something_else__is_refused(tmp_path: Path) -> None:
    file = tmp_path / "state"
    for wrong in (tmp_path, tmp_path / ("x" * 300), tmp_path / "none" / "state"):
        with pytest.raises(WrongSettingError, match="name another file"):
            Memory(wrong)
    file.write_text("[]")
    with pytest.raises(WrongSettingError, match="name another file"):
        Memory(file)
    file.unlink()
    for what in ("7", "'late'", "x'08'"):
        Memory(file)
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as store:
            row = f"x'{public(THERMOMETER).identity}', {what}, x''"
            store.execute(f"INSERT OR REPLACE INTO seen VALUES ({row})")
        with pytest.raises(WrongSettingError, match="name another file"):
            Memory(file).receiver(public(THERMOMETER))


def test_reading__of_another_device_or_for_another_topic__is_refused() -> None:
    foreign = VALVE.reading(PACK, 1, FULL)
    assert reason(lambda: receiver().accept(foreign)) is Reason.BAD_SIGNATURE
    same_key = reference.Device(THERMOMETER.signer, "valve").reading(PACK, 1, FULL)
    assert reason(lambda: receiver().accept(same_key)) is Reason.BAD_SIGNATURE
    moved = THERMOMETER.reading(PACK, 1, FULL, topic=VALVE.name)
    assert reason(lambda: receiver().accept(moved)) is Reason.BAD_SIGNATURE
    registration = vector("registration")
    assert reason(lambda: receiver().accept(registration)) is Reason.MALFORMED


def test_signer__that_is_named__has_to_be_the_device() -> None:
    protected, unprotected, payload, signature = cbor2.loads(vector("reading_full"))

    def naming(signer: bytes) -> bytes:
        return encode([protected, {4: signer, **unprotected}, payload, signature])

    assert receiver().accept(naming(THERMOMETER.identity)).sequence == 65537
    assert reason(lambda: receiver().accept(naming(VALVE.identity))) is Reason.FOREIGN_KEY
    assert reason(lambda: receiver().accept(naming(b"x"))) is Reason.MALFORMED


@pytest.mark.parametrize("name", ["reading_full", "reading_low", "reading_ed25519"])
def test_reading__with_any_bit_changed_or_cut_anywhere__is_refused(name: str) -> None:
    data = vector(name)
    taker = receiver(VALVE) if name == "reading_ed25519" else receiver(highest=65536)
    before = taker.highest
    for at in range(len(data)):
        for bit in (1, 0x80):
            changed = bytearray(data)
            changed[at] ^= bit
            reason(lambda changed=changed: taker.accept(bytes(changed)))  # type: ignore[misc]
        reason(lambda at=at: taker.accept(data[:at]))  # type: ignore[misc]
    reason(lambda: taker.accept(data + b"\x00"))
    assert taker.highest == before
    assert taker.accept(data).sequence in (1, 65537)


def test_registrations__of_broker_and_directory__are_verified_for_their_nonce_alone() -> None:
    stated = read_registration(vector("registration"), NONCE)
    assert (stated.device, stated.sequence) == (public(THERMOMETER), 65538)
    member = read_registration(vector("registration_of_member"), NONCE)
    assert Identity.of_group(member.members).octets == vector("group_identity")
    assert member.links == '</t>;rt="temperature"'
    query = [f"ep={THERMOMETER.name}"]
    assert read_registration(vector("directory"), NONCE, query).sequence == 65541
    for name, nonce, asked in (
        ("registration", NONCE[::-1], None),
        ("registration", NONCE, query),
        ("directory", NONCE, None),
        ("directory", NONCE, [*query, "lt=60"]),
    ):
        forged = reason(lambda n=name, o=nonce, q=asked: read_registration(vector(n), o, q))  # type: ignore[misc]
        assert forged is Reason.BAD_SIGNATURE
    outsider = reference.Device(THERMOMETER.signer, group=(VALVE.identity, bytes(16))).registration(
        1, NONCE
    )
    assert reason(lambda: read_registration(outsider, NONCE)) is Reason.FOREIGN_KEY


def test_members__are_believed_if_their_group_is() -> None:
    members = [public(one).identity for one in (THERMOMETER, VALVE)]
    trust = Trust.of([VECTORS["group_identity"]])
    trust.names[members[1]] = "cellar"
    assert reason(lambda: trust.reveal([members[0]])) is Reason.NOT_TRUSTED
    assert reason(lambda: trust.reveal([*members, Identity(bytes(16))])) is Reason.NOT_TRUSTED
    trust.reveal(members)
    assert trust.names == {members[0]: "", members[1]: "cellar"}


def test_file_of_the_trusted__is_that_of_enrolment__and_says_its_wrong_line(tmp_path: Path) -> None:
    file = tmp_path / "trusted.csv"
    file.write_text(f"# a house\n\n{VECTORS['p256_label']}, attic, climate\n{VALVE.name} # later\n")
    assert Trust.from_file(file).names == {
        Identity(THERMOMETER.identity): "attic",
        Identity(VALVE.identity): "",
    }
    file.write_text(f"{VALVE.name}\nnonsense\n")
    with pytest.raises(WrongSettingError, match="line 2: 'nonsense' is no identity"):
        Trust.from_file(file)
    with pytest.raises(WrongSettingError, match=r"none\.csv"):
        Trust.from_file(tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("key", "kind", "agreement"),
    [
        ({1: 2, -1: 1, -2: bytes(32)}, "valve", None),
        ({1: 2, -1: 2, -2: bytes(32), -3: bytes(32)}, "valve", None),
        ({1: 1, -1: 6, -2: bytes(31)}, "valve", None),
        ({1: 1, -1: 6, -2: bytes(32), -3: bytes(32)}, "valve", None),
        ({1: 1, -1: 4, -2: bytes(32)}, "valve", None),
        ({1: True, -1: 6, -2: bytes(32)}, "valve", None),
        ({1: 1, -1: 6.0, -2: bytes(32)}, "valve", None),
        ({1: 1, -1: 6, -2: bytes(32)}, "valve", {1: 1, -1: 6, -2: bytes(32)}),
        ({1: 1, -1: 6, -2: bytes(32)}, "Valve", None),
        ({1: 1, -1: 6, -2: bytes(32)}, "", None),
        ({1: 1, -1: 6, -2: bytes(32)}, "v" * 33, None),
        ({1: 1, -1: 6, -2: bytes(32)}, 7, None),
        (b"", "valve", None),
    ],
)
def test_description__of_what_is_no_device__is_refused(
    key: object, kind: object, agreement: object
) -> None:
    assert reason(lambda: Device.read(key, kind, agreement)) is Reason.MALFORMED


def test_point__that_is_not_on_the_curve__verifies_nothing() -> None:
    key = THERMOMETER.signer.cose_key() | {-3: bytes(32)}
    taker = Receiver(Device.read(key, "thermometer", None))
    assert reason(lambda: taker.accept(vector("reading_full"))) is Reason.BAD_SIGNATURE


@pytest.mark.parametrize(
    "encoding",
    [
        "", "1801", "1817", "190018", "1900ff", "1a0000ffff", "1b00000000ffffffff", "1c", "5801ff",
        "5f4100ff", "61ff", "62e4", "82", "8201", "9f01ff", "9bffffffffffffffff", "a10102a1",
        "a201010102", "a202010101", "a2f5010102", "a1f501", "a18001", "bf0102ff", "f0", "f7",
        "f818", "fa3fc00000", "fb3ff8000000000000", "f97e01", "fa7fc00000", "fa477fe000", "0000",
        "ff", "81818181818181818101",
    ],
)  # fmt: skip
def test_other_encoding__is_refused(encoding: str) -> None:
    assert reason(lambda: cbor.decode(bytes.fromhex(encoding))) is Reason.MALFORMED


def drawn(chance: random.Random, depth: int = 6) -> object:
    """A value, whose maps have keys of one type, for which cbor2 orders as the protocol does."""
    bits = chance.getrandbits
    plain = [
        lambda: chance.choice([1, -1]) * bits(chance.randrange(64)) - 1,
        lambda: chance.choice([0.0, -0.0, 1.5, 1e300, 3.1, 65505.0, 2.0**-24, 1e10]),
        lambda: struct.unpack(">d", struct.pack(">Q", bits(62)))[0],
        lambda: chance.randbytes(chance.choice([0, 1, 23, 24, 256])),
        lambda: "ä" * chance.randrange(30),
        lambda: chance.choice([None, True, False]),
    ]
    nested = [
        lambda: [drawn(chance, depth - 1) for _ in range(chance.randrange(5))],
        lambda: {bits(20): drawn(chance, depth - 1) for _ in range(chance.randrange(5))},
    ]
    return chance.choice(plain + nested if depth else plain)()


def test_floats__of_two_bytes__reach_to_65504() -> None:
    assert cbor.decode(bytes.fromhex("82f97bfffa477fe100")) == [65504.0, 65505.0]


def test_values__that_cbor2_encodes_deterministically__are_read_as_they_were() -> None:
    chance = random.Random(8949)
    for _ in range(2000):
        value = drawn(chance)
        data = cbor2.dumps(value, canonical=True)
        assert repr(cbor.decode(data)) == repr(cbor2.loads(data))


def test_damaged_bytes__that_are_read__are_the_only_encoding_to_cbor2_as_well() -> None:
    chance = random.Random(8428)
    read = 0
    for _ in range(6000):
        data = bytearray(cbor2.dumps(drawn(chance, 2), canonical=True))
        data[chance.randrange(len(data))] = chance.getrandbits(8)
        try:
            value = cbor.decode(bytes(data))
        except RefusedError:
            continue
        # cbor2 5.9 encodes numbers from 32768 on in four bytes, although two suffice.
        if "Tag(" not in repr(value) and not re.search(rb"\xf9[\x78-\x7b\xf8-\xfb]", data):
            read += 1
            assert cbor2.dumps(cbor2.loads(bytes(data)), canonical=True) == data
    assert read > 1000


@pytest.mark.parametrize(
    "pack",
    [
        [],
        {0: "t", 2: 1},
        [{0: "t"}],
        [{0: "t", 2: 1, 3: "x"}],
        [{0: "t", 2: 1, 6: -60}],
        [{2: 1}],
        [{0: ".t", 2: 1}],
        [{0: "t" * 65, 2: 1}],
        [{-2: "t" * 33, 0: "t" * 32, 2: 1}],
        [{-1: 11, 0: "t", 2: 1}],
        [{0: "t", 2: 1, 9: None}],
        [{0: "t", 2: 1, "x_": None}],
        [{0: "t", 2: True}],
        [{0: "t", 2: "1"}],
        [{0: "t", 4: 1}],
        [{0: "t", 8: "x"}],
        [{0: b"t", 2: 1}],
        [{0: "t", 2: float("nan")}],
        [{0: "t", 2: float("inf")}],
        [{-5: 1.7e308, 0: "t", 2: 1.7e308}],
        [{0: "t", 2: cbor2.CBORTag(4, [128, 1])}],
        [{0: "t", 2: cbor2.CBORTag(4, [0, 2**63])}],
        [{0: "t", 2: cbor2.CBORTag(5, [0, 1])}],
        [{0: "t", 2: 1}] * 65,
        [7],
    ],
)
def test_pack__that_the_protocol_forbids__is_refused(pack: object) -> None:
    assert reason(lambda: senml.read(encode(pack))) is Reason.MALFORMED
    taker = receiver()
    signed = THERMOMETER.reading(pack, 1, FULL)
    assert reason(lambda: taker.accept(signed)) is Reason.MALFORMED
    assert taker.highest is None


def test_pack__is_resolved_by_what_stands_before() -> None:
    pack = [
        {-2: "a", -3: 1795000000, -4: "Cel", -5: 20, 2: 1.5},
        {0: ":b", 6: -60, 2: cbor2.CBORTag(4, [-2, 2347]), "x": None},
        {-5: 0, 0: ":c", 1: "V", 3: "low"},
        {0: ":d", 5: 7, 7: 60},
        {0: ":e", 8: b"\x01"},
        {-3: 0, 0: ":f", 4: False},
    ]
    now = 1795000000.0
    assert senml.read(encode(pack)) == (
        Record("a", "Cel", 21.5, None, now),
        Record("a:b", "Cel", 43.47, None, now - 60),
        Record("a:c", "V", "low", None, now),
        Record("a:d", "Cel", None, 7.0, now),
        Record("a:e", "Cel", b"\x01", None, now),
        Record("a:f", "Cel", False, None, None),
    )


def test_links__keep_markup_within_quotes() -> None:
    text = '</rd/1>;ep="a\\",<coap://evil>;ep=b";rt="x y";obs,<coap://[::1]:7/t>;ct=18;ct=19'
    first, second = links.read(text)
    assert first.attributes == {"ep": 'a",<coap://evil>;ep=b', "rt": "x y", "obs": ""}
    assert first.has("rt", "y") and not first.has("rt", "x y")
    assert (first.resolved("coap://h"), second.resolved("coap://h")) == (
        "coap://h/rd/1",
        "coap://[::1]:7/t",
    )
    assert second.attributes == {"ct": "18"}
    for target in ("//evil/x", "http://evil", "relative"):
        assert links.Link(target, {}).resolved("coap://h") is None
    assert links.read("") == []


@pytest.mark.parametrize("text", ["x", "</x", "</x>;", "</x>,", '</x>;a="', "</x>;a=\x07", "</x>y"])
def test_what_is_no_list_of_links__is_refused(text: str) -> None:
    assert reason(lambda: links.read(text)) is Reason.MALFORMED


def test_ed25519__of_small_order_or_a_second_encoding__holds_for_nothing() -> None:
    cases = json.loads((Path(__file__).parent / "ed25519.json").read_text())["cases"]
    for case in cases:
        message, key, signature = (
            bytes.fromhex(case[name]) for name in ("message", "key", "signature")
        )
        public_key = PublicKey.read({1: 1, -1: 6, -2: key})
        assert public_key.verifies(-8, message, signature) is case["holds"], case
        assert public_key.verifies(-19, message, signature) is case["holds"], case
