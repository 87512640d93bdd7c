# SPDX-License-Identifier: Apache-2.0
"""docs/TROUBLESHOOTING.md has messages that commands print, and all statuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from corral import ROOT

from outside.repository import corral

TEXT = (ROOT / "docs" / "TROUBLESHOOTING.md").read_text()
SECTION = TEXT.partition("## Messages of the command\n")[2].partition("\n## ")[0]
HASH = "PSA_WANT_ALG_SHA_256=y\n"
KEYS = (
    "PSA_WANT_ALG_HMAC=y\nPSA_WANT_KEY_TYPE_HMAC=y\n"
    "CORRAL_SINGLE_KEY_SLOTS=0\nCORRAL_PROTECTED_KEY_SLOTS=0\n"
)
EXPLAIN = ("explain", "./app", "native")
#: For each message of the page, a configuration and a command that prints it.
CAUSES: dict[str, tuple[str, tuple[str, ...]]] = {
    "no such command": (HASH, ("explian",)),
    "no such board": (HASH, ("explain", "./app", "natve")),
    "no such application": (HASH, ("explain", "./app/main.c", "native")),
    "is no symbol of the configuration: did you mean": ("PSA_WANT_ALG_SHA256=y\n", EXPLAIN),
    "is no symbol of the configuration: the choice is among": (
        f"{HASH}CORRAL_SHA_256_BY_P256M=y\n",
        EXPLAIN,
    ),
    "is C, which means nothing here": ("#define PSA_WANT_ALG_SHA_256 1\n", EXPLAIN),
    "has nothing to work with": ("PSA_WANT_KEY_TYPE_AES=y\n", EXPLAIN),
    "leaves no slot for": (HASH + KEYS, EXPLAIN),
    "has no effect, its value is n: it depends on": (
        f"{HASH}CORRAL_STORAGE_IN_FILES=y\n",
        EXPLAIN,
    ),
    "the configuration is empty": ("", EXPLAIN),
    "replaces that of": (f"{HASH}PSA_WANT_ALG_MD5=y\nPSA_WANT_ALG_MD5=n\n", EXPLAIN),
    "needs a terminal": (HASH, ("menuconfig", "./app", "native")),
    "sanitizers run on the host only": (
        HASH,
        ("build", "./app", "mps2-an386", "--sanitize", "address"),
    ),
    "this board has no element": (HASH, ("provision", "microbit")),
    "its elements are on an emulated bus": (HASH, ("chips", "mps2-an386", "true")),
    "is not empty, and no export": (HASH, ("export", "app/app.config", "native", "app")),
    "would take the place of": (HASH, ("new", "app", "hmac", "--in", ".")),
    "no such folder: correct the path": (HASH, (*EXPLAIN, "--path", "absent")),
}


def test_page_and_test_have_the_same_messages() -> None:
    assert re.findall(r"^\| `([^`]+)` \|", SECTION, re.M) == list(CAUSES)


@pytest.mark.parametrize("message", CAUSES)
def test_message_of_the_page_is_printed(message: str, tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "main.c").write_text("int main(void)\n{\n    return 0;\n}\n")
    configuration, words = CAUSES[message]
    (tmp_path / "app" / "app.config").write_text(configuration)
    done = corral(*words, cwd=tmp_path)
    assert message in " ".join(done.stderr.split() + done.stdout.split())
    assert done.returncode == (0 if "note: " in done.stdout + done.stderr else 2)


def test_page_has_each_status_of_the_api_with_its_value() -> None:
    headers = "".join(path.read_text() for path in (ROOT / "include" / "psa").glob("*.h"))
    statuses = re.findall(r"#define PSA_ERROR_(\w+) CORRAL_CAST\(psa_status_t, (-\d+)\)", headers)
    page = TEXT.partition("## Statuses\n")[2]
    shown = re.findall(r"`(\w+)` \((-\d+)\)", page)
    for names, values in re.findall(r"^\| (`[^|]+`) \| (-[^|]+) \|", page, re.M):
        shown += zip(re.findall(r"\w+", names), values.split(", "), strict=True)
    assert len(statuses) > 20
    assert sorted(shown) == sorted(statuses)
