# SPDX-License-Identifier: Apache-2.0
"""The command line: ./corral COMMAND ..."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from corral import (
    absent,
    api,
    demo,
    documents,
    library_commands,
    packages,
    provision,
    scaffold,
    suites,
    system,
)
from corral import build as building
from corral import run as running
from corral.build import ROOT
from corral.config.configure import share_menu
from corral.errors import CorralError, Problem, fail
from corral.model.board import load_board
from corral.model.places import VARIABLE, Places
from corral.model.port import debian_of_all
from corral.progress import remedy_for
from corral.table import listing
from corral.version import version

_EPILOG = """\
first steps:
  ./corral demo                     see everything work
  ./corral explain zoo native       who serves which mechanism, and why
  ./corral menuconfig ecdsa native  choose another library
"""


def _settings(words: Sequence[str]) -> dict[str, str]:
    settings: dict[str, str] = {}
    for word in words:
        symbol, equals, value = word.partition("=")
        if not equals or not symbol:
            raise fail(
                f"--set {word}", "not of the form SYMBOL=VALUE", "for example CORRAL_THREADS=n"
            )
        if settings.setdefault(symbol, value) != value:
            what = f"contradicts --set {symbol}={settings[symbol]}"
            raise fail(f"--set {word}", what, "leave out one of them")
    return settings


def _build_options(arguments: argparse.Namespace) -> building.Options:
    return building.Options(
        settings=_settings(arguments.set),
        presets=tuple(arguments.preset),
        sanitize=getattr(arguments, "sanitize", "") or "",
        lto=getattr(arguments, "lto", False),
        debug=getattr(arguments, "debug", False),
    )


def _build(arguments: argparse.Namespace) -> int:
    done = building.build(arguments.app, arguments.board, _build_options(arguments))
    print(Places.of(ROOT).label(done.image))
    return 0


def _run(arguments: argparse.Namespace) -> int:
    file = Path(arguments.input).resolve() if arguments.input else None
    if file and not file.is_file():
        raise fail(arguments.input, "no such file", "name a file that exists")
    provision.refuse(arguments.app)
    done = building.build(arguments.app, arguments.board, _build_options(arguments))
    images = running.images_of(arguments.board)
    if done.uses_elements:
        # Keys work only in a configured and locked chip; a simulated one can be had anew any time.
        provision.prepare_virtual_chips(arguments.board, images)
    return running.run(
        done,
        [*arguments.arguments, *arguments.rest],
        input_file=file,
        images=images,
        debug=arguments.debug,
    ).returncode


def _chips(arguments: argparse.Namespace) -> int:
    images = running.images_of(arguments.board)
    board = load_board(ROOT, arguments.board)
    if not arguments.program:
        raise fail("chips", "no command", f"write one behind {arguments.board}")
    if board.toolchain.prefix or board.simulator:
        raise fail(board.label, "its elements are on an emulated bus", "name native or one like it")
    provision.prepare_virtual_chips(arguments.board, images)
    return running.beside_chips(board, images, arguments.program)


def _menuconfig(arguments: argparse.Namespace) -> int:
    if not sys.stdin.isatty():
        raise fail("menuconfig", "needs a terminal", "use ./corral build ... --set SYMBOL=VALUE")
    options = building.Options(presets=tuple(arguments.preset))
    building.prepare(arguments.app, arguments.board, options, menu=True)
    arguments.preset = []  # it is among what the menu changed
    return _explain(arguments)


def _explain(arguments: argparse.Namespace) -> int:
    options = building.Options(
        settings=_settings(getattr(arguments, "set", [])),
        presets=tuple(getattr(arguments, "preset", [])),
    )
    bindings = building.prepare(arguments.app, arguments.board, options)
    folder = building.folder_of(arguments.app, arguments.board)
    rows = api.explain(ROOT, arguments.app, arguments.board, folder)
    table = [("mechanism", "where", "served by", "why", "entry points")]
    table += [
        (row.mechanism, row.where, row.driver, row.reason, ", ".join(row.entry_points))
        for row in rows
    ]
    print(listing(table))
    for symbol, selectors in api.selected_wants(bindings).items():
        print(f"selected: {symbol} by {', '.join(selectors)}")
    for symbol in api.public_alone(bindings):
        print(f"public keys alone: {symbol}")
    for note in bindings.notes:
        print(f"note: {note.subject}: {note.text}")
    return 0


def _drivers(_arguments: argparse.Namespace) -> int:
    tables = api.driver_tables(ROOT)
    for table in tables:
        needs = "".join(f", needs {symbol}" for symbol in table.requires)
        needs += "".join(f", package {name}" for name in table.packages)
        print(f"{table.name}: {table.title} ({table.type}{needs})")
        for row in table.rows:
            key = "" if row.keys == "-" else f" with {row.keys}"
            print(_wrapped(f"{row.entry_points}: {row.algorithms}{key}", 2))
            notes = [row.limits] if row.limits != "-" else []
            notes += [f"time: {row.time}"] if row.time != "-" else []
            if notes:
                print(_wrapped("; ".join(notes), 6))
        print()
    return 0


def _documents(arguments: argparse.Namespace) -> int:
    if arguments.observed:
        system.ensure(["host", "test"])
    for name in documents.write(ROOT, arguments.observed):
        print(name)
    return 0


def _wrapped(text: str, indent: int) -> str:
    return textwrap.fill(
        text, 100, initial_indent=" " * indent, subsequent_indent=" " * (indent + 4)
    )


def _packages(_arguments: argparse.Namespace) -> int:
    table = [("package", "from", "name", "version", "licence", "state")]
    notes = []
    for package in packages.load_all(ROOT):
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


def _help(arguments: argparse.Namespace) -> int:
    _parser().parse_args([*arguments.command.split(), "--help"])
    return 0  # pragma: no cover


def _completion(arguments: argparse.Namespace) -> int:
    # Here, because what makes the script is not there when only help is asked for.
    import shtab  # noqa: PLC0415

    parser = _parser()
    parser.prog = "corral"  # shells look for the last part of what is typed
    print(shtab.complete(parser, arguments.shell))
    return 0


def _demo(arguments: argparse.Namespace) -> int:
    return demo.demo(Path(arguments.file) if arguments.file else None)


def _provision(arguments: argparse.Namespace) -> int:
    return provision.provision(arguments.board, arguments.element, arguments.lock)


def _bench(arguments: argparse.Namespace) -> int:
    # Here, because no other command needs what measures, nor the libraries that it stands on.
    sys.path.append(str(ROOT / "bench"))
    from corral_bench.command import Wishes, bench  # noqa: PLC0415

    return bench(
        Wishes(tuple(arguments.only), arguments.compare, arguments.fast, arguments.accept or "")
    )


def _size(arguments: argparse.Namespace) -> int:
    # Here, because the reader of ELF is not there when only help is asked for.
    from corral import size  # noqa: PLC0415

    options = _build_options(arguments)
    plain = building.build(arguments.app, arguments.board, replace(options, lto=False))
    done = plain
    if options.lto:
        name = f"{plain.folder.name}-lto"
        folder = building.folder_of(arguments.app, arguments.board, name)
        share_menu(plain.folder, folder)
        done = building.build(arguments.app, arguments.board, replace(options, name=name))
    print(size.report(done, arguments.symbols, plain))
    return 0


def _api(_arguments: argparse.Namespace) -> int:
    present, missing = absent.functions(ROOT)
    print(f"in this version, {len(present)} functions:")
    print(_wrapped(" ".join(present), 2))
    print(f"not yet, {len(missing)} functions:")
    print(_wrapped(" ".join(missing), 2))
    return 0


def _new(arguments: argparse.Namespace) -> int:
    place = Path(os.path.abspath(arguments.place))
    for command in scaffold.new(arguments.kind, arguments.name, place, arguments.like):
        print(command)
    return 0


def _test(arguments: argparse.Namespace) -> int:
    words, places = suites.outside(arguments.rest)
    system.ensure(["host", "c++", "openssl", "test"], debian_of_all(ROOT))
    # A process for each processor; groups of tests in the order of tests/conftest.py.
    side_by_side = ["-n", "auto", "--dist", "loadgroup", "--no-loadscope-reorder"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *side_by_side]
    command += words
    print("running " + building.shell(command[1:]), file=sys.stderr)
    environment = {**os.environ, VARIABLE: os.pathsep.join(places)}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


#: A shell takes such a word as it stands. bash expands what it is offered for completion.
_PLAIN = re.compile(r"\w[\w.+-]*", re.ASCII)


class _Suggestions(list[str]):
    """Words that completion offers. Others are taken too: a project has folders of its own."""

    def __init__(self, words: Iterable[str]) -> None:
        super().__init__(word for word in words if _PLAIN.fullmatch(word))

    def __contains__(self, _word: object) -> bool:
        return True


def _add_app_and_board(parser: argparse.ArgumentParser) -> None:
    _add_path(parser)
    for name in ("app", "board"):
        known = _Suggestions(Places(ROOT).names(f"{name}s"))
        text = f"a path, or a folder of {name}s/: {', '.join(known)}"
        parser.add_argument(name, metavar=name.upper(), choices=known, help=text)


def _add_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--path",
        metavar="DIR",
        action="append",
        default=[],
        help="a folder of yours with boards/, drivers/, packages/ and so on, which are found before"
        f" ours; may be repeated; {VARIABLE} is a list of such folders",
    )


@contextmanager
def _search_path(arguments: argparse.Namespace) -> Iterator[None]:
    """For this command, and those that it starts; commands without --path are about the tree."""
    before = os.environ.pop(VARIABLE, "")
    if hasattr(arguments, "path"):
        words = [*map(os.path.abspath, arguments.path), *filter(None, before.split(os.pathsep))]
        os.environ[VARIABLE] = os.pathsep.join(words)
    try:
        yield
    finally:
        os.environ[VARIABLE] = before


def _add_set(parser: argparse.ArgumentParser, has_presets: bool = True) -> None:
    parser.add_argument(
        "--set",
        metavar="SYMBOL=VALUE",
        action="append",
        default=[],
        help="set a configuration symbol for this time; may be repeated",
    )
    if has_presets:
        _add_preset(parser)


def _add_provision(parser: argparse.ArgumentParser) -> None:
    _add_path(parser)
    parser.add_argument("board", metavar="BOARD", help="a board with elements")
    parser.add_argument("--element", metavar="NAME", help="only this one, for example SE0")
    parser.add_argument(
        "--lock",
        metavar="SERIAL",
        help="write and lock one chip for good; SERIAL is the number that the plan shows for it",
    )


def _add_new(parser: argparse.ArgumentParser) -> None:
    kinds = list(scaffold.SCAFFOLDS)
    parser.add_argument("kind", metavar="KIND", choices=kinds, help=", ".join(kinds))
    parser.add_argument("name", metavar="NAME", help="how it is called")
    parser.add_argument(
        "--in", metavar="DIR", dest="place", required=True, help="a folder of yours (see --path)"
    )
    parser.add_argument(
        "--like", metavar="BOARD", default=scaffold.LIKE, help="what a board begins as"
    )


def _add_preset(parser: argparse.ArgumentParser) -> None:
    known = _Suggestions(Places(ROOT).presets())
    parser.add_argument(
        "--preset",
        metavar="NAME",
        choices=known,
        action="append",
        default=[],
        help=f"begin with a configuration of config/presets; may be repeated: {', '.join(known)}",
    )


def _add_path_and_set(parser: argparse.ArgumentParser) -> None:
    _add_path(parser)
    _add_set(parser, has_presets=False)  # a configuration of a library includes them itself


def _add_lto(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lto", action="store_true", help="with link-time optimisation (see docs/BENCH.md)"
    )


def _add_sanitize(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sanitize", metavar="LIST", help="for -fsanitize=, for example address,undefined; native"
    )


def _add_bench(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only",
        metavar="PART",
        action="append",
        default=[],
        help="only this part: cost, curves, families, growth, deduplication, storage, throughput,"
        " tls; or capabilities: what the choice of drivers goes by",
    )
    parser.add_argument(
        "--compare", action="store_true", help="with the baseline; growth of the layer is an error"
    )
    parser.add_argument("--fast", action="store_true", help="with --compare: the quick part of it")
    parser.add_argument(
        "--accept", metavar="REASON", help="make what is measured now the baseline, and say why"
    )


def _add_chips(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", metavar="BOARD", help="a board of this computer with elements")
    parser.add_argument(
        "program", metavar="COMMAND", nargs=argparse.REMAINDER, help="the program and its words"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./corral",
        description="One standard crypto API over the whole zoo of embedded crypto.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"corral {version(ROOT)}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(
        name: str, action: Callable[[argparse.Namespace], int], text: str, example: str
    ) -> argparse.ArgumentParser:
        added = commands.add_parser(
            name,
            help=text,
            description=f"{text[0].upper()}{text[1:]}.",
            epilog=f"example:\n  ./corral {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.set_defaults(action=action)
        return added

    added = command("help", _help, "explain a command, or name all of them", "help build")
    explained = added.add_argument(
        "command", metavar="COMMAND", nargs="?", default="", help="what to explain"
    )
    added = command(
        "demo", _demo, "build and run everything, and let OpenSSL check each result", "demo LICENSE"
    )
    added.add_argument("file", metavar="FILE", nargs="?", help="the file to sign and encrypt")
    _add_new(
        command(
            "new",
            _new,
            "write an application, board, port, driver or element to begin with",
            "new driver acme --in ~/mine",
        )
    )
    added = command("test", _test, "run tests", "test tests/config -k golden")
    added.add_argument(
        "arguments",
        metavar="ARGUMENT",
        nargs="*",
        help="without any: core, drivers and tools; --area NAME or all (tests/areas.toml); --quick:"
        " what says most in three minutes; --long: campaigns of hours; --driver DIR,"
        " --board DIR: what a driver or board of yours inherits, --path DIR: what else it needs;"
        " all else is pytest's",
    )
    added = command("build", _build, "build an application for a board", "build hmac mps2-an386")
    _add_app_and_board(added)
    _add_set(added)
    _add_lto(added)
    _add_sanitize(added)
    added = command("run", _run, "build an application and run it", "run ecdsa mps2-an386")
    _add_app_and_board(added)
    _add_set(added)
    _add_lto(added)
    _add_sanitize(added)
    added.add_argument("--debug", action="store_true", help="under gdb, or waiting for it")
    added.add_argument("--input", metavar="FILE", help="the file that the application reads")
    added.add_argument("arguments", nargs="*", help="words for the application, after --")
    _add_chips(
        command(
            "chips",
            _chips,
            "run a program of yours with a board's simulated elements",
            "chips native out/client 4433 own.pem peer.pem",
        )
    )
    added = command(
        "menuconfig",
        _menuconfig,
        "choose backends, slots and drivers in a menu",
        "menuconfig zoo native",
    )
    _add_app_and_board(added)
    _add_preset(added)
    library_commands.add(command, _add_path_and_set, _settings)
    added = command(
        "explain", _explain, "say which driver serves each mechanism, and why", "explain zoo native"
    )
    _add_app_and_board(added)
    _add_set(added)
    _add_path(command("drivers", _drivers, "list the drivers and what each can do", "drivers"))
    added = command(
        "documents", _documents, "write the documents that follow from descriptions", "documents"
    )
    added.add_argument(
        "--observed",
        action="store_true",
        help="those too that follow from what the test programs return, which takes minutes",
    )
    _add_path(
        command("packages", _packages, "list third-party code, its origin and licence", "packages")
    )
    added = command(
        "provision",
        _provision,
        "show the configuration of a board's secure elements, or write and lock one",
        "provision native",
    )
    _add_provision(added)
    command(
        "api", _api, "list the functions of PSA Crypto 1.5 that are there, and that are not", "api"
    )
    added = command(
        "completion",
        _completion,
        "write what completes commands in a shell",
        "completion bash > ~/.local/share/bash-completion/completions/corral",
    )
    added.add_argument("shell", metavar="SHELL", choices=["bash", "zsh"], help="bash or zsh")
    _add_bench(command("bench", _bench, "measure what the layer costs", "bench --only cost"))
    added = command(
        "size", _size, "say what takes up flash and RAM of a build", "size hmac mps2-an386"
    )
    _add_app_and_board(added)
    _add_set(added)
    _add_lto(added)
    added.add_argument(
        "--symbols", metavar="N", type=int, default=20, help="how many of the largest to name"
    )
    explained.choices = _Suggestions(commands.choices)
    return parser


def _for_others(words: list[str]) -> tuple[list[str], list[str]]:
    """What follows "test" is pytest's, options included; what follows "--", the application's."""
    if words[:1] == ["test"] and not {"-h", "--help"} & set(words[1:2]):
        return words[:1], words[1:]
    if words[:1] == ["run"] and "--" in words:
        cut = words.index("--")
        return words[:cut], words[cut + 1 :]
    return words, []


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status, 2 for an error that the user can put right."""
    words = list(sys.argv[1:] if words is None else words)
    ours, rest = _for_others(words)
    arguments = _parser().parse_args(ours)
    arguments.rest = rest
    try:
        action: Callable[[argparse.Namespace], int] = arguments.action
        with _search_path(arguments):
            return action(arguments)
    except CorralError as error:
        for problem in error.problems:
            print(f"corral: error: {problem}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever reads the output has seen enough; nothing may be written at the end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        where = error.filename or "system"
        remedy = remedy_for(str(error), "see to that path, or name another")
        problem = Problem(str(where), error.strerror or str(error), remedy)
        print(f"corral: error: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("corral: interrupted", file=sys.stderr)
        return 130
