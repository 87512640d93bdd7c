# SPDX-License-Identifier: Apache-2.0
"""Programs for 8 KB of RAM in which the simulator watches what drivers leave on the stack."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import probes
from corral.build import image as corral_build
from corral.common.progress import alone
from corral.configure.bindings import Bindings
from corral.measure.image import symbols_of
from corral.model.driver import Driver
from corral.model.mechanisms import Mechanism
from corral.model.tree import Tree, load_tree
from corral.run.chips import build_simulator
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from driver_subject import Case, Subject, cases, functions, settings_for, subject_mechanisms
from harness import suites
from harness.program import BY_RANK, TESTS, WITHOUT_ELEMENTS

ROOT = TESTS.parent
BOARD = "mega2560"
APP = "../tests/driver/wipers"
#: The kinds of cases that the program runs: the other functions of drivers are linked,
#: too, or has no secret.
CALLS = suites.heads(sorted((TESTS / "driver" / "wipers").glob("*.c")), "WIPERS_CALL")
#: Mechanisms for which 8 KB are too few, or for which the program has no call.
BEYOND = (
    "rsa",
    "dh",
    "ml_kem",
    "ml_dsa",
    "slh_dsa",
    "spake2p",
    "group_name",
    "token",
    "token_hash",
)
WITHOUT_CALL = ("pake", "encapsulation")
#: Of public keys that verify by trees of hashes, for which a program has large buffers.
TREES = "trees"
#: For keys as long as the block of most hashes, and a point.
ROOM_FOR_INPUTS = {
    "CORRAL_HMAC_KEY_MAX_SIZE": "64",
    "CORRAL_RAW_KEY_MAX_SIZE": "72",
    "CORRAL_DERIVATION_INPUT_MAX_SIZE": "80",
}
_ENTROPY_SIZE = 1 << 16
#: Static in its file, of a library of which each size is a unit.
_STATIC = re.compile(r"wipe_stack_\w+")
_PASS = "wipers: pass\n"


@dataclass(frozen=True)
class Wiper:
    """The results of the calls of one wiper: sim/mega2560/frames.h."""

    name: str
    calls: int
    used: int
    reached: int
    left: int


@dataclass(frozen=True)
class Run:
    """The observations of the simulator."""

    wipers: tuple[Wiper, ...]
    drivers: frozenset[str]  # the functions of drivers that were called
    calls: tuple[tuple[str, bytes], ...]  # the functions of the API, and the residue of each
    public: bytes  # the public values of the program


@cache
def tree_of_board() -> Tree:
    """The tree with the drivers that the board can have."""
    tree = load_tree(ROOT)
    prepared = corral_build.prepare(APP, BOARD, corral_build.Options(name="tests/wipers"))
    kconfig = prepared.configuration.kconfig
    board = tree.boards[BOARD]
    drivers = {
        d.name: d
        for d in tree.drivers.values()
        if d.is_opaque or (board.has(d.requires) and kconfig.is_available(d.enabled_by))
    }
    return replace(tree, drivers=drivers)


def has_room(mechanism: Mechanism) -> bool:
    return mechanism.value.keys().isdisjoint(BEYOND) and mechanism.family not in WITHOUT_CALL


def _is_done_here(mechanism: Mechanism) -> bool:
    has_secret = "_VERIFY_" not in mechanism.name and "scheme" not in mechanism.value
    return has_secret and has_room(mechanism)


def local_drivers() -> list[Driver]:
    return [driver for driver in tree_of_board().drivers.values() if not driver.is_opaque]


@dataclass(frozen=True)
class Part(Subject):
    """Some of the mechanisms of a driver, in one image."""

    label: str = ""
    names: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return hash((self.driver.name, self.label))

    def includes(self, mechanism: Mechanism) -> bool:
        return mechanism.name in self.names and super().includes(mechanism)

    @property
    def curve(self) -> str:
        mechanisms = tree_of_board().mechanisms.mechanisms
        return next(str(mechanisms[name].value.get("curve", "")) for name in self.names)


def mechanisms(driver: Driver) -> list[Mechanism]:
    """The mechanisms that a driver supports on the board."""
    tree = tree_of_board()
    return subject_mechanisms(tree, tree.boards[BOARD], Subject(driver))


def _mechanisms(driver: Driver) -> list[Mechanism]:
    found = [m for m in mechanisms(driver) if _is_done_here(m)]
    of_name = {re.sub("(AES)_(192|256)$", r"\1_128", m.name): m for m in found}
    return list(of_name.values())


def parts(driver: Driver) -> Iterator[Part]:
    """A driver's operations with secrets on a curve, and all those without one."""
    return parts_of(driver, _mechanisms(driver))


