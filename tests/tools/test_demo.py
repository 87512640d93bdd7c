# SPDX-License-Identifier: Apache-2.0
"""./corral demo and ./corral provision, from fresh chips to the last check."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from corral import ROOT, cli
from corral.demo import board as demo_board
from corral.demo import check
from corral.demo import show as demo
from corral.errors import CorralError
from corral.run import program as run
from corral.run import provision

FOLDER = ROOT / "build" / "tests" / "demo"
CONTENT = b"A file that is signed, authenticated and encrypted.\n" * 20

_SMALL = "SHA-256 HMAC CMAC AES-128-CBC AES-256-CBC AES-128-CTR ECDSA ECDH X25519"
_LOCAL = f"{_SMALL} SHA-384 SHA-512 Ed25519"
_ATECC608 = "HMAC CMAC AES-128-CBC AES-128-CTR ECDSA ECDH"
_TWO = {"SE0": _ATECC608, "SE1": _ATECC608}
#: The results that OpenSSL must confirm, by board and place.
CHECKED = {
    "native": {"local": _LOCAL, **_TWO},
    "mps2-an386-keyslots": {
        "local": _LOCAL,
        **_TWO,
        "KEYS": "CMAC AES-128-CBC AES-256-CBC AES-128-CTR",
    },
    "mps2-an505-trustzone": {"local": _LOCAL},
    "riscv32-virt-pmp": {"local": _LOCAL},
    "ast2600-evb": {"local": _LOCAL},
    "microbit": {"local": _LOCAL},
    "mega2560": {"local": _SMALL, **_TWO},
}


@pytest.fixture(scope="module")
def table(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[demo.Row]:
    """The rows that the demo prints of the boards whose tests run."""
    names = {item.name for item in request.session.items}
    boards = [b for b in demo.BOARDS if any(name.endswith(f"[{b}]") for name in names)]
    file = tmp_path_factory.mktemp("demo") / "file, with a comma.txt"
    file.write_bytes(CONTENT)
    with pytest.MonkeyPatch.context() as patch:
        shown: list[demo.Row] = []
        patch.setattr(demo, "_print", shown.extend)
        assert demo.demo(file, boards or demo.BOARDS, FOLDER) == 0
    return shown


@pytest.mark.parametrize("board", demo.BOARDS)
def test_demo_has_openssl_check_each_mechanism(table: list[demo.Row], board: str) -> None:
    for place, titles in CHECKED[board].items():
        here = [row.mechanism for row in table if (row.board, row.place) == (board, place)]
        checked = [r.mechanism for r in table if (r.board, r.place) == (board, place) and r.passed]
        assert here
        assert not [t for t in titles.split() if not any(t in name for name in checked)]
    assert {row.place for row in table if row.board == board} == set(CHECKED[board])


def test_gateway_uses_keys_in_six_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(CONTENT)
    assert cli.main(["demo", "--gateway", str(tmp_path / "file")]) == 0
    said = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    lines = [[word.strip() for word in line if word] for line in said]
    assert lines[1] == ["mechanism, key in", "local", "TPM", "TOKEN", "SE0", "SE1", "KEYS"]
    ecdsa = ["ECDSA P-256, SHA-256", "mbedtls", "tpm2", "pkcs11", "atecc608", "atecc608", "-"]
    assert ecdsa in lines
    assert ["AES-256-CBC, PKCS#7", "mbedtls", "-", "pkcs11", "-", "-", "keyslots"] in lines


def test_engine_hashes_what_it_gets_at_once(table: list[demo.Row]) -> None:
    (row,) = (r for r in table if (r.board, r.mechanism) == ("ast2600-evb", "SHA-256 at once"))
    assert (row.driver, row.passed) == ("hace", True)


def test_elements_do_the_work_of_their_keys(table: list[demo.Row]) -> None:
    drivers = {(row.place, row.driver) for row in table if row.place != "local" and row.passed}
    assert drivers == {("SE0", "atecc608"), ("SE1", "atecc608"), ("KEYS", "keyslots")}
    assert not {"atecc608", "keyslots"} & {row.driver for row in table if row.place == "local"}


def test_application_is_the_same_on_all_boards() -> None:
    """Differences between boards are in configurations; guards of headers are no conditions."""
    for path in sorted((ROOT / "apps" / "zoo").glob("*.[ch]")):
        guard = f"#ifndef ZOO_{path.stem.upper()}_H".replace("ZOO_ZOO", "ZOO")
        text = path.read_text(encoding="utf-8")
        conditions = [line for line in text.splitlines() if re.match(r" *# *(el)?if", line)]
        assert conditions in ([], [guard])
        assert not [board for board in demo.BOARDS if board in text]


def test_artefacts_can_be_checked_again_by_hand(table: list[demo.Row]) -> None:
    scripts = sorted(FOLDER.glob(f"*/*/*/{check.SCRIPT}"))
    assert len(scripts) == len([row for row in table if row.passed])
    for script in scripts[:: len(scripts) // 8]:
        assert subprocess.run(["sh", str(script)], capture_output=True, check=False).returncode == 0
    names = {path.name for path in FOLDER.glob("*/*/*/*")}
    assert {"public.pem", "signature.der", "mac", "ciphertext", "iv", "shared"} <= names
    assert (FOLDER / "input").read_bytes() == CONTENT


def test_keys_of_all_places_and_boards_differ(table: list[demo.Row]) -> None:
    keys = [p.read_bytes() for p in sorted(FOLDER.glob("*/*/ecdsa*/public.pem"))]
    assert len(keys) == len([row for row in table if "ECDSA" in row.mechanism and row.passed])
    assert len(set(keys)) == len(keys)


def test_table_has_a_column_for_each_board(capsys: pytest.CaptureFixture[str]) -> None:
    yes, no = check.Verdict(check.PASSED), check.Verdict("NO: wrong", failed=True)
    nothing = check.Verdict("nothing to compare with")
    demo._print(
        [
            demo.Row("one", "HASH", "local", "acme", "done", yes),
            demo.Row("one", "RANDOM", "local", "acme", "done", nothing),
            demo.Row("one", "MAC", "KEYS", "slots", "done", yes, is_of_digest=True),
            demo.Row("a-board-with-a-long-name", "HASH", "local", "other", "done", no),
            demo.Row("a-board-with-a-long-name", "RANDOM", "local", "-", "not supported", nothing),
        ]
    )
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1:3] == [["a-board-with-a-long-"], ["mechanism", "key", "in", "one", "name"]]
    assert lines[4:7] == [
        ["HASH", "local", "acme", "NO"],
        ["RANDOM", "local", "(acme)", "-"],
        ["MAC", "KEYS", "slots*"],
    ]


def test_table_of_one_board_has_a_column_for_each_place(
    capsys: pytest.CaptureFixture[str],
) -> None:
    yes = check.Verdict(check.PASSED)
    demo._print(
        [
            demo.Row("one", "HASH", "local", "acme", "done", yes),
            demo.Row("one", "MAC", "local", "acme", "done", yes),
            demo.Row("one", "MAC", "KEYS", "slots", "done", yes, is_of_digest=True),
        ]
    )
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == ["mechanism,", "key", "in", "local", "KEYS"]
    assert lines[3:5] == [["HASH", "acme"], ["MAC", "acme", "slots*"]]


def test_console_that_ends_early_is_an_error(tmp_path: Path) -> None:
    text = 'corral-result {"mechanism":"SHA_256","status":0}\nsomething happened\n'
    (tmp_path / "console.log").write_text(text)
    (tmp_path / "run.json").write_text(json.dumps({"status": 139, "served": []}))
    with pytest.raises(CorralError, match="something happened") as caught:
        demo_board.read(tmp_path)
    assert "status 139 after 1 results" in str(caught.value)
    assert "console.log" in str(caught.value)


def test_board_that_cannot_be_built_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorralError, match=r"no-such/board\.toml: no such board"):
        demo_board.show("no-such", tmp_path / "no-such")


def test_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "large"
    file.write_bytes(bytes(demo.MAX_SIZE + 1))
    with pytest.raises(CorralError, match="take a smaller file"):
        demo.demo(file)


class Chips:
    """Chips as from the factory, and what ./corral provision says of them."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def provision(self, *words: str) -> tuple[int, str]:
        status = cli.main(["provision", "native", *words])
        return status, self.capsys.readouterr().out

    def serial(self, name: str) -> str:
        found = re.search(rf"{name}: .*serial number ([0-9A-F]{{18}})", self.provision()[1])
        assert found
        return found[1]

    def is_locked(self, name: str) -> bool:
        """Whether LockConfig, byte 87 of the configuration zone, says so in the image."""
        image = (self.folder / f"{name.lower()}.nvm").read_bytes()
        return image[16 + 87] == 0x00


