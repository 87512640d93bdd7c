# SPDX-License-Identifier: Apache-2.0
"""The PKCS#11 driver over SoftHSM: its signatures checked by another library, and a module in front
of SoftHSM's that fails or lies at each call in turn."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from corral.build import image as build
from corral.common import system
from corral.run import program as run
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BOARD = str(HERE / "boards" / "tokens")
SOFTHSM = Path("/usr/lib/softhsm/libsofthsm2.so")
MESSAGE = b"a message of forty-eight bytes, three blocks.".ljust(48, b"\0")
CURVES = {65: ec.SECP256R1(), 97: ec.SECP384R1(), 133: ec.SECP521R1()}
HASHES = {
    "p256": hashes.SHA256(),
    "p256-sha512": hashes.SHA512(),
    "p384": hashes.SHA384(),
    "p521": hashes.SHA512(),
    "pkcs1": hashes.SHA256(),
    "pss": hashes.SHA384(),
}
SUCCESS, NOT_PERMITTED, INVALID_HANDLE, DOES_NOT_EXIST = 0, -133, -136, -140
NOT_SUPPORTED, INVALID_ARGUMENT, ALREADY_EXISTS = -134, -135, -139
INSUFFICIENT_ENTROPY, INVALID_SIGNATURE, CORRUPTION_DETECTED = -148, -149, -151
COMMUNICATION_FAILURE, HARDWARE_FAILURE = -145, -147
#: enum hostile_mode of hostile.h.
REMOVED, GONE, GENERAL, AFTER, UNKNOWN, LONG, SHORT, CANNOT, LOGOUT, ABSENT, BLANK = range(1, 12)
MODES = (REMOVED, GONE, GENERAL, AFTER, UNKNOWN, LONG, SHORT, CANNOT, LOGOUT, ABSENT, BLANK)


@cache
def image() -> build.Build:
    return build.build(
        "../tests/driver/pkcs11",
        BOARD,
        build.Options(
            settings={"CORRAL_THREADS": "y"},
            sanitize="address,undefined",
            link_flags=tuple(
                f"-Wl,--wrap={name}"
                for name in ("corral_port_lock", "corral_port_unlock", "pthread_atfork", "getpid")
            ),
            name="tests/pkcs11",
            together="core and glue",
        ),
    )


@cache
def module() -> Path:
    """The hostile module's folder."""
    folder = ROOT / "build" / "tests" / "pkcs11-module"
    folder.mkdir(parents=True, exist_ok=True)
    flags = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
    command = ["gcc", *flags, "-shared", "-fPIC", "-fvisibility=hidden", "-o"]
    command += [str(folder / "libhostile.so"), str(HERE / "hostile.c"), "-ldl"]
    subprocess.run(command, check=True)
    return folder


@pytest.fixture(name="tokens")
def fixture_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("LD_LIBRARY_PATH", str(module()))
    monkeypatch.setenv("HOSTILE_MODULE", str(SOFTHSM))
    # What SoftHSM and its OpenSSL keep until the end is theirs.
    monkeypatch.setenv("ASAN_OPTIONS", "detect_leaks=0")
    yield tmp_path / "tokens"


def output_of(tokens: Path, *arguments: str) -> str:
    done = run.run(image(), arguments, images=tokens, capture=True)
    assert done.returncode == 0, done.stdout
    return str(done.stdout)


def test_signatures_are_those_of_the_public_keys(tokens: Path) -> None:
    output = output_of(tokens, "sign")
    found = re.findall(r"^signed (\S+) (-?\d+) public=(\w*) signature=(\w*)$", output, re.M)
    assert [(name, int(status)) for name, status, *_ in found] == [
        (name, SUCCESS) for name in ("p256", "p256-sha512", "p384", "p521", "pkcs1", "pss")
    ]
    for name, _, public, signature in found:
        verify(name, bytes.fromhex(public), bytes.fromhex(signature))


