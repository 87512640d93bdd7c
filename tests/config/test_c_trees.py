# SPDX-License-Identifier: Apache-2.0
"""C from trees: what follows from a tree is there, and what is written means what the tree says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from corral.generate.c import nodes as n
from corral.generate.c.printer import WIDTH, printed, written

A, B, C = n.Name("a"), n.Name("b"), n.Name("c")
INT = n.Type("int")
STATUS = n.Variable("status")


def function(*body: n.Statement, parameters: str = "a b c", result: n.Type = INT) -> n.Function:
    return n.Function(
        result, "f", tuple(n.Parameter(INT, name) for name in parameters.split()), body
    )


def text(*items: n.Item, guard: str = "") -> str:
    return printed(n.File("Of a test.", items, guard))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (n.all_of(n.any_of(A, B), C), "(a || b) && c"),
        (n.any_of(n.all_of(A, B), C), "(a && b) || c"),
        (n.all_of(n.all_of(A, B), C), "a && b && c"),
        (A.with_operator("&", n.Unary("~", B)).equals(C), "(a & ~b) == c"),
        (A.with_operator("%", 8).equals(0), "a % 8 == 0"),
        (A.with_operator("-", B.with_operator("-", C)), "a - (b - c)"),
        (A.with_operator("*", B.with_operator("+", C)), "a * (b + c)"),
        (n.Cast(INT, A.with_operator("-", B)), "(int)(a - b)"),
        (n.Choice(n.any_of(A, B), A, n.Choice(C, B, A)), "a || b ? a : c ? b : a"),
        (n.all_of(n.Choice(A, B, C), A), "(a ? b : c) && a"),
        (n.address(A.arrow("b").dot("c")), "&a->b.c"),
        (n.Unary("sizeof", A), "sizeof a"),
        (n.Unary("!", n.all_of(A, B)), "!(a && b)"),
        (A.call(n.Choice(A, B, C), 1), "a(a ? b : c, 1)"),
        (n.text_literal('say "\\"'), '"say \\"\\\\\\""'),
    ],
)
def test_parentheses_stand_where_the_tree_needs_them(term: n.Term, expected: str) -> None:
    assert written(term) == expected


def test_variables_are_declared_and_unused_parameters_marked() -> None:
    length = n.Variable("length", type=n.Type("size_t"))
    body = (n.Assign(STATUS, A.call(n.address(length))), n.Return(STATUS))
    lines = text(function(*body)).split("{\n")[1].splitlines()
    assert lines == [
        "    psa_status_t status;",
        "    size_t length;",
        "",
        "    (void)b;",
        "    (void)c;",
        "    status = a(&length);",
        "    return status;",
        "}",
    ]


def test_headers_are_those_of_what_is_named() -> None:
    own = n.Type("engine_t *", ("corral/drivers/acme/engine.h",))
    other = n.Name("corral_location", ("corral/locations.h",))
    parameters = (n.Parameter(own, "engine"), n.Parameter(n.Type("const uint8_t *"), "input"))
    made = n.Function(n.Type("psa_status_t"), "f", parameters, (n.Return(other),))
    assert [line for line in text(made, guard="F_H").splitlines() if line[:2] in ("", "#i")] == [
        "#ifndef F_H",
        "",
        "#include <stdint.h>",
        "",
        "#include <corral/locations.h>",
        "#include <psa/crypto.h>",
        "",
        "#include <corral/drivers/acme/engine.h>",
        "",
        "",
    ]
    assert "#include" not in text(function(n.Return(A)))


def test_text_of_a_comment_does_not_end_it() -> None:
    said = "boards/*/b.toml */ int x; /* or /*/ this"
    record = n.Structure("struct", (n.Field(INT, "one", said),))
    lines = text(n.Comment(said), n.Comment(said * 9), n.TypeDefinition(record, "t"))
    assert re.sub(r"/\*.*?\*/", "", lines, flags=re.DOTALL).split() == [
        *("typedef", "struct", "{", "int", "one;", "}", "t;")
    ]
    assert lines.count("/*") == lines.count("*/")


def test_branches_and_switches_have_their_braces() -> None:
    inner = n.If(B, (n.Return(B),), (n.Return(C),))
    arms = (n.Arm((n.Name("ONE"), n.Name("TWO")), (n.Break(),)),)
    switch = n.Switch(C, arms, (n.Return(n.term(0)),))
    lines = text(function(n.If(A, (n.Return(A),), (inner,)), switch)).split("{\n", 1)[1]
    assert lines.splitlines() == [
        "    if (a) {",
        "        return a;",
        "    } else if (b) {",
        "        return b;",
        "    } else {",
        "        return c;",
        "    }",
        "    switch (c) {",
        "    case ONE:",
        "    case TWO:",
        "        break;",
        "    default:",
        "        return 0;",
        "    }",
        "}",
    ]


def test_whatever_is_long_compiles_and_fits(tmp_path: Path) -> None:
    """Heads, calls, conditions, comments, macros and tables that have no room on a line."""
    names = [f"a_rather_long_name_{i}" for i in range(12)]
    parameters = tuple(n.Parameter(n.Type("const char *"), name) for name in names)
    test = n.any_of(*(n.Name(name).differs(n.text_literal("a b, c")) for name in names))
    call = n.Name("f").call(*names)
    made = n.Function(
        n.Type("int"),
        "f",
        parameters,
        (n.when(n.all_of(test, n.Name(names[0])), n.Return(call)), n.Return(n.term(1))),
        "All of these words are said " * 8,
    )
    macro = n.Define("ANY", n.any_of(*(n.Name("is").call(name) for name in names)), ("is",))
    record = n.Structure("struct", (n.Field(INT, "some[40]"), n.Field(INT, "one", "a remark")))
    values = n.List(tuple(n.term(1000 + i) for i in range(40)))
    table = n.Array(n.Type("table_t"), "table", n.term(1), (n.Record((("some", values),)),))
    files = (macro, n.TypeDefinition(record, "table_t"), n.Enumeration(("X", "Y")), made, table)
    source = tmp_path / "long.c"
    source.write_text(text(*files, n.StaticAssert(n.term(1), 'a "message"'), n.Undefine("ANY")))
    assert max(map(len, source.read_text().splitlines())) <= WIDTH
    assert '"a b, c"' in source.read_text()
    flags = ["-std=c11", "-Wall", "-Wextra", "-Wno-address", "-fsyntax-only"]
    done = subprocess.run(["gcc", *flags, source], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
