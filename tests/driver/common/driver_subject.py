# SPDX-License-Identifier: Apache-2.0
"""From a driver's description to the configuration and the tables of the suite that tests it.

The configuration wants all mechanisms of the driver and chooses it for each. The tables
state its actual bindings, and count the calls of each of its functions, so another
driver in its place cannot pass.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import probes
from corral.configure.bindings import Binding, Bindings, Outcome
from corral.configure.candidates import (
    Candidates,
    could_serve,
    find_candidates,
    find_capability,
    serves_any,
)
from corral.model.board import Board, Element
from corral.model.driver import Driver
from corral.model.expression import Expression
from corral.model.mechanisms import KeyCase, Mechanism
from corral.model.tree import Tree
from harness import areas
from vectors import dh
from vectors.row import Row

#: The wants of every configuration of the suite beside the driver's own.
BASE = {
    "PSA_WANT_GENERATE_RANDOM",
    "PSA_WANT_ALG_SHA_256",
    "PSA_WANT_ALG_CBC_PKCS7",
    "PSA_WANT_KEY_TYPE_RAW_DATA",
}
ECC_BASE = {
    "PSA_WANT_KEY_TYPE_ECC_PUBLIC_KEY",
    "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_BASIC",
    "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_IMPORT",
    "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_EXPORT",
    "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE",
}
DH_BASE = {symbol.replace("_ECC_", "_DH_") for symbol in ECC_BASE}
RSA_BASE = {symbol.replace("_ECC_", "_RSA_") for symbol in ECC_BASE}
ML_KEM_BASE = {
    "PSA_WANT_ALG_ML_KEM",
    "PSA_WANT_KEY_TYPE_ML_KEM_KEY_PAIR_BASIC",
    "PSA_WANT_KEY_TYPE_ML_KEM_KEY_PAIR_IMPORT",
    "PSA_WANT_KEY_TYPE_ML_KEM_KEY_PAIR_EXPORT",
    "PSA_WANT_KEY_TYPE_ML_KEM_KEY_PAIR_GENERATE",
    "PSA_WANT_KEY_TYPE_ML_KEM_PUBLIC_KEY",
}
#: Lists of keys whose creation is tested with their use.
SEED_LISTS = ("ml_kem", "ml_dsa", "slh_dsa", "spake2p", "token")
#: Lists of keys of which a board may be given some only.
KEY_LISTS = ("curve", "dh", "rsa", "slh_dsa", "group_name")
KEY_UNITS = ("import_key", "generate_key", "export_public_key")
HKDF_BASE = {"PSA_WANT_KEY_TYPE_DERIVE", "PSA_WANT_ALG_HKDF"}
PAKE_BASE = {"PSA_WANT_KEY_TYPE_PASSWORD"} | HKDF_BASE
SPAKE2P_BASE = {
    "PSA_WANT_ALG_SPAKE2P_HMAC",
    "PSA_WANT_KEY_TYPE_SPAKE2P_PUBLIC_KEY",
    "PSA_WANT_KEY_TYPE_SPAKE2P_KEY_PAIR_IMPORT",
    "PSA_WANT_KEY_TYPE_SPAKE2P_KEY_PAIR_EXPORT",
    "PSA_WANT_KEY_TYPE_SPAKE2P_KEY_PAIR_DERIVE",
}
#: A password and its tokens; those of a curve do for all that derive any.
SAE_BASE = {
    "PSA_WANT_ALG_WPA3_SAE_FIXED",
    "PSA_WANT_ALG_WPA3_SAE_H2E",
    "PSA_WANT_KEY_TYPE_PASSWORD",
    "PSA_WANT_KEY_TYPE_WPA3_SAE_ECC",
}
#: The curve that goes with a hash.
SAE_CURVES = {"SHA_256": "SECP_R1_256", "SHA_384": "SECP_R1_384", "SHA_512": "SECP_R1_521"}
DERIVATION_BASE = {"PSA_WANT_KEY_TYPE_DERIVE", "PSA_WANT_KEY_TYPE_PASSWORD"}
_KIND = re.compile(r'^SUBJECT_KIND\((\w+), "([\w ]*)"\);$', re.M)


def kinds_of(paths: Iterable[Path]) -> dict[str, str]:
    """The kind of case that an entry point makes, as the file says that tests it."""
    found: dict[str, str] = {}
    for path in paths:
        text = path.read_text(encoding="utf-8")
        kinds = _KIND.findall(text)
        assert len(kinds) == text.count("SUBJECT_KIND("), f"{path}: a kind that is not in one line"
        for kind, units in kinds:
            for unit in units.split():
                assert unit not in found, f"{path}: {unit} makes a case of {found[unit]} already"
                found[unit] = kind
    return found


KINDS = kinds_of(sorted(Path(__file__).parent.glob("*.c")))
#: Of symmetric keys, which only elements see created.
KEEPING = {"import_key": "keep_import", "generate_key": "keep_generate"}
#: Of an element's keys from an earlier run, or from outside: each driver has its own
#: tests for them.
NOT_FROM_HERE = ("restore_key", "attach_key")
#: Of keys that have tests of their own; types with only public keys are tested by vectors.
LIST_KINDS = {
    "dh": {"key_agreement": "dh"},
    "ml_dsa": {"sign_message": "seed_sign", "sign_hash": "seed_sign"},
    "slh_dsa": {
        "sign_message": "seed_sign",
        "sign_hash": "seed_sign",
        "derive_key": "seed_derive",
    },
    "tree": {},
    "token_hash": {"key_derivation": "token"},
}
RSA_KINDS = {
    "import_key": "rsa_key",
    "generate_key": "rsa_generate",
    "generate_key_custom": "rsa_generate",
    "export_public_key": "rsa_key",
    "sign_hash": "rsa_sign",
    "verify_hash": "rsa_verify",
    "sign_message": "rsa_sign_message",
    "verify_message": "rsa_verify_message",
    "asymmetric_encrypt": "rsa_encrypt",
    "asymmetric_decrypt": "rsa_decrypt",
}
#: Orders of groups (SEC 2, RFC 5639), by the name of the curve in mechanisms; primes of others.
ORDERS = {
    "SECP_R1_192": "ffffffffffffffffffffffff99def836146bc9b1b4d22831",
    "SECP_R1_224": "ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d",
    "SECP_R1_256": "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
    "SECP_R1_384": "ffffffffffffffffffffffffffffffffffffffffffffffff"
    "c7634d81f4372ddf581a0db248b0a77aecec196accc52973",
    "SECP_R1_521": "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
    "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
    "SECP_K1_192": "fffffffffffffffffffffffe26f2fc170f69466a74defd8d",
    "SECP_K1_256": "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
    "BRAINPOOL_P_R1_256": "a9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7",
    "BRAINPOOL_P_R1_384": "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b3"
    "1f166e6cac0425a7cf3ab6af6b7fc3103b883202e9046565",
    "BRAINPOOL_P_R1_512": "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870"
    "553e5c414ca92619418661197fac10471db1d381085ddaddb58796829ca90069",
}
ORDERS.update(dh.primes())
#: A concrete algorithm where the description names a family of them.
ANY_HASH = ("PSA_ALG_ANY_HASH", "PSA_ALG_SHA_256")
#: Deterministic signatures draw their nonce by HMAC, for which libraries lack these hashes.
WITHOUT_NONCE = re.compile(
    r"PSA_ALG_DETERMINISTIC_ECDSA\(PSA_ALG_(BLAKE2\w+|SHAKE\w+|SHA_512_2\d\d|SHA_256_192)\)"
)
#: Of SLH-DSA, which takes its time: sets that are tested.
FAST_SETS = ("SLH_DSA_SHA2_F_128", "SLH_DSA_SHAKE_F_128")
#: How the names of keys end with which every calculation takes long on an emulated processor,
SLOW_KEYS = ("TWISTED_EDWARDS_448",)
#: and on any.
SLOWEST_KEYS = ("_6144", "_8192")
#: The origin of a token.
PASSWORD = "PSA_KEY_TYPE_PASSWORD"
#: Keys that a derivation takes beside its secret.
NO_SECRETS = ("PSA_KEY_TYPE_RAW_DATA", "PSA_KEY_TYPE_PEPPER", "PSA_KEY_TYPE_PASSWORD_HASH")
#: Signing a message with each hash on one curve, and on the others with one hash, is enough.
CURVE_OF_ALL_HASHES = "SECP_R1_256"


@dataclass(frozen=True)
class Subject:
    """The subject of the tests of a driver: its work on local keys, or by one of its elements.

    An element's work on its own keys and its work without a key are two: with all
    hashes in the element, operations that need one in memory are missing.
    """

    driver: Driver
    element: Element | None = None
    is_keyless: bool = False

    @property
    def holds_keys(self) -> bool:
        return self.element is not None and not self.is_keyless

    @property
    def imports_rsa(self) -> bool:
        """Whether pairs can be imported where its keys are."""
        pair = "PSA_KEY_TYPE_RSA_KEY_PAIR"
        imports = self.driver.by_unit.get("import_key", [])
        return not self.holds_keys or any(pair in map(str, c.key_types or ()) for c in imports)

    def includes(self, mechanism: Mechanism) -> bool:
        if self.is_keyless:
            return could_serve(self.driver, mechanism) is not None
        return any(
            serves_any(self.driver, service) is not None
            for service in mechanism.services
            if (service.is_opaque if self.element else service.is_local)
        )

    def bindings(self, outcome: Outcome) -> Iterator[Binding]:
        """Those of a mechanism that this driver runs here."""
        location = self.driver.name if self.holds_keys else ""
        for binding in outcome.bindings:
            capability = binding.chain[0]
            if capability.driver != self.driver.name or binding.location != location:
                continue
            if self.element is None or self.element.has(capability.devices):
                yield binding

    def key_sizes(self, key_type: Expression) -> tuple[int, ...]:
        """Of symmetric keys that go into the element; empty: any."""
        if not self.holds_keys:
            return ()
        capability = find_capability(self.driver, "import_key", None, KeyCase(key_type, None))
        return (capability.key_sizes or ()) if capability else ()

    def takes(self, tree: Tree, row: Row) -> bool:
        """Whether the key of a vector can be brought where the driver's keys are."""
        if not self.holds_keys or row.key_type == "PSA_KEY_TYPE_NONE":
            return True
        key_type = tree.vocabulary.parse(row.key_type, "PSA_KEY_TYPE_")
        bits = None if key_type.arguments else 8 * len(row.key)
        capability = find_capability(self.driver, "import_key", None, KeyCase(key_type, bits))
        return bool(capability and self.element and self.element.has(capability.devices))


