# SPDX-License-Identifier: Apache-2.0
"""docs/PORTING.md is carried out as it stands: a driver from the empty folder to a passing run."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "PORTING.md").read_text()
FILES = dict(re.findall(r"^`([a-z]+/[\w./-]+)`:\n\n```\w*\n(.*?)^```$", TEXT, re.M | re.S))
COMMANDS = re.findall(r"^    (\./corral (?:explain|run) hmac .*)$", TEXT, re.M)
SUITE_COMMANDS = re.findall(r"^    (\./corral test .* VAULT0)$", TEXT, re.M)
ELEMENT_COMMANDS = re.findall(r"^    (\./corral \w+ (?:vaults )?native-vault)$", TEXT, re.M)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with the document's driver dropped in, and nothing else touched."""
    copy = tmp_path_factory.mktemp("porting")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    (copy / ".venv").symlink_to(ROOT / ".venv")
    (copy / "build").mkdir()
    for shared in ("packages", "downloads"):
        if (ROOT / "build" / shared).is_dir():
            (copy / "build" / shared).symlink_to(ROOT / "build" / shared)
    for name, text in FILES.items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(text)
    return copy


def carry_out(tree: Path, command: str) -> str:
    done = subprocess.run(
        command.split(), cwd=tree, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_document_has_a_whole_driver() -> None:
    names = ("driver.json", "Kconfig", "acme.h", "acme.c", "README.md")
    assert {name for name in FILES if "/acme/" in name} == {f"drivers/acme/{n}" for n in names}
    assert len(COMMANDS) == 2


def test_document_has_an_element_with_all_that_belongs_to_it() -> None:
    """Nothing of it is below tools/: everything is found by its folder."""
    folders = {str(Path(name).parent) for name in FILES if "/acme/" not in name}
    assert folders == {
        "drivers/vault",
        "drivers/vault/provision",
        "sim/vault",
        "boards/native-vault",
        "apps/vaults",
    }
    assert [command.split()[1] for command in ELEMENT_COMMANDS] == ["build", "provision", "run"]


def test_element_is_built_shown_and_run(tree: Path) -> None:
    build, plan, run = ELEMENT_COMMANDS
    carry_out(tree, build)
    shown = carry_out(tree, plan)
    assert re.search(r"^VAULT0: vault with serial number [0-9A-F]{16}, open$", shown, re.M)
    assert re.search(r"^VAULT1: vault with serial number [0-9A-F]{16}, open$", shown, re.M)
    assert "SE0: ATECC608 on bus 0" in shown
    assert "vaults: pass" in carry_out(tree, run)
    assert shown.count(", open") == carry_out(tree, plan).count(", locked") == 2


def test_element_inherits_the_common_suite(tree: Path) -> None:
    assert len(SUITE_COMMANDS) == 1
    said = carry_out(tree, SUITE_COMMANDS[0])
    assert re.search(r"1 passed|^\.\s", said, re.M), said


def test_element_is_locked_by_order_alone(tree: Path) -> None:
    """Of chips that are not said to be simulated; these are, so that a fresh one is needed."""
    images = tree / "build" / "chips" / "native-vault"
    shutil.rmtree(images, ignore_errors=True)
    shown = carry_out(tree, ELEMENT_COMMANDS[1])
    serial = re.search(r"^VAULT1: .*serial number ([0-9A-F]{16})", shown, re.M)
    assert serial
    order = f"{ELEMENT_COMMANDS[1]} --element VAULT1 --lock {serial[1]}"
    assert "VAULT0" in carry_out(tree, order)
    shown = carry_out(tree, ELEMENT_COMMANDS[1])
    assert re.search(r"^VAULT0: .*, open$", shown, re.M)
    assert re.search(r"^VAULT1: .*, locked$", shown, re.M)


def test_explain_shows_the_new_driver(tree: Path) -> None:
    lines = carry_out(tree, COMMANDS[0]).splitlines()
    assert any(line.startswith("SHA_256") and " acme " in f"{line} " for line in lines)
    assert any(line.startswith("HMAC_SHA_256") and " compose " in f"{line} " for line in lines)


def test_application_passes_over_the_new_driver(tree: Path) -> None:
    assert "hmac: pass" in carry_out(tree, COMMANDS[1])


def test_new_driver_is_formatted_as_the_tree_is(tree: Path) -> None:
    files = [str(tree / name) for name in FILES if name.endswith((".c", ".h"))]
    style = f"--style=file:{ROOT / '.clang-format'}"
    done = subprocess.run(
        ["clang-format", style, "--dry-run", "-Werror", *files], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
