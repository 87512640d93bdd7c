# SPDX-License-Identifier: Apache-2.0
"""A call that a configuration does not want fails to compile, and the error names the want."""

from __future__ import annotations

from pathlib import Path

import pytest

from .project import CONFIG, ROOT, Project

FRONT_DOOR = ROOT / "corral"
#: A use of each kind that is none of the function's, and a call where CALL is defined.
SOURCE = """\
#include <psa/crypto.h>

typedef psa_status_t function(psa_mac_operation_t *, const uint8_t *, size_t);
extern function *address;
psa_status_t use(const uint8_t *in);

function *address = psa_mac_update;

psa_status_t use(const uint8_t *in)
{
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;

    if (0) {
        return psa_mac_update(&operation, in, 1);
    }
#ifdef CALL
    return psa_mac_verify(1, PSA_ALG_CMAC, in, 1, in, 16);
#else
    (void)in;
    return psa_mac_abort(&operation);
#endif
}
"""
SAID = "not wanted: set PSA_WANT_ALG_HMAC or PSA_WANT_ALG_BLAKE2_MAC or PSA_WANT_ALG_CMAC or "
MAIN = "#include <psa/crypto.h>\npsa_status_t use(const uint8_t *in);\n"
MAIN += "int main(void) { uint8_t in[16] = {0}; return use(in) != PSA_SUCCESS; }\n"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror"]
WARNINGS += ["-Wredundant-decls"]
STANDARDS = [
    *(f"{compiler} -std={year}" for compiler in ("gcc", "clang") for year in ("c99", "c11", "c2x")),
    *(f"{c} -std={y} -Wold-style-cast" for c in ("g++", "clang++") for y in ("c++11", "c++2a")),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The headers of a configuration that signs with ECDSA and has no MAC."""
    mine = Project(tmp_path_factory.mktemp("unwanted"))
    mine.write({"crypto.config": CONFIG, "use.c": SOURCE, "use.cpp": SOURCE, "main.c": MAIN})
    mine.done(FRONT_DOOR, "configure", "crypto.config", "native", "made")
    return mine


def words(compiler: str, output: str, *more: str) -> list[str]:
    suffix = "cpp" if "++" in compiler else "c"
    include = [f"-I{ROOT}/include", "-Imade/gen"]
    return [*compiler.split(), *include, *more, "-c", f"use.{suffix}", "-o", output]


@pytest.mark.parametrize(
    "compiler",
    [
        *(
            f"{name} {level}"
            for name in ("gcc", "clang", "g++", "clang++")
            for level in ("-O0", "-Os")
        ),
        "arm-none-eabi-gcc -mcpu=cortex-m4 -Os",
        "avr-gcc -mmcu=atmega2560 -Os",
    ],
)
def test_call_names_what_would_have_to_be_wanted(made: Project, compiler: str) -> None:
    done = made.run(*words(compiler, "call.o", "-DCALL"))
    assert done.returncode != 0 and SAID in done.stderr, done.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_call_is_found_by_optimisation_at_the_link(made: Project, compiler: str) -> None:
    made.done(*words(f"{compiler} -flto", f"{compiler}.o", "-DCALL", "-Os"))
    include = [f"-I{ROOT}/include", "-Imade/gen"]
    done = made.run(compiler, "-flto", "-Os", *include, "main.c", f"{compiler}.o", "-o", "app")
    assert done.returncode != 0 and SAID in done.stderr, done.stderr


@pytest.mark.parametrize("standard", STANDARDS)
def test_what_is_no_call_compiles_without_warnings(made: Project, standard: str) -> None:
    made.done(*words(standard, "none.o", *WARNINGS))
    made.done(*words(standard, "none.o", *WARNINGS, "-DCALL", "-DCORRAL_CALL_UNWANTED"))


def test_verification_alone_names_the_pair_that_signs(tmp_path: Path) -> None:
    mine = Project(tmp_path)
    wants = CONFIG.replace("KEY_PAIR_GENERATE", "PUBLIC_KEY")
    call = "psa_sign_hash(1, 0, in, 32, out, 64, &length)"
    source = f"""#include <psa/crypto.h>
psa_status_t use(const uint8_t *in, uint8_t *out);
psa_status_t use(const uint8_t *in, uint8_t *out) {{ size_t length; return {call}; }}
"""
    mine.write({"crypto.config": wants, "use.c": source})
    mine.done(FRONT_DOOR, "configure", "crypto.config", "native", "made")
    done = mine.run(*words("gcc", "call.o"))
    assert "not wanted: set PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_BASIC" in done.stderr
    mine.write({"use.c": source.replace("sign_hash", "verify_hash").replace(", &length", "")})
    mine.done(*words("gcc", "verify.o", "-Wno-unused"))
