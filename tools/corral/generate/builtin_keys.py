# SPDX-License-Identifier: Apache-2.0
"""builtin_keys.h and builtin_keys.c: the keys that the board's elements came with."""

from __future__ import annotations

from corral.generate.build import Build
from corral.generate.ctext import header, text_of
from corral.model.board import BuiltinKey, Element

# The highest of the four pools that an identifier names; see core/keys/pool.h.
FIRST_ID = 0x70000000
INDEX_SHIFT = 16


def builtin_keys(build: Build) -> list[tuple[Element, BuiltinKey]]:
    """In the order of the board's description, which their identifiers follow."""
    if "CORRAL_BUILTIN_KEYS" not in build.enabled:
        return []
    return [(element, key) for element in build.elements for key in element.keys]


def builtin_keys_header(build: Build) -> str:
    body = ["/* Identifiers: psa_key_id_t. */"]
    body += [
        f"#define {key.macro} ((psa_key_id_t)0x{FIRST_ID + (i << INDEX_SHIFT):08x})"
        for i, (_, key) in enumerate(builtin_keys(build))
    ]
    comment = (
        "Keys that the board's elements came with: there before the application, and not to be "
        f"destroyed by it. {build.origin}"
    )
    return header("builtin_keys.h", comment, ["<psa/crypto_types.h>"], body)


def builtin_keys_source(build: Build) -> str:
    keys = builtin_keys(build)
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        f"/* {build.origin} */",
        "#include <corral/builtin.h>",
        "#include <corral/locations.h>",
        "#include <psa/crypto.h>",
    ]
    if keys:
        longest = max(len(key.label) for _, key in keys)
        lines += [
            "",
            f'_Static_assert({longest} <= CORRAL_LABEL_MAX_SIZE, "the board\'s labels");',
            "",
            f"const struct corral_builtin_key corral_builtin_keys[{len(keys)}] = {{",
        ]
    for element, key in keys:
        label = ", ".join(str(byte) for byte in key.label)
        lines += [
            "    {",
            f"        .type = {key.type},",
            f"        .algorithm = {key.algorithm},",
            *_usage(key),
            f"        .location = {element.macro},",
            f"        .label = {{{label}}},",
            f"        .label_length = {len(key.label)},",
            "    },",
        ]
    if keys:
        lines.append("};")
    return text_of(lines)


def _usage(key: BuiltinKey) -> list[str]:
    flags = [f"PSA_KEY_USAGE_{name}" for name in key.usage]
    lines = [f"        .usage = {flags[0]}"]
    for flag in flags[1:]:
        if len(lines[-1]) + len(flag) + 4 > 100:
            lines[-1] += " |"
            lines.append(f"                 {flag}")
        else:
            lines[-1] += f" | {flag}"
    lines[-1] += ","
    return lines
