# SPDX-License-Identifier: Apache-2.0
"""C is made as trees: no code edits its text, tests its beginning, or writes it by hand."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools" / "corral"
#: They make no C: lists of sources, reports and tables.
OTHERS = ("sources.py", "explain.py", "tables.py")
MODULES = [p for p in sorted((TOOLS / "generate").rglob("*.py")) if p.name not in OTHERS]
PRINTER = TOOLS / "generate" / "c" / "printer.py"
#: Methods that change a text, or test a part of it. (key.py reads names of types of the API.)
EDITS = ("replace", "startswith", "endswith", "removeprefix", "removesuffix", "partition")
BEGINNINGS = ("if (", "return ", "#include", "#ifdef", "#ifndef", "#pragma")
ALLOWED = {
    "build.py": {"removesuffix"},
    "key.py": {"partition", "removeprefix", "removesuffix", "replace"},
    "names.py": {"partition"},
    "printer.py": {"replace"},  # `*/` would end a comment
}


def nodes(source: str, kind: type[ast.AST]) -> Iterator[ast.AST]:
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, kind))


def edits(source: str) -> set[str]:
    """The methods of texts by which a module could edit C."""
    calls = (node.func for node in nodes(source, ast.Call) if isinstance(node, ast.Call))
    return {f.attr for f in calls if isinstance(f, ast.Attribute) and f.attr in EDITS}


def lines_of_c(source: str) -> list[str]:
    """Lines of texts that end like a statement, or hold a keyword with its parenthesis."""
    texts = (n.value for n in nodes(source, ast.Constant) if isinstance(n, ast.Constant))
    lines = (line for text in texts if isinstance(text, str) for line in text.splitlines())
    return [
        line
        for line in lines
        if "\\" not in line and (line.endswith((");", "{")) or line.startswith(BEGINNINGS))
    ]


def borrowed(source: str) -> list[str]:
    """Private names that a module imports from another one."""
    found = (node for node in nodes(source, ast.ImportFrom) if isinstance(node, ast.ImportFrom))
    return [a.name for node in found for a in node.names if a.name.startswith("_")]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_no_text_of_c_is_edited_or_written_by_hand(module: Path) -> None:
    source = module.read_text()
    assert edits(source) <= ALLOWED.get(module.name, set())
    assert module == PRINTER or lines_of_c(source) == []


def test_no_module_imports_what_is_private_to_another() -> None:
    found = {p.name: borrowed(p.read_text()) for p in TOOLS.rglob("*.py")}
    assert {name: names for name, names in found.items() if names} == {}


def test_what_is_forbidden_is_found() -> None:
    assert edits('def f(line): return line.replace("a", "b")') == {"replace"}
    assert edits('def f(line): return line.startswith("a")') == {"startswith"}
    assert lines_of_c('x = f"return {y};"') == ["return "]
    assert lines_of_c('x = ["if (a) {"]') == ["if (a) {"]
    assert lines_of_c('x = """\\\n#ifdef A\nint a;\n"""') == ["#ifdef A"]
    assert borrowed("from corral.generate.macs import _lengths") == ["_lengths"]
