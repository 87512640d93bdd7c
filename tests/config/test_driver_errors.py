# SPDX-License-Identifier: Apache-2.0
"""Every mistake in a driver's description is one message with file, key and remedy."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from corral.errors import CorralError
from corral.generate import api
from corral.model.tree import load_tree
from mistakes import DROPPED, Change, fails, place_of, put, set_at, steps
from trees import PLAIN, RICH, build, description, edit_json

#: The place, its wrong value, and the message; and the place in the message, if it differs.
Mistake = tuple[str, object, str] | tuple[str, object, str, str]

DRIVER_MISTAKES: list[Mistake] = [
    ("corral/titel", "x", "unknown key"),
    ("capabilities[0].entrypoints", [], "unknown key"),
    ("prefix", DROPPED, 'the key "prefix" is missing'),
    ("type", DROPPED, 'the key "type" is missing'),
    ("type", "opak", '"opak" is unknown'),
    ("prefix", 7, "7 is not a string"),
    ("prefix", "a-b", "no C identifier"),
    ("prefix", "wider", "not begin with the driver"),
    ("corral/rank", True, "not an integer"),
    ("corral/title", "", "is empty or"),
    ("corral/title", " ", "is empty or"),
    ("corral/title", "x ", "is empty or"),
    ("corral/title", " x", "is empty or"),
    ("capabilities", [], '"capabilities" is missing', ""),
    ("capabilities", {}, "is not a list"),
    ("capabilities[0]", "x", "is not a table"),
    ("capabilities[0].entry_points", [], '"entry_points" is missing', "capabilities[0]"),
    (
        "capabilities[0].entry_points[0]",
        "hash_computed",
        '"hash_computed" is no entry point: did you mean hash_compute',
    ),
    ("capabilities[0].entry_points[0]", "destroy_key", '"destroy_key" is for opaque drivers'),
    ("capabilities[0].algorithms[0]", "PSA_ALG_SHA256", "did you mean PSA_ALG_SHA_256"),
    ("capabilities[0].algorithms", [], "list is empty"),
    ("capabilities[6].key_types[0]", "PSA_KEY_TYPE_HMAK", "did you mean PSA_KEY_TYPE_HMAC"),
    ("capabilities[2].key_sizes", [128, 128], "each named once"),
    ("capabilities[2].key_sizes[0]", "128", "is not an integer"),
    ("capabilities[1].names.hash_start", "x", "none of the entry points of this capability"),
    ("capabilities[1].names.hash_setup", "a b", "no C function"),
    ("capabilities[1].names.hash_setup", "wide_long_setup()", "function(&constant, 32)"),
    (
        "capabilities[1].names.hash_setup",
        "wide_long_setup(&wide_long)",
        '"&wide_long" has no type',
        "capabilities[1].hash_setup",
    ),
    ("corral/constants", {"mode": ["WIDE_MODE"]}, "is no parameter", "corral/constants.mode"),
    (
        "capabilities[1].names.hash_setup",
        "wide_hash_update",
        "wide_hash_update() is also hash_update, with other parameters",
        "capabilities[1].hash_setup",
    ),
    (
        "capabilities[0].corral/context_header",
        DROPPED,
        'the key "corral/context_header" is missing',
    ),
    ("capabilities[7].corral/context_header", "x.h", "no entry point here has a context"),
    (
        "capabilities[0].corral/needs",
        ["hassh"],
        '"hassh" is unknown',
        "capabilities[0].corral/needs[0]",
    ),
    (
        "capabilities[0].corral/uses",
        ["mac"],
        "a hash operation cannot use mac: that would be a cycle",
        "capabilities[0].corral/uses[0]",
    ),
    (
        "capabilities[0].corral/package_sources",
        {"lib": ["a.c"]},
        'is not in the driver\'s "corral/packages"',
        "capabilities[0].corral/package_sources.lib",
    ),
    (
        "capabilities[0].corral/defines",
        {"A-B": 1},
        "no C identifier",
        "capabilities[0].corral/defines.A-B",
    ),
    ("capabilities[0].initial_entropy_size", 1, "no get_random in this capability"),
    ("capabilities[17].entry_points", ["get_random"], "must list add_entropy", "capabilities[17]"),
    ("key_context", {}, "a transparent driver has no key context"),
    ("corral/requires", ["ENGINE"], "is no capability", "corral/requires[0]"),
    ("corral/libraries", ["-lsome"], "is no module of pkg-config", "corral/libraries[0]"),
    ("corral/libraries", ["some >= 1"], "is no module of pkg-config", "corral/libraries[0]"),
    ("corral/debian", {"libsome-dev": 1}, "not a string", "corral/debian.libsome-dev"),
    ("corral/debian", {"Some_dev": "cc"}, "is no package of Debian", "corral/debian.Some_dev"),
    ("corral/debian", {"some": ""}, "neither a path from / nor a program", "corral/debian.some"),
    ("corral/debian", {"some": "a/b"}, "neither a path from / nor a program", "corral/debian.some"),
    (
        "corral/packages",
        {"otherlib": {"sources": []}},
        "no such file: packages/otherlib/package.toml",
        "corral/packages.otherlib",
    ),
    (
        "corral/packages",
        {"other-lib": {"sources": []}},
        "cannot be a package's name",
        "corral/packages.other-lib",
    ),
    ("corral/packages", {"somelib": 0}, "0 is not a table", "corral/packages.somelib"),
    (
        "capabilities[1].algorithms[0]",
        "PSA_ALG_SHA_256",
        "hash_setup is wide_long_setup() here, and wide_hash_setup() for the same case",
        "capabilities[1]",
    ),
    (
        "corral/parts",
        {"a": {"uses": ["b"]}, "b": {"uses": ["a"]}},
        "this part uses itself",
        "corral/parts.b",
    ),
    ("corral/parts", {"a": {"source": []}}, "unknown key", "corral/parts.a.source"),
    (
        "capabilities[0].corral/parts",
        ["md5"],
        "is none of the driver's",
        "capabilities[0].corral/parts[0]",
    ),
    (
        "capabilities[0].corral/hashes",
        ["PSA_ALG_SHA_256"],
        "no algorithm here is one with any hash",
    ),
    ("capabilities[0].corral/hashes", "sizes", "is none of the driver's"),
    ("capabilities[0].corral/each", "hashes", "is none of the driver's"),
    (
        "capabilities[0].corral/each",
        [{"algorithms": ["PSA_ALG_MD5"]}],
        "is in the capability, too",
        "capabilities[0].corral/each[0].algorithms",
    ),
    (
        "capabilities[0]",
        {"entry_points": ["{what}"], "corral/each": [{"who": "x"}]},
        '"{what}" has no text in this row',
        "capabilities[0].corral/each[0]",
    ),
    ("corral/constants", {"*": ["7"]}, "is no parameter", "corral/constants.*"),
    (
        "corral/constants",
        {"int a); int b(size_t c": ["7"]},
        "is no parameter",
        "corral/constants.int a); int b(size_t c",
    ),
    ("corral/constants", {"int /* a *b": ["7"]}, "is no parameter", "corral/constants.int /* a *b"),
    (
        "corral/constants",
        {"size_t length": ["\u0663"]},
        "no C identifier",
        "corral/constants.size_t length[0]",
    ),
    ("capabilities[0].corral/context_header", "../../README.md", "is no file of the driver"),
    ("capabilities[0].corral/context_header", "/etc/passwd", "is no file of the driver"),
    ("capabilities[0].corral/context_header", "a>b.h", "is no file of the driver"),
    ("capabilities[0].corral/context_header", "entry_points.h", "is made of the description"),
    ("corral/context_header", "../wide.h", "is no file of the driver"),
    ("headers", ["../wide.h"], "is no file of the driver", "headers[0]"),
    ("corral/sources", ["wide.c", "../../evil.c"], "is no file of the driver", "corral/sources[1]"),
    (
        "corral/parts",
        {"more": {"sources": ["/etc/evil.c"]}},
        "is no file of the driver",
        "corral/parts.more.sources[0]",
    ),
    ("capabilities[0].corral/context", "int x; } t; struct { int", "no C identifier"),
    ("capabilities[0].corral/base", "a(); b", "no part of a C identifier"),
    ("capabilities[1].names.hash_setup", "wide_\xfc", "no C function"),
    ("capabilities[0].corral/constants", ["a + b"], "constants are C identifiers"),
]

OPAQUE_MISTAKES: list[Mistake] = [
    ("key_context", DROPPED, '"key_context" is missing'),
    ("key_context.base_size", "8", "is not an integer"),
    ("key_context.size_function", "f", "unknown key"),
    ("capabilities[0].fallback", True, "opaque drivers have no fallback"),
    ("corral/device.fields.bus.type", "number", '"number" is unknown'),
    ("corral/device.fields.slots.values", DROPPED, 'the key "values" is missing'),
    ("corral/device.fields.index", {"type": "integer"}, '"index" cannot be a field'),
    ("corral/device.header", "../chip_device.h", "is no file of the driver"),
    ("corral/device.type", "int; struct a", "is no type"),
    ("corral/device.fields.slots.values.key", "0}; int a = {0", "no C identifier"),
    (
        "capabilities[0].corral/devices",
        {"holes": "key"},
        '"holes" is no field',
        "capabilities[0].corral/devices.holes",
    ),
    (
        "capabilities[0].corral/devices",
        {"slots": "keys"},
        '"keys" is unknown',
        "capabilities[0].corral/devices.slots",
    ),
]


@pytest.mark.parametrize(
    ("driver", "mistake"),
    [
        *(("wide", mistake) for mistake in DRIVER_MISTAKES),
        *(("chip", mistake) for mistake in OPAQUE_MISTAKES),
    ],
)
def test_mistake_in_driver_json(tree: Path, driver: str, mistake: Mistake) -> None:
    path, value, what, *elsewhere = mistake
    parent = steps(path)[:-1] if value is DROPPED else steps(path)
    place = elsewhere[0] if elsewhere else place_of(parent)
    edit_json(description(tree, driver), put(path, value))
    error = fails(tree)
    where = f"drivers/{driver}/driver.json: {place}".removesuffix(": ")
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
        ('{"prefix": "a", "prefix": "b"}', 'the key "prefix" appears twice'),
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
    """Commands about the whole tree read all; `chip` and `engine` are not for the plain board."""
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


@pytest.mark.parametrize(
    ("condition", "missing"),
    [
        ("HAS_ENGINE", {"HAS_ENGINE"}),
        ("!CORRAL_THREADS && (HAS_ENGINE && \\\n\t HAS_I2C)", {"HAS_ENGINE", "HAS_I2C"}),
        ("HAS_ENGINE || HAS_I2C", set()),
        ("!HAS_ENGINE && !(HAS_I2C && HAS_THREADS)", set()),
    ],
)
def test_kconfig_and_description_name_the_same_hardware(
    tree: Path, condition: str, missing: set[str]
) -> None:
    """Or the driver would have candidates, and tests, on boards without the hardware."""
    file = tree / "drivers" / "over" / "Kconfig"
    tunable = "\nconfig CORRAL_OVER_TUNABLE\n\tbool\n\tdepends on HAS_FLASH\n"
    file.write_text(f"config CORRAL_DRIVER_OVER\n\tbool\n\tdepends on {condition}\n{tunable}")
    if not missing:
        assert load_tree(tree).drivers["over"].requires == ()
        return
    said = re.findall(
        r"CORRAL_DRIVER_OVER depends on (\w+), which corral/requires", str(fails(tree))
    )
    assert set(said) == missing


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
