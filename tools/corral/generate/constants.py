# SPDX-License-Identifier: Apache-2.0
"""config.h, bindings.h, locations.h, configuration.c: constants of the build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corral.configure.bindings import LOCAL
from corral.configure.candidates import could_serve, could_serve_opaque
from corral.generate.build import Build
from corral.generate.builtin_keys import builtin_keys
from corral.generate.c.nodes import Assembly, Comment, Conditional, Define, Group, Item
from corral.generate.c.terms import (
    Any,
    Literal,
    Name,
    Term,
    Type,
    Unary,
    all_of,
    term,
    text_literal,
)
from corral.generate.ciphers import cipher_lengths
from corral.generate.files import header, source
from corral.generate.functions import constant
from corral.generate.key_sizes import context_sizes
from corral.generate.macs import mac_lengths
from corral.model.mechanisms import Value, wants_met
from corral.model.wants import own_symbol


def config_header(build: Build) -> str:
    """Every symbol of the configuration, always defined: 0, 1, a number or a string. Those that
    others know by name are defined where they are wanted, and asked for by #if defined."""
    kconfig = build.configuration.kconfig

    def value(name: str) -> Term:
        given = kconfig.value(name)
        if kconfig.is_bool(name):
            return term(int(given == "y"))
        return text_literal(given) if kconfig.is_string(name) else Literal(given or "0")

    wants = build.tree.mechanisms.wants
    others = [name for name in kconfig.names() if name not in wants]
    wanted = tuple(Define(name, term(1)) for name in wants if kconfig.value(name) == "y")
    always = tuple(Define(own_symbol(name), value(name)) for name in wants)
    groups = [
        Group(wanted, "The wanted symbols, for code that tests #if defined; no other is defined."),
        Group(always, "The same, always defined, for code of this library."),
        Group(tuple(Define(name, value(name)) for name in others)),
    ]
    subject = "Every symbol of the configuration: 0, 1 or a number."
    return header(build, "config.h", __name__, subject, groups, "config/ and each Kconfig")


def _numbers(comment: str, values: Mapping[str, int]) -> Group:
    return Group(tuple(Define(name, term(int(n))) for name, n in values.items()), comment)


def _has(build: Build) -> list[Item]:
    local: set[str] = set()
    opaque: set[str] = set()
    for binding in build.all_bindings:
        target = local if binding.location == LOCAL else opaque
        for row in build.rows(binding.unit):
            if any(row.name in capability.entry_points for capability in binding.chain):
                target.add(row.name)
    served = {
        f"CORRAL_HAS_{where}_{name.upper()}": name in names
        for name in build.tree.entry_points.rows
        for where, names in (("LOCAL", local), ("OPAQUE", opaque))
    }
    has_random = any(b.mechanism.family == "random" for b in build.all_bindings)
    return [
        _numbers(
            "Whether any driver has an entry point, for keys in memory or in elements.",
            {**served, "CORRAL_HAS_RANDOM": has_random},
        ),
        _numbers(
            "Whether the core itself stores keys in memory: symmetric ones, and data.",
            {"CORRAL_HAS_UNSTRUCTURED_KEYS": bool(build.unstructured_keys)},
        ),
    ]


def _has_size(key_type: Value, wanted: Sequence[Value]) -> bool:
    """Whether the wanted symbols besides the type determine the length of its keys."""
    return any("key_size" in v.fields and set(key_type.wants) <= set(v.wants) for v in wanted)


