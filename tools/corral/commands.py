# SPDX-License-Identifier: Apache-2.0
"""What commands do, but for those that are about the command line itself (cli.py)."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from corral import ROOT
from corral.arguments import settings
from corral.build import again, reads
from corral.build import image as building
from corral.common import system
from corral.common.progress import alone
from corral.common.table import listing, wrapped
from corral.configure.configuration import share_menu
from corral.configure.fragments import BY_SPEED
from corral.demo import show as showing
from corral.documents import write as writing
from corral.errors import Problem, fail
from corral.extend import scaffold, suites
from corral.generate import api as interface
from corral.model import absent
from corral.model.board import load_board
from corral.model.node import nearest
from corral.model.places import KINDS, VARIABLE, Places
from corral.model.port import debian_of_all
from corral.model.tree import load_tree
from corral.packages import fetch as fetching
from corral.run import program as running
from corral.run import provision as provisioning


def _build_options(arguments: argparse.Namespace) -> building.Options:
    return building.Options(
        settings=settings(arguments.set),
        presets=tuple(arguments.preset),
        sanitize=getattr(arguments, "sanitize", "") or "",
        lto=getattr(arguments, "lto", None),
        debug=getattr(arguments, "debug", False),
    )


def build(arguments: argparse.Namespace) -> int:
    began = again.now()
    options = _build_options(arguments)
    app, board = arguments.app, arguments.board
    with reads.recorded() as read, alone(building.folder_of(app, board)):
        bindings = building.prepare(app, board, options)
        done = building.build(app, board, options, bindings)
        label = Places.of(ROOT).label(done.image)
        # A warning is said each time; and a trusted side beside a core is a build of its own.
        if not done.board.trusted and not any(note.is_warning for note in bindings.notes):
            _keep(done, label, options, reads.asked_for(read, ROOT, done.folder), began)
    print(label)
    return 0


def _keep(
    done: building.Build, label: str, options: building.Options, read: list[Path], began: int
) -> None:
    """Keep what lets the same command begin with compiling."""
    tools = ("cmake", "ninja", building.compiler_of(done.board, options))
    programs = again.programs_of(tools)
    # Folders of the user and programs of the search path that come later are found first, and a
    # compiler may be called by another program of its name.
    own = [place / kind for place in Places.of(ROOT).own for kind in (*KINDS, "config/presets")]
    found = [Path(folder, name) for folder in os.get_exec_path() for name in tools]
    stamp = again.Stamp(
        title=building.title(done.app, done.board.name),
        label=label,
        folder=str(done.folder),
        prefix=done.board.toolchain.prefix,
        are_two=building.has_two_images(done),
        reads=again.reads_of([*read, *own, *found]),
        programs=programs,
    )
    made = building.inputs_of(done)
    again.keep(stamp, sys.argv[1:], made, began)


def run(arguments: argparse.Namespace) -> int:
    file = Path(arguments.input).resolve() if arguments.input else None
    if file and not file.is_file():
        raise fail(arguments.input, "no such file", "name a file that exists")
    provisioning.refuse(arguments.app)
    done = building.build(arguments.app, arguments.board, _build_options(arguments))
    images = running.images_of(arguments.board)
    if done.uses_elements:
        # Keys work only in a configured and locked chip; a simulated one can be had anew any time.
        provisioning.prepare_virtual_chips(arguments.board, images)
    status = running.run(
        done,
        [*arguments.arguments, *arguments.rest],
        input_file=file,
        images=images,
        debug=arguments.debug,
    ).returncode
    if status >= 0:
        return status
    what = f"ended by signal {-status} ({signal.strsignal(-status)})"
    problem = Problem(f"{arguments.app} on {arguments.board}", what, "--debug shows where")
    print(f"corral: error: {problem}", file=sys.stderr)
    return 128 - status  # as shells have it


def chips(arguments: argparse.Namespace) -> int:
    images = running.images_of(arguments.board)
    board = load_board(ROOT, arguments.board)
    if not arguments.program:
        raise fail("chips", "no command", f"write one behind {arguments.board}")
    if shutil.which(arguments.program[0]) is None:
        raise fail(arguments.program[0], "no such program", "name one that is built")
    if board.toolchain.prefix or board.simulator:
        raise fail(board.label, "its elements are on an emulated bus", "name native or one like it")
    provisioning.prepare_virtual_chips(arguments.board, images)
    return running.beside_chips(board, images, arguments.program)


def menuconfig(arguments: argparse.Namespace) -> int:
    if not sys.stdin.isatty():
        raise fail("menuconfig", "needs a terminal", "use ./corral build ... --set SYMBOL=VALUE")
    options = building.Options(presets=tuple(arguments.preset))
    building.prepare(arguments.app, arguments.board, options, menu=True)
    arguments.preset = []  # it is among what the menu changed
    return explain(arguments)


def explain(arguments: argparse.Namespace) -> int:
    options = building.Options(
        settings=settings(getattr(arguments, "set", [])),
        presets=tuple(getattr(arguments, "preset", [])),
    )
    folder = building.folder_of(arguments.app, arguments.board)
    with alone(folder):  # or what is explained were what another command has just settled
        bindings = building.prepare(arguments.app, arguments.board, options)
        rows = interface.explain(ROOT, arguments.app, arguments.board, folder)
    selected = interface.selected_wants(bindings)
    if getattr(arguments, "json", False):
        report = {
            "app": arguments.app,
            "board": arguments.board,
            "measured_with": interface.figures_of(bindings),
            "mechanisms": [asdict(row) for row in rows],
            "selected": selected,
            "public_alone": interface.public_alone(bindings),
            "notes": [asdict(note) for note in bindings.notes],
        }
        print(json.dumps(report, indent=2))
        return 0
    table = [("mechanism", "where", "served by")]
    table += [(row.mechanism, row.where, row.driver) for row in rows]
    head, rule, *lines = listing(table).splitlines()
    print(f"{head}\n{rule}")
    for row, line in zip(rows, lines, strict=True):
        print("\n".join([line, *(wrapped(text, 4) for text in _reasons(row))]))
    if processor := interface.figures_of(bindings):
        unit = "instructions" if bindings.configuration.is_on(BY_SPEED) else "bytes"
        print(f"{unit}: as measured with {processor}")
    for symbol, selectors in selected.items():
        print(wrapped(f"selected: {symbol} by {', '.join(selectors)}"))
    for symbol in interface.public_alone(bindings):
        print(f"public keys alone: {symbol}")
    for note in bindings.notes:
        print(wrapped(f"note: {note.subject}: {note.text}"))
    return 0


def _reasons(row: interface.ExplainRow) -> Iterator[str]:
    """Why a driver serves a mechanism, and by which of its functions."""
    yield row.reason
    if row.entry_points:
        yield f"functions: {', '.join(row.entry_points)}"


def drivers(arguments: argparse.Namespace) -> int:
    tables = interface.driver_tables(ROOT)
    name = arguments.driver
    if name and name not in (table.name for table in tables):
        known = [table.name for table in tables]
        raise fail(f"drivers/{name}/driver.json", "no such driver", nearest(name, known))
    tables = [table for table in tables if name in ("", table.name)]
    if arguments.json:
        print(json.dumps([asdict(table) for table in tables], indent=2))
        return 0
    for table in tables:
        needs = "".join(f", needs {symbol}" for symbol in table.requires)
        needs += "".join(f", package {name}" for name in table.packages)
        print(wrapped(f"{table.name}: {table.title} ({table.type}{needs})"))
        for row in table.rows:
            key = "" if row.keys == "-" else f" with {row.keys}"
            print(wrapped(f"{row.entry_points}: {row.algorithms}{key}", 2))
            notes = [row.limits] if row.limits != "-" else []
            notes += [f"time: {row.time}"] if row.time != "-" else []
            if notes:
                print(wrapped("; ".join(notes), 6))
        print()
    return 0


def documents(arguments: argparse.Namespace) -> int:
    if arguments.observed:
        system.ensure(["host", "test"])
    for name in writing.write(ROOT, arguments.observed):
        print(name)
    return 0


def packages(_arguments: argparse.Namespace) -> int:
    table = [("package", "from", "name", "version", "licence", "state")]
    notes = []
    for package in fetching.load_all(ROOT):
        state = "unpacked" if package.is_there(ROOT) else "fetched when needed"
        if package.consent:
            state += f", only with {package.consent}=1"
        source = package.source
        row = (package.name, source.registry, source.name, source.version, package.licence, state)
        table.append(row)
        if package.note:
            notes.append(f"{package.name}: {package.note}")
    print(listing(table))
    print("\n".join(notes))
    return 0


def demo(arguments: argparse.Namespace) -> int:
    return showing.demo(Path(arguments.file) if arguments.file else None)


def fleet(arguments: argparse.Namespace) -> int:
    # Here, because no other command needs a server and a network.
    from corral.fleet.demo import demo as of_a_fleet  # noqa: PLC0415

    return of_a_fleet(arguments.json)


def provision(arguments: argparse.Namespace) -> int:
    return provisioning.provision(arguments.board, arguments.element, arguments.lock)


def bench(arguments: argparse.Namespace) -> int:
    # Here, because no other command needs what measures, nor the libraries that it stands on.
    sys.path.append(str(ROOT / "bench"))
    from corral_bench import command  # noqa: PLC0415

    return command.bench(
        command.Wishes(
            tuple(arguments.only), arguments.compare, arguments.fast, arguments.accept or ""
        )
    )


def size(arguments: argparse.Namespace) -> int:
    # Here, because the reader of ELF is not there when only help is asked for.
    from corral.measure.size import report  # noqa: PLC0415

    options = _build_options(arguments)
    app, board = arguments.app, arguments.board
    usual = building.folder_of(app, board)
    description = load_board(ROOT, board)

    def built(lto: bool) -> building.Build:
        # What `build` left in the usual folder stays what it is.
        name = "" if lto == description.lto else f"{usual.name}-{'lto' if lto else 'plain'}"
        if name:
            share_menu(usual, building.folder_of(app, board, name))
        return building.build(app, board, replace(options, lto=lto, name=name))

    plain = built(lto=False)
    done = built(lto=True) if building.has_lto(description, options) else plain
    print(report(done, arguments.symbols, plain))
    return 0


def api(_arguments: argparse.Namespace) -> int:
    present, missing = absent.functions(ROOT)
    print(f"in this version, {len(present)} functions:")
    print(wrapped(" ".join(present), 2))
    print(f"not yet, {len(missing)} functions:")
    print(wrapped(" ".join(missing), 2))
    return 0


def new(arguments: argparse.Namespace) -> int:
    place = Path(os.path.abspath(arguments.place))
    for command in scaffold.new(arguments.kind, arguments.name, place, arguments.like):
        print(command)
    return 0


def test(arguments: argparse.Namespace) -> int:
    words, places, driver = suites.outside(arguments.rest)
    os.environ[VARIABLE] = os.pathsep.join(places)
    if driver:
        for problem in suites.check_tested(load_tree(ROOT), driver):
            print(f"  note: {problem}", file=sys.stderr)
    system.ensure(["host", "c++", "openssl", "test"], debian_of_all(ROOT))
    # A process for each processor; groups of tests in the order of tests/conftest.py.
    side_by_side = ["-n", "auto", "--dist", "loadgroup", "--no-loadscope-reorder"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *side_by_side]
    command += words
    print("running " + building.shell(command[1:]), file=sys.stderr)
    return subprocess.run(command, cwd=ROOT, check=False).returncode
