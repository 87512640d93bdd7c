# SPDX-License-Identifier: Apache-2.0
"""Keys and entries survive the program, in files, in the image of the native flash, in QEMU's."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest
from corral.build import image as build
from corral.run import program as run
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS

EXPECTED = ["run 1 same 1", "run 2 same 1", "run 3 same 1", "run 4 same 1"]


@cache
def program(board: str, backend: str) -> build.Build:
    settings = {**WITHOUT_ELEMENTS, f"CORRAL_STORAGE_IN_{backend}": "y"}
    sanitize = "address,undefined" if board == NATIVE else ""
    options = build.Options(
        settings=settings,
        sanitize=sanitize,
        name=f"tests/restart-{backend}-{board}",
        together="core and glue",
    )
    return build.build("../tests/restart", board, options)


@pytest.mark.parametrize(
    ("board", "backend"), [(NATIVE, "FILES"), (NATIVE, "FLASH"), (EMULATED, "FLASH")]
)
def test_restart(board: str, backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORRAL_STORAGE", str(tmp_path / "entries"))
    monkeypatch.setenv("CORRAL_FLASH", str(tmp_path / "flash"))
    arguments = [f"flash={tmp_path}/flash"] if board == EMULATED else []
    lines: list[str] = []
    for _ in range(5):
        done = run.run(
            program(board, backend), arguments, images=tmp_path, capture=True, repeats=False
        )
        assert done.returncode == 0, done.stdout
        lines += done.stdout.splitlines()
    # After the fourth run nothing is left, and the fifth begins anew.
    assert lines == [*EXPECTED, "destroyed 0 0 0", "run 1 same 1"]


def test_damaged_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORRAL_STORAGE", str(tmp_path))
    files = program(NATIVE, "FILES")
    assert run.run(files, capture=True).returncode == 0
    entries = sorted(path for path in tmp_path.iterdir())
    assert [path.name for path in entries] == [
        "0-0000000000000001",
        "0-0000000000000002",
        "2-0000000000000011",
        "3-0000000000000001",
        "counter",
        "reserve",
    ]
    content = bytearray(entries[2].read_bytes())
    content[-1] ^= 1
    entries[2].write_bytes(content)
    done = run.run(files, capture=True)
    assert done.stdout.strip() == "init: -152"  # PSA_ERROR_DATA_CORRUPT


@pytest.mark.parametrize(
    ("board", "backend"), [(NATIVE, "FILES"), (NATIVE, "FLASH"), (EMULATED, "FLASH")]
)
def test_older_copy_of_the_storage_is_refused(
    board: str, backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counter is no part of the copy."""
    folder = tmp_path / "entries"
    image = tmp_path / "flash"
    monkeypatch.setenv("CORRAL_STORAGE", str(folder))
    monkeypatch.setenv("CORRAL_FLASH", str(image))
    arguments = [f"flash={image}"] if board == EMULATED else []
    output = ""
    for count in range(5):
        output = run.run(
            program(board, backend), arguments, images=tmp_path, capture=True, repeats=False
        ).stdout
        if count == 0 and backend == "FILES":
            shutil.copytree(folder, tmp_path / "copy")
        elif count == 0:
            shutil.copy(image, tmp_path / "copy")
    assert output.strip() == "run 1 same 1"
    if backend == "FILES":
        (tmp_path / "copy" / "counter").unlink()
        shutil.copytree(tmp_path / "copy", folder, dirs_exist_ok=True)
    else:
        shutil.copy(tmp_path / "copy", image)
    done = run.run(program(board, backend), arguments, images=tmp_path, capture=True, repeats=False)
    assert done.stdout.strip() == "init: -152"  # PSA_ERROR_DATA_CORRUPT


def test_folder_that_is_not_used__is_explained_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "entries"
    folder.mkdir()
    folder.chmod(0o1777)
    monkeypatch.setenv("CORRAL_STORAGE", str(folder))
    done = run.run(program(NATIVE, "FILES"), capture=True)
    said, status = done.stdout.splitlines()
    assert status == "init: -146"  # PSA_ERROR_STORAGE_FAILURE
    assert said.startswith("corral: ")
    assert str(folder) in said
    assert "chmod go-w" in said


def test_full_disk__leaves_a_file_of_the_users_beside_the_flash_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of the flash's file is the user's, where `reserve` may be anything."""
    options = build.Options(
        settings={**WITHOUT_ELEMENTS, "CORRAL_STORAGE_IN_FLASH": "y"},
        sources=(build.ROOT / "tests" / "restart" / "full" / "disk.c",),
        link_flags=("-Wl,--wrap=fsync",),
        name="tests/restart-full",
        together="core and glue",
    )
    monkeypatch.setenv("CORRAL_FLASH", str(tmp_path / "flash"))
    theirs = tmp_path / "reserve"
    theirs.write_text("theirs")
    done = run.run(build.build("../tests/restart", NATIVE, options), capture=True)
    assert done.stdout.strip() == "init: -146"  # PSA_ERROR_STORAGE_FAILURE
    assert theirs.read_text() == "theirs"
