# SPDX-License-Identifier: Apache-2.0
"""boards/<name>/board.toml: processor, capabilities, attached secure elements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corral.errors import CorralError, Problem, fail
from corral.model.driver import DeviceField, Driver
from corral.model.expression import Vocabulary
from corral.model.node import Node, nearest, read_toml
from corral.model.parts import read_defines
from corral.model.places import Places
from corral.model.port import Port, load_port, named_folders

BOARD_KEYS = (
    "title",
    "port",
    "with",
    "parameters",
    "capabilities",
    "further_entropy",
    "toolchain",
    "linker_script",
    "lto",
    "speed",
    "run",
    "wall",
    "trusted",
    "element",
)
WALL_KEYS = ("transport", "linker_script", "parameters")
TOOLCHAIN_KEYS = ("prefix", "cflags", "ldflags", "defines")
RUN_KEYS = ("command", "debug", "simulator", "argument", "erased")
ELEMENT_KEYS = ("name", "driver", "simulator", "location", "key")
BUILTIN_KEY_KEYS = ("name", "label", "type", "algorithm", "usage")
MAX_LABEL = 16  # CORRAL_LABEL_MAX_SIZE
MAX_FURTHER_SOURCES = 7  # with the port's own as many as corral_entropy_failed() has bits
# Bits 8 to 31 of a lifetime; 0 is local storage, 1 the primary secure element.
MAX_LOCATION = 0xFFFFFF

_HAS_NAME = re.compile(r"HAS_[A-Z0-9_]+")
_MAX_ADDRESS = 0xFFFFFFFF
_ELEMENT_NAME = re.compile(r"[A-Z][A-Z0-9_]*")
_SOURCE_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Toolchain:
    """How a board's programs are compiled."""

    prefix: str
    cflags: tuple[str, ...]
    ldflags: tuple[str, ...]
    defines: dict[str, str]


@dataclass(frozen=True)
class Wall:
    """How the applications of a board are kept from the keys: each has an image of its own."""

    transport: str  # a folder of wall/
    linker_script: str  # of the application's image; the board's own is the trusted side's
    parameters: dict[str, int]  # the board's, as the application's port sees them


@dataclass(frozen=True)
class BuiltinKey:
    """A key that an element came with."""

    name: str
    label: bytes
    type: str
    algorithm: str
    usage: tuple[str, ...]
    node: Node

    @property
    def macro(self) -> str:
        return f"CORRAL_KEY_{self.name}"


@dataclass(frozen=True)
class OwnKey:
    """A key of the board itself, which its port has. symbol: with which it is there."""

    name: str
    symbol: str
    type: str
    algorithm: str
    usage: tuple[str, ...]


OWN_KEYS = (
    OwnKey(
        "HARDWARE",
        "CORRAL_HARDWARE_KEY",
        "PSA_KEY_TYPE_DERIVE",
        "PSA_ALG_HKDF(PSA_ALG_SHA_256)",
        ("DERIVE",),
    ),
    # Only for tokens, which the core signs past all policies.
    OwnKey(
        "ATTESTATION",
        "CORRAL_ATTESTATION",
        "PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)",
        "PSA_ALG_ECDSA(PSA_ALG_SHA_256)",
        (),
    ),
)


@dataclass(frozen=True)
class Element:
    """A secure element attached to the board."""

    name: str
    driver: str
    location: int
    fields: dict[str, Node]
    where: str
    keys: tuple[BuiltinKey, ...] = ()
    # The folder in sim/ whose program is this element; "" where it is a chip that one can hold.
    simulator: str = ""

    @property
    def macro(self) -> str:
        return f"CORRAL_LOCATION_{self.name}"

    def has(self, wanted: Mapping[str, str]) -> bool:
        """Whether each of these fields has the value, or holds it where the field is a list."""

        def holds(held: Any, value: str) -> bool:
            return value in held if isinstance(held, list) else value == held

        return all(holds(self.fields[name].value, value) for name, value in wanted.items())