def parts_of(driver: Driver, found: Iterable[Mechanism]) -> Iterator[Part]:
    """These mechanisms of a driver, by their curves."""
    by_curve: dict[str, set[str]] = {}
    for mechanism in found:
        other = TREES if "scheme" in mechanism.value else ""
        by_curve.setdefault(str(mechanism.value.get("curve", other)), set()).add(mechanism.name)
    for curve, names in by_curve.items():
        yield Part(driver, label=curve.lower(), names=frozenset(names))


def single_parts(driver: Driver) -> Iterator[Part]:
    """Each mechanism by itself: a function that a library calls once is inlined."""
    for mechanism in _mechanisms(driver):
        if not mechanism.name.startswith(("ECC_IMPORT_", "ECC_EXPORT_")):
            yield Part(driver, label=mechanism.name.lower(), names=frozenset((mechanism.name,)))


def settings(part: Part) -> Mapping[str, str]:
    tree = tree_of_board()
    return {
        **settings_for(tree, tree.boards[BOARD], part),
        **ROOM_FOR_INPUTS,
        **WITHOUT_ELEMENTS,
        BY_RANK: "y",
    }


def _rows(bindings: Bindings, part: Part) -> Iterator[Case]:
    """One case of each kind of a mechanism."""
    seen: set[tuple[str, str]] = set()
    for case in cases(bindings, part):
        is_new = (case.mechanism, case.kind) not in seen
        if case.mechanism in part.names and case.kind in CALLS and is_new:
            seen.add((case.mechanism, case.kind))
            yield case


def _peer(curve: str) -> bytes:
    """The public key of another party on a curve."""
    family, _, bits = curve.rpartition("_")
    if not family.startswith("SECP_"):
        return (9).to_bytes(32, "little")
    name = f"SECP{bits}{family.removeprefix('SECP_')}"
    key = ec.derive_private_key(3, getattr(ec, name)()).public_key()
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _write_rows(rows: Sequence[Case], curve: str, path: Path) -> None:
    calls = ""
    for row in rows:
        work = f"(struct wipers_case){{{row.alg}, {row.key_type}, {row.bits}}}"
        calls += f"    wipers_{row.kind}({work}); /* {row.mechanism} */\n"
    kinds = {row.kind: f"void wipers_{row.kind}(struct wipers_case is);\n" for row in rows}
    peer = _peer(curve)
    path.write_text(
        f'#include "{TESTS / "driver" / "wipers" / "wipers.h"}"\n\n'
        f"const uint8_t wipers_peer[] = {{{', '.join(map(str, peer))}}};\n"
        f"const size_t wipers_peer_size = {len(peer)};\n\n"
        f"{''.join(kinds.values())}\n"
        f"void wipers_rows(void)\n{{\n{calls}}}\n"
    )


def is_wiper(name: str, declared: Collection[str]) -> bool:
    return name in declared or _STATIC.fullmatch(name) is not None


def _kind(name: str, called: frozenset[str], wipers: frozenset[str]) -> str:
    if is_wiper(name, wipers):
        return "wiper"
    if name in called:
        return "driver"
    return "api" if name.startswith("psa_") else "random" if name == "corral_random" else ""


def _table(image: Path, bindings: Bindings) -> Iterator[str]:
    drivers = local_drivers()
    called = frozenset(f for d in drivers for f in functions(bindings, Subject(d)))
    wipers = frozenset(w for d in drivers for w in probes.wipers(d))
    for name, (address, _) in symbols_of(image).items():
        kind = _kind(name, called, wipers)
        if kind:
            yield f"{address:x} {kind} {name}\n"


