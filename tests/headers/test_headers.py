# SPDX-License-Identifier: Apache-2.0
"""include/psa says exactly what the PSA specifications say: Crypto 1.5, Secure Storage 1.0,
Attestation 2.0 and Firmware Update 1.0.

The tables beside this file hold the facts of the specifications: names, values, prototypes, and
results of macros for chosen arguments. Each test turns a table into C, and the compiler compares.
"""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from corral.generate import api as corral_api
from corral.model.tree import load_tree
from corral.model.wants import own_symbol
from harness import areas

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
INCLUDE = ROOT / "include"

WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wpedantic", "-Wundef", "-Werror"]

FEW = {
    "PSA_WANT_ALG_SHA_256",
    "PSA_WANT_ALG_HMAC",
    "PSA_WANT_ALG_CBC_NO_PADDING",
    "PSA_WANT_ALG_ECDSA",
    "PSA_WANT_KEY_TYPE_AES",
    "PSA_WANT_AES_KEY_SIZE_128",
    "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_BASIC",
    "PSA_WANT_KEY_TYPE_ECC_PUBLIC_KEY",
    "PSA_WANT_ECC_SECP_R1_256",
}

# Members that differ in kind, because an initialiser has to suit whatever comes first.
OPERATIONS = {
    "hash": "union { struct { uint32_t a[4]; } words; uint8_t bytes[9]; } context; uint32_t alg;",
    "mac": "struct { uint8_t key[4]; int state; } context; uint32_t alg;",
    "cipher": "uint8_t pending[16]; uint32_t alg;",
    "aead": "uint32_t alg; uint8_t context[3];",
    "xof": "enum { CORRAL_TEST_IDLE, CORRAL_TEST_BUSY } state; uint32_t alg;",
    "key_derivation": "bool active; uint32_t alg;",
    "sign": "uint8_t unused;",
    "verify": "uint8_t unused;",
    "pake": "uint8_t unused;",
}


@dataclass(frozen=True)
class Compiler:
    """A compiler with the options that select language and target."""

    name: str
    command: tuple[str, ...]
    suffix: str

    def require(self) -> None:
        if shutil.which(self.command[0]) is None:
            pytest.skip(f"{self.command[0]} is not installed")

    def compile(
        self, folder: Path, source: str, configuration: str = "all", *extra: str
    ) -> subprocess.CompletedProcess[str]:
        """Compile `source` against include/ and a configuration; warnings are errors."""
        self.require()
        path = folder / f"unit{self.suffix}"
        path.write_text(self.own_casts(source))
        fixture = write_configuration(folder, configuration)
        return subprocess.run(
            [*self.command, *self.warnings, f"-I{fixture}", f"-I{INCLUDE}", *extra, str(path)],
            capture_output=True,
            text=True,
            check=False,
        )

    def accepts(self, folder: Path, source: str, configuration: str = "all") -> None:
        result = self.compile(
            folder, source, configuration, "-c", "-o", str(folder / "unit.o"), "-O1"
        )
        assert result.returncode == 0, f"{self.name}:\n{result.stderr[:4000]}"

    @property
    def is_cpp(self) -> bool:
        return self.suffix == ".cpp"

    def own_casts(self, source: str) -> str:
        """Constants of the tables, in the casts of the language."""
        if not self.is_cpp:
            return source
        return re.sub(r"\((\w+_t)\)(0x\w+|\d+)", r"static_cast<\1>(\2)", source)

    @property
    def warnings(self) -> list[str]:
        return [*WARNINGS, "-Wold-style-cast"] if self.is_cpp else WARNINGS


