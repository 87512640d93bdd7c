/* SPDX-License-Identifier: Apache-2.0 */
/* A personalised chip, and the digests that a host computes beside it. */
#ifndef TESTS_SIM_READY_H
#define TESTS_SIM_READY_H

#include "host.h"

/* The slots of every chip below. */
enum {
    PRIVATE = 0,
    NEXT = 3,
    KEY = 4,
    SECRET = 5,
    IMPORT = 6,
    AES_KEY = 9,
    DERIVED = 10,
    PUBLIC = 11
};

extern uint8_t key[32];      /* the content of slot KEY */
extern uint8_t aes_keys[32]; /* the content of slot AES_KEY */
extern uint8_t serial[9];    /* of the chip made last */
extern uint8_t message[200]; /* something to work on */

/* A personalised chip: slot KEY is also the IO protection key. */
struct rig ready(void);

/* A random nonce in TempKey; value gets what TempKey must hold. */
void random_nonce(const struct rig *rig, uint8_t value[32]);

/* The form that most digests have: key, four bytes, three of the serial number, zeros, tail. */
void digest_form(const uint8_t first[32], const uint8_t header[4], size_t zeros,
                 const uint8_t *tail, size_t tail_length, uint8_t digest[32]);

/* GenDig with slot KEY over a random nonce; session gets what TempKey must hold. */
void session_key(const struct rig *rig, uint8_t session[32]);

#endif
