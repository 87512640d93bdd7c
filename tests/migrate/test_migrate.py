# SPDX-License-Identifier: Apache-2.0
"""./corral migrate, from a folder outside the tree: configurations of others become ours."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from corral import ROOT
from corral.migrate import names
from corral.model.tree import load_tree
from corral.packages import fetch as packages

HEADER = """\
/* #define MBEDTLS_MD5_C is in a comment. */
#ifndef CONFIG_H
#define CONFIG_H
#define MBEDTLS_SHA256_C
//#define MBEDTLS_SHA1_C
#define MBEDTLS_AES_C \\
    1
#define MBEDTLS_GCM_C
#if 0
#define MBEDTLS_CAMELLIA_C
#else
#define MBEDTLS_CMAC_C
#endif
#ifdef MBEDTLS_AES_C
#define MBEDTLS_CIPHER_MODE_CTR
#endif
#define MBEDTLS_CCM_C
#undef MBEDTLS_CCM_C
#define MBEDTLS_BIGNUM_C
#define MBEDTLS_SSL_CLI_C
#endif
"""
CONF = """\
# an application of Zephyr
CONFIG_GPIO=y
CONFIG_PSA_WANT_ALG_ECDSA=y
CONFIG_PSA_WANT_ECC_SECP_R1_256=y
CONFIG_PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE=y
CONFIG_MBEDTLS_MAC_SHA256_ENABLED=y
CONFIG_PSA_WANT_ALG_SHA_512=n
# CONFIG_PSA_WANT_ALG_SHA_384 is not set
"""


def migrate(folder: Path, *words: str, status: int) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(ROOT / "corral"), "migrate", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


def symbols(text: str) -> set[str]:
    return {symbol.removeprefix("PSA_WANT_") for symbol in re.findall(r"(?m)^(\w+)=y$", text)}


def test_header_is_read_as_a_compiler_reads_it(tmp_path: Path) -> None:
    (tmp_path / "config.h").write_text(HEADER)
    done = migrate(tmp_path, "config.h", status=0)
    assert symbols(done.stdout) == {
        "ALG_SHA_256",
        "KEY_TYPE_AES",
        "ALG_GCM",
        "ALG_CMAC",
        "ALG_CTR",
        "AES_KEY_SIZE_128",
        "AES_KEY_SIZE_192",
        "AES_KEY_SIZE_256",
    }
    assert "stays with Mbed TLS: 1 " in done.stderr and "not needed: 1 " in done.stderr
    full = migrate(tmp_path, "config.h", "--all", status=0).stderr
    assert "MBEDTLS_SSL_CLI_C" in full and "MBEDTLS_BIGNUM_C" in full


def test_application_runs_with_the_options_of_zephyr(tmp_path: Path) -> None:
    """The README's program, with the file that the command writes."""
    app = tmp_path / "app"
    app.mkdir()
    (tmp_path / "prj.conf").write_text(CONF)
    migrate(tmp_path, "prj.conf", "--output", "app/app.config", status=0)
    written = (app / "app.config").read_text()
    assert not {"ALG_SHA_384", "ALG_SHA_512"} & symbols(written)
    assert "# MBEDTLS_MAC_SHA256_ENABLED\nPSA_WANT_ALG_SHA_256=y\n" in written
    readme = (ROOT / "README.md").read_text()
    (main,) = re.findall(r"(?ms)`apps/first/main\.c`:\n\n```c\n(.*?)^```$", readme)
    (app / "main.c").write_text(main)
    command = [str(ROOT / "corral"), "run", "./app", "native"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.endswith("status 0, 64 bytes of signature\n"), done.stdout + done.stderr


def test_program_of_mbedtls_becomes_one_of_ours(tmp_path: Path) -> None:
    """The commands and the program of docs/coming-from, in an empty folder; before it, a program
    that still calls Mbed TLS."""
    page = (ROOT / "docs" / "coming-from" / "README.md").read_text()
    (tmp_path / "mbedtls_config.h").write_text("#define MBEDTLS_MD_C\n#define MBEDTLS_SHA256_C\n")
    (tmp_path / "corral").write_text(f'#!/bin/sh\nexec "{ROOT}/corral" "$@"\n')
    (tmp_path / "corral").chmod(0o755)
    (tmp_path / "main.c").write_text(
        "#include <mbedtls/no_header_of_a_system.h>\nint main(void) { return 0; }\n"
    )
    migrate(tmp_path, "mbedtls_config.h", "--output", "crypto.config", status=0)
    (commands,) = re.findall(r"(?m)^## Build it$[^#]*?\n\n((?:    [^\n]*\n)+)", page)

    def carried_out(script: str, status: int) -> str:
        done = subprocess.run(
            ["sh", "-ec", script], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    assert "docs/coming-from/README.md lists them" in carried_out(commands, 2)
    (program,) = re.findall(r"(?ms)^```c\n(.*?)^```$", page)
    (tmp_path / "app" / "main.c").write_text(program)
    printed = carried_out(commands.splitlines()[-1], 0)
    # RFC 4231, test case 2
    assert "status 0, 32 bytes, the first is 5b\n" in printed


#: Makes a persistent key, as a program that had Mbed TLS's storage in files does.
KEEPS = """\
#include <psa/crypto.h>
#include <stdio.h>

int main(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    psa_set_key_id(&attributes, 1);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_algorithm(&attributes, PSA_ALG_HMAC(PSA_ALG_SHA_256));
    psa_status_t status = psa_crypto_init();
    if (status == PSA_SUCCESS) {
        status = psa_import_key(&attributes, (const uint8_t *)"Jefe", 4, &key);
    }
    printf("status %d\\n", (int)status);
    return 0;
}
"""


def test_keys_that_were_in_files_stay_in_files(tmp_path: Path) -> None:
    (tmp_path / "config.h").write_text(
        "#define MBEDTLS_MD_C\n#define MBEDTLS_SHA256_C\n"
        "#define MBEDTLS_PSA_CRYPTO_STORAGE_C\n#define MBEDTLS_PSA_ITS_FILE_C\n"
    )
    app = tmp_path / "app"
    app.mkdir()
    migrate(tmp_path, "config.h", "--output", "app/app.config", status=0)
    (app / "main.c").write_text(KEEPS)
    command = [str(ROOT / "corral"), "run", "./app", "native"]
    for status in (0, -139):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stdout.endswith(f"status {status}\n"), done.stdout + done.stderr
    assert (tmp_path / "corral-storage").is_dir()


@pytest.mark.parametrize("name", ["mbedtls/mbedtls_config.h", "psa/crypto_config.h"])
@pytest.mark.parametrize("board", ["native", "mps2-an386"])
def test_defaults_of_mbedtls_are_a_configuration_of_a_board(
    name: str, board: str, tmp_path: Path
) -> None:
    header = packages.ensure(ROOT, "mbedtls") / "include" / name
    if not header.is_file():
        (header,) = packages.ensure(ROOT, "mbedtls").rglob(f"include/{name}")
    words = (str(header), "--board", board, "--output", "all.config")
    said = migrate(tmp_path, *words, status=1).stderr
    assert "not known to this command" not in said
    text = (tmp_path / "all.config").read_text()
    assert {"ALG_ECDSA", "ALG_GCM", "ALG_SHA_256", "ECC_SECP_R1_256"} <= symbols(text)
    assert "# PSA_WANT_KEY_TYPE_DES: " in text
    explain = [str(ROOT / "corral"), "explain", "./all.config", board]
    done = subprocess.run(explain, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_files_apply_in_their_order(tmp_path: Path) -> None:
    """#undef, =n and "is not set" of a later file; a condition on a name of an earlier one."""
    (tmp_path / "base.h").write_text(
        "#define MBEDTLS_SHA1_C\n#define MBEDTLS_SHA256_C\t1\n#define MBEDTLS_MD5_C\n"
    )
    (tmp_path / "user.h").write_text(
        "#ifdef MBEDTLS_SHA256_C\n#undef MBEDTLS_SHA1_C\n#undef MBEDTLS_MD5_C\n#endif\n"
    )
    done = migrate(tmp_path, "base.h", "user.h", status=0)
    assert symbols(done.stdout) == {"ALG_SHA_256"}
    conf = "# define the heap\nCONFIG_PSA_WANT_ALG_SHA_256=y\nCONFIG_PSA_WANT_ALG_SHA_1=y\n"
    (tmp_path / "prj.conf").write_text(f"{conf}CONFIG_PSA_WANT_ALG_MD5=y\n")
    (tmp_path / "overlay.conf").write_text(
        "CONFIG_PSA_WANT_ALG_MD5=n\n# CONFIG_PSA_WANT_ALG_SHA_1 is not set\n"
    )
    done = migrate(tmp_path, "prj.conf", "overlay.conf", status=0)
    assert symbols(done.stdout) == {"ALG_SHA_256"}


def test_conditions_are_decided_or_named(tmp_path: Path) -> None:
    (tmp_path / "known.h").write_text(
        "#define MBEDTLS_SHA256_C\n#define MY_LEVEL 2\n#include <limits.h>\n"
        "#if defined(MBEDTLS_SHA256_C) && !defined(MBEDTLS_SHA1_C)\n#define MBEDTLS_SHA512_C\n"
        "#else\n#define MBEDTLS_MD5_C\n#endif\n"
        "#if MY_LEVEL == 0 || (MY_LEVEL > 2)\n#define MBEDTLS_SHA1_C\n#endif\n"
        "#ifdef __GNUC__\n#define inline __inline__\n#endif\n"
        '#define GREETING "/*"\n#define MBEDTLS_SHA3_C\n/* none */\n'
    )
    done = migrate(tmp_path, "known.h", status=0)
    hashes = {"SHA_256", "SHA_512", "SHA3_224", "SHA3_256", "SHA3_384", "SHA3_512"}
    assert symbols(done.stdout) == {f"ALG_{name}" for name in hashes}
    (tmp_path / "esp.h").write_text(
        '#include "mbedtls/mbedtls_config.h"\n\\\n\n#undef MBEDTLS_AES_C\n'
        "#ifdef CONFIG_MBEDTLS_SHA512\n#define MBEDTLS_SHA512_C\n#endif\n"
        "#if CONFIG_LEVEL > 1\n#define MBEDTLS_SHA256_C\n#else\n#define MBEDTLS_MD5_C\n#endif\n"
    )
    done = migrate(tmp_path, "esp.h", status=1)
    assert symbols(done.stdout) == {"ALG_SHA_256"}
    for line in (
        'esp.h:1: #include "mbedtls/mbedtls_config.h"',
        "esp.h:5: #ifdef CONFIG_MBEDTLS_SHA512",
        "esp.h:8: #if CONFIG_LEVEL > 1",
    ):
        assert line in done.stderr, done.stderr
    (tmp_path / "mbedtls_config.h").write_text("#define MBEDTLS_SHA384_C\n")
    done = migrate(tmp_path, "mbedtls_config.h", "esp.h", status=1)
    assert "ALG_SHA_384" in symbols(done.stdout) and "esp.h:1" not in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "/* " * 300_000,
        '"\\"' * 300_000,
        "#if " + "(" * 100_000 + "1" + ")" * 100_000 + "\n#endif\n",
        "#if " + "9" * 5000 + "\n#define MBEDTLS_MD5_C\n#endif\n",
        "#if " + "!" * 100_000 + "1\n#define MBEDTLS_MD5_C\n#endif\n",
    ],
    ids=["comments", "strings", "parentheses", "digits", "negations"],
)
def test_hostile_header_is_read_in_one_pass(text: str, tmp_path: Path) -> None:
    (tmp_path / "config.h").write_text(f"#define MBEDTLS_SHA256_C\n{text}")
    code = "import sys; sys.path.insert(0, sys.argv[1])\n"
    code += "from corral.migrate.read import read\nprint(len(read([sys.argv[2]]).options))"
    words = [sys.executable, "-c", code, str(ROOT / "tools"), str(tmp_path / "config.h")]
    done = subprocess.run(words, preexec_fn=limited, capture_output=True, text=True, check=False)
    assert done.stdout.strip() in ("1", "2"), (done.returncode, done.stderr)


def limited() -> None:
    """The system ends the program after 20 seconds of processor time, thousands of times enough."""
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def test_option_that_needs_the_user_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "config.h").write_text(
        "#define MBEDTLS_SHA256_C\n#define MBEDTLS_PKCS12_C\n#define MBEDTLS_NEW_C\n"
        "#define PSA_WANT_ALG_NEW 1\n#define MBEDTLS_PSA_KEY_SLOT_COUNT 8\n"
        "#define MBEDTLS_AES_ALT\n#define MBEDTLS_PSA_CRYPTO_STORAGE_C\n"
    )
    done = migrate(tmp_path, "config.h", "--board", "ast2600-evb", status=1)
    report = " ".join(done.stderr.split())
    assert symbols(done.stdout) == {"ALG_SHA_256"}
    for words in (
        "MBEDTLS_PKCS12_C: PSA Crypto has no",
        "MBEDTLS_NEW_C",
        "PSA_WANT_ALG_NEW: no symbol of PSA Crypto 1.5",
        "MBEDTLS_PSA_KEY_SLOT_COUNT: CORRAL_SINGLE_KEY_SLOTS",
        "MBEDTLS_AES_ALT: write a driver",
        "CORRAL_STORAGE: it depends on HAS_FLASH",
    ):
        assert words in report, report