GCC = Compiler("gcc-c11", ("gcc", "-std=c11"), ".c")
COMPILERS = [
    GCC,
    Compiler("clang-c11", ("clang", "-std=c11"), ".c"),
    Compiler("gcc-c++17", ("g++", "-std=c++17"), ".cpp"),
    Compiler("clang-c++17", ("clang++", "-std=c++17"), ".cpp"),
    Compiler("arm-c11", ("arm-none-eabi-gcc", "-std=c11", "-mcpu=cortex-m4", "-mthumb"), ".c"),
    Compiler("avr-c11", ("avr-gcc", "-std=c11", "-mmcu=atmega2560"), ".c"),
]
# Each standard that an application may be written to; older compilers say c2x and c++2a.
STANDARDS = [
    Compiler(f"{command}-{prefix}{year}", (command, f"-std={prefix}{year}"), suffix)
    for commands, prefixes, years, suffix in (
        (("gcc", "clang"), ("c", "gnu"), ("99", "11", "17", "2x"), ".c"),
        (("g++", "clang++"), ("c++", "gnu++"), ("11", "14", "17", "2a"), ".cpp"),
    )
    for command in commands
    for prefix in prefixes
    for year in years
]
# Without extensions, because they accept more: the oldest standard, the newest one, and our own.
# With --long all standards.
ENDS = [
    compiler
    for compiler in STANDARDS
    if areas.is_long()
    or compiler.command[1] in ("-std=c99", "-std=c11", "-std=c2x", "-std=c++11", "-std=c++2a")
]
every_compiler = pytest.mark.parametrize("compiler", COMPILERS, ids=lambda c: c.name)


@cache
def want_symbols() -> tuple[str, ...]:
    return load_tree(ROOT).mechanisms.wants


def is_wanted(symbol: str, configuration: str) -> bool:
    return configuration == "all" or (configuration == "few" and symbol in FEW)