def _is_within_reach(tree: Tree, candidates: Candidates, mechanism: Mechanism) -> bool:
    """Whether the mechanisms below a construction have a driver."""
    value = mechanism.value
    base = mechanism.name
    if "hash" in value:
        base = str(value["hash"])
    elif "block" in value:
        base = f"ECB_NO_PADDING_{value['block']}"
    elif mechanism.family == "encapsulation" and "curve" in value:
        base = f"ECDH_{value['curve']}"
    return bool(candidates.of(tree.mechanisms.mechanisms[base]))


def subject_mechanisms(tree: Tree, board: Board, subject: Subject) -> list[Mechanism]:
    """The mechanisms that a driver supports, at least in part."""
    candidates = find_candidates(tree, board)
    return [
        mechanism
        for mechanism in tree.mechanisms.mechanisms.values()
        if subject.includes(mechanism) and _is_within_reach(tree, candidates, mechanism)
    ]


def is_of(mechanism: Mechanism, keys: Collection[str] | None) -> bool:
    """Whether a mechanism works with one of these asymmetric keys, or with none; None: all keys."""
    found = [mechanism.value[name] for name in KEY_LISTS if name in mechanism.value]
    return keys is None or not found or found[0] in keys


def keys_for_a_pc(mechanisms: Iterable[Mechanism]) -> tuple[str, ...] | None:
    """All but those that take longer than all others together, unless there is time for them."""
    if areas.is_long():
        return None
    values = (m.value[name] for m in mechanisms for name in KEY_LISTS if name in m.value)
    return tuple(v for v in dict.fromkeys(map(str, values)) if not v.endswith(SLOWEST_KEYS))