@dataclass(frozen=True)
class Board:
    """A board's description."""

    name: str
    folder: Path
    label: str
    title: str
    port: str  # "": of a project that links a port of its own
    beside_port: tuple[Path, ...]  # further folders of ports/, such as an operating system
    parameters: dict[str, int]  # values that the port requires of its boards
    capabilities: dict[str, bool]
    further_entropy: tuple[str, ...]  # sources beside the port's own, in the order of their drawing
    toolchain: Toolchain
    linker_script: str
    lto: bool  # its images are optimised at the link, unless an option changes that
    speed: bool  # its images are compiled for speed, and not for size
    run: tuple[str, ...]
    debug: tuple[str, ...]  # further words of it, by which an emulator waits for a debugger
    argument: str  # the form of a word for the program at {arguments}; "": the words come last
    simulator: str  # the folder in sim/ whose program runs this board's images; "" for none of ours
    erased: int  # bytes of the file at {erased}: flash that an emulator should find erased
    elements: tuple[Element, ...]
    wall: Wall | None  # None: a program is one image
    # The board with a wall whose trusted side runs beside this one's images, which have a core of
    # their own; "" for none.
    trusted: str

    def has(self, symbols: Iterable[str]) -> bool:
        """True if it has all of these capabilities."""
        return all(self.capabilities.get(symbol, False) for symbol in symbols)


def _capabilities(node: Node) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for name, child in node.table("capabilities").items():
        if not _HAS_NAME.fullmatch(name):
            child.complain(f'"{name}" is no capability', "write HAS_ and capital letters")
        if child.is_a(bool):
            found[name] = child.value
    return found


def _further_entropy(node: Node, capabilities: Mapping[str, bool]) -> tuple[str, ...]:
    names = node.strings("further_entropy")
    if not names:
        return ()
    child = node.child("further_entropy")
    for i, name in enumerate(names):
        if not _SOURCE_NAME.fullmatch(name):
            remedy = "use small letters, digits and _, as the end of corral_port_entropy_<name>"
            child.complain(f'"{name}" is no name', remedy)
        if name in names[:i]:
            child.complain(f"{name} appears twice", "leave one out")
    if len(names) > MAX_FURTHER_SOURCES:
        child.complain(f"{len(names)} are too many", f"at most {MAX_FURTHER_SOURCES}")
    if not capabilities.get("HAS_ENTROPY", False):
        remedy = "set HAS_ENTROPY = true in [capabilities]"
        child.complain("the board has no entropy beside which these are", remedy)
    return names


def _parameters(node: Node, asked: Mapping[str, str] | None) -> dict[str, int]:
    """The numbers that the port requires, all of them and no others; asked None: unknown."""
    if asked is None:
        return {}
    given = node.table("parameters")
    for name, meaning in asked.items():
        if name not in given:
            where = f"{node.file}: parameters"
            what = f"{name} is missing, for which the port asks"
            node.problems.append(Problem(where, what, f"add it: {meaning}"))
    return _given_parameters(node, asked)


def _given_parameters(node: Node, asked: Mapping[str, str]) -> dict[str, int]:
    given = node.table("parameters")
    for name, child in given.items():
        if name not in asked:
            child.complain("the port asks for no such parameter", nearest(name, asked))
    table = node.child("parameters") if given else node
    return {name: table.integer(name, maximum=_MAX_ADDRESS) for name in given if name in asked}


def _toolchain(node: Node) -> Toolchain:
    if not node.has("toolchain") or not node.child("toolchain").is_a(dict):
        return Toolchain("", (), (), {})
    child = node.child("toolchain")
    child.only(TOOLCHAIN_KEYS)
    return Toolchain(
        prefix=child.string("prefix", ""),
        cflags=child.strings("cflags"),
        ldflags=child.strings("ldflags"),
        defines=read_defines(child, "defines"),
    )


@dataclass(frozen=True)
class _Run:
    """The table `run`, as Board has it."""

    command: tuple[str, ...] = ()
    debug: tuple[str, ...] = ()
    argument: str = ""
    simulator: str = ""
    erased: int = 0


