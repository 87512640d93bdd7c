# SPDX-License-Identifier: Apache-2.0
"""Test programs that more than one test needs: run by their own tests, and for conformance."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from corral.packages import fetch as packages
from vectors import jpake, sae_rows, slh, spake2p

from harness import status_rows, suites
from harness.program import NATIVE, TESTS, WITHOUT_ELEMENTS, Program

SUITES = TESTS / "api" / "suites"
RSA_KEYS = TESTS / "harness" / "rsa_keys.c"
#: Each function that uses a key or makes one.
KEYED = (TESTS / "harness" / "keyed.c", TESTS / "harness" / "creating.c")

LOCKS = (TESTS / "harness" / "locks.c",)
LOCKS_WRAPPED = ("corral_port_lock", "corral_port_unlock")
#: Each part of the storage of keys is looked at while it is touched: is its lock held?
GUARDED = (TESTS / "harness" / "guarded.c", *LOCKS)
GUARDED_WRAPPED = (
    *LOCKS_WRAPPED,
    "corral_key_record_read",
    "corral_key_record_next",
    "corral_rollback_set",
    "corral_rollback_remove",
    "corral_port_flash_read",
    "corral_port_flash_write",
    "corral_port_flash_erase",
    "corral_port_counter_read",
    "corral_port_counter_advance",
)

IN_FLASH = {"CORRAL_STORAGE_IN_FLASH": "y"}
# A generator without heap: the tests start the library anew without end.
_RESTARTED = {
    **IN_FLASH,
    "CORRAL_RANDOM_BY_COMPOSE": "y",
    "CORRAL_HMAC_SHA_256_BY_COMPOSE": "y",
    "CORRAL_DEFAULT_BY_BEARSSL": "y",
}
PERSISTENT = {**WITHOUT_ELEMENTS, **_RESTARTED}


def _wrap(functions: tuple[str, ...]) -> tuple[str, ...]:
    """Let the linker redirect calls of these functions to __wrap_ of the same name."""
    return tuple(f"-Wl,--wrap={function}" for function in functions)


def wanted(app: str) -> dict[str, str]:
    """The settings of an application of tests/."""
    text = (TESTS / app / "app.config").read_text(encoding="utf-8")
    return dict(line.split("=") for line in text.splitlines() if "=" in line)


def _in_one(settings: Mapping[str, str]) -> dict[str, str]:
    """The wants of the suites and of operations in parts. Several programs have this
    one configuration, so all but their own sources have one object."""
    return {**WITHOUT_ELEMENTS, **wanted("api/whole"), **wanted("api/operations"), **settings}


def _is_watching(board: str, configuration: str, watching: str = "default") -> bool:
    """One configuration of each program watches; others call as an application does."""
    return board == NATIVE and configuration == watching


def whole(board: str, configuration: str, settings: Mapping[str, str]) -> Program:
    """Every suite of tests/api/suites in one program."""
    sources = (*sorted(SUITES.glob("*.c")), *KEYED)
    name = f"api-{configuration}"
    return Program(
        "api/whole",
        board,
        name,
        _in_one(settings),
        sources,
        is_fast=True,
        is_watching=_is_watching(board, configuration),
    )


#: Tokens, for programs that have the keys and for clients: tests/attestation.
ATTESTATION = TESTS / "attestation" / "suite.c"


def attestation() -> Program:
    """Without sanitizers, so that the stack can be searched."""
    return Program(
        "attestation",
        NATIVE,
        "attestation",
        WITHOUT_ELEMENTS,
        sanitize="",
        link_flags=_wrap(("corral_port_attested",)),
        is_watching=True,
    )


def wall() -> Program:
    """The same over messages, and tests of the wall itself."""
    return Program(
        "wall",
        NATIVE,
        "wall",
        {**WITHOUT_ELEMENTS, "CORRAL_THREADS": "n", **wanted("api/whole")},
        (*sorted(SUITES.glob("*.c")), *KEYED, ATTESTATION),
        link_flags=_wrap(
            (
                "corral_behind_destroy_key",
                "corral_behind_mac_verify",
                "corral_random",
                "corral_wall_run",
                "corral_port_attestation_key",
                "corral_port_device_key",
            )
        ),
    )


#: Boards with a wall that protects, by its transport.
WALLS = {"trustzone": "mps2-an505-trustzone", "pmp": "riscv32-virt-pmp"}


def _beside(*families: str) -> tuple[Path, ...]:
    """The suites of families of functions that have programs of their own elsewhere."""
    found = [path for family in families for path in sorted((TESTS / "api" / family).glob("*.c"))]
    return tuple(path for path in found if path.stem != "main" and path not in _NOT_BEHIND_WALL)


#: Random numbers of the test's choice, and calls of the driver itself: not behind a wall.
SAE_EDGES = TESTS / "api" / "pake" / "sae_edges.c"
_NOT_BEHIND_WALL = (SAE_EDGES, SAE_EDGES.with_name("forced.c"))
#: Tests that have to be in one program with the core, by name.
_LOCAL = TESTS / "walls" / "local" / "local.c"


def behind_wall(transport: str) -> Program:
    """The suites of the API on the client's side, beside what it tries to do to the other."""
    own = TESTS / "walls" / transport
    suites = (*sorted(SUITES.glob("*.c")), *_beside("aead", "operations"))
    sources = (*suites, *KEYED, _LOCAL, ATTESTATION, *sorted(own.glob("*.c")))
    root = (TESTS.parent,)
    board, name = WALLS[transport], f"walls-{transport}"
    return Program("walls/client", board, name, _in_one({}), sources, includes=root, is_fast=True)