def settings_for(
    tree: Tree, board: Board, subject: Subject, keys: Collection[str] | None = None
) -> dict[str, str]:
    """Everything that the driver can do (with these asymmetric keys), done by the driver."""
    driver = subject.driver
    candidates = find_candidates(tree, board)
    # Not all are on by default, and constructions use all that there are.
    all_here = [d for d in tree.drivers.values() if board.has(d.requires)]
    is_over_others = not driver.packages and any(c.uses for c in driver.capabilities)
    below = all_here if is_over_others else [driver]
    wants = {*BASE, *(d.enabled_by for d in below if d is driver or not d.is_opaque)}
    chosen = []
    for mechanism in subject_mechanisms(tree, board, subject):
        if not is_of(mechanism, keys):
            continue
        wants.update(_wanted_by(mechanism), _wanted_beside(mechanism))
        # Only the element runs operations with its keys; the rest of such a build does not matter.
        if driver in candidates.of(mechanism) and not subject.holds_keys:
            chosen.append(candidates.symbols_of(mechanism, driver))
    if "PSA_WANT_KEY_TYPE_AES" not in wants:
        wants.discard("PSA_WANT_ALG_CBC_PKCS7")
    return dict.fromkeys([*sorted(wants), *chosen], "y")


def _wanted_beside(mechanism: Mechanism) -> Iterator[str]:
    """The suite's needs for a mechanism: its keys' symbols, and hashes for messages."""
    ml_dsa_base = {symbol.replace("ML_KEM", "ML_DSA") for symbol in ML_KEM_BASE}
    by_value = {
        "curve": ECC_BASE,
        "dh": DH_BASE,
        "rsa": RSA_BASE,
        "ml_kem": ML_KEM_BASE,
        "ml_dsa": ml_dsa_base,
        "slh_dsa": {symbol.replace("ML_KEM", "SLH_DSA") for symbol in ML_KEM_BASE} | HKDF_BASE,
        "spake2p": SPAKE2P_BASE | PAKE_BASE,
        "token": SAE_BASE | {str(mechanism.value.get("has_public"))},
        "token_hash": SAE_BASE,
    }
    by_family = {
        "encapsulation": {"PSA_WANT_KEY_TYPE_HMAC"},
        "key_derivation": DERIVATION_BASE,
        "pake": PAKE_BASE,
    }
    for value, symbols in by_value.items():
        if value in mechanism.value:
            yield from symbols
    yield from by_family.get(mechanism.family, ())
    if "token" in mechanism.value:
        yield f"PSA_WANT_ALG_{mechanism.value['hash']}"
    if "token_hash" in mechanism.value:
        yield f"PSA_WANT_ECC_{SAE_CURVES[str(mechanism.value['token_hash'])]}"
    if mechanism.value.get("scheme") in ("LMS", "HSS"):
        yield f"PSA_WANT_ALG_SHAKE256_{mechanism.value['bits']}"
    if mechanism.name.startswith("ED448PH_"):
        yield "PSA_WANT_ALG_SHAKE256_512"


