# SPDX-License-Identifier: Apache-2.0
"""Each mechanism and each key type by itself: configured with its wants and nothing else, and used.

A build of one thing can lack parts that a build of everything has: slots, a symbol in some
condition, a header, random numbers. Run as a program, this tries all of them, those whose
names are given, or a share of them, which is another one after each change of the library:

    .venv/bin/python tests/alone/alone.py [--by DRIVER] [NAME...]
    .venv/bin/python tests/alone/alone.py --share [NUMBER]
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import multiprocessing
import multiprocessing.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]

from corral.configure.assignments import Assignment  # noqa: E402
from corral.configure.candidates import could_serve, find_candidates  # noqa: E402
from corral.configure.configuration import Configuration  # noqa: E402
from corral.configure.fragments import write_fragments  # noqa: E402
from corral.configure.kconfig import Kconfig  # noqa: E402
from corral.configure.solve import solve  # noqa: E402
from corral.errors import CorralError  # noqa: E402
from corral.generate.write import write_build  # noqa: E402
from corral.model.driver import Driver  # noqa: E402
from corral.model.mechanisms import Mechanism, Service, wants_met  # noqa: E402
from corral.model.tree import Tree, load_tree  # noqa: E402
from corral.packages import fetch as packages  # noqa: E402

BOARD = "native"
SHARES = 240
#: Folders with the sources of these builds.
MADE_OF = ("config", "core", "dispatch", "drivers", "include", "tools/corral")
WORKS = ": works alone"
SHA_256 = "PSA_WANT_ALG_SHA_256"
DERIVE = "PSA_WANT_KEY_TYPE_DERIVE"
#: Not among the defaults, for its licence: used if no other driver supports a mechanism.
ASKED_FOR = "wolfcrypt"
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")
# Libraries rely on the linker to drop unused functions.
SECTIONS = ("-ffunction-sections", "-fdata-sections")


@dataclass(frozen=True)
class Case:
    """A build of one mechanism, and the program that uses it."""

    name: str
    program: str
    wants: frozenset[str]
    alg: str = "PSA_ALG_NONE"
    policy: str = ""
    type: str = "PSA_KEY_TYPE_NONE"
    bits: int = 0
    material: bytes = b""  # of the key; empty: it is generated
    is_rsa: bool = False  # it is made when it is needed
    drivers: tuple[str, ...] = ()  # to be asked for
    primitive: str = "0"
    role: str = "PSA_PAKE_ROLE_NONE"
    by: str = ""  # the driver that is chosen for it; empty: the default

    @property
    def title(self) -> str:
        return f"{self.name} by {self.by}" if self.by else self.name

    @property
    def defines(self) -> list[str]:
        material = _rsa(self.bits) if self.is_rsa else self.material
        values = {
            "ALG": self.alg,
            "POLICY": self.policy or self.alg,
            "TYPE": self.type,
            "BITS": str(self.bits),
            "MATERIAL": ",".join(str(byte) for byte in material) or "0",
            "PRIMITIVE": self.primitive,
            "ROLE": self.role,
        }
        return [f"-D{name}={value}" for name, value in values.items()]


# Keys


def _symmetric(bits: int) -> bytes:
    """Without a period, because the halves of an XTS key must differ."""
    return bytes((7 * i + 1) % 256 for i in range(bits // 8))


#: By the size of an RSA key, how far below a power of two its primes are: OpenSSL would look for
#: the largest for ten seconds.
_RSA_PRIMES = {
    1024: (569, 629),
    1536: (825, 1385),
    2048: (105, 179),
    3072: (3453, 4977),
    4096: (1557, 2543),
    6144: (47, 2165),
    8192: (2549, 8067),
}


def _rsa(bits: int) -> bytes:
    p, q = (2 ** (bits // 2) - below for below in _RSA_PRIMES[bits])
    public = rsa.RSAPublicNumbers(65537, p * q)
    d = pow(public.e, -1, (p - 1) * (q - 1))
    crt = (rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q))
    numbers = rsa.RSAPrivateNumbers(p, q, d, *crt, public)
    key = numbers.private_key(unsafe_skip_rsa_key_validation=True)
    form = serialization.PrivateFormat.TraditionalOpenSSL
    return key.private_bytes(serialization.Encoding.DER, form, serialization.NoEncryption())


def _rsa_public(bits: int) -> bytes:
    p, q = (2 ** (bits // 2) - below for below in _RSA_PRIMES[bits])
    key = rsa.RSAPublicNumbers(65537, p * q).public_key()
    return key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.PKCS1)


#: Generators of the curves (SEC 2): elements of the groups, as tokens are.
_POINTS = {
    256: "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
    384: "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a38"
    "5502f25dbf55296c3a545e3872760ab7"
    "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c0"
    "0a60b1ce1d7e819d7a431d7c90ea0e5f",
    521: "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d"
    "3dbaa14b5e77efe75928fe1dc127a2ff"
    "a8de3348b3c1856a429bf97e7e31c2e5bd66011839296a789a3bc0045c8a5fb4"
    "2c7d1bd998f54449579b446817afbd17"
    "273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650",
}


def _token(value: Mapping[str, object]) -> bytes:
    """An element of the group; of a field a square."""
    if "_DH_" in str(value["group"]):
        return bytes(int(str(value["public_size"])) - 1) + b"\x04"
    return bytes.fromhex(_POINTS[int(str(value["bits"]))])


#: The begin of a public key of a tree: its parameter set, and that of the one-time keys.
_TREES = {
    "LMS_256": "00000005 00000004",
    "LMS_192": "0000000a 00000008",
    "HSS_256": "00000001 00000005 00000004",
    "HSS_192": "00000001 0000000a 00000008",
    "XMSS_256": "00000001",
    "XMSS_192": "0000000d",
    "XMSS_MT_256": "00000001",
    "XMSS_MT_192": "00000021",
}


def _tree(value: Mapping[str, object]) -> bytes:
    begin = bytes.fromhex(_TREES[str(value["tree"])])
    return begin + bytes(int(str(value["public_size"])) - len(begin))


def _private(value: Mapping[str, object]) -> bytes:
    """Numbers below the order of any group: one of a curve, the two of SPAKE2+, a seed."""
    size = int(str(value["private_size"]))
    count = 2 if "spake2p" in value else 1
    return count * (b"\x01" + bytes([2]) * (size // count - 1))


def _pair(case: Case, value: Mapping[str, object]) -> Case:
    """With a key pair, imported if that is possible: builds without random numbers depend on it.

    A pair of SLH-DSA has its public key in it. Large RSA keys take too long to be generated.
    """
    stem = str(value["has_pair"]).removesuffix("BASIC")
    bits = int(str(value["bits"]))
    case = replace(case, type=str(value["pair"]), bits=bits)
    how = "IMPORT"
    if "rsa" in value and (f"{stem}GENERATE" not in case.wants or bits > 2048):
        case = replace(case, is_rsa=True)
    elif f"{stem}GENERATE" in case.wants or "slh_dsa" in value:
        how = "GENERATE"
    else:
        case = replace(case, material=_private(value))
    # Symbols that the way of creation selects are not listed.
    implied = {str(value["has_pair"]), str(value["has_public"])}
    return replace(case, wants=(case.wants - implied) | {stem + how})


# Cases


def _algorithm(service: Service) -> tuple[str, str, set[str]]:
    """An algorithm, the policy that permits it, and the wants of both."""
    if not service.algorithms:
        return "PSA_ALG_NONE", "", set()
    found = next(
        (a for a in service.algorithms if "(PSA_ALG_SHA_256)" in str(a.algorithm)),
        service.algorithms[0],
    )
    text = str(found.algorithm)
    wants = {group[0] for group in found.wants}
    if found.algorithm.is_pattern:
        return text.replace("PSA_ALG_ANY_HASH", "PSA_ALG_SHA_256"), text, wants | {SHA_256}
    return text, "", wants


def _policy(case: Case) -> Case:
    """The wildcard of lengths, where there is one."""
    if case.program == "mac":
        return replace(case, policy=f"PSA_ALG_AT_LEAST_THIS_LENGTH_MAC({case.alg}, 4)")
    if case.program == "aead":
        wildcard = f"PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG({case.alg}, 16)"
        return replace(case, policy=wildcard)
    return case


def _with_key(case: Case, service: Service, mechanism: Mechanism, tree: Tree) -> Case:
    value = mechanism.value
    if case.program == "pake":
        return _exchange(case, mechanism, tree)
    if "pair" in value:
        return _pair(case, value)
    if "tree" in value or "token" in value:
        material = _tree(value) if "tree" in value else _token(value)
        program = "verify" if case.program == "sign" else case.program
        return replace(case, type=str(value["public"]), material=material, program=program)
    if not service.keys:
        return case
    types = {str(key.type): key.bits for key in service.keys}
    password = "PSA_KEY_TYPE_PASSWORD"
    name = password if password in types else next(iter(types))
    bits = types[name] or 8 * int(str(value.get("key_size", 64)))  # HKDF-Expand: as its hash has
    want = name.replace("PSA_KEY", "PSA_WANT_KEY")
    wants = case.wants | {want}
    return replace(case, type=name, bits=bits, material=_symmetric(bits), wants=wants)


def _exchange(case: Case, mechanism: Mechanism, tree: Tree) -> Case:
    value = mechanism.value
    group = str(value["group"] if "group" in value else value["public"])
    kind = "DH" if "_DH_" in group else "ECC"
    family = group.partition("(")[2].rstrip(")")
    primitive = f"PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_{kind},{family},{value['bits']})"
    case = replace(case, primitive=primitive)
    if "spake2p" in value:
        return replace(_pair(case, value), role="PSA_PAKE_ROLE_CLIENT")
    if "token" in value and "LOOPING" not in mechanism.name:
        return replace(
            case,
            type=str(value["public"]),
            bits=int(str(value["bits"])),
            material=_token(value),
            wants=case.wants | {str(value["has_public"])},
        )
    wants = case.wants | {"PSA_WANT_KEY_TYPE_PASSWORD"}
    return replace(
        case, type="PSA_KEY_TYPE_PASSWORD", bits=256, material=_symmetric(256), wants=wants
    )


def _case(mechanism: Mechanism, tree: Tree) -> Case:
    service = next(s for s in mechanism.services if not s.optional and s.is_local)
    alg, policy, wants = _algorithm(service)
    wants |= {group[0] for group in (*mechanism.wants, *service.wants)}
    if mechanism.family in ("agreement", "encapsulation"):
        wants.add(DERIVE)
    case = Case(mechanism.name, mechanism.family, frozenset(wants), alg, policy)
    return _policy(_with_key(case, service, mechanism, tree))


def _served(case: Case, tree: Tree, serving: Mapping[str, set[str]]) -> Case | None:
    """With the drivers that it has to ask for; None if no driver supports all its mechanisms."""
    stems = [w.rpartition("_KEY_PAIR_")[0] for w in case.wants if "_KEY_PAIR_" in w]
    wants = case.wants.union(*({f"{s}_KEY_PAIR_BASIC", f"{s}_PUBLIC_KEY"} for s in stems))
    for mechanism in tree.mechanisms.mechanisms.values():
        needed = mechanism.name == f"ECB_NO_PADDING_{_block(case, tree)}"
        if all(s.optional for s in mechanism.services):
            continue
        if needed or wants_met(mechanism.wants, wants):
            servers = serving[mechanism.name]
            if not servers:
                return None
            if servers == {ASKED_FOR}:
                case = replace(case, drivers=(ASKED_FOR,))
    return case


def _block(case: Case, tree: Tree) -> str:
    """The block cipher that a case's algorithm is made of."""
    mechanism = tree.mechanisms.mechanisms.get(case.name)
    return str(mechanism.value.get("block", "")) if mechanism else ""


