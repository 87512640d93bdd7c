# SPDX-License-Identifier: Apache-2.0
"""dispatch/mechanisms.toml: from PSA_WANT_* symbols to mechanisms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from corral.errors import CorralError, Problem, fail
from corral.model.entry_points import EntryPointTable
from corral.model.expression import Expression, Vocabulary
from corral.model.node import Node, nearest, read_text, read_toml
from corral.model.wants import PAIRS, PREFIX, Menu, load_menus, pairs_symbol

LABEL = "dispatch/mechanisms.toml"
# Every other key at the top is a list of values.
OTHER_KEYS = ("menu", "pair_wants", "needs", "signature", "mechanism")
MECHANISM_KEYS = (
    "name",
    "family",
    "each",
    "kinds",
    "wants",
    "group",
    "random",
    "cipher",
    "aead",
    "secret",
    "serves",
)
SIGNATURE_KEYS = ("each", "kinds", "algorithms", "hashes", "alike", "computed", "computed_to_sign")
SERVICE_KEYS = ("entry_points", "algorithms", "keys", "bits", "where", "optional", "wants")
# The word for each wanted hash; the second only for those that HMAC is specified with.
WANTED_HASH = "wanted_hash"
WANTED_HMAC = "wanted_hmac"

# The word for the type of pairs of a list's values.
_PAIR = "{pair}"

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")

# Of the fields of a value all others are texts.
_SIZES = "other_bits"
_NO_TEXTS: dict[str, type] = {
    **dict.fromkeys(("length", "block_length", "key_size", "bits", "iv_length"), int),
    **dict.fromkeys(("max_bits", "private_size", "public_size", "set", "seeds"), int),
    **dict.fromkeys(("is_der", "is_seed"), bool),
    _SIZES: list,
}

# All of the groups; of each group one symbol: (("A",), ("B", "C")) is A && (B || C).
Wants = tuple[tuple[str, ...], ...]


def wants_met(wants: Wants, enabled: Set[str]) -> bool:
    return all(any(symbol in enabled for symbol in group) for group in wants)


def wants_as_kconfig(wants: Wants) -> str:
    groups = [f"({' || '.join(g)})" if len(g) > 1 else g[0] for g in wants]
    return " && ".join(groups) if groups else "y"


@dataclass(frozen=True, order=True)
class KeyCase:
    """A type of key with a size in bits; None: any size."""

    type: Expression
    bits: int | None


@dataclass(frozen=True)
class WantedAlgorithm:
    """An algorithm, and the symbols that make it part of its mechanism."""

    algorithm: Expression
    wants: Wants


@dataclass(frozen=True)
class Service:
    """Entry points that a mechanism consists of, for algorithms and keys."""

    units: tuple[str, ...]
    algorithms: tuple[WantedAlgorithm, ...]
    keys: tuple[KeyCase, ...]
    where: str
    optional: bool
    wants: Wants

    @property
    def is_local(self) -> bool:
        return self.where != "opaque"

    @property
    def is_opaque(self) -> bool:
        return self.where != "local" and bool(self.keys)


@dataclass(frozen=True)
class Mechanism:
    """The unit for which a driver is chosen."""

    name: str
    family: str
    wants: Wants
    group: str
    random: bool
    services: tuple[Service, ...]
    value: Mapping[str, Any]
    iv_length: int
    block_length: int
    nonce_length: int
    secret_length: int  # bytes of the secret that both sides get; 0: no more than a hash

    @property
    def choice(self) -> str:
        return f"CORRAL_{self.name}_BY"

    @property
    def is_local(self) -> bool:
        return any(service.is_local for service in self.services)


class Fields(dict[str, Any]):
    """The fields of a row of a list; a missing field is an error when it is read."""

    def __init__(self, where: str, fields: Mapping[str, Any]) -> None:
        super().__init__(fields)
        self.where = where

    def __missing__(self, key: str) -> Any:
        raise fail(self.where, f'the key "{key}" is missing', "add it, as other values have it")


@dataclass(frozen=True)
class Value:
    """A row of one of the lists: a hash, a key of a cipher, a curve."""

    name: str
    list: str
    wants: Wants
    fields: Mapping[str, Any]

    @property
    def pairs_symbol(self) -> str:
        """The symbol without which there are only public keys of this size; "" if there
        always are pairs."""
        return pairs_symbol(self.wants[-1][0]) if self.fields.get("public_alone") else ""

    def has_pairs(self, enabled: Set[str]) -> bool:
        return self.fields.get("has_pair") in enabled and (
            not self.pairs_symbol or self.pairs_symbol in enabled
        )


@dataclass(frozen=True)
class Signature:
    """The knowledge of the core about signatures by a kind of keys. Constants and macros of C."""

    value: Value
    algorithms: tuple[str, ...]
    hashes: tuple[str, ...]
    alike: tuple[str, ...]
    computed: tuple[str, ...]
    computed_to_sign: tuple[str, ...]


@dataclass(frozen=True)
class MechanismTable:
    """All mechanisms, whether wanted or not."""

    mechanisms: dict[str, Mechanism]
    values: dict[str, dict[str, Value]]
    menus: tuple[Menu, ...]
    needs: Mapping[str, tuple[str, ...]]
    signatures: tuple[Signature, ...] = ()

    @cached_property
    def core_wants(self) -> frozenset[str]:
        """The symbols that the core supports without a driver."""
        return frozenset(w.symbol for menu in self.menus for w in menu.wants if w.is_core)

    @cached_property
    def wants(self) -> tuple[str, ...]:
        """All symbols, in the order of the menus."""
        return tuple(want.symbol for menu in self.menus for want in menu.wants)

    def _with(self, field: str) -> tuple[Value, ...]:
        lists = self.values.values()
        return tuple(v for values in lists for v in values.values() if field in v.fields)

    @cached_property
    def asymmetric(self) -> tuple[Value, ...]:
        """Keys with a public key, which most of them have beside a private one, in pairs."""
        return self._with("public")

    @cached_property
    def pairs(self) -> tuple[Value, ...]:
        return self._with("pair")

    @cached_property
    def unstructured(self) -> tuple[Value, ...]:
        """Keys that the core stores as they are."""
        return self._with("type")

    @cached_property
    def sizes(self) -> dict[str, tuple[int, ...]]:
        """Sizes that a type of key has by its definition (PSA Crypto 1.5, 9.3.2), served or not."""
        found: dict[str, set[int]] = {}
        for value in self.unstructured:
            sizes = found.setdefault(value.fields["type"], set())
            sizes.update([value.fields["bits"]] if "bits" in value.fields else [])
            sizes.update(value.fields.get("other_bits", []))
        return {key_type: tuple(sorted(sizes)) for key_type, sizes in found.items()}

    def needed(self, mechanism: Mechanism, need: str, hash_name: str = "") -> list[str]:
        """The mechanisms, beside itself, that one must have bound if its driver has this need.

        hash_name: that of the algorithm, where the mechanism is for any.
        """
        if need.startswith("PSA_ALG_"):
            found = self.by_algorithm(need)
            return [found.name] if found else []
        fields = {**({"hash": hash_name} if hash_name else {}), **mechanism.value}
        patterns = self.needs.get(need, ())
        if any(key not in fields for text in patterns for key in _PLACEHOLDER.findall(text)):
            return []
        names = [_PLACEHOLDER.sub(lambda m: str(fields[m[1]]), text) for text in patterns]
        return [name for name in names if name in self.mechanisms]

    @cached_property
    def known_wants(self) -> frozenset[str]:
        """The symbols that some row knows."""
        known = set(self.core_wants)
        for mechanism in self.mechanisms.values():
            known.update(symbol for group in mechanism.wants for symbol in group)
            for service in mechanism.services:
                known.update(symbol for group in service.wants for symbol in group)
        for values in self.values.values():
            known.update(s for value in values.values() for group in value.wants for s in group)
        return frozenset(symbol for symbol in known if symbol.startswith(PREFIX))

    def by_algorithm(self, algorithm: str) -> Mechanism | None:
        """The mechanism of a hash algorithm, written as in C."""
        for value in self.values["hash"].values():
            if value.fields["algorithm"] == algorithm:
                return self.mechanisms[value.name]
        return None


def _parse_wants(texts: tuple[str, ...]) -> Wants:
    return tuple(tuple(part.strip() for part in text.split("|")) for text in texts)


def _fields(row: Node) -> dict[str, Any]:
    """The fields of a row of a list beside its wants."""
    children = {key: row.child(key) for key in row.value if key not in ("_comment", "wants")}
    return {
        key: child.value
        for key, child in children.items()
        if child.is_a(_NO_TEXTS.get(key, str)) and (key != _SIZES or _are_sizes(row))
    }


def _are_sizes(row: Node) -> bool:
    return all(item.is_a(int) for item in row.items(_SIZES))


def _are_of_pairs(services: tuple[Service, ...]) -> bool:
    """Whether nothing that a mechanism has to have is there without pairs."""
    needed = [service for service in services if not service.optional]
    of_pairs = [s for s in needed if any(group[0].startswith(PAIRS) for group in s.wants)]
    return bool(needed) and of_pairs == needed


class _Loader:
    def __init__(self, root: Path, table: EntryPointTable, vocabulary: Vocabulary) -> None:
        self.problems: list[Problem] = []
        self.table = table
        self.vocabulary = vocabulary
        self.top = read_toml(root / LABEL, LABEL, self.problems)
        self.values: dict[str, dict[str, Value]] = {}

    def load(self) -> MechanismTable:
        for name in self.top.value:
            if name not in OTHER_KEYS:
                self.values[name] = self._list(name)
        mechanisms: dict[str, Mechanism] = {}
        for node in self.top.items("mechanism"):
            for mechanism in self._row(node):
                if mechanism.name in mechanisms:
                    node.complain(f"{mechanism.name} appears twice", "remove one")
                mechanisms[mechanism.name] = mechanism
        needs = {
            name: tuple(
                item.value for item in self.top.child("needs").items(name) if item.is_a(str)
            )
            for name in self.top.table("needs")
        }
        rows = {
            name: [(value.fields, value.wants) for value in values.values()]
            for name, values in self.values.items()
        }
        menus = load_menus(self.top, rows)
        signatures = tuple(
            s for node in self.top.items("signature") for s in self._signatures(node)
        )
        table = MechanismTable(mechanisms, self.values, menus, needs, signatures)
        for symbol in sorted(table.known_wants.difference(table.wants)):
            near = nearest(symbol, table.wants)
            self.top.complain(f"{symbol} is in no menu", f"add it to one, or {near}")
        if self.problems:
            raise CorralError(self.problems)
        return table

    def _list(self, name: str) -> dict[str, Value]:
        node = self.top.child(name)
        if not node.has("values"):
            node.complain("unknown key", f"{nearest(name, OTHER_KEYS)}; a list has [{name}.values]")
            return {}
        common = {key: value for key, value in node.value.items() if key != "values"}
        values: dict[str, Value] = {}
        for value_name, child in node.table("values").items():
            if not child.is_a(dict):
                continue
            row = Node({**common, **child.value}, child.file, child.path, child.problems)
            fields = {name: value_name, **_fields(row)}
            fields = {
                key: self._fill(child, text, fields) if isinstance(text, str) else text
                for key, text in fields.items()
            }
            if "bits" in fields:
                fields["double_bits"] = 2 * fields["bits"]
            wants = [self._fill(child, text, fields) for text in row.strings("wants")]
            wanted = _parse_wants(tuple(wants))
            values[value_name] = Value(value_name, name, wanted, Fields(child.where, fields))
        return values

    def _fill(self, node: Node, text: str, fields: Mapping[str, Any]) -> str:
        def replace(match: re.Match[str]) -> str:
            key = match.group(1)
            if key not in fields:
                node.complain(f'"{{{key}}}" is unknown', nearest(key, fields))
                return ""
            return str(fields[key])

        return _PLACEHOLDER.sub(replace, text)

    def _row(self, node: Node) -> list[Mechanism]:
        node.only(MECHANISM_KEYS)
        if not node.has("each"):
            return [self._mechanism(node, Value("", "", (), {}))]
        return [self._mechanism(node, value) for value in self._each(node)]

    def _each(self, node: Node) -> list[Value]:
        """The values that a row is repeated for."""
        each = node.string("each")
        if each not in self.values:
            node.child("each").complain(f'"{each}" is no list', nearest(each, self.values))
            return []
        kinds = node.strings("kinds")
        return [v for v in self.values[each].values() if not kinds or v.fields["kind"] in kinds]

    def _signatures(self, node: Node) -> list[Signature]:
        node.only(SIGNATURE_KEYS)

        def texts(key: str, value: Value) -> tuple[str, ...]:
            return tuple(self._fill(node, text, value.fields) for text in node.strings(key))

        keys = SIGNATURE_KEYS[2:]
        return [Signature(v, **{key: texts(key, v) for key in keys}) for v in self._each(node)]

    def _mechanism(self, node: Node, value: Value) -> Mechanism:
        fields = value.fields
        cipher = node.string_table("cipher")
        aead = node.string_table("aead")
        wants = tuple(self._fill(node, text, fields) for text in node.strings("wants"))
        services = tuple(self._service(item, value) for item in node.items("serves"))
        symbol = value.pairs_symbol
        pairs: Wants = ((symbol,),) if symbol and _are_of_pairs(services) else ()
        return Mechanism(
            name=self._fill(node, node.string("name"), fields),
            family=node.string("family"),
            wants=_parse_wants(wants) + value.wants + pairs,
            group=self._fill(node, node.string("group", ""), fields),
            random=node.boolean("random", False),
            services=services,
            value=fields,
            iv_length=self._number(node, cipher.get("iv_length", "0"), fields),
            block_length=self._number(node, cipher.get("block_length", "0"), fields),
            nonce_length=self._number(node, aead.get("nonce_length", "0"), fields),
            secret_length=self._number(node, node.string("secret", "0"), fields),
        )

    def _number(self, node: Node, text: str, fields: Mapping[str, Any]) -> int:
        """A length or size given directly, or in a field of the value."""
        filled = self._fill(node, text, fields)
        if re.fullmatch(r"[0-9]{1,6}", filled):
            return int(filled)
        if filled:  # otherwise its field was unknown
            remedy = "write one, or {field} of a value that has one"
            node.complain(f'"{filled}" is no number', remedy)
        return 0

    def _service(self, node: Node, value: Value) -> Service:
        node.only(SERVICE_KEYS)
        for item in node.items("entry_points"):
            if item.is_a(str) and not self.table.expand(item.value):
                item.complain(
                    f'"{item.value}" is no entry point', nearest(item.value, self.table.names)
                )
        fields = value.fields
        bits: int | None = fields.get("bits")
        if node.has("bits"):
            bits = self._number(node, node.string("bits"), fields)
        keys = [self._parse(k, fields, "PSA_KEY_TYPE_") for k in node.items("keys") if k.is_a(str)]
        wants = _parse_wants(node.strings("wants"))
        if value.pairs_symbol and node.strings("keys") == (_PAIR,):
            wants += ((value.pairs_symbol,),)
        return Service(
            units=node.strings("entry_points"),
            algorithms=tuple(
                found
                for item in node.items("algorithms")
                if item.is_a(str)
                for found in self._algs(item, fields)
            ),
            keys=tuple(KeyCase(key, bits) for key in keys),
            where=node.string("where", "both"),
            optional=node.boolean("optional", False),
            wants=wants,
        )

    def _algs(self, node: Node, fields: Mapping[str, Any]) -> list[WantedAlgorithm]:
        names = [n for n in (WANTED_HASH, WANTED_HMAC) if f"{{{n}}}" in node.value]
        if not names:
            return [WantedAlgorithm(self._parse(node, fields, "PSA_ALG_"), ())]
        found = []
        for hash_value in self.values["hash"].values():
            if names[0] == WANTED_HMAC and hash_value.fields["kind"] != "hmac":
                continue
            with_hash = {**fields, names[0]: hash_value.fields["algorithm"]}
            algorithm = self._parse(node, with_hash, "PSA_ALG_")
            found.append(WantedAlgorithm(algorithm, hash_value.wants))
        return found

    def _parse(self, node: Node, fields: Mapping[str, Any], category: str) -> Expression:
        text = self._fill(node, node.value, fields)
        try:
            return self.vocabulary.parse(text, category)
        except ValueError as error:
            node.complain(f'"{text}" is not understood', str(error))
            return Expression(text)


#: The last result, behind all its sources.
_last: tuple[str, EntryPointTable, Mapping[str, int], MechanismTable] | None = None


def load_mechanisms(root: Path, table: EntryPointTable, vocabulary: Vocabulary) -> MechanismTable:
    """The table of a tree. A process that builds many things asks for the same again and again."""
    global _last  # noqa: PLW0603
    text = read_text(root / LABEL, LABEL)
    made_of = (text, table, vocabulary.arities)
    if _last is None or _last[:3] != made_of:
        _last = (*made_of, _Loader(root, table, vocabulary).load())
    return _last[3]
