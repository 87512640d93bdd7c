# SPDX-License-Identifier: Apache-2.0
"""Each row of tests/api/statuses/rows.tsv is a test, and a row of docs/DECISIONS.md."""

from __future__ import annotations

import pytest
from harness import programs, status_rows
from harness.program import NATIVE

ROWS = status_rows.load()


def test_rows_hold() -> None:
    programs.statuses_by_rows(NATIVE).run().check(len(list(status_rows.tests(ROWS))))


def test_rows_have_names_of_their_own() -> None:
    claims = [claim for claim, _ in status_rows.tests(ROWS)]
    assert len(claims) == len(set(claims))


def test_every_call_has_a_row() -> None:
    assert {function for row in ROWS for function in row.functions} == status_rows.called()


def test_document_is_current() -> None:
    text = status_rows.DOCUMENT.read_text(encoding="utf-8")
    assert status_rows.document(text, ROWS) == text, f"run {status_rows.__file__}"


def test_a_row_that_does_not_hold_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests can fail: the first row with another status does."""
    first = next(status_rows.tests(ROWS))[1]
    assert "PSA_ERROR_NOT_SUPPORTED" in first
    wrong = first.replace("PSA_ERROR_NOT_SUPPORTED", "PSA_ERROR_BAD_STATE")
    monkeypatch.setattr(status_rows, "tests", lambda _: iter([("wrong", wrong)]))
    result = programs.statuses_by_rows(NATIVE, "wrong").run()
    assert result.status == 1
    assert "PSA_ERROR_NOT_SUPPORTED instead of PSA_ERROR_BAD_STATE" in result.output