def in_part() -> Case:
    """Public RSA keys without their pairs, smaller pairs, and no key that the core stores."""
    wants = {
        "PSA_WANT_ALG_RSA_PKCS1V15_SIGN",
        SHA_256,
        "PSA_WANT_RSA_KEY_SIZE_2048",
        "PSA_WANT_KEY_TYPE_RSA_PUBLIC_KEY",
        "PSA_WANT_ECC_SECP_R1_256",
        "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE",
        "PSA_WANT_KEY_TYPE_WPA3_SAE_ECC",
    }
    return Case(
        "keys of a part of the types",
        "beside",
        frozenset(wants),
        alg="PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256)",
        type="PSA_KEY_TYPE_RSA_PUBLIC_KEY",
        bits=2048,
        material=_rsa_public(2048),
    )


def drivers(tree: Tree) -> list[Driver]:
    """Those for keys in local memory that this computer can have."""
    native = tree.boards[BOARD]
    return [d for d in tree.drivers.values() if not d.is_opaque and native.has(d.requires)]


def cases(tree: Tree) -> list[Case]:
    """In the order of the table; mechanisms that want and use the same are one case."""
    software = drivers(tree)
    serving = {
        mechanism.name: {driver.name for driver in software if could_serve(driver, mechanism)}
        for mechanism in tree.mechanisms.mechanisms.values()
    }
    found: dict[Case, str] = {}
    for mechanism in tree.mechanisms.mechanisms.values():
        if serving[mechanism.name]:
            case = _served(_case(mechanism, tree), tree, serving)
            if case is not None:
                found.setdefault(replace(case, name=""), case.name)
    for case in _key_types(tree):
        found.setdefault(replace(case, name=""), case.name)
    return [replace(case, name=name) for case, name in found.items()]


