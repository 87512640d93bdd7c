# SPDX-License-Identifier: Apache-2.0
"""A function before each function of the API: it refuses null pointers, and marks calls.

With CORRAL_CHECK_POINTERS, functions check their pointers; those without any have no check before
them. With CORRAL_MARK_CALLS, the port learns when each call begins and ends.

The core is compiled with other names for these (unchecked.h); the files of pointers/ have theirs,
one for each header, so that a program without storage needs none. All come from the prototypes of
include/psa: no function and no argument can be forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from corral.configure.configuration import Configuration
from corral.generate import prototypes
from corral.generate.c.nodes import (
    Assign,
    Body,
    Define,
    Do,
    File,
    Function,
    Group,
    Item,
    Prototype,
    Return,
    Undefine,
    when,
)
from corral.generate.c.printer import printed
from corral.generate.c.terms import Name, Term, Variable, all_of, any_of
from corral.generate.functions import STATUS_TYPE, names

SYMBOL = "CORRAL_CHECK_POINTERS"
MARKS = "CORRAL_MARK_CALLS"
HEADERS = (
    "psa/crypto.h",
    "psa/initial_attestation.h",
    "psa/internal_trusted_storage.h",
    "psa/protected_storage.h",
    "psa/update.h",
)
PORT = ("corral/port.h",)
ORIGIN = f"Made by {__name__} from the prototypes of include/psa."


@dataclass(frozen=True)
class Checked(prototypes.Called):
    """A function of the API, and the steps before it."""

    checks: bool = True
    marks: bool = False

    @property
    def unchecked(self) -> str:
        return f"corral_unchecked_{self.name}"

    def condition(self) -> Term:
        """One of the pointers must not be null, and is."""
        tests: list[Term] = []
        for index in self.pointers:
            is_null = Name(self.parameters[index].name).equals("NULL")
            length = self.length_of(index)
            some = [] if length is None else [Name(names(self.parameters)[length])]
            tests.append(all_of(is_null, *(size.with_operator(">", 0) for size in some)))
        return any_of(*tests)

    def items(self) -> tuple[Item, ...]:
        """The function of that name, in front of the core's."""
        refused = Return(Name("PSA_ERROR_INVALID_ARGUMENT"))
        call = Name(self.unchecked).call(*names(self.parameters))
        body: Body = (when(self.condition(), refused),) if self.checks and self.pointers else ()
        if self.marks:
            status = Variable("status")
            begin, end = (Name(f"corral_port_call_{word}", PORT) for word in ("begin", "end"))
            body += (Do(begin.call()), Assign(status, call), Do(end.call()), Return(status))
        else:
            body += (Return(call),)
        name = f"psa_{self.name}"
        function = Function(STATUS_TYPE, name, self.parameters, body, exported=True)
        return Undefine(name), Prototype(STATUS_TYPE, name, self.parameters), function


def is_used(configuration: Configuration) -> bool:
    """Whether a build has such functions."""
    return configuration.is_on(SYMBOL) or configuration.is_on(MARKS)


def functions(root: Path, configuration: Configuration) -> dict[str, list[Checked]]:
    """Those that have one before them, by the header that declares them."""
    checks, marks = configuration.is_on(SYMBOL), configuration.is_on(MARKS)
    found = {
        header: [
            Checked(one.name, one.parameters, checks, marks)
            for one in mine
            if marks or one.pointers
        ]
        for header, mine in prototypes.functions(root).items()
    }
    return {header: mine for header, mine in found.items() if mine}


def unchecked_header(root: Path, configuration: Configuration) -> str:
    """The text that every source of the core includes first."""
    found = functions(root, configuration).values()
    return _names(tuple(function for mine in found for function in mine))


# A process that builds many things asks for the same again and again.
@cache
def _names(every: tuple[Checked, ...]) -> str:
    names = Group(tuple(Define(f"psa_{one.name}", Name(one.unchecked)) for one in every))
    about = f"Names of the functions behind those of pointers/. {ORIGIN}"
    return printed(File(about, (names,), "CORRAL_UNCHECKED_H"))


def pointers_sources(root: Path, configuration: Configuration) -> dict[str, str]:
    """The functions that applications call, by the name of the file."""
    found = functions(root, configuration)
    return {f"{header}.c": _source(tuple(mine)) for header, mine in found.items()}


@cache
def _source(mine: tuple[Checked, ...]) -> str:
    checks = (
        "A null pointer is PSA_ERROR_INVALID_ARGUMENT, unless it is to no bytes; nothing else "
        "happens then. "
    )
    marks = "Each call notifies the port when it begins and when it ends. "
    about = f"{checks if mine[0].checks else ''}{marks if mine[0].marks else ''}{ORIGIN}"
    items = [item for function in mine for item in function.items()]
    return printed(File(about, tuple(items), includes=HEADERS))
