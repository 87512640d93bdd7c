# SPDX-License-Identifier: Apache-2.0
"""The library in a program that has another copy of its backends."""

from __future__ import annotations

from pathlib import Path

import pytest
from corral.packages import fetch as packages

from .project import MAIN, ROOT, project

#: Their own configuration file; with the default one their copy would have a PSA of its own.
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


#: Of BearSSL and wolfSSL they have what hashes.
THEIR_HASHES = """\
#include <string.h>
#include <bearssl.h>
#include <wolfssl/wolfcrypt/sha256.h>

int theirs(void);

int theirs(void)
{
    static const unsigned char begin[4] = {0xba, 0x78, 0x16, 0xbf};
    unsigned char first[32], second[32];
    br_sha256_context one;
    wc_Sha256 other;

    br_sha256_init(&one);
    br_sha256_update(&one, "abc", 3);
    br_sha256_out(&one, first);
    wc_InitSha256(&other);
    wc_Sha256Update(&other, (const unsigned char *)"abc", 3);
    wc_Sha256Final(&other, second);
    return memcmp(first, begin, sizeof begin) + memcmp(second, begin, sizeof begin);
}
"""
#: Of wolfSSL: no threads, and nothing that asks for more than a hash.
THEIR_SETTINGS = "#define HAVE_ASCON\n#define WOLFSSL_EXPERIMENTAL_SETTINGS\n"
THEIR_SETTINGS += "#define WOLFCRYPT_ONLY\n#define SINGLE_THREADED\n#define WC_NO_RNG\n" + "".join(
    f"#define NO_{name}\n"
    for name in ("AES", "ASN", "BIG_INT", "CERTS", "DES3", "DH", "DSA", "PWDBASED", "RSA")
)


def test_bearssl_and_wolfssl_of_the_project_and_ours_are_used(tmp_path: Path) -> None:
    bearssl, wolfssl = (packages.ensure(ROOT, name) for name in ("bearssl", "wolfcrypt"))
    made = project(
        tmp_path,
        f"file(GLOB bearssl {bearssl}/src/hash/sha2small.c {bearssl}/src/codec/*32be.c)",
        f"set(wolfssl {wolfssl}/wolfcrypt/src)",
        "add_library(hashes STATIC theirs.c ${bearssl} ${wolfssl}/sha256.c",
        "            ${wolfssl}/hash.c ${wolfssl}/ascon.c ${wolfssl}/memory.c",
        "            ${wolfssl}/wc_port.c ${wolfssl}/error.c)",
        f"target_include_directories(hashes PRIVATE {bearssl}/inc {bearssl}/src {wolfssl} .)",
        "target_compile_definitions(hashes PRIVATE WOLFSSL_USER_SETTINGS)",
        "corral_library(crypto CONFIG crypto.config BOARD boards/mine SETTINGS "
        "CORRAL_SHA_256_BY_BEARSSL=y CORRAL_DRIVER_WOLFCRYPT=y PSA_WANT_ALG_ASCON_HASH256=y)",
        "add_executable(app main.c)",
        "target_link_libraries(app PRIVATE hashes crypto corral::port::posix)",
        theirs=THEIR_HASHES,
    )
    made.write({"main.c": BOTH, "user_settings.h": THEIR_SETTINGS})
    made.configure()
    made.build()
    assert made.done("out/app") == "signed, too\n"
    # Both have it, or the test shows nothing.
    for name in ("br_sha256_init", "wc_AsconHash256_Init"):
        assert f" t {name}" in made.done("nm", "out/corral/crypto/crypto.o")
        assert f" T {name}" in made.done("nm", "out/libhashes.a")


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
