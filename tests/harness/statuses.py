# SPDX-License-Identifier: Apache-2.0
"""Recording which functions of the API return which statuses while a program runs.

The linker redirects each call of a psa_ function (--wrap) to one that notes what it returns; when
the program ends, it prints a line `status psa_x -135` for each pair. Calls within one source file
are not redirected, and those from one file of the library to another one are: they return too.
"""

from __future__ import annotations

import csv
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from corral import ROOT
from corral.generate import prototypes

#: A function and the name of a status, without PSA_ and PSA_ERROR_.
Seen = frozenset[tuple[str, str]]

HEADERS = ROOT / "tests" / "headers"
SUCCESS = "SUCCESS"
RECORDER = ROOT / "build" / "tests" / "statuses" / "statuses.c"

#: Functions of the C library that reads.c replaces.
_COPYING = ("memcpy", "memmove", "memcmp", "memset")
_LINE = re.compile(r"^status (psa_\w+) (-?\d+)$", re.M)
#: The parameter with the algorithm of a call; for an operation it is the first member.
_ABOUT = {
    "alg": "alg",
    "operation": "operation == NULL ? 0 : *(const psa_algorithm_t *)(const void *)operation",
}
_FIRST = 128  # no status but PSA_SUCCESS is above -128

_HEAD = """/* SPDX-License-Identifier: Apache-2.0 */
/* Made by tests/harness/statuses.py; do not edit. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#include <psa/crypto.h>
#include <psa/initial_attestation.h>
#include <psa/internal_trusted_storage.h>
#include <psa/protected_storage.h>
#include <psa/update.h>

#include "../../../tests/harness/reads.h"
"""

_NOTE = """
static atomic_uint_least64_t seen[COUNT];

/* One bit for each status: 0 for success, and the highest one for what no header defines. */
static psa_status_t note(unsigned function, psa_status_t status)
{
    unsigned bit = 63;

    if (status == PSA_SUCCESS || status == PSA_SUCCESS_REBOOT) {
        bit = 0;
    } else if (status < -FIRST && status > -FIRST - 63) {
        bit = (unsigned)(-status - FIRST);
    }
    atomic_fetch_or_explicit(&seen[function], UINT64_C(1) << bit, memory_order_relaxed);
    return status;
}

__attribute__((destructor)) static void say(void)
{
    for (unsigned function = 0; function < COUNT; function++) {
        const uint_least64_t bits = atomic_load_explicit(&seen[function], memory_order_relaxed);
        for (int bit = 0; bit < 64; bit++) {
            if ((bits >> bit & 1) != 0) {
                printf("status %s %d\\n", names[function], bit == 0 ? 0 : -FIRST - bit);
            }
        }
    }
}
"""


