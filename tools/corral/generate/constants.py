# SPDX-License-Identifier: Apache-2.0
"""config.h, bindings.h, locations.h, configuration.c: constants of the build."""

from __future__ import annotations

from collections.abc import Sequence

from corral.config.candidates import could_serve, could_serve_opaque
from corral.config.solve import LOCAL
from corral.generate.build import Build
from corral.generate.builtin_keys import builtin_keys
from corral.generate.ciphers import cipher_lengths
from corral.generate.ctext import WIDTH, header, text_of
from corral.generate.key_sizes import context_sizes
from corral.generate.macs import mac_lengths
from corral.model.mechanisms import wants_met


def config_header(build: Build) -> str:
    """Every symbol of the configuration, always defined: 0, 1, a number or a string."""
    kconfig = build.configuration.kconfig
    lines = []
    for name in kconfig.names():
        value = kconfig.value(name)
        if kconfig.is_bool(name):
            text = "1" if value == "y" else "0"
        elif kconfig.is_string(name):
            text = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        else:
            text = value or "0"
        lines.append(f"#define {name} {text}")
    comment = f"Every symbol of the configuration: 0, 1 or a number. {build.origin}"
    return header("config.h", comment, [], lines)


def _has(build: Build) -> list[str]:
    local: set[str] = set()
    opaque: set[str] = set()
    for binding in build.all_bindings:
        target = local if binding.location == LOCAL else opaque
        for row in build.rows(binding.unit):
            if any(row.name in capability.entry_points for capability in binding.chain):
                target.add(row.name)
    lines = ["/* Whether any driver serves an entry point, for keys in memory or in elements. */"]
    for name in build.tree.entry_points.rows:
        lines += [
            f"#define CORRAL_HAS_LOCAL_{name.upper()} {int(name in local)}",
            f"#define CORRAL_HAS_OPAQUE_{name.upper()} {int(name in opaque)}",
        ]
    has_random = any(b.mechanism.family == "random" for b in build.all_bindings)
    return [
        *lines,
        f"#define CORRAL_HAS_RANDOM {int(has_random)}",
        "/* Whether the core itself stores keys in memory: symmetric ones, and data. */",
        f"#define CORRAL_HAS_UNSTRUCTURED_KEYS {int(bool(build.unstructured_keys))}",
        "",
    ]


