# SPDX-License-Identifier: Apache-2.0
"""Configurations that are valid, but surely not intended."""

from __future__ import annotations

from collections.abc import Iterator

from corral.configure.configuration import Configuration, Note
from corral.errors import Problem

_PAIRS, _SINGLES = "CORRAL_KEY_PAIR_SLOTS", "CORRAL_SINGLE_KEY_SLOTS"
_PROTECTED = "CORRAL_PROTECTED_KEY_SLOTS"
#: With these a build has keys that need no slot of the three pools.
_WITH_KEYS = ("CORRAL_BUILTIN_KEYS", "CORRAL_HARDWARE_KEY", "CORRAL_ATTESTATION")


def notes(configuration: Configuration) -> Iterator[Note]:
    """Warnings for configurations that want nothing, or contradict themselves."""
    assignments = configuration.assignments
    for assignment in assignments:
        if assignment.replaced:
            text = f"{assignment.symbol}={assignment.value} replaces that of {assignment.replaced}"
            yield Note(assignment.where, text, True)
    if set({a.symbol: a.value for a in assignments}.values()) <= {"n"}:
        what = "the configuration is empty, so no function has a driver: write lines such as"
        yield Note(configuration.app, f"{what} PSA_WANT_ALG_SHA_256=y", True)


def problems(configuration: Configuration) -> Iterator[Problem]:
    """Slots without which no key of a kind that is wanted could exist."""
    if any(map(configuration.is_on, _WITH_KEYS)):
        return
    wanted = {
        _PAIRS: ("CORRAL_WANTS_KEY_PAIRS", "key pairs", (_PAIRS, _PROTECTED)),
        _SINGLES: ("CORRAL_WANTS_SINGLE_KEYS", "keys", (_SINGLES, _PAIRS, _PROTECTED)),
    }
    for symbol, (want, kind, pools) in wanted.items():
        assignment = configuration.assignment_of(symbol)
        has_room = any(map(configuration.number, pools))
        if assignment and configuration.is_on(want) and not has_room:
            what = f"{symbol}=0 leaves no slot for {kind}, which the configuration wants"
            remedy = "write the number that exist at once, or leave the line out"
            yield Problem(assignment.where, what, remedy)
