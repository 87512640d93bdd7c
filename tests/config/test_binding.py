# SPDX-License-Identifier: Apache-2.0
"""The bindings of drivers to mechanisms, and the calls of the generated dispatch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from corral.configure.candidates import serves_any
from corral.errors import CorralError
from corral.generate import api
from corral.model.tree import load_tree
from test_configuration import CBC, P256
from trees import (
    PLAIN,
    RICH,
    Built,
    build,
    compile_everything,
    description,
    edit_json,
    reload,
    run_calls,
)

KEY = "&k, in, 32"
OUT = "out, sizeof out, &length"
PAIR = "PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)"


def encrypt(bits: int, location: str = "0") -> str:
    return (
        f"{{ psa_key_attributes_t k = key(PSA_KEY_TYPE_AES, {bits}, {location});"
        f" say(corral_dispatch_cipher_encrypt({KEY}, PSA_ALG_CBC_NO_PADDING, in, 16, in, 16,"
        f" {OUT})); }}"
    )


def sign(alg: str = "PSA_ALG_ECDSA(PSA_ALG_SHA_256)", location: str = "0") -> str:
    return (
        f"{{ psa_key_attributes_t k = key({PAIR}, 256, {location});"
        f" say(corral_dispatch_sign_hash({KEY}, {alg}, in, 32, {OUT})); }}"
    )


def hashing(alg: str = "PSA_ALG_SHA_256") -> str:
    return f"say(corral_dispatch_hash_compute({alg}, in, 32, {OUT}));"


def reasons(built: Built, mechanism: str, board: str = PLAIN) -> dict[tuple[str, str], str]:
    """(driver, place) to the reason."""
    return {
        (row.driver, row.where): row.reason
        for row in reload(built, board)
        if row.mechanism == mechanism
    }


def test_a_driver_made_of_another_serves_what_it_has_itself(tree: Path) -> None:
    described = load_tree(tree)
    hashing = described.mechanisms.mechanisms["SHA_256"].services[0]
    wide = described.drivers["wide"]
    assert serves_any(wide, hashing)
    assert not serves_any(replace(wide, capabilities=()), hashing)
    assert serves_any(wide, hashing)


def test_one_size_from_one_driver_and_another_from_another(tree: Path) -> None:
    built = build(tree, *CBC, settings={"CORRAL_CBC_NO_PADDING_AES_256_BY_PICKY": "y"})
    assert built.servers("CBC_NO_PADDING_AES_128")["cipher_encrypt"] == ["wide"]
    assert built.servers("CBC_NO_PADDING_AES_256")["cipher_multipart"] == ["picky"]
    assert run_calls(built, encrypt(128) + encrypt(256)) == [
        "wide_cipher_encrypt = 0",
        "picky_cipher_encrypt_setup picky_cipher_set_iv picky_cipher_update picky_cipher_abort = 0",
    ]


@pytest.mark.parametrize("library", ["wide", "curve_a", "curve_b"])
def test_curve_from_three_libraries_by_one_symbol(tree: Path, library: str) -> None:
    symbol = f"CORRAL_SECP_R1_256_BY_{library.upper()}"
    built = build(tree, *P256, settings={symbol: "y"})
    for mechanism, unit in (
        ("ECDSA_SIGN_SECP_R1_256", "sign_hash"),
        ("ECDSA_VERIFY_SECP_R1_256", "verify_hash"),
        ("ECC_GENERATE_SECP_R1_256", "generate_key"),
        ("ECC_IMPORT_SECP_R1_256", "import_key"),
        ("ECC_EXPORT_PUBLIC_SECP_R1_256", "export_public_key"),
    ):
        assert built.servers(mechanism)[unit] == [library]
        assert reasons(built, mechanism)[library, "local"] == f"group choice ({symbol})"
    assert run_calls(built, sign()) == [f"{library}_sign_hash = 0"]
    assert built.servers("SHA_256")["hash_compute"] == ["wide"], "a curve is no hash"


def test_group_leaves_alone_what_its_driver_cannot_do(tree: Path) -> None:
    wants = (*P256, "PSA_WANT_ALG_DETERMINISTIC_ECDSA")
    built = build(tree, *wants, settings={"CORRAL_SECP_R1_256_BY_CURVE_A": "y"})
    assert built.servers("ECDSA_SIGN_SECP_R1_256")["sign_hash"] == ["curve_a"]
    assert built.servers("DETERMINISTIC_ECDSA_SIGN_SECP_R1_256")["sign_hash"] == ["wide"]


def test_individual_choice_beats_group_and_library(tree: Path) -> None:
    settings = {
        "CORRAL_SECP_R1_256_BY_CURVE_A": "y",
        "CORRAL_ECDSA_VERIFY_SECP_R1_256_BY_CURVE_B": "y",
        "CORRAL_DEFAULT_BY_CURVE_B": "y",
    }
    built = build(tree, *P256, settings=settings)
    assert built.servers("ECDSA_SIGN_SECP_R1_256")["sign_hash"] == ["curve_a"]
    assert built.servers("ECDSA_VERIFY_SECP_R1_256")["verify_hash"] == ["curve_b"]


def test_default_library(tree: Path) -> None:
    built = build(tree, *P256)
    why = reasons(built, "ECDSA_SIGN_SECP_R1_256")
    assert why["wide", "local"] == "default library (CORRAL_DEFAULT_BY_WIDE)", "it serves most"
    built = build(tree, *P256, settings={"CORRAL_DEFAULT_BY_CURVE_B": "y"})
    why = reasons(built, "ECDSA_SIGN_SECP_R1_256")
    assert why["curve_b", "local"] == "default library (CORRAL_DEFAULT_BY_CURVE_B)"
    assert reasons(built, "SHA_256")["wide", "local"] == "only candidate"


def test_rank_decides_when_nothing_else_does(tree: Path) -> None:
    built = build(
        tree, "PSA_WANT_ALG_SHA_256", "PSA_WANT_ALG_HMAC", "PSA_WANT_KEY_TYPE_HMAC",
        settings={"CORRAL_DEFAULT_BY_CURVE_A": "y"},
    )  # fmt: skip
    assert reasons(built, "HMAC_SHA_256")["wide", "local"] == "lowest rank"


def test_hardware_comes_first_where_the_board_has_it(tree: Path) -> None:
    built = build(tree, *CBC, board=RICH)
    assert built.servers("CBC_NO_PADDING_AES_128")["cipher_multipart"] == ["engine"]
    assert reasons(built, "CBC_NO_PADDING_AES_128", RICH)["engine", "local"] == "hardware present"
    built = build(tree, *CBC, board=PLAIN)
    assert built.servers("CBC_NO_PADDING_AES_128")["cipher_multipart"] == ["wide"]


def test_fallback_is_tried_only_after_not_supported(tree: Path) -> None:
    built = build(tree, "PSA_WANT_ALG_SHA_256", *P256, board=RICH)
    assert built.servers("SHA_256")["hash_compute"] == ["engine", "wide"]
    assert "fallback" in reasons(built, "SHA_256", RICH)["wide", "local"]
    setup = (
        "corral_hash_context_t c; memset(&c, 0, sizeof c);"
        "say(corral_dispatch_hash_setup(&c, PSA_ALG_SHA_256));"
        "say(corral_dispatch_hash_update(&c, in, 4));"
    )
    assert run_calls(built, hashing() + sign() + setup) == [
        "engine_hash_compute = 0",
        "engine_sign_hash = 0",
        "engine_hash_setup = 0",
        "engine_hash_update = 0",
    ]
    refusing = ["engine_hash_compute", "engine_sign_hash", "engine_hash_setup"]
    assert run_calls(built, hashing() + sign() + setup, refusing) == [
        "engine_hash_compute wide_hash_compute = 0",
        "engine_sign_hash wide_sign_hash = 0",
        "engine_hash_setup wide_hash_setup = 0",
        "wide_hash_update = 0",
    ]


def test_without_fallback_the_answer_is_final(tree: Path) -> None:
    built = build(tree, *CBC, board=RICH)
    assert run_calls(built, encrypt(128), ["engine_cipher_encrypt_setup"]) == [
        "engine_cipher_encrypt_setup = -134"
    ]


def test_missing_single_part_is_made_of_the_same_drivers_parts(tree: Path) -> None:
    """SHA-512 of wide has no hash_compute; no other driver is asked for it."""
    built = build(tree, "PSA_WANT_ALG_SHA_512", "PSA_WANT_ALG_SHA_256")
    assert run_calls(built, hashing("PSA_ALG_SHA_512") + hashing()) == [
        "wide_long_setup wide_long_update wide_long_finish = 0",
        "wide_hash_compute = 0",
    ]
    assert run_calls(built, hashing("PSA_ALG_SHA_512"), ["wide_long_update"]) == [
        "wide_long_setup wide_long_update wide_long_abort = -134"
    ]
    assert run_calls(built, hashing("PSA_ALG_SHA_1")) == ["= -134"]


def test_next_candidate_serves_the_entry_points_that_are_missing(tree: Path) -> None:
    """The element computes hashes in one part only; the library does the rest."""
    settings = {"CORRAL_SHA_256_BY_CHIP": "y", "CORRAL_CHIP_KEYLESS_DEVICE": "1"}
    built = build(tree, "PSA_WANT_ALG_SHA_256", board=RICH, settings=settings)
    assert built.servers("SHA_256") == {
        "hash_compute": ["chip"],
        "hash_multipart": ["engine", "wide"],
    }
    assert run_calls(built, hashing()) == ["chip_hash_compute = 0"]
    why = reasons(built, "SHA_256", RICH)
    assert why["chip", "local"] == "your choice (--set CORRAL_SHA_256_BY_CHIP=y)"
    assert why["engine", "local"] == "the rest of it, which chip does not serve"
    assert "return CORRAL_CHIP_KEYLESS_DEVICE;" in built.text("devices.h")


def test_element_is_never_the_default_for_requests_without_a_key(tree: Path) -> None:
    built = build(tree, "PSA_WANT_GENERATE_RANDOM", "PSA_WANT_ALG_SHA_256", board=RICH)
    assert built.servers("RANDOM")["get_random"] == ["wide"]
    built = build(tree, "PSA_WANT_GENERATE_RANDOM", board=RICH,
                  settings={"CORRAL_RANDOM_BY_CHIP": "y"})  # fmt: skip
    assert built.servers("RANDOM") == {"get_random": ["chip"]}
    assert "#define CORRAL_RANDOM_INITIAL_ENTROPY_SIZE 0\n" in built.text("dispatch/random.h")


def test_keys_in_elements_and_in_memory_go_to_their_own_drivers(tree: Path) -> None:
    built = build(tree, *CBC, *P256, board=RICH)
    assert built.servers("CBC_NO_PADDING_AES_128", "chip") == {"cipher_multipart": ["chip"]}
    assert built.servers("ECDSA_SIGN_SECP_R1_256", "chip")["sign_hash"] == ["chip"]
    calls = "".join(
        encrypt(128, place) + sign(location=place)
        for place in ("CORRAL_LOCATION_SE0", "CORRAL_LOCATION_SE1", "CORRAL_LOCATION_VAULT")
    )
    chip = "chip_cipher_encrypt_setup chip_cipher_set_iv chip_cipher_update chip_cipher_abort = 0"
    assert run_calls(built, calls) == [
        chip,
        "chip_sign_hash = 0",
        chip,
        "chip_sign_hash = 0",
        chip.replace("chip", "vault"),
        "vault_sign_hash = 0",
    ]


def test_two_elements_of_one_kind_are_told_apart_by_location(tree: Path) -> None:
    built = build(tree, *CBC, board=RICH)
    body = "".join(
        f"{{ psa_key_attributes_t k = key(PSA_KEY_TYPE_AES, 128, {place});"
        f" say((long)corral_chip_device_index(&k));"
        f" say((long)corral_chip_devices[corral_chip_device_index(&k)].bus);"
        f" say((long)(corral_chip_devices[corral_chip_device_index(&k)].location == {place})); }}"
        for place in ("CORRAL_LOCATION_SE0", "CORRAL_LOCATION_SE1")
    )
    body += "say(CORRAL_CHIP_DEVICE_COUNT); say(CORRAL_ELEMENT_COUNT);"
    body += (
        "const char *names[] = {CORRAL_ELEMENT_NAMES}; say((long)(sizeof names / sizeof *names));"
    )
    body += "const psa_key_location_t places[] = {CORRAL_ELEMENT_LOCATIONS}; say((long)places[1]);"
    answers = run_calls(built, body, extra="#include <corral/devices.h>")
    assert answers == [f"= {n}" for n in (0, 0, 1, 1, 1, 1, 2, 3, 3, 0x800005)]


IMPORT_WANTS = (*P256, "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_IMPORT")
IMPORTS = "".join(
    f"{{ psa_key_attributes_t k = key({key_type}, 256, {place}); size_t bits = 0;"
    f" say((long)corral_element_imports(&k));"
    f" say(corral_dispatch_import_key(&k, in, 32, {OUT}, &bits)); }}"
    for place in ("CORRAL_LOCATION_SE0", "CORRAL_LOCATION_SE1")
    for key_type in (PAIR, PAIR.replace("KEY_PAIR", "PUBLIC_KEY"))
)


def with_pair_import(tree: Path, **more: object) -> None:
    """Let the chips import pairs, those with a slot for data."""

    def change(value: Any) -> None:
        capability = {
            "entry_points": ["import_key"],
            "key_types": [PAIR],
            "names": {"import_key": "chip_import_pair"},
            "corral/devices": {"slots": "data"},
        }
        value["capabilities"].append({**capability, **more})

    edit_json(description(tree, "chip"), change)


def test_what_only_some_elements_are_made_for_is_asked_of_these_alone(tree: Path) -> None:
    with_pair_import(tree)
    built = build(tree, *IMPORT_WANTS, board=RICH)
    public = ["= 1", "chip_import_public = 0"]
    assert run_calls(built, IMPORTS) == [
        *("= 1", "chip_import_pair = 0"),
        *public,
        *("= 0", "= -134"),
        *public,
    ]


def test_what_no_element_of_the_board_is_made_for_is_left_out(tree: Path) -> None:
    with_pair_import(tree, **{"corral/devices": {"slots": "none"}})
    edit_json(
        description(tree, "chip"),
        lambda value: value["corral/device"]["fields"]["slots"]["values"].update(none="CHIP_NONE"),
    )
    built = build(tree, *IMPORT_WANTS, board=RICH)
    assert "chip_import_pair" not in built.text("dispatch/key.h")
    assert run_calls(built, IMPORTS)[:2] == ["= 0", "= -134"]


@pytest.mark.parametrize(
    ("needs", "wants", "settings"),
    [
        (["PSA_ALG_SHA_256"], ["PSA_WANT_ALG_SHA_256=n"], {}),
        (["PSA_ALG_SHA_256"], [], {"CORRAL_SHA_256_BY_CHIP": "y"}),
    ],
)
def test_what_an_element_needs_of_memory_and_does_not_get_leaves_its_part_out(
    tree: Path, needs: list[str], wants: list[str], settings: dict[str, str]
) -> None:
    with_pair_import(tree, **{"corral/needs": needs})
    plain = build(tree, *IMPORT_WANTS, board=RICH)
    assert "chip_import_pair" in plain.text("dispatch/key.h")
    built = build(tree, *IMPORT_WANTS, *wants, board=RICH, settings=settings)
    assert "chip_import_pair" not in built.text("dispatch/key.h")


def test_element_alone_satisfies_a_want(tree: Path) -> None:
    wants = ("PSA_WANT_ALG_CBC_NO_PADDING", "PSA_WANT_KEY_TYPE_AES", "PSA_WANT_AES_KEY_SIZE_128")
    off = {f"CORRAL_DRIVER_{name}": "n" for name in ("WIDE", "ENGINE", "PICKY", "OVER")}
    built = build(tree, *wants, board=RICH, settings=off)
    assert set(built.bindings.drivers) == {"chip", "vault"}
    assert run_calls(built, encrypt(128)) == ["= -134"]
    why = reasons(built, "CBC_NO_PADDING_AES_128", RICH)
    assert why == {
        ("chip", "SE0, SE1"): "the element has the key",
        ("vault", "VAULT"): "the element has the key",
    }


def test_no_slots_for_protected_keys_means_nothing_of_elements(tree: Path) -> None:
    built = build(tree, *CBC, *P256, "CORRAL_PROTECTED_KEY_SLOTS=0", board=RICH)
    assert not set(built.bindings.drivers) & {"chip", "vault"}
    assert "LOCATION" not in built.text("dispatch/sign.h")
    assert "#define CORRAL_ELEMENT_COUNT 0\n" in built.text("bindings.h")
    assert [note.subject for note in built.bindings.notes] == ["SE0, SE1, VAULT"]


def test_elements_that_serve_nothing_of_a_build_are_not_in_it(tree: Path) -> None:
    built = build(tree, "PSA_WANT_ALG_MD5", board=RICH)
    assert not set(built.bindings.drivers) & {"chip", "vault"}
    assert "#define CORRAL_ELEMENT_COUNT 0\n" in built.text("bindings.h")
    compile_everything(built)
    assert "chip" not in built.text("devices.h")


def test_disabled_driver_takes_its_elements_with_it(tree: Path) -> None:
    built = build(tree, *CBC, board=RICH, settings={"CORRAL_DRIVER_CHIP": "n"})
    assert "CORRAL_LOCATION_SE0" not in built.text("locations.h")
    assert "#define CORRAL_ELEMENT_COUNT 1\n" in built.text("bindings.h")


MESSAGE = (
    f"{{ psa_key_attributes_t k = key({PAIR}, 256, %s);"
    f" say(corral_dispatch_sign_message({KEY}, %s, in, 9, {OUT})); }}"
)


def test_hash_then_sign_works_for_elements_that_sign_hashes(tree: Path) -> None:
    built = build(tree, *P256, board=RICH)
    assert built.servers("ECDSA_SIGN_SECP_R1_256", "chip")["sign_message"] == ["over"]
    body = MESSAGE % ("CORRAL_LOCATION_SE0", "PSA_ALG_ECDSA(PSA_ALG_SHA_256)")
    body += MESSAGE % ("0", "PSA_ALG_ECDSA(PSA_ALG_SHA_256)")
    # A hash that the build does not have, no hash, any hash: no construction is tried.
    body += MESSAGE % ("0", "PSA_ALG_ECDSA(PSA_ALG_SHA_512)")
    body += MESSAGE % ("0", "PSA_ALG_ECDSA_ANY")
    body += MESSAGE % ("0", "PSA_ALG_ECDSA(PSA_ALG_ANY_HASH)")
    assert run_calls(built, body) == [
        "over_sign_message = 0",
        "over_sign_message = 0",
        "= -134",
        "= -134",
        "= -134",
    ]
    why = reasons(built, "ECDSA_SIGN_SECP_R1_256", RICH)
    assert why["over", "SE0, SE1"] == "construction over what chip serves"


def test_hash_then_sign_is_left_out_where_nobody_signs_hashes(tree: Path) -> None:
    off = {f"CORRAL_DRIVER_{name}": "n" for name in ("CURVE_A", "CURVE_B", "ENGINE", "PICKY")}
    edit_json(description(tree, "wide"), _no_signing)
    built = build(tree, *P256, board=RICH, settings=off)
    assert built.servers("ECDSA_SIGN_SECP_R1_256") == {}
    assert built.servers("ECDSA_SIGN_SECP_R1_256", "chip")["sign_message"] == ["over"]


def _no_signing(value: dict[str, list[dict[str, list[str]]]]) -> None:
    value["capabilities"] = [
        c for c in value["capabilities"] if "sign_hash" not in c["entry_points"]
    ]


def test_what_a_construction_needs_is_bound_but_not_offered(tree: Path) -> None:
    wants = ("PSA_WANT_ALG_CMAC", "PSA_WANT_KEY_TYPE_AES", "PSA_WANT_AES_KEY_SIZE_128")
    built = build(tree, *wants)
    outcome = built.bindings.outcomes["ECB_NO_PADDING_AES_128"]
    assert not outcome.is_wanted
    assert "needed for CMAC_AES_128" in reasons(built, "ECB_NO_PADDING_AES_128")["wide", "local"]
    body = (
        "psa_key_attributes_t k = key(PSA_KEY_TYPE_AES, 128, 0); corral_block_context_t b;"
        f"memset(&b, 0, sizeof b); say(corral_dispatch_block_setup(&b, {KEY}, true));"
        f"say(corral_dispatch_block_setup(&b, {KEY}, false));"
        "say(corral_dispatch_block_update(&b, in, 16, out)); corral_dispatch_block_abort(&b);"
        "say((long)corral_cipher_block_length(PSA_KEY_TYPE_AES, PSA_ALG_ECB_NO_PADDING));"
        f"say(corral_dispatch_cipher_encrypt({KEY}, PSA_ALG_ECB_NO_PADDING, in, 0, in, 16, {OUT}));"
    )
    assert run_calls(built, body) == [
        "wide_block_encrypt_setup = 0",
        "wide_block_decrypt_setup = 0",
        "wide_block_update = 0",
        "wide_block_abort = 0",
        "= -134",
    ]


def test_construction_over_a_missing_hash_is_an_error(tree: Path) -> None:
    edit_json(description(tree, "wide"), _only_ciphers)
    with pytest.raises(CorralError) as caught:
        build(tree, "PSA_WANT_ALG_HMAC", "PSA_WANT_KEY_TYPE_HMAC", "PSA_WANT_ALG_SHA_512")
    assert [str(problem) for problem in caught.value.problems] == [
        "apps/test/app.config:3: PSA_WANT_ALG_SHA_512: no enabled driver supports SHA_512 "
        "(PSA_WANT_ALG_SHA_512): no driver of this tree can: leave it out, or add a driver"
    ], "the cause alone, not what follows from it"


def test_construction_over_an_elements_bus_is_an_error(tree: Path) -> None:
    hmac = ("PSA_WANT_ALG_HMAC", "PSA_WANT_KEY_TYPE_HMAC", "PSA_WANT_ALG_SHA_256")
    wants = (*hmac, "CORRAL_PROTECTED_KEY_SLOTS=0")
    settings = {"CORRAL_SHA_256_BY_CHIP": "y", "CORRAL_HMAC_SHA_256_BY_OVER": "y"}
    with pytest.raises(CorralError) as caught:
        build(tree, *wants, board=RICH, settings=settings)
    assert [str(problem) for problem in caught.value.problems] == [
        "HMAC_SHA_256: over would put key material through SHA_256 on an element's bus: "
        "choose another driver for SHA_256"
    ]


def test_messages_may_be_hashed_by_an_element_before_they_are_signed(tree: Path) -> None:
    built = build(tree, *P256, board=RICH, settings={"CORRAL_SHA_256_BY_CHIP": "y"})
    assert built.servers("ECDSA_SIGN_SECP_R1_256")["sign_message"] == ["over"]


def _only_ciphers(value: dict[str, list[dict[str, list[str]]]]) -> None:
    value["capabilities"] = [
        c for c in value["capabilities"] if any("cipher" in e for e in c["entry_points"])
    ]


def test_driver_that_names_its_hashes_serves_these_alone(tree: Path) -> None:
    settings = {"CORRAL_ECDSA_SIGN_SECP_R1_256_BY_PICKY": "y"}
    built = build(tree, *P256, "PSA_WANT_ALG_SHA_512", settings=settings)
    body = sign() + sign("PSA_ALG_ECDSA(PSA_ALG_SHA_512)") + sign("PSA_ALG_ECDSA_ANY")
    body += sign("PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)")
    assert run_calls(built, body) == [
        "picky_sign_hash = 0",
        "wide_sign_hash = 0",
        "wide_sign_hash = 0",
        "= -134",
    ]


DETERMINISTIC = "PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_%s)"


def _sha_256_alone(value: dict[str, list[dict[str, Any]]]) -> None:
    """Of the hashes that a deterministic nonce is made with."""
    for capability in value["capabilities"]:
        if capability.get("algorithms") == [DETERMINISTIC % "ANY_HASH"]:
            capability["corral/hashes"] = ["PSA_ALG_SHA_256"]


def test_any_hash_is_those_that_a_driver_lists(tree: Path) -> None:
    """Also for a message, which other drivers hash, and for a query before the call."""
    off = {f"CORRAL_DRIVER_{name}": "n" for name in ("CURVE_A", "CURVE_B", "ENGINE", "PICKY")}
    wants = (*P256, "PSA_WANT_ALG_DETERMINISTIC_ECDSA")
    anything = build(tree, *wants, settings=off).text("dispatch/sign.h")
    edit_json(description(tree, "wide"), _sha_256_alone)
    wanted = build(tree, *wants, settings=off).text("dispatch/sign.h")
    assert wanted == anything, "nothing more is compared where it has all that are wanted"
    built = build(tree, *wants, "PSA_WANT_ALG_SHA_512", settings=off)
    body = ""
    for alg in (DETERMINISTIC % "SHA_256", DETERMINISTIC % "SHA_512"):
        body += sign(alg) + MESSAGE % ("0", alg)
        body += (
            f"{{ psa_key_attributes_t k = key({PAIR}, 256, 0);"
            f" say(corral_dispatch_serves(&k, PSA_KEY_USAGE_SIGN_HASH, {alg}));"
            f" say(corral_dispatch_serves(&k, PSA_KEY_USAGE_SIGN_MESSAGE, {alg})); }}"
        )
    assert run_calls(built, body) == [
        *("wide_sign_hash_deterministic = 0", "over_sign_message = 0", "= 1", "= 1"),
        *("= -134", "= -134", "= 0", "= 0"),
    ]
    others = {**off, "PSA_WANT_ALG_SHA_256": "n"}
    with pytest.raises(CorralError, match=r"wide \(with one of these hashes: SHA_256\)"):
        build(tree, *wants, "PSA_WANT_ALG_SHA_512", settings=others)


def test_context_sizes_follow_the_description(tree: Path) -> None:
    built = build(tree, *CBC, *P256, "PSA_WANT_ECC_SECP_R1_384", board=RICH)
    public = "PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)"
    body = "".join(
        f"{{ psa_key_attributes_t k = key({kind}, {bits}, CORRAL_LOCATION_{place});"
        "say((long)corral_key_context_size(&k)); }"
        for kind, bits, place in (
            ("PSA_KEY_TYPE_AES", 128, "SE0"),
            (PAIR, 256, "SE0"),
            (public, 256, "SE1"),
            ("PSA_KEY_TYPE_AES", 0, "VAULT"),
            (PAIR, 384, "VAULT"),
            (public, 256, "VAULT"),
            ("PSA_KEY_TYPE_DES", 64, "SE0"),
        )
    )
    # base 6; pair +2, public +58, AES +16; vault: base 16, AES +2*32, pair +100 and public key
    expected = [6 + 16, 6 + 2, 6 + 58, 16 + 64, 16 + 100 + 97, 0, 0]
    assert run_calls(built, body) == [f"= {size}" for size in expected]
    assert "#define CORRAL_PROTECTED_KEY_MAX_SIZE 213\n" in built.text("bindings.h")


def test_sizes_of_slots_follow_the_wants(tree: Path) -> None:
    text = build(tree, *P256).text("bindings.h")
    assert "#define CORRAL_SINGLE_KEY_MAX_SIZE 65\n" in text
    assert "#define CORRAL_PAIR_PRIVATE_MAX_SIZE 32\n" in text
    assert "#define CORRAL_PUBLIC_KEY_MAX_SIZE 65\n" in text
    assert "#define CORRAL_PROTECTED_KEY_MAX_SIZE 0\n" in text
    text = build(tree, *CBC).text("bindings.h")
    assert "#define CORRAL_SINGLE_KEY_MAX_SIZE 32\n" in text
    assert "#define CORRAL_PAIR_PRIVATE_MAX_SIZE 0\n" in text
    xts = (*CBC, "PSA_WANT_ALG_XTS")
    assert "#define CORRAL_SINGLE_KEY_MAX_SIZE 64\n" in build(tree, *xts).text("bindings.h")


def test_two_drivers_at_one_location_are_refused(tree: Path) -> None:
    path = tree / "boards" / RICH / "board.toml"
    path.write_text(path.read_text().replace("0x800100", "0x800001"))
    with pytest.raises(CorralError, match="0x800001 is the location of SE0 already"):
        build(tree, *CBC, board=RICH)


def test_report_says_what_explain_says(tree: Path) -> None:
    import json  # noqa: PLC0415

    built = build(tree, *CBC, *P256, board=RICH)
    report = json.loads((built.folder / "bindings.json").read_text())
    rows = api.explain(tree, "test", RICH, built.folder)
    assert [row["mechanism"] for row in report["mechanisms"]] == [row.mechanism for row in rows]
    assert report["elements"][2] == {"name": "VAULT", "driver": "vault", "location": 0x800100}
    assert set(report["drivers"]) == set(built.bindings.drivers)
