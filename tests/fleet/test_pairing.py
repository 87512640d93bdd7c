# SPDX-License-Identifier: Apache-2.0
"""Pairing: commander and device derive the same secret as an independent library."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cbor2
import pytest
from client import Peer
from corral.build import image as corral_build
from corral.common import loopback
from corral.errors import CorralError
from corral_server import Server
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from harness import waiting
from harness.program import NATIVE, WITHOUT_ELEMENTS
from reference import Device, Map, Pairing, Signer, derive_pairing
from test_command import LIVES, Obedient, Sent, commander, commanding, wanted
from test_together import identity, image, local, run

__all__ = ["image", "local"]  # fixtures


class Agreeing:
    """A second key of the reference device."""

    def __init__(self, curve: str) -> None:
        self.x25519 = x25519.X25519PrivateKey.generate()
        self.p256 = ec.generate_private_key(ec.SECP256R1())
        self.is_p256 = curve == "p256"

    def cose_key(self) -> Map:
        """Its public part."""
        if not self.is_p256:
            return {1: 1, -1: 4, -2: self.x25519.public_key().public_bytes_raw()}
        point = self.p256.public_key().public_numbers()
        return {1: 2, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}

    def exchange(self, offer: bytes) -> bytes:
        """The secret agreed with the sender of this offer."""
        if not self.is_p256:
            return self.x25519.exchange(x25519.X25519PublicKey.from_public_bytes(offer))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), offer)
        return self.p256.exchange(ec.ECDH(), public)


def pairing(server: Server, device: str, file: Path, wait: int = 60) -> Sent:
    """Pair with a device meanwhile."""
    key = str(server.store.with_name("fleet.key"))
    options = ["--json", "pair", "--key", key, "--wait", str(wait)]
    return Sent([server.binary, "--store", server.store, *options, device, file])


def answer(peer: Obedient, say: Callable[[str, Any, bytes], tuple[int, object]]) -> str:
    """Take one command, and tell what is said to it; its name."""
    peer.ask()
    command = peer.fetch()
    stated = cbor2.loads(cbor2.loads(command)[2])
    name = str(stated[6])
    status, told = say(name, stated[7], command)
    peer.report(peer.device.result(command, peer.next(), status, told))
    return name


@pytest.mark.parametrize("curve", ["p256", "x25519"])
def test_pair__leaves_the_secret_that_another_library_derives(
    server: Server, tmp_path: Path, curve: str
) -> None:
    second = Agreeing(curve)
    file = tmp_path / "secret"
    made: list[Pairing] = []

    def agree(name: str, value: Any, command: bytes) -> tuple[int, object]:
        if name == "cf1-paired":
            assert value == made[0].of_owner
            return 0, None
        made.append(derive_pairing(second.exchange(value), command, device.identity))
        return 0, made[0].of_device

    device = Device(Signer.p256(), "valve", second.cose_key())
    commander(server)
    with Obedient(server.port, device) as peer:
        server.run("enrol", device.name)
        peer.register()
        end = pairing(server, device.name, file)
        assert [answer(peer, agree), answer(peer, agree)] == ["cf1-pair", "cf1-paired"]
        assert end() == (0, {"identity": device.name, "file": str(file)})
        assert file.read_bytes() == made[0].key
        assert file.stat().st_mode & 0o777 == 0o600
        status, said = pairing(server, device.name, file)()
        assert (status, "is there already" in said) == (1, True)


def _wrong(name: str, _value: Any, _command: bytes) -> tuple[int, object]:
    assert name == "cf1-pair"
    return 0, bytes(32)


def _refused(_name: str, _value: Any, _command: bytes) -> tuple[int, object]:
    return 2, None


def _reflected(_name: str, value: Any, _command: bytes) -> tuple[int, object]:
    return 0, value[:32]


@pytest.mark.parametrize(
    ("say", "why"),
    [(_wrong, "another secret"), (_reflected, "another secret"), (_refused, "status 2")],
)
def test_pair__with_who_does_not_confirm__leaves_nothing(
    server: Server, tmp_path: Path, say: Callable[[str, Any, bytes], tuple[int, object]], why: str
) -> None:
    device = Device(Signer.p256(), "valve", Agreeing("p256").cose_key())
    commander(server)
    with Obedient(server.port, device) as peer:
        server.run("enrol", device.name)
        peer.register()
        end = pairing(server, device.name, tmp_path / "secret")
        answer(peer, say)
        status, said = end()
    assert (status, why in said) == (1, True), said
    assert not (tmp_path / "secret").exists()


def test_pair__with_a_device_of_one_key__is_refused_before_it_is_asked(
    server: Server, tmp_path: Path
) -> None:
    device = Device(Signer.p256())
    commander(server)
    with Obedient(server.port, device) as peer:
        server.run("enrol", device.name)
        peer.register()
        status, said = pairing(server, device.name, tmp_path / "secret")()
        assert (status, "no second key" in said) == (1, True), said
        assert wanted(peer, device.name) == b""


@pytest.mark.parametrize("is_told", [True, False], ids=["refused", "no result"])
def test_pair__that_the_device_does_not_end__leaves_nothing_and_is_to_be_made_again(
    server: Server, tmp_path: Path, is_told: bool
) -> None:
    second = Agreeing("x25519")

    def agree(name: str, value: Any, command: bytes) -> tuple[int, object]:
        if name == "cf1-paired":
            return 3, None
        made = derive_pairing(second.exchange(value), command, device.identity)
        return 0, made.of_device

    device = Device(Signer.p256(), "valve", second.cose_key())
    commander(server)
    with Obedient(server.port, device) as peer:
        server.run("enrol", device.name)
        peer.register()
        # Long enough for the first command, which comes at once; the second is waited for in vain.
        end = pairing(server, device.name, tmp_path / "secret", 60 if is_told else 15)
        answer(peer, agree)
        if is_told:
            answer(peer, agree)
        status, said = end()
    assert (status, "pair again" in said) == (1, True), said
    assert list(tmp_path.glob("secret*")) == []


def test_pair__into_a_file_that_cannot_be_made__is_refused_before_the_device_is_asked(
    server: Server, tmp_path: Path
) -> None:
    device = Device(Signer.p256(), "valve", Agreeing("p256").cose_key())
    commander(server)
    (tmp_path / "killed.part").write_bytes(b"")
    (tmp_path / "nowhere").symlink_to(tmp_path / "absent")
    with Obedient(server.port, device) as peer:
        server.run("enrol", device.name)
        peer.register()
        for name, why in [
            ("absent/secret", "No such file"),
            ("killed", "killed.part is there"),
            ("nowhere", "is there already"),
        ]:
            status, said = pairing(server, device.name, tmp_path / name, 5)()
            assert (status, why in said) == (1, True), said
        assert wanted(peer, device.name) == b""
    assert (tmp_path / "killed.part").exists()


def _build(name: str, *defines: str) -> Path:
    """A device that can be paired."""
    options = corral_build.Options(
        settings={
            **WITHOUT_ELEMENTS,
            "PSA_WANT_ALG_ECDH": "y",
            "PSA_WANT_ALG_HKDF": "y",
            "PSA_WANT_ALG_HMAC": "y",
            "PSA_WANT_KEY_TYPE_HMAC": "y",
            "CORRAL_KEY_PAIR_SLOTS": "2",
        },
        defines=("FLEET_PAIRING=1", *defines),
        sanitize="address,undefined",
        name=f"tests/{name}",
    )
    return corral_build.build("sensor", NATIVE, options).image


@pytest.fixture(scope="module")
def pairing_image() -> Path:
    return _build("fleet-sensor-pairing")


def test_device_without_room_for_an_offer__is_not_built() -> None:
    with pytest.raises(CorralError, match="FLEET_ARGUMENT_SIZE of 65"):
        _build("fleet-sensor-no-room", "FLEET_ARGUMENT_SIZE=64")


def test_device_that_gets_a_second_key__has_another_identity_after_a_reset(
    image: Path, pairing_image: Path, local: Server
) -> None:
    before = identity(run(image, local, 0)[1])
    status, output = run(pairing_image, local, 0)
    assert (status, "no identity" in output) == (1, True), output
    assert identity(run(image, local, 0)[1]) == before  # nothing was changed
    status, output = run(pairing_image, local, 0, reset="1")
    assert status == 0, output
    after = identity(output)
    assert after != before
    local.run("enrol", after)
    status, output = run(pairing_image, local, 1)
    assert (status, identity(output)) == (0, after), output


def test_device_in_c__pairs_with_its_commander_alone(
    pairing_image: Path, local: Server, tmp_path: Path
) -> None:
    image = pairing_image
    name = identity(run(image, local, 0)[1])
    local.run("enrol", name)
    assert run(image, local, 1)[0] == 0
    obeyed = commander(local)

    def listen(whom: str, end: Sent) -> str:
        """Run the device while a commander waits. Returns its output."""
        with Peer(local.port, host=loopback.host()) as asks:
            while not (wanted(asks, name) or end.is_over()):
                time.sleep(0.02)
        status, output = run(image, local, 8, commander=whom, interval="200")
        assert status == 0, output
        return output

    def live(whom: str, file: Path, wait: int) -> tuple[str, tuple[int, Any]]:
        end = pairing(local, name, file, wait)
        return listen(whom, end), end()

    lives = (live(obeyed, tmp_path / "secret", 60) for _ in range(LIVES))
    output, (status, said) = waiting.first(lives, lambda life: life[1][0] == 0)
    assert status == 0, (output, said)
    assert "sensor: is being paired\n" in output
    assert "sensor: paired\n" in output
    assert len((tmp_path / "secret").read_bytes()) == 32

    def command() -> tuple[str, str]:
        with commanding(local, name, "cf1-x") as end:
            return listen(obeyed, end), str(end()[1])

    lives_after = (command() for _ in range(LIVES))
    output, text = waiting.first(lives_after, lambda life: "unknown command" in life[1])
    assert "unknown command" in text, output
    output, (status, said) = live("0" * 32, tmp_path / "other", 3)
    assert (status, "paired" in output) == (1, False), output
    assert not (tmp_path / "other").exists()