#: The application is the same for each order; the chips are new in each test.
built_once = cache(provision._build)


@pytest.fixture
def chips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Chips:
    monkeypatch.setattr(run, "images_of", lambda _board: tmp_path / "chips")
    monkeypatch.setattr(provision, "_build", built_once)
    return Chips(tmp_path / "chips", capsys)


def test_plan_changes_nothing(chips: Chips) -> None:
    status, text = chips.provision()
    assert status == 0
    assert "slot 0: P-256 pair" in text
    assert "CANNOT BE UNDONE" in text
    before = (chips.folder / "se0.nvm").read_bytes()
    chips.provision()
    assert (chips.folder / "se0.nvm").read_bytes() == before
    assert not chips.is_locked("SE0")


def test_wrong_word_locks_nothing(chips: Chips) -> None:
    other = chips.serial("SE1")
    for word in ("yes", other, "0" * 18):
        status, _ = chips.provision("--element", "SE0", "--lock", word)
        assert status != 0
        assert not chips.is_locked("SE0")


def test_explicit_word_locks_that_chip_alone(chips: Chips) -> None:
    serial = chips.serial("SE0")
    status, _ = chips.provision("--element", "SE0", "--lock", serial)
    assert status == 0
    assert chips.is_locked("SE0")
    assert not chips.is_locked("SE1")
    assert chips.serial("SE0") == serial
