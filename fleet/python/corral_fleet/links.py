# SPDX-License-Identifier: Apache-2.0
"""Links of RFC 6690, as directories list them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corral_fleet.cbor import malformed

_TARGET = re.compile(r"<([^<>\"\x00-\x20\x7f]*)>")
_ATTRIBUTE = re.compile(
    r";([A-Za-z0-9!#$&+.^_`|~*-]+)"
    r"(?:=(?:\"((?:[^\"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*)\"|([^\",;\x00-\x20\x7f]+)))?"
)


@dataclass(frozen=True)
class Link:
    """A target, and its attributes; of a repeated one, the first."""

    target: str
    attributes: dict[str, str]

    def has(self, name: str, value: str) -> bool:
        """Whether an attribute, which may list several values, has this one."""
        return value in self.attributes.get(name, "").split(" ")

    def resolved(self, origin: str) -> str | None:
        """Its URI, if CoAP reaches it: unchanged, or a path at the origin (`coap://host:port`)."""
        if self.target.startswith("/") and not self.target.startswith("//"):
            return origin + self.target
        return self.target if self.target.startswith("coap://") else None


def read(text: str) -> list[Link]:
    """The links of a document in link-format. Raises RefusedError (MALFORMED)."""
    links: list[Link] = []
    at = 0
    while at < len(text):
        target = _TARGET.match(text, at)
        if target is None:
            raise malformed("not a list of links")
        at = target.end()
        attributes: dict[str, str] = {}
        while found := _ATTRIBUTE.match(text, at):
            name, quoted, bare = found.groups()
            value = bare or "" if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
            attributes.setdefault(name, value)
            at = found.end()
        links.append(Link(target[1], attributes))
        if at < len(text):
            if text[at] != "," or at + 1 == len(text):
                raise malformed("not a list of links")
            at += 1
    return links
