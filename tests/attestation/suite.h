/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens, and the device's secret for a caller: said to tests/attestation/test_attestation.py. */
#ifndef TEST_ATTESTATION_SUITE_H
#define TEST_ATTESTATION_SUITE_H

#include "../harness/harness.h"

extern const struct test_suite suite_attestation;

/* A line `token CHALLENGE TOKEN`, in hexadecimal, of whoever calls. */
void attestation_say_token(size_t challenge_size);

/* What 32 bytes of HKDF with the caller's hardware key are; also a line `derived OUTPUT`. */
void attestation_say_derived(uint8_t output[32]);

#endif
