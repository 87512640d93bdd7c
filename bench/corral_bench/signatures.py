# SPDX-License-Identifier: Apache-2.0
"""One signature on small processors: RFC 8387's tables, measured with libraries of today.

On the ATmega2560 cycles, by its simulator. On the Cortex-M4 instructions. For libraries
the program counts them itself by the clock of QEMU (bench/meter), because the emulator
of the other parts would take hours. For an element that emulator counts them, and the
chip's time is its data sheet's. signers.py shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from corral import ROOT
from corral.build import image as build
from corral.build.image import Options
from corral.common.progress import step
from corral.errors import fail
from corral.measure.image import LAYER, Image, is_rom
from corral.measure.size import image_of
from corral.run import program as run

from corral_bench import avr
from corral_bench.cost import chips_of
from corral_bench.emulator import Emulator
from corral_bench.others import AVR, M4
from corral_bench.record import BY_RANK, Call
from corral_bench.scenarios import FIRST_ELEMENT
from corral_bench.signers import CALLS, describe

APP = "../bench/apps/signatures"
ELEMENT = "atecc608"
METER = ROOT / "bench" / "meter" / "mps2.c"
#: Made the same in every run.
ENTROPY = (ROOT / "bench" / "meter" / "entropy.c", "-Wl,--wrap=corral_port_entropy")
#: Of one tick of the counter that the meter reads (bench/meter/counter.h).
INSTRUCTIONS = 40
LINE = re.compile(r"^meter (\w+) (\d+) (\d+) (\d+)$", re.M)
#: Work of a call, without the waits for a chip.
_WORK = ("layer", "primitive", "random", "element", "bus")
#: Parts of an image that a program has whether it signs or not.
_ANYWAY = ("application", "port", "libc", "other")
#: Named after the operation codes of the chip's commands.
_COMMANDS = {
    0x02: "Read",
    0x16: "Nonce",
    0x1B: "Random",
    0x40: "GenKey",
    0x41: "Sign",
    0x45: "Verify",
}


@dataclass(frozen=True)
class Key:
    """A kind of key: the application's definitions, and its configuration."""

    name: str
    defines: tuple[str, ...]
    wants: dict[str, str] = field(default_factory=dict)


_NOT_ECDSA = {
    "PSA_WANT_ALG_ECDSA": "n",
    "PSA_WANT_ECC_SECP_R1_256": "n",
}


def _curve(name: str, family: str, bits: int) -> Key:
    wants = {f"PSA_WANT_ECC_{family}_{bits}": "y"}
    if (family, bits) != ("SECP_R1", 256):
        wants["PSA_WANT_ECC_SECP_R1_256"] = "n"
    defines = (f"BENCH_FAMILY=PSA_ECC_FAMILY_{family}", f"BENCH_BITS={bits}")
    return Key(name, defines, wants)


def _rsa(bits: int) -> Key:
    wants = {
        "PSA_WANT_ALG_RSA_PKCS1V15_SIGN": "y",
        f"PSA_WANT_RSA_KEY_SIZE_{bits}": "y",
        "PSA_WANT_KEY_TYPE_RSA_PUBLIC_KEY": "y",
        "PSA_WANT_KEY_TYPE_RSA_KEY_PAIR_BASIC": "y",
        "PSA_WANT_KEY_TYPE_RSA_KEY_PAIR_IMPORT": "y",
        "PSA_WANT_KEY_TYPE_RSA_KEY_PAIR_EXPORT": "y",
        "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE": "n",
        "PSA_WANT_KEY_TYPE_ECC_PUBLIC_KEY": "n",
    }
    return Key(f"RSA-{bits}", (f"BENCH_BITS={bits}",), _NOT_ECDSA | wants)


