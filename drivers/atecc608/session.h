/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sessions with a chip, and the driver's state of each chip between them.
 *
 * A chip is first touched when a key or service of its location is first used, and its
 * configuration is read then; after a failure of the bus it is read again, in case another chip
 * answers now. Slots stay taken as long as their keys live, also while their chip is away. Nothing
 * here is shared between the devices of the table.
 *
 * Statuses that every entry point which talks to a chip can return:
 *   PSA_ERROR_COMMUNICATION_FAILURE  no chip at the address, or no intact answer from it; other
 *                                    chips are not affected, and the next call starts afresh
 *   PSA_ERROR_HARDWARE_FAILURE       the chip reports a fault of its arithmetic or self test
 *   PSA_ERROR_INSUFFICIENT_ENTROPY   its generator failed the health test
 *   PSA_ERROR_NOT_PERMITTED          the configuration of slot or chip forbids the command
 * and every one that is given a key in the chip:
 *   PSA_ERROR_COMMUNICATION_FAILURE  also when another chip answers than the one that holds the key
 *   PSA_ERROR_INVALID_HANDLE         the slot was given to another key
 */
#ifndef ATECC608_SESSION_H
#define ATECC608_SESSION_H

#include <stdbool.h>

#include <psa/crypto_types.h>

#include "kinds.h"
#include "transport.h"

#define ATECC608_SERIAL_SIZE 6u

#define ATECC608_LOCKED 0x00

/* The driver's state of a chip. All zero: never met. */
struct atecc608_state {
    bool is_known;                           /* the rest was read from the chip that is there now */
    bool is_locked;                          /* configuration zone and data zone */
    uint8_t serial[ATECC608_SERIAL_SIZE];    /* SN[2] to SN[7]; the other three are the maker's */
    uint16_t usable;                         /* slots that suit the kind that the board declares */
    uint16_t used;                           /* slots that hold a key of an owner */
    uint8_t generation[ATECC608_SLOT_COUNT]; /* changes when a slot loses its key */
};

/*
 * Begin a session with device number `index` of the generated table: take its lock and, unless it
 * is known already, read the chip's configuration. Whatever it returns, atecc608_close() follows.
 *   PSA_ERROR_COMMUNICATION_FAILURE  the chip does not answer
 */
psa_status_t atecc608_open(struct atecc608_session *session, size_t index);

/* Begin a session without reading anything: for provisioning, with a device of the caller's. */
void atecc608_open_device(struct atecc608_session *session, const struct atecc608_device *device);

/*
 * End a session: the chip sleeps, buffers are wiped, the lock is given back. Returns `status`, and
 * forgets what is known of the chip if that is a failure of the bus.
 */
psa_status_t atecc608_close(struct atecc608_session *session, psa_status_t status);

/*
 * End a session whose last answer is a result: if `status` is success, copy its `size` bytes to
 * `data` and set *length. Returns what atecc608_close() returns.
 */
psa_status_t atecc608_deliver(struct atecc608_session *session, psa_status_t status, uint8_t *data,
                              size_t size, size_t *length);

/* The driver's state of the session's chip. */
struct atecc608_state *atecc608_state(const struct atecc608_session *session);

/*
 * Read the whole configuration zone. Statuses of atecc608_execute(); `config` is then unspecified.
 */
psa_status_t atecc608_read_config(struct atecc608_session *session,
                                  uint8_t config[ATECC608_CONFIG_SIZE]);

/*
 * The meaning of a failure after an earlier command of the same session succeeded: a rejection then
 * shows that the chip has lost its volatile state (it slept), not that the request is wrong.
 */
static inline psa_status_t atecc608_continued(psa_status_t status)
{
    return status == PSA_ERROR_NOT_PERMITTED || status == PSA_ERROR_NOT_SUPPORTED
               ? PSA_ERROR_COMMUNICATION_FAILURE
               : status;
}

#endif
