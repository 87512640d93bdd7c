/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program for a build of one mechanism. The mechanism comes as definitions:
 *   ALG        algorithm; POLICY the one of the key, which may be a wildcard for it
 *   TYPE, BITS key; MATERIAL its bytes, or generated where there is none
 *   PRIMITIVE  of a password-authenticated key exchange, ROLE this side's
 */
#ifndef ALONE_H
#define ALONE_H

#include <stdbool.h>

#include <psa/crypto.h>

/* Whether a call succeeded; a failure is printed. */
bool did(psa_status_t status, const char *call);
#define DID(call) did((call), #call)
/* The same for a condition. */
bool holds(bool is_true, const char *what);
#define HOLDS(what) holds((what), #what)

/* Create the key, for these usages. */
bool create(psa_key_usage_t usage, psa_key_id_t *key);

/* Use the mechanism once. */
bool use(void);

#endif