def _wanted_by(mechanism: Mechanism) -> Iterator[str]:
    for group in mechanism.wants:
        yield from group
    for service in mechanism.services:
        for group in service.wants:
            yield from group


@dataclass(frozen=True)
class Case:
    """A row of the table of the suite."""

    mechanism: str
    kind: str
    alg: str
    key_type: str
    bits: int
    can_suspend: bool
    order: str | None
    sizes: tuple[int, ...] = ()
    only_computes: bool = False

    def line(self) -> str:
        order = f'"{self.order}"' if self.order else "NULL"
        suspends = "true" if self.can_suspend else "false"
        sizes = ", ".join(map(str, self.sizes))
        sizes = f"(const size_t[]){{{sizes}}}" if sizes else "NULL"
        return (
            f'    {{"{self.mechanism}", &subject_{self.kind}, {self.alg},\n'
            f"     {self.key_type}, {self.bits}, {suspends}, {order},\n"
            f"     {sizes}, {len(self.sizes)}, {str(self.only_computes).lower()}}},\n"
        )


def _algorithm(algorithm: Expression | None) -> str:
    return "PSA_ALG_NONE" if algorithm is None else str(algorithm).replace(*ANY_HASH)


def _kind(binding: Binding) -> str | None:
    if binding.key is not None and "_RSA_" in str(binding.key.type):
        return RSA_KINDS.get(binding.unit)
    for name, kinds in LIST_KINDS.items():
        if name in binding.mechanism.value:
            return kinds.get(binding.unit)
    if binding.unit in KEY_UNITS and not binding.mechanism.value.keys().isdisjoint(SEED_LISTS):
        return None
    if binding.unit in KEEPING and binding.key and not binding.key.type.arguments:
        return KEEPING[binding.unit]
    if binding.unit == "import_key" and binding.key is not None:
        return "import_pair" if "KEY_PAIR" in str(binding.key.type) else "import_public"
    return KINDS.get(binding.unit)


