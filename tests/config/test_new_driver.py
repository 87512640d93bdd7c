# SPDX-License-Identifier: Apache-2.0
"""A driver is one folder: dropped into a tree it is found, and nothing else is touched."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from corral.errors import CorralError
from corral.generate import api
from corral.model.app import load_beside
from corral.model.tree import load_tree
from test_binding import hashing, reasons
from test_configuration import P256
from trees import PLAIN, RICH, ROOT, build, compile_everything, include_flags, run_calls

INVENTED = {
    "prefix": "invented",
    "type": "transparent",
    "corral/title": "An engine that nobody has built",
    "corral/rank": 60,
    "capabilities": [
        {
            "entry_points": ["hash_multipart"],
            "algorithms": ["PSA_ALG_SHA_256", "PSA_ALG_SM3"],
            "corral/context_header": "invented_context.h",
            "corral/time": "secret-independent",
            "corral/limits": "one at a time",
        }
    ],
}


def contents(root: Path) -> dict[str, bytes]:
    """Everything of a tree but what is built."""
    files = (p for p in sorted(root.rglob("*")) if p.is_file() and "build" not in p.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def drop_in(root: Path) -> None:
    folder = root / "drivers" / "invented"
    folder.mkdir()
    (folder / "driver.json").write_text(json.dumps(INVENTED))
    (folder / "Kconfig").write_text(
        'config CORRAL_DRIVER_INVENTED\n\tbool "An engine that nobody has built"\n\tdefault y\n'
    )


def test_invented_driver_serves_at_once(tree: Path) -> None:
    build(tree, "PSA_WANT_ALG_SHA_256")
    before = contents(tree)
    drop_in(tree)
    built = build(tree, "PSA_WANT_ALG_SHA_256", settings={"CORRAL_SHA_256_BY_INVENTED": "y"})
    assert built.servers("SHA_256")["hash_multipart"] == ["invented"]
    compile_everything(built)
    assert run_calls(built, hashing()) == [
        "invented_hash_setup invented_hash_update invented_hash_finish = 0"
    ]
    after = {n: c for n, c in contents(tree).items() if not n.startswith("drivers/invented/")}
    assert after == before


def test_invented_driver_is_offered_but_not_imposed(tree: Path) -> None:
    drop_in(tree)
    built = build(tree, "PSA_WANT_ALG_SHA_256")
    assert built.servers("SHA_256")["hash_compute"] == ["wide"]
    built = build(tree, "PSA_WANT_ALG_SM3", "PSA_WANT_ALG_SHA_256")
    assert reasons(built, "SM3") == {("invented", "local"): "only candidate"}
    table = next(t for t in api.driver_tables(tree) if t.name == "invented")
    assert table.rows[0].limits == "one at a time"


def test_description_that_changes_is_read_again(tree: Path) -> None:
    drop_in(tree)
    file = tree / "drivers" / "invented" / "driver.json"
    for rank in (60, 61):
        file.write_text(json.dumps({**INVENTED, "corral/rank": rank}))
        assert load_tree(tree).drivers["invented"].rank == rank
    file.write_text(json.dumps({**INVENTED, "corral/rank": "high"}))
    for _ in range(2):
        with pytest.raises(CorralError, match="corral/rank"):
            load_tree(tree)
    file.write_text(json.dumps(INVENTED))
    header = file.with_name("string.h")
    header.touch()
    with pytest.raises(CorralError, match="hides C's header"):
        load_tree(tree)
    header.unlink()
    assert load_tree(tree).drivers["invented"].rank == INVENTED["corral/rank"]


def test_driver_without_use_leaves_no_trace_in_the_build(tree: Path) -> None:
    drop_in(tree)
    built = build(tree, *P256)
    for name in ("sources.cmake", "gen/corral/contexts/hash.h", "gen/corral/dispatch/hash.h"):
        assert "invented" not in (built.folder / name).read_text()


@pytest.mark.parametrize(
    ("defined", "instead", "message"),
    [
        ("size_t hash_size", "uint32_t hash_size", "conflicting types for .invented_hash_finish"),
        (
            "size_t input_length",
            "size_t bytes, int last",
            "conflicting types for .invented_hash_up",
        ),
        ("invented_hash_setup(", "invented_hash_begin(", "no previous .* .invented_hash_begin"),
    ],
)
def test_function_that_is_not_as_it_is_called_does_not_compile(
    tree: Path, defined: str, instead: str, message: str
) -> None:
    drop_in(tree)
    built = build(tree, "PSA_WANT_ALG_SHA_256", settings={"CORRAL_SHA_256_BY_INVENTED": "y"})
    text = (tree / "drivers" / "invented" / "functions.c").read_text()
    flags = [*include_flags(built), "-std=c11", "-Wmissing-prototypes", "-Werror", "-fsyntax-only"]

    def complaint(source: str) -> str:
        command = ["gcc", *flags, "-xc", "-"]
        done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
        return done.stderr if done.returncode else ""

    assert complaint(text) == ""
    assert defined in text
    assert re.search(message, complaint(text.replace(defined, instead, 1)))


def test_contexts_include_nothing_that_applications_do_not_see(tree: Path) -> None:
    drop_in(tree)
    (tree / "drivers" / "invented" / "invented_context.h").write_text("#include <engine.h>\n")
    with pytest.raises(CorralError, match=r"invented_context.h: .*cannot include engine.h"):
        build(tree, "PSA_WANT_ALG_SHA_256", settings={"CORRAL_SHA_256_BY_INVENTED": "y"})


def test_driver_that_is_not_in_the_build_is_not_seen(tree: Path) -> None:
    drop_in(tree)
    built = build(tree, *P256)
    folder = built.folder / "gen" / "corral" / "drivers"
    assert {path.parent.name for path in folder.rglob("*.h")} == set(built.bindings.drivers)


def test_constants_have_types(tree: Path) -> None:
    """Of objects with their declaration, of values as parameters only; a number is a size."""
    drop_in(tree)
    described = {
        **INVENTED,
        "corral/constants": {
            "const struct engine *engine": ["invented_engine"],
            "unsigned mode": ["INT_MAX"],
        },
    }
    capability = {**INVENTED["capabilities"][0], "names": {}}  # type: ignore[index]
    capability["names"] = {"hash_setup": "invented_begin(&invented_engine, INT_MAX, 32)"}
    path = tree / "drivers" / "invented" / "driver.json"
    path.write_text(json.dumps({**described, "capabilities": [capability]}))
    built = build(tree, "PSA_WANT_ALG_SHA_256", settings={"CORRAL_SHA_256_BY_INVENTED": "y"})
    text = " ".join(built.text("drivers/invented/entry_points.h").split())
    assert "extern const struct engine invented_engine;" in text
    assert (
        "psa_status_t invented_begin(const struct engine *engine, unsigned mode, size_t number, "
        "invented_hash_operation_t *operation, psa_algorithm_t alg);"
    ) in text


@pytest.mark.parametrize("kind", ["transparent", "opaque"])
@pytest.mark.parametrize("board", [PLAIN, RICH])
def test_driver_for_a_board_that_is_not_here_disturbs_no_other(
    tree: Path, kind: str, board: str
) -> None:
    """No board needs to name the driver's requirement; its Kconfig suffices."""
    drop_in(tree)
    description = {**INVENTED, "type": kind, "corral/requires": ["HAS_INVENTED"]}
    if kind == "opaque":
        description |= {"location": "0x800300", "key_context": {"base_size": 4}}
        description["capabilities"] = [{"entry_points": ["generate_key"]}]
    folder = tree / "drivers" / "invented"
    (folder / "driver.json").write_text(json.dumps(description))
    tunables = ["depends on HAS_INVENTED && !HAS_INVENTED_ERRATUM"]
    tunables += ["depends on CORRAL_INVENTED_KEYLESS_DEVICE = 0"] if kind == "opaque" else []
    with (folder / "Kconfig").open("a") as file:
        file.write("".join(f"\t{line}\n" for line in tunables))
    built = build(tree, "PSA_WANT_ALG_SHA_256", board=board)
    assert "invented" not in built.servers("SHA_256")["hash_multipart"]
    compile_everything(built)


