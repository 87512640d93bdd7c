# SPDX-License-Identifier: Apache-2.0
"""unwanted.h: a call that the configuration does not serve does not compile, and says what to want.

Without it such a call would compile, link, and say PSA_ERROR_NOT_SUPPORTED on the device.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from itertools import chain

from corral.generate.build import Build
from corral.generate.prototypes import Called, functions
from corral.model.mechanisms import Mechanism, Wants

#: An application that calls such functions on purpose defines it.
ALLOWED = "CORRAL_CALL_UNWANTED"
#: The beginnings of functions' names, by the family of what serves them.
_FAMILIES = {
    "aead": ("aead_",),
    "agreement": ("key_agreement", "raw_key_agreement"),
    "asymmetric": ("asymmetric_",),
    "cipher": ("cipher_",),
    "encapsulation": ("encapsulate", "decapsulate"),
    "hash": ("hash_",),
    "key_derivation": ("key_derivation_",),
    "mac": ("mac_",),
    "pake": ("pake_",),
    "random": ("generate_random",),
    "sign": ("sign_", "verify_"),
    "wrap": ("wrap_key", "unwrap_key"),
    "xof": ("xof_",),
}
#: They succeed on an operation that was never set up, as code that cleans up expects.
_ALWAYS = re.compile(r"_abort$")
#: More ways than these are not named.
_MOST = 12
_WIDTH = 100


def _serving(build: Build, function: str) -> list[Mechanism]:
    """The mechanisms of which any would give the function something to do."""
    families = [f for f, begins in _FAMILIES.items() if function.startswith(begins)]
    found = [m for m in build.tree.mechanisms.mechanisms.values() if m.family in families]
    kind = re.match(r"sign_|verify_", function)
    return [m for m in found if kind is None or _has_unit(m, kind[0])]


def _has_unit(mechanism: Mechanism, begin: str) -> bool:
    return any(unit.startswith(begin) for service in mechanism.services for unit in service.units)


def _missing(wants: Wants, enabled: frozenset[str]) -> tuple[str, ...]:
    return tuple(group[0] for group in wants if not enabled.intersection(group))


def _remedy(mechanisms: Sequence[Mechanism], enabled: frozenset[str]) -> str:
    """What to set; nothing if all that a mechanism needs is set.

    Where an algorithm is wanted, what it lacks; else the algorithms, whose own needs are said when
    one is wanted.
    """
    begun = [m for m in mechanisms if not m.wants or enabled.intersection(m.wants[0])]
    ways = list(dict.fromkeys(_missing(m.wants, enabled) for m in begun))
    fewest = min(map(len, ways), default=None)
    if fewest == 0 or not mechanisms:
        return ""
    if fewest is None:
        ways, fewest = list(dict.fromkeys(m.wants[0][:1] for m in mechanisms)), 1
    nearest = [" and ".join(way) for way in ways if len(way) == fewest]
    more = " or another" if len(nearest) > _MOST else ""
    return f"not wanted: set {' or '.join(nearest[:_MOST])}{more}"


def _declared(function: Called) -> list[str]:
    """Broken between parameters."""
    parameters = [f"{p.type.text} {p.name}".replace("* ", "*") for p in function.parameters]
    kept = ", ".join(each.replace(" ", "\0") for each in parameters)
    begin = f"psa_status_t\0psa_{function.name}("
    lines = textwrap.wrap(f"{begin}{kept})", _WIDTH, subsequent_indent="    ")
    return [line.replace("\0", " ") for line in lines]


def unwanted(build: Build) -> list[tuple[Called, str]]:
    """The functions that nothing wanted gives anything to do, and what would."""
    enabled = frozenset(build.configuration.kconfig.enabled())
    found = []
    for function in chain.from_iterable(functions(build.tree.root).values()):
        serving = [] if _ALWAYS.search(function.name) else _serving(build, function.name)
        if remedy := _remedy(serving, enabled):
            found.append((function, remedy))
    return found


def unwanted_header(build: Build) -> str:
    lines: list[str] = []
    for function, remedy in unwanted(build):
        said = textwrap.wrap(remedy, _WIDTH - 24, break_long_words=False, drop_whitespace=False)
        literal = "\n                    ".join(f'"{part}"' for part in said)
        lines += [f"{line}\n" for line in _declared(function)]
        lines.append(_REFUSAL.format(said=literal))
    return _HEADER.format(allowed=ALLOWED, origin=build.origin, lines="".join(lines))


_REFUSAL = """\
    CORRAL_UNWANTED({said});
"""
_HEADER = """\
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that nothing wanted gives anything to do. Where the compiler can tell, a call of one
 * does not compile; a declaration, an address or a call that is not reached does.
 * {allowed}, defined before the headers of this API, lets all calls be.
 * {origin}
 */
#ifndef CORRAL_UNWANTED_H
#define CORRAL_UNWANTED_H

#include <psa/crypto_types.h>

#if defined(__has_attribute) && !defined({allowed})
#if __has_attribute(__error__)
#define CORRAL_UNWANTED(message) __attribute__((__error__(message)))
#endif
#endif

#ifdef CORRAL_UNWANTED
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
#ifdef __cplusplus
extern "C" {{
#endif

{lines}
#ifdef __cplusplus
}}
#endif
#pragma GCC diagnostic pop
#endif

#endif
"""
