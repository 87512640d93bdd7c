# SPDX-License-Identifier: Apache-2.0
"""TrustZone-M: attempts of the non-secure world against the other."""

from __future__ import annotations

import re

import pytest
from corral.build import image as build
from corral.run import program as run
from harness import programs
from walls.attacks import answered, attack

ATTACKS = 9
#: Time for each instruction, 64 ns, against a tick of the system timer, 50 ns.
SHORTER_THAN_AN_INSTRUCTION = "shift=6,sleep=off"
#: Attacks that end the run, and the fault (SFSR, without the bit for a valid address) by which.
NOT_THEIRS, NO_ENTRY, NO_SIGNATURE, NO_RETURN = 1 << 3, 1 << 0, 1 << 1, 1 << 2
FAULTS = {
    "read_ram": NOT_THEIRS,
    "write_ram": NOT_THEIRS,
    "read_ram_alias": NOT_THEIRS,
    "read_code": NOT_THEIRS,
    "read_code_alias": NOT_THEIRS,
    "read_gate": NOT_THEIRS,
    "read_gate_alias": NOT_THEIRS,
    "write_gate": NOT_THEIRS,
    "read_privilege_control": NOT_THEIRS,
    "read_watchdog": NOT_THEIRS,
    "read_uart": NOT_THEIRS,
    "read_dma": NOT_THEIRS,
    "read_after_attribution_off": NOT_THEIRS,
    "jump_into_code": NO_ENTRY,
    "jump_past_an_entry": NO_ENTRY,
    "return_by_main_stack": NO_SIGNATURE,
    "return_by_process_stack": NO_SIGNATURE,
    "return_as_secure": NO_RETURN,
    "fault_with_the_console_off": NOT_THEIRS,
}
#: Values of the link register with which the client calls: secure addresses, and those that make
#: the processor return from a function or from an exception.
LINKS = (
    "call_and_return_to_secure_code",
    "call_and_return_to_an_entry",
    "call_and_return_to_secure_ram",
    "call_with_function_return",
    "call_with_exception_return_to_secure",
    "call_with_exception_return",
)


#: Of the secure stacks, where no call is being served.
NOTHING_BUT_SEALS = "stack 00000008, seals fef5eda5 fef5eda5"


def _attack(name: str) -> tuple[int, str]:
    return attack("trustzone", name)


def test_attacks_that_are_answered() -> None:
    """With instructions as time, so that interrupts come at the same ones in each run."""
    answered("trustzone", SHORTER_THAN_AN_INSTRUCTION).check(ATTACKS)


@pytest.mark.parametrize("name", FAULTS)
def test_attack_ends_the_run(name: str) -> None:
    status, output = _attack(name)
    assert status == 255, output
    assert "begins" in output and "goes on" not in output
    found = re.search(r"fault: SFSR (\w{8}), SFAR \w{8}, CFSR (\w{8})", output)
    assert found, output
    assert int(found[1], 16) & 0x3F == FAULTS[name], output
    assert NOTHING_BUT_SEALS in output


@pytest.mark.parametrize("name", LINKS)
def test_call_with_a_chosen_link__ends_the_run(name: str) -> None:
    """Nothing is returned to: on the stack there is at most the frame of the fault."""
    status, output = _attack(name)
    assert status == 255 and "begins" in output and "goes on" not in output, output
    found = re.search(r"fault: SFSR \w{8}, .* stack (\w{8}), seals fef5eda5 fef5eda5", output)
    assert found and int(found[1], 16) <= 8 + 32, output


@pytest.mark.parametrize("name", ["call_beside_a_call", "restart_in_a_call"])
def test_thread__beside_a_call_that_is_interrupted__ends_the_run(name: str) -> None:
    status, output = _attack(name)
    assert status == 255 and "goes on" not in output
    found = re.search(r"SFSR 00000000, .* CFSR 00000000, .* stack (\w{8}), seals fef5", output)
    assert found and int(found[1], 16) >= 8 + 72, output


def test_calls_that_fill_the_stack__end_the_run_at_its_limit() -> None:
    status, output = _attack("fill_the_stack")
    assert status == 255
    found = re.search(r"CFSR 00100000, .* stack (\w{8}), seals fef5eda5 fef5eda5", output)
    assert found and 0xFF00 <= int(found[1], 16) <= 0x10000, output


def test_return_to_a_call_that_was_not__ends_the_run() -> None:
    """The seal of the stack is no return address: a fault of use (INVPC), none of security."""
    status, output = _attack("return_to_no_call")
    assert status == 255 and "goes on" not in output
    assert re.search(r"fault: SFSR 00000000, .* CFSR_NS 00040000", output), output


def test_floats__are_not_the_clients() -> None:
    status, output = _attack("compute_with_floats")
    assert status == 255 and "has floats\n" in output and "goes on" not in output
    assert re.search(r"fault: SFSR 00000000, .* CFSR 00080000", output), output


def test_ranges_that_overlap__end_the_run_at_the_start() -> None:
    """Entries where the client's memory is, of a port that says so, and secure then. The client's
    first access to that memory would be a fault of security."""
    flags = ("-Dcallable_begin=client_ram_begin", "-Dcallable_end=client_ram_end")
    options = build.Options(app_flags=flags, name="tests/walls-overlap")
    done = run.run(build.build("hmac", programs.WALLS["trustzone"], options), capture=True)
    assert done.returncode == 255
    assert done.stdout.startswith("\nfault: SFSR 00000000, "), done.stdout
