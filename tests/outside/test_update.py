# SPDX-License-Identifier: Apache-2.0
"""docs/UPDATE.md from an empty folder: its commands make an image, and its calls install it."""

from __future__ import annotations

import re
import shlex
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

from outside.repository import ROOT, output

TEXT = (ROOT / "docs" / "UPDATE.md").read_text(encoding="utf-8")
#: Of emulated boards; the document names both.
KEY = ROOT / "tests" / "update" / "maker.pem"
SLOT_SIZE = "0x3000"

_MAIN = """\
#include <corral/update.h>
#include <psa/crypto.h>
#include <stdio.h>
#include "signed.h"

int main(void)
{
    struct corral_update_image image;
    size_t offset = 0, size = sizeof signed_image;
    const uint8_t *block = signed_image;

    (void)psa_crypto_init();
    printf("%d", (int)corral_update_boot(&image));
CALLS
    printf(" %d", (int)corral_update_boot(&image));
    printf(" %u.%u", (unsigned)image.version.major, (unsigned)image.version.minor);
    printf(" %d", (int)psa_fwu_accept());
    printf(" %d\\n", (int)psa_fwu_clean(0));
    return 0;
}
"""


def _imgtool(verb: str, folder: Path) -> None:
    """Carry out a command of the document with the key and the slots of emulated boards."""
    (found,) = re.findall(rf"^ +(imgtool {verb} (?:[^\n]*\\\n)*[^\n]*)$", TEXT, re.M)
    words = shlex.split(found.replace("\\\n", " ").replace("0x40000", SLOT_SIZE))
    program = Path(sys.executable).with_name(words[0])
    subprocess.run([program, *words[1:]], cwd=folder, check=True)


def _calls() -> str:
    """What the document calls, with each status on the line that is printed."""
    (block,) = re.findall(r"```c\n(.*?)```", TEXT, re.S)
    return re.sub(r"^(psa_\w+\(.*\));", r'    printf(" %d", (int)\1);', block, flags=re.M)


def test_key_of_the_document_is_made_as_it_says(tmp_path: Path) -> None:
    _imgtool("keygen", tmp_path)
    _imgtool("getpub", tmp_path)
    key = load_pem_private_key((tmp_path / "maker.pem").read_bytes(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    assert (tmp_path / "pub.raw").read_bytes()[-65:] == point


@pytest.mark.parametrize("board", ["native", "mps2-an386"])
def test_image_of_the_document_is_installed(board: str, tmp_path: Path) -> None:
    assert f"[{KEY.relative_to(ROOT)}]" in TEXT and f"`--slot-size {SLOT_SIZE}`" in TEXT
    (tmp_path / "maker.pem").write_bytes(KEY.read_bytes())
    (tmp_path / "app.bin").write_bytes(bytes(range(200)) * 3)
    _imgtool("sign", tmp_path)
    app = tmp_path / "trial"
    app.mkdir()
    signed = ", ".join(map(str, (tmp_path / "signed.bin").read_bytes()))
    (app / "signed.h").write_text(f"static const uint8_t signed_image[] = {{{signed}}};\n")
    (app / "main.c").write_text(_MAIN.replace("CALLS", _calls()))
    (app / "app.config").write_text("CORRAL_UPDATE=y\n")
    # No image, four calls, no reset (NOT_SUPPORTED), and the new image.
    assert output("run", str(app), board) == "-135 0 0 0 1 -134 0 1.3 0 0\n"