def verify(name: str, public: bytes, signature: bytes) -> None:
    """By another library, which raises an exception."""
    if name.startswith("p") and name[1].isdigit():
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVES[len(public)], public)
        half = len(signature) // 2
        numbers = (int.from_bytes(signature[:half]), int.from_bytes(signature[half:]))
        key.verify(encode_dss_signature(*numbers), MESSAGE, ec.ECDSA(HASHES[name]))
        return
    loaded = rsa_key(public)
    scheme = (
        padding.PSS(padding.MGF1(HASHES[name]), HASHES[name].digest_size)
        if name == "pss"
        else padding.PKCS1v15()
    )
    loaded.verify(signature, MESSAGE, scheme, HASHES[name])


def rsa_key(public: bytes) -> rsa.RSAPublicKey:
    """RSAPublicKey of RFC 8017."""
    pem = serialization.load_der_public_key(
        bytes.fromhex("30820122300d06092a864886f70d01010105000382010f00") + public
    )
    assert isinstance(pem, rsa.RSAPublicKey)
    return pem


@pytest.mark.parametrize("mode", MODES)
def test_module_that_fails_at_any_call_leaves_nothing_held(tokens: Path, mode: int) -> None:
    output = output_of(tokens, "hostile", str(mode))
    lives = re.findall(r"^life \d+ \d+(.*)$", output, re.M)
    after = re.findall(r"^next (\d) sessions (\d+) searches (\d+) strays (\d+)$", output, re.M)
    assert re.search(rf"^end {mode} \d+$", output, re.M), output[-2000:]
    assert len(lives) == len(after) > 50
    assert set(after) == {("1", "1", "0", "0")}
    seen = {int(status) for life in lives for status in life.split()}
    assert not {CORRUPTION_DETECTED, INVALID_SIGNATURE} & seen
    if mode in (REMOVED, GONE, ABSENT):
        assert {COMMUNICATION_FAILURE} < seen <= {SUCCESS, COMMUNICATION_FAILURE, INVALID_HANDLE}
        # A token that was away between two calls has lost the volatile key.
        first = {next((int(s) for s in life.split() if s != "0"), SUCCESS) for life in lives}
        assert mode != GONE or first == {SUCCESS, COMMUNICATION_FAILURE}
    elif mode == LOGOUT:  # it ends volatile keys as well
        assert {COMMUNICATION_FAILURE} < seen <= {SUCCESS, COMMUNICATION_FAILURE, INVALID_HANDLE}
    elif mode in (GENERAL, AFTER, UNKNOWN):
        assert HARDWARE_FAILURE in seen
    elif mode == CANNOT:  # of key names and of destruction the core takes NOT_SUPPORTED for success
        assert {NOT_PERMITTED, INSUFFICIENT_ENTROPY} < seen
    else:
        assert COMMUNICATION_FAILURE in seen


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode not in (SHORT, BLANK)])
def test_persistent_key_is_destroyed_or_known(tokens: Path, mode: int) -> None:
    """All modes but a module that hides one object, and is believed."""
    lines = output_of(tokens, "destroy", str(mode)).splitlines()
    found = [tuple(map(int, re.findall(r"-?\d+", line))) for line in lines[1:-1]]
    assert re.fullmatch(r"end \d+", lines[-1]) and len(found) > 8, lines
    for status, left, again, left_then in found:
        assert left == 0 if status == SUCCESS else again == SUCCESS
        assert (again, left_then) == (INVALID_HANDLE if status == SUCCESS else SUCCESS, 0)
    seen = {status for status, *_ in found}
    expected = {
        **dict.fromkeys((REMOVED, GONE, LONG, LOGOUT, ABSENT), COMMUNICATION_FAILURE),
        CANNOT: NOT_PERMITTED,
    }
    assert expected.get(mode, HARDWARE_FAILURE) in seen <= {
        SUCCESS, COMMUNICATION_FAILURE, HARDWARE_FAILURE, NOT_PERMITTED}  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_persistent_key_that_was_not_made_leaves_nothing(tokens: Path, mode: int) -> None:
    lines = output_of(tokens, "make", str(mode)).splitlines()
    found = [tuple(map(int, re.findall(r"-?\d+", line))) for line in lines[1:-1]]
    assert re.fullmatch(r"end \d+", lines[-1]) and len(found) > 8, lines
    for status, left, again, left_then, destroyed, left_last in found:
        assert again == (ALREADY_EXISTS if status == SUCCESS else SUCCESS)
        assert (left_then, destroyed, left_last) == (2, SUCCESS, 0)
        assert left == 2 or status != SUCCESS


