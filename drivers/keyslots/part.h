/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sessions with a part. Its data sheet is sim/keyslots/README.md; names and numbers here are those.
 *
 * A session is one run of commands under the part's lock. A key is in the engine for no longer than
 * a session, and the part keeps no state of ours between two of them.
 *
 * Statuses that every entry point which talks to a part can return:
 *   PSA_ERROR_COMMUNICATION_FAILURE  it does not answer, it lost its engine's key on the way, or it
 *                                    is another part than the one that holds the key
 *   PSA_ERROR_INVALID_HANDLE         the slot has another key than the one asked for, or none
 *   PSA_ERROR_NOT_PERMITTED          the slot's usage, or its policy, forbids it
 *   PSA_ERROR_HARDWARE_FAILURE       the part reports a fault, or says what it never should
 */
#ifndef KEYSLOTS_PART_H
#define KEYSLOTS_PART_H

#include <stddef.h>
#include <stdint.h>

#include <psa/crypto_library.h>

#include "keyslots_contexts.h"
#include "keyslots_device.h"

enum {
    KEYSLOTS_IDENTIFY = 1,
    KEYSLOTS_LOOK,
    KEYSLOTS_PROVISION,
    KEYSLOTS_GENERATE,
    KEYSLOTS_REVOKE,
    KEYSLOTS_PUSH,
    KEYSLOTS_RUN,
    KEYSLOTS_DROP,
};

/* States of a slot, its policies, and the bits that say what its key may be pushed for. */
enum { KEYSLOTS_EMPTY, KEYSLOTS_PROVISIONED, KEYSLOTS_REVOKED, KEYSLOTS_TORN };
enum { KEYSLOTS_ROTATING, KEYSLOTS_SINGLE, KEYSLOTS_LOCKED };
enum { KEYSLOTS_ENCRYPT = 1, KEYSLOTS_DECRYPT = 2, KEYSLOTS_COUNTER = 4, KEYSLOTS_MAC = 8 };
#define KEYSLOTS_ALL_USAGE 15u

/* Functions of the engine in one command. */
enum {
    KEYSLOTS_ECB_ENCRYPT,
    KEYSLOTS_ECB_DECRYPT,
    KEYSLOTS_CBC_ENCRYPT,
    KEYSLOTS_CBC_DECRYPT,
    KEYSLOTS_CTR,
    KEYSLOTS_MAC_MORE,
    KEYSLOTS_MAC_LAST,
};

#define KEYSLOTS_SERIAL_SIZE 4u
#define KEYSLOTS_LAST_REVISION 0xFFFFu

/*
 * The key context. All but the flags is the part's own name for a key, its reference. It is
 * sent unchanged. The part rejects references of other parts, or of an earlier key of the slot.
 */
struct keyslots_key {
    uint8_t serial[KEYSLOTS_SERIAL_SIZE];
    uint8_t revision[2]; /* of the slot, low byte first: how many keys it has had */
    uint8_t slot;
    uint8_t flags;
};
#define KEYSLOTS_REFERENCE_SIZE 7u
#define KEYSLOTS_KEY_CREATED 0x01u  /* an application may rely on it */
#define KEYSLOTS_KEY_ATTACHED 0x02u /* it was there before: it is not ours to revoke */

/* A slot as the part describes it. */
struct keyslots_look {
    uint8_t state;
    uint8_t policy;
    uint8_t usage;
    uint8_t size; /* of its key in bytes */
    uint16_t revision;
};

struct keyslots_session {
    const struct keyslots_device *device;
    uint8_t pushed; /* the use for which its key was pushed; 0: nothing is in the engine */
    uint8_t command[1 + 1 + KEYSLOTS_BLOCK_SIZE + KEYSLOTS_DATA_SIZE];
    uint8_t answer[1 + KEYSLOTS_BLOCK_SIZE + KEYSLOTS_DATA_SIZE];
};

/* Begin a session: take the part's lock. Nothing is sent. keyslots_close() follows in any case. */
void keyslots_open(struct keyslots_session *session, const struct keyslots_device *device);

/* End it: the engine forgets its key, buffers are wiped, the lock is given back. Returns
 * `status`. */
psa_status_t keyslots_close(struct keyslots_session *session, psa_status_t status);

/* Where a command's arguments go, and the result of one that succeeded is. */
static inline uint8_t *keyslots_arguments(struct keyslots_session *session)
{
    return session->command + 1;
}

static inline const uint8_t *keyslots_result(const struct keyslots_session *session)
{
    return session->answer + 1;
}

/* Send a command with `input_size` bytes of arguments and fetch its result of `output_size`. Never
 * sent twice: nothing tells whether a command whose answer is lost was carried out. */
psa_status_t keyslots_execute(struct keyslots_session *session, uint8_t command, size_t input_size,
                              size_t output_size);

/* Execute a command about a key; `more` further arguments are behind the reference already. */
psa_status_t keyslots_execute_for(struct keyslots_session *session, uint8_t command,
                                  const struct keyslots_key *key, size_t more);

/* Ask which part this is: the serial number of a new key's context. */
psa_status_t keyslots_identify(struct keyslots_session *session, struct keyslots_key *key);

psa_status_t keyslots_look(struct keyslots_session *session, uint8_t slot,
                           struct keyslots_look *look);

/* Begin a session with the part of an operation's key, and push that for what `mode` needs. */
psa_status_t keyslots_open_reference(struct keyslots_session *session,
                                     const keyslots_reference_t *reference, uint8_t mode);

/* Remember the key of an operation. */
void keyslots_refer(keyslots_reference_t *reference, const psa_key_attributes_t *attributes,
                    const uint8_t *key_buffer);

/*
 * Let the engine run over at most KEYSLOTS_DATA_SIZE bytes; `state` is the chaining value of the
 * mode, and is updated. Whole blocks but for KEYSLOTS_MAC_LAST, and as much output, which may be at
 * the place of the input; none of a MAC, whose value is the state. On failure nothing is changed.
 */
psa_status_t keyslots_run(struct keyslots_session *session, uint8_t mode,
                          uint8_t state[KEYSLOTS_BLOCK_SIZE], const uint8_t *input, size_t length,
                          uint8_t *output);

#endif
