# SPDX-License-Identifier: Apache-2.0
"""Null pointers are refused: a function before each function of the API that is given pointers.

The core is compiled with other names for these (unchecked.h); the files of pointers/ have theirs,
one for each header, so that a program without storage needs none. All come from the prototypes of
include/psa: no function and no argument can be forgotten.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from corral.generate.c.nodes import (
    Define,
    File,
    Function,
    Group,
    Item,
    Parameter,
    Prototype,
    Return,
    Undefine,
    when,
)
from corral.generate.c.printer import printed
from corral.generate.c.terms import Name, Term, Type, all_of, any_of
from corral.generate.functions import SIZE, STATUS_TYPE

SYMBOL = "CORRAL_CHECK_POINTERS"
HEADERS = ("psa/crypto.h", "psa/internal_trusted_storage.h", "psa/protected_storage.h")
ORIGIN = f"Made by {__name__} from the prototypes of include/psa."

_PROTOTYPE = re.compile(r"^psa_status_t psa_(\w+)\(([^()]*)\);", re.M)
_PARAMETER = re.compile(r"(?P<type>.*?)\s*(?P<pointer>\*?)(?P<name>\w+)")
_BYTES = (Type("uint8_t *"), Type("void *"), Type("const uint8_t *"), Type("const void *"))


@dataclass(frozen=True)
class Checked:
    """A function of the API that returns a status, with those of its parameters that point."""

    name: str
    parameters: tuple[Parameter, ...]
    pointers: tuple[int, ...]

    @property
    def unchecked(self) -> str:
        return f"corral_unchecked_{self.name}"

    def length_of(self, index: int) -> Parameter | None:
        """What says how long a buffer is: it stands behind the pointer, or in front of it."""
        if self.parameters[index].type not in _BYTES:
            return None
        beside = [*self.parameters[index + 1 : index + 2], *self.parameters[index - 1 : index]]
        return next(parameter for parameter in beside if parameter.type == SIZE)

    def condition(self) -> Term:
        """One of the pointers must not be null, and is."""
        tests: list[Term] = []
        for index in self.pointers:
            is_null = Name(self.parameters[index].name).equals("NULL")
            length = self.length_of(index)
            some = [Name(length.name).with_operator(">", 0)] if length else []
            tests.append(all_of(is_null, *some))
        return any_of(*tests)

    def items(self) -> tuple[Item, ...]:
        """The function of that name, in front of the core's."""
        refused = Return(Name("PSA_ERROR_INVALID_ARGUMENT"))
        arguments = [parameter.name for parameter in self.parameters]
        body = (when(self.condition(), refused), Return(Name(self.unchecked).call(*arguments)))
        name = f"psa_{self.name}"
        function = Function(STATUS_TYPE, name, self.parameters, body, exported=True)
        return Undefine(name), Prototype(STATUS_TYPE, name, self.parameters), function


def _parse(name: str, text: str) -> Checked:
    parameters: list[Parameter] = []
    pointers: list[int] = []
    for part in text.split(",") if text != "void" else ():
        match = _PARAMETER.fullmatch(" ".join(part.split()))
        if match is None:
            raise AssertionError(f"include/psa: {part} is no parameter")
        if match["pointer"]:
            pointers.append(len(parameters))
        kind = f"{match['type']} *" if match["pointer"] else match["type"]
        parameters.append(Parameter(Type(kind), match["name"]))
    return Checked(name, tuple(parameters), tuple(pointers))


def functions(root: Path) -> dict[str, list[Checked]]:
    """Those that are given pointers, by the header that declares them."""
    found: dict[str, list[Checked]] = {}
    for path in sorted((root / "include" / "psa").glob("*.h")):
        for match in _PROTOTYPE.finditer(path.read_text(encoding="utf-8")):
            function = _parse(match[1], match[2])
            if function.pointers:
                found.setdefault(path.stem, []).append(function)
    return found


def unchecked_header(root: Path) -> str:
    """What every source of the core sees first."""
    names = Group(
        tuple(
            Define(f"psa_{function.name}", Name(function.unchecked))
            for mine in functions(root).values()
            for function in mine
        )
    )
    about = f"Names of the functions behind those of pointers/. {ORIGIN}"
    return printed(File(about, (names,), "CORRAL_UNCHECKED_H"))


def pointers_sources(root: Path) -> dict[str, str]:
    """The functions that applications call, by the name of the file."""
    return {f"{header}.c": _source(mine) for header, mine in functions(root).items()}


def _source(mine: list[Checked]) -> str:
    about = (
        "A null pointer is PSA_ERROR_INVALID_ARGUMENT, unless it is to no bytes; nothing else "
        f"happens then. {ORIGIN}"
    )
    items = [item for function in mine for item in function.items()]
    return printed(File(about, tuple(items), includes=HEADERS))