def cases_by(driver: Driver, tree: Tree, found: Sequence[Case]) -> list[Case]:
    """Those that a driver supports, by driver."""
    mechanisms = tree.mechanisms.mechanisms
    return [
        replace(case, by=driver.name, drivers=tuple(sorted({driver.name, *case.drivers})))
        for case in found
        if case.name in mechanisms and could_serve(driver, mechanisms[case.name])
    ]


def _key_types(tree: Tree) -> Iterator[Case]:
    """Those that the core stores without a driver."""
    for value in tree.mechanisms.unstructured:
        bits = value.fields.get("bits", 256)
        wants = frozenset(group[0] for group in value.wants)
        of = {"type": value.fields["type"], "bits": bits, "material": _symmetric(bits)}
        yield Case(f"KEY_{value.name}", "key", wants, **of)


def share_of_tree(shares: int = SHARES) -> int:
    """A change of the sources draws another share; a repeated run draws the same."""
    made = hashlib.sha256()
    for name in MADE_OF:
        for path in sorted(path for path in (ROOT / name).rglob("*") if path.is_file()):
            if "__pycache__" not in path.parts:
                made.update(path.read_bytes())
    return int.from_bytes(made.digest()[:4], "big") % shares


def cases_of(share: int, found: Sequence[Case], shares: int = SHARES) -> list[Case]:
    """From all over the table, because neighbours resemble each other."""
    return list(found[share % shares :: shares])


