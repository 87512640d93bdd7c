# SPDX-License-Identifier: Apache-2.0
"""Every command and program of docs/INTEGRATING.md is executed."""

from __future__ import annotations

import json
import re
from pathlib import Path

from .project import MAIN, ROOT, Project, project

TEXT = (ROOT / "docs" / "INTEGRATING.md").read_text(encoding="utf-8")
DRIVER = (ROOT / "docs" / "porting" / "DRIVER.md").read_text(encoding="utf-8")
#: Each block, by the name that the text in front of it ends with.
FILES = {
    re.findall(r"`([\w/]+(?:\.\w+)+)`", before)[-1]: text
    for before, text in re.findall(r"((?:^[^\n]+\n)+)\n```\w*\n(.*?)^```$", TEXT, re.M | re.S)
    if re.search(r"`[\w/]+\.\w+`", before)
}
NAMES = ["CMakeLists.txt", "arm.cmake", "boards/mine/board.toml", "crypto.config", "port.c"]
MOST_FILES = 4  # beside main.c
CONFIGURE, BUILD = re.findall(r"^ +(cmake -S .*) && (cmake --build out)$", TEXT, re.M)[0]


def made_as_it_says(folder: Path) -> Project:
    """The files of the document, and a clone."""
    (folder / "corral").symlink_to(ROOT)
    made = Project(folder)
    made.write({**FILES, "main.c": MAIN})
    return made


def test_document_has_all_that_a_project_needs() -> None:
    assert sorted(FILES) == NAMES
    assert len([name for name in NAMES if name != "arm.cmake"]) == MOST_FILES


def test_project_of_the_document_signs_on_this_computer(tmp_path: Path) -> None:
    made = made_as_it_says(tmp_path)
    made.configure()
    made.build()
    assert made.done("out/app") == "signed\n"


def test_commands_of_the_document_build_for_a_cortex_m4(tmp_path: Path) -> None:
    made = made_as_it_says(tmp_path)
    # Where the console is, says the board's C library, not the document.
    made.write({"main.c": MAIN.replace('puts("signed");', "").replace("#include <stdio.h>", "")})
    made.done(*CONFIGURE.split())
    made.done(*BUILD.split())
    assert " T psa_sign_message" in made.done("arm-none-eabi-nm", "out/app")


def test_sources_of_the_document_are_one_line_for_the_compiler(tmp_path: Path) -> None:
    made = made_as_it_says(tmp_path)
    (command,) = re.findall(r"^    \./(corral export .*)$", TEXT, re.M)
    (line,) = re.findall(r"^    (cc .* \$\(find .*)$", TEXT, re.M)
    made.done(*f"corral/{command}".split())
    made.done("sh", "-c", line)
    assert made.done("./app") == "signed\n"


#: The driver that docs/porting/DRIVER.md writes.
ACME = dict(re.findall(r"^`(drivers/acme/[\w.]+)`:\n\n```\w*\n(.*?)^```$", DRIVER, re.M | re.S))


def test_path_of_the_first_configuration_is_remembered(tmp_path: Path) -> None:
    made = project(
        tmp_path,
        "corral_library(crypto CONFIG crypto.config BOARD boards/mine",
        "               SETTINGS CORRAL_SHA_256_BY_ACME=y)",
    )
    made.write({**ACME, "crypto.config": "PSA_WANT_ALG_SHA_256=y\n"})
    made.done("env", "CORRAL_PATH=.", "cmake", "-S", ".", "-B", "out")
    Project(tmp_path / "drivers").done("env", "-u", "CORRAL_PATH", "cmake", tmp_path / "out")


def test_driver_of_the_project_serves_it(tmp_path: Path) -> None:
    made = project(
        tmp_path,
        "corral_library(crypto CONFIG crypto.config BOARD boards/mine DRIVERS drivers/acme",
        "               SETTINGS CORRAL_SHA_256_BY_ACME=y)",
    )
    made.write({**ACME, "crypto.config": "PSA_WANT_ALG_SHA_256=y\n"})
    made.configure()
    made.build()
    report = json.loads((tmp_path / "out/corral/crypto/bindings.json").read_text())
    assert report["drivers"] == ["acme"]