def key_sizes(build: Build) -> dict[str, int]:
    """Bytes of the largest key of each pool, 0 if the configuration wants none."""
    configuration = build.configuration
    singles: list[int] = []
    for values in build.tree.mechanisms.values.values():
        for value in values.values():
            if "max_size" in value.fields and wants_met(value.wants, build.enabled):
                singles.append(configuration.number(value.fields["max_size"]))
            if "key_size" in value.fields and wants_met(value.wants, build.enabled):
                singles.append(value.fields["key_size"])
    singles += [(key.bits + 7) // 8 for key in build.unstructured_keys if key.bits is not None]
    keys = [v for v in build.tree.mechanisms.asymmetric if wants_met(v.wants, build.enabled)]
    publics = [v for v in keys if v.fields["has_public"] in build.enabled]
    privates = [v for v in keys if v.fields.get("has_pair") in build.enabled]
    public = max([v.fields["public_size"] for v in publics], default=0)
    private = max([v.fields["private_size"] for v in privates], default=0)
    # Drivers give the public key of a new pair on a curve; that of an RSA pair stands in the pair.
    cached = [v.fields["public_size"] for v in publics if v.list == "curve"]
    contexts = [
        size for driver in build.element_drivers for size in context_sizes(build, driver).values()
    ]
    return {
        "CORRAL_SINGLE_KEY_MAX_SIZE": max([*singles, public]),
        "CORRAL_PAIR_PRIVATE_MAX_SIZE": private,
        "CORRAL_PUBLIC_KEY_MAX_SIZE": public,
        "CORRAL_CACHED_KEY_MAX_SIZE": max(cached, default=0),
        "CORRAL_PROTECTED_KEY_MAX_SIZE": max(contexts, default=0),
    }


def _lengths(build: Build) -> dict[str, int]:
    hashes = [
        outcome.mechanism.value["length"]
        for outcome in build.bindings.outcomes.values()
        if outcome.mechanism.family == "hash" and outcome.bindings
    ]
    padded = [
        outcome.mechanism.value["block_length"]
        for outcome in build.bindings.outcomes.values()
        if outcome.mechanism.family == "hash" and outcome.bindings
    ]
    blocks = [block for _, block in cipher_lengths(build).values()]
    return {
        "CORRAL_HASH_MAX_LENGTH": max([*hashes, 1]),
        "CORRAL_HASH_BLOCK_MAX_LENGTH": max([*padded, 1]),
        "CORRAL_MAC_MAX_SIZE": max([*mac_lengths(build).values(), 1]),
        "CORRAL_BLOCK_MAX_SIZE": max([*blocks, 1]),
    }


def _any_of(name: str, values: Sequence[str]) -> list[str]:
    """#define <name>(is): whether is() holds for one of the values."""
    if not values:
        return [f"#define {name}(is) 0"]
    line = f"#define {name}(is) ({' || '.join(f'is({value})' for value in values)})"
    if len(line) <= WIDTH:
        return [line]
    rows = ["    ("]
    for i, value in enumerate(values, start=1):
        test = f"is({value})" + (" ||" if i < len(values) else ")")
        if len(f"{rows[-1]} {test}") > WIDTH - 2:
            rows.append("    ")
        rows[-1] += test if rows[-1] == "    (" else f" {test}"
    *before, last = [f"#define {name}(is)", *rows]
    return [*(f"{row.ljust(WIDTH - 1)}\\" for row in before), last]


def _wanted_algorithms(build: Build) -> list[str]:
    """One of each kind: those over another hash are of the same kinds."""
    found: dict[str, str] = {}
    for outcome, binding in build.bindings.all():
        if outcome.is_wanted and binding.algorithm is not None:
            found.setdefault(binding.algorithm.name, str(binding.algorithm))
    return list(found.values())


def _imported_types(build: Build) -> list[str]:
    """Types of keys that drivers import, one of each kind: families are of the same kind."""
    found: dict[str, str] = {}
    for binding in build.of_unit("import_key"):
        if binding.key is not None:
            found.setdefault(binding.key.type.name, str(binding.key.type))
    return list(found.values())


def _kinds(build: Build) -> list[str]:
    return [
        "/* Whether is(alg) holds for an algorithm that is wanted here, and is(type) for a type of",
        " * key that a driver imports: constants, which leave out what nobody can ask for. */",
        *_any_of("CORRAL_ANY_ALG", _wanted_algorithms(build)),
        *_any_of("CORRAL_ANY_IMPORTED", _imported_types(build)),
        "",
    ]


def _hashes_take_keys(build: Build) -> bool:
    """Those that keep a hash's context are HMAC and its like; others hash messages."""
    return any("hash" in c.uses for binding in build.all_bindings for c in binding.chain)


def _serves(build: Build) -> list[str]:
    lines = ["/* Which driver serves what, of all that it could. */"]
    served = {
        (capability.driver, outcome.mechanism.name)
        for outcome, binding in build.bindings.all()
        for capability in binding.chain
    }
    for driver in build.tree.drivers.values():
        for name, mechanism in build.tree.mechanisms.mechanisms.items():
            could = could_serve(driver, mechanism) or could_serve_opaque(driver, mechanism)
            if could or (driver.name, name) in served:
                value = int((driver.name, name) in served)
                lines.append(f"#define CORRAL_{driver.symbol}_SERVES_{name} {value}")
    return [*lines, ""]


def bindings_header(build: Build, constants: Sequence[str], fingerprint: str) -> str:
    """constants: lines of bindings_constants(), which take longer to make than all others."""
    body = [
        "/* Fingerprint of the generated headers. Every object that includes them asks the linker",
        " * for a symbol of that name, so objects of another configuration do not link. It asks by",
        " * a note, because the linker keeps notes and does not load them: it takes no room. It is",
        " * not called a note, because scripts of others throw away what is. */",
        f"#define CORRAL_CONFIG_HASH 0x{fingerprint[:8]}ul",
        "#if defined(__ELF__)",
        '__asm__(".pushsection .corral,\\"\\",%note\\n"',
        '        ".balign 4\\n"',
        '        ".long 7, 4, 1\\n"',
        '        ".asciz \\"CORRAL\\"\\n"',
        '        ".balign 4\\n"',
        f'        ".long corral_configuration_{fingerprint}\\n"',
        '        ".popsection\\n");',
        "#endif",
        "",
        *constants,
    ]
    comment = f"What follows from the configuration and the drivers. {build.origin}"
    return header("bindings.h", comment, ["<corral/config.h>"], body)


def bindings_constants(build: Build) -> list[str]:
    """What the build serves, by whom, and how long keys and results are."""
    return [
        *_has(build),
        f"#define CORRAL_ELEMENT_COUNT {len(build.elements)}",
        f"#define CORRAL_BUILTIN_KEY_COUNT {len(builtin_keys(build))}",
        "",
        "/* Bytes of the largest key of each pool, and of one kept with its pair; 0: none. */",
        *(f"#define {name} {size}" for name, size in key_sizes(build).items()),
        "",
        "/* Bytes of the longest hash, block of a hash, MAC and cipher block; at least 1. */",
        *(f"#define {name} {size}" for name, size in _lengths(build).items()),
        "",
        "/* Whether a construction of this build puts key material through its hashes. */",
        f"#define CORRAL_HASHES_TAKE_KEYS {int(_hashes_take_keys(build))}",
        "",
        *_kinds(build),
        *_serves(build),
    ]


def configuration_source(fingerprint: str) -> str:
    return text_of(
        [
            "/* SPDX-License-Identifier: Apache-2.0 */",
            "/* The symbol that all objects of this configuration ask for; it takes no room. */",
            "#include <corral/bindings.h>",
            "",
            "#if defined(__ELF__)",
            f'__asm__(".globl corral_configuration_{fingerprint}\\n"',
            f'        ".set corral_configuration_{fingerprint}, 0\\n");',
            "#endif",
        ]
    )


def locations_header(build: Build) -> str:
    body = ["/* Where keys of secure elements live: psa_key_location_t. */"]
    body += [f"#define {e.macro} ((psa_key_location_t)0x{e.location:06x})" for e in build.devices]
    macros = "".join(f" {element.macro}," for element in build.elements)
    names = "".join(f' "{element.name}",' for element in build.elements)
    body += [
        "",
        "/* Those that can keep keys, and their names, each followed by a comma: for arrays. */",
        f"#define CORRAL_ELEMENT_LOCATIONS{macros}",
        f"#define CORRAL_ELEMENT_NAMES{names}",
    ]
    comment = f"The secure elements of this board. {build.origin}"
    return header("locations.h", comment, ["<psa/crypto_types.h>"], body)
