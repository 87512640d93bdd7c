# SPDX-License-Identifier: Apache-2.0
"""compat/ says in the words of the specification what others call by names of their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .test_headers import COMPILERS, ROOT, STANDARDS, Compiler

HEADER = ROOT / "compat" / "mbedtls" / "corral_mbedtls.h"
HERE = f"-I{HEADER.parent}"
#: A line of Mbed TLS's configuration before it includes the header.
JPAKE = "#define MBEDTLS_KEY_EXCHANGE_ECJPAKE_ENABLED\n"
INCLUDE = f"#include <{HEADER.name}>\n"

#: Names that are macros, and the specification's names for them.
MEANINGS = {
    "MBEDTLS_SVC_KEY_ID_INIT": "PSA_KEY_ID_NULL",
    "MBEDTLS_SVC_KEY_ID_GET_KEY_ID(PSA_KEY_ID_USER_MAX)": "PSA_KEY_ID_USER_MAX",
    "MBEDTLS_SVC_KEY_ID_GET_OWNER_ID(PSA_KEY_ID_USER_MAX)": "0",
    "PSA_ALG_HMAC_GET_HASH(PSA_ALG_HMAC(PSA_ALG_SHA_256))": "PSA_ALG_SHA_256",
    "PSA_ALG_SIGN_GET_HASH(PSA_ALG_ECDSA(PSA_ALG_SHA_384))": "PSA_ALG_SHA_384",
    "PSA_ALG_SIGN_GET_HASH(PSA_ALG_RSA_PSS(PSA_ALG_SHA_512))": "PSA_ALG_SHA_512",
    "PSA_ALG_HKDF_GET_HASH(PSA_ALG_HKDF(PSA_ALG_SHA_256))": "PSA_ALG_SHA_256",
    "PSA_ALG_RSA_OAEP_GET_HASH(PSA_ALG_RSA_OAEP(PSA_ALG_SHA_1))": "PSA_ALG_SHA_1",
    "PSA_ALG_TLS12_PRF_GET_HASH(PSA_ALG_TLS12_PRF(PSA_ALG_SHA_384))": "PSA_ALG_SHA_384",
    "PSA_ALG_TLS12_PSK_TO_MS_GET_HASH(PSA_ALG_TLS12_PSK_TO_MS(PSA_ALG_SHA_256))": "PSA_ALG_SHA_256",
    "(PSA_ALG_CATEGORY_HASH | (PSA_ALG_HMAC(PSA_ALG_SHA_256) & PSA_ALG_HASH_MASK))": (
        "PSA_ALG_SHA_256"
    ),
    "PSA_ALG_VENDOR_FLAG": "0x80000000u",
    "PSA_ECC_FAMILY_IS_WEIERSTRASS(PSA_ECC_FAMILY_SECP_R1)": "1",
    "PSA_ECC_FAMILY_IS_WEIERSTRASS(PSA_ECC_FAMILY_SECP_K1)": "1",
    "PSA_ECC_FAMILY_IS_WEIERSTRASS(PSA_ECC_FAMILY_BRAINPOOL_P_R1)": "1",
    "PSA_ECC_FAMILY_IS_WEIERSTRASS(PSA_ECC_FAMILY_MONTGOMERY)": "0",
    "PSA_ECC_FAMILY_IS_WEIERSTRASS(PSA_ECC_FAMILY_TWISTED_EDWARDS)": "0",
    "PSA_BITS_TO_BYTES(521)": "66",
    "PSA_BYTES_TO_BITS(32U)": "256",
    "PSA_KEY_EXPORT_ECC_KEY_PAIR_MAX_SIZE(521)": (
        "PSA_EXPORT_KEY_OUTPUT_SIZE(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 521)"
    ),
    "PSA_KEY_EXPORT_ECC_PUBLIC_KEY_MAX_SIZE(521)": (
        "PSA_EXPORT_KEY_OUTPUT_SIZE(PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1), 521)"
    ),
    "PSA_KEY_EXPORT_RSA_KEY_PAIR_MAX_SIZE(2048)": (
        "PSA_EXPORT_KEY_OUTPUT_SIZE(PSA_KEY_TYPE_RSA_KEY_PAIR, 2048)"
    ),
    "PSA_KEY_EXPORT_RSA_PUBLIC_KEY_MAX_SIZE(2048)": (
        "PSA_EXPORT_KEY_OUTPUT_SIZE(PSA_KEY_TYPE_RSA_PUBLIC_KEY, 2048)"
    ),
    "PSA_EXPORT_KEY_PAIR_OR_PUBLIC_MAX_SIZE": "PSA_EXPORT_ASYMMETRIC_KEY_MAX_SIZE",
    "PSA_ECDSA_SIGNATURE_SIZE(384)": (
        "PSA_SIGN_OUTPUT_SIZE(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 384, "
        "PSA_ALG_ECDSA(PSA_ALG_SHA_256))"
    ),
    "PSA_TLS12_ECJPAKE_TO_PMS_DATA_SIZE": "PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE",
    "PSA_ALG_JPAKE": "PSA_ALG_JPAKE(PSA_ALG_SHA_256)",
}
#: Largest keys, by configuration.
LIMITS = {
    "all": {
        "PSA_VENDOR_RSA_MAX_KEY_BITS": "8192",
        "PSA_VENDOR_FFDH_MAX_KEY_BITS": "8192",
        "PSA_VENDOR_ECC_MAX_CURVE_BITS": "571",
        "PSA_VENDOR_ECDSA_SIGNATURE_MAX_SIZE": "144",
    },
    "few": {
        "PSA_VENDOR_RSA_MAX_KEY_BITS": "0",
        "PSA_VENDOR_FFDH_MAX_KEY_BITS": "0",
        "PSA_VENDOR_ECC_MAX_CURVE_BITS": "256",
        "PSA_VENDOR_ECDSA_SIGNATURE_MAX_SIZE": "64",
    },
}
#: Functions and types that are tested below, or only by clients/mbedtls.
USES = """
psa_algorithm_t use(psa_key_attributes_t *attributes, mbedtls_svc_key_id_t id);
psa_algorithm_t use(psa_key_attributes_t *attributes, mbedtls_svc_key_id_t id)
{
    psa_key_bits_t bits = 256;
    mbedtls_psa_stats_t stats;

    mbedtls_psa_get_stats(&stats);
    psa_set_key_bits(attributes, bits);
    psa_set_key_enrollment_algorithm(attributes, PSA_ALG_ECDH);
    if (mbedtls_svc_key_id_is_null(mbedtls_svc_key_id_make(1, id)) ||
        mbedtls_svc_key_id_equal(id, MBEDTLS_SVC_KEY_ID_INIT) ||
        stats.MEMBER(locked_slots) > 0 || psa_can_do_hash(PSA_ALG_SHA_256) == 0) {
        return PSA_ALG_NONE;
    }
    return psa_get_key_enrollment_algorithm(attributes);
}
"""


def checks(meanings: dict[str, str], compiler: Compiler) -> str:
    word = "static_assert" if compiler.is_cpp else "_Static_assert"
    cast = "static_cast<uint32_t>({})" if compiler.is_cpp else "(uint32_t)({})"
    return "".join(
        f'{word}({cast.format(name)} == {cast.format(value)}, "{name.partition("(")[0]}");\n'
        for name, value in meanings.items()
    )


@pytest.mark.parametrize("compiler", STANDARDS, ids=lambda c: c.name)
@pytest.mark.parametrize("before", ["", JPAKE], ids=["", "jpake"])
def test_header_alone__clean_under_every_standard(
    before: str, compiler: Compiler, tmp_path: Path
) -> None:
    source = f"{before}{INCLUDE}#define MEMBER(name) name\n{USES}"
    result = compiler.compile(tmp_path, source, "all", HERE, "-fsyntax-only")
    assert result.returncode == 0, result.stderr[:4000]


def test_members_of_statistics__have_the_names_that_headers_of_mbedtls_give(
    tmp_path: Path,
) -> None:
    marks = tmp_path / "mbedtls" / "private_access.h"
    marks.parent.mkdir()
    marks.write_text("#define MBEDTLS_PRIVATE(member) private_##member\n")
    source = f"{INCLUDE}#define MEMBER(name) private_##name\n{USES}"
    theirs = f"-I{tmp_path}"
    result = COMPILERS[0].compile(tmp_path, source, "all", HERE, theirs, "-fsyntax-only")
    assert result.returncode == 0, result.stderr[:4000]


# Mbed TLS has no int of 16 bits.
@pytest.mark.parametrize(
    "compiler", [c for c in COMPILERS if c.name != "avr-c11"], ids=lambda c: c.name
)
def test_names__mean_what_the_specification_says(compiler: Compiler, tmp_path: Path) -> None:
    source = JPAKE + INCLUDE + checks(MEANINGS, compiler)
    result = compiler.compile(tmp_path, source, "all", HERE, "-fsyntax-only")
    assert result.returncode == 0, result.stderr[:4000]


@pytest.mark.parametrize("configuration", LIMITS)
def test_limits__usable_by_the_preprocessor(configuration: str, tmp_path: Path) -> None:
    limits = LIMITS[configuration].items()
    lines = [f"#if {name} != {value}\n#error {name}\n#endif\n" for name, value in limits]
    source = INCLUDE + "".join(lines)
    result = COMPILERS[0].compile(tmp_path, source, configuration, HERE, "-fsyntax-only")
    assert result.returncode == 0, result.stderr[:4000]


def test_every_macro_of_the_header_is_looked_at() -> None:
    text = HEADER.read_text()
    defined = set(re.findall(r"^#define (\w+)", text, re.M)) | {"PSA_ALG_JPAKE"}
    named = set(re.findall(r"\b[A-Z]\w+", " ".join([*MEANINGS, *LIMITS["all"]])))
    drafts = set(re.findall(r"^#define (psa_pake_\w+)", text, re.M))
    guards = {"CORRAL_MBEDTLS_H", "PSA_CRYPTO_CORE_H"}
    others = {"MBEDTLS_PSA_RANDOM_STATE", "CORRAL_MBEDTLS_MEMBER"}  # a pointer, names of members
    consents = {"CORRAL_CALL_UNWANTED"}  # without it no client of Mbed TLS compiles: tests/clients
    assert defined - named == drafts | guards | others | consents
