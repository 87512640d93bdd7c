# SPDX-License-Identifier: Apache-2.0
"""The command line: ./corral COMMAND ..."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from corral import ROOT, commands, library_commands
from corral import arguments as given
from corral.common.progress import remedy_for
from corral.common.version import version
from corral.errors import CorralError, Problem, fail
from corral.migrate import command as migrate_command
from corral.model.node import closest
from corral.model.places import VARIABLE
from corral.site import command as site_command

_EPILOG = """\
first steps:
  ./corral demo                     see everything work
  ./corral explain zoo native       who serves which mechanism, and why
  ./corral menuconfig ecdsa native  choose another library
"""


def _help(arguments: argparse.Namespace) -> int:
    _parser()[0].parse_args([*arguments.command.split(), "--help"])
    return 0  # pragma: no cover


def _completion(arguments: argparse.Namespace) -> int:
    # Here, because what makes the script is not there when only help is asked for.
    import shtab  # noqa: PLC0415

    parser, _ = _parser()
    parser.prog = "corral"  # shells look for the last part of what is typed
    print(shtab.complete(parser, arguments.shell))
    return 0


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


def _parser() -> tuple[argparse.ArgumentParser, list[str]]:
    """The parser, and the names of all commands."""
    parser = argparse.ArgumentParser(
        prog="./corral",
        description="One standard crypto API over the whole zoo of embedded crypto.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"corral {version(ROOT)}")
    adding = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(
        name: str, action: Callable[[argparse.Namespace], int], text: str, example: str
    ) -> argparse.ArgumentParser:
        added = adding.add_parser(
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
    given.add_demo(
        command(
            "demo",
            commands.demo,
            "build and run everything, and let OpenSSL check each result",
            "demo LICENSE",
        )
    )
    given.add_fleet(
        command(
            "fleet",
            commands.fleet,
            "let three devices, a server and somebody on the wire show what a fleet is",
            "fleet demo",
        )
    )
    given.add_new(
        command(
            "new",
            commands.new,
            "write an application, board, port, driver or element to begin with",
            "new driver acme --in ~/mine",
        )
    )
    command("test", commands.test, "run tests", "test tests/config -k golden").add_argument(
        "arguments",
        metavar="ARGUMENT",
        nargs="*",
        default=[],
        help="without any: the areas that tests/areas.toml has always run; --area NAME or all;"
        " --quick: what says most in two minutes; --long: what repeats others, and campaigns of"
        " hours; --budget: fail if an area takes too long; --driver DIR,"
        " --board DIR: what a driver or board of yours inherits, --path DIR: what else it needs;"
        " all else is pytest's",
    )
    added = command(
        "build", commands.build, "build an application for a board", "build hmac mps2-an386"
    )
    given.add_app_and_board(added)
    given.add_set(added)
    given.add_lto(added)
    given.add_sanitize(added)
    added = command("run", commands.run, "build an application and run it", "run ecdsa mps2-an386")
    given.add_app_and_board(added)
    given.add_set(added)
    given.add_lto(added)
    given.add_sanitize(added)
    added.add_argument("--debug", action="store_true", help="under gdb, or waiting for it")
    added.add_argument(
        "--input", metavar="FILE", type=given.named, help="the file that the application reads"
    )
    added.add_argument(
        "arguments", nargs="*", default=[], help="words for the application, after --"
    )
    given.add_chips(
        command(
            "chips",
            commands.chips,
            "run a program of yours with a board's simulated elements",
            "chips native out/client 4433 own.pem peer.pem",
        )
    )
    added = command(
        "menuconfig",
        commands.menuconfig,
        "choose backends, slots and drivers in a menu",
        "menuconfig zoo native",
    )
    given.add_app_and_board(added)
    given.add_preset(added)
    for module in (library_commands, migrate_command, site_command):
        module.add(command)
    added = command(
        "explain",
        commands.explain,
        "say which driver serves each mechanism, and why",
        "explain zoo native",
    )
    given.add_app_and_board(added)
    given.add_set(added)
    given.add_json(added)
    given.add_drivers(
        command(
            "drivers", commands.drivers, "list the drivers and what each can do", "drivers bearssl"
        )
    )
    command(
        "documents",
        commands.documents,
        "write the documents that follow from descriptions",
        "documents",
    ).add_argument(
        "--observed",
        action="store_true",
        help="those too that follow from what the test programs return, which takes minutes",
    )
    given.add_path(
        command(
            "packages",
            commands.packages,
            "list third-party code, its origin and licence",
            "packages",
        )
    )
    added = command(
        "provision",
        commands.provision,
        "show the configuration of a board's secure elements, or write and lock one",
        "provision native",
    )
    given.add_provision(added)
    command(
        "api",
        commands.api,
        "list the functions of PSA Crypto 1.5 that are there, and that are not",
        "api",
    )
    added = command(
        "completion",
        _completion,
        "write what completes commands in a shell",
        "completion bash > ~/.local/share/bash-completion/completions/corral",
    )
    added.add_argument("shell", metavar="SHELL", choices=["bash", "zsh"], help="bash or zsh")
    given.add_bench(
        command("bench", commands.bench, "measure what the layer costs", "bench --only cost")
    )
    added = command(
        "size", commands.size, "say what takes up flash and RAM of a build", "size hmac mps2-an386"
    )
    given.add_app_and_board(added)
    given.add_set(added)
    given.add_lto(added)
    added.add_argument(
        "--symbols",
        metavar="N",
        type=given.count,
        default=20,
        help="how many of the largest to name",
    )
    explained.choices = given.Suggestions(adding.choices)
    return parser, list(adding.choices)


def _for_others(words: list[str]) -> tuple[list[str], list[str]]:
    """What follows "test" is pytest's, options included; what follows "--", the application's."""
    if words[:1] == ["test"] and not {"-h", "--help"} & set(words[1:2]):
        return words[:1], words[1:]
    if words[:1] == ["run"] and "--" in words:
        cut = words.index("--")
        return words[:cut], words[cut + 1 :]
    return words, []


def _check_command(words: Sequence[str], known: Collection[str]) -> None:
    """Say what was meant by a command that is not there; argparse would list all of them."""
    at = 1 if words[:1] == ["help"] else 0
    word = words[at] if len(words) > at else "-"
    if not word.startswith("-") and word not in known:
        remedy = closest(word, known) or "./corral help names all of them"
        raise fail(word, "no such command", remedy)


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status, 2 for an error that the user can put right."""
    words = list(sys.argv[1:] if words is None else words)
    ours, rest = _for_others(words)
    try:
        parser, names = _parser()
        _check_command(ours, names)
        arguments = parser.parse_args(ours)
        arguments.rest = rest
        action: Callable[[argparse.Namespace], int] = arguments.action
        with _search_path(arguments):
            return action(arguments)
    except CorralError as error:
        for problem in error.problems:
            print(f"corral: error: {problem}", file=sys.stderr)
        return 2
    except UnicodeEncodeError as error:
        text = error.object[max(0, error.start - 60) : error.end + 20]
        problem = Problem(ascii(text), "is no text in UTF-8", "rename that file or folder")
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