def _is_same_construction(binding: Binding) -> bool:
    """A key derivation or an encryption by RSA over another hash than two, a mode over the block
    cipher of another driver that is not AES."""
    algorithm = str(binding.algorithm)
    if binding.unit in ("key_derivation", "asymmetric_encrypt", "asymmetric_decrypt"):
        hashes = ("(PSA_ALG_SHA_256)", "(PSA_ALG_SHA_512)")
        return "(PSA_ALG_" in algorithm and not any(name in algorithm for name in hashes)
    block = str(binding.mechanism.value.get("block", ""))
    return block.startswith(("ARIA", "CAMELLIA")) and bool(binding.chain[0].uses)


def _is_like_another(binding: Binding, is_brief: bool) -> bool:
    """A key that is not of 32 bytes, beyond the first group; more than one of the slow fields. In
    brief any exchange beyond the first group."""
    group = str(binding.mechanism.value["group_name"])
    if is_brief and binding.unit == "pake":
        return group != CURVE_OF_ALL_HASHES
    is_fixed = "_FIXED_" in binding.mechanism.name
    if group.startswith("RFC3526"):
        return group != "RFC3526_3072" or not is_fixed
    return "_GDH_" in binding.mechanism.name and group != CURVE_OF_ALL_HASHES


def _is_repetition(binding: Binding, is_slow: bool) -> bool:
    """Cases that equal another one, which is tested.

    Signed messages: with another hash than SHA-256 on another curve than the first, on a slow board
    on that one too; deterministic signatures are verified on another curve. Signed hashes: all but
    one, since messages are signed with the others. By trees of hashes: with another hash or without
    random numbers, with another set of parameters than the first. Exchanges: with another hash than
    SHA-256; on another curve with CMAC. On a slow board, unless there is more time: by trees of
    hashes what is hashed otherwise than with SHA-256, and exchanges on any other curve.
    """
    algorithm = str(binding.algorithm)
    is_brief = is_slow and not areas.is_long()
    is_first_curve = binding.mechanism.value.get("curve") == CURVE_OF_ALL_HASHES
    is_other_hash = "(PSA_ALG_" in algorithm and "(PSA_ALG_SHA_256)" not in algorithm
    takes_hashes = binding.unit.startswith(("sign_hash", "verify_hash"))
    is_named = is_other_hash and ANY_HASH[0] not in algorithm
    if (is_slow and _is_same_construction(binding)) or (takes_hashes and is_named):
        return True
    if "slh_dsa" in binding.mechanism.value:
        is_deterministic = algorithm.startswith("PSA_ALG_DETERMINISTIC_")
        is_hashed = takes_hashes or is_other_hash or (is_brief and "(" in algorithm)
        is_once_more = is_brief and is_hashed and (is_other_hash or is_deterministic)
        sets = FAST_SETS[: 2 - is_hashed - is_deterministic]
        return is_once_more or binding.mechanism.value["slh_dsa"] not in sets
    if "token" in binding.mechanism.value:
        return _is_like_another(binding, is_brief)
    if binding.unit == "pake":
        is_other_curve = "curve" in binding.mechanism.value and not is_first_curve
        return is_other_hash or (is_other_curve and (is_brief or "_CMAC(" in algorithm))
    if binding.unit.startswith("verify_") and algorithm.startswith("PSA_ALG_DETERMINISTIC_ECDSA("):
        return not is_first_curve or (is_slow and is_other_hash)
    return (
        binding.unit in ("sign_message", "verify_message")
        and "(" in algorithm
        and "(PSA_ALG_SHA_256)" not in algorithm
        and (is_slow or not is_first_curve)
    )