def write_configuration(folder: Path, configuration: str) -> Path:
    """Write the build's headers for a configuration of this test. Returns the include folder."""
    top = folder / f"configuration-{configuration}"
    target = top / "corral"
    target.mkdir(parents=True, exist_ok=True)
    wanted = [s for s in want_symbols() if is_wanted(s, configuration)]
    lines = [f"#define {s} 1" for s in wanted]
    lines += [f"#define {own_symbol(s)} {int(s in wanted)}" for s in want_symbols()]
    (target / "config.h").write_text("#pragma once\n" + "\n".join(lines) + "\n")
    (target / "unwanted.h").write_text("")
    structs = [f"struct psa_{name}_operation_s {{ {m} }};" for name, m in OPERATIONS.items()]
    (target / "operations.h").write_text(
        "#pragma once\n#include <stdbool.h>\n#include <stdint.h>\n" + "\n".join(structs) + "\n"
    )
    return top


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    with (HERE / name).open() as file:
        return tuple(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def api(*kinds: str) -> list[dict[str, str]]:
    return [row for row in table("api.tsv") if row["kind"] in kinds]


def unit(*lines: str) -> str:
    """A translation unit with every specified header and a portable CHECK."""
    return "\n".join(
        [
            "#include <psa/crypto.h>",
            "#include <psa/initial_attestation.h>",
            "#include <psa/internal_trusted_storage.h>",
            "#include <psa/protected_storage.h>",
            "#include <psa/update.h>",
            "#ifdef __cplusplus",
            "#include <type_traits>",
            "#define CHECK(e) static_assert((e), #e)",
            "#define IS_TYPE(x, t) (std::is_same<decltype(x), t>::value)",
            "#define VALUE(x) static_cast<uint32_t>(x)",
            "#else",
            "#define CHECK(e) _Static_assert((e), #e)",
            "#define IS_TYPE(x, t) _Generic((x), t: 1, default: 0)",
            "#define VALUE(x) ((uint32_t)(x))",
            "#endif",
            *lines,
            "",
        ]
    )


def check(expression: str, value: str) -> str:
    return f"CHECK(VALUE({expression}) == VALUE({value}));"


LARGEST_ARRAY = 32767  # bytes, of a compiler with 16-bit size_t


def constant_checks(rows: list[dict[str, str]]) -> list[str]:
    lines = []
    for row in rows:
        name, kind = row["identifier"], row["type"]
        if not row["value"]:
            lines += [f"#ifndef {name}", f"#error {name} is missing", "#endif"]
            continue
        lines.append(f"CHECK({name} == ({row['value']}));")
        if kind:
            lines.append(f"CHECK(IS_TYPE({name}, {kind}));")
    return lines


def redeclarations(rows: list[dict[str, str]]) -> list[str]:
    opening = ["#ifdef __cplusplus", 'extern "C" {', "#endif"]
    closing = ["#ifdef __cplusplus", "}", "#endif"]
    return opening + [row["declaration"] for row in rows] + closing


@every_compiler
def test_constants__every_value_and_type(compiler: Compiler, tmp_path: Path) -> None:
    rows = api("macro")
    assert len(rows) == 258
    compiler.accepts(tmp_path, unit(*constant_checks(rows)))


@every_compiler
def test_prototypes__redeclaring_from_table__no_conflict(
    compiler: Compiler, tmp_path: Path
) -> None:
    rows = api("function")
    assert len(rows) == 158
    uses = [f"(void)&{row['identifier']};" for row in rows if not compiler.is_cpp]
    body = ["void take_addresses(void);", "void take_addresses(void)", "{", *uses, "}"]
    compiler.accepts(tmp_path, unit(*redeclarations(rows), *body))


@every_compiler
@pytest.mark.parametrize("configuration", ["all", "few", "none"])
def test_types__complete_and_initialisable(
    compiler: Compiler, configuration: str, tmp_path: Path
) -> None:
    lines = []
    for row in api("typedef"):
        name = row["identifier"]
        lines.append(f"CHECK(sizeof({name}) > 0);")
        base = re.match(r"typedef (\w+) ", row["declaration"])
        if base:
            lines.append(f"CHECK(IS_TYPE(CORRAL_CAST({name}, 0), {base[1]}));")
    for row in api("struct-init"):
        macro = row["identifier"]
        kind = "psa_" + macro.removeprefix("PSA_").removesuffix("_INIT").lower() + "_t"
        lines.append(f"{kind} global_{kind} = {macro};")
    for name in OPERATIONS:
        lines.append(f"psa_{name}_operation_t make_{name}(void);")
        lines.append(
            f"psa_{name}_operation_t make_{name}(void) {{ psa_{name}_operation_t o = "
            f"PSA_{name.upper()}_OPERATION_INIT; o = psa_{name}_operation_init(); return o; }}"
        )
    lines += [
        "CHECK(sizeof(psa_key_attributes_t) == 20);",
        "uint32_t *flags_of(psa_custom_key_parameters_t *custom);",
        "uint32_t *flags_of(psa_custom_key_parameters_t *custom) { return &custom->flags; }",
        "size_t sum(const struct psa_storage_info_t *info);",
        "size_t sum(const struct psa_storage_info_t *info)",
        "{ return info->capacity + info->size + CORRAL_CAST(size_t, info->flags & 1U); }",
    ]
    compiler.accepts(tmp_path, unit(*lines), configuration)


def predicate_names(prefix: str) -> list[str]:
    names = [row["identifier"] for row in api("function-like macro")]
    return [n.removeprefix(prefix) for n in names if n.startswith(prefix)]


def algorithm_checks() -> list[str]:
    """Every predicate on every algorithm, except where its result is unspecified ('?')."""
    lines = []
    for row in table("algorithms.tsv"):
        alg, true = row["algorithm"], (row["is"] or "").split()
        lines += [check(alg, row["value"]), f"CHECK(IS_TYPE({alg}, psa_algorithm_t));"]
        if row["hash"] != "*":
            expected = "PSA_ALG_NONE" if row["hash"] == "-" else row["hash"]
            lines.append(check(f"PSA_ALG_GET_HASH({alg})", expected))
        for name in predicate_names("PSA_ALG_IS_"):
            if f"?{name}" not in true:
                lines.append(check(f"PSA_ALG_IS_{name}({alg})", str(int(name in true))))
        for category, name in (("SIGN", "SIGN_SUPPORTS_CONTEXT"), ("XOF", "XOF_HAS_CONTEXT")):
            if category in true:
                lines.append(check(f"PSA_ALG_{name}({alg})", str(int(name in true))))
    return lines


def key_type_checks() -> list[str]:
    lines = []
    for row in table("key_types.tsv"):
        kind, true = row["key_type"], (row["is"] or "").split()
        lines += [check(kind, row["value"]), f"CHECK(IS_TYPE({kind}, psa_key_type_t));"]
        for name in predicate_names("PSA_KEY_TYPE_IS_"):
            lines.append(check(f"PSA_KEY_TYPE_IS_{name}({kind})", str(int(name in true))))
        if row["key_pair"]:
            lines.append(check(f"PSA_KEY_TYPE_KEY_PAIR_OF_PUBLIC_KEY({kind})", row["key_pair"]))
            lines.append(check(f"PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR({kind})", row["public_key"]))
    return lines


@every_compiler
def test_algorithms__values_and_predicates(compiler: Compiler, tmp_path: Path) -> None:
    compiler.accepts(tmp_path, unit(*algorithm_checks()))


@every_compiler
def test_key_types__values_and_predicates(compiler: Compiler, tmp_path: Path) -> None:
    compiler.accepts(tmp_path, unit(*key_type_checks()))


@every_compiler
@pytest.mark.parametrize("configuration", ["all", "none"])
def test_expressions__do_not_depend_on_the_configuration(
    compiler: Compiler, configuration: str, tmp_path: Path
) -> None:
    rows = table("expressions.tsv")
    compiler.accepts(
        tmp_path, unit(*[check(r["expression"], r["value"]) for r in rows]), configuration
    )


@every_compiler
def test_sizes__usable_as_array_sizes(compiler: Compiler, tmp_path: Path) -> None:
    lines: list[str] = []
    for row in table("expressions.tsv"):
        expression, value = row["expression"], row["value"]
        is_size = re.search(r"_(SIZE|LENGTH)\(", expression) and value.isdigit()
        if is_size and 0 < int(value) <= LARGEST_ARRAY:
            lines.append(f"extern uint8_t array_{len(lines)}[{expression}];")
    for row in table("limits.tsv"):
        if row["configuration"] == "few":
            lines.append(f"extern uint8_t array_{len(lines)}[{row['macro']}];")
    assert len(lines) > 400
    compiler.accepts(tmp_path, unit(*lines), "few")


@every_compiler
@pytest.mark.parametrize("configuration", ["all", "few", "none"])
def test_limits__follow_the_configuration(
    compiler: Compiler, configuration: str, tmp_path: Path
) -> None:
    rows = [row for row in table("limits.tsv") if row["configuration"] == configuration]
    assert rows
    compiler.accepts(tmp_path, unit(*[check(r["macro"], r["value"]) for r in rows]), configuration)


def limit_of(expression: str) -> str | None:
    """The maximum that bounds a size, if the specification has one."""
    name, _, arguments = expression.partition("(")
    if name == "PSA_EXPORT_KEY_OUTPUT_SIZE":
        return "PSA_EXPORT_KEY_PAIR_MAX_SIZE" if "KEY_PAIR" in arguments else None
    limit = re.sub(r"(LENGTH|SIZE)$", "MAX_SIZE", name)
    limit = limit.replace("PSA_SIGN_OUTPUT", "PSA_SIGNATURE").replace("KEY_OUTPUT", "KEY")
    limit = {"PSA_ENCAPSULATE_MAX_SIZE": "PSA_ENCAPSULATE_CIPHERTEXT_MAX_SIZE"}.get(limit, limit)
    last = arguments.rstrip(")").rpartition(",")[2].strip()
    kinds = {r["identifier"]: r["kind"] for r in api("macro", "function-like macro")}
    if limit == name or limit not in kinds:
        return None
    return f"{limit}({last})" if kinds[limit] == "function-like macro" else limit


def test_limits__not_below_any_size(tmp_path: Path) -> None:
    lines = []
    for row in table("expressions.tsv"):
        limit = limit_of(row["expression"])
        if limit:
            lines.append(f"CHECK({row['expression']} <= {limit});")
    lines.append("CHECK(PSA_EXPORT_ASYMMETRIC_KEY_MAX_SIZE >= PSA_EXPORT_KEY_PAIR_MAX_SIZE);")
    lines.append("CHECK(PSA_EXPORT_ASYMMETRIC_KEY_MAX_SIZE >= PSA_EXPORT_PUBLIC_KEY_MAX_SIZE);")
    lines.append("CHECK(PSA_WRAP_KEY_PAIR_MAX_SIZE >= PSA_EXPORT_KEY_PAIR_MAX_SIZE + 8);")
    assert len(lines) > 400
    GCC.accepts(tmp_path, unit(*lines))


def der(tag: int, content: bytes) -> bytes:
    length = len(content)
    if length < 0x80:
        return bytes([tag, length]) + content
    size = (length.bit_length() + 7) // 8
    return bytes([tag, 0x80 | size]) + length.to_bytes(size, "big") + content


def der_integer(value: int) -> bytes:
    return der(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))


