# SPDX-License-Identifier: Apache-2.0
"""Impossible settings are refused at their place, in one line with a remedy."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from corral.errors import CorralError
from corral.generate import api
from corral.model.tree import load_tree
from trees import APP, PLAIN, RICH, build, description, edit_json, write_app

HUGE = 10**30
DIGITS = "9" * 5000


def refused(root: Path, *wants: str, board: str = PLAIN, **settings: str) -> list[str]:
    """Configure and generate, which must fail; gives the problems."""
    with pytest.raises(CorralError) as caught:
        build(root, *(wants or ["PSA_WANT_ALG_SHA_256"]), board=board, settings=settings)
    assert all(problem.remedy for problem in caught.value.problems)
    assert all(len(str(problem)) < 400 for problem in caught.value.problems)
    assert "\n" not in caught.value.problems[0].what
    return [str(problem) for problem in caught.value.problems]


def edit_text(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def board_file(root: Path, board: str = RICH) -> Path:
    return root / "boards" / board / "board.toml"


def test_two_drivers_with_one_prefix(tree: Path) -> None:
    edit_json(description(tree, "curve_b"), lambda value: value.update(prefix="curve_a"))
    (problem,) = refused(tree)
    assert problem.startswith("drivers/curve_b/driver.json: prefix: ")
    assert "drivers/curve_a" in problem


def test_two_elements_at_one_place(tree: Path) -> None:
    edit_text(board_file(tree), "bus = 1", "bus = 0")
    (problem,) = refused(tree, board=RICH)
    assert problem.startswith(f"boards/{RICH}/board.toml: element[1]: SE1 is at bus 0, where SE0")


def test_place_that_is_no_field(tree: Path) -> None:
    def change(value: Any) -> None:
        value["corral/device"]["place"] = ["buss"]

    edit_json(description(tree, "chip"), change)
    (problem,) = refused(tree, board=RICH)
    assert 'corral/device.place[0]: "buss" is no field: did you mean bus?' in problem


@pytest.mark.parametrize(("folder", "file"), [("drivers", "driver.json"), ("boards", "board.toml")])
def test_folder_without_a_description(tree: Path, folder: str, file: str) -> None:
    (tree / folder / "acme").mkdir()
    (tree / folder / ".hidden").mkdir()
    (tree / folder / "__pycache__").mkdir()
    with pytest.raises(CorralError) as caught:
        load_tree(tree)
    assert str(caught.value) == (
        f"{folder}/acme/{file}: no such file: write it, or remove the folder"
    )


def test_source_of_a_capability_that_is_not_bound(tree: Path) -> None:
    def change(value: Any) -> None:
        value["capabilities"][-1]["corral/sources"] = ["nowhere.c"]

    edit_json(description(tree, "over"), change)
    write_app(tree, "PSA_WANT_ALG_SHA_256")
    folder = tree / "build" / "x"
    api.configure(tree, APP, PLAIN, folder, {})
    with pytest.raises(CorralError) as caught:
        api.generate(tree, APP, PLAIN, folder)
    assert "corral/sources: no such file: drivers/over/nowhere.c" in str(caught.value)


@pytest.mark.parametrize("size", [HUGE, 65529, 0, -8])
def test_key_of_an_impossible_size(tree: Path, size: int) -> None:
    def change(value: Any) -> None:
        value["capabilities"][2]["key_sizes"] = [size]

    edit_json(description(tree, "wide"), change)
    assert "drivers/wide/driver.json: capabilities[2].key_sizes" in refused(tree)[0]


@pytest.mark.parametrize("key", ["corral/rank", "corral/title"])
def test_number_of_many_digits_in_json(tree: Path, key: str) -> None:
    path = description(tree, "wide")
    text = re.sub(rf'"{key}": [^,\n]+', f'"{key}": {DIGITS}', path.read_text())
    path.write_text(text)
    assert refused(tree)[0].startswith("drivers/wide/driver.json: a number has too many digits")
    path.write_text(text.replace(DIGITS, str(HUGE)))
    assert refused(tree)[0].startswith(f"drivers/wide/driver.json: {key}: a number has too many")
    path.write_text(text.replace(DIGITS, str(2**40)))
    assert refused(tree)[0].startswith(f"drivers/wide/driver.json: {key}: ")


@pytest.mark.parametrize("digits", [DIGITS, f"0x{DIGITS}", str(HUGE)])
def test_number_of_many_digits_in_toml(tree: Path, digits: str) -> None:
    edit_text(board_file(tree), "bus = 1", f"bus = {digits}")
    (problem,) = refused(tree, board=RICH)
    assert problem.startswith(f"boards/{RICH}/board.toml: ")
    assert "a number has too many digits" in problem


@pytest.mark.parametrize("depth", [20, 500, 100_000])
def test_deep_nesting(tree: Path, depth: int) -> None:
    nest = "[" * depth + "]" * depth
    board = board_file(tree)
    text = board.read_text()
    board.write_text(f"odd = {nest}\n{text}")
    (problem,) = refused(tree, board=RICH)
    assert problem.startswith(f"boards/{RICH}/board.toml: nested too deeply")
    board.write_text(text)
    description(tree, "wide").write_text(f'{{"prefix": {nest}}}')
    (problem,) = refused(tree)
    assert problem.startswith("drivers/wide/driver.json: nested too deeply")


@pytest.mark.parametrize(("depth", "what"), [(40, "more parentheses"), (5000, "too long")])
def test_deep_expression(tree: Path, depth: int, what: str) -> None:
    deep = "PSA_ALG_HMAC(" * depth + "PSA_ALG_SHA_256" + ")" * depth

    def change(value: Any) -> None:
        value["capabilities"][0]["algorithms"] = [deep]

    edit_json(description(tree, "wide"), change)
    with pytest.raises(CorralError, match=what) as caught:
        load_tree(tree)
    assert "drivers/wide/driver.json: capabilities[0].algorithms[0]: " in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_quotes_in_titles_are_taken_as_they_are(tree: Path) -> None:
    title = 'the "best" \\ of $(all) $HOME'
    edit_json(description(tree, "wide"), lambda value: value.update({"corral/title": title}))
    board = board_file(tree, PLAIN)
    board.write_text(re.sub(r"(?m)^title = .*", f"title = '{title}'", board.read_text()))
    built = build(tree, "PSA_WANT_ALG_SHA_256")
    menu = (built.folder / "kconfig").rglob("*")
    assert any(
        title.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$") in p.read_text()
        for p in menu
        if p.is_file()
    )


def test_line_breaks_in_titles_are_refused_where_they_stand(tree: Path) -> None:
    edit_json(description(tree, "wide"), lambda value: value.update({"corral/title": "a\nb"}))
    assert refused(tree)[0].startswith("drivers/wide/driver.json: corral/title: a line break")


def test_settings_that_contradict_each_other(tree: Path) -> None:
    built = build(tree, "PSA_WANT_ALG_SHA_256")
    entries = re.findall(
        r"config (CORRAL_SHA_256_BY_\w+)",
        "".join(p.read_text() for p in (built.folder / "kconfig").rglob("*") if p.is_file()),
    )
    one, other = sorted(set(entries))[:2]
    (problem,) = refused(tree, **{one: "y", other: "y"})
    assert problem == f"--set {other}=y: {other} and {one} are of one choice: set one of them"


@pytest.mark.parametrize("value", [DIGITS, str(HUGE), "9" * 199])
def test_setting_of_many_digits(tree: Path, value: str) -> None:
    (problem,) = refused(tree, CORRAL_KEY_PAIR_SLOTS=value)
    assert problem.startswith(f"--set CORRAL_KEY_PAIR_SLOTS={value[:30]}")
