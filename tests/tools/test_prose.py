# SPDX-License-Identifier: Apache-2.0
"""Documents, comments and messages get easier to read, never harder."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_checks import script

prose = script("prose")

#: What `python tools/checks/prose.py` prints, rounded up: sentences to rewrite in 1,000 words,
#: sentences of more than 40 words, lines too wide. Lower a limit whenever a text got better.
LIMITS = {
    "documents": (0.1, 0, 590),
    "comments": (1.0, 0, 0),
    "messages": (0.1, 0, 0),
}

TO_REWRITE = {
    "What it needs is in its configuration.": "what",
    "The server answers, and whoever asks again gets a lease.": "who",
    "A key that nobody uses is purged.": "nobody",
    "The option stands in the menu.": "stands in",
    "The test runs on one board alone.": "alone",
    "The driver serves ECDSA.": "serves",
    "The caller is told the reason.": "is told",
    "Nor is the key kept.": "verb",
    " ".join(["word"] * 41) + ".": "41 words",
}
AS_IT_SHOULD_BE = (
    "The build fails if no driver supports a wanted mechanism.",
    "A caller that holds a key releases it before the function returns.",
    "PMP stands for physical memory protection.",
    "The client knows who signed the reading.",
    "`serve` prints its address, and so does `corral-fleet serve --multicast eth0`.",
)


@pytest.mark.parametrize("sentence", TO_REWRITE)
def test_a_sentence_to_rewrite_is_found_in_each_kind_of_text(
    sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {
        "page.md": f"# Title\n\n{sentence}\n",
        "source.c": f"int x;\n\n/* {sentence} */\n",
        "crate.rs": f"//! {sentence}\nfn main() {{}}\n",
        "module.py": f"value = 1\n# {sentence}\n",
        "tools/corral/command.py": f'"""Docstring."""\nprint("{sentence}")\n',
    }
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    (tmp_path / "tools/corral").mkdir(parents=True)
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    found = [s for kind in prose.KINDS for s in prose.account(kind, list(texts)).found]
    assert sorted(s.file for s in found) == sorted(texts)
    assert all(any(TO_REWRITE[sentence] in fault for fault in s.faults) for s in found)


def test_plain_sentences_code_and_links_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    code = "```\nWhat nobody serves stands here.\n```\n\n    What nobody serves.\n"
    link = "Read the [guide](what/nobody/serves.md) first.\n"
    (tmp_path / "page.md").write_text("\n\n".join([*AS_IT_SHOULD_BE, code, link]))
    assert prose.account("documents", ["page.md"]).found == []


def test_lines_of_a_list_of_statuses_are_sentences_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    rows = [f"    STATUS_{n}  {' '.join(['word'] * 8)}" for n in range(6)]
    rows += ["    STATUS_6  what nobody knows"]
    text = "\n".join(rows)
    (tmp_path / "source.c").write_text(f"/* Statuses:\n{text}\n */\n")
    (tmp_path / "module.py").write_text(f'"""Statuses:\n\n{text}\n"""\n')
    found = prose.account("comments", ["source.c", "module.py"]).found
    assert [sentence.text for sentence in found] == ["STATUS_6 what nobody knows"] * 2


@pytest.mark.parametrize("kind", LIMITS)
def test_no_kind_of_text_gets_harder_to_read(kind: str) -> None:
    of = prose.account(kind, prose.tracked())
    rate, long, wide = LIMITS[kind]
    worst = "\n".join(f"{s.file}: {s.text[:100]}" for s in of.found[:12])
    assert of.rate <= rate and of.long <= long and of.wide <= wide, worst
