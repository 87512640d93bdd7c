/* SPDX-License-Identifier: Apache-2.0 */
#include "store.h"

#include <corral/lock.h>
#include <corral/salvage.h>

#include "log.h"

/* Each of these is one call: the configuration says which. */
static psa_status_t backend_write(const struct corral_entry_name *name, uint8_t flags,
                                  const uint8_t *data, size_t length)
{
    const uint8_t kept = flags & (CORRAL_STORE_ALL_FLAGS | CORRAL_STORE_CAPACITY);

    return CORRAL_STORAGE_IN_FILES
               ? corral_port_entry_write(name, kept | (flags & CORRAL_STORE_URGENT), data, length)
               : corral_log_write(name, kept, data, length, (flags & CORRAL_STORE_URGENT) != 0);
}

static psa_status_t backend_read(const struct corral_entry_name *name, size_t offset, uint8_t *data,
                                 size_t size, size_t *length, uint8_t *flags)
{
    return CORRAL_STORAGE_IN_FILES ? corral_port_entry_read(name, offset, data, size, length, flags)
                                   : corral_log_read(name, offset, data, size, length, flags);
}

static psa_status_t backend_remove(const struct corral_entry_name *name)
{
    return CORRAL_STORAGE_IN_FILES ? corral_port_entry_remove(name) : corral_log_remove(name);
}

static psa_status_t backend_next(struct corral_entry_name *name)
{
    return CORRAL_STORAGE_IN_FILES ? corral_port_entry_next(name) : corral_log_next(name);
}

static psa_status_t measure_file(struct corral_entry_name *name, size_t *length)
{
    uint8_t flags;

    *length = 0;
    psa_status_t status = corral_port_entry_next(name);
    if (status == PSA_SUCCESS) {
        status = corral_port_entry_read(name, 0, NULL, 0, length, &flags);
    }
    return status == PSA_ERROR_DATA_CORRUPT ? PSA_SUCCESS : status;
}

/* Go to the next entry that can be read, and tell how long it is. */
static psa_status_t backend_measure(struct corral_entry_name *name, size_t *length)
{
    return CORRAL_STORAGE_IN_FILES ? measure_file(name, length) : corral_log_measure(name, length);
}

/* Whether an entry may be replaced or removed; PSA_ERROR_DOES_NOT_EXIST: there is none. */
static psa_status_t check_writable(const struct corral_entry_name *name)
{
    size_t length;
    uint8_t flags = 0;

    psa_status_t status = backend_read(name, 0, NULL, 0, &length, &flags);
    if (corral_is_write_once(name->space, status, flags)) {
        return PSA_ERROR_NOT_PERMITTED;
    }
    /* Any other damaged entry can be replaced, within its owner's share. */
    return status == PSA_ERROR_DATA_CORRUPT ? PSA_SUCCESS : status;
}

/* Entries of a client, except the one that is about to be replaced. */
struct holdings {
    size_t entries;
    size_t bytes;
};

/* Count the entries of the client of a name in one of its spaces, as far as damage lets
 * them be found: hidden entries are lost to the client, too. */
static inline psa_status_t count_space(const struct corral_entry_name *but, uint8_t space,
                                       struct holdings *found)
{
    struct corral_entry_name name = {but->uid >> 32 << 32, space};
    size_t length;
    psa_status_t status;

    while ((status = backend_measure(&name, &length)) == PSA_SUCCESS &&
           name.uid >> 32 == but->uid >> 32) {
        if (space != but->space || name.uid != but->uid) {
            found->entries++;
            found->bytes += length;
        }
    }
    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : status;
}

/*
 * Whether a client may have so much more, of all kinds together. An urgent entry that replaces
 * another has its room already; so has one that is no larger, even if quotas were lowered.
 */
static inline psa_status_t check_share(const struct corral_entry_name *name, bool is_urgent,
                                       size_t length)
{
    static const enum corral_space kinds[] = {CORRAL_SPACE_ITS, CORRAL_SPACE_PS, CORRAL_SPACE_KEYS};
    const size_t bytes = CORRAL_WALL_STORED_BYTES;
    const size_t entries = CORRAL_WALL_STORED_ENTRIES;
    struct holdings found = {0, 0};
    size_t replaced = 0;
    uint8_t flags;

    psa_status_t status = backend_read(name, 0, NULL, 0, &replaced, &flags);
    if (status == PSA_SUCCESS && (is_urgent || length <= replaced)) {
        return PSA_SUCCESS;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        status = count_space(name, (uint8_t)(kinds[i] | CORRAL_SPACE_OF_CLIENTS), &found);
        if (status != PSA_SUCCESS) {
            return status;
        }
    }
    return found.entries < entries && found.bytes <= bytes && length <= bytes - found.bytes
               ? PSA_SUCCESS
               : PSA_ERROR_INSUFFICIENT_STORAGE;
}

