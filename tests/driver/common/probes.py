# SPDX-License-Identifier: Apache-2.0
"""Functions that the linker puts before those of a driver: probes, described in frames.h."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from corral.model.driver import Driver

#: One more call, and on to the function itself; no register that carries an argument changes.
_COUNTING = {
    "x86": """\
__asm__(".text\\n.globl __wrap_{name}\\n.type __wrap_{name}, %function\\n"
        "__wrap_{name}:\\n"
        "    incl subject_hits+{offset}(%rip)\\n"
        "    jmp __real_{name}\\n"
        ".size __wrap_{name}, . - __wrap_{name}\\n");
""",
    "thumb": """\
__asm__(".text\\n.syntax unified\\n.thumb\\n.globl __wrap_{name}\\n.thumb_func\\n"
        ".type __wrap_{name}, %function\\n"
        "__wrap_{name}:\\n"
        "    sub sp, #4\\n"
        "    push {{r0, r1}}\\n"
        "    ldr r0, =subject_hits+{offset}\\n"
        "    ldr r1, [r0]\\n"
        "    adds r1, #1\\n"
        "    str r1, [r0]\\n"
        "    ldr r0, =__real_{name}\\n"
        "    str r0, [sp, #8]\\n"
        "    pop {{r0, r1, pc}}\\n"
        "    .ltorg\\n"
        ".size __wrap_{name}, . - __wrap_{name}\\n");
""",
    "riscv": """\
__asm__(".text\\n.globl __wrap_{name}\\n.type __wrap_{name}, %function\\n"
        "__wrap_{name}:\\n"
        "    la t0, subject_hits+{offset}\\n"
        "    lw t1, 0(t0)\\n"
        "    addi t1, t1, 1\\n"
        "    sw t1, 0(t0)\\n"
        "    tail __real_{name}\\n"
        ".size __wrap_{name}, . - __wrap_{name}\\n");
""",
}

#: By way of frames.c, with a row of one of its tables in r12.
_BY_FRAMES = """\
__asm__(".text\\n.syntax unified\\n.thumb\\n.globl __wrap_{name}\\n.thumb_func\\n"
        ".type __wrap_{name}, %function\\n"
        "__wrap_{name}:\\n"
        "    ldr r12, =frames_{function}s+{offset}\\n"
        "    b.w frames_{function}\\n"
        "    .ltorg\\n"
        ".size __wrap_{name}, . - __wrap_{name}\\n");
"""
_PROBE_SIZE = 48
_WIPER_SIZE = 20


def wipers(driver: Driver) -> list[str]:
    """The driver's functions that overwrite the stack, but those that are static."""
    text = "".join(path.read_text() for path in sorted(driver.folder.glob("*.h")))
    return re.findall(r"^void (\w+_wipe_(?:stack|frames)\w*)\(void\);", text, re.MULTILINE)


def _by_frames(function: str, size: int, rows: Mapping[str, str]) -> Iterator[str]:
    yield from (f"void __real_{name}(void);\n" for name in rows)
    yield f"struct frames_{function} frames_{function}s[] = {{\n"
    yield from (f"    {{__real_{name}, {row}}},\n" for name, row in rows.items())
    yield "};\n"
    for i, name in enumerate(rows):
        yield _BY_FRAMES.format(name=name, function=function, offset=size * i)


def write(names: Sequence[str], found: Sequence[str], processor: str) -> str:
    """The C text: probes of the functions, and of the wipers that were found."""
    if not found:
        probe = _COUNTING[processor]
        return "".join(probe.format(name=name, offset=4 * i) for i, name in enumerate(names)) + (
            "\nstruct frames_probe frames_probes[1];\n"
            "struct frames_wiper frames_wipers[1];\n"
            "const size_t frames_wiper_count = 0;\n"
        )
    probes = {name: f"&subject_hits[{i}], {{0}}, 0, 0, 0, 0" for i, name in enumerate(names)}
    probes["corral_random"] = "NULL, {0}, 1, 0, 0, 0"
    wiping = {name: f'"{name}", 0, 0, 0' for name in found}
    return (
        "".join(_by_frames("probe", _PROBE_SIZE, probes))
        + "".join(_by_frames("wiper", _WIPER_SIZE, wiping))
        + f"const size_t frames_wiper_count = {len(found)};\n"
    )
