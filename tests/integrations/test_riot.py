# SPDX-License-Identifier: Apache-2.0
"""Corral inside RIOT: the calls of RIOT's build to configure.py, and RIOT's tests if it is here.

CORRAL_RIOT names a checkout of RIOT for the latter. It takes minutes.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

import pytest
from corral.generate import api

ROOT = Path(__file__).resolve().parents[2]
RIOT = ROOT / "integrations" / "riot"
TABLE = tomllib.loads((RIOT / "modules.toml").read_text(encoding="utf-8"))
ELEMENT = ["psa_secure_element", "psa_secure_element_ateccx08a", "corral_i2c"]

#: Two chips on two buses, as an application of RIOT describes them.
PARAMS = """\
#pragma once
#include "cryptoauthlib.h"
#include "psa/key/type.h"
#define FIRST PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT
#define DEVICE(where, on, at) { .atca_loc = where, .cfg = { .iface_type = ATCA_I2C_IFACE, \\
    .devtype = ATECC608A, .atcai2c.address = at, .atcai2c.bus = on, .atcai2c.baud = -1, \\
    .wake_delay = 1500, .rx_retries = 20 } }
#define ATCA_PARAMS DEVICE(FIRST, (I2C_DEV(0)), (0xC0)), \\
    DEVICE((PSA_KEY_LOCATION_SE_MIN + 4u), I2C_DEV(1), 0x6a)
#define PAIR { PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 0, 0 }
#define ATCA_CONFIG_LIST \\
    {{ PAIR, { PSA_KEY_TYPE_AES, 0, 0 }, { PSA_KEY_TYPE_HMAC, 0, 0 }, { 0, 1, 1 } }}, \\
    {{ { PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 1, 1 }, PAIR }}
"""


def configure(
    folder: Path,
    modules: Sequence[str],
    counts: Mapping[str, int] | None = None,
    compiler: Sequence[str] = ("cc",),
    more: str = "",
) -> subprocess.CompletedProcess[str]:
    """Call configure.py as corral/Makefile.include does."""
    folder.mkdir(exist_ok=True)
    header, config = folder / "riotbuild.h", folder / "corral.conf"
    header.write_text("".join(f"#define {k} {v}\n" for k, v in (counts or {}).items()))
    config.write_text(more)
    words = [word for module in modules for word in ("--module", module)]
    words += ["--header", str(header), "--more", str(config)]
    command = [sys.executable, str(RIOT / "configure.py"), "--folder", str(folder / "made")]
    command += ["--board", "native64", *words, "--", *compiler]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def lines_of(folder: Path) -> list[str]:
    return (folder / "made" / "riot.config").read_text(encoding="utf-8").splitlines()


def times(folder: Path) -> dict[Path, int]:
    made = folder / "made" / "export"
    return {path: path.stat().st_mtime_ns for path in made.rglob("*") if path.is_file()}


def test_modules_all_at_once_are_configured(tmp_path: Path) -> None:
    modules = [name for name in TABLE["module"] if "ateccx08a" not in name]
    done = configure(tmp_path, [*modules, "corral_vfs", "periph_i2c"])
    assert done.returncode == 0, done.stderr
    lines = lines_of(tmp_path)
    wants = {want for row in TABLE["module"].values() for want in row.get("wants", ())}
    assert {f"PSA_WANT_{want}=y" for want in wants} <= set(lines)
    source = tmp_path / "made" / "export" / "src"
    text = (source / "Makefile").read_text(encoding="utf-8")
    assert all(str(path.relative_to(source)) in text for path in source.rglob("*.c"))


@pytest.fixture(scope="module")
def translation() -> ModuleType:
    """configure.py, which is no module of the tools: RIOT's make runs it with any Python 3.11."""
    spec = importlib.util.spec_from_file_location("riot_configure", RIOT / "configure.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "name", [name for name, row in TABLE["module"].items() if row.get("wants") or "settings" in row]
)
def test_each_module_alone_is_configured(
    translation: ModuleType, name: str, tmp_path: Path
) -> None:
    """Only the configuration: an export of each would take minutes."""
    build = translation.Build("native64", [name, "corral_vfs"], {})
    (tmp_path / "board").mkdir()
    (tmp_path / "board" / "board.toml").write_text(translation.board(build))
    config = tmp_path / "riot.config"
    config.write_text("".join(f"{line}\n" for line in translation.configuration(build)))
    made = api.configure(ROOT, str(config), str(tmp_path / "board"), tmp_path / "out", {})
    for want in TABLE["module"][name].get("wants", ()):
        assert made.is_on(f"PSA_WANT_{want}")


