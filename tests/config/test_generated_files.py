# SPDX-License-Identifier: Apache-2.0
"""The generated files themselves: the same again, formatted, complete, bound to each other."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from corral.errors import CorralError
from corral.generate import api, pointers
from corral.generate.sources import ONLY_WITH
from test_configuration import CBC, P256
from test_dispatch import EVERYTHING
from trees import APP, PLAIN, RICH, Built, build, include_flags

ROOT = Path(__file__).resolve().parents[2]


def generated(built: Built) -> dict[str, str]:
    """Everything that was generated, by name."""
    names = ["sources.cmake", "bindings.json", ".config"]
    files = {name: (built.folder / name).read_text() for name in names}
    for path in sorted((built.folder / "gen").rglob("*")):
        if path.is_file():
            files[str(path.relative_to(built.folder))] = path.read_text()
    return files


def test_same_input_gives_the_same_files(tree: Path) -> None:
    first = generated(build(tree, *EVERYTHING, board=RICH))
    shutil.rmtree(tree / "build")
    assert generated(build(tree, *EVERYTHING, board=RICH)) == first


def test_unchanged_files_keep_their_time_and_old_ones_go(tree: Path) -> None:
    built = build(tree, *CBC)
    gen = built.folder / "gen"
    stray = gen / "corral" / "dispatch" / "of_the_past.h"
    stray.write_text("")
    for path in gen.rglob("*.h"):
        os.utime(path, (1, 1))
    build(tree, *CBC)
    assert not stray.exists()
    assert {path.stat().st_mtime for path in gen.rglob("*.h")} == {1.0}
    build(tree, *CBC, "PSA_WANT_ALG_SHA_256")
    assert (gen / "corral" / "dispatch" / "hash.h").stat().st_mtime > 1
    assert (gen / "corral" / "dispatch" / "random.h").stat().st_mtime == 1


def test_failed_generation_leaves_the_files_alone(tree: Path) -> None:
    built = build(tree, *CBC)
    before = generated(built)
    (tree / "drivers" / "wide" / "wide.c").unlink()
    with pytest.raises(CorralError):
        api.generate(tree, APP, PLAIN, built.folder)
    assert generated(built) == before


@pytest.mark.parametrize("board", [PLAIN, RICH])
def test_lines_can_be_read(tree: Path, board: str) -> None:
    """Also in generated files. Texts of the configuration may make a line longer."""
    built = build(tree, *EVERYTHING, board=board)
    files = [path for path in (built.folder / "gen").rglob("*.[ch]") if path.name != "config.h"]
    assert len(files) > 15
    assert [path for path in files if max(map(len, path.read_text().splitlines())) > 100] == []


def test_each_file_says_from_what_it_was_made(tree: Path) -> None:
    """Compiled files do not name the application: they are the same for all applications."""
    for name, text in generated(build(tree, *CBC, board=RICH)).items():
        if name.endswith((".h", "devices.c", ".cmake")):
            assert "SPDX-License-Identifier: Apache-2.0" in text.splitlines()[0], name
            flat = " ".join(text.replace(" * ", " ").split())
            subject = "apps/test" if name.endswith(".cmake") else "a configuration"
            assert f"Generated from {subject}, board rich and each driver.json." in flat, name


def configuration(built: Built) -> Path:
    return built.folder / "gen" / "configuration.c"


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_objects_of_two_configurations_do_not_link(
    tree: Path, tmp_path: Path, compiler: str
) -> None:
    one = build(tree, "PSA_WANT_ALG_SHA_256", folder=tree / "build" / "one")
    other = build(tree, *CBC, folder=tree / "build" / "other")
    main = tmp_path / "main.c"
    main.write_text("#include <psa/crypto.h>\nint main(void)\n{\n    return 0;\n}\n")

    def link(application: Built, library: Built) -> subprocess.CompletedProcess[str]:
        objects = []
        for built, source in (
            (application, main),
            (library, library.folder / "gen/configuration.c"),
        ):
            target = tmp_path / f"{source.stem}.o"
            subprocess.run(
                [compiler, "-c", "-o", str(target), *include_flags(built), str(source)], check=True
            )
            objects.append(str(target))
        command = [compiler, "-Wl,--gc-sections", "-o", str(tmp_path / "program"), *objects]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert link(one, one).returncode == 0
    failed = link(one, other)
    assert failed.returncode != 0
    assert "corral_configuration_" in failed.stderr


def test_fingerprint_covers_the_messages_of_a_wall(tree: Path) -> None:
    board = tree / "boards" / PLAIN / "board.toml"
    text = board.read_text()
    board.write_text(text.replace("[capabilities]", "[capabilities]\nHAS_PROCESSES = true"))

    def fingerprint() -> str:
        built = build(tree, "PSA_WANT_ALG_SHA_256", settings={"CORRAL_WALL": "y"})
        return configuration(built).read_text()

    before = fingerprint()
    (tree / "include").unlink()
    shutil.copytree(ROOT / "include", tree / "include")
    assert fingerprint() == before
    with (tree / "include" / "psa" / "crypto.h").open("a") as header:
        header.write("psa_status_t psa_hash_again(psa_algorithm_t alg);\n")
    assert fingerprint() != before


def test_fingerprint_takes_no_room_on_a_microcontroller(tree: Path, tmp_path: Path) -> None:
    built = build(tree, "PSA_WANT_ALG_SHA_256")
    source = tmp_path / "asking.c"
    source.write_text("#include <corral/bindings.h>\n")
    target = tmp_path / "asking.o"
    flags = ["-mcpu=cortex-m4", "-mthumb", "-ffreestanding"]
    subprocess.run(
        ["arm-none-eabi-gcc", *flags, "-c", "-o", str(target), *include_flags(built), str(source)],
        check=True,
    )
    sizes = subprocess.run(
        ["arm-none-eabi-size", str(target)], capture_output=True, text=True, check=True
    ).stdout.splitlines()[1]
    assert sizes.split()[:3] == ["0", "0", "0"]
    assert b"\0corral_configuration_" in target.read_bytes()


def test_object_that_has_the_fingerprint_does_not_ask_for_it(tree: Path, tmp_path: Path) -> None:
    """An assembler for AArch64 would make a question without a name of that."""
    built = build(tree, "PSA_WANT_ALG_SHA_256")
    target = tmp_path / "configuration.o"
    command = ["gcc", "-c", "-o", str(target), *include_flags(built), str(configuration(built))]
    subprocess.run(command, check=True)
    content = target.read_bytes()
    assert b"\0corral_configuration_" in content
    assert b"\0.corral" not in content


def test_source_list_holds_what_the_build_uses_and_no_more(tree: Path) -> None:
    built = build(tree, *P256, settings={"CORRAL_SECP_R1_256_BY_CURVE_A": "y"})
    text = (built.folder / "sources.cmake").read_text()
    assert "NAME curve_a" in text and '/drivers/curve_a/curve_a.c"' in text
    assert "NAME curve_b" not in text and "somelib" not in text
    assert "NAME chip" not in text
    assert '"WIDE=1"' in text, "the hash comes from wide"
    for source in ("/apps/test/main.c", "/gen/devices.c", "/core/operations/hash.c"):
        assert f'{source}"' in text
    built = build(tree, *P256, settings={"CORRAL_SECP_R1_256_BY_CURVE_B": "y"})
    text = (built.folder / "sources.cmake").read_text()
    library = "build/packages/somelib-1.0/somelib-1.0"
    assert f'/{library}/src/common.c"' in text and f'/{library}/inc"' in text


def test_sources_that_may_be_left_out_are_there(tmp_path: Path) -> None:
    """A file that was renamed would be compiled where it is of no use."""
    settings = {"CORRAL_CHECK_POINTERS": "y"}
    configuration = api.configure(ROOT, "zoo", "native", tmp_path, settings)
    made = {f"pointers/{name}" for name in pointers.pointers_sources(ROOT, configuration)}
    for name in ONLY_WITH:
        assert name in made or (ROOT / name).is_file(), name


def test_what_drivers_serve_is_always_defined(tree: Path) -> None:
    text = build(tree, *P256).text("bindings.h")
    assert "#define CORRAL_WIDE_SERVES_ECDSA_SIGN_SECP_R1_256 1\n" in text
    assert "#define CORRAL_CURVE_B_SERVES_ECDSA_SIGN_SECP_R1_256 0\n" in text
    assert "#define CORRAL_CHIP_SERVES_CTR_AES_128 0\n" in text
    assert "#define CORRAL_HAS_LOCAL_SIGN_HASH 1\n" in text
    assert "#define CORRAL_HAS_OPAQUE_SIGN_HASH 0\n" in text
    text = build(tree, *P256, board=RICH).text("bindings.h")
    assert "#define CORRAL_HAS_OPAQUE_SIGN_HASH 1\n" in text
    assert "#define CORRAL_HAS_OPAQUE_MAC_VERIFY 0\n" in text