# Builds


class Builder:
    """Builds and runs cases, with common input read once."""

    def __init__(self, folder: Path, is_whole: bool = False) -> None:
        """is_whole: all of the core is compiled for each case, not only what its program needs."""
        self.folder = folder
        self.is_whole = is_whole
        self.sources: dict[str, str] = {}  # of the core and the port, by their definitions
        self.tree = load_tree(ROOT)
        self.board = self.tree.boards[BOARD]
        self.candidates = find_candidates(self.tree, self.board)
        write_fragments(self.tree, self.board, self.candidates, folder / "kconfig")
        self.kconfig = Kconfig(ROOT, folder / "kconfig")

    def _settings(self, case: Case) -> list[str]:
        drivers = self.tree.drivers
        asked_for = [f"{drivers[name].enabled_by}=y" for name in case.drivers]
        elements = {drivers[element.driver].enabled_by for element in self.board.elements}
        # Functions in front of all others would need all of them.
        without = ["CORRAL_CHECK_POINTERS=n", *(f"{symbol}=n" for symbol in elements)]
        if case.by:
            mechanism = self.tree.mechanisms.mechanisms[case.name]
            asked_for.append(f"{self.candidates.symbols_of(mechanism, drivers[case.by])}=y")
        return [*(f"{want}=y" for want in sorted(case.wants)), *without, *asked_for]

    def configure(self, case: Case) -> Path:
        """Everything that is generated, in the build folder."""
        self.kconfig.raw.unset_values()
        lines = [line.partition("=") for line in self._settings(case)]
        assignments = [Assignment(name, value, case.name, "test") for name, _, value in lines]
        self.kconfig.assign(assignments)
        app = "../tests/alone"
        target = self.folder / "build"
        configuration = Configuration(
            self.tree, app, self.board, target, self.kconfig, self.candidates, tuple(assignments)
        )
        bindings = solve(configuration)
        packages.ensure_all(ROOT, bindings.packages)
        write_build(bindings, target)
        return target

    def image(self, case: Case) -> Path:
        """The program that uses a case."""
        target = self.configure(case)
        objects = self.folder / "objects"
        shutil.rmtree(objects, ignore_errors=True)
        parts = dict(_parts((target / "sources.cmake").read_text()))
        flags = [f"-I{p}" for p in (target / "gen", ROOT / "include", HERE)]
        flags.append("-DCORRAL_CALL_UNWANTED")  # as the core does
        program = [str(HERE / "main.c"), str(HERE / f"{case.program}.c")]
        parts.pop("corral_app")
        # That of a port begins with its name.
        core = parts.pop("corral_core")[""] + parts.pop("corral_port")[""][1:]
        _compile(objects / "program", [*flags, *case.defines], program)
        for name, part in parts.items():
            private = [f"-isystem{p}" for p in part["INCLUDES"]]
            private += [f"-D{d}" for d in part.get("DEFINES", [])]
            _compile(objects / name, [*flags, *private], part.get("SOURCES", []))
            library = part.get("PACKAGE_SOURCES", [])
            _compile_shared(objects / f"{name}-library", target, [*flags, *private], library)
        self._compile_core(objects, flags, core)
        image = self.folder / "image"
        _run(["gcc", "-Wl,--gc-sections", "-o", str(image), *map(str, objects.rglob("*.o"))])
        return image

    def _compile_core(self, objects: Path, flags: Sequence[str], sources: Sequence[str]) -> None:
        """All of it, or the sources that the objects need, directly or not."""
        if self.is_whole or not self.sources:
            _compile(objects / "core", flags, sources)
            for source in sources:
                defined, _ = _symbols([_object(objects / "core", source)])
                self.sources.update(dict.fromkeys(defined, source))
            return
        generated = [s for s in sources if str(self.folder) in s]
        _compile(objects / "core-0", flags, generated)
        compiled = set(generated)
        known: set[Path] = set()
        defined: set[str] = set()
        needed: set[str] = set()
        for turn in range(1, len(sources)):
            found = set(objects.rglob("*.o")) - known
            more_defined, more_needed = _symbols(sorted(found))
            defined |= more_defined
            needed |= more_needed
            known |= found
            missing = {self.sources[name] for name in needed - defined if name in self.sources}
            if missing <= compiled:
                return
            _compile(objects / f"core-{turn}", flags, sorted(missing - compiled))
            compiled |= missing

    def run(self, case: Case) -> str:
        """The fault of a case; empty: none."""
        try:
            image = self.image(case)
        except CorralError as error:
            return str(error)
        except subprocess.CalledProcessError as error:
            return (error.stdout + error.stderr).decode(errors="replace")[-3000:]
        done = subprocess.run([str(image)], capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else f"{done.stdout}exit status {done.returncode}"


_BLOCK = re.compile(r"^(corral_\w+)\(\n(.*?)^\)", re.M | re.S)
_WORD = re.compile(r'^\s+(?:"(.*)"|([A-Z_]+)(?: (\w+))?)$', re.M)


def _parts(text: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """The calls in sources.cmake: name, and keyword to arguments; those without one under ''."""
    for name, body in _BLOCK.findall(text):
        part: dict[str, list[str]] = {}
        keyword = ""
        for quoted, word, value in _WORD.findall(body):
            if word:
                keyword = word
                part.setdefault(keyword, []).extend([value] if value else [])
            else:
                part.setdefault(keyword, []).append(quoted)
        yield f"{name}-{part['NAME'][0]}" if "NAME" in part else name, part


def _symbols(objects: Sequence[Path]) -> tuple[set[str], set[str]]:
    """Definitions of objects, and their undefined symbols."""
    listed = subprocess.run(
        ["nm", "-P", *map(str, objects)], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in listed.splitlines()]
    kinds = [(row[0], row[1]) for row in rows if len(row) > 1]
    return ({n for n, k in kinds if k not in "Uw"}, {n for n, k in kinds if k == "U"})


def _run(command: Sequence[str], given: bytes = b"", folder: Path | None = None) -> None:
    subprocess.run(command, cwd=folder, input=given, capture_output=True, check=True)


def _object(folder: Path, source: str) -> Path:
    """Where a source is compiled to: names of files are unique in their folders only."""
    path = Path(source)
    return folder / path.parent.name / f"{path.stem}.o"


def _compile(folder: Path, flags: Sequence[str], sources: Sequence[str]) -> None:
    by_folder: dict[Path, list[str]] = {}
    for source in sources:
        by_folder.setdefault(_object(folder, source).parent, []).append(source)
    for target, mine in by_folder.items():
        target.mkdir(parents=True, exist_ok=True)
        _run(["gcc", "-std=gnu11", "-c", "-O0", *SECTIONS, *WARNINGS, *flags, *mine], folder=target)


@functools.cache
def _compiler() -> str:
    """Which compiler it is."""
    return subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout


def _compile_shared(
    folder: Path, build: Path, flags: Sequence[str], sources: Sequence[str]
) -> None:
    """Third-party code: of the same text the compiler made the same for another case."""
    kept = ROOT / "build" / "tests" / "objects"
    kept.mkdir(parents=True, exist_ok=True)
    options = ["-std=gnu11", "-O1", "-w", "-DCORRAL_SHARED_OBJECT", *SECTIONS]
    command = ["gcc", *options, *flags]
    launcher = [*filter(None, [os.environ.get("CMAKE_C_COMPILER_LAUNCHER")])]  # a compiler cache
    # Of the flags the text shows folders and macros.
    unseen = [flag for flag in flags if not flag.startswith(("-I", "-D", "-isystem", "/"))]
    by = "\n".join([_compiler(), *options, *unseen]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    for number, (source, text) in enumerate(_preprocessed(command, sources)):
        name = hashlib.sha256(by + text.replace(bytes(build), b"BUILD")).hexdigest()
        target = folder / f"{number}.o"
        if not (kept / f"alone-{name}.o").is_file():
            _run([*launcher, *command, "-o", str(target), "-c", source])
            shutil.copyfile(target, kept / f"alone-{name}.{os.getpid()}")
            (kept / f"alone-{name}.{os.getpid()}").replace(kept / f"alone-{name}.o")
        else:
            shutil.copyfile(kept / f"alone-{name}.o", target)


def _preprocessed(command: Sequence[str], sources: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The compiler's objects, by one call for all sources."""
    if not sources:
        return
    made = subprocess.run([*command, "-E", *sources], capture_output=True, check=True)
    text = made.stdout
    begins = [0]
    for source in sources:  # how the text of each begins
        begins.append(text.index(f'# 0 "{source}"\n'.encode(), begins[-1]))
    for source, begin, end in zip(sources, begins[1:], [*begins[2:], len(text)], strict=True):
        yield source, text[begin:end]


class Record:
    """The cases known to work, in a file that grows with each case, so a run can be resumed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text().splitlines() if path.is_file() else []
        self.working = {line.removesuffix(WORKS) for line in lines if line.endswith(WORKS)}

    def add(self, name: str, says: str) -> None:
        with self.path.open("a") as file:
            file.write(_line(name, says))


def _line(name: str, says: str) -> str:
    return f"{name}: {says}\n" if says else f"{name}{WORKS}\n"


_builders: list[Builder] = []  # of a process, which has one


def _start(is_whole: bool) -> None:
    folder = tempfile.TemporaryDirectory(prefix="corral-")
    multiprocessing.util.Finalize(None, folder.cleanup, exitpriority=1)
    _builders.append(Builder(Path(folder.name), is_whole=is_whole))


def _try(case: Case) -> tuple[str, str]:
    return case.title, _builders[0].run(case)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="of cases; all, if none is named")
    parser.add_argument(
        "--share",
        nargs="?",
        type=int,
        choices=range(SHARES),
        const=share_of_tree(),
        metavar="NUMBER",
        help=f"one of {SHARES} shares of them: 0 to {SHARES - 1}, or that of this tree",
    )
    parser.add_argument("--whole", action="store_true", help="compile what no case needs, too")
    parser.add_argument("-n", type=int, default=1, metavar="COUNT", help="processes, 1 by default")
    parser.add_argument(
        "--record", type=Path, help="a file for what is found; what worked is not tried again"
    )
    tree = load_tree(ROOT)
    parser.add_argument("--by", choices=sorted(tree.drivers), help="who serves, where it could")
    given = parser.parse_args()
    every = cases(tree)
    found = cases_by(tree.drivers[given.by], tree, every) if given.by else every
    if unknown := set(given.names) - {case.name for case in found}:
        parser.error(f"no case has the name {', '.join(sorted(unknown))}")
    if given.share is None:
        shares = range(share_of_tree(), share_of_tree() + SHARES)
    else:
        shares = range(given.share, given.share + 1)
        print(f"share {given.share} of {SHARES}")
    chosen = [case for share in shares for case in cases_of(share, found)]
    record = Record(given.record) if given.record else None
    known = record.working if record else set()
    chosen = [
        c for c in chosen if c.title not in known and (not given.names or c.name in given.names)
    ]
    wrong = 0
    with multiprocessing.Pool(given.n, _start, (given.whole,)) as pool:
        for name, says in pool.imap_unordered(_try, chosen):
            wrong += bool(says)
            print(_line(name, says), end="", flush=True)
            if record:
                record.add(name, says)
        pool.close()
        pool.join()
    print(f"{wrong} of {len(chosen)} do not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