def _run(node: Node) -> _Run:
    if not node.has("run") or not node.child("run").is_a(dict):
        return _Run()
    child = node.child("run")
    child.only(RUN_KEYS)
    run = _Run(
        command=child.strings("command"),
        debug=child.strings("debug"),
        argument=child.string("argument", ""),
        simulator=child.string("simulator", ""),
        erased=child.integer("erased", 0),
    )
    # The pattern of a word for the program and {arguments} need each other.
    has_place = any("{arguments}" in word for word in run.command)
    if bool(run.argument) != has_place or (run.argument and "{argument}" not in run.argument):
        child.complain(
            'no place for "argument"' if run.argument else 'no "argument" for {arguments}',
            "write {arguments} in command, and {argument} in argument",
        )
    return run


def _linker_script(node: Node, folder: Path, default: str | None = "") -> str:
    """A file of the board's folder; without a default there has to be one."""
    name = node.string("linker_script", default)
    if name and not (folder / name).is_file():
        what = f"no such file beside board.toml: {name}"
        node.child("linker_script").complain(what, "write it, or correct the name")
    return name


def _wall(node: Node, folder: Path, places: Places, asked: Mapping[str, str]) -> Wall | None:
    if not node.has("wall") or not node.child("wall").is_a(dict):
        return None
    child = node.child("wall")
    child.only(WALL_KEYS)
    transport = child.string("transport")
    known = [folder.parent.name for folder in (places.root / "wall").glob("*/trusted")]
    if child.has("transport") and transport not in known:
        where = child.child("transport")
        where.complain(f"no such folder: wall/{transport}/trusted", nearest(transport, known))
    return Wall(transport, _linker_script(child, folder, None), _given_parameters(child, asked))


def _trusted(node: Node, places: Places, capabilities: Mapping[str, bool]) -> str:
    name = node.string("trusted", "")
    if not name and capabilities.get("HAS_REMOTE", False):
        where = node.child("capabilities").child("HAS_REMOTE")
        where.complain("the board names no trusted side", 'say which: trusted = "BOARD"')
    folder = places.find("boards", name) if name else None
    if folder is not None:
        other = read_toml(folder / "board.toml", places.label(folder / "board.toml"), [])
        if not other.has("wall"):
            node.child("trusted").complain(f"{name} has no wall", "name a board that has one")
    elif name:
        node.child("trusted").complain("no such board", nearest(name, places.names("boards")))
    if name and node.has("wall"):
        what = "the board's applications have a core, or are behind a wall"
        node.child("trusted").complain(what, "leave out one of trusted and wall")
    return name


def _element(node: Node) -> Element | None:
    if not node.is_a(dict):
        return None
    name = node.string("name")
    if node.has("name") and not _ELEMENT_NAME.fullmatch(name):
        node.child("name").complain(
            f'"{name}" is no name', "use capital letters, digits and _, as part of a C macro"
        )
    location = node.integer("location")
    if node.has("location") and not 0 < location <= MAX_LOCATION:
        node.child("location").complain(
            f"{location:#x} is no location of an element",
            "use 1 to 0xffffff; 0x800000 and above are free for every board",
        )
    fields = {k: node.child(k) for k in node.value if k not in (*ELEMENT_KEYS, "_comment")}
    keys = node.each("key", _builtin_key)
    simulator = node.string("simulator", "")
    return Element(name, node.string("driver"), location, fields, node.where, keys, simulator)


def _label(node: Node) -> bytes:
    text = node.value.get("label")
    values = (
        list(text.encode())
        if isinstance(text, str)
        else [item.value for item in node.items("label") if item.is_a(int)]
    )
    if not values or len(values) > MAX_LABEL or not all(0 <= value <= 255 for value in values):
        node.complain(
            "the label is missing, or is no text and no list of bytes",
            f"write 1 to {MAX_LABEL} numbers of 0 to 255, or a text, as the driver's README says",
        )
        return b""
    return bytes(values)