def asymmetric_behind_wall(transport: str) -> Program:
    """Whose curves and slots of keys are others."""
    settings = {**WITHOUT_ELEMENTS, **wanted("api/asymmetric")}
    sources = (*_beside("asymmetric"), RSA_KEYS, _LOCAL)
    board, name = WALLS[transport], f"walls-asymmetric-{transport}"
    return Program("walls/asymmetric", board, name, settings, sources, is_fast=True)


def pake_behind_wall(transport: str) -> Program:
    settings = {**WITHOUT_ELEMENTS, **wanted("api/pake")}
    sources = (*_beside("pake"), *_pake_rows(), _LOCAL)
    board, name = WALLS[transport], f"walls-pake-{transport}"
    return Program("walls/pake", board, name, settings, sources, is_fast=True)


def stored_behind_wall(transport: str) -> Program:
    """The suites of persistent keys and of storage that an application can run."""
    shared = ("persistent/keys.c", "storage/its.c", "storage/ps.c")
    sources = tuple(TESTS / name for name in shared)
    settings = {**WITHOUT_ELEMENTS, **IN_FLASH}
    return Program("walls/stored", WALLS[transport], f"walls-stored-{transport}", settings, sources)


def uninitialised(board: str) -> Program:
    return Program("api/uninitialised", board, "api-uninitialised", _in_one({}), is_fast=True)


def operations(board: str, configuration: str, settings: Mapping[str, str]) -> Program:
    """Rules of operations in parts, of any family."""
    name = f"api-operations-{configuration}"
    return Program(
        "api/operations",
        board,
        name,
        _in_one(settings),
        KEYED,
        is_fast=True,
        link_flags=_wrap(("memchr", "corral_equal")),
    )


def hash_only(board: str) -> Program:
    sources = (SUITES / "hash.c",)
    return Program("api/hash_only", board, "api-hash-only", WITHOUT_ELEMENTS, sources)


def unwanted_hash(board: str, configuration: str, settings: Mapping[str, str]) -> Program:
    """Only of SHA-384, by one library."""
    name = f"api-unwanted-hash-{configuration}"
    wanted_too = {**WITHOUT_ELEMENTS, **settings}
    return Program("api/unwanted_hash", board, name, wanted_too, (RSA_KEYS,))


def aead(board: str, configuration: str, settings: Mapping[str, str]) -> Program:
    """Beside all else that the suites want; with other settings, in a build that has no more."""
    name = f"api-aead-{configuration}"
    return Program(
        "api/aead",
        board,
        name,
        {**WITHOUT_ELEMENTS, **settings} if settings else _in_one({}),
        is_fast=True,
        link_flags=_wrap(("mbedtls_driver_chachapoly_finish",)),
        is_watching=_is_watching(board, configuration),
    )


def asymmetric(board: str, configuration: str, settings: Mapping[str, str]) -> Program:
    return Program(
        "api/asymmetric",
        board,
        f"api-asymmetric-{configuration}",
        {**WITHOUT_ELEMENTS, **settings},
        (RSA_KEYS,),
        is_fast=True,
        link_flags=_wrap(("crypto_eddsa_check_equation",)),
        is_watching=_is_watching(board, configuration, "mbedtls"),
    )


