/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a transport does for the trusted side: it alone knows which memory is a client's. `client`
 * is whoever it let in, never what a message says. What a client stores is its number's, and so are
 * its secret of the device and its tokens. A number is given to one client for as long as the
 * storage lives (with CORRAL_HARDWARE_KEY or CORRAL_ATTESTATION: the device), and not again to
 * another.
 *
 * corral_wall_serve() serves one call at a time, and meanwhile corral_owner says whose. The trusted
 * side's own program must not call the API in between: whatever calls it beside the transport (an
 * interrupt, another thread) waits until the call is served, or masks what would serve one. A key
 * that it made there would be the client's.
 *
 * The functions for buffers are never asked about 0 bytes: an input or output of none has no
 * address that anybody looks at. So a copy may be a loop that ends behind its first block, and the
 * last byte's address be length - 1 further. tests/proofs claims it of serve.c.
 */
#ifndef CORRAL_WALL_TRUSTED_TRANSPORT_H
#define CORRAL_WALL_TRUSTED_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "../../core/common/owner.h"
#include "../call.h"

/*
 * Who is served, if the entrance says `client`: the same, or, of a transport with one client, that
 * (only_client.h).
 */
corral_owner_t corral_wall_who(corral_owner_t client);

/* That client's number, which its entrance says. */
#define CORRAL_WALL_ONLY_CLIENT 1u

/*
 * Copy a message, and write the reply of one at its beginning, as the functions below do. Of a
 * message the client may write all; where a compiler would not put one (it is aligned as a pointer)
 * is none. What its function does not use (corral_wall_shapes) need not be copied, and serve.c
 * believes none of it; of the reply what the function has is enough, which is little if that
 * is_short (as its shape says), and nothing is written back that was not copied.
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
 * What it may do can have changed during the call. Where it cannot, nothing has to be checked
 * again: serve.c writes no more than corral_wall_accepts() was asked about, and the reply into a
 * message that was fetched. */
bool corral_wall_deliver(corral_owner_t client, void *to, const void *from, size_t length);

#endif