def test_capability_that_nothing_else_names_is_told_where_it_is_missed(tree: Path) -> None:
    drop_in(tree)
    needy = {**INVENTED, "corral/requires": ["HAS_ENGIN"]}
    (tree / "drivers" / "invented" / "driver.json").write_text(json.dumps(needy))
    with pytest.raises(CorralError, match=r"HAS_ENGIN, which board plain has not: did you mean "):
        build(tree, "PSA_WANT_ALG_SM3")


def test_drivers_of_this_tree_are_complete() -> None:
    """Every file that a description names, whether a test builds it or not."""
    tree = load_tree(ROOT)
    missing = []
    for driver in tree.drivers.values():
        names = [*driver.own_headers, *driver.sources]
        names += [s for c in driver.capabilities for s in (*c.sources, c.context_header) if s]
        names += [driver.device.header] if driver.device else []
        folders = [driver.folder, *(driver.folder / i for i in driver.include)]
        missing += [
            f"{driver.name}: {name}"
            for name in names
            if not any((folder / name).is_file() for folder in folders)
        ]
    assert not missing


def _has_parts_for(app: str, port: str) -> bool:
    """Whether the folders that an application is compiled with have something for this port."""
    try:
        load_beside(ROOT, ROOT / "apps" / app, port)
    except CorralError as error:
        return "has nothing for boards with port" not in str(error)
    return True


