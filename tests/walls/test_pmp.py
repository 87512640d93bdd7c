# SPDX-License-Identifier: Apache-2.0
"""RISC-V: attempts of user mode against machine mode."""

from __future__ import annotations

import re
import subprocess

import pytest
from corral.run import program as run
from corral.run.chips import running
from walls.attacks import answered, attack, built

ATTACKS = 9
#: Attacks that end the run, and the cause (mcause) by which.
EXECUTE, ILLEGAL, BREAK, READ, WRITE = 1, 2, 3, 5, 7
FAULTS = {
    "read_ram": READ,
    "fault_with_the_console_off": READ,
    "read_code": READ,
    "read_stack": READ,
    "read_behind": READ,
    "read_across": READ,
    "read_boot_code": READ,
    "read_switch": READ,
    "read_timer": READ,
    "read_interrupts": READ,
    "read_entropy": READ,
    "read_crypto": READ,
    "read_behind_console": READ,
    "read_flash": READ,
    "write_ram": WRITE,
    "write_code": WRITE,
    "write_switch": WRITE,
    "write_timer": WRITE,
    "write_crypto": WRITE,
    "write_own_code": WRITE,
    "execute_ram": EXECUTE,
    "execute_code": EXECUTE,
    "execute_own_ram": EXECUTE,
    "execute_console": EXECUTE,
    "read_mstatus": ILLEGAL,
    "read_mscratch": ILLEGAL,
    "read_mhartid": ILLEGAL,
    "read_sstatus": ILLEGAL,
    "read_cycles": ILLEGAL,
    "write_mstatus": ILLEGAL,
    "write_mtvec": ILLEGAL,
    "write_mepc": ILLEGAL,
    "write_pmpcfg": ILLEGAL,
    "write_pmpaddr": ILLEGAL,
    "write_satp": ILLEGAL,
    "return_as_machine": ILLEGAL,
    "return_as_supervisor": ILLEGAL,
    "compute_with_floats": ILLEGAL,
    "break_off": BREAK,
    "read_mstatus_after_a_call": ILLEGAL,
    "call_with_a_stack_of_the_other_side": READ,
}
#: Of mstatus: the mode that the fault came from (MPP), which is 0 for user mode; FS; MIE.
NOT_USER, FLOATS, INTERRUPTS = 3 << 11, 3 << 13, 1 << 3


def test_attacks_that_are_answered() -> None:
    answered("pmp").check(ATTACKS)


@pytest.mark.parametrize("name", FAULTS)
def test_attack_ends_the_run(name: str) -> None:
    status, output = attack("pmp", name)
    assert status == 255, output
    assert "begins" in output and "goes on" not in output
    found = re.search(r"fault: mcause (\w{8}), mepc \w{8}, mtval \w{8}, mstatus (\w{8})", output)
    assert found, output
    assert int(found[1], 16) == FAULTS[name], output
    assert int(found[2], 16) & (NOT_USER | FLOATS | INTERRUPTS) == 0, output


def test_call_came_before_the_fault() -> None:
    assert "has called\n" in attack("pmp", "read_mstatus_after_a_call")[1]


def test_client__without_the_trusted_sides_device__has_no_random_numbers() -> None:
    with running((), built("pmp").folder, True) as channel:
        command = run.command_of(built("pmp"), channel, None, False, ("attack=draw",))
        with_device = subprocess.run(command, capture_output=True, text=True, check=False)
        at = command.index("virtio-rng-device")
        command = command[: at - 1] + command[at + 1 :]
        without = subprocess.run(command, capture_output=True, text=True, check=False)
    assert with_device.stdout == "begins\nrandom\ngoes on\n"
    assert without.stdout == "begins\nnone\ngoes on\n"
