# SPDX-License-Identifier: Apache-2.0
"""unwanted.h: a call that the configuration does not support fails to compile, and the
error names the missing wants.

Without it such a call would compile, link, and say PSA_ERROR_NOT_SUPPORTED on the device.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from corral.generate.build import Build
from corral.generate.c.nodes import (
    Conditional,
    Define,
    Group,
    Linkage,
    Parameter,
    Pragma,
    Prototype,
)
from corral.generate.c.terms import Attribute, Name, Type, Unary, all_of, text_of
from corral.generate.files import header
from corral.generate.functions import STATUS_TYPE
from corral.generate.prototypes import Called, functions
from corral.model.entry_points import LABEL
from corral.model.mechanisms import Mechanism, Wants

#: An application that calls such functions on purpose defines it.
ALLOWED = "CORRAL_CALL_UNWANTED"
#: More ways than these are not named.
_MOST = 12
_OR = " or "
_TYPES = ("psa/crypto_types.h",)
_DEFINED, _REFUSED, _HAS = Name("defined"), Name("CORRAL_UNWANTED"), Name("__has_attribute")
_ERROR = Name("__error__")


def _serving(build: Build, function: str) -> list[Mechanism]:
    """The mechanisms of which any would give the function something to do."""
    row = build.tree.entry_points.functions_with(function)
    return [
        mechanism
        for mechanism in build.tree.mechanisms.mechanisms.values()
        if mechanism.family == row.family
        and any(row.has_unit(unit) for service in mechanism.services for unit in service.units)
    ]


def _missing(wants: Wants, enabled: frozenset[str]) -> tuple[str, ...]:
    return tuple(group[0] for group in wants if not enabled.intersection(group))


def _remedy(mechanisms: Sequence[Mechanism], enabled: frozenset[str]) -> str:
    """The missing wants; nothing if all that a mechanism needs is set.

    For a wanted algorithm its missing wants. Otherwise the algorithms, whose own needs
    are reported when one is wanted.
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
    return f"not wanted: set {_OR.join(nearest[:_MOST])}{more}"


def unwanted(build: Build) -> list[tuple[Called, str]]:
    """The functions without a wanted mechanism, and the wants that would give them one."""
    enabled = frozenset(build.configuration.kconfig.enabled())
    every = list(chain.from_iterable(functions(build.tree.root).values()))
    build.tree.entry_points.check_functions({function.name for function in every})
    found = []
    for function in every:
        if remedy := _remedy(_serving(build, function.name), enabled):
            found.append((function, remedy))
    return found


def _refused(function: Called, remedy: str) -> Prototype:
    """Declared as in include/psa, which includes this header."""
    parameters = tuple(Parameter(Type(p.type.text, _TYPES), p.name) for p in function.parameters)
    first, *others = remedy.split(_OR)
    said = _REFUSED.call(text_of([first, *(_OR + other for other in others)]))
    result = Type(STATUS_TYPE.text, _TYPES)
    return Prototype(result, f"psa_{function.name}", parameters, attributes=(said,))


def unwanted_header(build: Build) -> str:
    error = Define(_REFUSED.text, Attribute(_ERROR.call("message")), ("message",))
    can_refuse = Conditional(_HAS.call(_ERROR), (error,))
    is_asked = all_of(_DEFINED.call(_HAS), Unary("!", _DEFINED.call(ALLOWED)))
    refused = tuple(_refused(function, remedy) for function, remedy in unwanted(build))
    before = (Pragma("GCC diagnostic push"), Pragma('GCC diagnostic ignored "-Wredundant-decls"'))
    declared = (Group(before), Linkage((Group(refused),)), Pragma("GCC diagnostic pop"))
    items = (
        Conditional(is_asked, (can_refuse,)),
        Conditional(_DEFINED.call(_REFUSED), declared),
    )
    rows = f"the functions in {LABEL}"
    return header(build, "unwanted.h", __name__, _SUBJECT, items, rows, _TYPES)


_SUBJECT = (
    "Functions that nothing wanted gives anything to do. Where the compiler can tell, a call of "
    "one does not compile; a declaration, an address or a call that is not reached does. "
    f"{ALLOWED}, defined before the headers of this API, lets all calls be."
)
