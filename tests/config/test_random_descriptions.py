# SPDX-License-Identifier: Apache-2.0
"""Random mistakes in descriptions: each ends with clear messages, or C comes of it that compiles.

Of mistakes in dispatch/, which says what C is to come of the others, only the first is asked. With
--long thousands are tried; a failure names its seed.
"""

from __future__ import annotations

import copy
import json
import random
import shutil
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from corral.errors import CorralError
from corral.generate import api
from corral.model.places import Places
from corral.model.port import debian_of_all
from corral.model.simulator import load_simulator
from corral.model.tree import load_tree
from corral.packages import fetch as packages
from harness import areas
from trees import (
    APP,
    PLAIN,
    RICH,
    ROOT,
    Built,
    compile_text,
    headers_of,
    write_app,
    write_driver_code,
)

SEEDS = range(areas.campaign(2, 200))
MISTAKES = 12  # in one tree, one after the other

WANTS = (
    *(
        "PSA_WANT_ALG_SHA_256",
        "PSA_WANT_ALG_SHA_512",
        "PSA_WANT_ALG_HMAC",
        "PSA_WANT_KEY_TYPE_HMAC",
    ),
    *("PSA_WANT_ALG_CBC_NO_PADDING", "PSA_WANT_ALG_CTR", "PSA_WANT_KEY_TYPE_AES"),
    "PSA_WANT_AES_KEY_SIZE_128",
    *("PSA_WANT_ALG_ECDSA", "PSA_WANT_ECC_SECP_R1_256", "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE"),
    "PSA_WANT_GENERATE_RANDOM",
)