#: Threads of POSIX, or tasks of FreeRTOS.
THREADS = {"posix": TESTS / "harness" / "threads_posix.c"}
THREADS["freertos"] = TESTS / "harness" / "threads_freertos.c"
FREERTOS = "mps2-an386-freertos"


def race(configuration: str, settings: Mapping[str, str], board: str = NATIVE) -> Program:
    """Threads over all families: eight under ThreadSanitizer, or four tasks of FreeRTOS."""
    here = TESTS / "api" / "race"
    kinds = suites.heads(sorted(here.glob("*.c")), "RACE_KEYED", "RACE_UNKEYED")
    symbols = [f"race_{kind}" for kind in kinds]
    text = suites.table("struct race_kind", "race_kind", symbols, here / "race.h")
    threads = THREADS["posix" if board == NATIVE else "freertos"]
    return Program(
        "api/race",
        board,
        f"api-race-{configuration}",
        {**WITHOUT_ELEMENTS, **IN_FLASH, **settings},
        (suites.written("suites/race.c", text), RSA_KEYS, *LOCKS, threads),
        "thread",
        _wrap(LOCKS_WRAPPED),
        is_fast=board != NATIVE,
    )


def tasks(configuration: str, settings: Mapping[str, str]) -> Program:
    """Tasks of FreeRTOS that wait for each other, and that are deleted."""
    return Program(
        "freertos/tasks",
        FREERTOS,
        f"freertos-tasks-{configuration}",
        {**WITHOUT_ELEMENTS, **settings},
        link_flags=_wrap((*LOCKS_WRAPPED, "corral_port_flash_write", "xTaskResumeAll")),
        is_fast=True,
    )


def statuses_by_rows(board: str, variant: str = "") -> Program:
    """A test for each row of tests/api/statuses/rows.tsv."""
    name = "-".join(["api-statuses", *([variant] if variant else [])])
    text = status_rows.source(status_rows.load())
    sources = (suites.written(f"{name}.c", text), RSA_KEYS)
    return Program("api/statuses", board, name, WITHOUT_ELEMENTS, sources)


@cache
def _pake_rows() -> tuple[Path, ...]:
    return (
        suites.written("jpake_published.c", jpake.source(packages.ensure(TESTS.parent, "mbedtls"))),
        suites.written("spake2p_rows.c", spake2p.source()),
        suites.written("sae_rows.c", sae_rows.source()),
    )


def pake(board: str, configuration: str, settings: Mapping[str, str]) -> Program:
    return Program(
        "api/pake",
        board,
        f"api-pake-{configuration}",
        {**WITHOUT_ELEMENTS, **settings},
        _pake_rows(),
        is_fast=True,
        link_flags=_wrap(("corral_random",)),
        is_watching=_is_watching(board, configuration),
        includes=(packages.ensure(TESTS.parent, "bearssl") / "inc",),
    )


def seeds(board: str) -> Program:
    """Key pairs that come of seeds."""
    sources = (suites.written("slh_rows.c", slh.source()),)
    return Program("api/seeds", board, "api-seeds", WITHOUT_ELEMENTS, sources)


def storage(board: str, index: int = 512) -> Program:
    """With an index for so many entries: enough, soon too few, none."""
    settings = {**WITHOUT_ELEMENTS, **IN_FLASH, "CORRAL_STORAGE_INDEX_ENTRIES": str(index)}
    is_watching = board == NATIVE and index == 512
    return Program("storage", board, f"storage-{index}", settings, is_watching=is_watching)


def update(board: str) -> Program:
    """Firmware update in two slots."""
    return Program(
        "update",
        board,
        "update",
        WITHOUT_ELEMENTS,
        is_watching=board == NATIVE,
        link_flags=_wrap(("corral_port_update_key",)),
    )


def files() -> Program:
    return Program(
        "files",
        NATIVE,
        "files",
        WITHOUT_ELEMENTS,
        link_flags=_wrap(("geteuid", "fsync")),
    )


def files_sealed() -> Program:
    """Sealed storage in files, on a disk of the test's own."""
    changes = ("openat", "write", "renameat", "unlinkat", "linkat", "ftruncate")
    return Program(
        "files_sealed",
        NATIVE,
        "files-sealed",
        {
            **WITHOUT_ELEMENTS,
            "CORRAL_RANDOM_BY_COMPOSE": "y",
            "CORRAL_HMAC_SHA_256_BY_COMPOSE": "y",
        },
        (TESTS / "persistent" / "adversary.c",),
        link_flags=_wrap((*changes, "readdir", "fsync")),
    )


