# SPDX-License-Identifier: Apache-2.0
"""The library in a program that has another copy of what it is made of."""

from __future__ import annotations

from pathlib import Path

import pytest
from corral import packages

from .project import MAIN, ROOT, project

#: What is switched on in their own configuration file; theirs has a PSA of its own otherwise.
THEIR_CONFIG = """\
#define MBEDTLS_SHA256_C
#define MBEDTLS_MD_C
#define MBEDTLS_BIGNUM_C
#define MBEDTLS_ECP_C
#define MBEDTLS_ECP_DP_SECP256R1_ENABLED
#define MBEDTLS_ECDH_C
#define MBEDTLS_SELF_TEST
"""
THEIR_PART = """\
#include <mbedtls/ecp.h>
#include <mbedtls/sha256.h>

int theirs(void);

int theirs(void)
{
    return mbedtls_sha256_self_test(0) + mbedtls_ecp_self_test(0);
}
"""
BOTH = MAIN.replace("int main(void)\n{", "int theirs(void);\n\nint main(void)\n{").replace(
    'puts("signed");', 'puts(theirs() == 0 ? "signed, too" : "theirs failed");'
)


@pytest.mark.parametrize("order", ["mbedtls crypto", "crypto mbedtls"])
def test_mbedtls_of_the_project_and_ours_are_both_used(tmp_path: Path, order: str) -> None:
    theirs = packages.ensure(ROOT, "mbedtls")
    made = project(
        tmp_path,
        # For the whole project, as many do; ours are compiled with their own all the same.
        f"include_directories({theirs}/library)",
        'add_compile_definitions(MBEDTLS_CONFIG_FILE="their_config.h")',
        f"file(GLOB sources {theirs}/library/*.c)",
        'list(FILTER sources INCLUDE REGEX "/(bignum|constant_time|ec|md|platform|sha256)[^/]*$")',
        "add_library(mbedtls STATIC theirs.c ${sources})",
        f"target_include_directories(mbedtls PRIVATE {theirs}/include ${{CMAKE_SOURCE_DIR}})",
        "corral_library(crypto CONFIG crypto.config BOARD boards/mine SETTINGS "
        "CORRAL_SECP_R1_256_BY_MBEDTLS=y)",
        "add_executable(app main.c)",
        f"target_link_libraries(app PRIVATE {order} corral::port::posix)",
        theirs=THEIR_PART,
    )
    made.write({"main.c": BOTH, "their_config.h": THEIR_CONFIG})
    made.configure()
    made.build()
    assert made.done("out/app") == "signed, too\n"
    # Both have it, or the test shows nothing.
    for file in ("libmbedtls.a", "corral/crypto/crypto.o"):
        assert " mbedtls_sha256_update" in made.done("nm", f"out/{file}")