_ED25519 = Key(
    "Ed25519",
    ("BENCH_FAMILY=PSA_ECC_FAMILY_TWISTED_EDWARDS", "BENCH_BITS=255"),
    _NOT_ECDSA
    | {
        "PSA_WANT_ALG_PURE_EDDSA": "y",
        "PSA_WANT_ECC_TWISTED_EDWARDS_255": "y",
        "PSA_WANT_ALG_SHA_256": "n",
    },
)
KEYS = {
    key.name: key
    for key in (
        _rsa(1024),
        _rsa(2048),
        _curve("secp192k1", "SECP_K1", 192),
        _curve("secp192r1", "SECP_R1", 192),
        _curve("secp224r1", "SECP_R1", 224),
        _curve("secp256k1", "SECP_K1", 256),
        _curve("secp256r1", "SECP_R1", 256),
        _curve("secp384r1", "SECP_R1", 384),
        _curve("secp521r1", "SECP_R1", 521),
        _ED25519,
    )
}
_DETERMINISTIC = {"PSA_WANT_ALG_ECDSA": "n", "PSA_WANT_ALG_DETERMINISTIC_ECDSA": "y"}
_TABLES = "mbedtls, tables"
_MBEDTLS = ("192k1", "192r1", "224r1", "256k1", "256r1", "384r1", "521r1")
_MICRO_ECC = ("192r1", "224r1", "256k1", "256r1")
_BEARSSL = ("256r1", "384r1", "521r1")


def _secp(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"secp{name}" for name in names)


#: Of each board: its libraries, with the keys that they support there.
SERVED: dict[str, dict[str, tuple[str, ...]]] = {
    M4: {
        "mbedtls": ("RSA-1024", "RSA-2048", *_secp(_MBEDTLS)),
        _TABLES: _secp(_MBEDTLS),
        "bearssl": ("RSA-1024", "RSA-2048", *_secp(_BEARSSL)),
        "micro_ecc": _secp(_MICRO_ECC),
        "p256m": ("secp256r1",),
        "monocypher": ("Ed25519",),
        ELEMENT: ("secp256r1",),
    },
    AVR: {
        "bearssl": ("RSA-1024", "RSA-2048", *_secp(_BEARSSL)),
        "micro_ecc": _secp(_MICRO_ECC),
        "p256m": ("secp256r1",),
        "monocypher": ("Ed25519",),
        ELEMENT: ("secp256r1",),
    },
}


@dataclass(frozen=True)
class Signer:
    """A key of one kind, in one library or element, on one board."""

    key: Key
    library: str
    board: str

    @property
    def driver(self) -> str:
        return self.library.partition(",")[0]

    @property
    def name(self) -> str:
        return f"{self.key.name}/{self.library} on {self.board}"

    @property
    def defines(self) -> tuple[str, ...]:
        where = (f"BENCH_LOCATION={FIRST_ELEMENT:#x}",) if self.driver == ELEMENT else ()
        return (*self.key.defines, *where)

    @property
    def settings(self) -> dict[str, str]:
        made = BY_RANK | self.key.wants
        if self.driver == ELEMENT:
            slots = {"SINGLE_KEY": "0", "KEY_PAIR": "0", "PROTECTED_KEY": "2"}
            return made | {f"CORRAL_{kind}_SLOTS": count for kind, count in slots.items()}
        made |= {f"CORRAL_DEFAULT_BY_{self.driver.upper()}": "y", "CORRAL_DRIVER_ATECC608": "n"}
        if self.key.name == "secp256r1":
            made[f"CORRAL_SECP_R1_256_BY_{self.driver.upper()}"] = "y"
        if self.driver == "bearssl" and not self.key.name.startswith("RSA"):
            made |= _DETERMINISTIC
        if self.library == _TABLES:
            made["CORRAL_MBEDTLS_CURVE_TABLES"] = "y"
        return made


SIGNERS = tuple(
    Signer(KEYS[key], library, board)
    for board, libraries in SERVED.items()
    for key in KEYS
    for library, keys in libraries.items()
    if key in keys
)


