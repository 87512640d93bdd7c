# SPDX-License-Identifier: Apache-2.0
"""The generated dispatch against brute force: every key, every algorithm, every place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from oracle import check_dispatch
from test_configuration import CBC, P256
from trees import PLAIN, RICH, build, compile_everything, compile_text, run_calls

MACS = ("PSA_WANT_ALG_HMAC", "PSA_WANT_KEY_TYPE_HMAC", "PSA_WANT_ALG_CMAC")
EVERYTHING = (
    *CBC,
    *P256,
    *MACS,
    "PSA_WANT_ALG_CTR",
    "PSA_WANT_ALG_XTS",
    "PSA_WANT_AES_KEY_SIZE_192",
    "PSA_WANT_ALG_STREAM_CIPHER",
    "PSA_WANT_KEY_TYPE_CHACHA20",
    "PSA_WANT_KEY_TYPE_RAW_DATA",
    "PSA_WANT_ALG_MD5",
    "PSA_WANT_ALG_SHA_512",
    "PSA_WANT_ALG_DETERMINISTIC_ECDSA",
    "PSA_WANT_ALG_ECDH",
    "PSA_WANT_ALG_PURE_EDDSA",
    "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_IMPORT",
    "PSA_WANT_ECC_SECP_R1_384",
    "PSA_WANT_ECC_MONTGOMERY_255",
    "PSA_WANT_ECC_TWISTED_EDWARDS_255",
)
SCENES = {
    "hash": ("PSA_WANT_ALG_SHA_256",),
    "hashes": ("PSA_WANT_ALG_SHA_256", "PSA_WANT_ALG_SHA_512", "PSA_WANT_ALG_MD5"),
    "cbc": CBC,
    "curve": P256,
    "macs": (*CBC, *MACS, "PSA_WANT_ALG_SHA_256"),
    "picky": (*CBC, *P256, "CORRAL_ECDSA_SIGN_SECP_R1_256_BY_PICKY=y"),
    "sizes": (*CBC, "CORRAL_CBC_NO_PADDING_AES_256_BY_PICKY=y", "PSA_WANT_ALG_XTS"),
    "everything": EVERYTHING,
}


@pytest.mark.parametrize("board", [PLAIN, RICH])
@pytest.mark.parametrize("scene", SCENES)
def test_dispatch_reaches_whom_the_bindings_name(tree: Path, scene: str, board: str) -> None:
    built = build(tree, *SCENES[scene], board=board)
    assert check_dispatch(built) > 100


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("board", [PLAIN, RICH])
def test_headers_compile_without_a_warning(tree: Path, board: str, compiler: str) -> None:
    built = build(tree, *EVERYTHING, board=board)
    compile_everything(built, compiler)
    built = build(tree, "PSA_WANT_ALG_SHA_256", board=board)
    compile_everything(built, compiler)


def test_public_headers_compile_as_cpp(tree: Path) -> None:
    built = build(tree, *EVERYTHING, board=RICH)
    text = "#include <psa/crypto.h>\n#include <corral/locations.h>\n"
    compile_text(built, text, "g++", ("-std=c++17", "-xc++"))


def test_only_dispatch_compares_what_can_differ(tree: Path) -> None:
    """A direct call where nothing else is possible."""
    text = build(tree, *P256).text("dispatch/sign.h")
    body = text[text.index("corral_dispatch_sign_hash(") :]
    body = body[body.index("{") : body.index("\n}")]
    assert "if (PSA_ALG_IS_RANDOMIZED_ECDSA(alg)) {" in body
    assert "attributes->type" not in body and "attributes->bits" not in body
    assert "binding" not in build(tree, "PSA_WANT_ALG_SHA_256").text("contexts/hash.h")


def test_size_of_an_imported_key_may_be_left_to_the_data(tree: Path) -> None:
    built = build(tree, *P256, "PSA_WANT_ECC_SECP_R1_384", "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_IMPORT",
                  settings={"CORRAL_SECP_R1_256_BY_CURVE_A": "y"})  # fmt: skip
    pair = "PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)"
    public = "PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)"
    body = "".join(
        f"{{ psa_key_attributes_t k = key({kind}, 0, 0); say(corral_dispatch_import_key(&k, in,"
        f" {size}, out, sizeof out, &length, &length)); }}"
        for kind, size in ((pair, 32), (pair, 48), (pair, 66), (public, 65), (public, 97))
    )
    assert run_calls(built, body) == [
        "curve_a_import_key = 0",
        "wide_import_key = 0",
        "= -134",
        "curve_a_import_key = 0",
        "wide_import_key = 0",
    ]


def add_driver(tree: Path, name: str, capabilities: Sequence[dict[str, object]]) -> None:
    folder = tree / "drivers" / name
    folder.mkdir()
    description = {
        "prefix": name,
        "type": "transparent",
        "corral/title": "Another driver",
        "corral/rank": 60,
        "capabilities": capabilities,
    }
    (folder / "driver.json").write_text(json.dumps(description))
    (folder / "Kconfig").write_text(
        f'config CORRAL_DRIVER_{name.upper()}\n\tbool "{name}"\n\tdefault y\n'
    )


def test_operations_go_on_with_the_functions_of_their_own_capability(tree: Path) -> None:
    """Also where those of another one of the same driver are a part of them."""
    names = {f"hash_{what}": f"both_{what}" for what in ("setup", "update", "finish", "abort")}
    common = {
        "names": names,
        "corral/context": "both_t",
        "corral/context_header": "both_contexts.h",
    }
    suspends = {
        "entry_points": ["hash_multipart", "hash_suspend", "hash_resume"],
        "corral/suspend": True,
    }
    capabilities = [
        {"entry_points": ["hash_multipart"], "algorithms": ["PSA_ALG_SHA_1"], **common},
        {"algorithms": ["PSA_ALG_SHA_256"], **suspends, **common},
    ]
    add_driver(tree, "both", capabilities)
    chosen = {"CORRAL_SHA_1_BY_BOTH": "y", "CORRAL_SHA_256_BY_BOTH": "y"}
    built = build(tree, "PSA_WANT_ALG_SHA_1", "PSA_WANT_ALG_SHA_256", settings=chosen)
    body = "".join(
        "{ corral_hash_context_t c; memset(&c, 0, sizeof c);"
        f"say(corral_dispatch_hash_setup(&c, {alg}));"
        "say(corral_dispatch_hash_suspend(&c, out, sizeof out, &length));"
        "say(corral_dispatch_hash_finish(&c, out, sizeof out, &length)); }"
        for alg in ("PSA_ALG_SHA_1", "PSA_ALG_SHA_256")
    )
    assert run_calls(built, body) == [
        "both_setup = 0",
        "= -134",
        "both_finish = 0",
        "both_setup = 0",
        "both_hash_suspend = 0",
        "both_finish = 0",
    ]


def test_one_function_gets_the_constants_of_the_mechanism(tree: Path) -> None:
    """Before its own arguments; and only functions that differ need to be told apart later."""
    capability = {
        "entry_points": ["hash_compute", "hash_multipart"],
        "corral/context": "one_t",
        "corral/context_header": "one_contexts.h",
    }
    capabilities = [
        {
            **capability,
            "algorithms": [f"PSA_ALG_SHA_{bits}"],
            "names": {
                "hash_compute": f"one_compute({bits}, 7)",
                "hash_setup": f"one_setup({bits})",
            },
        }
        for bits in (224, 256)
    ]
    add_driver(tree, "one", capabilities)
    chosen = {"CORRAL_SHA_224_BY_ONE": "y", "CORRAL_SHA_256_BY_ONE": "y"}
    built = build(tree, "PSA_WANT_ALG_SHA_224", "PSA_WANT_ALG_SHA_256", settings=chosen)
    body = "".join(
        f"say(corral_dispatch_hash_compute({alg}, in, 1, out, 32, &length));"
        "{ corral_hash_context_t c; memset(&c, 0, sizeof c);"
        f"say(corral_dispatch_hash_setup(&c, {alg}));"
        "say(corral_dispatch_hash_finish(&c, out, sizeof out, &length)); }"
        for alg in ("PSA_ALG_SHA_224", "PSA_ALG_SHA_256")
    )
    assert run_calls(built, body) == [
        "one_compute(224, 7) = 0",
        "one_setup(224) = 0",
        "one_hash_finish = 0",
        "one_compute(256, 7) = 0",
        "one_setup(256) = 0",
        "one_hash_finish = 0",
    ]
    assert "binding" not in built.text("contexts/hash.h")


def test_operations_go_on_with_the_driver_that_began_them(tree: Path) -> None:
    built = build(tree, "PSA_WANT_ALG_SHA_256", "PSA_WANT_ALG_SHA_512", board=RICH)
    body = "".join(
        "{ corral_hash_context_t c; memset(&c, 0, sizeof c);"
        f"say(corral_dispatch_hash_setup(&c, {alg}));"
        "say(corral_dispatch_hash_update(&c, in, 4));"
        "say(corral_dispatch_hash_suspend(&c, out, sizeof out, &length));"
        "say(corral_dispatch_hash_finish(&c, out, sizeof out, &length));"
        "corral_dispatch_hash_abort(&c); say(0); }"
        for alg in ("PSA_ALG_SHA_256", "PSA_ALG_SHA_512")
    )
    body += (
        "{ corral_hash_context_t c; memset(&c, 0, sizeof c);"
        "say(corral_dispatch_hash_update(&c, in, 4)); corral_dispatch_hash_abort(&c); say(0);"
        "say(corral_dispatch_hash_resume(&c, PSA_ALG_SHA_256, in, 9));"
        "say(corral_dispatch_hash_resume(&c, PSA_ALG_SHA_512, in, 9)); }"
    )
    answers = run_calls(built, body, ["engine_hash_setup"])
    assert answers == [
        "engine_hash_setup wide_hash_setup = 0",
        "wide_hash_update = 0",
        "wide_hash_suspend = 0",
        "wide_hash_finish = 0",
        "wide_hash_abort = 0",
        "wide_long_setup = 0",
        "wide_long_update = 0",
        "= -134",
        "wide_long_finish = 0",
        "wide_long_abort = 0",
        "= -137",
        "= 0",
        "= -134",
        "= -134",
    ]


def test_serves_agrees_with_dispatch(tree: Path) -> None:
    built = build(tree, *EVERYTHING, "PSA_WANT_ALG_CBC_PKCS7", board=RICH)
    pair = "PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)"
    hmac = "PSA_ALG_HMAC(PSA_ALG_SHA_256)"
    rows = [
        ("PSA_KEY_TYPE_AES", 128, "0", "ENCRYPT", "PSA_ALG_CBC_NO_PADDING", 1),
        ("PSA_KEY_TYPE_AES", 128, "0", "DECRYPT", "PSA_ALG_CBC_PKCS7", 1),
        ("PSA_KEY_TYPE_AES", 128, "0", "DECRYPT", "PSA_ALG_ECB_NO_PADDING", 0),
        ("PSA_KEY_TYPE_AES", 128, "0", "ENCRYPT", "PSA_ALG_OFB", 0),
        ("PSA_KEY_TYPE_AES", 256, "CORRAL_LOCATION_VAULT", "ENCRYPT", "PSA_ALG_CBC_PKCS7", 1),
        ("PSA_KEY_TYPE_AES", 128, "CORRAL_LOCATION_SE0", "ENCRYPT", "PSA_ALG_CTR", 1),
        ("PSA_KEY_TYPE_AES", 128, "CORRAL_LOCATION_VAULT", "ENCRYPT", "PSA_ALG_CTR", 0),
        ("PSA_KEY_TYPE_HMAC", 256, "0", "SIGN_MESSAGE", hmac, 1),
        ("PSA_KEY_TYPE_HMAC", 256, "0", "VERIFY_MESSAGE", f"PSA_ALG_TRUNCATED_MAC({hmac}, 8)", 1),
        ("PSA_KEY_TYPE_HMAC", 256, "0", "SIGN_MESSAGE", "PSA_ALG_HMAC(PSA_ALG_SHA_1)", 0),
        (pair, 256, "0", "SIGN_HASH", "PSA_ALG_ECDSA(PSA_ALG_SHA_256)", 1),
        (pair, 256, "0", "VERIFY_HASH", "PSA_ALG_ECDSA(PSA_ALG_SHA_256)", 1),
        (pair, 256, "0", "SIGN_MESSAGE", "PSA_ALG_ECDSA(PSA_ALG_MD5)", 1),
        (pair, 256, "0", "SIGN_MESSAGE", "PSA_ALG_ECDSA(PSA_ALG_SHA_1)", 0),
        (pair, 256, "0", "DERIVE", "PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, PSA_ALG_HKDF(0))", 1),
        (pair, 256, "0", "DERIVE_PUBLIC", "PSA_ALG_ECDH", 1),
        (pair, 384, "CORRAL_LOCATION_VAULT", "SIGN_HASH", "PSA_ALG_ECDSA_ANY", 1),
        (pair, 256, "CORRAL_LOCATION_SE0", "SIGN_HASH", "PSA_ALG_ECDSA_ANY", 0),
        (pair, 256, "CORRAL_LOCATION_SE0", "VERIFY_HASH", "PSA_ALG_ECDSA_ANY", 1),
        (pair, 384, "CORRAL_LOCATION_VAULT", "VERIFY_HASH", "PSA_ALG_ECDSA(PSA_ALG_MD5)", 1),
        (pair, 256, "CORRAL_LOCATION_VAULT", "DERIVE", "PSA_ALG_ECDH", 0),
    ]
    body = "".join(
        f"{{ psa_key_attributes_t k = key({kind}, {bits}, {place});"
        f" say(corral_dispatch_serves(&k, PSA_KEY_USAGE_{usage}, {alg})); }}"
        for kind, bits, place, usage, alg, _ in rows
    )
    assert run_calls(built, body) == [f"= {expected}" for *_, expected in rows]