def _rows(name: str) -> list[dict[str, str]]:
    with (HEADERS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def specified() -> Mapping[str, tuple[str, ...]]:
    """The statuses that the specification lists, beside success, for each function."""
    return {row["function"]: tuple(row["statuses"].split()) for row in _rows("statuses.tsv")}


@cache
def _prototypes() -> Mapping[str, str]:
    return {
        row["identifier"]: row["declaration"]
        for row in _rows("api.tsv")
        if row["kind"] == "function" and row["declaration"].startswith("psa_status_t ")
    }


@cache
def _called() -> Mapping[str, prototypes.Called]:
    found = prototypes.functions(ROOT).values()
    return {f"psa_{function.name}": function for mine in found for function in mine}


@cache
def _names() -> Mapping[int, str]:
    """Names of the statuses, by value."""
    text = "".join(path.read_text() for path in (ROOT / "include" / "psa").glob("*.h"))
    found = re.findall(r"^#define PSA_ERROR_(\w+) CORRAL_CAST\(psa_status_t, (-\d+)\)", text, re.M)
    return {0: SUCCESS, **{int(value): name for name, value in found}}


def _about(called: prototypes.Called) -> str:
    """The expression for the algorithm of a call, in C."""
    names = {parameter.name for parameter in called.parameters}
    return next((_ABOUT[name] for name in _ABOUT if name in names), "0")


def _watched(called: prototypes.Called) -> str:
    """Inputs and outputs are led past reads.c; operations are the library's own, wherever kept."""
    given = called.parameters
    sizes = {}
    for i in called.pointers:
        length = called.length_of(i)
        size = f"sizeof *{given[i].name}" if length is None else given[length].name
        if not given[i].of.endswith("_operation_t"):
            sizes[i] = size
    if not sizes:
        return ""
    inputs = [i for i in sizes if given[i].is_constant]
    names = {i: given[i].name for i in sizes}
    outputs = {i: name for i, name in names.items() if i not in inputs}
    lines = [
        *(f"reads_output({name}, {sizes[i]});" for i, name in outputs.items()),
        *(f'{names[i]} = reads_input("{names[i]}", {names[i]}, {sizes[i]});' for i in inputs),
        *(f'{name} = reads_placed("{name}", {name}, {sizes[i]});' for i, name in outputs.items()),
        "reads_call();",
    ]
    return "".join(f"        {line}\n" for line in lines)


def _wrapper(index: int, name: str, prototype: str) -> str:
    declaration = prototype.removeprefix("psa_status_t ").removesuffix(";")
    parameters = declaration[declaration.index("(") + 1 : -1]
    arguments = ""
    if parameters != "void":
        arguments = ", ".join(re.findall(r"\w+$", p)[0] for p in parameters.split(", "))
    watched = _watched(_called()[name])
    if watched:
        return f"""
__attribute__((weak)) psa_status_t __real_{name}({parameters});
psa_status_t __wrap_{name}({parameters});
psa_status_t __wrap_{name}({parameters})
{{
    const bool is_watched = reads_begin("{name}") && reads_about({_about(_called()[name])});
    if (is_watched) {{
{watched}    }}
    const psa_status_t status = __real_{name}({arguments});
    if (is_watched) {{
        reads_end();
    }}
    return note({index}, status);
}}
"""
    return f"""
__attribute__((weak)) psa_status_t __real_{name}({parameters});
psa_status_t __wrap_{name}({parameters});
psa_status_t __wrap_{name}({parameters})
{{
    return note({index}, __real_{name}({arguments}));
}}
"""


def _source() -> str:
    prototypes = _prototypes()
    names = "".join(f'    "{name}",\n' for name in prototypes)
    head = f"\n#define COUNT {len(prototypes)}\n#define FIRST {_FIRST}\n"
    table = f"\nstatic const char *const names[COUNT] = {{\n{names}}};\n"
    wrappers = [_wrapper(i, n, p) for i, (n, p) in enumerate(prototypes.items())]
    return _HEAD + head + table + _NOTE + "".join(wrappers)


def recorder() -> Path:
    """The source to link; several processes may ask for it at once."""
    text = _source()
    RECORDER.parent.mkdir(parents=True, exist_ok=True)
    if not RECORDER.is_file() or RECORDER.read_text() != text:
        with tempfile.NamedTemporaryFile("w", dir=RECORDER.parent, delete=False) as file:
            file.write(text)
        os.replace(file.name, RECORDER)
    return RECORDER


def functions() -> list[str]:
    """The functions of the API that return a status."""
    return list(_prototypes())


def copying_link_flags() -> list[str]:
    """The linker's options that redirect the calls that reads.c replaces."""
    return [f"-Wl,--wrap={name}" for name in _COPYING]


def link_flags() -> list[str]:
    """The linker's options that redirect the calls."""
    return [*(f"-Wl,--wrap={name}" for name in functions()), *copying_link_flags()]


def parse(output: str) -> Seen:
    """The output of a program at its end."""
    return frozenset(
        (found[1], _names().get(int(found[2]), f"UNKNOWN_{found[2]}"))
        for found in _LINE.finditer(output)
    )


def union(sets: Iterable[Seen]) -> Seen:
    return frozenset(pair for seen in sets for pair in seen)
