# SPDX-License-Identifier: Apache-2.0
"""The functions of the API, read from the prototypes of include/psa.

Generators of a function before each of them, or of a message for it, take them from
here: no function and no argument can be forgotten.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from corral.generate.c.nodes import Parameter
from corral.generate.c.terms import Type
from corral.generate.functions import SIZE

_PROTOTYPE = re.compile(r"^psa_status_t psa_(\w+)\(([^()]*)\);", re.M)
_PARAMETER = re.compile(r"(?P<const>const )?(?P<of>.*?)\s*(?P<pointer>\*?)(?P<name>\w+)")
_BYTES = (Type("uint8_t *"), Type("void *"), Type("const uint8_t *"), Type("const void *"))


@dataclass(frozen=True)
class Given(Parameter):
    """A parameter of the API. of: its type, or the type that it points to."""

    of: str
    is_constant: bool
    is_pointer: bool


@dataclass(frozen=True)
class Called:
    """A function of the API that returns a status."""

    name: str  # without psa_
    parameters: tuple[Given, ...]

    @property
    def pointers(self) -> tuple[int, ...]:
        """Which of its parameters point."""
        return tuple(i for i, parameter in enumerate(self.parameters) if parameter.is_pointer)

    def length_of(self, index: int) -> int | None:
        """The parameter with the length of a buffer: it is behind the pointer, or in
        front of it."""
        if self.parameters[index].type not in _BYTES:
            return None
        beside = (index + 1, index - 1)
        return next(i for i in beside if self.parameters[i : i + 1] and self._is_size(i))

    def written_length_of(self, index: int) -> int | None:
        """The parameter that receives the written length of a buffer: it is behind
        pointer and size."""
        behind = max(index, self.length_of(index) or 0) + 1
        is_told = self.parameters[behind : behind + 1] and self.parameters[behind].type == Type(
            "size_t *"
        )
        return behind if is_told else None

    def _is_size(self, index: int) -> bool:
        return self.parameters[index].type == SIZE


def _parse(name: str, text: str) -> Called:
    parameters: list[Given] = []
    for part in text.split(",") if text != "void" else ():
        match = _PARAMETER.fullmatch(" ".join(part.split()))
        if match is None:
            raise AssertionError(f"include/psa: {part} is no parameter")
        kind = f"{match['const'] or ''}{match['of']}{' *' if match['pointer'] else ''}"
        is_constant, is_pointer = bool(match["const"]), bool(match["pointer"])
        parameters.append(Given(Type(kind), match["name"], match["of"], is_constant, is_pointer))
    return Called(name, tuple(parameters))


def functions(root: Path) -> dict[str, list[Called]]:
    """By the header that declares them, without its suffix."""
    found: dict[str, list[Called]] = {}
    for path in sorted((root / "include" / "psa").glob("*.h")):
        for match in _PROTOTYPE.finditer(path.read_text(encoding="utf-8")):
            found.setdefault(path.stem, []).append(_parse(match[1], match[2]))
    return found