def test_pulled_token_keeps_its_persistent_key(tokens: Path) -> None:
    lines = output_of(tokens, "pull").splitlines()
    failure = COMMUNICATION_FAILURE
    assert lines[1:] == ["sign 0", f"sign {failure}", f"destroy {failure}", "left 2",
                         "destroy 0", "left 0"]  # fmt: skip


def test_session_of_another_token_is_left_alone(tokens: Path) -> None:
    lines = output_of(tokens, "mix up").splitlines()
    assert lines[1:] == ["sign 0", "destroy 0", "left 2", "sign 0 logins 0", "destroy 0", "left 0"]


def test_module_that_others_end_begins_anew(tokens: Path) -> None:
    lines = output_of(tokens, "end").splitlines()
    assert lines[1:] == [f"sign {COMMUNICATION_FAILURE}", "sign 0", "sign 0", "destroy 0 0",
                         "left 0"]  # fmt: skip


def test_token_without_memory_does_not_keep_the_program_from_starting(
    tokens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORRAL_FLASH", str(tokens.with_name("flash")))
    lines = output_of(tokens, "leave").splitlines()
    assert lines[1:] == [f"destroy {COMMUNICATION_FAILURE}"]
    assert output_of(tokens, "full").splitlines() == ["init 0", "left 2"]
    assert output_of(tokens, "rest").splitlines() == ["init 0", "left 0"]


def test_generator_that_repeats_makes_one_key(tokens: Path) -> None:
    lines = output_of(tokens, "repeat").splitlines()
    assert lines[1:] == ["make 0", f"make {INSUFFICIENT_ENTROPY}", "sign 0", "destroy 0", "left 0"]


def test_volatile_keys_of_a_lost_session_free_their_slots(tokens: Path) -> None:
    lines = output_of(tokens, "lose").splitlines()
    assert lines[1:] == [*["generate 0"] * 8, *["destroy 0"] * 8] * 2


def test_pin_is_not_shown_for_the_last_try(tokens: Path) -> None:
    lines = output_of(tokens, "tries").splitlines()
    assert lines[1:] == [
        f"sign {NOT_PERMITTED} logins 0", "sign 0 logins 1", "destroy 0", "left 0",
        f"make {HARDWARE_FAILURE} logins 1", f"make {HARDWARE_FAILURE} logins 1",
        f"make {NOT_PERMITTED} logins 0",
    ]  # fmt: skip


def test_key_that_asks_for_the_pin_gets_it_at_each_signature(tokens: Path) -> None:
    lines = output_of(tokens, "asks").splitlines()
    assert lines[1:] == [
        "generate 0", "sign 0 logins 1", "sign 0 logins 1", "other signs 0",
        f"sign {NOT_PERMITTED} logins 0", "sign 0 logins 2", f"sign {NOT_PERMITTED} logins 1",
        f"sign {NOT_PERMITTED} logins 0",
    ]  # fmt: skip


def test_login_of_a_session_does_not_allow_more_wrong_pins_for_signatures(tokens: Path) -> None:
    lines = output_of(tokens, "asks in vain").splitlines()
    assert lines[1:] == [
        f"sign {HARDWARE_FAILURE} logins 1", f"sign {HARDWARE_FAILURE} logins 2",
        *[f"sign {NOT_PERMITTED} logins 0"] * 2,
    ]  # fmt: skip


def test_busy_token_and_one_that_cannot_return_their_statuses(tokens: Path) -> None:
    lines = output_of(tokens, "codes").splitlines()
    assert lines[1:] == [
        *[f"sign {COMMUNICATION_FAILURE} logins 1"] * 3,  # an administrator works: not a wrong PIN
        f"sign {COMMUNICATION_FAILURE} logins 0", "sign 0 logins 1",
        *[f"make {NOT_SUPPORTED}"] * 6, f"agree {INVALID_ARGUMENT} {INVALID_ARGUMENT}",
        # No key was named: it is not known to be gone.
        f"sign {COMMUNICATION_FAILURE} logins 0", f"destroy {COMMUNICATION_FAILURE}",
        "destroy 0", "left 0",
    ]  # fmt: skip


def test_child_does_not_use_what_its_parent_began(tokens: Path) -> None:
    lines = output_of(tokens, "fork badly").splitlines()
    assert lines[1:] == [
        "parent generates 0",
        *[f"child signs {COMMUNICATION_FAILURE}"] * 2,
        "child signs 0",
        *[f"child signs {INVALID_HANDLE} 0"] * 2,
        "parent signs 0",
        "parent destroys 0 0",
        "left 0",
    ]


def import_key(tokens: Path, label: str, number: str) -> bytes:
    """Put a pair into the first token, as its administrator does. Returns the public key."""
    key = ec.generate_private_key(ec.SECP256R1())
    file = tokens / "key.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    folder = tokens / "softhsm"
    command = ["softhsm2-util", "--import", str(file), "--token", "first token"]
    command += ["--label", label, "--id", number]
    command += ["--pin", (folder / "pin-800001").read_text().strip()]
    subprocess.run(command, env={"SOFTHSM2_CONF": str(folder / "softhsm2.conf")}, check=True)
    return key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def test_attached_key_signs_and_stays_in_the_token(tokens: Path) -> None:
    output_of(tokens, "both")  # makes the tokens
    public = import_key(tokens, "identity", "01")
    for _ in range(2):  # destroying it lets it go
        output = output_of(tokens, "attach", "identity")
        assert "attached 0\n" in output, output
        assert "destroyed 0\n" in output
        found = re.findall(r"^signed (\S+) 0 signature=(\w+)$", output, re.M)
        assert [name for name, _ in found] == ["attached", "logged-out", "built-in"]
        for _, signature in found:
            verify("p256", public, bytes.fromhex(signature))
    assert f"attached {DOES_NOT_EXIST}\n" in output_of(tokens, "attach", "another")


def test_public_key_of_an_attached_pair_is_found_by_its_number(tokens: Path) -> None:
    """Labels of the two parts differ in smart cards, and those of two pairs may be equal."""
    output_of(tokens, "both")
    public = import_key(tokens, "identity", "01")
    import_key(tokens, "another", "02")
    lines = output_of(tokens, "relabel", "identity").splitlines()
    assert lines[1:] == ["attached 0", "relabelled 1", f"exported 0 public={public.hex()}"]


def test_child_of_a_process_begins_anew(tokens: Path) -> None:
    output = output_of(tokens, "fork")
    assert "parent generates 0\n" in output
    assert f"child signs {INVALID_HANDLE}\n" in output
    assert "child lives 1 1\n" in output
    assert "parent signs 0\nparent destroys 0\n" in output


def test_tokens_of_one_module_keep_keys_apart(tokens: Path) -> None:
    lines = output_of(tokens, "both").splitlines()
    assert lines == ["init 0", *["generate 0"] * 2, *["sign 0"] * 4, "destroy 0", "sign 0",
                     "destroy 0", "sessions 2"]  # fmt: skip


@pytest.mark.parametrize("pin", ["wrong pin", "", "x" * 200])
def test_wrong_pin_is_tried_once(tokens: Path, pin: str) -> None:
    output_of(tokens, "both")
    (tokens / "softhsm" / "pin-800001").write_text(pin)
    lines = output_of(tokens, "pin").splitlines()
    tries = 1 if pin == "wrong pin" else 0  # what is no PIN is not shown to the token
    assert lines == ["init 0", *[f"generate {NOT_PERMITTED} logins {tries}"] * 3, "sessions 0"]


def test_module_that_is_missing_fails_its_own_keys(
    tokens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOSTILE_MODULE", "/nonexistent.so")
    lines = output_of(tokens, "pin").splitlines()
    assert lines[1] == f"generate {COMMUNICATION_FAILURE} logins 0"


def test_declarations_are_those_of_another_header(tmp_path: Path) -> None:
    """Values and layouts, beside p11-kit's declarations of the same standard."""
    system.ensure([], {"libp11-kit-dev": "/usr/include/p11-kit-1/p11-kit/pkcs11.h"})
    header = ROOT / "drivers" / "pkcs11" / "cryptoki.h"
    constants = re.findall(r"^#define (CK\w+) (\w+)$", header.read_text(), re.M)
    # p11-kit has other numbers than OASIS for the codes from 0x1b5 on.
    constants = [(name, value) for name, value in constants if name != "CKR_PUBLIC_KEY_INVALID"]
    fields = re.findall(r"\(\*(C_\w+)\)|\*(C_\w+);", header.read_text())
    names = [a or b for a, b in fields]
    assert len(constants) > 100 and len(names) == 68
    ours = tmp_path / "ours.c"
    theirs = tmp_path / "theirs.c"
    prints = "".join(
        f'    printf("{name} %lx\\n", (unsigned long){name});\n' for name, _ in constants
    )
    offsets = "".join(
        f'    printf("{name} %zu\\n", offsetof(struct LIST, {name}));\n' for name in names
    )
    sizes = "".join(
        f'    printf("%zu\\n", sizeof(struct {name}));\n'
        for name in ("TOKEN", "SESSION", "ATTRIBUTE", "MECHANISM", "INITIALIZE", "PSS", "ECDH")
    )
    text = f"int main(void)\n{{\n{prints}{offsets}{sizes}    return 0;\n}}\n"
    head = "#include <stddef.h>\n#include <stdio.h>\n"
    pairs = {"LIST": "functions", "TOKEN": "token_info", "SESSION": "session_info",
             "ATTRIBUTE": "attribute", "MECHANISM": "mechanism", "INITIALIZE": "initialize",
             "PSS": "pss", "ECDH": "ecdh"}  # fmt: skip
    macros = "".join(f"#define {a} cryptoki_{b}\n" for a, b in pairs.items())
    ours.write_text(f'{head}#include "{header}"\n{macros}{text}')
    pairs = {"LIST": "ck_function_list", "TOKEN": "ck_token_info", "SESSION": "ck_session_info",
             "ATTRIBUTE": "ck_attribute", "MECHANISM": "ck_mechanism",
             "PSS": "ck_rsa_pkcs_pss_params", "INITIALIZE": "ck_c_initialize_args",
             "ECDH": "ck_ecdh1_derive_params"}  # fmt: skip
    macros = "".join(f"#define {a} {b}\n" for a, b in pairs.items())
    theirs.write_text(f"{head}#define CRYPTOKI_GNU 1\n#include <p11-kit/pkcs11.h>\n{macros}{text}")
    said = []
    for source in (ours, theirs):
        program = source.with_suffix("")
        include = ["-I/usr/include/p11-kit-1"]
        subprocess.run(["gcc", *include, "-o", str(program), str(source)], check=True)
        said.append(subprocess.run([str(program)], stdout=subprocess.PIPE, check=True).stdout)
    assert said[0] == said[1]
