# SPDX-License-Identifier: Apache-2.0
"""Every mistake in a driver's description is one message with file, key and remedy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from corral import api
from corral.errors import CorralError
from corral.model.tree import load_tree
from mistakes import Change, drop, fails, set_at
from trees import PLAIN, RICH, build, description, edit_json

CAPABILITY = "drivers/wide/driver.json: capabilities[0]"


DRIVER_MISTAKES: list[tuple[Change, str, str]] = [
    (set_at("corral/titel", to="x"), "drivers/wide/driver.json: corral/titel", "unknown key"),
    (set_at("capabilities", 0, "entrypoints", to=[]), f"{CAPABILITY}.entrypoints", "unknown key"),
    (drop("prefix"), "drivers/wide/driver.json", 'the key "prefix" is missing'),
    (drop("type"), "drivers/wide/driver.json", 'the key "type" is missing'),
    (set_at("type", to="opak"), "drivers/wide/driver.json: type", '"opak" is unknown'),
    (set_at("prefix", to=7), "drivers/wide/driver.json: prefix", "7 is not a string"),
    (set_at("prefix", to="a-b"), "drivers/wide/driver.json: prefix", "no C identifier"),
    (set_at("prefix", to="wider"), "drivers/wide/driver.json: prefix", "not begin with the driver"),
    (set_at("corral/rank", to=True), "drivers/wide/driver.json: corral/rank", "not an integer"),
    *(
        (set_at("corral/title", to=title), "drivers/wide/driver.json: corral/title", "is empty or")
        for title in ("", " ", "x ", " x")
    ),
    (set_at("capabilities", to=[]), "drivers/wide/driver.json", '"capabilities" is missing'),
    (set_at("capabilities", to={}), "drivers/wide/driver.json: capabilities", "is not a list"),
    (set_at("capabilities", 0, to="x"), f"{CAPABILITY}", "is not a table"),
    (set_at("capabilities", 0, "entry_points", to=[]), CAPABILITY, '"entry_points" is missing'),
    (
        set_at("capabilities", 0, "entry_points", 0, to="hash_computed"),
        f"{CAPABILITY}.entry_points[0]",
        '"hash_computed" is no entry point: did you mean hash_compute',
    ),
    (
        set_at("capabilities", 0, "entry_points", 0, to="destroy_key"),
        f"{CAPABILITY}.entry_points[0]",
        '"destroy_key" is for opaque drivers',
    ),
    (
        set_at("capabilities", 0, "algorithms", 0, to="PSA_ALG_SHA256"),
        f"{CAPABILITY}.algorithms[0]",
        "did you mean PSA_ALG_SHA_256",
    ),
    (set_at("capabilities", 0, "algorithms", to=[]), f"{CAPABILITY}.algorithms", "list is empty"),
    (
        set_at("capabilities", 6, "key_types", 0, to="PSA_KEY_TYPE_HMAK"),
        "drivers/wide/driver.json: capabilities[6].key_types[0]",
        "did you mean PSA_KEY_TYPE_HMAC",
    ),
    (
        set_at("capabilities", 2, "key_sizes", to=[128, 128]),
        "drivers/wide/driver.json: capabilities[2].key_sizes",
        "each named once",
    ),
    (
        set_at("capabilities", 2, "key_sizes", 0, to="128"),
        "drivers/wide/driver.json: capabilities[2].key_sizes[0]",
        "is not an integer",
    ),
    (
        set_at("capabilities", 1, "names", "hash_start", to="x"),
        "drivers/wide/driver.json: capabilities[1].names.hash_start",
        "none of the entry points of this capability",
    ),
    (
        set_at("capabilities", 1, "names", "hash_setup", to="a b"),
        "drivers/wide/driver.json: capabilities[1].names.hash_setup",
        "no C function",
    ),
    (
        set_at("capabilities", 1, "names", "hash_setup", to="wide_long_setup()"),
        "drivers/wide/driver.json: capabilities[1].names.hash_setup",
        "function(&constant, 32)",
    ),
    (
        set_at("capabilities", 1, "names", "hash_setup", to="wide_long_setup(&wide_long)"),
        "drivers/wide/driver.json: capabilities[1].hash_setup",
        '"&wide_long" has no type',
    ),
    (
        set_at("corral/constants", to={"mode": ["WIDE_MODE"]}),
        "drivers/wide/driver.json: corral/constants.mode",
        "is no parameter",
    ),
    (
        set_at("capabilities", 1, "names", "hash_setup", to="wide_hash_update"),
        "drivers/wide/driver.json: capabilities[1].hash_setup",
        "wide_hash_update() is also hash_update, with other parameters",
    ),
    (
        drop("capabilities", 0, "corral/context_header"),
        CAPABILITY,
        'the key "corral/context_header" is missing',
    ),
    (
        set_at("capabilities", 7, "corral/context_header", to="x.h"),
        "drivers/wide/driver.json: capabilities[7].corral/context_header",
        "no entry point here has a context",
    ),
    (
        set_at("capabilities", 0, "corral/needs", to=["hassh"]),
        f"{CAPABILITY}.corral/needs[0]",
        '"hassh" is unknown',
    ),
    (
        set_at("capabilities", 0, "corral/uses", to=["mac"]),
        f"{CAPABILITY}.corral/uses[0]",
        "a hash operation cannot use mac: that would be a cycle",
    ),
    (
        set_at("capabilities", 0, "corral/package_sources", to={"lib": ["a.c"]}),
        f"{CAPABILITY}.corral/package_sources.lib",
        'is not in the driver\'s "corral/packages"',
    ),
    (
        set_at("capabilities", 0, "corral/defines", to={"A-B": 1}),
        f"{CAPABILITY}.corral/defines.A-B",
        "no C identifier",
    ),
    (
        set_at("capabilities", 0, "initial_entropy_size", to=1),
        f"{CAPABILITY}.initial_entropy_size",
        "no get_random in this capability",
    ),
    (
        set_at("capabilities", 17, "entry_points", to=["get_random"]),
        "drivers/wide/driver.json: capabilities[17]",
        "must list add_entropy",
    ),
    (
        set_at("key_context", to={}),
        "drivers/wide/driver.json: key_context",
        "a transparent driver has no key context",
    ),
    (
        set_at("corral/requires", to=["ENGINE"]),
        "drivers/wide/driver.json: corral/requires[0]",
        "is no capability",
    ),
    (
        set_at("corral/packages", to={"otherlib": {"sources": []}}),
        "drivers/wide/driver.json: corral/packages.otherlib",
        "no such file: packages/otherlib/package.toml",
    ),
    (
        set_at("corral/packages", to={"other-lib": {"sources": []}}),
        "drivers/wide/driver.json: corral/packages.other-lib",
        "cannot be a package's name",
    ),
    (
        set_at("corral/packages", to={"somelib": 0}),
        "drivers/wide/driver.json: corral/packages.somelib",
        "0 is not a table",
    ),
    (
        set_at("capabilities", 1, "algorithms", 0, to="PSA_ALG_SHA_256"),
        "drivers/wide/driver.json: capabilities[1]",
        "hash_setup is wide_long_setup() here, and wide_hash_setup() for the same case",
    ),
    (
        set_at("corral/parts", to={"a": {"uses": ["b"]}, "b": {"uses": ["a"]}}),
        "drivers/wide/driver.json: corral/parts.b",
        "this part uses itself",
    ),
    (
        set_at("corral/parts", to={"a": {"source": []}}),
        "drivers/wide/driver.json: corral/parts.a.source",
        "unknown key",
    ),
    (
        set_at("capabilities", 0, "corral/parts", to=["md5"]),
        f"{CAPABILITY}.corral/parts[0]",
        "is none of the driver's",
    ),
    (
        set_at("capabilities", 0, "corral/hashes", to=["PSA_ALG_SHA_256"]),
        f"{CAPABILITY}.corral/hashes",
        "no algorithm here is one with any hash",
    ),
    (
        set_at("capabilities", 0, "corral/hashes", to="sizes"),
        f"{CAPABILITY}.corral/hashes",
        "is none of the driver's",
    ),
    (
        set_at("capabilities", 0, "corral/each", to="hashes"),
        f"{CAPABILITY}.corral/each",
        "is none of the driver's",
    ),
    (
        set_at("capabilities", 0, "corral/each", to=[{"algorithms": ["PSA_ALG_MD5"]}]),
        f"{CAPABILITY}.corral/each[0].algorithms",
        "stands in the capability too",
    ),
    (
        set_at("capabilities", 0, to={"entry_points": ["{what}"], "corral/each": [{"who": "x"}]}),
        f"{CAPABILITY}.corral/each[0]",
        '"{what}" has no text in this row',
    ),
    *(
        (
            set_at("corral/constants", to={parameter: ["7"]}),
            f"drivers/wide/driver.json: corral/constants.{parameter}",
            "is no parameter",
        )
        for parameter in ("*", "int a); int b(size_t c", "int /* a *b")
    ),
    (
        set_at("corral/constants", to={"size_t length": ["\u0663"]}),
        "drivers/wide/driver.json: corral/constants.size_t length[0]",
        "no C identifier",
    ),
    *(
        (
            set_at("capabilities", 0, "corral/context_header", to=name),
            f"{CAPABILITY}.corral/context_header",
            what,
        )
        for name, what in (
            ("../../README.md", "is no file of the driver"),
            ("/etc/passwd", "is no file of the driver"),
            ("a>b.h", "is no file of the driver"),
            ("entry_points.h", "is made of the description"),
        )
    ),
    (
        set_at("corral/context_header", to="../wide.h"),
        "drivers/wide/driver.json: corral/context_header",
        "is no file of the driver",
    ),
    (
        set_at("headers", to=["../wide.h"]),
        "drivers/wide/driver.json: headers[0]",
        "is no file of the driver",
    ),
    (
        set_at("corral/sources", to=["wide.c", "../../evil.c"]),
        "drivers/wide/driver.json: corral/sources[1]",
        "is no file of the driver",
    ),
    (
        set_at("corral/parts", to={"more": {"sources": ["/etc/evil.c"]}}),
        "drivers/wide/driver.json: corral/parts.more.sources[0]",
        "is no file of the driver",
    ),
    (
        set_at("capabilities", 0, "corral/context", to="int x; } t; struct { int"),
        f"{CAPABILITY}.corral/context",
        "no C identifier",
    ),
    (
        set_at("capabilities", 0, "corral/base", to="a(); b"),
        f"{CAPABILITY}.corral/base",
        "no part of a C identifier",
    ),
    (
        set_at("capabilities", 1, "names", "hash_setup", to="wide_\u00fc"),
        "drivers/wide/driver.json: capabilities[1].names.hash_setup",
        "no C function",
    ),
    (
        set_at("capabilities", 0, "corral/constants", to=["a + b"]),
        f"{CAPABILITY}.corral/constants",
        "constants are C identifiers",
    ),
]


@pytest.mark.parametrize(("change", "where", "what"), DRIVER_MISTAKES)
def test_mistake_in_driver_json(tree: Path, change: Change, where: str, what: str) -> None:
    edit_json(description(tree, "wide"), change)
    error = fails(tree)
    assert any(str(problem).startswith(f"{where}: ") for problem in error.problems), str(error)
    assert what in str(error)


OPAQUE_MISTAKES: list[tuple[Change, str, str]] = [
    (drop("key_context"), "drivers/chip/driver.json", '"key_context" is missing'),
    (
        set_at("key_context", "base_size", to="8"),
        "drivers/chip/driver.json: key_context.base_size",
        "is not an integer",
    ),
    (
        set_at("key_context", "size_function", to="f"),
        "drivers/chip/driver.json: key_context.size_function",
        "unknown key",
    ),
    (
        set_at("capabilities", 0, "fallback", to=True),
        "drivers/chip/driver.json: capabilities[0].fallback",
        "opaque drivers have no fallback",
    ),
    (
        set_at("corral/device", "fields", "bus", "type", to="number"),
        "drivers/chip/driver.json: corral/device.fields.bus.type",
        '"number" is unknown',
    ),
    (
        drop("corral/device", "fields", "slots", "values"),
        "drivers/chip/driver.json: corral/device.fields.slots",
        'the key "values" is missing',
    ),
    (
        set_at("corral/device", "fields", "index", to={"type": "integer"}),
        "drivers/chip/driver.json: corral/device.fields.index",
        '"index" cannot be a field',
    ),
    (
        set_at("corral/device", "header", to="../chip_device.h"),
        "drivers/chip/driver.json: corral/device.header",
        "is no file of the driver",
    ),
    (
        set_at("corral/device", "type", to="int; struct a"),
        "drivers/chip/driver.json: corral/device.type",
        "is no type",
    ),
    (
        set_at("corral/device", "fields", "slots", "values", "key", to="0}; int a = {0"),
        "drivers/chip/driver.json: corral/device.fields.slots.values.key",
        "no C identifier",
    ),
    (
        set_at("capabilities", 0, "corral/devices", to={"holes": "key"}),
        "drivers/chip/driver.json: capabilities[0].corral/devices.holes",
        '"holes" is no field',
    ),
    (
        set_at("capabilities", 0, "corral/devices", to={"slots": "keys"}),
        "drivers/chip/driver.json: capabilities[0].corral/devices.slots",
        '"keys" is unknown',
    ),
]


@pytest.mark.parametrize(("change", "where", "what"), OPAQUE_MISTAKES)
def test_mistake_in_opaque_driver_json(tree: Path, change: Change, where: str, what: str) -> None:
    edit_json(description(tree, "chip"), change)
    error = fails(tree)
    assert any(str(problem).startswith(f"{where}: ") for problem in error.problems), str(error)
    assert what in str(error)


def test_comments_are_allowed_everywhere(tree: Path) -> None:
    for path in ((), ("capabilities", 0), ("key_context",), ("corral/device",)):
        edit_json(description(tree, "chip"), set_at(*path, "_comment", to="why"))
    assert "chip" in load_tree(tree).drivers


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"prefix": ', "driver.json:1: no JSON"),
        ('{"prefix": "a", "prefix": "b"}', 'the key "prefix" stands twice'),
        ("[]", "[] is not a table"),
        ("\x80", "cannot be read"),
        ("[" * 100000, "driver.json"),
    ],
)
def test_file_that_is_no_description(tree: Path, text: str, what: str) -> None:
    description(tree, "wide").write_bytes(text.encode("latin-1"))
    with pytest.raises(CorralError) as caught:
        load_tree(tree)
    assert "drivers/wide/driver.json" in str(caught.value)
    assert what in str(caught.value)


def test_several_mistakes_are_told_at_once(tree: Path) -> None:
    edit_json(description(tree, "wide"), set_at("corral/titel", to="x"))
    edit_json(description(tree, "over"), set_at("typo", to="x"))
    text = str(fails(tree))
    assert "drivers/wide/driver.json: corral/titel" in text
    assert "drivers/over/driver.json: typo" in text


@pytest.mark.parametrize("name", ["Curve-A", "default", "psa", "corral", "string"])
def test_name_of_a_driver_folder(tree: Path, name: str) -> None:
    (tree / "drivers" / "curve_a").rename(tree / "drivers" / name)
    assert f'drivers/{name}/driver.json: "{name}" cannot be a driver\'s name' in str(fails(tree))


def test_header_that_would_hide_one_of_c(tree: Path) -> None:
    (tree / "drivers" / "over" / "limits.h").touch()
    assert "drivers/over/driver.json: limits.h in its folder hides C's header" in str(fails(tree))


def test_build_reads_its_board_and_the_drivers_that_have_work_there(tree: Path) -> None:
    """What is about the whole tree reads all; `chip` and `engine` are not for the plain board."""
    for name in ("chip", "engine"):
        edit_json(description(tree, name), set_at("titel", to="x"))
    (tree / "drivers" / "engine" / "costs.json").write_text("{")
    edit_json(description(tree, "vault"), set_at("corral/packages", to={"begun": {}}))
    (tree / "packages" / "begun").mkdir()
    (tree / "packages" / "begun" / "package.toml").write_text("source =")
    (tree / "boards" / RICH / "board.toml").write_text("titel =")
    (tree / "boards" / "begun").mkdir()
    bindings = build(tree, "PSA_WANT_ALG_SHA_256").bindings
    assert {note.subject for note in bindings.notes} >= {
        f"drivers/{name}/driver.json: titel" for name in ("chip", "engine")
    }
    with pytest.raises(CorralError, match=r"boards/rich/board.toml: no TOML"):
        build(tree, "PSA_WANT_ALG_SHA_256", board=RICH)
    with pytest.raises(CorralError, match=r"boards/rich/board.toml: no TOML"):
        load_tree(tree)
    shutil.rmtree(tree / "boards" / RICH)
    for name in ("engine/driver.json: titel: ", "chip/driver.json: titel: "):
        assert f"drivers/{name}" in str(fails(tree))
    assert "boards/begun/board.toml: no such file" in str(fails(tree))
    edit_json(description(tree, "wide"), set_at("titel", to="x"))
    with pytest.raises(CorralError, match=r"^drivers/wide/driver.json: titel: unknown key"):
        build(tree, "PSA_WANT_ALG_SHA_256")


@pytest.mark.parametrize("text", ["", "[]", '{"processors": {"gcc": 1}}', "[" * 100000])
def test_file_that_is_no_table_of_figures(tree: Path, text: str) -> None:
    (tree / "drivers" / "wide" / "costs.json").write_text(text)
    with pytest.raises(CorralError, match=r"^drivers/wide/costs.json: is no table of figures: "):
        build(tree, "PSA_WANT_ALG_SHA_256")


def test_kconfig_of_a_driver(tree: Path) -> None:
    (tree / "drivers" / "over" / "Kconfig").unlink()
    assert "drivers/over/Kconfig: no such file: create it with CORRAL_DRIVER_OVER" in str(
        fails(tree)
    )
    (tree / "drivers" / "over" / "Kconfig").write_text("config CORRAL_DRIVER_OVR\n\tbool\n")
    assert "drivers/over/Kconfig: does not define CORRAL_DRIVER_OVER" in str(fails(tree))


def test_constructions_that_stand_on_each_other(tree: Path) -> None:
    def need(index: int, algorithm: str) -> Change:
        return set_at("capabilities", index, "corral/needs", to=[algorithm])

    edit_json(description(tree, "wide"), need(0, "PSA_ALG_SHA_512"))
    edit_json(description(tree, "wide"), need(1, "PSA_ALG_SHA_256"))
    with pytest.raises(CorralError) as caught:
        build(tree, "PSA_WANT_ALG_SHA_256")
    assert "capabilities[0].corral/needs: a cycle: " in str(caught.value)
    assert "SHA_512 needs SHA_256 needs SHA_512" in str(caught.value)
    assert all(problem.remedy for problem in caught.value.problems)


def test_files_that_a_build_needs_must_exist(tree: Path) -> None:
    built = build(tree, "PSA_WANT_ALG_SHA_256")
    (tree / "drivers" / "wide" / "wide.c").unlink()
    (tree / "drivers" / "wide" / "wide_contexts.h").unlink()
    with pytest.raises(CorralError) as caught:
        api.generate(tree, "test", PLAIN, built.folder)
    text = str(caught.value)
    assert "drivers/wide/driver.json: corral/sources: no such file: drivers/wide/wide.c" in text
    assert "capabilities[0].corral/context_header: no such file" in text


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"\xff", "drivers/wide/wide_contexts.h: cannot be read"),
        (b'#include "../../core/common/output.h"\n', "cannot include ../../core/common/output.h"),
    ],
)
def test_header_that_cannot_be_copied(tree: Path, text: bytes, what: str) -> None:
    built = build(tree, "PSA_WANT_ALG_SHA_256")
    (tree / "drivers" / "wide" / "wide_contexts.h").write_bytes(text)
    with pytest.raises(CorralError, match=what):
        api.generate(tree, "test", PLAIN, built.folder)


def test_defines_must_agree(tree: Path) -> None:
    edit_json(
        description(tree, "wide"), set_at("capabilities", 0, "corral/defines", to={"WIDE": 2})
    )
    with pytest.raises(CorralError, match=r"capabilities\[0\].corral/defines.WIDE: 2 here, 1 in"):
        build(tree, "PSA_WANT_ALG_SHA_256")