def _builtin_key(node: Node) -> BuiltinKey | None:
    if not node.is_a(dict):
        return None
    node.only(BUILTIN_KEY_KEYS)
    name = node.string("name")
    if node.has("name") and not _ELEMENT_NAME.fullmatch(name):
        node.child("name").complain(
            f'"{name}" is no name', "use capital letters, digits and _, as part of a C macro"
        )
    usage = node.strings("usage")
    return BuiltinKey(
        name, _label(node), node.string("type"), node.string("algorithm"), usage, node
    )


def _duplicates(elements: tuple[Element, ...], problems: list[Problem]) -> None:
    names: dict[str, Element] = {}
    locations: dict[int, Element] = {}
    for element in elements:
        if element.name in names:
            problems.append(
                Problem(f"{element.where}.name", f"{element.name} appears twice", "rename one")
            )
        if element.location in locations:
            other = locations[element.location]
            problems.append(
                Problem(
                    f"{element.where}.location",
                    f"{element.location:#x} is the location of {other.name} already",
                    "give each element a location of its own",
                )
            )
        names.setdefault(element.name, element)
        locations.setdefault(element.location, element)


def _read(folder: Path, places: Places, problems: list[Problem]) -> Board:
    label = places.label(folder / "board.toml")
    node = read_toml(folder / "board.toml", label, problems)
    node.only(BOARD_KEYS)
    port = node.string("port", "")
    asked: Mapping[str, str] | None = {}
    if port and port not in places.names("ports"):
        near = nearest(port, places.names("ports"))
        node.child("port").complain(f"no such file: ports/{port}/port.toml", near)
        asked = None
    elif port:
        asked = load_port(places.root, port).parameters
    elements = node.each("element", _element)
    _duplicates(elements, problems)
    run = _run(node)
    capabilities = _capabilities(node)
    return Board(
        name=folder.name,
        folder=folder,
        label=label,
        title=node.title(),
        port=port,
        beside_port=named_folders(places, node),
        parameters=_parameters(node, asked),
        capabilities=capabilities,
        further_entropy=_further_entropy(node, capabilities),
        toolchain=_toolchain(node),
        linker_script=_linker_script(node, folder),
        lto=node.boolean("lto", False),
        speed=node.boolean("speed", False),
        run=run.command,
        debug=run.debug,
        argument=run.argument,
        simulator=run.simulator,
        erased=run.erased,
        elements=elements,
        wall=_wall(node, folder, places, asked or {}),
        trusted=_trusted(node, places, capabilities),
    )


def load_board(root: Path, word: str) -> Board:
    """Read one board: a name, or the path of its folder."""
    places = Places.of(root)
    folder = places.find("boards", word)
    if folder is None:
        raise places.missing("boards", word, "no such board")
    problems: list[Problem] = []
    board = _read(folder, places, problems)
    if problems:
        raise CorralError(problems)
    return board


def can_use(board: Board, driver: Driver) -> bool:
    """Whether a driver can have work on a board: its hardware is there, or it needs none."""
    if driver.is_opaque:
        return any(element.driver == driver.name for element in board.elements)
    return board.has(driver.requires)


def port_of(root: Path, board: Board) -> Port:
    """The port of a board on which an application is to run."""
    if not board.port:
        remedy = "add one, or use ./corral library, whose project brings its own"
        raise fail(board.label, 'names no "port", which an application needs', remedy)
    return load_port(root, board.port)


def load_boards(root: Path) -> dict[str, Board]:
    return {name: load_board(root, name) for name in Places.of(root).names("boards")}


def check_builtin_keys(
    board: Board, vocabulary: Vocabulary, usages: Sequence[str], problems: list[Problem]
) -> None:
    """Check that no name appears twice, and that types, algorithms and usages are known.

    usages: of keys in elements, which cannot be exported, copied or destroyed.
    """
    names: dict[str, BuiltinKey] = {}
    for key in (key for element in board.elements for key in element.keys):
        # The nodes were read with the board; faults in them belong to this check.
        node = Node(key.node.value, key.node.file, key.node.path, problems)
        if key.name in names:
            node.child("name").complain(f"{key.name} appears twice", "rename one")
        if key.name in (own.name for own in OWN_KEYS):
            node.child("name").complain(f"{key.name} is a key of the board itself", "rename it")
        names[key.name] = key
        for item in node.items("usage"):
            if item.value not in usages:
                item.complain(
                    f'"{item.value}" is no use of such a key', nearest(item.value, usages)
                )
        if not key.usage:
            node.complain("the key can be used for nothing", f"list some of {', '.join(usages)}")
        for name, category in (("type", "PSA_KEY_TYPE_"), ("algorithm", "PSA_ALG_")):
            child = node.child(name)
            try:
                vocabulary.parse(child.value, category)
            except ValueError as error:
                child.complain(f'"{child.value}" is not understood', str(error))