def test_every_application_can_be_configured_for_every_board(tmp_path: Path) -> None:
    apps = [path.parent.name for path in (ROOT / "apps").glob("*/app.config")]
    pairs = [(app, board) for app in apps for board in api.list_boards(ROOT)]
    assert pairs
    for app, board in pairs:
        if _has_parts_for(app, board.port):
            settled = api.configure(ROOT, app, board.name, tmp_path / f"{app}-{board.name}", {})
            assert api.generate_for(settled).drivers, (app, board.name)


def test_names_that_repeat_are_said_once(tree: Path) -> None:
    """Functions after a base, files in parts, a capability for each row of a list."""
    described = {
        **INVENTED,
        "corral/context_header": "invented_context.h",
        "corral/constants": {"const struct engine *engine": ["invented_sha256", "invented_sm3"]},
        "corral/parts": {
            "engine": {"sources": ["engine.c"], "uses": ["bus"]},
            "bus": {"sources": ["bus.c"], "defines": {"INVENTED_BUS": 1}},
        },
        "corral/lists": {
            "hashes": [
                {"name": "sha256", "algorithms": ["PSA_ALG_SHA_256"]},
                {"name": "sm3", "algorithms": ["PSA_ALG_SM3"], "corral/parts": ["bus"]},
            ]
        },
        "capabilities": [
            {
                "entry_points": ["hash_compute", "hash_multipart"],
                "corral/base": "{name}",
                "corral/constants": ["&invented_{name}"],
                "corral/parts": ["engine"],
                "corral/each": "hashes",
            }
        ],
    }
    drop_in(tree)
    (tree / "drivers" / "invented" / "driver.json").write_text(json.dumps(described))
    first, second = load_tree(tree).drivers["invented"].capabilities
    assert first.function("hash_setup").call(["operation"]) == (
        "invented_sha256_setup(&invented_sha256, operation)"
    )
    assert second.function("hash_update").call(["operation"]) == "invented_sm3_update(operation)"
    assert second.function("hash_compute").name == "invented_sm3_compute"
    assert (second.context, second.context_header) == (
        "invented_sm3_operation_t",
        "invented_context.h",
    )
    assert first.sources == second.sources == ("engine.c", "bus.c")
    assert [part.defines for part in second.parts if part.defines] == [{"INVENTED_BUS": "1"}]
