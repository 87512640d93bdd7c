/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the storage of persistent keys, and the lock for each part. The linker
 * redirects the library's calls to here, so every test looks at it.
 */
#include <corral/lock.h>

#include "../../core/keys/record.h"
#include "../../storage/rollback.h"
#include "locks.h"

psa_status_t __real_corral_key_record_read(psa_key_id_t id, struct corral_key_record *record);
psa_status_t __wrap_corral_key_record_read(psa_key_id_t id, struct corral_key_record *record);
psa_status_t __real_corral_key_record_next(psa_key_id_t *id);
psa_status_t __wrap_corral_key_record_next(psa_key_id_t *id);
psa_status_t __real_corral_rollback_set(enum corral_space space, uint64_t uid, uint8_t flags,
                                        const uint8_t *data, size_t length);
psa_status_t __wrap_corral_rollback_set(enum corral_space space, uint64_t uid, uint8_t flags,
                                        const uint8_t *data, size_t length);
psa_status_t __real_corral_rollback_remove(enum corral_space space, uint64_t uid);
psa_status_t __wrap_corral_rollback_remove(enum corral_space space, uint64_t uid);
psa_status_t __real_corral_port_flash_read(uint32_t offset, uint8_t *data, size_t size);
psa_status_t __wrap_corral_port_flash_read(uint32_t offset, uint8_t *data, size_t size);
psa_status_t __real_corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size);
psa_status_t __wrap_corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size);
psa_status_t __real_corral_port_flash_erase(uint16_t page);
psa_status_t __wrap_corral_port_flash_erase(uint16_t page);
psa_status_t __real_corral_port_counter_read(uint32_t *value);
psa_status_t __wrap_corral_port_counter_read(uint32_t *value);
psa_status_t __real_corral_port_counter_advance(uint32_t value);
psa_status_t __wrap_corral_port_counter_advance(uint32_t value);

psa_status_t __wrap_corral_key_record_read(psa_key_id_t id, struct corral_key_record *record)
{
    locks_need(CORRAL_LOCK_PERSISTENT);
    return __real_corral_key_record_read(id, record);
}

psa_status_t __wrap_corral_key_record_next(psa_key_id_t *id)
{
    locks_need(CORRAL_LOCK_PERSISTENT);
    return __real_corral_key_record_next(id);
}

static unsigned lock_of(enum corral_space space)
{
    return space == CORRAL_SPACE_KEYS ? CORRAL_LOCK_PERSISTENT : CORRAL_LOCK_PROTECTED;
}

/* Every change of a record, too. */
psa_status_t __wrap_corral_rollback_set(enum corral_space space, uint64_t uid, uint8_t flags,
                                        const uint8_t *data, size_t length)
{
    locks_need(lock_of(space));
    return __real_corral_rollback_set(space, uid, flags, data, length);
}

psa_status_t __wrap_corral_rollback_remove(enum corral_space space, uint64_t uid)
{
    locks_need(lock_of(space));
    return __real_corral_rollback_remove(space, uid);
}

psa_status_t __wrap_corral_port_flash_read(uint32_t offset, uint8_t *data, size_t size)
{
    locks_need(CORRAL_LOCK_STORAGE);
    return __real_corral_port_flash_read(offset, data, size);
}

psa_status_t __wrap_corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size)
{
    locks_need(CORRAL_LOCK_STORAGE);
    return __real_corral_port_flash_write(offset, data, size);
}

psa_status_t __wrap_corral_port_flash_erase(uint16_t page)
{
    locks_need(CORRAL_LOCK_STORAGE);
    return __real_corral_port_flash_erase(page);
}

psa_status_t __wrap_corral_port_counter_read(uint32_t *value)
{
    locks_need(CORRAL_LOCK_ROLLBACK);
    return __real_corral_port_counter_read(value);
}

psa_status_t __wrap_corral_port_counter_advance(uint32_t value)
{
    locks_need(CORRAL_LOCK_ROLLBACK);
    return __real_corral_port_counter_advance(value);
}
