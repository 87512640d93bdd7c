# SPDX-License-Identifier: Apache-2.0
"""The TPM 2.0 driver over swtpm: its signatures checked by another library, and a bus that fails or
lies at each command in turn."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import bus
import pytest
from corral.build import image as build
from corral.run import program as run
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from harness import areas

MESSAGE = b"a message of forty-eight bytes, three blocks.".ljust(48, b"\0")
CURVES = {65: ec.SECP256R1(), 97: ec.SECP384R1(), 133: ec.SECP521R1()}
HASHES = {
    "p256": hashes.SHA256(),
    "p256-sha512": hashes.SHA512(),
    "p384-sha256": hashes.SHA256(),
    "p384": hashes.SHA384(),
    "p521": hashes.SHA512(),
    "pkcs1": hashes.SHA256(),
    "pss": hashes.SHA384(),
}
SUCCESS, NOT_PERMITTED, INVALID_ARGUMENT = 0, -133, -135
COMMUNICATION_FAILURE, HARDWARE_FAILURE, DATA_CORRUPT = -145, -147, -152
INSUFFICIENT_MEMORY, NOT_SUPPORTED = -141, -134
VARIABLE = "CORRAL_TPM_800001"
#: Larger mappings are AddressSanitizer's own.
MAPPED_AT_MOST = 1 << 26


@cache
def image() -> build.Build:
    return build.build(
        "../tests/driver/tpm2",
        "gateway-tpm",
        build.Options(
            settings={"CORRAL_THREADS": "y"},
            sanitize="address,undefined",
            link_flags=("-Wl,--wrap=secure_getenv", "-Wl,--wrap=fcntl"),
            name="tests/tpm2",
            together="core and glue",
        ),
    )


@dataclass(frozen=True)
class Place:
    """A TPM, and the program beside it."""

    command: list[str]
    environment: dict[str, str]
    tpm: str  # the socket of swtpm
    bus: bus.Bus

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self.command, *arguments],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def output(self, *arguments: str) -> str:
        with self.start(*arguments) as process:
            output, _ = process.communicate()
        assert process.returncode == 0 and output.endswith("end\n"), output
        return output


@contextmanager
def place(folder: Path, chip: str = "chip") -> Iterator[Place]:
    with run.prepared(image(), images=folder / chip) as (command, environment):
        tpm = environment[VARIABLE].removeprefix("swtpm:path=")
        ours = bus.Bus(Path(f"{tpm}-bus"), tpm)
        environment.update(
            {
                VARIABLE: f"swtpm:path={ours.path}",
                "CORRAL_STORAGE": str(folder / "storage"),
            }
        )
        try:
            yield Place(command, environment, tpm, ours)
        finally:
            ours.close()


@pytest.fixture(name="there")
def fixture_there(tmp_path: Path) -> Iterator[Place]:
    with place(tmp_path) as found:
        yield found


def verify(name: str, public: bytes, signature: bytes) -> None:
    """By another library, which raises an exception."""
    if name.startswith("p") and name[1].isdigit():
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVES[len(public)], public)
        half = len(signature) // 2
        numbers = (int.from_bytes(signature[:half]), int.from_bytes(signature[half:]))
        key.verify(encode_dss_signature(*numbers), MESSAGE, ec.ECDSA(HASHES[name]))
        return
    head = bytes.fromhex("30820122300d06092a864886f70d01010105000382010f00")
    loaded = serialization.load_der_public_key(head + public)
    assert isinstance(loaded, rsa.RSAPublicKey)
    scheme = (
        padding.PSS(padding.MGF1(HASHES[name]), padding.PSS.AUTO)
        if name == "pss"
        else padding.PKCS1v15()
    )
    loaded.verify(signature, MESSAGE, scheme, HASHES[name])


def signatures_in(output: str) -> list[tuple[str, int, bytes, bytes]]:
    found = re.findall(r"^signed (\S+) (-?\d+) public=(\w*) signature=(\w*)$", output, re.M)
    return [(n, int(s), bytes.fromhex(p), bytes.fromhex(sig)) for n, s, p, sig in found]


def test_signatures_are_those_of_the_public_keys(there: Place) -> None:
    found = signatures_in(there.output("sign"))
    assert [(name, status) for name, status, *_ in found] == [(name, SUCCESS) for name in HASHES]
    for name, _, public, signature in found:
        verify(name, public, signature)
    assert bus.left_in(there.tpm) == 0


def statuses_of(process: subprocess.Popen[str], word: str) -> list[int]:
    """Let a program go on, for its next line."""
    assert process.stdin and process.stdout
    process.stdin.write("go\n")
    process.stdin.flush()
    line = process.stdout.readline().split()
    assert line and line[0] == word, line
    return [int(status) for status in line[1:]]


@pytest.mark.parametrize("mode", bus.MODES)
def test_bus_that_disturbs_any_command_leaves_nothing_in_the_tpm(there: Place, mode: int) -> None:
    seen: set[int] = set()
    struck = 0
    stride = areas.campaign(7, 1)
    with there.start("lives") as process:
        assert process.stdin
        # Other modes begin with other commands, so that together they disturb all.
        for command in range(1 + mode % stride, 1000, stride):
            there.bus.disturb(command, mode)
            seen |= set(statuses_of(process, "life"))
            if not there.bus.has_struck:
                break
            struck += 1
            assert set(statuses_of(process, "next")) == {SUCCESS}, command
            assert bus.left_in(there.tpm) == 0, command
        process.stdin.close()
        process.wait()
    assert process.returncode == 0
    assert struck * stride > 40
    assert COMMUNICATION_FAILURE in seen or mode == bus.FAILURE
    allowed = {SUCCESS, COMMUNICATION_FAILURE}
    if mode == bus.FAILURE:
        allowed = {SUCCESS, HARDWARE_FAILURE}
        assert HARDWARE_FAILURE in seen
    elif mode in (bus.FLIPPED, bus.LAST, bus.EARLIER):  # what the TPM says of altered commands
        allowed |= {HARDWARE_FAILURE, NOT_PERMITTED, NOT_SUPPORTED, DATA_CORRUPT}
    assert seen <= allowed


def test_many_calls_leave_nothing_in_the_tpm(there: Place) -> None:
    there.environment[VARIABLE] = f"swtpm:path={there.tpm}"
    there.output("many", str(areas.campaign(1000, 10000)))
    assert bus.left_in(there.tpm) == 0


@pytest.mark.parametrize("command", [3, 4, 5, 6])
def test_process_that_was_killed_leaves_nothing_after_the_next_call(
    there: Place, command: int
) -> None:
    there.bus.disturb(command, bus.HELD)
    with there.start("many", "1") as process:
        assert there.bus.is_held.wait(60)
        process.kill()
    left = bus.left_in(there.tpm)
    assert left > 0
    there.output("many", "1")
    assert bus.left_in(there.tpm) == 0


def test_parent_and_child_use_the_same_key(there: Place) -> None:
    assert "child 0\n" in there.output("fork")
    assert bus.left_in(there.tpm) == 0


def test_persistent_key_signs_in_its_own_tpm_only(tmp_path: Path) -> None:
    with place(tmp_path) as there:
        made = signatures_in(there.output("keep", "make"))[0]
    with place(tmp_path) as there:  # the TPM was reset, and the process is another one
        used = signatures_in(there.output("keep", "use"))[0]
    assert made[1] == used[1] == SUCCESS and made[2] == used[2] and made[3] != used[3]
    for name, _, public, signature in (made, used):
        verify(name, public, signature)
    with place(tmp_path, "another") as there:
        assert signatures_in(there.output("keep", "use"))[0][1] == DATA_CORRUPT
        assert bus.left_in(there.tpm) == 0
        assert "destroyed 0\n" in there.output("keep", "destroy")


def test_secrets_are_not_on_the_bus(there: Place) -> None:
    output = there.output("secrets")
    found = {name: bytes.fromhex(v) for name, v in re.findall(r"(\w+)=(\w+)", output)}
    assert found["public"] in there.bus.log
    assert found["agreed"] not in there.bus.log
    assert found["imported"] not in there.bus.log


def copies_in(process: subprocess.Popen[str], secret: bytes) -> list[str]:
    """The mappings of a living program that have a half of a secret."""
    found = []
    folder = Path(f"/proc/{process.pid}")
    with (folder / "mem").open("rb", buffering=0) as memory:
        for mapping in (folder / "maps").read_text(encoding="utf-8").splitlines():
            first, last = (int(n, 16) for n in mapping.split(maxsplit=1)[0].split("-"))
            if " rw" in mapping and last - first <= MAPPED_AT_MOST:
                memory.seek(first)
                data = memory.read(last - first)
                found += [mapping for half in (secret[:16], secret[16:]) if half in data]
    return found


def test_agreed_secret_is_nowhere_in_memory_after_the_call(there: Place) -> None:
    with there.start("secrets") as process:
        assert process.stdin and process.stdout
        said = dict(re.findall(r"(\w+)=(\w+)", process.stdout.readline()))
        found, others = (copies_in(process, bytes.fromhex(said[n])) for n in ("agreed", "public"))
        process.communicate()
    assert process.returncode == 0
    assert others and not found


def test_program_with_more_rights_takes_no_tpm_from_its_environment(there: Place) -> None:
    with there.start("setuid") as process:
        output, _ = process.communicate()
    assert output == f"generate {COMMUNICATION_FAILURE}\n"


def test_connection_is_kept_from_other_programs(there: Place) -> None:
    """A device that only has zeros is no TPM, but has a descriptor. After the failure the call
    connects once more."""
    there.environment[VARIABLE] = "device:/dev/zero"
    output = there.output("descriptors")
    assert output == f"kept 2 of a call with status {COMMUNICATION_FAILURE}\nend\n"


@pytest.mark.parametrize("manager", ["tpmrm0", "tabrmd"])
def test_objects_of_others_stay_where_a_manager_is_named(there: Place, manager: str) -> None:
    """A resource manager shows each connection its own objects. Here one of another is left."""
    there.bus.disturb(3, bus.HELD)
    with there.start("many", "1") as process:
        assert there.bus.is_held.wait(60)
        process.kill()
    left = bus.left_in(there.tpm)
    assert left > 0
    shared = bus.Bus(Path(f"{there.tpm}-{manager}"), there.tpm)
    there.environment[VARIABLE] = f"swtpm:path={shared.path}"
    there.output("many", "1")
    assert bus.left_in(there.tpm) == left
    shared.disturb(1, bus.BEFORE)
    with there.start("many", "1") as process:
        output, _ = process.communicate()
    assert shared.has_struck and output == f"generate {COMMUNICATION_FAILURE}\n"
    assert bus.left_in(there.tpm) == left
    shared.close()


def test_tpm_that_is_away_fails_its_own_keys(there: Place) -> None:
    there.environment[VARIABLE] = "swtpm:path=/nonexistent"
    for value in ("swtpm:path=/nonexistent", "nothing:of=this", ""):
        there.environment[VARIABLE] = value
        with there.start("many", "1") as process:
            output, _ = process.communicate()
        assert output == f"generate {COMMUNICATION_FAILURE}\n"
