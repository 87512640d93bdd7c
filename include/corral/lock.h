/* SPDX-License-Identifier: Apache-2.0 */
/* Locks that vanish from builds for one thread. */
#ifndef CORRAL_LOCK_H
#define CORRAL_LOCK_H

#include <corral/bindings.h>
#include <corral/config.h>
#include <corral/port.h>

/* The slot tables and the random generator. Never held during a primitive or a bus transfer. */
#define CORRAL_LOCK_CORE 0u
/*
 * Element number `index` among those of its driver (its position in the driver's generated table):
 * one command at a time. Elements of different drivers share a lock, which is no more than waiting.
 */
#define CORRAL_LOCK_DEVICE(index) (1u + (unsigned)(index))
/* The storage: one entry written or read at a time. */
#define CORRAL_LOCK_STORAGE (1u + CORRAL_ELEMENT_COUNT)
/* Sealed entries, and the manifest of them all. Taken before the locks above. */
#define CORRAL_LOCK_ROLLBACK (2u + CORRAL_ELEMENT_COUNT)
/* Persistent keys being loaded, created or destroyed. Taken before the locks above. */
#define CORRAL_LOCK_PERSISTENT (3u + CORRAL_ELEMENT_COUNT)
/* psa_crypto_init() at work. Taken before every other lock. */
#define CORRAL_LOCK_INIT (4u + CORRAL_ELEMENT_COUNT)
/* An entry of protected storage being changed. Taken before those of the storage. */
#define CORRAL_LOCK_PROTECTED (5u + CORRAL_ELEMENT_COUNT)
/* corral/port.h has CORRAL_LOCK_COUNT. */

static inline void corral_lock_enter(unsigned lock)
{
    if (CORRAL_THREADS) {
        corral_port_lock(lock);
    }
}

static inline void corral_lock_leave(unsigned lock)
{
    if (CORRAL_THREADS) {
        corral_port_unlock(lock);
    }
}

#endif
