/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The manifest, numbers little-endian:
 *   0  version (1)
 *   1  the counter's value after the change (4)
 *   5  tag (16)
 *  21  sum before the change (16), sum after it (16), both encrypted
 *
 * A sum is the exclusive or of a pseudorandom function of each entry's number and tag. The tag
 * stands for all of an entry. The function's values never leave the device in clear, because
 * whoever had enough of them could choose old entries whose sum comes out right.
 */
#include "rollback.h"

#include <string.h>

#include <corral/driver.h>
#include <corral/lock.h>
#include <corral/rollback.h>

#include "bytes.h"
#include "seal.h"

#define VERSION 1
#define HEADER_SIZE 5u
#define SUM_SIZE CORRAL_SEAL_TAG_SIZE
#define TAG_AT HEADER_SIZE
#define BEFORE_AT (TAG_AT + CORRAL_SEAL_TAG_SIZE)
#define AFTER_AT (BEFORE_AT + SUM_SIZE)
#define MANIFEST_SIZE (AFTER_AT + SUM_SIZE)
#define MANIFEST_UID 1u

_Static_assert(!CORRAL_ROLLBACK_DETECTION || MANIFEST_SIZE == CORRAL_STORE_MANIFEST_SIZE,
               "room that the log leaves for it");

static struct {
    uint8_t sum[SUM_SIZE]; /* of the entries as they are */
    uint32_t counter;      /* as the board has it */
    bool is_checked;
} state;

/* Add an entry to a sum, or take it out again. */
static psa_status_t add_tag(enum corral_space space, uint64_t uid, const uint8_t *tag,
                            uint8_t sum[SUM_SIZE])
{
    uint8_t name[10] = {(uint8_t)space};
    uint8_t value[SUM_SIZE];

    corral_put(name + 2, uid, 8);
    psa_status_t status = corral_seal_digest(name, sizeof name, tag, value);
    if (status == PSA_SUCCESS) {
        for (size_t i = 0; i < SUM_SIZE; i++) {
            sum[i] ^= value[i];
        }
    }
    corral_wipe(value, sizeof value);
    return status;
}

static size_t tag_at(enum corral_space space)
{
    return ((unsigned)space & ~CORRAL_SPACE_OF_CLIENTS) == CORRAL_SPACE_KEYS
               ? CORRAL_STORE_KEY_TAG_AT
               : 0;
}

/*
 * Add what is stored under a name.
 *   PSA_ERROR_DOES_NOT_EXIST  nothing is
 *   PSA_ERROR_DATA_CORRUPT    it has no tag that could be read
 */
static psa_status_t add_entry(enum corral_space space, uint64_t uid, uint8_t sum[SUM_SIZE],
                              uint8_t *flags)
{
    uint8_t tag[CORRAL_SEAL_TAG_SIZE];
    size_t length = 0;

    psa_status_t status =
        corral_store_get(space, uid, tag_at(space), tag, sizeof tag, &length, flags);
    if (status == PSA_SUCCESS && length < tag_at(space) + sizeof tag) {
        status = PSA_ERROR_DATA_CORRUPT;
    }
    return status == PSA_SUCCESS ? add_tag(space, uid, tag, sum) : status;
}

/* Add all entries of a space but number `but`; unreadable entries were in no sum. */
static psa_status_t add_space(enum corral_space space, uint64_t but, uint8_t sum[SUM_SIZE])
{
    uint64_t uid = 0;
    uint8_t flags;
    psa_status_t status;

    while ((status = corral_store_next(space, &uid)) == PSA_SUCCESS) {
        if (uid != but) {
            status = add_entry(space, uid, sum, &flags);
        }
        if (status != PSA_SUCCESS && status != PSA_ERROR_DATA_CORRUPT) {
            return status;
        }
    }
    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : status;
}

/* Add what is sealed in the spaces of clients, or in the others, but for one entry. */
static inline psa_status_t add_spaces(unsigned whose, enum corral_space space, uint64_t but,
                                      uint8_t sum[SUM_SIZE])
{
    const enum corral_space keys = (enum corral_space)(CORRAL_SPACE_KEYS | whose);
    const enum corral_space protected = (enum corral_space)(CORRAL_SPACE_PS | whose);
    psa_status_t status = PSA_SUCCESS;

    if (CORRAL_PERSISTENT_KEYS) {
        status = add_space(keys, space == keys ? but : 0, sum);
    }
    if (CORRAL_PROTECTED_STORAGE && status == PSA_SUCCESS) {
        status = add_space(protected, space == protected ? but : 0, sum);
    }
    return status;
}

