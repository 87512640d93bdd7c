# SPDX-License-Identifier: Apache-2.0
"""Claims about the core for all inputs, proved by a model checker; and tests that the
proofs can fail.

README.md lists the bounds, and the parts without proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from proofs import cbmc
from proofs.cbmc import HERE, Proof

VOLATILE = (("CORRAL_PERSISTENT_KEYS", "n"),)

IN_CLEAR = (("CORRAL_SEALED_STORAGE", "n"),)

BEHIND_WALL = (
    ("CORRAL_THREADS", "n"),
    ("CORRAL_WALL", "y"),
    ("CORRAL_WALL_BUFFER_SIZE", "200"),  # no number of blocks
    ("CORRAL_WALL_OPERATIONS", "3"),
)

PROOFS = {
    proof.title: proof
    for proof in (
        Proof("slots", ("tests/proofs/locks.c",), settings=VOLATILE, wrapping=("publish",)),
        Proof("policy", ("core/keys/policy.c",), app="proofs/policies"),
        Proof(
            "keys",
            (
                "tests/proofs/locks.c",
                *(
                    f"core/keys/{name}.c"
                    for name in ("create", "destroy", "copy", "export", "attach", "attributes")
                ),
                "core/common/output.c",
            ),
            settings=VOLATILE,
            wrapping=("import", "generate", "attach", "copy"),
        ),
        Proof("persistent", ("tests/proofs/locks.c",)),
        Proof(
            "record",
            ("storage/record.c",),
            unwind=33,
            unwindset=("corral_is_erased.1:5", "corral_record_check.0:5", "corral_has_mark.0:76"),
            wrapping=("write", "page"),
        ),
        Proof("operations", settings=BEHIND_WALL, unwind=4, wrapping=("close",)),
        Proof("crossing", settings=BEHIND_WALL, unwind=4),
        Proof("message", settings=BEHIND_WALL, unwind=4),
        Proof("key_record", unwind=114, wrapping=("write_and_read",)),
        Proof(
            "key_record",
            variant="in clear",
            settings=IN_CLEAR,
            unwind=114,
            wrapping=("write_and_read",),
        ),
    )
}
#: A proof is one run of the model checker, so processes may share them out.
CASES = [
    pytest.param(
        title,
        function,
        marks=pytest.mark.xdist_group(f"proof-{title}-{function}".replace(" ", "-")),
    )
    for title, proof in PROOFS.items()
    for function in proof.functions()
]


@dataclass(frozen=True)
class Mutant:
    """A mistake in the code, and the proof that finds it by a claim of this text."""

    proof: str
    function: str
    source: str
    old: str
    new: str
    claim: str
    also: tuple[str, str] = ("", "")  # a further change there


MUTANTS = {
    "generation that stays": Mutant(
        "slots",
        "publish",
        "core/keys/pool.c",
        "    generation++;\n",
        "",
        "it bears the next generation",
    ),
    "number that comes round": Mutant(
        "slots",
        "publish",
        "core/keys/pool.c",
        "    rounds += generation == 0 ? 1 : 0;\n",
        "",
        "number and generation count creations",
    ),
    "operation that goes on with another key": Mutant(
        "slots",
        "hold_again",
        "core/keys/hold.c",
        "if (status == PSA_SUCCESS && !is_same(&(*key)->number, &bound->number)) {",
        "if (false) {",
        "an operation goes on with its own key alone",
    ),
    "stale identifier that is found": Mutant(
        "slots",
        "hold",
        "core/keys/pool.h",
        "key != NULL && key->attributes.id == id &&",
        "key != NULL &&",
        "who is there is found",
    ),
    "identifier that leads elsewhere": Mutant(
        "slots",
        "encoding",
        "core/keys/pool.h",
        "#define CORRAL_INDEX_MASK 0xfffu",
        "#define CORRAL_INDEX_MASK 0xffeu",
        "an identifier leads to its slot",
    ),
    "hold in spite of the policy": Mutant(
        "slots",
        "hold",
        "core/keys/hold.c",
        "status == PSA_SUCCESS) {\n            status = corral_key_count_hold(found);",
        "true) {\n            (void)corral_key_count_hold(found);",
        "holds change by the step",
    ),
    "destroyed key that is still found": Mutant(
        "slots",
        "withdraw",
        "core/keys/hold.c",
        "        (*key)->state = CORRAL_KEY_RESERVED;\n",
        "",
        "it is held and reserved",
    ),
    "slot freed while it is held": Mutant(
        "slots",
        "free_held",
        "core/keys/hold.c",
        "if (!CORRAL_COUNT_HOLDS) {\n        corral_key_free(key);",
        "if (CORRAL_COUNT_HOLDS) {\n        corral_key_free(key);",
        "it stays for those who still hold it",
    ),
    "shorter MAC than the policy asks for": Mutant(
        "policy",
        "covers",
        "core/keys/policy.c",
        "(mac_length(alg) == 0 || mac_length(alg) >= bound)",
        "(mac_length(alg) == 0 || mac_length(alg) + 1 >= bound)",
        "what is specified is permitted",
    ),
    "MAC by a bound that none of its kind reaches": Mutant(
        "policy",
        "covers",
        "core/keys/policy.c",
        "bound != 0 && (full == 0 || full >= bound) &&",
        "bound != 0 &&",
        "what is specified is permitted",
    ),
    "deterministic signing by a randomised policy": Mutant(
        "policy",
        "covers",
        "core/keys/policy.c",
        "if (CORRAL_HAS_ALIKE && (usage & ~USAGE_VERIFY) == 0) {",
        "if (CORRAL_HAS_ALIKE) {",
        "what is specified is permitted",
    ),
    "copy with the weaker of two bounds": Mutant(
        "policy",
        "intersection",
        "core/keys/policy.c",
        "(mac_length(a) != 0 && mac_length(a) < mac_length(b)) ? b : a;",
        "(mac_length(a) != 0 && mac_length(a) < mac_length(b)) ? a : b;",
        "a copy permits no more than either policy",
    ),
    "hold that is not given back": Mutant(
        "keys",
        "use",
        "core/keys/export.c",
        "                 : PSA_ERROR_INVALID_ARGUMENT;\n    corral_key_release(slot);\n",
        "                 : PSA_ERROR_INVALID_ARGUMENT;\n",
        "nothing is held when a call returns",
    ),
    "slot that a failed creation keeps": Mutant(
        "keys",
        "generate",
        "core/keys/create.c",
        "        corral_key_free(key);\n",
        "",
        "slots in use are those of keys",
    ),
    "attached key that is refused and not let go": Mutant(
        "keys",
        "attach",
        "core/keys/attach.c",
        "        (void)corral_dispatch_destroy_key(&found, corral_key_data(key), length);\n",
        "",
        "a failure leaves no key in the element",
    ),
    "loaded key that is published without a hold": Mutant(
        "persistent",
        "hold",
        "core/keys/persistent.c",
        "    key->holds = holds;\n",
        "",
        "what is held is what was asked for",
    ),
    "number that is not loaded": Mutant(
        "persistent",
        "hold",
        "core/keys/persistent.c",
        "        (*key)->number = record.number;\n",
        "",
        "a key comes back with its number",
    ),
    "loaded number that may be given again": Mutant(
        "persistent",
        "hold",
        "core/keys/persistent.c",
        "    newest = key->number.words[0] > newest ? key->number.words[0] : newest;\n",
        "",
        "the slots are sound again, and no key is in two of them",
    ),
    "copy in a slot that outlives its destroyed key": Mutant(
        "persistent",
        "destroy",
        "core/keys/persistent.c",
        "    if (status == PSA_SUCCESS) {\n        drop(id);\n",
        "    if (status == PSA_SUCCESS) {\n",
        "a key that was destroyed is in no slot",
    ),
    "key that is stored before others may load it": Mutant(
        "persistent",
        "create",
        "core/keys/persistent.c",
        "    corral_lock_enter(CORRAL_LOCK_PERSISTENT);\n"
        "    psa_status_t status = corral_key_record_write(key, CORRAL_STAGE_READY);\n",
        "    psa_status_t status = corral_key_record_write(key, CORRAL_STAGE_READY);\n"
        "    corral_lock_enter(CORRAL_LOCK_PERSISTENT);\n",
        "records are touched under their lock",
    ),
    "record that leaves its page": Mutant(
        "record",
        "read",
        "storage/record.c",
        "        record->next > end) {",
        "        false) {",
        "an access stays where it belongs",
    ),
    "header that is read over the end of a page": Mutant(
        "record",
        "read",
        "storage/record.c",
        " || end - at < corral_record_size(0)) {",
        ") {",
        "an access stays where it belongs",
    ),
    "last unit written beyond the data": Mutant(
        "record",
        "write",
        "storage/record.c",
        "status = corral_port_flash_write(at + (uint32_t)whole, last, unit);",
        "status = corral_port_flash_write(at + (uint32_t)size, last, unit);",
        "writes are of whole units",
    ),
    "record longer than the buffer for it": Mutant(
        "key_record",
        "read",
        "core/keys/record.c",
        "if (size < DATA_AT || size > RECORD_SIZE || bytes[0] != VERSION ||",
        "if (size < DATA_AT || bytes[0] != VERSION ||",
        "opened in place",
    ),
    "number that is not stored": Mutant(
        "key_record",
        "write_and_read",
        "core/keys/record.c",
        "    corral_put(bytes + 26, number->words[0], 4);\n",
        "",
        "the number is read back",
    ),
    "key longer than its record": Mutant(
        "key_record in clear",
        "read",
        "core/keys/record.c",
        "if (size - DATA_AT != (size_t)record->length + record->public_length) {",
        "if (size - DATA_AT < (size_t)record->length) {",
        "and is all that was stored",
    ),
    "key longer than any slot of its pool": Mutant(
        "key_record in clear",
        "read",
        "core/keys/record.c",
        "return record->length > 0 && size <= corral_key_capacity(attributes) &&",
        "return record->length > 0 &&",
        "it fits into a slot of its pool",
    ),
    "key of another length than its type has": Mutant(
        "key_record in clear",
        "read",
        "core/keys/record.c",
        "corral_key_fits(attributes, data, record->length) &&",
        "",
        "its length is the one of its type and size",
    ),
    "operation of somebody else": Mutant(
        "operations",
        "open",
        "wall/trusted/operations.c",
        "        table[index].owner != corral_owner || table[index].kind != kind) {",
        "        table[index].kind != kind) {",
        "it is the client's own",
    ),
    "handle that comes again": Mutant(
        "operations",
        "close",
        "wall/trusted/operations.c",
        "        begun += 1u << INDEX_BITS;\n",
        "",
        "a new one has the next number",
    ),
    "others' operations that are aborted": Mutant(
        "operations",
        "forget",
        "wall/trusted/operations.c",
        "if (table[i].handle != 0 && table[i].owner == corral_owner) {",
        "if (table[i].handle != 0) {",
        "its own is aborted",
    ),
    "input that is longer than its room": Mutant(
        "crossing",
        "input",
        "wall/trusted/serve.c",
        "    if (length > room_of(exchange)) {\n",
        "    if (false) {\n",
        "a copy stays in the wall's memory",
    ),
    "input that the function has where the client changes it": Mutant(
        "crossing",
        "input",
        "wall/trusted/serve.c",
        "    input->data = here;\n",
        "",
        "the function gets the copy",
    ),
    "input of no bytes that is copied": Mutant(
        "crossing",
        "input",
        "wall/trusted/serve.c",
        "if (length > 0 && !corral_wall_fetch(",
        "if (!corral_wall_fetch(",
        "never asked about 0 bytes",
    ),
    "output of no bytes that is asked about": Mutant(
        "crossing",
        "room",
        "wall/trusted/serve.c",
        "    if (!CORRAL_USUALLY(size > 0)) {\n        return PSA_SUCCESS;\n    }\n",
        "",
        "never asked about 0 bytes",
    ),
    "output of no bytes that is written": Mutant(
        "crossing",
        "output",
        "wall/trusted/serve.c",
        "    if (length > 0 &&\n        !corral_wall_deliver(",
        "    if (!corral_wall_deliver(",
        "never asked about 0 bytes",
    ),
    "output that nobody asked about": Mutant(
        "crossing",
        "room",
        "wall/trusted/serve.c",
        "    if (!corral_wall_accepts(exchange->client, data, size)) {",
        "    if (false) {",
        "room is of an output that the client may write",
    ),
    "room beyond the end": Mutant(
        "crossing",
        "room",
        "wall/trusted/serve.c",
        "        output->size = room;\n",
        "",
        "the function writes the wall's memory",
    ),
    "length that nobody looks at": Mutant(
        "crossing",
        "output",
        "wall/trusted/serve.c",
        "    if (length > output->size) {",
        "    if (false) {",
        "no more is written than was asked about",
    ),
    "output of a failure as it was left": Mutant(
        "crossing",
        "output",
        "wall/trusted/serve.c",
        "    corral_wipe(output->data, output->size);\n",
        "",
        "an output of a function that failed is zeros",
    ),
    "call during a call": Mutant(
        "crossing",
        "refused",
        "wall/trusted/serve.c",
        "    if (is_busy) {",
        "    if (false) {",
        "nothing of a refused call is looked at",
    ),
    "message that is copied twice": Mutant(
        "message",
        "short",
        "wall/trusted/serve.c",
        "    if (!corral_wall_fetch_call(client, &call, message) ||",
        "    if (!corral_wall_fetch_call(client, &call, message) ||\n"
        "        !corral_wall_fetch_call(client, &call, message) ||",
        "the message is copied first, once",
    ),
    "function that lacks its last input": Mutant(
        "message",
        "long",
        "wall/trusted/serve.c",
        "i < shape.inputs && status == PSA_SUCCESS",
        "i + 1u < shape.inputs && status == PSA_SUCCESS",
        "it is called when all inputs are copied",
    ),
    "output that is written before there is one": Mutant(
        "message",
        "short",
        "wall/trusted/serve.c",
        "!corral_wall_accepts(exchange->client, data, size)",
        "!corral_wall_deliver(exchange->client, data, here, size)",
        "nothing is written before the function has returned",
    ),
    "lengths of what was not written": Mutant(
        "message",
        "short",
        "wall/trusted/serve.c",
        "        clear_lengths(call);\n",
        "",
        "no length is more than what the client offers",
    ),
    "memory that keeps what was in a call": Mutant(
        "message",
        "short",
        "wall/trusted/serve.c",
        "    corral_wipe_blocks(memory, memory + IN_BLOCKS((size_t)(exchange.free - memory)));\n",
        "",
        "what a call used is wiped before its reply",
    ),
    "memory whose last block is not wiped": Mutant(
        "message",
        "short",
        "wall/trusted/serve.c",
        "(((size) + CORRAL_BLOCK - 1u) / CORRAL_BLOCK",
        "((size) / CORRAL_BLOCK",
        "what a call used is wiped before its reply",
    ),
    "memory that is wiped beyond its end": Mutant(
        "message",
        "short",
        "wall/trusted/serve.c",
        "memory[IN_BLOCKS(CORRAL_WALL_BUFFER_SIZE)]",
        "memory[CORRAL_WALL_BUFFER_SIZE]",
        "what a call has is in the wall's memory, all of it",
    ),
    "output that the function has not": Mutant(
        "message",
        "short",
        "wall/trusted/serve.c",
        "        call->outputs[0].size = 0;\n",
        "",
        "what is written is an output of the message",
    ),
    "memory that is wiped before it is used": Mutant(
        "message",
        "short",
        "wall/trusted/serve.c",
        "    corral_wipe_blocks(memory, memory + IN_BLOCKS((size_t)(exchange.free - memory)));\n",
        "",
        "what a call used is wiped before its reply",
        also=(
            "    psa_status_t passed =\n        is_short ?",
            "    corral_wipe(memory, sizeof memory);\n"
            "    psa_status_t passed =\n        is_short ?",
        ),
    ),
    "output that is wiped before it is written": Mutant(
        "message",
        "short",
        "wall/trusted/serve.c",
        "        corral_owner = 0;\n        if (!",
        "        corral_owner = 0;\n        corral_wipe(memory, sizeof memory);\n        if (!",
        "what is written of a success is not wiped yet",
    ),
    "output that is not written": Mutant(
        "message",
        "long",
        "wall/trusted/serve.c",
        "i < shape.outputs && given == PSA_SUCCESS",
        "i + 1u < shape.outputs && given == PSA_SUCCESS",
        "an output with a length was delivered",
    ),
    "call after which nobody is let in": Mutant(
        "message",
        "short",
        "wall/trusted/serve.c",
        "serve(client, message);\n    leave();\n",
        "serve(client, message);\n",
        "each way out lets the next call in",
    ),
    "buffer that is longer than its region": Mutant(
        "operations",
        "region",
        "wall/region.h",
        "return length <= region->size && at >= region->begin &&",
        "return at >= region->begin &&",
        "each byte is in the region",
    ),
}


@pytest.mark.parametrize(("name", "function"), CASES)
def test_proof(name: str, function: str) -> None:
    outcome = PROOFS[name].run(function)
    assert outcome.holds, outcome.text()


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.xdist_group(f"mistake-{n}")) for n in MUTANTS]
)
def test_mistake_is_found(name: str, tmp_path: Path) -> None:
    mutant = MUTANTS[name]
    changes = dict(change for change in ((mutant.old, mutant.new), mutant.also) if change[0])
    tree = cbmc.broken(tmp_path, mutant.source, changes)
    outcome = PROOFS[mutant.proof].run_claim(mutant.function, mutant.claim, tree)
    assert any(mutant.claim in failure for failure in outcome.failures), outcome.text()


def test_every_file_of_proofs_is_run_and_shown_to_fail() -> None:
    files = {path.stem for path in HERE.glob("*.c") if "\nvoid prove_" in path.read_text()}
    assert files == {proof.name for proof in PROOFS.values()}
    assert files == {PROOFS[mutant.proof].name for mutant in MUTANTS.values()}


def test_function_without_body_is_no_proof() -> None:
    output = "**** WARNING: no body for function psa_x\nVERIFICATION SUCCESSFUL\n"
    assert cbmc.judge(output, 0).failures == ("psa_x has no body",)
    assert not cbmc.judge(output, 0).holds
    assert cbmc.judge("VERIFICATION SUCCESSFUL\n", 0).holds
    assert not cbmc.judge("VERIFICATION FAILED\n", 10).holds
