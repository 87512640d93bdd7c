/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Persistent keys (core/keys/persistent.c over core/keys/pool.c). For any content of slots and
 * storage, a call holds nothing when it returns but the requested key. A destroyed key is
 * found neither in a slot nor in the storage. A creation that fails leaves neither slot nor
 * record.
 */
#include "pools.h"

#include <string.h>

#include "element.h"

/* The copied content does not matter to the claims, only that it is there and fits. */
#define memcpy(to, from, size) corral_copy(to, from, size)
#include "../../core/keys/persistent.c"

/* Of init.c. */
bool corral_initialised;

/* The key that is looked at, among all others that the storage may hold. */
static psa_key_id_t witness;
/* The stored part of it. */
static bool is_stored;
static bool is_damaged;
static struct corral_key_record stored;

struct corral_key_record nondet_record(void);

/* The properties that key_record.c proves of a record that was read. */
static bool record_is_sound(const struct corral_key_record *record, psa_key_id_t id)
{
    return record->attributes.id == id && record->length > 0 &&
           !PSA_KEY_LIFETIME_IS_VOLATILE(record->attributes.lifetime) &&
           corral_location_known(corral_attributes_location(&record->attributes)) &&
           (size_t)record->length + record->public_length <=
               corral_key_capacity(&record->attributes) &&
           record->stage >= CORRAL_STAGE_READY && record->stage <= CORRAL_STAGE_DESTROYING;
}

/* Other threads see a record before a call or after it. */
static void touch_record(void)
{
    CLAIM(proof_lock_is_held(CORRAL_LOCK_PERSISTENT), "records are touched under their lock");
}

psa_status_t corral_key_record_read(psa_key_id_t id, struct corral_key_record *record)
{
    touch_record();
    CLAIM(id == witness, "the storage is asked for that key alone");
    if (!is_stored) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    if (nondet_bool()) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    if (is_damaged) {
        return nondet_bool() ? PSA_ERROR_DATA_CORRUPT : PSA_ERROR_DATA_INVALID;
    }
    *record = stored;
    return PSA_SUCCESS;
}

static psa_status_t write_stage(psa_key_id_t id, enum corral_key_stage stage)
{
    touch_record();
    CLAIM(id == witness, "that key alone is stored");
    if (nondet_bool()) {
        return nondet_bool() ? PSA_ERROR_INSUFFICIENT_STORAGE : PSA_ERROR_STORAGE_FAILURE;
    }
    is_stored = true;
    is_damaged = false;
    stored.stage = (uint8_t)stage;
    return PSA_SUCCESS;
}

psa_status_t corral_key_record_write(struct corral_key *key, enum corral_key_stage stage)
{
    psa_status_t status = write_stage(key->attributes.id, stage);

    if (status == PSA_SUCCESS) {
        stored.number = key->number;
    }
    return status;
}

psa_status_t corral_key_record_mark(struct corral_key_record *record, enum corral_key_stage stage)
{
    return write_stage(record->attributes.id, stage);
}

/* The storage may have other keys, but only the witness is looked at. */
psa_status_t corral_key_record_next(psa_key_id_t *id)
{
    touch_record();
    if (nondet_bool()) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    if (!is_stored || *id >= witness) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    *id = witness;
    return PSA_SUCCESS;
}

psa_status_t corral_key_record_remove(psa_key_id_t id)
{
    touch_record();
    CLAIM(id == witness, "that key alone is removed");
    if (nondet_bool()) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    is_stored = false;
    return PSA_SUCCESS;
}

psa_status_t atecc608_restore_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                  size_t key_buffer_size)
{
    CLAIM(!corral_attributes_are_local(attributes), "the element is told of its own keys");
    CLAIM(__CPROVER_r_ok(key_buffer, key_buffer_size), "a context is there");
    return nondet_bool() ? PSA_SUCCESS : any_failure();
}

/* A slot with a persistent key, and its invariants between two calls. */
static bool slot_is_stored_key(size_t number)
{
    const struct corral_key *const key = slot(number);

    if (pool_of(&key->attributes) != pool_of_slot(number) || !corral_key_is_persistent(key) ||
        !corral_id_is_persistent(key->attributes.id) ||
        (size_t)key->length + key->public_length > corral_key_capacity(&key->attributes)) {
        return false;
    }
    switch (key->state) {
    case CORRAL_KEY_RESERVED:
        return key->holds == 0 && key->number.words[0] > 0 && key->number.words[0] - 1 <= newest;
    case CORRAL_KEY_READY: /* a key without holds stays only if it may be cached */
        return key->number.words[0] <= newest &&
               (key->holds > 0 || (key->attributes.usage & PSA_KEY_USAGE_CACHE) != 0);
    case CORRAL_KEY_DYING:
        return key->number.words[0] <= newest && key->holds > 0;
    default:
        return false;
    }
}

static bool is_one_of(size_t number, psa_key_id_t id)
{
    const struct corral_key *const key = slot(number);

    return (key->state == CORRAL_KEY_READY || key->state == CORRAL_KEY_RESERVED) &&
           corral_key_is_persistent(key) && key->attributes.id == id;
}

/* Whether the witness can be used from a slot. */
static bool is_ready(void)
{
    bool is_there = false;

    for (size_t i = 0; i < SLOTS; i++) {
        is_there = is_there || (is_one_of(i, witness) && slot(i)->state == CORRAL_KEY_READY);
    }
    return is_there;
}

