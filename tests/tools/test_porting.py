# SPDX-License-Identifier: Apache-2.0
"""docs/porting is carried out as written: a driver from the empty folder to a passing run, an
element, an algorithm, a port. The files of the tree that each changes are counted.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from corral.documents import write as documents
from corral.extend import scaffold
from harness import waiting
from outside.repository import PORTING

ROOT = Path(__file__).resolve().parents[2]
FILES = dict(re.findall(r"^`([a-z]+/[\w./-]+)`:\n\n```\w*\n(.*?)^```$", PORTING, re.M | re.S))
#: Lines that go into files of the tree, and in front of what.
ADDITIONS = re.findall(
    r"^Into `([\w./-]+)`, in front of `([^`]+)`:\n\n```\w*\n(.*?)^```$", PORTING, re.M | re.S
)
#: Generated from the rest, so they do not count as work.
MADE = set(documents.DOCUMENTS)
ALGORITHM = ("drivers/brief", "apps/brief")
PORT = ("ports/slate", "boards/slate")
MOST_FOR_AN_ALGORITHM = 3
COMMANDS = re.findall(r"^    (\./corral (?:explain|run) hmac native .*)$", PORTING, re.M)
SUITE_COMMANDS = re.findall(r"^    (\./corral test .* VAULT0)$", PORTING, re.M)
ELEMENT_COMMANDS = re.findall(r"^    (\./corral \w+ (?:vaults )?native-vault)$", PORTING, re.M)


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
    for name, before, text in ADDITIONS:
        old = (copy / name).read_text()
        assert old.count(f"\n{before}") == 1, f"{name}: {before}"
        (copy / name).write_text(old.replace(f"\n{before}", f"\n{text}{before}"))
    carry_out(copy, "./corral documents")
    return copy


def touched(tree: Path) -> set[str]:
    """The files of the tree that are not what they were."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    names = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    return {name for name in names if (ROOT / name).read_bytes() != (tree / name).read_bytes()}


def carry_out(tree: Path, command: str) -> str:
    done = waiting.run(command.split(), cwd=tree, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("template", "folders"),
    [
        ("driver", ["drivers/acme"]),
        ("element", ["drivers/vault", "sim/vault", "boards/native-vault", "apps/vaults"]),
        ("port", PORT),
    ],
)
def test_document_explains_what_new_ones_begin_with(template: str, folders: list[str]) -> None:
    folder = scaffold.TEMPLATES / template
    held = {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}
    said = {n: t for n, t in FILES.items() if any(n.startswith(f"{f}/") for f in folders)}
    assert held == said


def test_document_has_a_whole_driver() -> None:
    names = ("driver.json", "Kconfig", "acme.h", "acme.c", "README.md")
    assert {name for name in FILES if "/acme/" in name} == {f"drivers/acme/{n}" for n in names}
    assert len(COMMANDS) == 2


def test_document_has_an_element_with_all_that_belongs_to_it() -> None:
    """Nothing of it is below tools/: everything is found by its folder."""
    others = ("/acme/", *ALGORITHM, *PORT)
    folders = {str(Path(n).parent) for n in FILES if not any(other in n for other in others)}
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


def test_new_algorithm_takes_three_files_beside_its_driver(tree: Path) -> None:
    """Written by hand, and with its vectors; whatever else changes is made from these."""
    by_hand = touched(tree) - MADE
    assert by_hand == {name for name, _, _ in ADDITIONS}
    assert 0 < len(by_hand) <= MOST_FOR_AN_ALGORITHM
    assert "include/psa/crypto_lengths.h" in touched(tree) & MADE


def test_new_algorithm_is_computed_signed_and_tested(tree: Path) -> None:
    run, suite = re.findall(
        r"^    (\./corral .* (?:brief native|-k brief--native))$", PORTING, re.M
    )
    assert "brief: pass" in carry_out(tree, run)
    said = carry_out(tree, suite)
    assert re.search(r"1 passed|^\.\s", said, re.M), said


def test_new_port_takes_its_folder_and_a_board(tree: Path) -> None:
    """No other file of the tree: the rest of the changes is the algorithm's, and none is in
    tools/."""
    assert {str(Path(n).parent) for n in FILES if "slate" in n} == set(PORT)
    assert not any(name.startswith("tools/") for name in (*FILES, *touched(tree)))
    named = subprocess.run(
        ["git", "grep", "-lw", "slate"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    beginnings = ("tools/templates/", "tools/corral/extend/scaffold.py")
    # A colour scheme of the site's theme has the same name.
    others = ("docs/", "tests/tools/", "tests/outside/", "tests/site/", "tools/site/")
    assert not [
        name for name in named.stdout.split() if not name.startswith((*others, *beginnings))
    ]


def test_application_passes_on_the_new_port(tree: Path) -> None:
    (command,) = re.findall(r"^    (\./corral run \w+ slate)$", PORTING, re.M)
    assert "hmac: pass" in carry_out(tree, command)


def test_new_driver_is_formatted_as_the_tree_is(tree: Path) -> None:
    files = [str(tree / name) for name in FILES if name.endswith((".c", ".h"))]
    style = f"--style=file:{ROOT / '.clang-format'}"
    done = subprocess.run(
        ["clang-format", style, "--dry-run", "-Werror", *files], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
