# SPDX-License-Identifier: Apache-2.0
"""names.toml: options of others and their equivalents, for the command and for the site."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

FILE = Path(__file__).with_name("names.toml")
PREFIX = "PSA_WANT_"
#: Kinds of options without an equivalent that is written, in the order of a report.
KINDS = {
    "lacking": "no equivalent",
    "choose": "your choice",
    "stays": "stays with Mbed TLS",
    "needless": "not needed",
}


@dataclass(frozen=True)
class Row:
    """Options with one meaning."""

    names: tuple[str, ...]
    wants: tuple[str, ...]
    settings: tuple[str, ...]
    kind: str  # one of KINDS, or nothing
    reason: str

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols that the option becomes."""
        return (*(PREFIX + want for want in self.wants), *self.settings)

    def fits(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.names)


@dataclass(frozen=True)
class Section:
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Completion:
    """Sizes to add if a want is there that needs some, and none is."""

    when: tuple[str, ...]
    any: str
    add: tuple[str, ...]

    def applies(self, symbols: Iterable[str]) -> bool:
        wants = [symbol.removeprefix(PREFIX) for symbol in symbols]
        is_wanted = any(fnmatchcase(want, pattern) for want in wants for pattern in self.when)
        return is_wanted and not any(fnmatchcase(want, self.any) for want in wants)


@dataclass(frozen=True)
class Names:
    """The whole table."""

    sections: tuple[Section, ...]
    completions: tuple[Completion, ...]

    @property
    def rows(self) -> list[Row]:
        return [row for section in self.sections for row in section.rows]

    def find(self, name: str) -> Row | None:
        """The row of an option: one that spells its name, or else the first pattern that fits."""
        spelt = next((row for row in self.rows if name in row.names), None)
        return spelt or next((row for row in self.rows if row.fits(name)), None)


def _row(data: dict[str, Sequence[str] | str]) -> Row:
    kinds = [kind for kind in KINDS if kind in data]
    reason = str(data[kinds[0]]) if kinds else ""
    wants, settings = (tuple(data.get(key, ())) for key in ("wants", "settings"))
    return Row(tuple(data["names"]), wants, settings, kinds[0] if kinds else "", reason)


@functools.cache
def load() -> Names:
    """Read the table, once."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    sections = [
        Section(section["title"], tuple(_row(row) for row in section["options"]))
        for section in data["section"]
    ]
    completions = [
        Completion(tuple(row["when"]), row["any"], tuple(row["add"])) for row in data["completion"]
    ]
    return Names(tuple(sections), tuple(completions))


_HEAD = """\
# Options and their equivalents

Made by `./corral documents` from `tools/corral/migrate/names.toml`, which `./corral migrate` reads.
[Coming from another library](README.md) explains the command. `*` stands for any characters. In a
`.conf` file of Zephyr, `CONFIG_` is in front of each name. A `PSA_WANT_` symbol that is not in the
tables keeps its name, if Corral has it.
"""


def markdown(_: Path) -> str:
    """docs/coming-from/OPTIONS.md."""
    lines: list[str] = []
    for section in load().sections:
        lines += ["", f"## {section.title}", "", "| Option | Here |", "|---|---|"]
        for row in section.rows:
            names = "<br>".join(f"`{name}`" for name in row.names)
            here = "<br>".join(f"`{symbol}`" for symbol in row.symbols)
            if row.kind:
                here = f"{KINDS[row.kind]}: {row.reason}"
            lines.append(f"| {names} | {here} |")
    return "\n".join([_HEAD, *lines[1:], ""])