def check_elements(board: Board, drivers: dict[str, Driver], problems: list[Problem]) -> None:
    """Check a board's elements against the descriptions of their drivers."""
    for element in board.elements:
        driver = drivers.get(element.driver)
        if driver is None or not driver.is_opaque or driver.device is None:
            opaque = [d.name for d in drivers.values() if d.is_opaque and d.device]
            problems.append(
                Problem(
                    f"{element.where}.driver",
                    f'"{element.driver}" is no driver of secure elements',
                    nearest(element.driver, opaque),
                )
            )
            continue
        for symbol in driver.requires:
            if not board.capabilities.get(symbol, False):
                problems.append(
                    Problem(
                        element.where,
                        f"{element.name} needs {symbol}, which the board has not",
                        f"set {symbol} = true in [capabilities], or remove the element",
                    )
                )
        _check_fields(element, driver.device.fields, problems)
    _check_places(board.elements, drivers, problems)


def _check_places(
    elements: Sequence[Element], drivers: dict[str, Driver], problems: list[Problem]
) -> None:
    """Two elements cannot be at one place, whichever drivers they have."""
    taken: dict[str, Element] = {}
    for element in elements:
        driver = drivers.get(element.driver)
        names = driver.device.place if driver and driver.device else ()
        values = {n: element.fields[n].value for n in names if n in element.fields}
        place = ", ".join(f"{name} {value}" for name, value in sorted(values.items()))
        if place and taken.setdefault(place, element) is not element:
            what = f"{element.name} is at {place}, where {taken[place].name} is already"
            problems.append(Problem(element.where, what, "give each element a place of its own"))


def _check_fields(
    element: Element, fields: tuple[DeviceField, ...], problems: list[Problem]
) -> None:
    known = {f.name: f for f in fields}
    # The nodes were read with the board; faults in them belong to this check.
    given = {
        name: Node(node.value, node.file, node.path, problems)
        for name, node in element.fields.items()
    }
    for name, node in given.items():
        if name not in known:
            node.complain("unknown key", nearest(name, [*known, *ELEMENT_KEYS]))
    for name, device_field in known.items():
        if name in given:
            _check_value(given[name], device_field)
        else:
            remedy = f"add it ({device_field.type})"
            problems.append(Problem(element.where, f'the key "{name}" is missing', remedy))


def _check_value(node: Node, device_field: DeviceField) -> None:
    if device_field.is_list:
        if not node.is_a(list):
            return
        limit = device_field.maximum_length
        if limit is not None and len(node.value) > limit:
            node.complain(f"{len(node.value)} entries are too many", f"at most {limit}")
        for i, value in enumerate(node.value):
            item = Node(value, node.file, f"{node.path}[{i}]", node.problems)
            _check_scalar(item, device_field, device_field.kind)
    else:
        _check_scalar(node, device_field, device_field.kind)


def _check_scalar(node: Node, device_field: DeviceField, kind: str) -> None:
    types: dict[str, type] = {"integer": int, "boolean": bool}
    if not node.is_a(types.get(kind, str)):
        return
    if kind == "enum" and node.value not in device_field.values:
        node.complain(f'"{node.value}" is unknown', nearest(node.value, device_field.values))
    if kind == "integer":
        low, high = device_field.minimum, device_field.maximum
        if (low is not None and node.value < low) or (high is not None and node.value > high):
            bounds = f"{'' if low is None else low} to {'' if high is None else high}"
            node.complain(f"{node.value} is out of range", f"use {bounds}")
