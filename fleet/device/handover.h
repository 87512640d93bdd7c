/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handing over: the old key says who succeeds it (PROTOCOL.md, 7). Its statement is
 * stored before the successor counts and the old key is destroyed. It stays until a
 * server that may have received it has registered the successor, so power may fail at
 * any time. One that no message holds keeps no successor away, and goes when that is
 * registered without it. There is an entry for the successor at each of the two places
 * for keys, which goes with them. All of this is there where FLEET_HANDS_OVER.
 */
#ifndef FLEET_HANDOVER_H
#define FLEET_HANDOVER_H

#include "identity.h"
#include "sequence.h"
#include "sizes.h"

#define FLEET_HANDOVER "cf1-handover" /* the context of its signature */

/*
 * Write the statement of `identity` that it is succeeded.
 *   number  of the sequence of the key that signs, used for nothing else
 *   output  FLEET_HANDOVER_SIZE bytes
 *   written length, 0 on failure
 *   PSA_ERROR_BUFFER_TOO_SMALL  FLEET_STATEMENT_SIZE is
 *   whatever else exporting public keys and signing return
 */
psa_status_t fleet_handover_write(const struct fleet_identity *identity,
                                  const struct fleet_identity *successor,
                                  const struct fleet_number *number, uint8_t *output,
                                  size_t *length);

/*
 * Sign with the next number, and store what was signed.
 *   as fleet_handover_write() has it, and whatever fleet_sequence_start(), fleet_sequence_take()
 *   and psa_its_set() return; then nothing is stored
 */
psa_status_t fleet_handover_keep(const struct fleet_identity *identity,
                                 const struct fleet_identity *successor);

/*
 * Whether the statement about this identity has still to be sent.
 *   PSA_ERROR_DOES_NOT_EXIST  nothing is
 *   whatever else psa_its_get_info() returns
 */
psa_status_t fleet_handover_find(const struct fleet_identity *successor);

/*
 * Read what is to be sent.
 *   output  `size` bytes
 *   PSA_ERROR_BUFFER_TOO_SMALL  it is longer
 *   whatever else psa_its_get_info() and psa_its_get() return
 */
psa_status_t fleet_handover_read(const struct fleet_identity *successor, uint8_t *output,
                                 size_t size, size_t *length);

/*
 * Forget what was said about an identity; nothing is no error.
 *   whatever else psa_its_remove() returns
 */
psa_status_t fleet_handover_forget(const struct fleet_identity *successor);

/*
 * fleet_identity_reset(), and before the new identity counts the old key says that it succeeds,
 * which is stored.
 *   PSA_ERROR_BAD_STATE  what was said about this identity is still to be sent; nothing was changed
 *   as fleet_identity_start(), fleet_identity_reset() and fleet_handover_keep() have it; if the new
 *   identity counts, what was said is stored
 */
psa_status_t fleet_hand_over(struct fleet_identity *identity);

#endif
