# SPDX-License-Identifier: Apache-2.0
"""The program that looks for a driver's residues of secrets, on the emulated board."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness import statuses, suites
from harness.program import TESTS

COMMON = TESTS / "driver" / "common"
HERE = TESTS / "driver" / "residue"
#: Files of the common suite that only it uses.
_OWN = ("main.c", "frames.c", "heap.c")

_WRAPPER = """\
__asm__(".text\\n.syntax unified\\n.thumb\\n.globl __wrap_{name}\\n.thumb_func\\n"
        ".type __wrap_{name}, %function\\n"
        "__wrap_{name}:\\n"
        "    ldr r12, =residue_functions+{offset}\\n"
        "    b.w residue_call\\n"
        "    .ltorg\\n"
        ".size __wrap_{name}, . - __wrap_{name}\\n");
"""


def _calls() -> str:
    """The linker's options that lead each call of the API through look.c."""
    names = statuses.functions()
    declared = "".join(f"__attribute__((weak)) void __real_{name}(void);\n" for name in names)
    rows = "".join(f'    {{"{name}", __real_{name}}},\n' for name in names)
    wrappers = "".join(_WRAPPER.format(name=name, offset=8 * i) for i, name in enumerate(names))
    return (
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* The functions of the API. Generated. */\n"
        f'#include "{HERE / "look.h"}"\n\n'
        f"{declared}\n"
        f"const struct residue_function residue_functions[] = {{\n{rows}}};\n\n"
        f"{wrappers}"
    )


def sources(folder: Path) -> list[Path]:
    """Sources that are linked beside the driver's tables; some of them are written to `folder`."""
    calls = folder / "residue_calls.c"
    calls.write_text(_calls(), encoding="ascii")
    beside = [path for path in sorted(COMMON.glob("*.c")) if path.name not in _OWN]
    claims = suites.heads(beside, "SECRET_TEST", "RESIDUE_TEST")
    tests = folder / "residue_tests.c"
    tests.write_text(suites.suite("residue", claims), encoding="ascii")
    return [calls, tests, *beside]


def link_flags() -> Sequence[str]:
    return [f"-Wl,--wrap={name}" for name in statuses.functions()]