@pytest.mark.parametrize("bits", [1024, 1536, 2048, 3072, 4096, 8192])
@pytest.mark.parametrize("exponent", [3, 65537, 2**64 - 1])
def test_rsa_export_size__holds_the_longest_der(bits: int, exponent: int, tmp_path: Path) -> None:
    n, half = 2**bits - 1, 2 ** (bits // 2) - 1
    public = len(der(0x30, der_integer(n) + der_integer(exponent)))
    numbers = [0, n, exponent, n, half, half, half, half, half]
    pair = len(der(0x30, b"".join(map(der_integer, numbers))))
    slack = 24
    macro = f"PSA_EXPORT_KEY_OUTPUT_SIZE(PSA_KEY_TYPE_RSA_%s, {bits})"
    sizes = [(macro % "KEY_PAIR", pair), (macro % "PUBLIC_KEY", public)]
    lines = [f"CHECK({m} >= {size} && {m} <= {size + slack});" for m, size in sizes]
    GCC.accepts(tmp_path, unit(*lines))


def test_function_like_macros__each_is_exercised() -> None:
    text = "\n".join(algorithm_checks() + key_type_checks())
    text += "\n".join(row["expression"] for row in table("expressions.tsv"))
    text += "\n".join(row["macro"] for row in table("limits.tsv"))
    names = [row["identifier"] for row in api("function-like macro")]
    assert len(names) == 178
    assert [name for name in names if f"{name}(" not in text] == []


@pytest.mark.parametrize("compiler", COMPILERS[:4], ids=lambda c: c.name)
def test_accessors__follow_the_rules_of_attributes(compiler: Compiler, tmp_path: Path) -> None:
    program = tmp_path / "accessors"
    result = compiler.compile(
        tmp_path, (HERE / "accessors.c").read_text(), "few", "-o", str(program)
    )
    assert result.returncode == 0, result.stderr
    run = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def test_derivation_steps__distinct(tmp_path: Path) -> None:
    steps = [
        row["identifier"]
        for row in api("macro")
        if row["identifier"].startswith("PSA_KEY_DERIVATION_INPUT_")
    ]
    assert len(steps) == 9
    cases = [f"case {step}: return {i};" for i, step in enumerate(steps)]
    types = [f"CHECK(IS_TYPE({step}, psa_key_derivation_step_t));" for step in steps]
    body = ["int number(psa_key_derivation_step_t step)", "{ switch (step) {", *cases]
    body += ["default: return -1; } }"]
    GCC.accepts(tmp_path, unit(*types, "int number(psa_key_derivation_step_t step);", *body))


@cache
def generated_headers() -> Path:
    """The include folder of a build with elements and keys that came with them."""
    folder = ROOT / "build" / "tests" / "headers"
    corral_api.configure(ROOT, "zoo", "native", folder, {})
    corral_api.generate(ROOT, "zoo", "native", folder)
    return folder / "gen"


#: Those of a build that an application sees; the others are the library's own.
GENERATED = ("bindings", "config", "locations")


def found_headers() -> list[Path]:
    """The headers that an application can include."""
    generated = generated_headers()
    found = {path.relative_to(INCLUDE) for path in INCLUDE.rglob("*.h")}
    found |= {Path("corral", f"{name}.h") for name in GENERATED}
    found |= {path.relative_to(generated) for path in generated.rglob("contexts/*.h")}
    assert len(found) > 50
    return sorted(found)


def including_twice(headers: Iterable[Path]) -> str:
    """A file that no compiler calls empty; the second time, the guards are asked."""
    return "".join(f"#include <{header}>\n" for header in headers for _ in range(2)) + (
        "extern int unit;\n"
    )


def reads_cleanly(compiler: Compiler, sources: list[Path]) -> None:
    compiler.require()
    includes = [f"-I{generated_headers()}", f"-I{INCLUDE}"]
    result = subprocess.run(
        [*compiler.command, *compiler.warnings, *includes, "-fsyntax-only", *map(str, sources)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr[:4000]


def test_headers__generated__hold_no_cast_as_in_c() -> None:
    for name in GENERATED:
        text = (generated_headers() / "corral" / f"{name}.h").read_text()
        assert not re.search(r"\(\w+_t\)[0-9(]", text)


@pytest.mark.parametrize("compiler", ENDS, ids=lambda c: c.name)
def test_headers__each_alone__clean_under_the_ends_of_the_standards(
    compiler: Compiler, tmp_path: Path
) -> None:
    """A compiler starts anew for each file, so what lies between these gets all in one."""
    sources = []
    for header in found_headers():
        source = tmp_path / f"{'_'.join(header.with_suffix('').parts)}{compiler.suffix}"
        source.write_text(including_twice([header]))
        sources.append(source)
    reads_cleanly(compiler, sources)


@pytest.mark.parametrize("compiler", ENDS, ids=lambda c: c.name)
def test_headers__port_alone__has_each_status_that_it_documents(
    compiler: Compiler, tmp_path: Path
) -> None:
    text = (INCLUDE / "corral" / "port.h").read_text()
    statuses = sorted(set(re.findall(r"\bPSA_(?:ERROR_\w+|SUCCESS)", text)))
    assert "PSA_ERROR_INSUFFICIENT_ENTROPY" in statuses
    checks = [f"#ifndef {name}\n#error {name}\n#endif\n" for name in statuses]
    source = tmp_path / f"port{compiler.suffix}"
    source.write_text("".join(["#include <corral/port.h>\n", *checks]))
    reads_cleanly(compiler, [source])


@pytest.mark.parametrize("compiler", STANDARDS, ids=lambda c: c.name)
def test_headers__all_in_one_file__clean_under_every_standard(
    compiler: Compiler, tmp_path: Path
) -> None:
    source = tmp_path / f"unit{compiler.suffix}"
    source.write_text(including_twice(found_headers()))
    reads_cleanly(compiler, [source])


@every_compiler
@pytest.mark.parametrize("configuration", ["all", "few", "none"])
def test_limits__can_be_compared_by_the_preprocessor(
    compiler: Compiler, configuration: str, tmp_path: Path
) -> None:
    limits = [r for r in api("macro", "function-like macro") if "_MAX_SIZE" in r["identifier"]]
    uses = [r["identifier"] + ("(7)" if r["kind"] == "function-like macro" else "") for r in limits]
    lines = [f"#if {use} < 1\n#error {use}\n#endif" for use in uses]
    known = [row for row in table("limits.tsv") if row["configuration"] == configuration]
    lines += [f"#if {r['macro']} != {r['value']}\n#error {r['macro']}\n#endif" for r in known]
    assert len(uses) == 28
    assert known
    compiler.accepts(tmp_path, unit(*lines), configuration)


@pytest.mark.parametrize(
    "line",
    [
        "CHECK(PSA_ALG_SHA_256 == 0x02000008);",
        "CHECK(IS_TYPE(PSA_KEY_TYPE_AES, psa_algorithm_t));",
        "psa_status_t psa_generate_random(uint8_t *output, uint8_t output_size);",
        "psa_key_id_t psa_get_key_id(psa_key_attributes_t *attributes);",
        check("PSA_HASH_LENGTH(PSA_ALG_SHA_256)", "31"),
    ],
)
def test_checks__wrong_expectation__compiler_refuses(line: str, tmp_path: Path) -> None:
    assert GCC.compile(tmp_path, unit(line), "all", "-fsyntax-only").returncode != 0


def source_of(header: Path) -> str:
    """A header without comments and continuation lines."""
    text = re.sub(r"/\*.*?\*/", " ", header.read_text(), flags=re.S)
    return re.sub(r"\\\n", " ", text)


def test_names__nothing_in_the_specified_name_space_is_invented() -> None:
    specified = {row["identifier"] for row in table("api.tsv")}
    invented = set()
    for header in (INCLUDE / "psa").glob("*.h"):
        text = source_of(header)
        guard = f"PSA_{header.stem.upper()}_H"
        macros = set(re.findall(r"#define (\w+)", text)) - {guard}
        declared = set(re.findall(r"\b(psa_\w+)\(", text))
        typedefs = set(re.findall(r"typedef [^;{]*?\b(\w+);", text))
        names = {n for n in macros | declared | typedefs if not n.startswith("CORRAL_")}
        invented |= names - specified
    assert invented == set()


def documentation(name: str, text: str) -> str:
    """The comment right above the declaration of a function, or nothing."""
    declaration = re.search(rf"^[^\n*#/]*?\b{name}\(", text, re.M)
    assert declaration, name
    before = text[: declaration.start()].rstrip()
    before = re.sub(r"\n(static inline \w+|psa_\w+)$", "", before)
    return before[before.rindex("/*") :] if before.endswith("*/") else ""


def test_functions__each_is_documented() -> None:
    text = "".join(path.read_text() for path in (INCLUDE / "psa").glob("*.h"))
    names = [row["identifier"] for row in api("function")]
    assert [name for name in names if not documentation(name, text)] == []


# Listed once for all functions, in the comment of psa/crypto.h.
COMMON_STATUSES = {
    "library": {"BAD_STATE"},
    "device": {"INSUFFICIENT_MEMORY", "COMMUNICATION_FAILURE", "CORRUPTION_DETECTED"},
    "storage": {"STORAGE_FAILURE", "DATA_CORRUPT", "DATA_INVALID"},
}


def test_functions__documented_statuses_are_the_specified_ones() -> None:
    text = "".join(path.read_text() for path in (INCLUDE / "psa").glob("*.h"))
    rows = table("statuses.tsv")
    head = (INCLUDE / "psa" / "update.h").read_text().partition("#ifndef")[0]
    of_update = set(re.findall(r"PSA_ERROR_(\w+)", head))
    returning = [r for r in api("function") if r["declaration"].startswith("psa_status_t ")]
    assert len(rows) == len(returning)
    for row in rows:
        comment = documentation(row["function"], text)
        told = set(re.findall(r"^ \*   PSA_ERROR_(\w+)  ", comment, re.M))
        common = re.search(r"and the statuses of (.*?) \(psa/crypto.h\)", comment)
        for group in re.findall(r"library|device|storage", common[1] if common else ""):
            told |= COMMON_STATUSES[group]
        specified = set(row["statuses"].split())
        if row["function"].startswith("psa_fwu_"):
            told |= specified & of_update
        assert specified - told == set(), row["function"]
        assert told - specified <= {"INSUFFICIENT_MEMORY"}, row["function"]


def test_files__are_short() -> None:
    lengths = {p.name: len(p.read_text().splitlines()) for p in (INCLUDE / "psa").glob("*.h")}
    assert {name: n for name, n in lengths.items() if n >= 600} == {}


# Algorithms that a symbol for another one brings along, policies, and macros that build none.
WITHOUT_SYMBOL = {
    "NONE",
    "ANY_HASH",
    "ECDSA_ANY",
    "RSA_PKCS1V15_SIGN_RAW",
    "CCM_STAR_ANY_TAG",
    "WPA3_SAE_ANY",
    "TRUNCATED_MAC",
    "FULL_LENGTH_MAC",
    "AT_LEAST_THIS_LENGTH_MAC",
    "AEAD_WITH_SHORTENED_TAG",
    "AEAD_WITH_DEFAULT_LENGTH_TAG",
    "AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG",
    "KEY_AGREEMENT",
    "KEY_AGREEMENT_GET_BASE",
    "KEY_AGREEMENT_GET_KDF",
    "GET_HASH",
    "SIGN_SUPPORTS_CONTEXT",
    "XOF_HAS_CONTEXT",
}


def test_symbols__one_for_each_algorithm_and_key_type() -> None:
    names = [row["identifier"] for row in api("macro", "function-like macro")]
    algorithms = {n.removeprefix("PSA_ALG_") for n in names if n.startswith("PSA_ALG_")}
    algorithms = {n for n in algorithms if not n.startswith("IS_")} - WITHOUT_SYMBOL
    kinds = {n.removeprefix("PSA_KEY_TYPE_") for n in names if n.startswith("PSA_KEY_TYPE_")}
    kinds = {n for n in kinds if not re.search(r"^IS_|_OF_|GET_FAMILY$|^NONE$", n)}
    kinds = {n.replace("_KEY_PAIR", "_KEY_PAIR_BASIC") for n in kinds}
    expected = {f"PSA_WANT_ALG_{n}" for n in algorithms}
    expected |= {f"PSA_WANT_KEY_TYPE_{n}" for n in kinds}
    assert expected - set(want_symbols()) == set()


def test_symbols__headers_use_only_defined_ones() -> None:
    text = "".join(source_of(path) for path in (INCLUDE / "psa").glob("*.h"))
    assert "PSA_WANT_" not in text
    own = set(re.findall(r"#define (CORRAL_WANT_\w+)", text))
    used = set(re.findall(r"\bCORRAL_WANT_\w+[A-Z0-9]\b", text)) - own
    assert used - {own_symbol(symbol) for symbol in want_symbols()} == set()
    assert len(used) > 100
