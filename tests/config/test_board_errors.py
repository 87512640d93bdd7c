# SPDX-License-Identifier: Apache-2.0
"""Every mistake in a board or a port is one message with file, key and remedy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from corral.errors import CorralError
from corral.generate import api
from corral.model.board import load_board
from corral.model.port import debian_of_all, load_port
from corral.model.tree import load_tree
from mistakes import set_at
from trees import PLAIN, RICH, ROOT, build, description, edit_json


@pytest.mark.parametrize("asks", ["driver.json", "Kconfig"])
def test_capability_of_a_board_is_one_that_is_asked_for(tree: Path, asks: str) -> None:
    path = tree / "boards" / PLAIN / "board.toml"
    path.write_text(path.read_text().replace("HAS_ENTROPY", "HAS_ENTROPPY"))
    where = f"boards/{PLAIN}/board.toml: capabilities.HAS_ENTROPPY: "
    for board in (PLAIN, ""):
        with pytest.raises(CorralError) as caught:
            build(tree, "PSA_WANT_ALG_SHA_256", board=board) if board else load_tree(tree)
        (problem,) = caught.value.problems
        assert str(problem).startswith(f"{where}no driver and no Kconfig asks for it: did you mean")
        assert "HAS_ENTROPY" in problem.remedy
    if asks == "Kconfig":
        with (tree / "drivers" / "wide" / "Kconfig").open("a") as file:
            file.write("\tdepends on !HAS_ENTROPPY\n")
    else:
        edit_json(description(tree, "wide"), set_at("corral/requires", to=["HAS_ENTROPPY"]))
    assert "HAS_ENTROPPY" in load_tree(tree).board_capabilities


def test_board_without_a_port_is_for_a_library(tree: Path) -> None:
    path = tree / "boards" / PLAIN / "board.toml"
    path.write_text(path.read_text().replace('port = "posix"\n', ""))
    with pytest.raises(CorralError, match=r'^boards/plain/board.toml: names no "port"'):
        build(tree, "PSA_WANT_ALG_SHA_256")


BOARD_MISTAKES = [
    ('bus = 0\nslots = ["key", "key", "data"]', "bus = 9\nslots = []", "element[0].bus", "0 to 3"),
    ("bus = 1", 'bus = "1"', "element[1].bus", "is not an integer"),
    ("bus = 1", "buss = 1", "element[1].buss", "unknown key"),
    ("bus = 1", "", "element[1]", 'the key "bus" is missing'),
    ('"data"]', '"dat"]', "element[0].slots[2]", '"dat" is unknown: did you mean data'),
    ('"data"]', '"data", "data", "data"]', "element[0].slots", "5 entries are too many"),
    ("0x800005", "0x800001", "element[1].location", "is the location of SE0 already"),
    ("0x800005", "0", "element[1].location", "is no location of an element"),
    ('name = "SE1"', 'name = "SE0"', "element[1].name", "SE0 appears twice"),
    ('name = "SE1"', 'name = "se-1"', "element[1].name", "is no name"),
    ('driver = "vault"', 'driver = "wide"', "element[2].driver", "no driver of secure elements"),
    ('driver = "vault"', 'driver = "vaul"', "element[2].driver", "did you mean vault"),
    ("HAS_I2C = true", "HAS_I2C = false", "element[0]", "SE0 needs HAS_I2C"),
    ("HAS_I2C = true", 'HAS_I2C = "yes"', "capabilities.HAS_I2C", "is not true or false"),
    ("HAS_I2C = true", "I2C = true", "capabilities.I2C", "is no capability"),
    ('port = "posix"', 'port = "posx"', "port", "no such file: ports/posx/port.toml"),
    ('title = "With', 'title = " With', "title", "is empty or has a space at an end"),
    ('port = "posix"', 'prot = "posix"', "prot", "unknown key"),
    *(
        ('port = "posix"', f'port = "posix"\ntoolchain = {{defines = {define}}}', where, what)
        for define, where, what in (
            ("{A = [1]}", "toolchain.defines.A", "is a string or an integer"),
            ('{"A-B" = 1}', "toolchain.defines.A-B", "is no C identifier"),
        )
    ),
    ('port = "posix"', 'port = "posix"\nrun = {argument = ",{argument}"}', "run", "no place for"),
    ('port = "posix"', 'port = "posix"\nrun = {command = ["a{arguments}"]}', "run", "argument"),
    ('port = "posix"', 'port = "posix"\nrun = {command = [1]}', "run.command[0]", "1 is not a str"),
    *(
        ('port = "posix"', f'port = "posix"\nfurther_entropy = {said}', "further_entropy", what)
        for said, what in (
            ('["Host"]', '"Host" is no name'),
            ('["host", "noise", "host"]', "host appears twice"),
            ('["a", "b", "c", "d", "e", "f", "g", "h"]', "8 are too many"),
        )
    ),
    ('port = "posix"', 'lto = "yes"\nport = "posix"', "lto", "is not true or false"),
    ('port = "posix"', 'lto = 1\nport = "posix"', "lto", "is not true or false"),
    ('port = "posix"', 'linker_script = "no.ld"\nport = "posix"', "linker_script", "no such file"),
]


@pytest.mark.parametrize(("old", "new", "where", "what"), BOARD_MISTAKES)
def test_mistake_in_board_toml(tree: Path, old: str, new: str, where: str, what: str) -> None:
    path = tree / "boards" / RICH / "board.toml"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    with pytest.raises(CorralError) as caught:
        build(tree, "PSA_WANT_ALG_SHA_256", board=RICH)
    assert str(caught.value).count(f"boards/{RICH}/board.toml: {where}: ") == 1
    assert what in str(caught.value)
    assert all(problem.remedy for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("said", "where", "what"),
    [
        ("", "capabilities.HAS_REMOTE", "the board names no trusted side"),
        ('"mps2-an505-trustzon"', "trusted", "no such board: did you mean mps2-an505-trustzone"),
        ('"mps2-an505"', "trusted", "mps2-an505 has no wall"),
        (
            '"mps2-an505-trustzone"\nwall = {transport = "trustzone", linker_script = "client.ld"}',
            "trusted",
            "have a core, or are behind a wall",
        ),
    ],
)
def test_mistake_about_a_trusted_side(tmp_path: Path, said: str, where: str, what: str) -> None:
    board = shutil.copytree(ROOT / "boards" / "mps2-an505-trustzone-remote", tmp_path / "mine")
    path = board / "board.toml"
    old = 'trusted = "mps2-an505-trustzone"\n'
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, f"trusted = {said}\n" if said else ""))
    with pytest.raises(CorralError) as caught:
        load_board(ROOT, str(board))
    (problem,) = caught.value.problems
    assert f"board.toml: {where}: " in str(problem)
    assert what in str(problem)
    assert problem.remedy


PORT_MISTAKES = [
    ('title = "A', 'with = [".."]\ntitle = "A', "with", '".." is no folder of ports/'),
    ('title = "A', 'title = " A', "title", '" A'),
    ('title = "A', 'titel = "A', "titel", "unknown key: did you mean title?"),
    ('title = "A', 'with = ["cortex"]\ntitle = "A', "with", '"cortex" is no folder of ports/'),
    ('title = "A', 'compile = {debain = {}}\ntitle = "A', "compile.debain", "unknown key"),
    ('title = "A', 'parameters = {A = "a"}\ntitle = "A', "parameters.A", '"A" is no name'),
    ('title = "A', 'parameters = {a = 1}\ntitle = "A', "parameters.a", "not a string"),
    ('title = "A', 'run = {debian = {make = 1}}\ntitle = "A', "run.debian.make", "not a string"),
    ('title = "A', 'run = {debian = {M = "m"}}\ntitle = "A', "run.debian.M", '"M" is no package'),
    (
        'title = "A',
        'run = {debian = {m4 = "a b"}}\ntitle = "A',
        "run.debian.m4",
        '"a b" is neither',
    ),
]


@pytest.mark.parametrize(("old", "new", "where", "what"), PORT_MISTAKES)
def test_mistake_in_port_toml(tree: Path, old: str, new: str, where: str, what: str) -> None:
    path = tree / "ports" / "posix" / "port.toml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(CorralError) as caught:
        load_port(tree, "posix")
    assert f"ports/posix/port.toml: {where}: {what}" in str(caught.value).replace("1 is ", "")
    assert all(problem.remedy for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("said", "where", "what"),
    [
        ("", "parameters", "uart is missing, for which the port asks: add it: address of it"),
        ("uart = 1\nuatr = 2", "parameters.uatr", "for no such parameter: did you mean uart?"),
        ("uart = -1", "parameters.uart", "-1 is too small"),
        ('uart = "a"', "parameters.uart", "is not an integer"),
    ],
)
def test_board_says_what_its_port_asks_for(tree: Path, said: str, where: str, what: str) -> None:
    port = tree / "ports" / "posix" / "port.toml"
    port.write_text(f'{port.read_text()}[parameters]\nuart = "address of it"\n')
    board = tree / "boards" / RICH / "board.toml"
    board.write_text(f"{board.read_text()}[parameters]\n{said}\n")
    with pytest.raises(CorralError) as caught:
        load_board(tree, RICH)
    assert f"boards/{RICH}/board.toml: {where}: " in str(caught.value)
    assert what in str(caught.value)


def test_ports_of_the_tree_say_what_they_need() -> None:
    assert debian_of_all(ROOT)["qemu-system-arm"] == "qemu-system-arm"
    assert "avr-libc" in load_port(ROOT, "avr").compiled_with
    with pytest.raises(CorralError, match="did you mean posix"):
        load_port(ROOT, "posx")


KEY = """
[[element.key]]
name = "ROOT"
label = [1]
type = "PSA_KEY_TYPE_AES"
algorithm = "PSA_ALG_CMAC"
usage = ["SIGN_MESSAGE"]
"""


KEY_MISTAKES = [
    ('"ROOT"', '"root"', "element[0].key[0].name", "is no name"),
    ("[1]", "[]", "element[0].key[0]", "the label is missing"),
    ("[1]", "[256]", "element[0].key[0]", "no list of bytes"),
    ("[1]", f"{[0] * 17}", "element[0].key[0]", "no list of bytes"),
    ("[1]", f'"{17 * "x"}"', "element[0].key[0]", "is no text"),
    ("[1]", '""', "element[0].key[0]", "is no text"),
    ("_TYPE_AES", "_TYPE_AEZ", "element[0].key[0].type", "is not understood"),
    ("_ALG_CMAC", "_ALG_CNAC", "element[0].key[0].algorithm", "is not understood"),
    ('"PSA_ALG_CMAC"', '"PSA_KEY_TYPE_AES"', "element[0].key[0].algorithm", "is not understood"),
    ("SIGN_MESSAGE", "SIGN", "element[0].key[0].usage[0]", '"SIGN" is no use of such a key'),
    ('["SIGN_MESSAGE"]', "[]", "element[0].key[0]", "can be used for nothing"),
    ("label = [1]", "lable = [1]", "element[0].key[0].lable", "unknown key"),
    (
        '"SIGN_MESSAGE"]\n',
        '"SIGN_MESSAGE"]\n' + KEY,
        "element[0].key[1].name",
        "ROOT appears twice",
    ),
]


@pytest.mark.parametrize(("old", "new", "where", "what"), KEY_MISTAKES)
def test_mistake_in_a_built_in_key(tree: Path, old: str, new: str, where: str, what: str) -> None:
    path = tree / "boards" / RICH / "board.toml"
    key = KEY.replace(old, new)
    assert key != KEY
    path.write_text(path.read_text().replace("fast = true\n", f"fast = true\n{key}"))
    with pytest.raises(CorralError) as caught:
        build(tree, "PSA_WANT_ALG_SHA_256", board=RICH)
    assert f"boards/{RICH}/board.toml: {where}: " in str(caught.value)
    assert what in str(caught.value)
    assert all(problem.remedy for problem in caught.value.problems)


def test_board_that_is_no_toml(tree: Path) -> None:
    (tree / "boards" / PLAIN / "board.toml").write_text("title = \n")
    with pytest.raises(CorralError, match=r"boards/plain/board.toml: no TOML"):
        load_tree(tree)


def test_unknown_board_and_application_are_named(tree: Path, tmp_path: Path) -> None:
    with pytest.raises(CorralError, match=r"boards/plane/board.toml: no such board.*plain"):
        api.configure(tree, "test", "plane", tmp_path / "x", {})
    with pytest.raises(CorralError, match=r"apps/tets/app.config: no such application.*test"):
        api.configure(tree, "tets", PLAIN, tmp_path / "x", {})