@dataclass(frozen=True)
class Watched:
    """A program that was built, and a table of its functions."""

    image: Path
    names: Path
    wipers: frozenset[str]  # those of drivers that are in the image
    functions: frozenset[str]  # those by which the driver runs the mechanisms

    def run(self, seed: int) -> Run:
        """Run it with secrets of its own."""
        folder = self.image.parent
        entropy, frames = folder / f"entropy-{seed}", folder / f"frames-{seed}"
        entropy.write_bytes(random.Random(seed).randbytes(_ENTROPY_SIZE))
        options = (f"entropy={entropy}", f"names={self.names}", f"frames={frames}")
        command = [str(build_simulator(BOARD)), str(self.image), *options]
        with alone(folder):  # no other process links it meanwhile
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            seen = frames.read_text()
        assert done.stdout.endswith(_PASS), done.stdout + done.stderr
        public = "".join(re.findall(r"^public ([a-p]*)$", done.stdout, re.M))
        return _read(seen, _from_letters(public))


def _from_letters(text: str) -> bytes:
    values = [ord(letter) - ord("a") for letter in text]
    return bytes(16 * high + low for high, low in zip(values[::2], values[1::2], strict=True))


def _read(text: str, public: bytes) -> Run:
    wipers, drivers, calls = [], set(), []
    for line in text.splitlines():
        kind, name, *words = line.split(" ")
        if kind == "wiper":
            wipers.append(Wiper(name, *(int(word.split("=")[1]) for word in words)))
        elif kind == "driver":
            drivers.add(name)
        elif kind == "left":
            calls.append((name, bytes.fromhex(words[0])))
    return Run(tuple(wipers), frozenset(drivers), tuple(calls), public)


def build(part: Part, lto: bool) -> Watched:
    words = ("wipers", part.driver.name, part.label, "lto" if lto else "")
    name = f"tests/{'-'.join(word for word in words if word)}"
    folder = corral_build.folder_of(APP, BOARD, name)
    options = corral_build.Options(
        settings=settings(part),
        sources=(folder / "rows.c",),
        app_flags=("-fno-lto",) if lto else (),
        name=name,
        lto=lto,
        together="core",
    )
    with alone(folder):
        bindings = corral_build.prepare(APP, BOARD, options)
        rows = list(_rows(bindings, part))
        assert rows, f"{name} has nothing to do"
        _write_rows(rows, part.curve, folder / "rows.c")
        done = corral_build.build(APP, BOARD, options, bindings)
        lines = list(_table(done.image, bindings))
        names = folder / "names"
        names.write_text("".join(lines))
    kinds = {name: kind for _, kind, name in map(str.split, lines)}
    wipers = frozenset(name for name, kind in kinds.items() if kind == "wiper")
    of_part = {name: o for name, o in bindings.outcomes.items() if name in part.names}
    own = frozenset(functions(replace(bindings, outcomes=of_part), Subject(part.driver)))
    return Watched(done.image, names, wipers, own & kinds.keys())


def _runs(first: bytes, second: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Pieces of two memories that differ, with single bytes between that do not."""
    different = [i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    cuts = [0, *(i + 1 for i, (a, b) in enumerate(pairwise(different)) if b - a > 2)]
    for start, end in zip(cuts, [*cuts[1:], len(different)], strict=True):
        if different:
            low, high = different[start], different[end - 1] + 1
            yield first[low:high], second[low:high]


def _is_more_than_a_byte(first: bytes, second: bytes) -> bool:
    """Two beside each other: values with zeros between were single bytes in pairs of registers."""
    differs = [a != b for a, b in zip(first, second, strict=True)]
    return any(a and b for a, b in pairwise(differs))


def _is_public(piece: bytes, public: bytes) -> bool:
    return piece in public or piece[::-1] in public


def residue(first: Run, second: Run) -> list[str]:
    """The residues of two runs with other secrets below their calls, where they differ:
    more than a byte (a count, a flag), and no copies of public values."""
    found = []
    assert [name for name, _ in first.calls] == [name for name, _ in second.calls]
    for number, ((name, one), (_, other)) in enumerate(
        zip(first.calls, second.calls, strict=True), 1
    ):
        size = max(len(one), len(other))
        for a, b in _runs(one.rjust(size, b"\0"), other.rjust(size, b"\0")):
            if _is_more_than_a_byte(a, b) and not (
                _is_public(a, first.public) and _is_public(b, second.public)
            ):
                found.append(f"{name} (call {number}): {a.hex()}/{b.hex()}")
    return found