def test_file_that_is_no_configuration_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "prj.conf").write_text("CONFIG_GPIO=y\n")
    assert "sets no option of Mbed TLS" in migrate(tmp_path, "prj.conf", status=2).stderr
    assert "absent.h: no such file" in migrate(tmp_path, "absent.h", status=2).stderr
    (tmp_path / "config.h").write_text(HEADER)
    (tmp_path / "kept").write_text("mine")
    words = ("config.h", "--output", "kept")
    assert "is there already" in migrate(tmp_path, *words, status=2).stderr
    assert (tmp_path / "kept").read_text() == "mine"
    (tmp_path / "dangling").symlink_to("elsewhere")
    words = ("config.h", "--output", "dangling")
    assert "is there already" in migrate(tmp_path, *words, status=2).stderr
    assert not (tmp_path / "elsewhere").exists()
    assert "/dev/zero: is longer than" in migrate(tmp_path, "/dev/zero", status=2).stderr


def test_table_names_symbols_of_ours_and_each_option_once() -> None:
    table = names.load()
    known = {want.symbol for menu in load_tree(ROOT).mechanisms.menus for want in menu.wants}
    written = {s for row in table.rows for s in row.symbols if s.startswith(names.PREFIX)}
    written |= {names.PREFIX + want for of in table.completions for want in of.add}
    assert written <= known
    spelt = [name for row in table.rows for name in row.names]
    assert len(spelt) == len(set(spelt))
    assert [row for row in table.rows if bool(row.symbols) == bool(row.kind)] == []
