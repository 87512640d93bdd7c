/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slot store, step by step. The state before is any sound one, the step is any, and the claims
 * say what may differ afterwards; that the state is sound again makes them true of programs of any
 * length:
 *   - an identifier finds the key that was published under it until that is withdrawn, and no other
 *   - a new identifier is volatile, finds nothing yet, and bears the next generation, so that it
 *     was not in use for 65,535 keys
 *   - holds change by the one that was taken or given back
 *   - a slot is given back when its key is neither alive, nor held, nor being made
 */
#include "pools.h"

/* The key that an identifier found before the step, and the counts of holds and used slots. */
static psa_key_id_t witness;
static bool was_found;
static unsigned holds;
static unsigned in_use;

static void expect(bool is_witness_found, unsigned expected_holds, unsigned expected_in_use)
{
    CLAIM(slots_are_sound(), "the slots are sound again");
    CLAIM(is_found(witness) == is_witness_found, "what an identifier finds changes by the step");
    CLAIM((corral_key_find(witness) != NULL) == is_witness_found, "a key is found if there is one");
    CLAIM(holds_of_all() == expected_holds, "holds change by the step");
    CLAIM(corral_holds() == expected_holds, "all holds are counted");
    CLAIM(slots_in_use() == expected_in_use, "slots in use change by the step");
}

/* Any sound state, in which any identifier finds a key or does not. */
static void begin(void)
{
    any_slots();
    witness = nondet_uint32();
    was_found = is_found(witness);
    holds = holds_of_all();
    in_use = slots_in_use();
}

void prove_first_state(void)
{
    CLAIM(slots_are_sound(), "the slots are sound when the program begins");
    CLAIM(slots_in_use() == 0, "none is in use");
}

void prove_reserve(void)
{
    const psa_key_attributes_t attributes = nondet_attributes();
    struct corral_key *key = NULL;

    begin();
    psa_status_t status = corral_key_reserve(&attributes, &key);
    CLAIM(status == PSA_SUCCESS || status == PSA_ERROR_INSUFFICIENT_MEMORY, "one of two statuses");
    CLAIM((key != NULL) == (status == PSA_SUCCESS), "a slot comes with success");
    expect(was_found, holds, in_use + (status == PSA_SUCCESS ? 1 : 0));
    if (status != PSA_SUCCESS) {
        for (size_t i = 0; i < SLOTS; i++) {
            CLAIM(slot(i)->state != CORRAL_KEY_FREE || pool_of_slot(i) != pool_of(&attributes),
                  "only a full pool refuses");
        }
        return;
    }
    CLAIM(key->state == CORRAL_KEY_RESERVED && key->holds == 0, "it is reserved");
    CLAIM(__CPROVER_w_ok(key, sizeof *key + corral_key_capacity(&key->attributes)),
          "a slot has the room that is promised");
}

/* A slot that is reserved for a key that is being created. */
static struct corral_key *reserved(void)
{
    struct corral_key *const key = slot(nondet_uint8());

    GIVEN(key->state == CORRAL_KEY_RESERVED && key->holds == 0);
    return key;
}

void prove_publish(void)
{
    begin();
    const uint64_t before = (uint64_t)rounds << 16 | generation;
    struct corral_key *const key = reserved();
    const psa_key_id_t id = corral_key_publish(key);
    CLAIM(id >= PSA_KEY_ID_VENDOR_MIN && id <= PSA_KEY_ID_VENDOR_MAX, "a volatile identifier");
    CLAIM((id & 0xffffu) == ((before + 1) & 0xffffu), "it bears the next generation");
    CLAIM(((uint64_t)key->number.words[0] << 16 | (id & 0xffffu)) ==
              ((before + 1) & 0xffffffffffffu),
          "number and generation count creations");
    CLAIM(id != witness || !was_found, "it is new");
    expect(was_found || witness == id, holds, in_use);
}

void prove_give_up(void)
{
    begin();
    corral_key_free(reserved());
    expect(was_found, holds, in_use - 1);
}

void prove_hold(void)
{
    struct corral_key *key = NULL;
    const psa_algorithm_t alg = nondet_uint32();

    begin();
    psa_status_t status = corral_key_hold_for(witness, nondet_uint32(), alg, &key);
    CLAIM((status == PSA_ERROR_INVALID_HANDLE) == !was_found, "who is there is found");
    CLAIM(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_HANDLE ||
              status == PSA_ERROR_NOT_PERMITTED || status == PSA_ERROR_INSUFFICIENT_MEMORY,
          "one of four statuses");
    if (status == PSA_SUCCESS) {
        CLAIM(key->attributes.id == witness && key->holds > 0, "the key is held");
    }
    expect(was_found, holds + (status == PSA_SUCCESS ? 1 : 0), in_use);
}