def key_sizes(build: Build) -> dict[str, int]:
    """Bytes of the largest key of each pool, 0 if the configuration wants none."""
    configuration = build.configuration
    singles: list[int] = []
    lists = build.tree.mechanisms.values.values()
    wanted = [v for of in lists for v in of.values() if wants_met(v.wants, build.enabled)]
    for value in wanted:
        if "max_size" in value.fields:
            singles.append(configuration.number(value.fields["max_size"]))
        if "key_size" in value.fields:
            singles.append(value.fields["key_size"])
        if "max_bits" in value.fields and not _has_size(value, wanted):
            singles.append(value.fields["max_bits"] // 8)
    singles += [(key.bits + 7) // 8 for key in build.unstructured_keys if key.bits is not None]
    keys = [v for v in build.tree.mechanisms.asymmetric if wants_met(v.wants, build.enabled)]
    publics = [v for v in keys if v.fields["has_public"] in build.enabled]
    privates = [v for v in keys if v.has_pairs(build.enabled)]
    public = max([v.fields["public_size"] for v in publics], default=0)
    private = max([v.fields["private_size"] for v in privates], default=0)
    # Drivers give the public key of a new pair on a curve; the pair itself contains that of RSA.
    cached = [v.fields["public_size"] for v in privates if v.list == "curve"]
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


def _any_of(name: str, values: Sequence[str]) -> Define:
    """#define <name>(is): whether is() holds for one of the values."""
    tests = [Name("is").call(Name(value)) for value in values]
    return Define(name, Any(tuple(tests)) if tests else term(0), ("is",))


def _wanted_algorithms(build: Build) -> list[str]:
    """One of each kind: those over another hash are of the same kinds."""
    found: dict[str, str] = {}
    for outcome, binding in build.bindings.all():
        if outcome.is_wanted and binding.algorithm is not None:
            found.setdefault(binding.algorithm.name, str(binding.algorithm))
    return list(found.values())


def _types_of(build: Build, unit: str) -> list[str]:
    """Types of keys that drivers create so, one of each kind: families are of the same kind."""
    found: dict[str, str] = {}
    for binding in build.of_unit(unit):
        if binding.key is not None:
            found.setdefault(binding.key.type.name, str(binding.key.type))
    return list(found.values())


def _stored_types(build: Build) -> list[str]:
    return list(dict.fromkeys(key.type for key in build.unstructured_keys))


def _kinds(build: Build) -> Group:
    macros = (
        _any_of("CORRAL_ANY_ALG", _wanted_algorithms(build)),
        _any_of("CORRAL_ANY_IMPORTED", _types_of(build, "import_key")),
        _any_of("CORRAL_ANY_GENERATED", _types_of(build, "generate_key")),
        _any_of("CORRAL_ANY_STORED", _stored_types(build)),
    )
    comment = (
        "1 if is(alg) holds for an algorithm that is wanted here. The same for is(type) and types "
        "of keys that a driver imports or generates, or that the core stores unchanged. They are "
        "constants, so the compiler omits code that no call can reach."
    )
    return Group(macros, comment)


def _hashes_take_keys(build: Build) -> bool:
    """Those that keep a hash's context are HMAC and its like; others hash messages."""
    return any("hash" in c.uses for binding in build.all_bindings for c in binding.chain)


def _serves(build: Build) -> Group:
    served = {
        (capability.driver, outcome.mechanism.name)
        for outcome, binding in build.bindings.all()
        for capability in binding.chain
    }
    # Of drivers for keys in local memory the candidates say it.
    could = build.configuration.candidates.reasons
    values = {
        f"CORRAL_{driver.symbol}_SERVES_{name}": (driver.name, name) in served
        for driver in build.tree.drivers.values()
        for name, mechanism in build.tree.mechanisms.mechanisms.items()
        if (driver.name, name) in served
        or (name, driver.name) in could
        or (
            driver.is_opaque
            and (could_serve(driver, mechanism) or could_serve_opaque(driver, mechanism))
        )
    }
    return _numbers("The mechanisms that each driver runs, of all that it supports.", values)


ELF = Name("defined").call("__ELF__")
#: Of an object that builds share: it is of no configuration (cmake/corral.cmake).
IS_SHARED = Name("defined").call("CORRAL_SHARED_OBJECT")


def _fingerprint(fingerprint: str) -> Group:
    note = Assembly(
        (
            '.pushsection .corral,"",%note',
            ".balign 4",
            ".long 7, 4, 1",
            '.asciz "CORRAL"',
            ".balign 4",
            f".long corral_configuration_{fingerprint}",
            ".popsection",
        )
    )
    comment = (
        "Fingerprint of the generated headers. Every object that includes them asks the linker "
        "for a symbol of that name, so objects of another configuration do not link. It asks by "
        "a note, because the linker keeps notes and does not load them: it takes no room. It is "
        "not called a note, because scripts of others throw away what is. Objects that the "
        "builds of the tests share say that they are."
    )
    number = Define("CORRAL_CONFIG_HASH", Literal(f"0x{fingerprint[:8]}ul"))
    return Group((number, Conditional(all_of(ELF, Unary("!", IS_SHARED)), (note,))), comment)


def bindings_header(build: Build, constants: Sequence[Item], fingerprint: str) -> str:
    """constants: those of bindings_constants(), which take longer to make than all others."""
    items = [_fingerprint(fingerprint), *constants]
    subject = "Constants that follow from the configuration and the drivers."
    rows = "the mechanisms of each driver"
    return header(build, "bindings.h", __name__, subject, items, rows, ("corral/config.h",))


def bindings_constants(build: Build) -> list[Item]:
    """Supported mechanisms of the build, their drivers, and lengths of keys and results."""
    counts = {
        "CORRAL_ELEMENT_COUNT": len(build.elements),
        "CORRAL_BUILTIN_KEY_COUNT": len(builtin_keys(build)),
    }
    return [
        *_has(build),
        _numbers("", counts),
        _numbers(
            "Bytes of the largest key of each pool, and of one kept with its pair; 0: none.",
            key_sizes(build),
        ),
        _numbers(
            "Bytes of the longest hash, block of a hash, MAC and cipher block; at least 1.",
            _lengths(build),
        ),
        _numbers(
            "Whether a construction of this build puts key material through its hashes.",
            {"CORRAL_HASHES_TAKE_KEYS": _hashes_take_keys(build)},
        ),
        _kinds(build),
        _serves(build),
    ]


def configuration_source(build: Build, fingerprint: str) -> str:
    symbol = f"corral_configuration_{fingerprint}"
    items = [
        Comment(
            "The symbol that all objects of this configuration ask for; it takes no room. It has a "
            "type, or linkers warn where it comes from a shared library. This object does not ask "
            "for it: on AArch64 the assembler loses the name, and nothing links."
        ),
        Conditional(
            ELF,
            (Assembly((f".globl {symbol}", f".type {symbol}, %object", f".set {symbol}, 0")),),
        ),
    ]
    return source(build, __name__, items, ["psa/crypto_types.h"])


def locations_header(build: Build) -> str:
    at = Type("psa_key_location_t", ("psa/crypto_types.h",))
    places = (Define(e.macro, constant(at, f"0x{e.location:06x}")) for e in build.devices)
    lists = (
        Define("CORRAL_ELEMENT_LOCATIONS", tuple(Name(e.macro) for e in build.elements)),
        Define("CORRAL_ELEMENT_NAMES", tuple(text_literal(e.name) for e in build.elements)),
    )
    items = [
        Group(tuple(places), "Where keys of secure elements live: psa_key_location_t."),
        Group(
            lists,
            "Those that can keep keys, and their names, each followed by a comma: for arrays.",
        ),
    ]
    subject, rows = "The secure elements of this board.", "the board's elements"
    return header(build, "locations.h", __name__, subject, items, rows, ("psa/crypto_types.h",))
