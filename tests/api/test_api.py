# SPDX-License-Identifier: Apache-2.0
"""The API's promises over several choices of drivers: on a PC with sanitizers, on a Cortex-M4."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest
from harness import programs, suites
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS, Program, Result

#: How many tests of each suite must at least run, and not be skipped.
SUITES = suites.counts(sorted(programs.SUITES.glob("*.c")))
SUITES["statuses"] -= 1  # tests/api/pointers has the configuration for this one

CONFIGURATIONS: dict[str, Mapping[str, str]] = {
    "default": {},
    "bearssl": {"CORRAL_DEFAULT_BY_BEARSSL": "y"},
    # Compositions wherever there is one, small libraries below them.
    "compose": {
        "CORRAL_DEFAULT_BY_BEARSSL": "y",
        "CORRAL_RANDOM_BY_COMPOSE": "y",
        "CORRAL_HMAC_SHA_256_BY_COMPOSE": "y",
        "CORRAL_CMAC_AES_128_BY_COMPOSE": "y",
        "CORRAL_CBC_NO_PADDING_AES_128_BY_COMPOSE": "y",
        "CORRAL_CTR_AES_128_BY_COMPOSE": "y",
        "CORRAL_SECP_R1_256_BY_MICRO_ECC": "y",
        "CORRAL_MONTGOMERY_255_BY_MONOCYPHER": "y",
    },
    # With a curve on which a third of all numbers are no key: derived_keys.
    "p256m": {"CORRAL_SECP_R1_256_BY_P256M": "y", "PSA_WANT_ECC_BRAINPOOL_P_R1_256": "y"},
}
CASES = [(configuration, NATIVE) for configuration in CONFIGURATIONS] + [("default", EMULATED)]


@cache
def result_of(configuration: str, board: str) -> Result:
    """Build and run all suites in one program; once, at the first request."""
    return programs.whole(board, configuration, CONFIGURATIONS[configuration]).run()


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_programs_have_one_configuration(board: str) -> None:
    """Then they share its objects, which are most of the work of the compiler."""
    made = [
        programs.whole(board, "default", {}),
        programs.operations(board, "default", {}),
        programs.aead(board, "default", {}),
        programs.uninitialised(board),
    ]
    configurations = [{**programs.wanted(one.app), **one.all_settings} for one in made]
    assert configurations == [configurations[0]] * len(made)


@pytest.mark.parametrize(("configuration", "board"), CASES)
@pytest.mark.parametrize("suite", SUITES)
def test_suite(suite: str, configuration: str, board: str) -> None:
    result_of(configuration, board).check(SUITES[suite], suite)


@pytest.mark.parametrize(("configuration", "board"), CASES)
def test_program_ends_well(configuration: str, board: str) -> None:
    result_of(configuration, board).check(sum(SUITES.values()))


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_hashes_alone(board: str) -> None:
    programs.hash_only(board).run().check(16)


@pytest.mark.parametrize("configuration", ["default", "bearssl"])
def test_hashes_that_are_not_wanted(configuration: str) -> None:
    settings = CONFIGURATIONS[configuration]
    programs.unwanted_hash(NATIVE, configuration, settings).run().check(13)


@pytest.mark.parametrize(
    ("configuration", "board"),
    [("default", NATIVE), ("bearssl", NATIVE), ("default", EMULATED)],
)
def test_operations(configuration: str, board: str) -> None:
    programs.operations(board, configuration, CONFIGURATIONS[configuration]).run().check(15)


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_keys_derived_as_seeds(board: str) -> None:
    programs.seeds(board).run().check(9)


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_uninitialised(board: str) -> None:
    programs.uninitialised(board).run().check(4)


@pytest.mark.parametrize("sanitize", ["address,undefined", "thread"])
def test_threads(sanitize: str) -> None:
    name = f"api-threads-{sanitize.split(',', maxsplit=1)[0]}"
    Program("api/threads", NATIVE, name, WITHOUT_ELEMENTS, sanitize=sanitize).run().check(9)


@pytest.mark.parametrize(("sanitize", "count"), [("address,undefined", 8), ("thread", 7)])
def test_locks(sanitize: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # A fork by the owner of lock 0 takes the others after it, against their order;
    # misuse is tried; and a child does not join its parent's threads.
    wanted = "detect_deadlocks=0:report_mutex_bugs=0:report_thread_leaks=0"
    monkeypatch.setenv("TSAN_OPTIONS", wanted)
    name = f"api-locks-{sanitize.split(',', maxsplit=1)[0]}"
    wrapped = [f"-Wl,--wrap={name}" for name in ("pthread_mutex_lock", "pthread_atfork")]
    program = Program(
        "api/locks", NATIVE, name, WITHOUT_ELEMENTS, sanitize=sanitize, link_flags=tuple(wrapped)
    )
    program.run().check(count)


@pytest.mark.parametrize("without", ["", "1"])
def test_copied_memory(without: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the system has no page that is not copied."""
    monkeypatch.setenv("CORRAL_TEST_WITHOUT_ADVICE", without)
    wrapped = [f"-Wl,--wrap={name}" for name in ("open", "madvise", "getpid", "getentropy")]
    program = Program("api/copies", NATIVE, "api-copies", WITHOUT_ELEMENTS, link_flags=wrapped)
    program.run().check(10)


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_many_slots(board: str) -> None:
    Program("api/slots", board, "api-slots", WITHOUT_ELEMENTS).run().check(6)


ASYMMETRIC_CONFIGURATIONS: dict[str, Mapping[str, str]] = {
    "mbedtls": {},
    "bearssl": {"CORRAL_DEFAULT_BY_BEARSSL": "y"},
}


@pytest.mark.parametrize("configuration", ASYMMETRIC_CONFIGURATIONS)
@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_asymmetric(configuration: str, board: str) -> None:
    settings = ASYMMETRIC_CONFIGURATIONS[configuration]
    program = programs.asymmetric(board, configuration, settings)
    program.run().check_each(program.suites())


@pytest.mark.parametrize("configuration", ["default", "compose"])
def test_race(configuration: str) -> None:
    programs.race(configuration, CONFIGURATIONS[configuration]).run().check(3)


def test_race_notices_a_lock_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock of the core; those of the storage, under which keys are always, are left out in
    tests/persistent."""
    monkeypatch.setenv("CORRAL_TEST_WITHOUT_LOCK", "0")
    monkeypatch.setenv("TSAN_OPTIONS", "halt_on_error=1")
    result = programs.race("default", {}).run()
    assert result.status != 0
    assert "ThreadSanitizer: data race" in result.output, result.complaints()