def test_back_ends_choose_drivers_that_exist(tmp_path: Path) -> None:
    curve = "psa_asymmetric_ecc_p256r1"
    modules = [curve, f"{curve}_custom_backend", f"{curve}_backend_microecc"]
    modules += ["psa_hash_sha_256", "psa_asymmetric_ecc_ed25519_backend_monocypher"]
    done = configure(tmp_path, modules)
    assert done.returncode == 0, done.stderr
    assert "CORRAL_SECP_R1_256_BY_MICRO_ECC=y" in lines_of(tmp_path)
    assert "CORRAL_TWISTED_EDWARDS_255_BY_MONOCYPHER=y" in lines_of(tmp_path)
    assert (tmp_path / "made" / "export" / "src" / "drivers" / "micro_ecc").is_dir()


def test_counts_of_riot_become_slots(tmp_path: Path) -> None:
    counts = {"CONFIG_PSA_SINGLE_KEY_COUNT": 3, "CONFIG_PSA_ASYMMETRIC_KEYPAIR_COUNT": 2}
    done = configure(tmp_path, ["psa_hash_sha_256", "psa_asymmetric_ecc_p256r1"], counts)
    assert done.returncode == 0, done.stderr
    assert {"CORRAL_SINGLE_KEY_SLOTS=3", "CORRAL_KEY_PAIR_SLOTS=2"} <= set(lines_of(tmp_path))


def test_build_again_writes_what_changed_and_nothing_else(tmp_path: Path) -> None:
    modules = ["psa_cipher", "psa_cipher_aes_128_cbc"]
    assert configure(tmp_path, modules).returncode == 0
    first = times(tmp_path)
    assert configure(tmp_path, modules).returncode == 0
    assert times(tmp_path) == first
    assert configure(tmp_path, modules, {"CONFIG_PSA_SINGLE_KEY_COUNT": 9}).returncode == 0
    second = times(tmp_path)
    kept = [path for path in first if second.get(path) == first[path]]
    assert len(first) * 3 / 4 < len(kept) < len(first)


def test_objects_of_sources_that_are_gone_are_removed(tmp_path: Path) -> None:
    """RIOT links every object below the folder of a module."""
    assert configure(tmp_path, ["psa_hash_sha_256", "psa_mac_hmac_sha_256"]).returncode == 0
    source, objects = tmp_path / "made" / "export" / "src", tmp_path / "corral_library"
    compiled = {
        path: objects / path.relative_to(source).with_suffix(".o") for path in source.rglob("*.c")
    }
    for path in compiled.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert configure(tmp_path, ["psa_hash_sha_256"]).returncode == 0
    assert not all(path.exists() for path in compiled)
    assert all(path.exists() == built.exists() for path, built in compiled.items())


def test_lines_of_the_application_win(tmp_path: Path) -> None:
    more = "PSA_WANT_ALG_SHA_512=y\nCORRAL_THREADS=n\n"
    done = configure(tmp_path, ["psa_hash_sha_256"], more=more)
    assert done.returncode == 0, done.stderr
    lines = lines_of(tmp_path)
    assert {"PSA_WANT_ALG_SHA_512=y", "CORRAL_THREADS=n"} <= set(lines)
    assert "CORRAL_THREADS=y" not in lines


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("psa_hash_of_tomorrow", "psa_hash_of_tomorrow: is in no row"),
        ("psa_hash_sha_256_backend_unheard", "has no back end unheard"),
    ],
)
def test_module_that_no_row_has_is_an_error(tmp_path: Path, module: str, said: str) -> None:
    done = configure(tmp_path, [module])
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "made" / "export").exists()


def test_elements_are_those_of_the_applications_header(tmp_path: Path) -> None:
    (tmp_path / "custom_atca_params.h").write_text(PARAMS)
    modules = [*ELEMENT, "psa_hash_sha_256", "psa_secure_element_ateccx08a_ecc_p256"]
    done = configure(tmp_path, modules, compiler=["cc", f"-I{tmp_path}"])
    assert done.returncode == 0, done.stderr
    board = tomllib.loads((tmp_path / "made" / "board" / "board.toml").read_text())
    first, second = board["element"]
    assert (first["location"], first["bus"], first["address"]) == (1, 0, 0x60)
    assert (second["location"], second["bus"], second["address"]) == (0x800004, 1, 0x35)
    assert first["slots"] == ["p256", "aes128", "hmac", "reserved"]
    assert second["slots"] == ["reserved", "p256"]
    chips = tomllib.loads((tmp_path / "made" / "chips" / "board.toml").read_text())
    assert [element["simulator"] for element in chips["element"]] == ["atecc608"] * 2


def test_header_of_elements_that_says_nothing_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "custom_atca_params.h").write_text("#define ATCA_PARAMS\n")
    done = configure(tmp_path, ELEMENT, compiler=["cc", f"-I{tmp_path}"])
    assert done.returncode == 2
    assert "custom_atca_params.h" in done.stderr


def test_riots_own_tests_pass_over_corral() -> None:
    riot = os.environ.get("CORRAL_RIOT")
    if riot is None:
        pytest.skip("CORRAL_RIOT names no checkout of RIOT")
    command = [str(RIOT / "check.sh"), riot]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("passed: ") == 15
