# SPDX-License-Identifier: Apache-2.0
"""The PKCS#11 module: built as its README says, and used by programs of others."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from corral.common import system
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from harness import waiting

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "integrations" / "pkcs11" / "README.md").read_text(encoding="utf-8")
SOURCES = Path(__file__).resolve().parent / "pkcs11"
PACKAGES = {
    "libp11-kit-dev": "/usr/include/p11-kit-1/p11-kit/pkcs11.h",
    "opensc": "/usr/bin/pkcs11-tool",
    "openssh-client": "/usr/bin/ssh-keygen",
}
MESSAGE = b"a message of some program"


def run(
    *command: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    done = waiting.run(
        command, cwd=cwd, capture_output=True, text=True, env={**os.environ, **(env or {})}
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done


def build(folder: Path, *options: str) -> Path:
    """The commands of the README, in an empty folder outside the tree."""
    first, second = re.findall(r"^    (cmake .*[^\\])$", README, re.M)[:2]
    configure = first.replace("/path/to/corral", str(ROOT))
    run(*shlex.split(configure), *options, env={"CMAKE_GENERATOR": "Ninja"}, cwd=folder)
    run(*shlex.split(second), cwd=folder)
    return folder / "out" / "corral-pkcs11.so"


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    system.ensure([], PACKAGES)
    warnings = "-Wall -Wextra -Wconversion -Wshadow -Werror"
    return build(tmp_path_factory.mktemp("module"), f"-DCMAKE_C_FLAGS={warnings}")


class Token:
    """A module and a storage, for pkcs11-tool."""

    def __init__(self, module: Path, folder: Path, before: tuple[str, ...] = ()) -> None:
        self.module = module
        self.folder = folder
        self.before = before
        self.env = {"CORRAL_STORAGE": str(folder / "keys")}

    def tool(self, *words: str | Path) -> str:
        command = [*self.before, "pkcs11-tool", "--module", self.module, *words]
        return run(*command, env=self.env, cwd=self.folder).stdout

    def sign(self, mechanism: str, data: bytes, identifier: str, *more: str) -> bytes:
        (self.folder / "data").write_bytes(data)
        output = self.folder / "signature"
        output.unlink(missing_ok=True)
        self.tool("--sign", "-m", mechanism, "--id", identifier, "-i", "data", "-o", output, *more)
        return output.read_bytes()

    def public_key(self, identifier: str, *more: str) -> serialization.PublicKeyTypes:
        output = self.folder / "public.der"
        self.tool("--read-object", "--type", "pubkey", "--id", identifier, "-o", output, *more)
        return serialization.load_der_public_key(output.read_bytes())


@pytest.fixture
def token(module: Path, tmp_path: Path) -> Token:
    return Token(module, tmp_path)


def check_ecdsa(public: object, signature: bytes, data: bytes) -> None:
    assert isinstance(public, ec.EllipticCurvePublicKey)
    half = len(signature) // 2
    r, s = (int.from_bytes(part) for part in (signature[:half], signature[half:]))
    public.verify(utils.encode_dss_signature(r, s), data, ec.ECDSA(hashes.SHA256()))


def test_module_exports_nothing_but_its_functions(module: Path) -> None:
    names = run("nm", "-D", "--defined-only", module).stdout.split()[2::3]
    assert len(names) == 68
    assert all(name.startswith("C_") for name in names)


def run_program(name: str, module: Path, folder: Path) -> str:
    """A C program beside this file, with a storage in the folder."""
    program = folder / name
    flags = ["-std=c11", "-O1", "-isystem", "/usr/include/p11-kit-1"]
    run("cc", *flags, SOURCES / f"{name}.c", "-o", program, "-ldl", "-lpthread")
    return run(program, module, env={"CORRAL_STORAGE": str(folder / "keys")}).stdout


def test_closed_session_leaves_no_key_in_memory(module: Path, tmp_path: Path) -> None:
    lines = run_program("residue", module, tmp_path).splitlines()
    # Before, the search finds the key: in the program, and in the memory of the library.
    assert [line for line in lines if " in " not in line] == ["closed:", "nothing"] * 2
    assert len(lines) >= 2 * 2 + 2 * 2


def test_calls_right_and_wrong_have_the_values_of_the_standard(
    module: Path, tmp_path: Path
) -> None:
    assert run_program("client", module, tmp_path) == "passed\n"
    assert not list((tmp_path / "keys").iterdir())


def test_generated_keys_sign_for_pkcs11_tool(token: Token) -> None:
    token.tool("--keypairgen", "--key-type", "EC:prime256v1", "--id", "01", "--label", "mine")
    public = token.public_key("01")
    check_ecdsa(public, token.sign("ECDSA-SHA256", MESSAGE, "01"), MESSAGE)
    hashed = hashlib.sha256(MESSAGE).digest()
    check_ecdsa(public, token.sign("ECDSA", hashed, "01"), MESSAGE)
    assert "label:      mine" in token.tool("-O", "--type", "privkey")
    token.tool("--test")
    token.tool("--delete-object", "--type", "privkey", "--id", "01")
    assert token.tool("-O") == ""


def test_imported_rsa_key_signs_with_either_padding(token: Token) -> None:
    pair = rsa.generate_private_key(65537, 2048)
    (token.folder / "pair.der").write_bytes(
        pair.private_bytes(
            serialization.Encoding.DER,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        )
    )
    for identifier, more in (("05", ()), ("06", ("--allowed-mechanisms", "SHA256-RSA-PKCS-PSS"))):
        write = ["--write-object", "pair.der", "--type", "privkey", "--id", identifier]
        token.tool(*write, *more)
    public = pair.public_key()
    signature = token.sign("SHA256-RSA-PKCS", MESSAGE, "05")
    public.verify(signature, MESSAGE, padding.PKCS1v15(), hashes.SHA256())
    signature = token.sign("SHA256-RSA-PKCS-PSS", MESSAGE, "06")
    public.verify(signature, MESSAGE, padding.PSS(padding.MGF1(hashes.SHA256()), 32),
                  hashes.SHA256())  # fmt: skip


def test_key_of_another_program_is_found_by_its_identifier(token: Token) -> None:
    """A stored key without a note of the module stands for a key of another program."""
    token.tool("--keypairgen", "--key-type", "EC:secp384r1", "--id", "01")
    keys = token.folder / "keys"
    for note in keys.glob("0-*"):
        note.unlink()
    (key,) = keys.glob("2-*")
    identifier = key.name[-8:]
    assert f"ID:         {identifier}" in token.tool("-O", "--type", "privkey")
    # pkcs11-tool 0.23 cannot write public keys on this curve into a file.
    text = run("ssh-keygen", "-D", token.module, env=token.env).stdout
    public = serialization.load_ssh_public_key(text.encode())
    assert isinstance(public, ec.EllipticCurvePublicKey)
    assert public.key_size == 384


def test_process_that_is_killed_leaves_no_key_without_its_identifier(token: Token) -> None:
    keys = token.folder / "keys"
    generate = ["--keypairgen", "--key-type", "EC:prime256v1", "--id", "c0ffee"]
    command = ["pkcs11-tool", "--module", token.module, *generate]
    for _ in range(16):
        before = set(keys.glob("*"))
        with subprocess.Popen(
            command, env={**os.environ, **token.env}, stdout=subprocess.DEVNULL
        ) as process:
            while process.poll() is None and set(keys.glob("*")) <= before:
                pass
            process.kill()
    assert {*re.findall(r"ID: +(\w+)", token.tool("-O"))} <= {"c0ffee"}


def test_no_storage_is_no_token(token: Token) -> None:
    token.env = {"CORRAL_STORAGE": ""}
    assert "(empty)" in token.tool("-L")
    command = ["env", "-u", "CORRAL_STORAGE", "pkcs11-tool", "--module", token.module, "-L"]
    assert "(empty)" in run(*command).stdout


@pytest.fixture
def agent(token: Token) -> Iterator[dict[str, str]]:
    """An ssh-agent that may load the module, and its environment."""
    socket = token.folder / "agent"
    command = ["ssh-agent", "-D", "-a", socket, "-P", f"{token.module.parent}/*"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**os.environ, **token.env}, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it is ready
        yield {**token.env, "SSH_AUTH_SOCK": str(socket), "SSH_ASKPASS_REQUIRE": "never"}
        process.terminate()


def test_agent_of_openssh_signs(token: Token, agent: dict[str, str]) -> None:
    folder = token.folder
    token.tool("--keypairgen", "--key-type", "EC:prime256v1", "--id", "01", "--label", "ssh")
    public = run("ssh-keygen", "-D", token.module, env=token.env).stdout
    assert public.startswith("ecdsa-sha2-nistp256 ")
    assert public.endswith(" ssh\n")
    (folder / "key.pub").write_text(public)
    (folder / "allowed").write_text(f"me {public}")
    (folder / "file").write_bytes(MESSAGE)
    run("sh", "-c", 'ssh-add -s "$1" </dev/null', "sh", token.module, env=agent)
    run("ssh-keygen", "-Y", "sign", "-f", "key.pub", "-n", "file", "file", env=agent, cwd=folder)
    verify = "ssh-keygen -Y verify -f allowed -I me -n file -s file.sig < file"
    assert "Good" in run("sh", "-c", verify, cwd=folder).stdout


@pytest.fixture(scope="module")
def module_of_chips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    system.ensure([], PACKAGES)
    return build(tmp_path_factory.mktemp("chips"), "-DCORRAL_PKCS11_BOARD=native")


@pytest.fixture
def chips(module_of_chips: Path, tmp_path: Path) -> Token:
    return Token(module_of_chips, tmp_path, (str(ROOT / "corral"), "chips", "native"))


def test_slot_of_an_element_lists_the_mechanisms_of_its_chip(chips: Token) -> None:
    listed = {
        slot: re.findall(r"^  (\S+), .*$", chips.tool("--slot", slot, "-M"), re.M)
        for slot in ("0", "1")
    }
    lacking = [name for name in listed["0"] if "RSA" in name or name == "AES-GCM"]
    assert len(lacking) == 14
    assert listed["1"] == [name for name in listed["0"] if name not in lacking]
    sizes = re.findall(r"^  (\w+)-KEY\S+, keySize={(\d+),(\d+)}", chips.tool("--slot", "1", "-M"),
                       re.M)  # fmt: skip
    assert sizes == [("ECDSA", "256", "256"), ("AES", "16", "16")]


def test_aes_key_of_an_element_encrypts_by_default(chips: Token) -> None:
    slot = ("--slot", "1", "--id", "02")
    chips.tool(*slot, "--keygen", "--key-type", "AES:16")
    (chips.folder / "text").write_bytes(MESSAGE)
    cipher = ("-m", "AES-CBC-PAD", "--iv", "00" * 16)
    chips.tool(*slot, *cipher, "--encrypt", "-i", "text", "-o", "sealed")
    chips.tool(*slot, *cipher, "--decrypt", "-i", "sealed", "-o", "opened")
    assert (chips.folder / "sealed").read_bytes() != MESSAGE
    assert (chips.folder / "opened").read_bytes() == MESSAGE
    chips.tool(*slot, "--delete-object", "--type", "secrkey")


def test_key_in_a_virtual_atecc608_signs(chips: Token) -> None:
    token = chips
    slot = ("--slot", "1")
    token.tool(*slot, "--keypairgen", "--key-type", "EC:prime256v1", "--id", "01")
    check_ecdsa(
        token.public_key("01", *slot), token.sign("ECDSA-SHA256", MESSAGE, "01", *slot), MESSAGE
    )
    assert token.tool("--slot", "0", "-O") == ""
    token.tool(*slot, "--delete-object", "--type", "privkey", "--id", "01")
