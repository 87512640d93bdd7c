# SPDX-License-Identifier: Apache-2.0
"""What ./corral new writes builds, runs, and passes what it inherits, as it is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from corral.extend.scaffold import SCAFFOLDS

from outside.repository import ROOT, corral, error, output


def new(kind: str, name: str, place: Path, *words: str) -> list[list[str]]:
    """The commands with which one goes on, as words."""
    written = output("new", kind, name, "--in", str(place), *words)
    return [shlex.split(line)[1:] for line in written.splitlines()]


def test_application_passes_also_in_a_folder_with_a_blank(tmp_path: Path) -> None:
    (run,) = new("app", "sense", tmp_path / "my place")
    assert output(*run) == "sense: pass\n"


def test_board_runs_what_the_one_that_it_began_as_runs(tmp_path: Path) -> None:
    run, _ = new("board", "my-board", tmp_path)
    assert output(*run) == "hmac: pass\n"
    description = (tmp_path / "boards" / "my-board" / "board.toml").read_text()
    assert 'title = "my-board"' in description and "[[element" not in description


def test_port_runs(tmp_path: Path) -> None:
    run, test = new("port", "desk", tmp_path)
    assert output(*run) == "hmac: pass\n"
    output(*test, "-n", "0")


def test_driver_serves_and_passes_what_it_inherits(tmp_path: Path) -> None:
    explain, test = new("driver", "my_hash", tmp_path)
    rows = [re.split(r"  +", line) for line in output(*explain).splitlines()]
    assert ["SHA_256", "my_hash"] in [[row[0], row[2]] for row in rows if len(row) > 2]
    output(*test, "-n", "0")
    for built in ("driver-my_hash-native", "wipers-my_hash-lto", "narrow-my_hash-rest"):
        assert (tmp_path / "build" / "tests" / built).is_dir()


@pytest.mark.parametrize("board", ["native", "mega2560", "mps2-an505"])
def test_driver_shares_files_of_a_package_with_ours(board: str, tmp_path: Path) -> None:
    """The last two boards optimise at the link, which takes no function twice."""
    new("driver", "my_hash", tmp_path)
    new("app", "sense", tmp_path)
    with (tmp_path / "apps" / "sense" / "app.config").open("a") as file:
        file.write("PSA_WANT_ALG_SHA_224=y\nCORRAL_SHA_224_BY_BEARSSL=y\n")
        file.write("CORRAL_SHA_256_BY_MY_HASH=y\n")
    assert output("run", "sense", board, "--path", str(tmp_path)) == "sense: pass\n"
    sources = (tmp_path / "build" / f"sense-{board}" / "sources.cmake").read_text()
    compiled = re.findall(r'/src/(\S+\.c)"$', sources, re.M)
    assert "hash/sha2small.c" in compiled
    assert len(compiled) == len(set(compiled))


def test_element_has_two_devices_that_pass_what_they_inherit(tmp_path: Path) -> None:
    provision, run, test = new("element", "safe", tmp_path)
    shown = output(*provision)
    for name in ("SAFE0", "SAFE1"):
        assert f"{name}: safe with serial number" in shown
    assert "safes: pass" in output(*run)
    output(*test, "-n", "0", "-k", "SAFE0")


def test_suite_of_a_driver_fails_with_it(tmp_path: Path) -> None:
    """Else the suite would show nothing."""
    _, test = new("driver", "wrong", tmp_path)
    source = tmp_path / "drivers" / "wrong" / "wrong.c"
    text = source.read_text()
    right = "br_sha256_out(&engine, hash)"
    assert text.count(right) == 1
    source.write_text(text.replace(right, "memset(hash, 0, br_sha256_SIZE)"))
    done = corral(*test, "-n", "0", "-k", "test_driver and native")
    assert done.returncode == 1, done.stdout


@pytest.mark.parametrize("kind", SCAFFOLDS)
def test_nothing_is_written_over_or_in_the_place_of_ours(kind: str, tmp_path: Path) -> None:
    new(kind, "mine", tmp_path)
    assert "is there already" in error("new", kind, "mine", "--in", str(tmp_path))
    folder = ROOT / SCAFFOLDS[kind].folder
    names = sorted(path.name for path in folder.glob("[a-z]*/") if path.name != "common")
    ours = next(name for name in names if re.fullmatch("[a-z0-9_]+", name))
    assert "would take the place of" in error("new", kind, ours, "--in", str(tmp_path))
    assert "is no name for a new" in error("new", kind, "No", "--in", str(tmp_path))


def test_name_of_a_board_of_ours_is_no_name_for_a_port(tmp_path: Path) -> None:
    said = error("new", "port", "native", "--in", str(tmp_path))
    assert "would take the place of boards/native" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["psa", "corral", "default", "string", "time"])
def test_names_that_no_driver_may_have_are_refused(name: str, tmp_path: Path) -> None:
    assert "is no name for a new" in error("new", "driver", name, "--in", str(tmp_path))


def test_suite_asks_for_the_folder_of_a_driver(tmp_path: Path) -> None:
    assert "driver.json: no such file" in error("test", "--driver", str(tmp_path))
    (tmp_path / "driver.json").touch()
    assert "is not in a folder that is called drivers" in error("test", "--driver", str(tmp_path))


def _accelerator(place: Path) -> list[str]:
    """A driver for hardware; the command that tests it."""
    _, test = new("driver", "fast", place)
    with (place / "drivers" / "fast" / "Kconfig").open("a") as file:
        file.write("\tdepends on HAS_FAST\n")
    return test


def _requires(place: Path) -> None:
    description = place / "drivers" / "fast" / "driver.json"
    rank = '"corral/rank": 60,'
    text = description.read_text()
    assert text.count(rank) == 1
    description.write_text(text.replace(rank, f'{rank} "corral/requires": ["HAS_FAST"],'))


def _capabilities(place: Path, *names: str) -> None:
    with (place / "boards" / "desk" / "board.toml").open("a") as file:
        file.write("".join(["\n[capabilities]\n", *(f"{name} = true\n" for name in names)]))


def test_suite_says_what_an_accelerator_lacks(tmp_path: Path) -> None:
    test = _accelerator(tmp_path)
    said = error(*test)
    assert "CORRAL_DRIVER_FAST depends on HAS_FAST, which corral/requires lacks: add " in said
    _requires(tmp_path)
    said = error(*test)
    assert "drivers/fast: cannot be tested: no board has HAS_FAST, " in said
    new("port", "desk", tmp_path)
    _capabilities(tmp_path, "HAS_FAST")
    said = error(*test)
    assert said.count("\n") == 1
    assert (
        "boards/desk/board.toml: driver fast cannot be tested on this board, which has no" in said
    )


def test_accelerator_with_a_port_of_its_own_is_tested_on_its_board(tmp_path: Path) -> None:
    test = _accelerator(tmp_path)
    _requires(tmp_path)
    new("port", "desk", tmp_path)
    _capabilities(tmp_path, "HAS_FAST", "HAS_ENTROPY")
    (tmp_path / "ports" / "desk" / "entropy.c").write_text(
        "#include <corral/port.h>\n#include <psa/crypto.h>\n#include <unistd.h>\n"
        "psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)\n"
        "{\n    *estimate_bits = 8 * size;\n"
        "    return getentropy(output, size) == 0 ? PSA_SUCCESS : PSA_ERROR_HARDWARE_FAILURE;\n}\n"
    )
    output(*test, "-n", "0")
    built = {path.name for path in (tmp_path / "build" / "tests").glob("[a-z]*-fast*")}
    assert built == {"driver-fast-desk"}


def test_suite_says_that_an_element_has_no_simulator(tmp_path: Path) -> None:
    *_, test = new("element", "safe", tmp_path)
    board = tmp_path / "boards" / "native-safe" / "board.toml"
    board.write_text(re.sub(r'(?m)^simulator = "safe"\n', "", board.read_text()))
    said = error(*test)
    assert said.count("\n") == 1
    assert "board, which has no simulator for SAFE0, SAFE1, so nothing answers the suite: " in said
