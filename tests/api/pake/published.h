/* SPDX-License-Identifier: Apache-2.0 */
/* The published exchange on P-256 with SHA-256: tests/vectors/jpake.py writes the values. */
#ifndef PUBLISHED_H
#define PUBLISHED_H

#include <stddef.h>
#include <stdint.h>

/* The message of a step. */
struct published_value {
    size_t length;
    uint8_t data[65];
};

extern const uint8_t published_password[15];
/* The scalars that the client draws, and the server. */
extern const uint8_t published_x1[32];
extern const uint8_t published_x2[32];
extern const uint8_t published_x3[32];
extern const uint8_t published_x4[32];
/* Their messages, in the order of the steps. */
extern const struct published_value published_client[9];
extern const struct published_value published_server[9];
extern const uint8_t published_shared_key[65];
extern const uint8_t published_pms[32];

#endif
