# SPDX-License-Identifier: Apache-2.0
"""./corral demo and ./corral provision, from fresh chips to the last check."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from corral import build, check, cli, demo, provision, run
from corral.errors import CorralError

FOLDER = build.ROOT / "build" / "tests" / "demo"
CONTENT = b"A file that is signed, authenticated and encrypted.\n" * 20


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The rows that the demo prints, cell by cell."""
    file = tmp_path_factory.mktemp("demo") / "file, with a comma.txt"
    file.write_bytes(CONTENT)
    with pytest.MonkeyPatch.context() as patch:
        shown: list[list[str]] = []
        patch.setattr(demo, "_print", lambda rows: shown.extend(list(row) for row in rows))
        assert demo.demo(file, folder=FOLDER) == 0
    return shown


@pytest.mark.parametrize("board", demo.BOARDS)
@pytest.mark.parametrize(
    ("place", "titles"),
    [
        ("local", ("SHA-256", "HMAC", "CMAC", "AES-128-CBC", "AES-256-CBC", "AES-128-CTR")),
        ("local", ("ECDSA P-256", "Ed25519", "ECDH P-256", "X25519")),
        ("SE0", ("HMAC", "CMAC", "AES-128-CBC", "AES-128-CTR", "ECDSA P-256", "ECDH P-256")),
        ("SE1", ("HMAC", "CMAC", "AES-128-CBC", "AES-128-CTR", "ECDSA P-256", "ECDH P-256")),
    ],
)
def test_demo_has_openssl_check_each_mechanism(
    table: list[list[str]], board: str, place: str, titles: tuple[str, ...]
) -> None:
    checked = [r[1] for r in table if r[0] == board and r[2] == place and r[-1] == check.PASSED]
    assert not [t for t in titles if not any(t in row for row in checked)]


def test_elements_do_the_work_of_their_keys(table: list[list[str]]) -> None:
    drivers = {row[3] for row in table if row[2].startswith("SE") and row[4] == "done"}
    assert drivers == {"atecc608"}
    assert "atecc608" not in {row[3] for row in table if row[2] == "local"}


def test_artefacts_can_be_checked_again_by_hand(table: list[list[str]]) -> None:
    scripts = sorted(FOLDER.glob(f"*/*/*/{check.SCRIPT}"))
    assert len(scripts) == len([row for row in table if row[-1] == check.PASSED])
    for script in scripts[:: len(scripts) // 8]:
        assert subprocess.run(["sh", str(script)], capture_output=True, check=False).returncode == 0
    names = {path.name for path in FOLDER.glob("*/*/*/*")}
    assert {"public.pem", "signature.der", "mac", "ciphertext", "iv", "shared"} <= names
    assert (FOLDER / "input").read_bytes() == CONTENT


def test_keys_of_two_elements_and_two_boards_differ(table: list[list[str]]) -> None:
    keys = [p.read_bytes() for p in sorted(FOLDER.glob("*/*/ecdsa*/public.pem"))]
    assert len(keys) == 3 * len(demo.BOARDS)
    assert len(set(keys)) == len(keys)
    assert table


def test_console_that_ends_early_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> subprocess.CompletedProcess[str]:
        text = 'corral-result {"mechanism":"SHA_256","status":0}\nsomething happened\n'
        return subprocess.CompletedProcess([], 139, text)

    monkeypatch.setattr(run, "run", broken)
    monkeypatch.setattr(provision, "prepare_virtual_chips", lambda *_: None)
    file = tmp_path / "file"
    file.write_bytes(CONTENT)
    with pytest.raises(CorralError, match="something happened") as caught:
        demo.demo(file, folder=build.ROOT / "build" / "tests" / "demo-broken")
    assert "status 139 after 1 results" in str(caught.value)
    assert "console.log" in str(caught.value)


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


@pytest.fixture
def chips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Chips:
    monkeypatch.setattr(run, "images_of", lambda _board: tmp_path / "chips")
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
