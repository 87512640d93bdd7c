# SPDX-License-Identifier: Apache-2.0
"""C from trees: the text is complete, and means the same as its tree."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from corral.generate.c import nodes as n
from corral.generate.c import terms as t
from corral.generate.c.printer import WIDTH, printed, written

A, B, C = t.Name("a"), t.Name("b"), t.Name("c")
INT = t.Type("int")
STATUS = t.Variable("status")


def function(*body: n.Statement, parameters: str = "a b c", result: t.Type = INT) -> n.Function:
    return n.Function(
        result, "f", tuple(n.Parameter(INT, name) for name in parameters.split()), body
    )


def text(*items: n.Item, guard: str = "") -> str:
    return printed(n.File("Of a test.", items, guard))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (t.all_of(t.any_of(A, B), C), "(a || b) && c"),
        (t.any_of(t.all_of(A, B), C), "(a && b) || c"),
        (t.all_of(t.all_of(A, B), C), "a && b && c"),
        (A.with_operator("&", t.Unary("~", B)).equals(C), "(a & ~b) == c"),
        (A.with_operator("%", 8).equals(0), "a % 8 == 0"),
        (A.with_operator("-", B.with_operator("-", C)), "a - (b - c)"),
        (A.with_operator("*", B.with_operator("+", C)), "a * (b + c)"),
        (t.Cast(INT, A.with_operator("-", B)), "(int)(a - b)"),
        (t.Choice(t.any_of(A, B), A, t.Choice(C, B, A)), "a || b ? a : c ? b : a"),
        (t.all_of(t.Choice(A, B, C), A), "(a ? b : c) && a"),
        (t.address(A.arrow("b").dot("c")), "&a->b.c"),
        (t.Unary("sizeof", A), "sizeof a"),
        (t.Unary("!", t.all_of(A, B)), "!(a && b)"),
        (A.call(t.Choice(A, B, C), 1), "a(a ? b : c, 1)"),
        (t.text_literal('say "\\"'), '"say \\"\\\\\\""'),
    ],
)
def test_parentheses_stand_where_the_tree_needs_them(term: t.Term, expected: str) -> None:
    assert written(term) == expected


def test_variables_are_declared_and_unused_parameters_marked() -> None:
    length = t.Variable("length", type=t.Type("size_t"))
    body = (n.Assign(STATUS, A.call(t.address(length))), n.Return(STATUS))
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
    own = t.Type("engine_t *", ("corral/drivers/acme/engine.h",))
    other = t.Name("corral_location", ("corral/locations.h",))
    parameters = (n.Parameter(own, "engine"), n.Parameter(t.Type("const uint8_t *"), "input"))
    made = n.Function(t.Type("psa_status_t"), "f", parameters, (n.Return(other),))
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
    arms = (n.Arm((t.Name("ONE"), t.Name("TWO")), (n.Break(),)),)
    switch = n.Switch(C, arms, (n.Return(t.term(0)),))
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
    parameters = tuple(n.Parameter(t.Type("const char *"), name) for name in names)
    test = t.any_of(*(t.Name(name).differs(t.text_literal("a b, c")) for name in names))
    call = t.Name("f").call(*names)
    made = n.Function(
        t.Type("int"),
        "f",
        parameters,
        (n.when(t.all_of(test, t.Name(names[0])), n.Return(call)), n.Return(t.term(1))),
        "All of these words are said " * 8,
    )
    macro = n.Define("ANY", t.any_of(*(t.Name("is").call(name) for name in names)), ("is",))
    record = n.Structure("struct", (n.Field(INT, "some[40]"), n.Field(INT, "one", "a remark")))
    values = n.List(tuple(t.term(1000 + i) for i in range(40)))
    table = n.Array(t.Type("table_t"), "table", t.term(1), (n.Record((("some", values),)),))
    files = (macro, n.TypeDefinition(record, "table_t"), n.Enumeration(("X", "Y")), made, table)
    source = tmp_path / "long.c"
    source.write_text(text(*files, n.StaticAssert(t.term(1), 'a "message"'), n.Undefine("ANY")))
    assert max(map(len, source.read_text().splitlines())) <= WIDTH
    assert '"a b, c"' in source.read_text()
    flags = ["-std=c11", "-Wall", "-Wextra", "-Wno-address", "-fsyntax-only"]
    done = subprocess.run(["gcc", *flags, source], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
