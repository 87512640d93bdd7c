# SPDX-License-Identifier: Apache-2.0
"""Several elements: each keeps its own keys, and a failing one disturbs no other."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from corral.build import image as build
from corral.run import program as run
from corral.run import provision

ROOT = Path(__file__).resolve().parents[2]
NATIVE, EMULATED = "native", "mps2-an386"
#: The same with an element of another kind.
TWO_KINDS = (f"{NATIVE}-keyslots", f"{EMULATED}-keyslots")
PLACES = ("local", "SE0", "SE1")
STEPS = 4 + 3 * 5  # of one place: two creations, three rounds, two destructions
IDENTITY_STEPS = 3  # of the key that SE0 came with: signing, exporting, verifying
SUCCESS, INVALID_HANDLE, COMMUNICATION_FAILURE, INVALID_SIGNATURE = 0, -136, -145, -149
NOT_PERMITTED, NOT_SUPPORTED, INVALID_ARGUMENT, INSUFFICIENT_STORAGE = -133, -134, -135, -142


@cache
def image(board: str, app: str = "elements") -> build.Build:
    is_native = board.startswith(NATIVE)
    options = build.Options(
        settings={"CORRAL_THREADS": "y"} if is_native else {},
        sanitize="address,undefined" if is_native else "",
        sources=(ROOT / "tests" / "harness" / "material.c",) if app != "elements" else (),
        name=f"tests/{app.replace('/', '-')}-{board}",
        together="core and glue",
    )
    return build.build(f"../tests/{app}", board, options)


class Outcome:
    """The program's output."""

    def __init__(self, output: str) -> None:
        self.output = output
        self.steps: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self.texts: list[int] = []
        self.holds = -1
        for line in output.splitlines():
            match line.split():
                case ["step", place, step, status]:
                    self.steps[place].append((step, int(status)))
                case ["text", _, difference]:
                    self.texts.append(int(difference))
                case ["holds", number]:
                    self.holds = int(number)

    def statuses(self, place: str) -> set[int]:
        return {status for _, status in self.steps[place]}


def run_with(
    board: str, images: Path, faults: dict[str, str] | None = None, app: str = "elements"
) -> Outcome:
    images.mkdir(exist_ok=True)
    if not any(images.glob("*.nvm")):
        provision.prepare_virtual_chips(board, images)
    done = run.run(
        image(board, app), images=images, capture=True, faults=faults or {}, repeats=False
    )
    assert done.returncode == 0, done.stdout
    return Outcome(done.stdout)


