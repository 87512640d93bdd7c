# SPDX-License-Identifier: Apache-2.0
"""docs/UPDATE.md from an empty folder: its commands update an application, by its boot loader."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from outside.repository import ROOT, Repository, output
from update import images

TEXT = (ROOT / "docs" / "UPDATE.md").read_text(encoding="utf-8")
#: Of slots in memory.
SLOT_SIZE = "0x3000"
#: Commands of the document, and the messages of its last ones.
COMMANDS = re.findall(r"^ {7,}(\S.*)$", re.sub(r"```.*?```", "", TEXT, flags=re.S), re.M)
(SHOWN,) = re.findall(r"```text\n(.*?)```", TEXT, re.S)

#: The application of the document where no boot loader runs.
_MAIN = """\
#define main application
#include "application.h"
#undef main
#include <corral/update.h>

int main(void)
{
    struct corral_update_image image;

    (void)psa_crypto_init();
    printf("%d\\n", (int)corral_update_boot(&image));
    (void)application();
    printf("%d\\n", (int)corral_update_boot(&image));
    return application();
}
"""


def _imgtool(verb: str, folder: Path) -> None:
    """Carry out a command of the document."""
    (found,) = (line for line in COMMANDS if line.startswith(f"imgtool {verb} "))
    words = found.split()
    program = Path(sys.executable).with_name(words[0])
    subprocess.run([program, *words[1:]], cwd=folder, check=True)


def test_key_of_the_document_is_made_as_it_says(tmp_path: Path) -> None:
    _imgtool("keygen", tmp_path)
    _imgtool("getpub", tmp_path)
    key = load_pem_private_key((tmp_path / "maker.pem").read_bytes(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    assert (tmp_path / "pub.raw").read_bytes()[-65:] == point


def test_commands_of_the_document_update_an_application(tmp_path: Path) -> None:
    """All of them in a shell, up to those for a board of one's own."""
    Repository(tmp_path).take("apps", text=TEXT)
    script = "\n".join(line for line in COMMANDS if not re.match("imgtool (keygen|getpub)", line))
    script = script.replace("$HOME/mine", "~/mine").replace("~/mine", str(tmp_path))
    tools = f"{sys.executable} -P -m corral"
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-ec", script.replace("./corral", tools)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools"), "PATH": programs},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(SHOWN), done.stdout


@pytest.mark.parametrize("board", ["native", "mps2-an386"])
def test_application_of_the_document_is_updated_without_a_loader(
    board: str, tmp_path: Path
) -> None:
    assert f"`--slot-size {SLOT_SIZE}`" in TEXT
    mine = Repository(tmp_path)
    mine.take("apps/updated", into="trial", text=TEXT)
    (tmp_path / "trial" / "main.c").rename(tmp_path / "trial" / "application.h")
    mine.write("trial/main.c", _MAIN)
    mine.write("trial/app.config", "CORRAL_UPDATE=y\n")
    image = tmp_path / "signed.bin"
    image.write_bytes(images.signed("1.3.0", images.KEY))
    # No image, no reset (NOT_SUPPORTED), and the new image.
    lines = ["-135", "version 0.0.0, state 0", "status -134", "0", "version 1.3.0, state 5"]
    shown = output("run", str(tmp_path / "trial"), board, "--input", str(image))
    assert shown.splitlines() == [*lines, "status 0"]