def _is_signed(binding: Binding, signed: Collection[Expression | None]) -> bool:
    """Signatures verified here were made here, and an element may sign by fewer algorithms."""
    return not binding.unit.startswith("verify_") or binding.algorithm in signed


def _is_named_too(case: Case, others: Collection[Case]) -> bool:
    """A signature of any hash as it comes, where there is one of SHA-256 with the same key."""
    named = replace(case, alg="PSA_ALG_ECDSA(PSA_ALG_SHA_256)")
    return case.alg == "PSA_ALG_ECDSA_ANY" and named in others


def _with_edges_once(found: Mapping[Case, tuple[object, ...]], is_slow: bool) -> Iterator[Case]:
    """The cases, of which those that are called alike go to the edges with their first key, on a PC
    also with the last: of keys of one type the smallest and the largest."""
    last = {way: case for case, way in found.items()}
    seen: set[tuple[object, ...]] = set()
    for case, way in found.items():
        if is_slow and _is_named_too(case, found):
            continue
        is_slow_key = is_slow and case.mechanism.endswith(SLOW_KEYS)
        is_between = way in seen and (is_slow or last[way] is not case)
        if not is_slow_key:
            seen.add(way)
        yield replace(case, only_computes=is_slow_key or is_between)


def cases(bindings: Bindings, subject: Subject, keys: Collection[str] | None = None) -> list[Case]:
    """The bindings of the driver, each case once: with these asymmetric keys, and any
    others of the configuration."""
    found: dict[Case, tuple[object, ...]] = {}  # with the functions that it calls
    is_slow = bool(bindings.configuration.board.toolchain.prefix)
    all_of_it = [b for outcome in bindings.outcomes.values() for b in subject.bindings(outcome)]
    signed = {b.algorithm for b in all_of_it if b.unit.startswith("sign_")}
    for outcome in bindings.outcomes.values():
        if not is_of(outcome.mechanism, keys):
            continue
        suspends = any(b.unit == "hash_suspend" for b in outcome.local) or any(
            c.suspend for b in outcome.local for c in b.chain[:1]
        )
        for binding in subject.bindings(outcome):
            kind = _kind(binding)
            if kind is None or (subject.holds_keys and not _is_signed(binding, signed)):
                continue
            if WITHOUT_NONCE.match(str(binding.algorithm)) or _is_repetition(binding, is_slow):
                continue
            if kind == "derivation" and binding.key and str(binding.key.type) in NO_SECRETS:
                continue
            if kind == "token" and str(binding.key and binding.key.type) != PASSWORD:
                continue
            bits = binding.key.bits if binding.key and binding.key.bits else 0
            key_type = str(binding.key.type) if binding.key else "PSA_KEY_TYPE_NONE"
            value = outcome.mechanism.value
            curve = str(value.get("curve", value.get("dh", "")))
            case = Case(outcome.mechanism.name, kind, _algorithm(binding.algorithm), key_type, bits,
                        suspends, ORDERS.get(curve),
                        subject.key_sizes(binding.key.type)
                        if binding.key and binding.key.bits is None else ())  # fmt: skip
            # Curves of another family are other glue, in the same functions.
            names = (binding.algorithm and binding.algorithm.name, key_type)
            found[case] = (kind, *names, *_functions_of(bindings, binding))
    if subject.element or areas.is_long():
        return list(found)
    return list(_with_edges_once(found, is_slow))