#: Unexpected values; texts with a meaning in C, CMake, a shell or a format.
ODD: tuple[Any, ...] = (
    *(0, -1, 1, 7, 255, 65536, 2**31 - 1, 2**31, 2**63, 10**30, True, False, 1.5, float("inf")),
    *("", " ", "x", "0", "-", ".", "..", "../x", "/etc/passwd", "a/b.h", "a b", "a,b", "a;b"),
    *("*/ int x; /*", "//", '"', "'", "\\", "{", "}", "{}", "{x}", "{0.x}", "%s", "%", "$(x)"),
    *("${X}", "$<1:x>", "#", "@", "[", "\u00fc", "\u0663", "\U0001f512", "int", "struct", "NULL"),
    *("x" * 300, "x" * 5000, "\n", "\0", "\x7f", "PSA_ALG_ANY_HASH", "PSA_ALG_HMAC()", "PSA_ALG_"),
    *([], [[]], ["x"], [0], {}, {"x": "x"}, {"": ""}, {"a b": 1}, {"_comment": 1}),
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member of a description: its container, and its key or index there."""
    if isinstance(value, (dict, list)):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield value, key
            yield from places(value[key])


def make_mistake(top: Any, dice: random.Random) -> None:
    """Change one member, double it, rename it or leave it out."""
    everywhere = list(places(top))
    inside, key = dice.choice(everywhere)
    way = dice.randrange(8)
    if way == 0:
        del inside[key]
    elif way == 1 and isinstance(inside, list):
        inside.append(copy.deepcopy(inside[key]))
    elif way == 1:
        inside[dice.choice([str(odd) for odd in ODD])] = inside.pop(key)
    elif way <= 3:
        other, its = dice.choice(everywhere)
        inside[key] = copy.deepcopy(other[its])
    elif way == 4 and isinstance(inside[key], str):
        at = dice.randrange(len(inside[key]) + 1)
        odd = dice.choice([odd for odd in ODD if isinstance(odd, str)])
        inside[key] = inside[key][:at] + odd + inside[key][at:]
    else:
        inside[key] = copy.deepcopy(dice.choice(ODD))


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(k)} = {toml(v)}' for k, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower()


def toml_file(value: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(key)} = {toml(member)}\n" for key, member in value.items())


def use_everything(root: Path, board: str) -> Built:
    """Run the tools on a tree, from its descriptions to the generated files."""
    for path in (p for p in (root / "drivers").rglob("*") if p.suffix in (".c", ".h")):
        path.unlink()
    write_driver_code(load_tree(root))
    packages.load_all(root)
    for name in Places.of(root).names("sim"):
        load_simulator(root, name)
    debian_of_all(root)
    folder = root / "build" / f"{APP}-{board}"
    api.driver_tables(root)
    api.unserved_table(root)
    api.configure(root, APP, board, folder, {})
    built = Built(root, folder, api.generate(root, APP, board, folder))
    api.explain(root, APP, board, folder)
    return built


def is_clear(error: CorralError) -> None:
    for problem in error.problems:
        assert problem.where and problem.what and problem.remedy, problem
        assert "\n" not in str(problem)


def garbled(text: str, dice: random.Random) -> str:
    """A text with a line or some characters changed, left out, doubled, put elsewhere."""
    lines = text.splitlines(keepends=True)
    at = dice.randrange(len(lines))
    odd = dice.choice([odd for odd in ODD if isinstance(odd, str)])
    match dice.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(dice.randrange(len(lines)), lines[at])
        case 2:
            lines[at] = f"{odd}\n"
        case 3:
            words = lines[at].split(" ")
            words[dice.randrange(len(words))] = odd
            lines[at] = " ".join(words)
        case _:
            start = dice.randrange(len(lines[at]))
            end = start + dice.choice((0, 1, 5))
            lines[at] = lines[at][:start] + dice.choice((odd, "")) + lines[at][end:]
    return "".join(lines)


def mistaken(path: Path, dice: random.Random) -> str:
    """The text of a description with one mistake."""
    text = path.read_text()
    if dice.random() < 0.8 and path.suffix in FORMS:
        read, write = FORMS[path.suffix]
        value = read(text)
        make_mistake(value, dice)
        return write(value)
    return garbled(text, dice)


FORMS: dict[str, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
    ".json": (json.loads, json.dumps),
    ".toml": (tomllib.loads, toml_file),
}


def described(root: Path) -> list[Path]:
    """Files written by hand: for a driver, a board, an application, and for dispatch."""
    folders = ("drivers", "boards", "ports", "packages", "apps", "sim", "dispatch")
    names = (*FORMS, ".config")
    files = (path for name in folders for path in (root / name).rglob("*"))
    return sorted(path for path in files if path.suffix in names or path.name == "Kconfig")


@pytest.fixture
def whole_tree(tree: Path) -> Path:
    """With simulators, and with descriptions in dispatch that may be spoilt."""
    (tree / "dispatch").unlink()
    shutil.copytree(ROOT / "dispatch", tree / "dispatch")
    for path in (ROOT / "sim").glob("*/sim.toml"):
        (tree / "sim" / path.parent.name).mkdir(parents=True)
        shutil.copy2(path, tree / "sim" / path.parent.name)
    return tree


@pytest.mark.parametrize("seed", SEEDS)
def test_random_mistake_is_told_or_harmless(whole_tree: Path, seed: int) -> None:
    tree = whole_tree
    dice = random.Random(seed)
    write_app(tree, *WANTS)
    for number in range(MISTAKES):
        path = dice.choice(described(tree))
        right = path.read_text()
        path.write_text(mistaken(path, dice))
        print(f"mistake {number} of seed {seed}: {path.relative_to(tree)}")
        try:
            built = use_everything(tree, dice.choice((PLAIN, RICH)))
        except CorralError as error:
            is_clear(error)
        else:
            if path.parent.name != "dispatch":
                compile_all(built)
        path.write_text(right)


def compile_all(built: Built) -> None:
    """All headers in one unit, and the sources that no driver has to be compiled for."""
    names = headers_of(built)
    sources = [
        (built.folder / "gen" / name).read_text() for name in ("configuration.c", "devices.c")
    ]
    for text in ("".join(f"#include <{name}>\n" for name in names), *sources):
        compile_text(built, f"{text}\nextern int x;\n")


def test_without_a_mistake_nothing_is_told(tree: Path) -> None:
    """Otherwise the test above would check only error messages."""
    write_app(tree, *WANTS)
    for board in (PLAIN, RICH):
        compile_all(use_everything(tree, board))