/* The sum of all entries but one; number 0 is no entry's. */
static psa_status_t add_all(enum corral_space space, uint64_t but, uint8_t sum[SUM_SIZE])
{
    memset(sum, 0, SUM_SIZE);
    psa_status_t status = add_spaces(0, space, but, sum);

    return CORRAL_WALL && status == PSA_SUCCESS
               ? add_spaces(CORRAL_SPACE_OF_CLIENTS, space, but, sum)
               : status;
}

/* Announce the entries of now, and those with the next value of the counter. */
static psa_status_t announce(const uint8_t after[SUM_SIZE])
{
    uint8_t bytes[MANIFEST_SIZE] = {VERSION};

    corral_put(bytes + 1, state.counter + 1u, 4);
    memcpy(bytes + BEFORE_AT, state.sum, SUM_SIZE);
    memcpy(bytes + AFTER_AT, after, SUM_SIZE);
    psa_status_t status =
        corral_seal(bytes, HEADER_SIZE, bytes + BEFORE_AT, 2 * SUM_SIZE, bytes + TAG_AT);
    if (status == PSA_SUCCESS) {
        status = corral_store_set(CORRAL_SPACE_ROLLBACK, MANIFEST_UID, CORRAL_STORE_URGENT, bytes,
                                  sizeof bytes);
    }
    corral_wipe(bytes, sizeof bytes);
    return status;
}

/* The change is made: the old state cannot return. */
static psa_status_t conclude(void)
{
    psa_status_t status = corral_port_counter_advance(state.counter + 1u);

    if (status == PSA_SUCCESS) {
        state.counter++;
    }
    return status;
}

/* A change that leaves everything as it is. */
static psa_status_t confirm(void)
{
    psa_status_t status = announce(state.sum);

    return status == PSA_SUCCESS ? conclude() : status;
}

/*
 * Make the present state the only one that is accepted. A manifest carries the value after the one
 * at which it was written. So behind the first value that this run passes there may be images of
 * other states, which an attacker collected by cutting the power of earlier runs. Behind the second
 * value there is only what this run wrote.
 */
static psa_status_t settle(bool is_announced)
{
    psa_status_t status = is_announced ? conclude() : confirm();

    return status == PSA_SUCCESS ? confirm() : status;
}

static psa_status_t read_manifest(uint8_t bytes[MANIFEST_SIZE])
{
    size_t length = 0;
    uint8_t flags;

    psa_status_t status = corral_store_get(CORRAL_SPACE_ROLLBACK, MANIFEST_UID, 0, bytes,
                                           MANIFEST_SIZE, &length, &flags);
    if (status == PSA_SUCCESS && (length != MANIFEST_SIZE || bytes[0] != VERSION)) {
        status = PSA_ERROR_DATA_CORRUPT;
    }
    return status == PSA_SUCCESS
               ? corral_unseal(bytes, HEADER_SIZE, bytes + BEFORE_AT, 2 * SUM_SIZE, bytes + TAG_AT)
               : status;
}

/* Compare the entries with the manifest, finish what it announces, and settle the result. */
static psa_status_t compare(const uint8_t manifest[MANIFEST_SIZE])
{
    const uint32_t counter = (uint32_t)corral_take(manifest + 1, 4);
    const bool is_concluded = counter == state.counter;
    const bool is_announced = counter == state.counter + 1u;

    if (is_concluded || is_announced) {
        if (corral_equal(state.sum, manifest + AFTER_AT, SUM_SIZE)) {
            return settle(is_announced);
        }
        if (is_announced && corral_equal(state.sum, manifest + BEFORE_AT, SUM_SIZE)) {
            return settle(false);
        }
    }
    return PSA_ERROR_DATA_CORRUPT;
}

