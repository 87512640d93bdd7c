# SPDX-License-Identifier: Apache-2.0
"""The network between devices and server, with an attacker on it who records, repeats
and alters."""

from __future__ import annotations

import contextlib
import re
import secrets
import select
import socket
import threading
from collections.abc import Iterator

from corral.common import loopback

_PUT, _CONFIRMABLE = 3, 0x40
#: The begin of a reading that has only the low bits of its number: behind the protected
#: header, COSE's Partial IV of two bytes.
_LOW_BITS = re.compile(rb"\x84\x46.{6}\xa1\x06\x42(..)", re.DOTALL)
#: A signature and its length, which come last.
_SIGNED_SIZE = 2 + 64
_SILENCE = 5.0  # seconds without an answer
_SIZE = 2048

Address = tuple[str, int]


def address_of(text: str) -> Address:
    """[HOST]:PORT taken apart."""
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


#: This computer in QEMU's own network: there it is reached only as 127.0.0.1.
_HOST_OF_GUESTS = "10.0.2.2"


def _listening(family: socket.AddressFamily, host: str) -> socket.socket:
    made = socket.socket(family, socket.SOCK_DGRAM)
    made.bind((host, 0))
    return made


class Wire:
    """Passes datagrams to a server, from each device by a socket of its own, and keeps them.

    It is at `address`; for an emulated computer in QEMU's own network at `address_for_guests`.
    """

    def __init__(self, server: str) -> None:
        self.server = address_of(server)
        front = _listening(loopback.family(), loopback.host())
        of_guests = _listening(socket.AF_INET, "127.0.0.1")
        self._fronts = (front, of_guests)
        self.address = loopback.at(front.getsockname()[1])
        self.address_for_guests = f"{_HOST_OF_GUESTS}:{of_guests.getsockname()[1]}"
        self.up: list[bytes] = []
        self.down: list[bytes] = []
        self._behind: dict[Address, socket.socket] = {}
        self._front_of: dict[Address, socket.socket] = {}

    def loses(self, message: bytes) -> bool:
        """Whether a datagram gets lost; none does here."""
        return False

    @contextlib.contextmanager
    def passing(self) -> Iterator[None]:
        """Pass what comes, meanwhile."""
        is_over = threading.Event()
        thread = threading.Thread(target=self._pass, args=(is_over,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()
            for each in (*self._fronts, *self._behind.values()):
                each.close()

    def _pass(self, is_over: threading.Event) -> None:
        while not is_over.is_set():
            devices = {each: device for device, each in self._behind.items()}
            for ready in select.select([*self._fronts, *devices], [], [], 0.1)[0]:
                with contextlib.suppress(OSError):  # a peer is gone
                    data, source = ready.recvfrom(_SIZE)
                    if self.loses(data):
                        continue
                    if ready in self._fronts:
                        self.up.append(data)
                        self._front_of[source[:2]] = ready
                        self._socket_of(source[:2]).send(data)
                    else:
                        self.down.append(data)
                        device = devices[ready]
                        self._front_of[device].sendto(data, device)

    def _socket_of(self, device: Address) -> socket.socket:
        if device not in self._behind:
            self._behind[device] = self._connected()
        return self._behind[device]

    def _connected(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self.server[0] else socket.AF_INET
        made = socket.socket(family, socket.SOCK_DGRAM)
        made.connect(self.server)
        return made

    def readings(self) -> list[bytes]:
        """The messages that published something."""
        return [message for message in self.up if message[1] == _PUT]

    def send(self, message: bytes) -> str:
        """Send a recorded message from elsewhere, wanting an answer; the code of that."""
        own = bytearray(message)
        own[0] = _CONFIRMABLE | own[0] & 0x0F
        own[2:4] = secrets.token_bytes(2)
        with self._connected() as elsewhere:
            elsewhere.settimeout(_SILENCE)
            elsewhere.send(own)
            try:
                code = elsewhere.recv(_SIZE)[1]
            except TimeoutError:
                return "silence"
        return f"{code >> 5}.{code & 31:02}"


def altered(message: bytes) -> bytes:
    """A recorded reading with another value, under an unused number.

    The value's last byte is before the signature, which comes last.
    """
    forged = bytearray(message)
    found = _LOW_BITS.search(message)
    assert found is not None
    forged[-_SIGNED_SIZE - 1] ^= 0x40
    low = int.from_bytes(found[1], "big")
    forged[slice(*found.span(1))] = ((low + 100) % (1 << 16)).to_bytes(2, "big")
    return bytes(forged)


def has_low_bits(message: bytes) -> bool:
    """Whether a reading has only the low bits of its number."""
    return _LOW_BITS.search(message) is not None
