# SPDX-License-Identifier: Apache-2.0
"""Every mistake in a table of facts is one message with file, key and remedy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from corral.errors import CorralError
from corral.model.entry_points import load_entry_points
from mistakes import fails
from trees import ROOT, build

MECHANISMS, ENTRY_POINTS = "mechanisms.toml", "entry_points.toml"


TABLE_MISTAKES = [
    (MECHANISMS, "[[mechanism]]", "[hashes]\n[[mechanism]]", "hashes: unknown key"),
    (MECHANISMS, '\nALG_CTR = { title = "CTR" }', "", "PSA_WANT_ALG_CTR is in no menu"),
    (
        MECHANISMS,
        '\nALG_CTR = { title = "CTR" }',
        '\nALG_CTR = { titel = "CTR" }',
        "menu[4].wants.ALG_CTR.titel: unknown key",
    ),
    (MECHANISMS, 'lists = ["xof"]', 'lists = ["xofs"]', 'menu[2].lists[0]: "xofs" is no list'),
    (MECHANISMS, 'lists = ["xof"]', 'lists = ["hash"]', "menu[2]: PSA_WANT_ALG_MD2 appears twice"),
    (MECHANISMS, 'HMAC", over = "hash"', 'HMAC", over = "xof"', '"xof" is unknown'),
    (MECHANISMS, 'can = ["IMPORT", "EXPORT", "DERIVE"]', 'can = ["IMPROT"]', "did you mean IMPORT"),
    (MECHANISMS, "\nBASIC = {", "\nBASICS = {", "[pair_wants] has no BASIC"),
    (MECHANISMS, 'iv_length = "0"', 'iv_length = "none"', '"none" is no number'),
    (ENTRY_POINTS, 'subject = "a hash operation"', "", 'context[0]: the key "subject" is missing'),
    (ENTRY_POINTS, '"psa_algorithm_t alg"', '""', 'parameters[0]: "" is no parameter'),
    (ENTRY_POINTS, 'unit = "xof_multipart"', 'unit = "xof"', 'context[1].unit: "xof" is unknown'),
    (ENTRY_POINTS, 'usages = ["WRAP"]', 'usages = ["WARP"]', "did you mean WRAP"),
    (ENTRY_POINTS, 'ends_in = "sign_hash"', 'ends_in = "sing_hash"', "did you mean sign_hash"),
    (ENTRY_POINTS, 'in_parts = "hash_multipart"\n', "", "in_parts and parts_by say one thing"),
    (ENTRY_POINTS, 'parts_by = "core"', 'parts_by = "cor"', "use dispatch, core"),
    (ENTRY_POINTS, '"]\nfamily = "xof"', '"]\nfamily = "xofs"', 'family: "xofs" is unknown'),
]


def test_function_of_the_api_that_no_row_names() -> None:
    table = load_entry_points(ROOT)
    assert table.functions_with("mac_update").family == "mac"
    with pytest.raises(CorralError, match=r"no \[\[function\]\] names psa_mix: say which family"):
        table.functions_with("mix")


def test_row_that_names_no_function_of_the_api(tree: Path) -> None:
    text = (ROOT / "dispatch" / ENTRY_POINTS).read_text()
    more = text.replace('names = ["xof_*"]', 'names = ["xof_*", "xofs_*"]')
    assert more != text
    (tree / "dispatch").unlink()
    shutil.copytree(ROOT / "dispatch", tree / "dispatch")
    (tree / "dispatch" / ENTRY_POINTS).write_text(more)
    with pytest.raises(CorralError, match=r"function\[\d+\]\.names: no psa_xofs_\* in include/psa"):
        build(tree)


def test_value_that_lacks_what_the_generator_asks_for(tree: Path) -> None:
    text = (ROOT / "dispatch" / MECHANISMS).read_text()
    (tree / "dispatch").unlink()
    shutil.copytree(ROOT / "dispatch", tree / "dispatch")
    lacking = text.replace(
        "bits = 255, private_size = 32, public_size = 32", "bits = 255, private_size = 32", 1
    )
    assert lacking != text
    (tree / "dispatch" / MECHANISMS).write_text(lacking)
    wants = ("PSA_WANT_ECC_MONTGOMERY_255", "PSA_WANT_ALG_ECDH", "PSA_WANT_GENERATE_RANDOM")
    with pytest.raises(CorralError, match=r"values\.MONTGOMERY_255: the key .* is missing"):
        build(tree, *wants, "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_IMPORT")


@pytest.mark.parametrize(("name", "old", "new", "what"), TABLE_MISTAKES)
def test_mistake_in_a_table(tree: Path, name: str, old: str, new: str, what: str) -> None:
    text = (ROOT / "dispatch" / name).read_text()
    assert old in text
    (tree / "dispatch").unlink()
    shutil.copytree(ROOT / "dispatch", tree / "dispatch")
    (tree / "dispatch" / name).write_text(text.replace(old, new, 1))
    error = fails(tree)
    assert f"dispatch/{name}" in str(error)
    assert what in str(error)