def persistent(board: str) -> Program:
    """Sealed; on the emulated processor without a counter against older images."""
    if board != NATIVE:
        settings = {**PERSISTENT, "CORRAL_ROLLBACK_DETECTION": "n"}
        return Program("persistent", board, "persistent", settings, KEYED, is_fast=True)
    settings = {**PERSISTENT, "CORRAL_ROLLBACK_DETECTION": "y"}
    sources = (*KEYED, *GUARDED)
    return Program(
        "persistent", board, "persistent", settings, sources, link_flags=_wrap(GUARDED_WRAPPED)
    )


def persistent_in_clear() -> Program:
    """Where the board has no key of its own."""
    settings = {**PERSISTENT, "CORRAL_SEALED_STORAGE": "n"}
    return Program("persistent", NATIVE, "persistent-clear", settings, KEYED)


def _with_chips(
    app: str,
    name: str,
    settings: Mapping[str, str],
    sources: tuple[Path, ...],
    wrapped: tuple[str, ...] = (),
) -> Program:
    """Chips in the same process, so that power can fail for them and for the host at once."""
    simulator = sorted((TESTS.parent / "sim" / "atecc608").glob("*.c"))
    bus = ("corral_port_i2c_write", "corral_port_i2c_read", "corral_port_delay_us")
    return Program(
        app,
        NATIVE,
        name,
        settings,
        (*(path for path in simulator if path.stem not in ("main", "serve")), *sources),
        link_flags=(*_wrap((*bus, *wrapped)), "-Wl,--no-as-needed", "-lcrypto"),
    )


def persistent_elements() -> Program:
    sources = (TESTS / "persistent" / "device.c", *KEYED, *GUARDED)
    name = "persistent-elements"
    return _with_chips("persistent_elements", name, _RESTARTED, sources, GUARDED_WRAPPED)


def keyslots() -> Program:
    """The driver of key slots, its part in the same process."""
    simulator = sorted((TESTS.parent / "sim" / "keyslots").glob("*.c"))
    return Program(
        "driver/keyslots",
        "native-keyslots",
        "driver-keyslots",
        PERSISTENT,
        (*(path for path in simulator if path.stem != "main"), TESTS / "persistent" / "device.c"),
        link_flags=(
            *_wrap(("corral_port_i2c_write", "corral_port_i2c_read")),
            "-Wl,--no-as-needed",
            "-lcrypto",
        ),
    )


def remote() -> Program:
    """The driver of keys behind a wall, and storage on either side of it."""
    return Program(
        "driver/remote",
        "mps2-an505-trustzone-remote",
        "driver-remote",
        {**WITHOUT_ELEMENTS, **IN_FLASH},
        (TESTS / "persistent" / "device.c",),
        link_flags=_wrap(("corral_wall_enter",)),
        lto=False,  # the name by which a wrapped function is called
    )


def wall_stored() -> Program:
    """Sealed storage of several clients: the suites of the API take it that nothing is stored."""
    settings = {**IN_FLASH, "CORRAL_THREADS": "n"}
    sources = (TESTS / "wall" / "arena.c", TESTS / "persistent_elements" / "chips.c")
    return _with_chips("wall/stored", "wall-stored", settings, sources, ("atecc608_destroy_key",))


def keyless() -> Program:
    """Everybody's hashes and random numbers by an element."""
    sources = (TESTS / "persistent_elements" / "chips.c",)
    return _with_chips("conformance/keyless", "conformance-keyless", {}, sources)


def observed() -> list[Program]:
    """The programs in which the conformance test looks for statuses."""
    return [
        whole(NATIVE, "default", {}),
        whole(NATIVE, "bearssl", {"CORRAL_DEFAULT_BY_BEARSSL": "y"}),
        operations(NATIVE, "default", {}),
        hash_only(NATIVE),
        uninitialised(NATIVE),
        aead(NATIVE, "default", {}),
        asymmetric(NATIVE, "mbedtls", {}),
        pake(NATIVE, "default", {}),
        attestation(),
        storage(NATIVE),
        update(NATIVE),
        persistent(NATIVE),
        persistent_elements(),
        keyless(),
    ]
