# SPDX-License-Identifier: Apache-2.0
"""The correct dispatch, computed from the bindings: the first binding that covers a case.

The generated code leaves out comparisons that tell nothing apart in its configuration. This looks
at every case that can occur, with every algorithm there is, and compares by brute force.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from corral.configure.bindings import LOCAL, Binding
from corral.generate.build import Build
from corral.generate.key import Key, is_pair, is_public
from corral.model.expression import Expression, name
from trees import Built, run_calls

# Values that are no algorithm of an operation, or one that no configuration wants.
ODD_ALGORITHMS = (
    "PSA_ALG_NONE",
    "PSA_ALG_ECDSA_ANY",
    "PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_NONE)",
    "PSA_ALG_ECDSA(PSA_ALG_SHA_224)",
    "PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_384)",
    "PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256)",
    "PSA_ALG_GCM",
    "(psa_algorithm_t)0xffffffff",
)
ODD_TYPES = ("PSA_KEY_TYPE_NONE", "PSA_KEY_TYPE_RSA_KEY_PAIR", "(psa_key_type_t)0x5112")
SUPPORTED = 0
DRAW = 3000
NOT_SUPPORTED = -134

KEY = "&k, in, 32"
OUT = "out, sizeof out, &length"
SIGNATURE = "in, 32, in, 64"
CALLS = {
    "hash_compute": f"corral_dispatch_hash_compute(%s, in, 32, {OUT})",
    "mac_compute": f"corral_dispatch_mac_compute({KEY}, %s, in, 32, {OUT})",
    "mac_verify": f"corral_dispatch_mac_verify({KEY}, %s, {SIGNATURE})",
    "cipher_encrypt": f"corral_dispatch_cipher_encrypt({KEY}, %s, in, 0, in, 32, {OUT})",
    "cipher_decrypt": f"corral_dispatch_cipher_decrypt({KEY}, %s, in, 0, in, 32, {OUT})",
    "sign_hash": f"corral_dispatch_sign_hash({KEY}, %s, in, 32, {OUT})",
    "verify_hash": f"corral_dispatch_verify_hash({KEY}, %s, {SIGNATURE})",
    "sign_message": f"corral_dispatch_sign_message({KEY}, %s, in, 32, {OUT})",
    "verify_message": f"corral_dispatch_verify_message({KEY}, %s, {SIGNATURE})",
    "key_agreement": f"corral_dispatch_key_agreement(%s, {KEY}, in, 32, {OUT})",
    "import_key": f"corral_dispatch_import_key(&k, in, 0, {OUT}, &length)",
    "generate_key": f"corral_dispatch_generate_key(&k, {OUT})",
    "export_public_key": f"corral_dispatch_export_public_key({KEY}, {OUT})",
    "export_key": f"corral_dispatch_export_key({KEY}, {OUT})",
    "copy_key": f"corral_dispatch_copy_key({KEY}, {OUT})",
    "destroy_key": f"corral_dispatch_destroy_key({KEY})",
    "allocate_key": "corral_dispatch_allocate_key(&k, out, sizeof out)",
    "restore_key": "corral_dispatch_restore_key(&k, out, sizeof out)",
    "attach_key": f"corral_dispatch_attach_key(&k, in, 1, {OUT})",
}
SETUP = {
    "hash_multipart": "hash_setup",
    "mac_multipart": "mac_setup",
    "cipher_multipart": "cipher_encrypt_setup",
}
IN_PARTS = {
    "hash_compute": "hash_multipart",
    "mac_compute": "mac_multipart",
    "cipher_encrypt": "cipher_multipart",
    "cipher_decrypt": "cipher_multipart",
}
FROM_NOTHING = ("import_key", "generate_key", "allocate_key", "attach_key")
GUARDS = {
    "mac": "corral_mac_length(%s, k.type)",
    "cipher": "corral_cipher_block_length(k.type, %s)",
}


#: The subject of a question, in C: `a` is the algorithm, `k` are the attributes.
EXPRESSIONS = {
    **{unit: call.replace("%s", "a") for unit, call in CALLS.items()},
    **{f"guard {family}": f"{call.replace('%s', 'a')} != 0" for family, call in GUARDS.items()},
}


@dataclass(frozen=True)
class Question:
    """One call of dispatch, and the function that it must reach first; empty: none."""

    call: str  # of EXPRESSIONS
    algorithm: str
    key: Key
    location: str
    expected: str


@dataclass
class Bindings:
    """The bindings of a build; those that cover an algorithm are looked for once."""

    build: Build
    _covering: dict[tuple[str, str, str], list[Binding]] = field(default_factory=dict)
    _guarded: dict[tuple[str, str], set[str]] = field(default_factory=dict)

    def covering(self, unit: str, place: str, algorithm: str) -> list[Binding]:
        """A specific binding before a general one, as a reader of the descriptions would."""
        found = self._covering.get((unit, place, algorithm))
        if found is None:
            bindings = self.build.of_unit(unit, place)
            found = [b for b in bindings if _covers_algorithm(b, algorithm)]
            if unit.startswith("cipher"):
                found = [b for b in found if self.build.is_wanted(b)]
            found.sort(key=lambda b: b.algorithm is not None and b.algorithm.is_pattern)
            self._covering[unit, place, algorithm] = found
        return found

    def guarded(self, family: str, algorithm: str) -> set[str]:
        """The types of keys with which a driver supports exactly this algorithm of a family."""
        found = self._guarded.get((family, algorithm))
        if found is None:
            units = [u for u in CALLS if u.startswith(family)] + [f"{family}_multipart"]
            bindings = [b for u in units for b in self.build.of_unit(u)]
            bindings = [b for b in bindings if family != "cipher" or self.build.is_wanted(b)]
            wanted = _parsed(algorithm)
            found = {str(b.key.type) for b in bindings if b.key and b.algorithm == wanted}
            self._guarded[family, algorithm] = found
        return found


def _algorithms(build: Build) -> list[str]:
    """Every algorithm of every mechanism, hashes filled in, and some that are none."""
    hashes = [f"PSA_ALG_{name}" for name in ("MD5", "SHA_1", "SHA_256", "SHA_512", "SHA3_256")]
    found: dict[str, None] = {}
    for mechanism in build.tree.mechanisms.mechanisms.values():
        for service in mechanism.services:
            for wanted in service.algorithms:
                text = str(wanted.algorithm)
                for inner in hashes if wanted.algorithm.is_pattern else [""]:
                    found[text.replace("PSA_ALG_ANY_HASH", inner)] = None
    return [*found, *ODD_ALGORITHMS]


def _covers_algorithm(binding: Binding, algorithm: str) -> bool:
    if binding.algorithm is None:
        return True
    inner = algorithm.startswith(("(psa", "PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_NONE"))
    return not inner and binding.algorithm.matches(name(algorithm))


def _covers_key(binding: Binding, key: Key | None) -> bool:
    if binding.key is None or key is None:
        return True
    if str(binding.key.type) != key.type:
        return False
    if binding.key.bits is None:
        return binding.sizes is None or key.bits in binding.sizes
    return binding.key.bits == key.bits


def _first(
    bindings: Bindings, unit: str, place: str, algorithm: str, key: Key | None
) -> Binding | None:
    candidates = bindings.covering(unit, place, algorithm)
    return next((b for b in candidates if _covers_key(b, key)), None)


def _expected(bindings: Bindings, unit: str, place: str, algorithm: str, key: Key | None) -> str:
    binding = _first(bindings, unit, place, algorithm, key)
    entry_point = unit
    if binding is None and unit in IN_PARTS:
        binding = _first(bindings, IN_PARTS[unit], place, algorithm, key)
        entry_point = SETUP[IN_PARTS[unit]]
        if unit == "cipher_decrypt":
            entry_point = "cipher_decrypt_setup"
    return binding.chain[0].function(entry_point).name if binding else ""


def _is_asked(bindings: Bindings, unit: str, place: str, algorithm: str, key: Key) -> bool:
    """Tests the conditions that the core checks before a call, as the generated headers promise."""
    if unit in ("sign_hash", "sign_message", "key_agreement"):
        return is_pair(key)
    if unit.startswith("verify"):
        return is_public(key) or (place != LOCAL and is_pair(key))
    if unit == "export_public_key":
        return is_pair(key) or (place != LOCAL and is_public(key))
    family = unit.partition("_")[0]
    if family in GUARDS:
        return key.type in bindings.guarded(family, algorithm)
    return True


def _parsed(algorithm: str) -> Expression | None:
    return None if algorithm.startswith("(") else name(algorithm)


def _keys(build: Build, unit: str, place: str) -> Iterator[Key]:
    """Keys that can exist at a place; for creation every type with every size."""
    existing = build.local_keys if place == LOCAL else build.element_keys(place)
    if unit not in FROM_NOTHING:
        for key in sorted(existing, key=str):
            for bits in [key.bits] if key.bits else (key.sizes or (8, 128, 512)):
                yield Key(key.type, bits)
        return
    types = {str(b.key.type) for b in build.of_unit(unit) if b.key} | {
        key.type for key in build.local_keys
    }
    for key_type in sorted(types.union(ODD_TYPES)):
        for bits in (8, 128, 192, 255, 256, 384, 521):
            yield Key(key_type, bits)


def questions(build: Build) -> Iterator[Question]:
    bindings = Bindings(build)
    places = {LOCAL: "0", **{d.name: "" for d in build.element_drivers}}
    for element in build.elements:
        places[element.driver] = element.macro
    algorithms = _algorithms(build)
    for algorithm in algorithms:
        expected = _expected(bindings, "hash_compute", LOCAL, algorithm, None)
        yield Question("hash_compute", algorithm, Key("PSA_KEY_TYPE_NONE", 0), "0", expected)
    for place, location in places.items():
        for unit, call in CALLS.items():
            if unit == "hash_compute":
                continue
            for key in _keys(build, unit, place):
                for algorithm in algorithms if "%s" in call else ["PSA_ALG_NONE"]:
                    yield from _ask(bindings, unit, place, location, key, algorithm)


def _ask(
    bindings: Bindings, unit: str, place: str, location: str, key: Key, algorithm: str
) -> Iterator[Question]:
    family = unit.partition("_")[0]
    asked = _is_asked(bindings, unit, place, algorithm, key)
    if family in GUARDS:
        # The guard itself is asked, too: it must know exactly what is served somewhere.
        yield Question(f"guard {family}", algorithm, key, location, str(int(asked)))
    if asked:
        expected = _expected(bindings, unit, place, algorithm, key)
        yield Question(unit, algorithm, key, location, expected)


def _table(c_type: str, variable: str, values: Iterable[str]) -> tuple[str, dict[str, int]]:
    """A C array of different values, and where each of them is."""
    places = {value: i for i, value in enumerate(dict.fromkeys(values))}
    lines = "".join(f"    {value},\n" for value in places)
    return f"static const {c_type} {variable}[] = {{\n{lines}}};\n", places


def _code(asked: Sequence[Question]) -> str:
    """The questions as a table, and the function that asks one of them."""
    types, type_at = _table("psa_key_type_t", "types", (q.key.type for q in asked))
    places, place_at = _table("psa_key_location_t", "places", (q.location for q in asked))
    algorithms, algorithm_at = _table("psa_algorithm_t", "algorithms", (q.algorithm for q in asked))
    calls = list(EXPRESSIONS)
    rows = "".join(
        f"    {{{calls.index(q.call)}, {type_at[q.key.type]}, {q.key.bits}, "
        f"{place_at[q.location]}, {algorithm_at[q.algorithm]}}},\n"
        for q in asked
    )
    used = {q.call for q in asked}
    cases = "".join(
        f"    case {i}:\n        return {EXPRESSIONS[call]};\n"
        for i, call in enumerate(calls)
        if call in used
    )
    return f"""
{types}{places}{algorithms}
static const struct question {{
    uint16_t call, type, bits, place, algorithm;
}} questions[] = {{
{rows}}};

static long ask(const struct question *question)
{{
    const psa_algorithm_t a = algorithms[question->algorithm];
    psa_key_attributes_t k = key(types[question->type], question->bits, places[question->place]);

    (void)a;
    switch (question->call) {{
{cases}    default:
        abort();
    }}
}}
"""


def check_dispatch(built: Built, dice: random.Random | None = None) -> int:
    """Ask all questions of the generated code, or a draw of them; how many there were."""
    asked = list(questions(Build(built.bindings)))
    if dice is not None and len(asked) > DRAW:
        asked = dice.sample(asked, DRAW)
    body = f"for (size_t i = 0; i < {len(asked)}; i++) {{ say(ask(&questions[i])); }}"
    answers = run_calls(built, body, extra=_code(asked))
    assert len(answers) == len(asked)
    for question, answer in zip(asked, answers, strict=True):
        calls, _, status = answer.rpartition("= ")
        if question.expected in ("0", "1"):
            assert (calls, status) == ("", question.expected), question
        elif question.expected:
            assert calls.split()[0] == question.expected, (question, answer)
            assert int(status) == SUPPORTED, (question, answer)
        else:
            assert (calls, int(status)) == ("", NOT_SUPPORTED), (question, answer)
    return len(asked)
