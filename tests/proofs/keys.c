/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that make, use and destroy volatile keys, on every path. For any content of
 * slots and answers of drivers, a call holds nothing when it returns. A creation that fails
 * leaves no slot in use and no key in the element. A key is found until it is destroyed.
 */
#include "pools.h"

#include "element.h"

#define ROOM 40u

bool corral_initialised;

static uint8_t buffer[ROOM];
static psa_key_id_t witness;
static bool was_found;
static unsigned holds;
static unsigned in_use;

psa_algorithm_t corral_policy_intersection(psa_key_type_t type, psa_algorithm_t a,
                                           psa_algorithm_t b)
{
    (void)type;
    (void)a;
    (void)b;
    return nondet_uint32();
}

/* The parts of a key fit into its slot. */
static bool keys_are_sound(void)
{
    for (size_t i = 0; i < SLOTS; i++) {
        const struct corral_key *const key = slot(i);
        if (key->state == CORRAL_KEY_READY &&
            (size_t)key->length + key->public_length > corral_key_capacity(&key->attributes)) {
            return false;
        }
    }
    return true;
}

static void begin(void)
{
    any_slots();
    GIVEN(keys_are_sound());
    corral_initialised = nondet_bool();
    witness = nondet_uint32();
    was_found = is_found(witness);
    holds = holds_of_all();
    in_use = slots_in_use();
}

static void end(bool is_witness_found, unsigned expected_in_use)
{
    CLAIM(slots_are_sound() && keys_are_sound(), "the slots are sound again");
    CLAIM(holds_of_all() == holds, "nothing is held when a call returns");
    CLAIM(slots_in_use() == expected_in_use, "slots in use are those of keys");
    CLAIM(is_found(witness) == is_witness_found, "other keys stay");
    CLAIM(proof_no_lock_is_held(), "no lock is left taken");
}

/* After a function that makes a key. */
static void claim_made(psa_status_t status, psa_key_id_t id)
{
    const bool is_made = status == PSA_SUCCESS;

    CLAIM(is_made ? is_found(id) : id == PSA_KEY_ID_NULL, "a key or none");
    CLAIM(is_made || kept == 0 || has_refused, "a failure leaves no key in the element");
    end(was_found || (is_made && witness == id), in_use + (is_made ? 1 : 0));
}

void prove_import(void)
{
    const psa_key_attributes_t attributes = nondet_attributes();
    const size_t length = nondet_size();
    psa_key_id_t id = nondet_uint32();

    begin();
    GIVEN(length <= ROOM);
    psa_status_t status = psa_import_key(&attributes, buffer, length, &id);
    claim_made(status, id);
}

void prove_generate(void)
{
    const psa_key_attributes_t attributes = nondet_attributes();
    psa_key_id_t id = nondet_uint32();

    begin();
    psa_status_t status = psa_generate_key(&attributes, &id);
    claim_made(status, id);
}

void prove_attach(void)
{
    const psa_key_attributes_t attributes = nondet_attributes();
    const size_t length = nondet_size();
    psa_key_id_t id = nondet_uint32();

    begin();
    GIVEN(length <= ROOM);
    psa_status_t status = psa_attach_key(&attributes, buffer, length, &id);
    claim_made(status, id);
}

void prove_copy(void)
{
    const psa_key_attributes_t attributes = nondet_attributes();
    psa_key_id_t id = nondet_uint32();

    begin();
    psa_status_t status = psa_copy_key(witness, &attributes, &id);
    claim_made(status, id);
}

void prove_destroy(void)
{
    begin();
    size_t number = SLOTS;
    for (size_t i = 0; i < SLOTS; i++) {
        number =
            slot(i)->state == CORRAL_KEY_READY && slot(i)->attributes.id == witness ? i : number;
    }
    const bool is_used = number < SLOTS && slot(number)->holds > 0;
    psa_status_t status = psa_destroy_key(witness);
    if (status == PSA_SUCCESS) {
        CLAIM(was_found || witness == PSA_KEY_ID_NULL, "what was there is destroyed");
        end(false, in_use - (was_found && !is_used ? 1 : 0));
    } else {
        CLAIM(was_found || status == PSA_ERROR_INVALID_HANDLE, "what was not there has no handle");
        CLAIM(!was_found || has_refused || status == PSA_ERROR_INSUFFICIENT_MEMORY,
              "only the element can keep its key");
        end(was_found, in_use);
    }
}

void prove_use(void)
{
    size_t length = nondet_size();
    const size_t size = nondet_size();
    psa_key_attributes_t attributes;

    begin();
    GIVEN(size <= ROOM);
    switch (nondet_uint8()) {
    case 0:
        (void)psa_purge_key(witness);
        break;
    case 1:
        if (psa_get_key_attributes(witness, &attributes) == PSA_SUCCESS) {
            CLAIM(was_found && attributes.id == witness, "the attributes are those of the key");
        }
        break;
    case 2:
        if (psa_export_public_key(witness, buffer, size, &length) == PSA_SUCCESS) {
            CLAIM(was_found && length <= size, "what is exported fits");
        } else {
            CLAIM(length == 0, "a failure exports nothing");
        }
        break;
    default:
        if (psa_export_key(witness, buffer, size, &length) == PSA_SUCCESS) {
            CLAIM(was_found && length <= size, "what is exported fits");
        } else {
            CLAIM(length == 0, "a failure exports nothing");
        }
        break;
    }
    end(was_found, in_use);
}