/* Whether the storage has it as a key, or could have it but for some damage. */
static bool is_stored_as(enum corral_key_stage stage)
{
    return is_stored && (is_damaged || stored.stage == (uint8_t)stage);
}

static bool all_are_sound(void)
{
    unsigned copies = 0;

    for (size_t i = 0; i < SLOTS; i++) {
        const bool is_volatile = !corral_key_is_persistent(slot(i));
        if (!(slot(i)->state == CORRAL_KEY_FREE || is_volatile ? slot_is_sound(i)
                                                               : slot_is_stored_key(i))) {
            return false;
        }
        copies += is_one_of(i, witness) ? 1 : 0;
    }
    /* Of any key, so of this one: no second copy, and the storage has it for as long. */
    return copies <= 1 &&
           (copies == 0 || (is_ready() ? is_stored_as(CORRAL_STAGE_READY)
                                       : !is_stored || is_stored_as(CORRAL_STAGE_CREATING)));
}

static unsigned holds;

static void begin(void)
{
    corral_single_slots[0] = nondet_single_slot();
    corral_single_slots[1] = nondet_single_slot();
    corral_pair_slots[0] = nondet_pair_slot();
    corral_protected_slots[0] = nondet_protected_slot();
    witness = nondet_uint32();
    is_stored = nondet_bool();
    is_damaged = nondet_bool();
    stored = nondet_record();
    newest = nondet_uint32();
    corral_initialised = nondet_bool();
    GIVEN(record_is_sound(&stored, witness));
    GIVEN(corral_id_is_persistent(witness) && all_are_sound());
    recent = nondet_uint8();
    hand = nondet_uint8();
    GIVEN(recent < SLOTS && hand < SLOTS);
    holds = holds_of_all();
}

static void end(unsigned expected_holds)
{
    CLAIM(all_are_sound(), "the slots are sound again, and no key is in two of them");
    CLAIM(holds_of_all() == expected_holds, "what is held is what was asked for");
    CLAIM(proof_no_lock_is_held(), "no lock is left taken");
}

void prove_hold(void)
{
    struct corral_key *key = NULL;

    begin();
    const bool was_ready = is_ready();
    const bool was_usable = was_ready || (corral_initialised && is_stored && !is_damaged &&
                                          stored.stage == CORRAL_STAGE_READY);
    psa_status_t status = corral_key_hold_for(witness, nondet_uint32(), nondet_uint32(), &key);
    if (status == PSA_SUCCESS) {
        CLAIM(was_usable, "only a key that exists is held");
        CLAIM(key->attributes.id == witness && key->holds > 0, "it is the key, and held");
        CLAIM(was_ready || key->number.words[0] == stored.number.words[0],
              "a key comes back with its number");
    }
    end(holds + (status == PSA_SUCCESS ? 1 : 0));
}

void prove_release(void)
{
    begin();
    const size_t number = nondet_uint8();
    GIVEN(number < SLOTS && slot(number)->holds > 0 && slot(number)->state != CORRAL_KEY_RESERVED);
    corral_key_release(slot(number));
    end(holds - 1);
}

void prove_destroy(void)
{
    begin();
    corral_initialised = true; /* chosen before, it costs the solver minutes */
    psa_status_t status = corral_persistent_destroy(witness);
    end(holds);
    if (status == PSA_SUCCESS) {
        CLAIM(!is_ready(), "a key that was destroyed is in no slot");
        CLAIM(!is_stored, "nor in the storage");
    }
}

/* It returns before it looks at any state, so none is assumed. */
void prove_early_destroy(void)
{
    corral_initialised = false;
    CLAIM(corral_persistent_destroy(nondet_uint32()) == PSA_ERROR_BAD_STATE,
          "nothing is destroyed before initialisation");
}

void prove_purge(void)
{
    begin();
    const bool was_stored = is_stored;
    (void)corral_persistent_purge(witness);
    end(holds);
    CLAIM(is_stored == was_stored, "purging leaves the storage alone");
}

/* A creation, with whatever came of it between its beginning and its end. */
void prove_create(void)
{
    psa_key_attributes_t attributes = nondet_attributes();
    struct corral_key *key = NULL;
    psa_key_id_t id = PSA_KEY_ID_NULL;

    begin();
    attributes.id = witness;
    GIVEN(!PSA_KEY_LIFETIME_IS_VOLATILE(attributes.lifetime));
    GIVEN(corral_location_known(corral_attributes_location(&attributes)));
    const bool was_stored = is_stored && stored.stage == CORRAL_STAGE_READY;
    const uint32_t known = newest;
    psa_status_t status = corral_persistent_begin(&attributes, &key);
    end(holds);
    if (status != PSA_SUCCESS) {
        return;
    }
    CLAIM(!was_stored && !is_ready(), "the identifier was free");
    CLAIM(key->number.words[0] > known, "a new key has a number that nobody has met");
    key->length = nondet_uint16();
    GIVEN(key->length > 0 && key->length <= corral_key_capacity(&key->attributes));
    psa_status_t made = nondet_status();
    if (!corral_attributes_are_local(&key->attributes) && nondet_bool()) {
        made = corral_persistent_allocated(key, key->length);
        end(holds);
    }
    status = corral_persistent_end(key, made, &id);
    end(holds);
    if (status == PSA_SUCCESS) {
        CLAIM(id == witness && is_stored && stored.stage == CORRAL_STAGE_READY, "a key is stored");
    } else {
        CLAIM(id == PSA_KEY_ID_NULL && !is_ready(), "a failure makes no key");
    }
}
