# SPDX-License-Identifier: Apache-2.0
"""Each status that the specification lists is received by a test, or cannot occur and why."""

from __future__ import annotations

import matrix
import pytest


@pytest.fixture(scope="module")
def judgement() -> matrix.Judgement:
    return matrix.judge(matrix.observe())


def test_every_status_is_tested_or_explained(judgement: matrix.Judgement) -> None:
    assert not judgement.problems


def test_every_function_succeeds_somewhere_or_never(judgement: matrix.Judgement) -> None:
    succeeds = {function for function, status in judgement.seen if status == matrix.SUCCESS}
    present = {function for function, _ in matrix.listed()}
    assert present - succeeds == matrix.never_succeed()


def test_document_is_current(judgement: matrix.Judgement) -> None:
    assert matrix.DOCUMENT.read_text() == matrix.markdown(judgement), (
        "run ./corral documents --observed"
    )


def test_judgement_finds_what_does_not_agree(judgement: matrix.Judgement) -> None:
    """Each kind of contradiction is made once, from the real observations."""
    function, status = sorted(judgement.gaps)[0]
    gap = matrix.judge(judgement.seen | {(function, status)})
    assert any(f"contradicted: {function} {status}" in problem for problem in gap.problems)
    lost = ("psa_export_key", "NOT_PERMITTED")
    assert lost in judgement.seen
    missing = matrix.judge(judgement.seen - {lost})
    assert missing.problems == ["neither tested nor explained: psa_export_key NOT_PERMITTED"]
    odd = matrix.judge(judgement.seen | {("psa_export_key", "GENERIC_ERROR")})
    assert odd.problems == ["returned, not listed and not explained: psa_export_key GENERIC_ERROR"]
