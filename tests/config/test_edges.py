# SPDX-License-Identifier: Apache-2.0
"""Every range takes its first and last value, and neither of those beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from corral.configure.assignments import Assignment
from corral.configure.configuration import Configuration
from corral.errors import CorralError
from corral.generate import api
from corral.model.board import load_board
from corral.model.expression import load_vocabulary
from corral.model.tree import load_tree
from mistakes import put
from trees import RICH, ROOT, build, description, edit_json

Text = Callable[[int], str]

ELEMENT = '\n[[element]]\nname = "SE9"\ndriver = "vault"\n'
KEY = ELEMENT + 'location = 0x900000\n[[element.key]]\nname = "K"\nusage = ["SIGN_HASH"]\n'
KEY += 'type = "PSA_KEY_TYPE_AES"\nalgorithm = "PSA_ALG_CMAC"\n'


def _sources(count: int) -> str:
    return f"further_entropy = {[f'source{i}' for i in range(count)]}\n"


#: Text before or after the rest of board.toml; first and last number; message.
BOARDS = {
    "location": (lambda n: f"{ELEMENT}location = {n}\n", 1, 0xFFFFFF, "no location"),
    "label": (lambda n: f"{KEY}label = {[1] * n}\n", 1, 16, "no list of bytes"),
    "bytes of a label": (lambda n: f"{KEY}label = [{n}]\n", 0, 255, "no list of bytes"),
    "erased": (lambda n: f"\n[run]\nerased = {n}\n", 0, 0x7FFFFFFF, "too "),
    "further entropy": (_sources, 1, 7, "too many"),
    "parameter": (lambda n: f"\n[parameters]\naddress = {n}\n", 0, 0xFFFFFFFF, "too "),
}


@pytest.mark.parametrize("name", BOARDS)
def test_numbers_of_a_board_at_their_edges(name: str, tree: Path) -> None:
    text, first, last, said = BOARDS[name]
    if name == "parameter":
        with (tree / "ports" / "posix" / "port.toml").open("a") as file:
            file.write('\n[parameters]\naddress = "of it"\n')
    path = tree / "boards" / RICH / "board.toml"
    before = path.read_text()

    def read(number: int) -> str:
        more = text(number)
        is_first = not more.startswith("\n")
        path.write_text(more + before if is_first else before + more)
        try:
            load_board(tree, RICH)
        except CorralError as error:
            return str(error)
        return ""

    assert (read(first), read(last)) == ("", "")
    assert said in read(last + 1)
    if name != "further entropy":  # most boards have none
        assert said in read(first - 1)


@pytest.mark.parametrize("place", ["bus", "slots"])
def test_fields_of_an_element_at_their_edges(place: str, tree: Path) -> None:
    """As the description of its driver says: bus from 0 to 3, at most 4 slots."""
    path = tree / "boards" / RICH / "board.toml"
    before = path.read_text()

    def said(text: str) -> str:
        old = "bus = 0" if place == "bus" else 'slots = ["key", "key", "data"]'
        assert before.count(old) == 1
        path.write_text(before.replace(old, f"{place} = {text}"))
        try:
            build(tree, "PSA_WANT_ALG_SHA_256", board=RICH)
        except CorralError as error:
            return str(error)
        return ""

    if place == "bus":
        assert (said("2"), said("3"), said("0")) == ("", "", "")
        assert "4 is out of range" in said("4") and "-1 is out of range" in said("-1")
    else:
        assert (said("[]"), said('["key", "key", "key", "key"]')) == ("", "")
        assert "5 entries are too many" in said('["key", "key", "key", "key", "key"]')


#: In the description of the fixture's driver `wide`: place, first and last value, message.
DRIVERS = {
    "corral/rank": (0, 0x7FFFFFFF, "too "),
    "capabilities[0].key_sizes": (1, 0xFFF8, "sizes are bits, from 1 to 65528"),
}


@pytest.mark.parametrize("place", DRIVERS)
def test_numbers_of_a_driver_at_their_edges(place: str, tree: Path) -> None:
    first, last, wrong = DRIVERS[place]

    def said(number: int) -> str:
        value = [number] if place.endswith("sizes") else number
        edit_json(description(tree, "wide"), put(place, value))
        try:
            load_tree(tree)
        except CorralError as error:
            return str(error)
        return ""

    assert wrong not in said(first) and wrong not in said(last)
    assert wrong in said(first - 1) and wrong in said(last + 1)


def test_expressions_are_as_deep_as_is_allowed() -> None:
    vocabulary = load_vocabulary(ROOT / "include" / "psa")

    def nested(depth: int) -> str:
        return "PSA_ALG_HMAC(" * depth + "PSA_ALG_SHA_256" + ")" * depth

    assert str(vocabulary.parse(nested(8), "PSA_ALG_")) == nested(8)
    with pytest.raises(ValueError, match="more parentheses"):
        vocabulary.parse(nested(9), "PSA_ALG_")


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Configuration:
    return api.configure(ROOT, "zoo", "native", tmp_path_factory.mktemp("edges") / "build", {})


def test_settings_at_their_edges(settled: Configuration) -> None:
    kconfig = settled.kconfig

    def said(name: str, number: int) -> str:
        try:
            kconfig.assign([Assignment(name, str(number), "here", "application")])
        except CorralError as error:
            return str(error)
        return ""

    seen = 0
    for sym in kconfig.raw.unique_defined_syms:
        if len(sym.ranges) == 1 and sym.visibility:
            low, high, _ = sym.ranges[0]
            first, last = int(low.str_value), int(high.str_value)
            before = kconfig.value(sym.name)
            assert (said(sym.name, first), said(sym.name, last)) == ("", ""), sym.name
            for beside in (first - 1, last + 1):
                assert f"use a value from {first} to {last}" in said(sym.name, beside), sym.name
            assert said(sym.name, int(before)) == ""
            seen += 1
    assert seen >= 8
