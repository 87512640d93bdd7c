# SPDX-License-Identifier: Apache-2.0
"""Symbols implied by wants, from the table of mechanisms: other wants, slots for keys,
sizes of secrets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from corral.configure.kconfig import escaped
from corral.model.mechanisms import Mechanism, MechanismTable, Value, wants_as_kconfig
from corral.model.wants import PREFIX, Menu

ALGORITHM = "PSA_WANT_ALG_"
KEY_TYPE = "PSA_WANT_KEY_TYPE_"
# Beside a secret that a derivation takes as bytes: salt, label and so on. The size of a
# derivation room for anyway leaves enough of it beside the secrets of all curves.
BESIDE_A_SECRET = 96
ROOM_FOR_INPUTS = 128


def implied_wants(table: MechanismTable) -> dict[str, list[str]]:
    """Algorithm to the key types and curves without which no mechanism has it.

    Signing takes a pair and verifying a public key: an algorithm of both implies neither, because
    only the application knows which of them it does.
    """
    users: dict[str, list[Mechanism]] = {}
    for mechanism in table.mechanisms.values():
        for symbol in {symbol for group in mechanism.wants for symbol in group}:
            users.setdefault(symbol, []).append(mechanism)
    found: dict[str, list[str]] = {}
    for symbol in sorted(table.known_wants):
        if not symbol.startswith(ALGORITHM):
            continue
        always = [{g[0] for g in m.wants if len(g) == 1} for m in users.get(symbol, ())]
        common = sorted(set.intersection(*always)) if always else []
        wants = [name for name in common if name.startswith(PREFIX)]
        if implied := [name for name in wants if not name.startswith(ALGORITHM)]:
            found[symbol] = implied
    return found


def _single_keys(table: MechanismTable) -> list[str]:
    """Symbols of the key types that lie in slots for single keys."""
    found: dict[str, None] = {}
    for value in table.unstructured:
        found.update((s, None) for g in value.wants for s in g if s.startswith(KEY_TYPE))
    for value in table.asymmetric:
        found[value.fields["has_public"]] = None
    return list(found)


def _key_pairs(table: MechanismTable) -> list[str]:
    """Conditions under which there are key pairs: types, unless all their sizes are without."""
    by_type: dict[str, list[Value]] = {}
    for value in table.pairs:
        by_type.setdefault(value.fields["has_pair"], []).append(value)
    found = []
    for has_pair, values in by_type.items():
        pairs = [value.pairs_symbol for value in values]
        sizes = [value.wants[-1][0] for value in values]
        some = f" && ({' || '.join(pairs)} || !({' || '.join(sizes)}))" if all(pairs) else ""
        found.append(f"{has_pair}{some}")
    return found


def _any_of(name: str, symbols: Iterable[str]) -> list[str]:
    return [f"config {name}", "\tbool", *(f"\tdefault y if {s}" for s in symbols), ""]


def _longest(name: str, values: Iterable[tuple[int, Mechanism]], least: int) -> list[str]:
    """A number that follows from the longest secret of the wanted mechanisms."""
    by_value: dict[int, list[str]] = {}
    for value, mechanism in values:
        if value > least:
            by_value.setdefault(value, []).append(f"({wants_as_kconfig(mechanism.wants)})")
    lines = [f"config {name}", "\tint"]
    for value in sorted(by_value, reverse=True):
        lines += [f"\tdefault {value} if {condition}" for condition in by_value[value]]
    return [*lines, f"\tdefault {least}", ""]


def _key_pairs_of(value: Value, title: str) -> list[str]:
    """The symbol without which a build has only public keys of a size."""
    maker = value.fields.get("makes_pairs")
    prompt = f" if !{maker}" if maker else ""
    pairs = f"({value.fields['has_pair']} || {maker})" if maker else value.fields["has_pair"]
    return [
        f"config {value.pairs_symbol}",
        f'\tbool "{escaped(title)}: key pairs, too"{prompt}',
        "\tdefault y",
        f"\tdepends on {value.wants[-1][0]} && {pairs}",
        "\thelp",
        "\t  Without it the build has only public keys of this size:",
        f"\t  {value.fields['public_alone']}.",
        "\t  Pairs of other sizes are not concerned.",
        "",
    ]


def _menu(menu: Menu, implied: Mapping[str, list[str]], pairs: Mapping[str, Value]) -> list[str]:
    lines = [f'menu "{escaped(menu.title)}"', ""]
    for want in menu.wants:
        selected = [*want.selects, *implied.get(want.symbol, [])]
        lines += [f"config {want.symbol}", f'\tbool "{escaped(want.title)}"', "\tdefault n"]
        lines += [*(f"\tselect {name}" for name in selected), "\thelp", f"\t  {want.help}", ""]
        if want.symbol in pairs:
            lines += _key_pairs_of(pairs[want.symbol], want.title)
    return [*lines, "endmenu", ""]


def wants_fragment(table: MechanismTable) -> str:
    """Kconfig.wants: the menus, and symbols from which config/Kconfig derives defaults."""
    implied = implied_wants(table)
    lines = ['menu "PSA Crypto API: mechanisms of the application"', ""]
    pairs = {value.wants[-1][0]: value for value in table.pairs if value.pairs_symbol}
    for menu in table.menus:
        lines += _menu(menu, implied, pairs)
    lines += ["endmenu", ""]
    lines += _any_of("CORRAL_WANTS_SINGLE_KEYS", _single_keys(table))
    lines += _any_of("CORRAL_WANTS_KEY_PAIRS", _key_pairs(table))
    secrets = [(m.secret_length, m) for m in table.mechanisms.values() if m.secret_length]
    lines += _longest("CORRAL_RAW_KEY_DEFAULT_SIZE", secrets, 64)
    rooms = [
        (size + BESIDE_A_SECRET, mechanism)
        for size, mechanism in secrets
        if mechanism.family == "agreement" and size > ROOM_FOR_INPUTS
    ]
    lines += _longest("CORRAL_DERIVATION_INPUT_DEFAULT_SIZE", rooms, ROOM_FOR_INPUTS)
    return "\n".join(lines)