def _build(signer: Signer, options: Options) -> build.Build:
    return build.build(APP, signer.board, options)


def _options(signer: Signer) -> Options:
    label = re.sub(r"\W+", "-", signer.name)
    return Options(
        settings=signer.settings, defines=signer.defines, name=f"bench/sign-{label}", lto=False
    )


def _bytes(signer: Signer, image: Image) -> dict[str, int]:
    """Flash of the signing code, of all libraries (hash and generator too), and of the
    layer; variables.

    In an element the driver is the signing code.
    """
    rom, ram = image.rom(), image.ram()
    own = f"corral_library_{signer.driver}."
    of_library = sum(r.size for r in image.ranges if own in r.file and is_rom(r.section))
    return {
        "flash": rom["element"] if signer.driver == ELEMENT else of_library,
        "libraries": rom["backend"],
        "layer_flash": sum(rom[part] for part in LAYER),
        "static": sum(size for part, size in ram.items() if part not in _ANYWAY),
    }


def _by_meter(signer: Signer) -> dict[str, Any]:
    """A library on the Cortex-M4."""
    wraps = tuple(f"-Wl,--wrap={name}" for name in CALLS)
    source, wrap = ENTROPY
    metered = replace(_options(signer), sources=(METER, source), link_flags=(*wraps, wrap))
    built = _build(signer, metered)
    done = run.run(built, capture=True)
    calls = {
        CALLS[m[1]]: {
            "count": int(m[2]) * INSTRUCTIONS,
            "stack": int(m[3]),
            "heap": int(m[4]),
        }
        for m in LINE.finditer(done.stdout)
    }
    if done.returncode or "sign" not in calls or "verify" not in calls:
        raise fail(signer.name, f"the program failed: {done.stdout[-500:]}", "run it by hand")
    return {**_bytes(signer, image_of(built)), "calls": calls}


def _by_emulator(signer: Signer) -> dict[str, Any]:
    """An element beside the Cortex-M4."""
    done = _build(signer, _options(signer))
    image = image_of(done)
    with chips_of(done, signer.board) as bus:
        emulator = Emulator(image, bus)
        emulator.run()
    if emulator.exit_code:
        raise fail(signer.name, "the program failed", "run it by hand")
    return {**_bytes(signer, image), "calls": dict(_counted(emulator.calls))}


def _by_simulator(signer: Signer) -> dict[str, Any]:
    """A library or an element on the ATmega2560."""
    done = _build(signer, _options(signer))
    image = image_of(done)
    with avr.chips_of(done) as words:
        status, calls = avr.run(image, words)
    if status:
        raise fail(signer.name, "the program failed", "run it by hand")
    return {**_bytes(signer, image), "calls": dict(_counted(calls))}


def _counted(calls: Iterable[Call]) -> Iterator[tuple[str, dict[str, Any]]]:
    for call in calls:
        if call.function not in CALLS:
            continue
        made: dict[str, Any] = {
            "count": sum(getattr(call, kind) for kind in _WORK),
            "stack": call.deepest,
            "heap": 0,
        }
        if call.transfers:
            commands = [_COMMANDS.get(code, f"{code:#04x}") for code in call.commands]
            made |= {"chip_us": call.chip_us, "bus_bytes": call.bus_bytes, "commands": commands}
        yield CALLS[call.function], made


def measure(signer: Signer) -> dict[str, Any]:
    """Build and run one; plain data."""
    how = _by_simulator if signer.board == AVR else _by_meter
    if signer.board == M4 and signer.driver == ELEMENT:
        how = _by_emulator
    row = {"board": signer.board, "key": signer.key.name, "library": signer.library}
    return {**row, **how(signer)}


def measure_all() -> list[dict[str, Any]]:
    """All of them, the slow ones in their turn."""
    measured = []
    for signer in SIGNERS:
        with step(f"signing: {signer.name}"):
            measured.append(measure(signer))
        print(describe(measured[-1]), flush=True)
    return measured
