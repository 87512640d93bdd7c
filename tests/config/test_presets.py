# SPDX-License-Identifier: Apache-2.0
"""Configurations that are ready to use, and configurations that begin with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from corral.configure.candidates import could_serve
from corral.configure.configuration import Configuration
from corral.configure.solve import solve
from corral.errors import CorralError
from corral.generate import api
from corral.model.mechanisms import wants_met
from corral.model.places import Places
from trees import APP, ROOT, make_real_tree, write_app

PRESETS = Places(ROOT).presets()


def configured(
    folder: Path, *lines: str, board: str = "native", presets: tuple[str, ...] = ()
) -> Configuration:
    """An application with these lines, configured and bound in a copy of the tree."""
    if not (folder / "apps").is_dir():
        make_real_tree(folder)
    write_app(folder, *lines)
    build = folder / "build" / "x"
    settled = api.configure(folder, APP, board, build, {}, presets=presets)
    assert not [note for note in api.generate_for(settled).notes if note.is_warning]
    return settled


@pytest.mark.parametrize("board", ["native", "mps2-an386"])
@pytest.mark.parametrize("name", PRESETS)
def test_every_want_of_a_preset_is_served(name: str, board: str, tmp_path: Path) -> None:
    settled = configured(tmp_path, board=board, presets=(name,))
    wants = [a.symbol for a in settled.assignments if a.symbol.startswith("PSA_WANT_")]
    assert wants and all(settled.is_on(symbol) for symbol in wants)
    assert {a.layer for a in settled.assignments} == {"preset"}


def test_handshake_of_tls_1_3_has_its_slots(tmp_path: Path) -> None:
    for name in ("tls-client", "tls-server"):
        assert configured(tmp_path, presets=(name,)).number("CORRAL_SINGLE_KEY_SLOTS") > 5


@pytest.mark.parametrize("name", [name for name in PRESETS if name.startswith("boot")])
def test_verification_at_boot_neither_signs_nor_draws(name: str, tmp_path: Path) -> None:
    settled = configured(tmp_path, presets=(name,))
    text = (tmp_path / "build" / "x" / "bindings.json").read_text()
    assert '"verify_' in text and '"sign_' not in text
    assert not settled.is_on("PSA_WANT_GENERATE_RANDOM")
    assert settled.number("CORRAL_KEY_PAIR_SLOTS") == 0


def test_curve_without_pairs_is_verified_alone(tmp_path: Path) -> None:
    """While keys of another one sign."""
    alone = "CORRAL_KEY_PAIRS_ECC_SECP_R1_384"
    wants = ("ALG_SHA_384", "ALG_ECDSA", "ECC_SECP_R1_384", "ECC_SECP_R1_256", "GENERATE_RANDOM")
    pairs = ("KEY_TYPE_ECC_KEY_PAIR_GENERATE", "KEY_TYPE_ECC_KEY_PAIR_IMPORT")
    lines = [f"PSA_WANT_{want}=y" for want in (*wants, *pairs)]
    gen = tmp_path / "build" / "x" / "gen"

    def outcome(*more: str) -> tuple[set[str], str, list[str]]:
        settled = configured(tmp_path, *lines, "CORRAL_PROTECTED_KEY_SLOTS=0", *more)
        bindings = solve(settled)
        served = {name for name, found in bindings.outcomes.items() if found.bindings}
        sizes = "".join(path.read_text() for path in gen.rglob("*.h"))
        (size,) = set(re.findall(r"#define CORRAL_PAIR_PRIVATE_MAX_SIZE (\d+)", sizes))
        return served, size, api.public_alone(bindings)

    both, size, _ = outcome()
    assert {"ECDSA_SIGN_SECP_R1_384", "ECC_GENERATE_SECP_R1_384"} < both and size == "48"
    served, size, shown = outcome(f"{alone}=n")
    assert {"ECDSA_VERIFY_SECP_R1_384", "ECC_IMPORT_SECP_R1_384"} < served and size == "32"
    assert both - served == {
        f"{name}_SECP_R1_384" for name in ("ECDSA_SIGN", "ECC_GENERATE", "ECC_EXPORT_PUBLIC")
    }
    assert shown == ["PSA_WANT_ECC_SECP_R1_384"]
    lines = [f"PSA_WANT_{want}=y" for want in (*wants[:3], pairs[1])]
    assert configured(tmp_path, *lines).number("CORRAL_KEY_PAIR_SLOTS") > 0
    assert configured(tmp_path, *lines, f"{alone}=n").number("CORRAL_KEY_PAIR_SLOTS") == 0


def test_encapsulation_to_others_makes_pairs_of_its_own(tmp_path: Path) -> None:
    """ECIES draws a key for each message, even if the application has only public keys."""
    wants = ("ALG_ECIES_SEC1", "ECC_SECP_R1_256", "KEY_TYPE_ECC_PUBLIC_KEY", "GENERATE_RANDOM")
    settled = configured(tmp_path, *(f"PSA_WANT_{want}=y" for want in wants))
    served = {name for name, found in solve(settled).outcomes.items() if found.bindings}
    assert {"ECDH_SECP_R1_256", "ECC_GENERATE_SECP_R1_256"} < served
    assert settled.number("CORRAL_KEY_PAIR_SLOTS") == 0


@pytest.mark.parametrize("size", ["RSA_KEY_SIZE_2048", "ML_DSA_KEY_SIZE_65", "ML_KEM_KEY_SIZE_768"])
def test_each_type_of_pairs_has_the_choice(size: str, tmp_path: Path) -> None:
    kind = size.partition("_KEY_SIZE")[0]
    other = {"RSA": "1024", "ML_DSA": "44", "ML_KEM": "512"}[kind]
    algorithm = {"RSA": "RSA_PSS"}.get(kind, kind)
    wants = (f"ALG_{algorithm}", size, f"{kind}_KEY_SIZE_{other}", "ALG_SHA_256", "GENERATE_RANDOM")
    lines = [f"PSA_WANT_{want}=y" for want in (*wants, f"KEY_TYPE_{kind}_KEY_PAIR_GENERATE")]
    settled = configured(tmp_path, *lines, f"CORRAL_KEY_PAIRS_{size}=n")
    bits = size.rpartition("_")[2]
    served = [name for name, found in solve(settled).outcomes.items() if found.bindings]
    assert not [n for n in served if bits in n and re.search("SIGN|DECAPS|GENERATE", n)]
    assert [n for n in served if bits in n and re.search("VERIFY|ENCAPS", n)]
    assert [n for n in served if other in n and re.search("SIGN|DECAPS", n)]


def test_application_may_include_a_preset_and_change_it(tmp_path: Path) -> None:
    make_real_tree(tmp_path)
    app = tmp_path / "apps" / APP
    write_app(tmp_path)
    (app / "slots.config").write_text("CORRAL_SINGLE_KEY_SLOTS=9\n")
    (app / "app.config").write_text("include dtls-psk\ninclude ./slots.config\n")
    build = tmp_path / "build" / "x"
    settled = api.configure(tmp_path, APP, "native", build, {})
    assert settled.number("CORRAL_SINGLE_KEY_SLOTS") == 9
    assert settled.is_on("PSA_WANT_ALG_TLS12_PSK_TO_MS")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("include tls-clent", r"app.config:1: .*no such preset or file: did you mean tls-client"),
        ("include ./none", r"app.config:1: .*no such preset or file"),
        ("include ./app.config", r"app.config:1: .*it includes itself"),
    ],
)
def test_include_that_leads_nowhere_is_named(line: str, says: str, tmp_path: Path) -> None:
    make_real_tree(tmp_path)
    (tmp_path / "apps" / APP / "app.config").write_text(f"{line}\n")
    with pytest.raises(CorralError, match=says):
        api.configure(tmp_path, APP, "native", tmp_path / "build" / "x", {})


def test_everything_leaves_out_only_what_nobody_serves(tmp_path: Path) -> None:
    settled = configured(tmp_path, presets=("everything",))
    table = settled.tree.mechanisms
    drivers = [d for d in settled.tree.drivers.values() if settled.is_on(d.enabled_by)]
    on = settled.kconfig.enabled()
    left_out = [want for want in table.known_wants if want not in on]
    assert left_out
    for want in left_out:
        new = [
            mechanism
            for mechanism in table.mechanisms.values()
            if wants_met(mechanism.wants, {*on, want}) and not wants_met(mechanism.wants, on)
        ]
        served = [any(could_serve(driver, m) for driver in drivers) for m in new]
        assert not new or not all(served), want


def test_unknown_preset_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorralError, match="--preset mater: no such preset: did you mean matter"):
        configured(tmp_path, presets=("mater",))
