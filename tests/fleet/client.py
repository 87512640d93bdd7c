# SPDX-License-Identifier: Apache-2.0
"""A CoAP peer that sees every byte: blocking, one exchange at a time, over aiocoap's messages."""

from __future__ import annotations

import secrets
import socket
from typing import Any

from aiocoap import ACK, CON, RST, Message
from aiocoap.numbers import ContentFormat
from aiocoap.numbers.codes import POST, PUT, Code
from harness.waiting import PATIENCE
from reference import FULL, LOW, Device

COSE = ContentFormat(18)
LARGEST_BLOCK = 6  # the exponent of 1,024 bytes
PACK = [{0: "t", 1: "Cel", 2: 23.5, 6: 1795000000}]


def filled(device: Device, size: int, length: int = FULL) -> list[dict[int, Any]]:
    """A pack of which a reading has so many bytes."""
    some = 300
    room = size - len(device.reading([{0: "t", 3: "x" * some}], 1, length))
    return [{0: "t", 3: "x" * (some + room)}]


class Peer:
    """A socket at the server."""

    confirmable: tuple[bytes, ...] = ()  # received messages that need an ACK

    def __init__(
        self, port: int, timeout: float = PATIENCE, host: str = "127.0.0.1", source: str = ""
    ) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_DGRAM)
        if source:
            self.socket.bind((source, 0))
        self.socket.connect((host, port))
        self.socket.settimeout(timeout)
        self.id = secrets.randbelow(65536)

    def close(self) -> None:
        """No more."""
        self.socket.close()

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def message(self, code: Code, *path: str, kind: Any = CON, **more: Any) -> bytes:
        """A request's bytes, with a new message ID and token."""
        self.id = (self.id + 1) % 65536
        made = Message(code=code, uri_path=path, **more)
        made.mtype, made.mid, made.token = kind, self.id, secrets.token_bytes(4)
        return bytes(made.encode())

    def exchange(self, datagram: bytes) -> Message:
        """Send, and wait for the matching answer; an answer to an older request may arrive
        first."""
        self.socket.send(datagram)
        token = datagram[4 : 4 + (datagram[0] & 0x0F)]
        while True:
            answer = self.receive()
            is_reply = answer.mtype in (ACK, RST) and answer.mid == int.from_bytes(datagram[2:4])
            if is_reply or answer.token == token:
                return answer

    def receive(self) -> Message:
        """The next message."""
        return Message.decode(self._new(), None)

    def _new(self) -> bytes:
        # A peer repeats a confirmable message if the ACK is late.
        while (came := self.socket.recv(2048)) in self.confirmable:
            pass
        if came[0] >> 4 & 3 == CON:
            self.confirmable += (came,)
        return came

    def request(self, code: Code, *path: str, **more: Any) -> Message:
        """Ask and be answered."""
        return self.exchange(self.message(code, *path, **more))

    def proven(self, code: Code, *path: str, **more: Any) -> Message:
        """Ask, and prove the address if the server wants that or gives small blocks without it."""
        answer = self.request(code, *path, **more)
        if answer.code == Code.UNAUTHORIZED and answer.opt.echo is not None:
            return self.request(code, *path, echo=answer.opt.echo, **more)
        *_, asked = more.get("block2", (LARGEST_BLOCK,))
        if answer.opt.block2 is not None and answer.opt.block2.size_exponent < asked:
            return self.request(code, *path, echo=self.prove_address(), **more)
        return answer

    def prove_address(self) -> bytes:
        """The Echo option that proves this address for a while."""
        return bytes(self.request(POST, "reg", content_format=COSE).opt.echo)

    def is_silent(self, seconds: float = 0.3) -> bool:
        """Whether nothing comes."""
        before = self.socket.gettimeout()
        self.socket.settimeout(seconds)
        try:
            self._new()
        except TimeoutError:
            return True
        finally:
            self.socket.settimeout(before)
        return False


class Sensor(Peer):
    """The reference device at a server."""

    def __init__(self, port: int, device: Device) -> None:
        super().__init__(port)
        self.device = device
        self.sequence = 0
        self.topic: tuple[str, ...] = ()

    def next(self) -> int:
        """A number that was not used."""
        self.sequence += 1
        return self.sequence

    def challenge(self) -> bytes:
        """The server's nonce."""
        answer = self.request(POST, "reg", content_format=COSE)
        assert answer.code == Code.UNAUTHORIZED
        assert 8 <= len(answer.opt.echo) <= 40
        return bytes(answer.opt.echo)

    def post(self, registration: bytes, nonce: bytes) -> Message:
        """Send what answers a challenge."""
        return self.request(POST, "reg", content_format=COSE, payload=registration, echo=nonce)

    def register(self) -> Message:
        """As section 4 of the protocol says."""
        nonce = self.challenge()
        answer = self.post(self.device.registration(self.next(), nonce), nonce)
        if answer.code.is_successful():
            self.topic = tuple(answer.opt.location_path)
        return answer

    def put(self, reading: bytes, **more: Any) -> Message:
        """Publish bytes, whatever they are."""
        return self.request(
            PUT, *self.topic, **{"content_format": COSE, "payload": reading, **more}
        )

    def publish(self, pack: object = PACK, length: int = LOW) -> Message:
        """Publish a reading with the next number."""
        return self.put(self.device.reading(pack, self.next(), length))