def bound(bindings: Bindings, subject: Subject, keys: Collection[str] | None = None) -> set[str]:
    """The mechanisms of these asymmetric keys that the driver runs in this build, at
    least in part."""
    return {
        outcome.mechanism.name
        for outcome in bindings.outcomes.values()
        if is_of(outcome.mechanism, keys) and any(subject.bindings(outcome))
    }


def _functions_of(bindings: Bindings, binding: Binding) -> list[str]:
    """The driver's functions that a binding has called."""
    table, capability = bindings.configuration.tree.entry_points, binding.chain[0]
    names = [r.name for r in table.rows.values() if r.part_of == binding.unit] or [binding.unit]
    return [capability.function(name).name for name in names if name in capability.entry_points]


def functions(bindings: Bindings, subject: Subject, has_frames: bool = True) -> list[str]:
    """The C functions of the driver that this build's dispatch calls.

    Without frames.h, where secrets are looked for, not those of keys that are all public.
    """
    generated = bindings.configuration.build_dir / "gen"
    dispatch = "".join(path.read_text() for path in generated.rglob("dispatch/*.h"))
    called = set(re.findall(r"\w+(?=\()", dispatch))
    found: dict[str, None] = {}
    served = [
        binding
        for outcome, binding in bindings.all()
        if not subject.driver.is_opaque
        or (binding in subject.bindings(outcome) and binding.unit not in NOT_FROM_HERE)
    ]
    for binding in served:
        if binding.chain[0].driver != subject.driver.name:
            continue
        if not has_frames and "tree" in binding.mechanism.value:
            continue
        of_binding = _functions_of(bindings, binding)
        found.update(dict.fromkeys(name for name in of_binding if name in called))
    return list(found)


def write_tables(
    bindings: Bindings,
    subject: Subject,
    header: Path,
    output: Path,
    processor: str,
    has_frames: bool = True,
    keys: Collection[str] | None = None,
    has_residue_run: bool = False,
) -> list[Case]:
    """Write the C file that subject.h describes. Returns the cases in it.

    With `has_frames` calls of the driver on a board also go through what frames.h describes.
    """
    driver = subject.driver
    location = subject.element.location if subject.element else 0
    rows = cases(bindings, subject, keys)
    kinds = dict.fromkeys(row.kind for row in rows)
    names = functions(bindings, subject, has_frames)
    found = probes.wipers(driver) if has_frames and processor == "thumb" else []
    output.write_text(
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        f"/* What {driver.name} serves in this build. Generated. */\n"
        f'#include "{header}"\n'
        f'#include "{header.parent / "frames.h"}"\n\n'
        + "".join(f"extern const struct subject_kind subject_{kind};\n" for kind in kinds)
        + "\nconst struct subject_row subject_rows[] = {\n"
        + "".join(case.line() for case in rows)
        + "};\n"
        f"const size_t subject_row_count = {len(rows)};\n"
        f"const psa_key_location_t subject_location = {location:#x};\n"
        f"const bool subject_imports_rsa = {str(subject.imports_rsa).lower()};\n"
        f"const bool subject_has_residue_run = {str(has_residue_run).lower()};\n\n"
        "const char *const subject_functions[] = {\n"
        + "".join(f'    "{name}",\n' for name in names)
        + "};\n"
        f"const size_t subject_function_count = {len(names)};\n"
        f"uint32_t subject_hits[{len(names)}];\n\n" + probes.write(names, found, processor),
        encoding="ascii",
    )
    return rows


#: The functions of the heap for frames.h.
HEAP = ("malloc", "calloc", "free")


def wrap_flags(
    bindings: Bindings, subject: Subject, processor: str, has_frames: bool = True
) -> list[str]:
    """Linker options that lead dispatch, and the driver's wipers, through the probes."""
    names = functions(bindings, subject, has_frames)
    if has_frames and processor == "thumb":
        names += HEAP
        if found := probes.wipers(subject.driver):
            names += [*found, "corral_random"]
    return [f"-Wl,--wrap={name}" for name in names]
