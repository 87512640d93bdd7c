# SPDX-License-Identifier: Apache-2.0
"""The files of both sides. Numbers and sizes of messages are those of one build."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from corral.configure.configuration import Configuration
from corral.generate import prototypes
from corral.generate.c.nodes import Define, Enumeration, File, Group
from corral.generate.c.printer import printed
from corral.generate.c.terms import Literal, Name
from corral.generate.wall import client, trusted
from corral.generate.wall.layout import Message, kinds, messages

SYMBOL = "CORRAL_WALL"
#: Functions of these headers are there with these symbols.
OPTIONAL = {
    "initial_attestation": "CORRAL_ATTESTATION",
    "internal_trusted_storage": "CORRAL_STORAGE",
    "protected_storage": "CORRAL_PROTECTED_STORAGE",
    "update": "CORRAL_UPDATE",
}
_ORIGIN = f"Made by {__name__} from the prototypes of include/psa."
_API = ("psa/crypto.h",)

#: Below gen/: the include folder of the client's side, in place of the core's header.
CLIENT_INCLUDES = "client"
CLIENT_SOURCE = "wall/client.c"
TRUSTED_SOURCE = "wall/run.c"
#: Apart, for tests that send messages of their own.
SHAPES_SOURCE = "wall/shapes.c"
BEHIND = "corral/behind_wall.h"
#: Below gen/, of another build: the include folder by which a core of its own calls the
#: trusted side.
REMOTE_INCLUDES = "remote"
REMOTE_SOURCE = "wall/remote.c"
_REMOTE_HEADER = "corral/remote.h"


def of_build(root: Path, configuration: Configuration) -> list[Message]:
    """The functions that are there, in the order of their headers."""
    found = prototypes.functions(root)
    off = [name for name, symbol in OPTIONAL.items() if not configuration.is_on(symbol)]
    return messages(one for header, mine in found.items() if header not in off for one in mine)


def wall_files(root: Path, configuration: Configuration) -> dict[str, str]:
    """Name below gen/ to content."""
    mine = of_build(root, configuration)
    headers = tuple(f"psa/{name}.h" for name, on in OPTIONAL.items() if configuration.is_on(on))
    room = configuration.number("CORRAL_WALL_BUFFER_SIZE")
    return {
        "corral/wall_functions.h": _functions_header(mine),
        "corral/wall_states.h": _states_header(mine),
        BEHIND: _behind(mine),
        f"{CLIENT_INCLUDES}/corral/operations.h": _handles_header(mine),
        CLIENT_SOURCE: _client(mine, headers),
        TRUSTED_SOURCE: _trusted(mine, headers),
        SHAPES_SOURCE: _shapes(mine),
        f"{REMOTE_INCLUDES}/{_REMOTE_HEADER}": _remote_header(mine, headers, room),
        REMOTE_SOURCE: _remote(mine),
    }


def _functions_header(mine: Sequence[Message]) -> str:
    about = f"Numbers of functions and of kinds of operations, and sizes of messages. {_ORIGIN}"
    functions = tuple(message.number.text for message in mine)
    operations = tuple(trusted.kind(name).text for name in kinds(mine))
    most = {
        "WORDS": max(message.words for message in mine),
        "INPUTS": max(message.inputs for message in mine),
        "OUTPUTS": max(message.outputs for message in mine),
    }
    sizes = tuple(Define(f"CORRAL_WALL_{name}", Literal(str(n))) for name, n in most.items())
    short = Define("CORRAL_WALL_SHORT_WORDS", Literal(str(trusted.SHORT_WORDS)))
    items = (
        Group(sizes, "Sizes of the longest message of each sort."),
        Group((short,), "The most that a short message has."),
        Enumeration((*functions, trusted.COUNT.text)),
        Enumeration(operations),
    )
    return printed(File(about, items, "CORRAL_WALL_FUNCTIONS_H"))


def _states_header(mine: Sequence[Message]) -> str:
    about = f"The state of an operation of any kind. {_ORIGIN}"
    return printed(File(about, (trusted.states(kinds(mine)),), "CORRAL_WALL_STATES_H"))


def _behind(mine: Sequence[Message]) -> str:
    """The text that every source of the trusted side includes first, if both sides are
    one program."""
    about = f"Names of the functions behind the wall. {_ORIGIN}"
    names = tuple(
        Define(f"psa_{message.function.name}", Name(f"corral_behind_{message.function.name}"))
        for message in mine
    )
    return printed(File(about, (Group(names),), "CORRAL_BEHIND_WALL_H"))


def _handles_header(mine: Sequence[Message]) -> str:
    about = (
        "Operations as a client has them: the name of one that is on the other side of the wall. "
        f"In the place of include/corral/operations.h. {_ORIGIN}"
    )
    items = client.handles(kinds(mine))
    return printed(File(about, tuple(items), "CORRAL_OPERATIONS_H", ("psa/crypto_types.h",)))


def _client(mine: Sequence[Message], headers: tuple[str, ...]) -> str:
    about = f"The functions of the API: each sends its message. {_ORIGIN}"
    items = tuple(client.stub(message) for message in mine)
    return printed(File(about, items, includes=(*_API, *headers)))


def _remote_header(mine: Sequence[Message], headers: tuple[str, ...], room: int) -> str:
    about = (
        "The functions of the API as the trusted side carries them out, for a program that has "
        f"another core and its own functions of the API. {_ORIGIN}"
    )
    prototypes = tuple(client.remote_prototype(message) for message in mine)
    size = Define("CORRAL_REMOTE_BUFFER_SIZE", Literal(f"{room}u"))
    what = "Bytes that inputs and outputs of one call have together on the other side."
    items = (
        Group((size,), what),
        *client.remote_handles(kinds(mine)),
        Group(prototypes),
    )
    return printed(File(about, items, "CORRAL_REMOTE_H", (*_API, *headers)))


def _remote(mine: Sequence[Message]) -> str:
    about = f"The same functions: each sends its message. {_ORIGIN}"
    items = tuple(client.remote_stub(message) for message in mine)
    return printed(File(about, items, includes=(_REMOTE_HEADER,)))


def _trusted(mine: Sequence[Message], headers: tuple[str, ...]) -> str:
    about = f"Messages become calls. {_ORIGIN}"
    runners = (trusted.runner(message) for message in mine)
    items = (*runners, trusted.run(mine), trusted.abort(mine))
    return printed(File(about, items, includes=(*_API, *headers)))


def _shapes(mine: Sequence[Message]) -> str:
    about = f"The shape of each message, to be checked before its content is read. {_ORIGIN}"
    return printed(File(about, (trusted.shapes(mine),)))