/* Whether the witness is a key of this number. */
static bool is_numbered(uint32_t number)
{
    for (size_t i = 0; i < SLOTS; i++) {
        if (slot(i)->state == CORRAL_KEY_READY && slot(i)->attributes.id == witness) {
            return slot(i)->number.words[0] == number;
        }
    }
    return false;
}

void prove_hold_again(void)
{
    struct corral_key *key = NULL;

    begin();
    const struct corral_bound_key bound = {witness, {{nondet_uint32()}}};
    const bool is_bound = was_found && is_numbered(bound.number.words[0]);
    psa_status_t status = corral_key_hold_again(&bound, &key);
    CLAIM(status != PSA_SUCCESS || is_bound, "an operation goes on with its own key alone");
    CLAIM((status == PSA_SUCCESS || status == PSA_ERROR_INSUFFICIENT_MEMORY) ||
              status == PSA_ERROR_BAD_STATE,
          "one of three statuses");
    CLAIM(status != PSA_ERROR_BAD_STATE || !is_bound, "and with it, as long as it is there");
    expect(was_found, holds + (status == PSA_SUCCESS ? 1 : 0), in_use);
}

void prove_release(void)
{
    begin();
    struct corral_key *const key = slot(nondet_uint8());
    GIVEN(key->holds > 0);
    /* A caller that withdrew a key releases its hold by the other functions. */
    GIVEN(key->state != CORRAL_KEY_RESERVED || key->holds > 1);
    const bool is_last = key->state == CORRAL_KEY_DYING && key->holds == 1;
    corral_key_release(key);
    CLAIM((key->state == CORRAL_KEY_FREE) == is_last, "the last hold on a destroyed key frees it");
    expect(was_found, holds - 1, in_use - (is_last ? 1 : 0));
}

void prove_withdraw(void)
{
    struct corral_key *key = NULL;

    begin();
    psa_status_t status = corral_key_withdraw(witness, &key);
    CLAIM((status == PSA_ERROR_INVALID_HANDLE) == !was_found, "who is there is found");
    CLAIM(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_HANDLE ||
              status == PSA_ERROR_INSUFFICIENT_MEMORY,
          "one of three statuses");
    if (status == PSA_SUCCESS) {
        CLAIM(key->state == CORRAL_KEY_RESERVED && key->holds > 0, "it is held and reserved");
    }
    expect(was_found && status != PSA_SUCCESS, holds + (status == PSA_SUCCESS ? 1 : 0), in_use);
}

/* A slot whose key was withdrawn. */
static struct corral_key *withdrawn(size_t number)
{
    GIVEN(number < SLOTS);
    struct corral_key *const key = slot(number);
    GIVEN(key->state == CORRAL_KEY_RESERVED && key->holds > 0);
    return key;
}

void prove_free_held(void)
{
    begin();
    struct corral_key *const key = withdrawn(nondet_uint8());
    const bool is_last = key->holds == 1;
    corral_key_free_held(key);
    CLAIM((key->state == CORRAL_KEY_FREE) == is_last, "it stays for those who still hold it");
    expect(was_found, holds - 1, in_use - (is_last ? 1 : 0));
}

void prove_revive(void)
{
    begin();
    const size_t number = nondet_uint8();
    const psa_key_id_t id = nondet_uint32();
    struct corral_key *const key = withdrawn(number);
    GIVEN(id == key->attributes.id);
    corral_key_revive(key, id);
    expect(was_found || witness == id, holds - 1, in_use);
}

/* Pool, index and generation make the identifier, and it leads back to the slot. */
void prove_encoding(void)
{
    begin();
    const size_t number = nondet_uint8();
    GIVEN(number < SLOTS);
    struct corral_key *const key = slot(number);
    GIVEN(key->state == CORRAL_KEY_READY);
    const psa_key_id_t id = key->attributes.id;
    CLAIM(corral_key_find(id) == key, "an identifier leads to its slot");
    CLAIM(corral_pool_slot((unsigned)(id >> CORRAL_POOL_SHIFT),
                           (id >> CORRAL_INDEX_SHIFT) & CORRAL_INDEX_MASK) == key,
          "by pool and index");
    const size_t other = nondet_uint8();
    GIVEN(other < SLOTS && other != number);
    CLAIM(slot(other)->attributes.id != id, "no two slots share an identifier");
    CLAIM(corral_key_find(witness) == NULL || witness >= PSA_KEY_ID_VENDOR_MIN,
          "the application's find none");
    CLAIM(corral_key_find(witness) == NULL || witness <= PSA_KEY_ID_VENDOR_MAX,
          "nor do those beyond");
}
