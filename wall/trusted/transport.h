/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of a transport for the trusted side: only the transport knows which
 * memory is a client's. `client` is the one it let in, never a number from a message.
 * Entries of a client are stored under its number, which also determines its secret of the
 * device and its tokens. A number is given to one client for as long as the storage lives
 * (with CORRAL_HARDWARE_KEY or CORRAL_ATTESTATION: the device), and not again to another.
 *
 * corral_wall_serve() runs one call at a time, and meanwhile corral_owner is its client.
 * The trusted side's own program must not call the API in between. Other callers (an
 * interrupt, another thread) wait until the call is finished, or mask the interrupts
 * that would begin one. A key that it made there would be the client's.
 *
 * The functions for buffers are never called with 0 bytes: the address of an empty input or
 * output is never read. A copy may therefore be a loop that ends behind its first block,
 * and the last byte's address be length - 1 further. tests/proofs checks this of serve.c.
 */
#ifndef CORRAL_WALL_TRUSTED_TRANSPORT_H
#define CORRAL_WALL_TRUSTED_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "../../core/common/owner.h"
#include "../call.h"

/*
 * The client that the entrance names: `client` itself, or the constant of a transport
 * with one client (only_client.h).
 */
corral_owner_t corral_wall_who(corral_owner_t client);

/* That client's number, which its entrance says. */
#define CORRAL_WALL_ONLY_CLIENT 1u

/*
 * Copy a message, and write the reply of one at its beginning, as the functions below do. Of a
 * message the client may write all; where a compiler would not put one (it is aligned as a pointer)
 * is none. Fields that its function does not use (corral_wall_shapes) need not be copied, and
 * serve.c does not rely on them. Of the reply only the function's fields are needed, which are
 * few if is_short (in its shape). Fields that were not copied are not written back.
 */
bool corral_wall_fetch_call(corral_owner_t client, struct corral_wall_call *to,
                            const struct corral_wall_call *from);
bool corral_wall_deliver_reply(corral_owner_t client, struct corral_wall_call *to,
                               const struct corral_wall_reply *from, bool is_short);

/* Copy from the client's memory. False, and nothing is copied: it may not read all of that. */
bool corral_wall_fetch(corral_owner_t client, void *to, const void *from, size_t length);

/* Whether the client may write all of a buffer; nothing is written. */
bool corral_wall_accepts(corral_owner_t client, const void *to, size_t length);

/* Copy into the client's memory. False, and nothing is copied: it may not write all of that, now.
 * Its rights can have changed during the call. If they cannot change, no second check
 * is needed: serve.c writes only into ranges that corral_wall_accepts() has accepted,
 * and the reply into a message that was fetched. */
bool corral_wall_deliver(corral_owner_t client, void *to, const void *from, size_t length);

#endif
