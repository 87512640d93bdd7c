# SPDX-License-Identifier: Apache-2.0
"""The scripts of tools/checks find what they look for."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Pairs of places in C that share six lines, a function's head taken for one, and those of them
#: with a test. There were 169 and 42 when they began to be counted; of all lines alike 409.
PAIRS, TESTS = 57, 7


def script(name: str) -> ModuleType:
    """One of the scripts, as a module."""
    specification = importlib.util.spec_from_file_location(name, ROOT / f"tools/checks/{name}.py")
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_duplicates_counts_runs_and_not_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duplicates = script("duplicates")
    monkeypatch.setattr(duplicates, "ROOT", tmp_path)
    run = [f"line({number});" for number in range(9)]
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "one.c").write_text("\n".join(["first();", *run]))
    (tmp_path / "core" / "two.c").write_text("\n\n".join(f"    {line}" for line in run))
    (tmp_path / "core" / "three.c").write_text("\n".join(run[:5]))
    found = duplicates.pairs(duplicates.sources(["core"]))
    assert found == [(9, "core/one.c:2", "core/two.c:1")]


def test_duplicates_takes_a_head_for_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duplicates = script("duplicates")
    monkeypatch.setattr(duplicates, "ROOT", tmp_path)
    head = ["#include <a.h>", "psa_status_t f(int a,", "int b,", "int c)", "{", "(void)a;"]
    (tmp_path / "core").mkdir()
    for name, body in {"one": 5, "two": 5, "three": 4}.items():
        lines = [*head, *(f"    line({number});" for number in range(body))]
        (tmp_path / "core" / f"{name}.c").write_text("\n".join(lines))
    paths = duplicates.sources(["core"])
    assert duplicates.pairs(paths) == [(6, "core/one.c:2", "core/two.c:2")]
    assert len(duplicates.pairs(paths, duplicates.all_lines)) == 3


def test_tree_does_not_repeat_itself_more_than_it_did() -> None:
    """If you remove a pair, lower the number. If you add one, share the code of the two."""
    duplicates = script("duplicates")
    found = duplicates.pairs(duplicates.sources((*duplicates.FOLDERS, duplicates.TESTS)))
    places = [f"{pair.one} {pair.other}" for pair in found]
    of_tests = [place for place in places if "tests/" in place]
    assert (len(of_tests) <= TESTS, len(found) <= PAIRS) == (True, True), "\n".join(places)


def test_includes_finds_a_circle_and_only_that(tmp_path: Path) -> None:
    includes = script("includes")
    for name, text in {
        "core/a.c": '#include "a.h"\n#include "../storage/b.h"\n',
        "core/a.h": "",
        "storage/b.h": "",
        "storage/b.c": '#include "b.h"\n',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert includes.circle(includes.graph(tmp_path)) == []
    (tmp_path / "storage/b.c").write_text('#include "b.h"\n#include "../core/a.h"\n')
    assert set(includes.circle(includes.graph(tmp_path))) == {"core/a", "storage/b"}


def test_includes_finds_a_circle_of_rooms(tmp_path: Path) -> None:
    includes = script("includes")
    for name, text in {
        "core/one/a.c": '#include "../two/b.h"\n',
        "core/one/a.h": "",
        "core/one/c.h": "",
        "core/two/b.h": "",
        "core/two/d.h": '#include "../one/c.h"\n',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text)
    units = includes.graph(tmp_path)
    assert includes.circle(units) == []
    assert set(includes.circle(includes.rooms(units))) == {"core/one", "core/two"}


def test_neither_files_nor_rooms_include_each_other_in_a_circle() -> None:
    assert script("includes").main([]) == 0


def objects(folder: Path, sources: dict[str, str]) -> Path:
    """A build folder with an object of each source, as CMake lays it out."""
    for name, code in sources.items():
        made = folder / "cmake/CMakeFiles/corral_core.dir" / f"{name}.o"
        made.parent.mkdir(parents=True, exist_ok=True)
        command = ["gcc", "-x", "c", "-c", "-", "-o", str(made)]
        subprocess.run(command, input=code.encode(), check=True)
    return folder


def test_calls_finds_a_circle_that_no_include_shows(tmp_path: Path) -> None:
    calls = script("calls")
    uses = "extern int {0}; int *{1}(void); int *{1}(void) {{ return &{0}; }}"
    sources = {
        "core/one/a.c": "int a; static int c; int *own(void); int *own(void) { return &c; }",
        "core/one/b.c": uses.format("a", "b"),
        "drivers/acme/c.c": uses.format("a", "acme"),
        "fleet/device/d.c": uses.format("psa_e", "d"),
    }
    assert calls.circles(calls.symbols(objects(tmp_path, sources))) == []
    sources["core/one/a.c"] = "int *b(void); int a; int *a_b(void); int *a_b(void) { return b(); }"
    found = calls.circles(calls.symbols(objects(tmp_path, sources)))
    assert [set(one) for one in found] == [{"core/one/a", "core/one/b"}]
    assert calls.main([str(tmp_path)]) == 1


def test_calls_finds_a_circle_of_rooms(tmp_path: Path) -> None:
    calls = script("calls")
    uses = "extern int {0}; int *{1}(void); int *{1}(void) {{ return &{0}; }}"
    sources = {
        "core/one/a.c": "int a;",
        "core/one/b.c": uses.format("d", "b"),
        "storage/c.c": uses.format("a", "c"),
        "storage/d.c": "int d;",
    }
    found = calls.circles(calls.symbols(objects(tmp_path, sources)))
    assert [set(one) for one in found] == [{"core/one", "storage"}]


def test_key_passes_each_room_that_a_call_leads_into() -> None:
    rooms = script("rooms")
    room_of = {"1": "core/a", "2": "core/b", "3": "", "4": rooms.OUTSIDE}
    events = ["+ 1", "+ 3", "+ 2", "+ 2", "-", "-", "-", "+ 4", "+ 2", "-", "-", "+ 2", "-", "-"]
    way = rooms.passed(events, room_of)
    assert way == ["core/a", "core/b", "core/b"]
    assert rooms.returns(way) == {"core/b": 1}


def test_key_that_passes_more_than_its_limit_is_found() -> None:
    rooms = script("rooms")
    way = ["core/a", "core/keys/pool", "core/a"]
    assert rooms.is_within(way, rooms.Limit(rooms=3, same=2, pool=1))
    limits = [(2, 2, 1), (3, 1, 1), (3, 2, 0)]
    assert not any(rooms.is_within(way, rooms.Limit(*limit)) for limit in limits)


def test_keys_pass_no_more_rooms_than_their_limits(capsys: pytest.CaptureFixture[str]) -> None:
    assert script("rooms").main([]) == 0
    assert set(script("rooms").LIMITS) == {
        line.partition(":")[0] for line in capsys.readouterr().out.splitlines()
    }


@pytest.mark.parametrize(
    ("message", "files", "expected"),
    [
        ("Say why\n\nBecause. It costs 8 bytes.\n", ["core/operations/mac.c"], []),
        ("Say why\n\nBecause.\n", ["docs/API.md"], []),
        (
            "Say why\n\nBecause.\n",
            ["wall/local.c"],
            ["no cost: say bytes of flash, RAM and stack, instructions, or nothing"],
        ),
        ("Say nothing\n", ["docs/API.md"], []),
        ("Say nothing\n", ["drivers/p256m/README.md"], []),
        ("Say nothing\n", ["core/operations/mac.c"], ["no body: say why, and what it costs"]),
        ("End with a stop.\n", [], ["subject ends with a full stop"]),
        ("x" * 73, [], ["subject of 73 characters: at most 72"]),
        ("Subject\nat once more", [], ["no empty line behind the subject"]),
    ],
)
def test_commits_are_held_to_their_rules(
    message: str, files: list[str], expected: list[str]
) -> None:
    assert script("commits").problems(message, files) == expected


def test_commits_of_a_shallow_clone_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> None:
        whose = ("-c", "user.name=n", "-c", "user.email=e")
        subprocess.run(["git", *whose, *words], cwd=tmp_path, check=True, capture_output=True)

    commits = script("commits")
    git("init", "-q", "whole")
    for subject in ("Begin.", "Say nothing wrong", "Say more"):
        git("-C", "whole", "commit", "-q", "--allow-empty", "-m", subject)
    git("clone", "-q", "--depth", "2", f"file://{tmp_path}/whole", "clone")
    monkeypatch.setattr(commits, "ROOT", tmp_path / "clone")
    assert commits.main(["--latest"]) == 0
    git("-C", "clone", "commit", "-q", "--allow-empty", "-m", "Stop.")
    assert commits.main(["--latest"]) == 1


def test_named_finds_what_a_family_touches(tmp_path: Path) -> None:
    named = script("named")
    (tmp_path / "core").mkdir()
    for name, text in {"xof.c": "psa_xof_setup", "init.c": "XOF", "hash.c": "psa_hash"}.items():
        (tmp_path / "core" / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    assert named.naming("xof", ["core"], tmp_path) == ["core/init.c"]


@pytest.mark.parametrize(("word", "of_tests"), [("xof", 11), ("encapsul", 18)])
def test_new_family_touches_few_files(word: str, of_tests: int) -> None:
    """Beside its own. Some of those of tests have it as an example, and a new one need not be."""
    named = script("named")
    assert 0 < len(named.naming(word, named.LIBRARY)) <= 12
    assert 0 < len(named.naming(word, named.TESTS)) <= of_tests


@pytest.mark.parametrize(
    ("word", "most"), [("ml_dsa", 6), ("slh_dsa", 6), ("lms", 6), ("xmss", 6), ("ascon_hash", 2)]
)
def test_new_signatures_and_hashes_touch_few_files(word: str, most: int) -> None:
    """Beside drivers and tests. Presets and names of other libraries are no part of support."""
    named = script("named")
    no_part = ("config/presets/", "tools/corral/migrate/")
    found = [name for name in named.naming(word, named.LIBRARY) if not name.startswith(no_part)]
    assert 0 < len(found) <= most, found
