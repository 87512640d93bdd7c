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

from corral.generate.ctext import wrap

SYMBOL = "CORRAL_CHECK_POINTERS"
HEADERS = ("psa/crypto.h", "psa/internal_trusted_storage.h", "psa/protected_storage.h")

_PROTOTYPE = re.compile(r"^psa_status_t (psa_\w+)\(([^()]*)\);", re.M)
_PARAMETER = re.compile(r"(.*?)(\w+)$")
_BYTES = ("uint8_t *", "void *")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a function."""

    type: str
    name: str

    @property
    def is_pointer(self) -> bool:
        return self.type.endswith("*")

    @property
    def is_bytes(self) -> bool:
        """A buffer, whose length is another parameter."""
        return self.type.removeprefix("const ") in _BYTES

    def __str__(self) -> str:
        return f"{self.type}{'' if self.is_pointer else ' '}{self.name}"


@dataclass(frozen=True)
class Function:
    """A function of the API that returns a status."""

    name: str
    parameters: tuple[Parameter, ...]

    @property
    def unchecked(self) -> str:
        return f"corral_unchecked_{self.name.removeprefix('psa_')}"

    @property
    def pointers(self) -> list[int]:
        return [i for i, parameter in enumerate(self.parameters) if parameter.is_pointer]

    def length_of(self, index: int) -> Parameter | None:
        """What says how long a buffer is: it stands behind the pointer, or in front of it."""
        if not self.parameters[index].is_bytes:
            return None
        beside = [*self.parameters[index + 1 : index + 2], *self.parameters[index - 1 : index]]
        return next(parameter for parameter in beside if parameter.type == "size_t")

    def condition(self) -> str:
        """C for: one of the pointers must not be null, and is."""
        terms = []
        for index in self.pointers:
            name = self.parameters[index].name
            length = self.length_of(index)
            term = f"{name} == NULL"
            terms.append(term if length is None else f"({term} && {length.name} > 0)")
        only = terms[0].removeprefix("(").removesuffix(")")
        return " || ".join(terms) if len(terms) > 1 else only


def _parse(text: str) -> tuple[Parameter, ...]:
    if text == "void":
        return ()
    found = []
    for part in re.split(r",\s*", text):
        match = _PARAMETER.fullmatch(" ".join(part.split()))
        if match is None:
            raise AssertionError(f"include/psa: {part} is no parameter")
        found.append(Parameter(match[1].rstrip() if "*" not in match[1] else match[1], match[2]))
    return tuple(found)


def functions(root: Path) -> dict[str, list[Function]]:
    """Those that are given pointers, by the header that declares them."""
    found: dict[str, list[Function]] = {}
    for path in sorted((root / "include" / "psa").glob("*.h")):
        for match in _PROTOTYPE.finditer(path.read_text(encoding="utf-8")):
            function = Function(match[1], _parse(match[2]))
            if function.pointers:
                found.setdefault(path.stem, []).append(function)
    return found


def _checked(function: Function) -> list[str]:
    parameters = ", ".join(str(parameter) for parameter in function.parameters)
    arguments = ", ".join(parameter.name for parameter in function.parameters)
    head = f"psa_status_t {function.name}({parameters})"
    return [
        f"#undef {function.name}",
        *wrap(f"{head};"),
        *wrap(head),
        "{",
        *wrap(f"    if ({function.condition()}) {{"),
        "        return PSA_ERROR_INVALID_ARGUMENT;",
        "    }",
        *wrap(f"    return {function.unchecked}({arguments});"),
        "}",
        "",
    ]


def unchecked_header(root: Path) -> str:
    """What every source of the core sees first."""
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "/* Names of the functions behind those of pointers/. Generated from include/psa. */",
        "#ifndef CORRAL_UNCHECKED_H",
        "#define CORRAL_UNCHECKED_H",
        "",
        *(
            f"#define {function.name} {function.unchecked}"
            for mine in functions(root).values()
            for function in mine
        ),
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def pointers_sources(root: Path) -> dict[str, str]:
    """The functions that applications call, by the name of the file."""
    return {f"{header}.c": _source(mine) for header, mine in functions(root).items()}


def _source(mine: list[Function]) -> str:
    lines: list[str] = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "/*",
        " * A null pointer is PSA_ERROR_INVALID_ARGUMENT, unless it is to no bytes; nothing else",
        " * happens then. Generated from include/psa.",
        " */",
        "#include <stddef.h>",
        "",
        *(f"#include <{header}>" for header in HEADERS),
        "",
    ]
    for function in mine:
        lines += _checked(function)
    return "\n".join(lines).rstrip("\n") + "\n"
