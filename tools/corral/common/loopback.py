# SPDX-License-Identifier: Apache-2.0
"""The address of this computer for itself: of IPv6, unless that is switched off."""

from __future__ import annotations

import socket
from functools import cache

_SIX, _FOUR = "::1", "127.0.0.1"


@cache
def has_ipv6() -> bool:
    """Whether this computer has its own address of IPv6: containers often have none."""
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            probe.bind((_SIX, 0))
    except OSError:
        return False
    return True


def host() -> str:
    """The address, without brackets."""
    return _SIX if has_ipv6() else _FOUR


def in_uri() -> str:
    """The address as URIs have it."""
    return f"[{_SIX}]" if has_ipv6() else _FOUR


def at(port: int) -> str:
    """The address with a port, as in a URI."""
    return f"{in_uri()}:{port}"


def family() -> socket.AddressFamily:
    """Of sockets that listen there."""
    return socket.AF_INET6 if has_ipv6() else socket.AF_INET
