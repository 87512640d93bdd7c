/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module and its tokens, for one call of an entry point at a time. Each token keeps one session
 * open between the calls, because volatile keys end with it. A call
 *
 *     pkcs11_open(); ...; return pkcs11_close(&call, status);
 *
 * holds the module's lock in between.
 */
#ifndef PKCS11_TOKEN_H
#define PKCS11_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/devices.h>
#include <psa/crypto.h>

#include "cryptoki.h"

/* One call's view of a token. */
struct pkcs11_call {
    const struct pkcs11_device *device;
    const struct cryptoki_functions *functions;
    CK_SESSION_HANDLE session;
    unsigned lock;
    bool is_new;  /* this call opened the session: volatile keys of earlier ones are gone */
    bool is_lost; /* the session is of no use any more */
};

/*
 * Begin a call: take the lock, load the module, find the token, log in, as far as that has not been
 * done. pkcs11_close() ends the call also after a failure.
 *   PSA_ERROR_COMMUNICATION_FAILURE  no such module, or no such token; a later call tries again
 *   PSA_ERROR_NOT_PERMITTED          the token rejects the PIN (see README), or several tokens have
 *                                    this label
 *   statuses of corral_port_element_pin()
 */
psa_status_t pkcs11_open(struct pkcs11_call *call, size_t index);

/*
 * Ask whether the session is still logged in. Otherwise the token hides its keys, and not to find
 * one means nothing.
 *   PSA_ERROR_COMMUNICATION_FAILURE  it is not; the next call logs in
 */
psa_status_t pkcs11_confirm(struct pkcs11_call *call);

/*
 * Show the token the PIN for the operation that has begun: its key asks for it each time.
 *   PSA_ERROR_NOT_PERMITTED  as pkcs11_open()
 */
psa_status_t pkcs11_authenticate(struct pkcs11_call *call);

/* End a call: close a session that is of no use, give back the lock, and return `status`. */
psa_status_t pkcs11_close(struct pkcs11_call *call, psa_status_t status);

/* The status for a function's result. Notes in the call if its session is lost. */
psa_status_t pkcs11_status(struct pkcs11_call *call, CK_RV result);

/* A length that the module reports and that cannot be: the module is not to be trusted on. */
psa_status_t pkcs11_lied(struct pkcs11_call *call);

#endif