static psa_status_t examine(void)
{
    uint8_t manifest[MANIFEST_SIZE];

    psa_status_t status = corral_port_counter_read(&state.counter);
    if (status == PSA_SUCCESS) {
        status = add_all(CORRAL_SPACE_KEYS, 0, state.sum);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = read_manifest(manifest);
    if (status == PSA_SUCCESS) {
        status = compare(manifest);
    } else if (status == PSA_ERROR_DOES_NOT_EXIST) {
        /* Before the first change; entries of a build that did not detect are taken over. */
        status = state.counter == 0 ? settle(false) : PSA_ERROR_DATA_CORRUPT;
    }
    corral_wipe(manifest, sizeof manifest);
    return status;
}

static psa_status_t check(void)
{
    if (!state.is_checked) {
        const psa_status_t status = examine();
        state.is_checked = status == PSA_SUCCESS;
        return status;
    }
    return PSA_SUCCESS;
}

psa_status_t corral_rollback_check(void)
{
    corral_lock_enter(CORRAL_LOCK_ROLLBACK);
    psa_status_t status = check();
    corral_lock_leave(CORRAL_LOCK_ROLLBACK);
    return status;
}

/* The sum after an entry was taken out. PSA_ERROR_DOES_NOT_EXIST: there is none, and it is `sum`.
 */
static psa_status_t without(enum corral_space space, uint64_t uid, uint8_t sum[SUM_SIZE])
{
    uint8_t flags = 0;

    memcpy(sum, state.sum, SUM_SIZE);
    psa_status_t status = add_entry(space, uid, sum, &flags);
    if (corral_is_write_once((uint8_t)space, status, flags)) {
        return PSA_ERROR_NOT_PERMITTED;
    }
    /* Damaged since it was added: its part of the sum follows only from the others. */
    return status == PSA_ERROR_DATA_CORRUPT ? add_all(space, uid, sum) : status;
}

/* Write or remove an entry. An announced change without space must not come true later. */
static psa_status_t apply(enum corral_space space, uint64_t uid, uint8_t flags, const uint8_t *data,
                          size_t length, const uint8_t after[SUM_SIZE])
{
    const psa_status_t status = data != NULL ? corral_store_set(space, uid, flags, data, length)
                                             : corral_store_remove(space, uid);

    if (status == PSA_SUCCESS) {
        memcpy(state.sum, after, SUM_SIZE);
        return conclude();
    }
    if (status == PSA_ERROR_INSUFFICIENT_STORAGE && settle(false) != PSA_SUCCESS) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    return status;
}

/*
 * Announce, change, conclude. After a failure of the medium it is not known how far that has come:
 * the storage is examined again.
 */
static psa_status_t change(enum corral_space space, uint64_t uid, uint8_t flags,
                           const uint8_t *data, size_t length, const uint8_t after[SUM_SIZE])
{
    psa_status_t status = announce(after);

    if (status == PSA_SUCCESS) {
        status = apply(space, uid, flags, data, length, after);
    }
    state.is_checked = status == PSA_SUCCESS || status == PSA_ERROR_INSUFFICIENT_STORAGE;
    return status;
}

psa_status_t corral_rollback_set(enum corral_space space, uint64_t uid, uint8_t flags,
                                 const uint8_t *data, size_t length)
{
    uint8_t after[SUM_SIZE];

    corral_lock_enter(CORRAL_LOCK_ROLLBACK);
    psa_status_t status = check();
    if (status == PSA_SUCCESS) {
        status = without(space, uid, after);
        status = status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : status;
    }
    if (status == PSA_SUCCESS) {
        status = add_tag(space, uid, data + tag_at(space), after);
    }
    if (status == PSA_SUCCESS) {
        /* Announcing in vain would cost two values of the counter. */
        status = corral_store_check_room(space, uid, flags, length);
    }
    if (status == PSA_SUCCESS) {
        status = change(space, uid, flags, data, length, after);
    }
    corral_wipe(after, sizeof after);
    corral_lock_leave(CORRAL_LOCK_ROLLBACK);
    return status;
}

psa_status_t corral_rollback_remove(enum corral_space space, uint64_t uid)
{
    uint8_t after[SUM_SIZE];

    corral_lock_enter(CORRAL_LOCK_ROLLBACK);
    psa_status_t status = check();
    if (status == PSA_SUCCESS) {
        status = without(space, uid, after);
    }
    if (status == PSA_SUCCESS) {
        status = change(space, uid, 0, NULL, 0, after);
    }
    corral_wipe(after, sizeof after);
    corral_lock_leave(CORRAL_LOCK_ROLLBACK);
    return status;
}

psa_status_t corral_rollback_accept(void)
{
    corral_lock_enter(CORRAL_LOCK_ROLLBACK);
    psa_status_t status = corral_port_counter_read(&state.counter);
    if (status == PSA_SUCCESS) {
        status = add_all(CORRAL_SPACE_KEYS, 0, state.sum);
    }
    if (status == PSA_SUCCESS) {
        status = settle(false);
    }
    state.is_checked = status == PSA_SUCCESS;
    corral_lock_leave(CORRAL_LOCK_ROLLBACK);
    return status;
}

void corral_rollback_forget(void)
{
    corral_wipe(&state, sizeof state);
}
