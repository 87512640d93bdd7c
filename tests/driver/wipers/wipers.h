/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the API that bring secrets to a driver, in a program for 8 KB of RAM: the simulator
 * watches what they leave on the stack (sim/mega2560/frames.h). It is run with two files of
 * entropy, from which all secrets are; whatever else differs is printed, as public.
 */
#ifndef TEST_WIPERS_H
#define TEST_WIPERS_H

#include <stddef.h>

#include <psa/crypto.h>

/* Generated: a call for each case, and the point of a peer. */
void wipers_rows(void);
extern const uint8_t wipers_peer[];
extern const size_t wipers_peer_size;

/* The values of a case: those that its kind does not have are none, or 0. */
struct wipers_case {
    psa_algorithm_t alg;
    psa_key_type_t type;
    size_t bits;
};

/* The head of the function for the cases `is` of a kind (../common): by its name it is found. */
#define WIPERS_CALL(kind)                                                                          \
    void wipers_##kind(struct wipers_case is);                                                     \
    void wipers_##kind(struct wipers_case is)

/* End the program unless a call succeeded. */
void wipers_need(psa_status_t status);

/* Print what is no secret. */
void wipers_public(const uint8_t *data, size_t size);

/* Secret bytes: from the entropy, and not by way of the driver. */
void wipers_draw(uint8_t *output, size_t size);

/* A key of secret bytes. 0 bits: of a length that the algorithm takes. */
psa_key_id_t wipers_key(struct wipers_case is, psa_key_usage_t usage);

#endif