@pytest.fixture(scope="module")
def chips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Memories of the virtual chips, a folder for each board."""
    return tmp_path_factory.mktemp("chips")


def check_undisturbed(outcome: Outcome, place: str) -> None:
    assert outcome.statuses(place) == {SUCCESS}, outcome.output
    steps = STEPS + IDENTITY_STEPS if place == "SE0" else STEPS
    assert len(outcome.steps[place]) == steps, outcome.output


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_both_elements_work_at_once(chips: Path, board: str) -> None:
    outcome = run_with(board, chips / board)
    for place in PLACES:
        check_undisturbed(outcome, place)
    assert outcome.texts == [0] * 9
    assert outcome.holds == 0


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
@pytest.mark.parametrize("absent", ["SE0", "SE1"])
def test_absent_element_fails_for_its_keys_only(chips: Path, board: str, absent: str) -> None:
    outcome = run_with(board, chips / board, {absent: "silence"})
    for place in PLACES:
        if place != absent:
            check_undisturbed(outcome, place)
    created = dict(outcome.steps[absent])
    assert created["generate"] == COMMUNICATION_FAILURE, outcome.output
    assert created["generate-aes"] == COMMUNICATION_FAILURE, outcome.output
    assert outcome.holds == 0


#: Kinds of failure, and at which transaction it begins. The emulated board repeats a few.
FAILURES = [
    (NATIVE, kind, transaction)
    for kind in ("silence", "nak", "crc", "garbage", "power")
    for transaction in (1, 12, 40, 90, 200)
] + [(EMULATED, "silence", 40), (EMULATED, "power", 90)]


@pytest.mark.parametrize(("board", "kind", "transaction"), FAILURES)
def test_element_that_fails_on_the_way_disturbs_nobody(
    chips: Path, board: str, kind: str, transaction: int
) -> None:
    outcome = run_with(board, chips / board, {"SE1": f"{kind}@{transaction}+"})
    check_undisturbed(outcome, "local")
    check_undisturbed(outcome, "SE0")
    bad = outcome.statuses("SE1") - {SUCCESS}
    # A key that could not be made has no identifier, and destroying identifier 0 is no error.
    assert bad <= {COMMUNICATION_FAILURE, INVALID_HANDLE}, outcome.output
    assert COMMUNICATION_FAILURE in bad, outcome.output
    assert all(difference == 0 for difference in outcome.texts)
    assert outcome.holds == 0


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_private_keys_go_into_the_element_that_shares_a_write_key(chips: Path, board: str) -> None:
    outcome = run_with(board, chips / board, app="elements/import")
    worked = [(step, SUCCESS) for step in ("export-public", "sign", "verify")]
    refused = [("import-short", INVALID_ARGUMENT), ("import-zero", INVALID_ARGUMENT)]
    destroyed = [("destroy", SUCCESS)] * 4

    def used(first: str, exported: int) -> list[tuple[str, int]]:
        return [(first, SUCCESS), *worked, ("export", exported), ("destroy", SUCCESS)]

    assert outcome.steps["local"] == [*used("import", SUCCESS), *refused]
    assert outcome.steps["SE0"] == [
        *used("import", NOT_SUPPORTED),
        *refused,
        *used("copy", NOT_PERMITTED),
        ("generate-full", INSUFFICIENT_STORAGE),
        ("import-full", INSUFFICIENT_STORAGE),
        *destroyed,
    ]
    # The other one never: full or not, whatever the data.
    steps = ("import", "import-short", "import-zero", "copy")
    assert outcome.steps["SE1"] == [
        *[(step, NOT_SUPPORTED) for step in steps],
        ("generate-full", INSUFFICIENT_STORAGE),
        ("import-full", NOT_SUPPORTED),
        *destroyed,
    ]
    assert outcome.texts == [0, 0, 0]
    assert outcome.holds == 0


CCM_STEPS = [
    ("import", SUCCESS),
    ("check-usage", SUCCESS),
    ("encrypt", SUCCESS),
    ("encrypt-in-parts", SUCCESS),
    ("decrypt", SUCCESS),
    ("decrypt-forged", INVALID_SIGNATURE),
    ("destroy", SUCCESS),
]


@pytest.mark.parametrize("board", TWO_KINDS)
def test_ccm_stands_on_the_block_cipher_of_an_element(chips: Path, board: str) -> None:
    outcome = run_with(board, chips / board, app="elements/aead")
    for place in (*PLACES, "KEYS"):
        assert outcome.steps[place] == CCM_STEPS, outcome.output
    assert outcome.texts == [0] * 12, outcome.output
    assert outcome.holds == 0


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ("KEYS", "silence"),
        ("SE0", "silence"),
        *(("KEYS", f"{kind}@{at}+") for kind in ("power", "power-after") for at in (3, 9, 40)),
    ],
)
def test_element_of_one_kind_that_fails_disturbs_none_of_another(
    chips: Path, place: str, fault: str
) -> None:
    board = TWO_KINDS[0]
    outcome = run_with(board, chips / board, {place: fault}, app="elements/aead")
    for other in {*PLACES, "KEYS"} - {place}:
        assert outcome.steps[other] == CCM_STEPS, outcome.output
    bad = outcome.statuses(place) - {SUCCESS, INVALID_SIGNATURE}
    assert bad == {COMMUNICATION_FAILURE}, outcome.output
    assert outcome.holds == 0


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_keys_are_derived_from_secrets_of_elements_and_into_elements(
    chips: Path, board: str
) -> None:
    outcome = run_with(board, chips / board, app="elements/derive")
    for place in PLACES:
        assert outcome.statuses(place) == {SUCCESS}, outcome.output
    assert outcome.texts == [0] * 9
    assert outcome.holds == 0
