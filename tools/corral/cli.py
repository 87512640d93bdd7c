# SPDX-License-Identifier: Apache-2.0
"""The command line: ./corral COMMAND ..."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from corral import ROOT, commands
from corral.common.progress import remedy_for
from corral.common.style import print_error
from corral.common.version import version
from corral.errors import CorralError, Problem, fail
from corral.model.node import closest
from corral.model.places import VARIABLE

_EPILOG = """\
first steps:
  ./corral demo                     see everything work
  ./corral explain zoo native       show the driver of each mechanism, and why
  ./corral menuconfig ecdsa native  choose another library
"""


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


def parser() -> tuple[argparse.ArgumentParser, list[str]]:
    """The parser, and the names of all commands."""
    result = argparse.ArgumentParser(
        prog="./corral",
        description="One standard crypto API over the whole zoo of embedded crypto.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument("--version", action="version", version=f"corral {version(ROOT)}")
    adding = result.add_subparsers(metavar="COMMAND", required=True)
    for name, command in commands.load().items():
        about = command.ABOUT
        added = adding.add_parser(
            name,
            help=about,
            description=f"{about[0].upper()}{about[1:]}.",
            epilog=f"example:\n  ./corral {command.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.set_defaults(action=command.run, parser=result)
        command.add(added)
    return result, list(adding.choices)


def _for_others(words: list[str]) -> tuple[list[str], list[str]]:
    """Words after "test" are pytest's, options included; those after "--", the application's."""
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
        of_all, names = parser()
        _check_command(ours, names)
        arguments = of_all.parse_args(ours)
        arguments.rest = rest
        action: Callable[[argparse.Namespace], int] = arguments.action
        with _search_path(arguments):
            return action(arguments)
    except CorralError as error:
        for problem in error.problems:
            print_error(problem)
        return 2
    except UnicodeEncodeError as error:
        text = error.object[max(0, error.start - 60) : error.end + 20]
        problem = Problem(ascii(text), "is no text in UTF-8", "rename that file or folder")
        print_error(problem)
        return 2
    except BrokenPipeError:
        # The reader has closed the output; nothing may be written at the end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        where = error.filename or "system"
        remedy = remedy_for(str(error), "see to that path, or name another")
        problem = Problem(str(where), error.strerror or str(error), remedy)
        print_error(problem)
        return 2
    except KeyboardInterrupt:
        print("corral: interrupted", file=sys.stderr)
        return 130