/* Whether an entry may be written by its size. */
static inline psa_status_t check_room(const struct corral_entry_name *name, uint8_t flags,
                                      size_t length)
{
    const bool is_limited = CORRAL_WALL && (name->space & CORRAL_SPACE_OF_CLIENTS) != 0;

    return is_limited ? check_share(name, (flags & CORRAL_STORE_URGENT) != 0, length) : PSA_SUCCESS;
}

/*
 * Checks before an entry is written: it may be written, and is within the quota of its owner.
 * `flags` lose CORRAL_STORE_URGENT of an entry that replaces nothing, and has no room yet.
 */
static psa_status_t prepare(const struct corral_entry_name *name, uint8_t *flags, size_t length)
{
    psa_status_t status = check_writable(name);

    if (CORRAL_STORE_NOTE_SIZE > 0 && status == PSA_ERROR_DOES_NOT_EXIST &&
        name->space != CORRAL_SPACE_ROLLBACK) {
        *flags &= (uint8_t)~CORRAL_STORE_URGENT;
    }
    return status == PSA_SUCCESS || status == PSA_ERROR_DOES_NOT_EXIST
               ? check_room(name, *flags, length)
               : status;
}

psa_status_t corral_store_check_room(enum corral_space space, uint64_t uid, uint8_t flags,
                                     size_t length)
{
    const struct corral_entry_name name = {uid, (uint8_t)space};

    corral_lock_enter(CORRAL_LOCK_STORAGE);
    psa_status_t status = prepare(&name, &flags, length);
    if (CORRAL_STORAGE_IN_FLASH && status == PSA_SUCCESS) {
        status = corral_log_make_room(&name, flags, length, (flags & CORRAL_STORE_URGENT) != 0);
    }
    corral_lock_leave(CORRAL_LOCK_STORAGE);
    return status;
}

psa_status_t corral_store_set(enum corral_space space, uint64_t uid, uint8_t flags,
                              const uint8_t *data, size_t length)
{
    const struct corral_entry_name name = {uid, (uint8_t)space};

    corral_lock_enter(CORRAL_LOCK_STORAGE);
    psa_status_t status = prepare(&name, &flags, length);
    if (status == PSA_SUCCESS) {
        status = backend_write(&name, flags, data, length);
    }
    corral_lock_leave(CORRAL_LOCK_STORAGE);
    return status;
}

psa_status_t corral_store_get(enum corral_space space, uint64_t uid, size_t offset, uint8_t *data,
                              size_t size, size_t *length, uint8_t *flags)
{
    const struct corral_entry_name name = {uid, (uint8_t)space};

    corral_lock_enter(CORRAL_LOCK_STORAGE);
    psa_status_t status = backend_read(&name, offset, data, size, length, flags);
    corral_lock_leave(CORRAL_LOCK_STORAGE);
    return status;
}

psa_status_t corral_store_remove(enum corral_space space, uint64_t uid)
{
    const struct corral_entry_name name = {uid, (uint8_t)space};

    corral_lock_enter(CORRAL_LOCK_STORAGE);
    psa_status_t status = check_writable(&name);
    if (status == PSA_SUCCESS) {
        status = backend_remove(&name);
    }
    corral_lock_leave(CORRAL_LOCK_STORAGE);
    return status;
}

psa_status_t corral_store_next(enum corral_space space, uint64_t *uid)
{
    struct corral_entry_name name = {*uid, (uint8_t)space};

    corral_lock_enter(CORRAL_LOCK_STORAGE);
    psa_status_t status = backend_next(&name);
    corral_lock_leave(CORRAL_LOCK_STORAGE);
    *uid = name.uid;
    return status;
}

psa_status_t corral_storage_salvage(void)
{
    corral_lock_enter(CORRAL_LOCK_STORAGE);
    psa_status_t status = CORRAL_STORAGE_IN_FILES ? PSA_ERROR_NOT_SUPPORTED : corral_log_salvage();
    corral_lock_leave(CORRAL_LOCK_STORAGE);
    return status;
}

void corral_store_unmount(void)
{
    if (CORRAL_STORAGE_IN_FLASH) {
        corral_log_unmount();
    }
}
