# SPDX-License-Identifier: Apache-2.0
"""The layers of a configuration, and assignments that come to nothing."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from corral.configure import configuration as configure_module
from corral.configure.configuration import configure_build
from corral.errors import CorralError
from corral.generate import api
from corral.model.tree import load_tree
from corral.packages import fetch as packages
from trees import APP, PLAIN, RICH, ROOT, build, description, edit_json, reload, write_app

CBC = (
    "PSA_WANT_ALG_CBC_NO_PADDING",
    "PSA_WANT_KEY_TYPE_AES",
    "PSA_WANT_AES_KEY_SIZE_128",
    "PSA_WANT_AES_KEY_SIZE_256",
)
P256 = (
    "PSA_WANT_ALG_ECDSA",
    "PSA_WANT_ALG_SHA_256",
    "PSA_WANT_GENERATE_RANDOM",
    "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE",
    "PSA_WANT_ECC_SECP_R1_256",
)


def error_of(
    root: Path, *wants: str, board: str = PLAIN, settings: dict[str, str] | None = None
) -> str:
    """The text of the error; every problem in it has a remedy."""
    with pytest.raises(CorralError) as caught:
        build(root, *wants, board=board, settings=settings)
    assert all(problem.where and problem.remedy for problem in caught.value.problems)
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "PSA_WANT_ALG_SHA256=y",
            "apps/test/app.config:2: PSA_WANT_ALG_SHA256 is no symbol of the configuration: "
            "did you mean PSA_WANT_ALG_SHA_256",
        ),
        (
            "CORRAL_SHA_256_BY_PICKY=y",
            "apps/test/app.config:2: CORRAL_SHA_256_BY_PICKY is no symbol of the configuration: "
            "the choice is among CORRAL_SHA_256_BY_ENGINE, CORRAL_SHA_256_BY_WIDE",
        ),
        ("PSA_WANT_ALG_SHA_1=1", 'app.config:2: PSA_WANT_ALG_SHA_1: "1" is no value: write y or n'),
        ("PSA_WANT_ALG_SHA_1 = y", "app.config:2: "),
        *(
            (f"CORRAL_SINGLE_KEY_SLOTS={word}", f'"{word}" is no int: write decimal digits')
            for word in ("many", "03", "\u0663", "1_0", "+3", "0x3", "-0", "")
        ),
        ("CORRAL_SINGLE_KEY_SLOTS=5000", "use a value from 0 to 4096"),
        (
            "CORRAL_THREADS=y",
            "app.config:2: CORRAL_THREADS=y has no effect, its value is n: it depends on "
            "HAS_THREADS: set what it depends on",
        ),
        (
            "CORRAL_SHA_256_BY_ENGINE=y",
            "has no effect, its value is n: it depends on CORRAL_DRIVER_ENGINE and HAS_ENGINE",
        ),
        (
            "CORRAL_SHA_512_BY_WIDE=y",
            "CORRAL_SHA_512_BY_WIDE=y has no effect, its value is n: it depends on "
            "PSA_WANT_ALG_SHA_512",
        ),
        ("CORRAL_SHA_256_BY_WIDE=n", "set another entry of the choice to y instead"),
        ("CORRAL_ELEMENTS_PRESENT=y", "it is computed from others: remove this assignment"),
        ("HAS_ENGINE=y", "has no effect, its value is n: it is the board's: say it in board.toml"),
    ],
)
def test_assignment_without_effect_is_an_error(tree: Path, line: str, says: str) -> None:
    with pytest.raises(CorralError) as caught:
        write_app(tree, "PSA_WANT_ALG_SHA_256", line)
        api.configure(tree, APP, PLAIN, tree / "build" / "x", {})
    assert says in str(caught.value)
    assert "apps/test/app.config:2: " in str(caught.value)
    assert not (tree / "build" / "x").exists(), "a failed first configuration leaves nothing"


def including(tree: Path, *lines: str) -> str:
    """The error, or an empty string, of an application whose configuration has these lines."""
    write_app(tree)
    (tree / "apps" / APP / "app.config").write_text("".join(f"{line}\n" for line in lines))
    try:
        api.configure(tree, APP, PLAIN, tree / "build" / "x", {})
    except CorralError as error:
        assert all(problem.where and problem.remedy for problem in error.problems)
        return str(error)
    return ""


def test_files_that_include_each_other(tree: Path) -> None:
    folder = tree / "apps" / APP
    folder.mkdir(exist_ok=True)
    for i in range(9):
        (folder / f"{i}.config").write_text(f"include ./{i + 1}.config\n")
    (folder / "9.config").write_text("PSA_WANT_ALG_SHA_256=y\n")
    assert including(tree, "include ./2.config", "include ./2.config") == ""
    said = including(tree, "include ./none.config")
    assert said.endswith("no such preset or file: correct the path, which begins at apps/test")
    said = including(tree, "include ./1.config")
    assert '8.config:1: "include ./9.config": more than 8 files deep: ' in said
    (folder / "9.config").write_text("include ./../test/7.config\n")
    assert '9.config:1: "include ./../test/7.config": it includes itself: ' in including(
        tree, "include ./7.config"
    )


def test_file_that_is_no_configuration_is_not_told_line_by_line(tree: Path) -> None:
    said = including(tree, "include ./main.c", *["x" * 1000] * 50).splitlines()
    assert len(said) == 4 and max(map(len, said)) < 200  # of main.c, and nothing behind it
    said = including(tree, *["x" * 1000] * 50).splitlines()
    assert len(said) == 2 and "(and the same at 4 more places)" in said[0]
    assert said[1].startswith("apps/test/app.config: further lines")


def test_mark_that_an_editor_puts_in_front_is_not_read(tree: Path) -> None:
    mark = "\ufeff"
    assert including(tree, f"{mark}PSA_WANT_ALG_SHA_256=y\r") == ""
    for file in ("boards/plain/board.toml", "drivers/wide/driver.json"):
        (tree / file).write_text(mark + (tree / file).read_text())
    assert including(tree, "PSA_WANT_ALG_SHA_256=y") == ""


def test_selected_symbol_cannot_be_switched_off(tree: Path) -> None:
    text = error_of(tree, *P256, "PSA_WANT_KEY_TYPE_ECC_PUBLIC_KEY=n")
    assert "PSA_WANT_KEY_TYPE_ECC_PUBLIC_KEY=n has no effect" in text
    assert "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_BASIC needs it" in text


def test_command_line_is_named_and_wins(tree: Path) -> None:
    text = error_of(tree, *CBC, settings={"NO_SUCH": "y"})
    assert "--set NO_SUCH=y: NO_SUCH is no symbol" in text
    wants = (*CBC, "CORRAL_CBC_NO_PADDING_AES_256_BY_WIDE=y")
    built = build(tree, *wants, settings={"CORRAL_CBC_NO_PADDING_AES_256_BY_PICKY": "y"})
    assert built.servers("CBC_NO_PADDING_AES_256")["cipher_multipart"] == ["picky"]
    row = next(r for r in reload(built) if r.mechanism == "CBC_NO_PADDING_AES_256")
    assert row.reason == "your choice (--set CORRAL_CBC_NO_PADDING_AES_256_BY_PICKY=y)"


def test_settings_are_not_remembered(tree: Path) -> None:
    build(tree, *CBC, settings={"CORRAL_CBC_NO_PADDING_AES_256_BY_PICKY": "y"})
    built = build(tree, *CBC)
    assert built.servers("CBC_NO_PADDING_AES_256")["cipher_multipart"] == ["wide"]


def test_configuration_for_one_board_comes_on_top(tree: Path) -> None:
    write_app(tree)
    extra = tree / "apps" / APP / f"{RICH}.config"
    extra.write_text("CORRAL_THREADS=y\n")
    built = build(tree, "PSA_WANT_ALG_SHA_256", board=RICH)
    assert "#define CORRAL_THREADS 1\n" in built.text("config.h")
    built = build(tree, "PSA_WANT_ALG_SHA_256", board=PLAIN)
    assert "#define CORRAL_THREADS 0\n" in built.text("config.h")


def test_generation_needs_a_configuration(tree: Path) -> None:
    with pytest.raises(CorralError, match=r"\.config: not configured yet"):
        api.generate(tree, APP, PLAIN, tree / "build" / "nothing")


@pytest.mark.parametrize(
    ("wants", "says"),
    [
        (
            ("PSA_WANT_KEY_TYPE_ARC4", "PSA_WANT_ALG_SHA_256"),
            "apps/test/app.config:1: PSA_WANT_KEY_TYPE_ARC4: not served yet by any driver",
        ),
        (
            ("PSA_WANT_ALG_CBC_NO_PADDING",),
            "PSA_WANT_ALG_CBC_NO_PADDING: has nothing to work with: set also "
            "PSA_WANT_KEY_TYPE_AES and PSA_WANT_AES_KEY_SIZE_128",
        ),
        (
            ("PSA_WANT_KEY_TYPE_AES",),
            "PSA_WANT_KEY_TYPE_AES: has nothing to work with: set also PSA_WANT_AES_KEY_SIZE_128",
        ),
        (
            ("PSA_WANT_ALG_SHA_256", "PSA_WANT_ALG_ECDSA", "PSA_WANT_ECC_MONTGOMERY_255"),
            "PSA_WANT_ECC_MONTGOMERY_255: has nothing to work with",
        ),
        (
            ("PSA_WANT_ALG_SHA3_256",),
            "apps/test/app.config:1: PSA_WANT_ALG_SHA3_256: no enabled driver supports SHA3_256 "
            "(PSA_WANT_ALG_SHA3_256): no driver of this tree can",
        ),
        (
            (*P256, "PSA_WANT_GENERATE_RANDOM=n"),
            "PSA_WANT_GENERATE_RANDOM=n has no effect, its value is y: "
            "CORRAL_ECDSA_SIGN_SECP_R1_256_BY_WIDE, CORRAL_ECC_GENERATE_SECP_R1_256_BY_WIDE "
            "needs it: remove this assignment",
        ),
        (
            (*CBC, "CORRAL_DRIVER_WIDE=n", "CORRAL_DRIVER_PICKY=n"),
            "PSA_WANT_ALG_CBC_NO_PADDING: no enabled driver supports CBC_NO_PADDING_AES_128 "
            "(PSA_WANT_ALG_CBC_NO_PADDING with PSA_WANT_KEY_TYPE_AES with "
            "PSA_WANT_AES_KEY_SIZE_128): could be served by chip (board plain has no such element "
            "and needs HAS_I2C, which board plain has not), engine (needs HAS_ENGINE, which board "
            "plain has not), vault (board plain has no such element), wide (set "
            "CORRAL_DRIVER_WIDE=y)",
        ),
    ],
)
def test_want_that_cannot_be_served(tree: Path, wants: tuple[str, ...], says: str) -> None:
    assert says in error_of(tree, *wants)


def test_random_numbers_need_entropy_of_the_board(tree: Path) -> None:
    board = tree / "boards" / PLAIN / "board.toml"
    board.write_text(board.read_text().replace("HAS_ENTROPY = true", "HAS_ENTROPY = false"))
    says = "no enabled driver supports RANDOM (PSA_WANT_GENERATE_RANDOM): could be served by"
    assert says in error_of(tree, "PSA_WANT_GENERATE_RANDOM")


def test_storage_in_clear_is_a_warning(tmp_path: Path) -> None:
    kept = {"CORRAL_STORAGE": "y", "CORRAL_PERSISTENT_KEYS": "y"}
    for settings, why in (({}, ""), ({"CORRAL_SEALED_STORAGE": "n"}, "CORRAL_SEALED_STORAGE=n")):
        api.configure(ROOT, "hmac", "native", tmp_path, {**kept, **settings})
        notes = api.generate(ROOT, "hmac", "native", tmp_path).notes
        warnings = [note.text for note in notes if note.is_warning]
        assert [text.endswith(why) for text in warnings] == ([True] if why else [])


def test_combination_that_no_driver_serves_is_a_note(tree: Path) -> None:
    """Each want has its use, but not with each other: nothing to put right, but to be told."""
    p384 = ("PSA_WANT_ALG_ECDH", "PSA_WANT_ECC_SECP_K1_256")
    edit_json(description(tree, "curve_a"), _for_koblitz)
    built = build(tree, *P256, *p384)
    notes = {note.subject: note.text for note in built.bindings.notes}
    assert "PSA_WANT_ALG_ECDH with " in notes["ECDH_SECP_K1_256"]
    row = next(r for r in reload(built) if r.mechanism == "ECDH_SECP_K1_256")
    assert (row.driver, row.reason) == ("-", "no driver supports it")


def _for_koblitz(value: Any) -> None:
    """A driver for secp256k1 that cannot agree on secrets."""
    for capability in value["capabilities"]:
        capability["key_types"] = [t.replace("_R1", "_K1") for t in capability["key_types"]]
        if "key_agreement" in capability["entry_points"]:
            capability["entry_points"].remove("key_agreement")


def test_pools_with_nothing_to_hold_have_no_slots(tree: Path) -> None:
    header = build(tree, "PSA_WANT_ALG_SHA_256").text("config.h")
    for pool in ("SINGLE_KEY", "KEY_PAIR", "PROTECTED_KEY"):
        assert f"#define CORRAL_{pool}_SLOTS 0\n" in header
    header = build(tree, *P256, board=RICH).text("config.h")
    for pool, count in (("SINGLE_KEY", 4), ("KEY_PAIR", 2), ("PROTECTED_KEY", 4)):
        assert f"#define CORRAL_{pool}_SLOTS {count}\n" in header


def test_every_symbol_is_defined_as_a_number(tree: Path) -> None:
    built = build(tree, "PSA_WANT_ALG_SHA_256")
    for line in built.text("config.h").splitlines():
        if line.startswith("#define ") and len(line.split()) > 2:
            assert int(line.split()[2]) >= 0, line
    wants = load_tree(tree).mechanisms.wants
    assert len(wants) > 200
    for symbol in wants:
        assert f"#define {symbol.replace('PSA_', 'CORRAL_', 1)} " in built.text("config.h")


def test_wants_of_others_are_defined_as_1_or_not_at_all(tree: Path) -> None:
    built = build(tree, "PSA_WANT_ALG_SHA_256")
    found = re.findall(r"^#define (PSA_\w+)(.*)$", built.text("config.h"), re.M)
    assert found == [("PSA_WANT_ALG_SHA_256", " 1")]
    assert "#define CORRAL_WANT_ALG_SHA_256 1\n" in built.text("config.h")
    assert "#define CORRAL_WANT_ALG_SHA_512 0\n" in built.text("config.h")


def test_consent_to_a_licence_is_asked_for(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tree / "packages" / "somelib" / "package.toml"
    package.write_text('consent = "CORRAL_TEST_CONSENT"\n' + package.read_text())
    wants = (*P256, "CORRAL_DRIVER_WIDE=n", "CORRAL_DRIVER_CURVE_A=n")
    monkeypatch.delenv("CORRAL_TEST_CONSENT", raising=False)
    text = error_of(tree, *wants)
    assert "curve_b (needs your consent to a licence: CORRAL_TEST_CONSENT=1" in text
    monkeypatch.setenv("CORRAL_TEST_CONSENT", "1")
    built = build(tree, *(w for w in wants if w != "CORRAL_DRIVER_WIDE=n"),
                  settings={"CORRAL_SECP_R1_256_BY_CURVE_B": "y"})  # fmt: skip
    assert built.bindings.packages == ["somelib"]
    monkeypatch.setattr(packages, "ensure_all", lambda *_: {"somelib": tree})
    where = "drivers/curve_b/driver.json: corral/packages.somelib: package somelib has no "
    for name in ("src/common.c", "inc"):
        with pytest.raises(CorralError) as caught:
            packages.ensure_for(tree, built.bindings)
        assert any(str(p).startswith(f"{where}{name}: look") for p in caught.value.problems)
    assert built.servers("ECDSA_SIGN_SECP_R1_256")["sign_hash"] == ["curve_b"]


def test_mistake_in_kconfig_names_the_file(tree: Path) -> None:
    path = tree / "drivers" / "over" / "Kconfig"
    path.write_text(path.read_text() + "\tdepends HAS_ENGINE\n")
    assert "drivers/over/Kconfig:5" in error_of(tree, "PSA_WANT_ALG_SHA_256")
    path.write_text(path.read_text().replace("depends HAS_ENGINE", "depends on CORRAL_OVR"))
    assert "drivers/over/Kconfig:2: undefined symbol CORRAL_OVR" in error_of(
        tree, "PSA_WANT_ALG_SHA_256"
    )


def test_file_that_a_drivers_kconfig_lacks_is_its_mistake(tree: Path) -> None:
    """Not that of the files which every build reads, and for whatever board it is."""
    path = tree / "drivers" / "over" / "Kconfig"
    path.write_text(path.read_text() + 'source "Kconfig.more"\n')
    error = error_of(tree, "PSA_WANT_ALG_SHA_256")
    assert "drivers/over/Kconfig:5: 'Kconfig.more' not found" in error
    assert "rsource" in error
    path.write_text(path.read_text().replace("source", "rsource"))
    (path.parent / "Kconfig.more").write_text('config MORE_OF_OVER\n\tbool "more"\n')
    assert build(tree, "PSA_WANT_ALG_SHA_256").bindings


def test_menu_keeps_only_what_was_changed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wants = (*CBC, *P256, "CORRAL_RAW_KEY_MAX_SIZE=80")
    write_app(tree, *wants)

    def choose(kconf: Any) -> None:
        """As the menu does: load, change, save."""
        path = os.environ["KCONFIG_CONFIG"]
        kconf.load_config(path)
        kconf.syms["CORRAL_SECP_R1_256_BY_CURVE_B"].set_value(2)
        kconf.syms["CORRAL_KEY_PAIR_SLOTS"].set_value("7")
        kconf.write_config(path)

    monkeypatch.setattr(configure_module, "_curses_menu", choose)
    folder = tree / "build" / "menu"
    configure_build(tree, APP, PLAIN, folder, {}, menu=True)
    saved = (folder / "user.config").read_text().splitlines()
    assert saved[1:] == ["CORRAL_KEY_PAIR_SLOTS=7", "CORRAL_SECP_R1_256_BY_CURVE_B=y"]
    built = build(tree, *wants, folder=folder)
    assert "#define CORRAL_KEY_PAIR_SLOTS 7\n" in built.text("config.h")
    assert "#define CORRAL_RAW_KEY_MAX_SIZE 80\n" in built.text("config.h")
    assert built.servers("ECDSA_SIGN_SECP_R1_256")["sign_hash"] == ["curve_b"]
    # The menu again, without a change: nothing is lost.
    monkeypatch.setattr(configure_module, "_curses_menu", lambda kconf: None)
    configure_build(tree, APP, PLAIN, folder, {}, menu=True)
    assert (folder / "user.config").read_text().splitlines() == saved


def test_menu_may_begin_with_a_preset(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The saved configuration is the user's, and does not name the preset again."""

    def save(kconf: Any) -> None:
        kconf.load_config(os.environ["KCONFIG_CONFIG"])
        kconf.write_config(os.environ["KCONFIG_CONFIG"])

    write_app(tree, *CBC)
    (tree / "config" / "presets").mkdir(exist_ok=True)
    lines = [f"{line}=y\n" for line in P256]
    (tree / "config" / "presets" / "signer.config").write_text("".join(lines))
    folder = tree / "build" / "menu"
    for menu, expected in ((lambda kconf: None, set()), (save, set(P256))):
        monkeypatch.setattr(configure_module, "_curses_menu", menu)
        configure_build(tree, APP, PLAIN, folder, {}, menu=True, presets=("signer",))
        saved = (folder / "user.config").read_text().splitlines()[1:]
        assert expected <= {line.removesuffix("=y") for line in saved} and bool(saved) == bool(
            expected
        )
        settled = configure_build(tree, APP, PLAIN, folder, {})
        assert settled.is_on("PSA_WANT_ALG_ECDSA") == bool(expected)


def test_description_table_of_drivers(tree: Path) -> None:
    tables = {table.name: table for table in api.driver_tables(tree)}
    assert set(tables) == {driver.name for driver in api.list_drivers(tree)}
    text = tables["chip"].markdown()
    assert "## chip: Element with slots" in text
    assert "opaque driver, needs HAS_I2C" in text
    assert "| HMAC(SHA_256) | HMAC | mac_compute, mac_verify | - | - |" in text
    assert (
        "| MD5, SHA_1, SHA_224, SHA_256 | - | hash_compute, hash_multipart, "
        in tables["wide"].markdown()
    )
    assert [board.name for board in api.list_boards(tree)] == [PLAIN, RICH]
