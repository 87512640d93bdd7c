/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the API that bring secrets to a driver, in a program for 8 KB of RAM: the simulator
 * watches what they leave on the stack (sim/mega2560/frames.h). It is run with two files of
 * entropy, from which all secrets are; whatever else differs is printed, as public.
 */
#ifndef TEST_WIPERS_H
#define TEST_WIPERS_H

#include "../common/subject.h"

/* Generated: a call for each case, of one of the functions below, and the point of a peer. */
void wipers_rows(void);
extern const uint8_t wipers_peer[];
extern const size_t wipers_peer_size;

/* Work with what a row of subject_rows (subject.h) describes, by its kind. */
void wipers_hash(psa_algorithm_t alg);
void wipers_xof(psa_algorithm_t alg);
void wipers_random(void);
void wipers_mac(psa_algorithm_t alg, psa_key_type_t type, size_t bits);
void wipers_cipher(psa_algorithm_t alg, psa_key_type_t type, size_t bits);
void wipers_aead(psa_algorithm_t alg, psa_key_type_t type, size_t bits);
void wipers_wrap(psa_algorithm_t alg, psa_key_type_t type, size_t bits);
void wipers_derivation(psa_algorithm_t alg, psa_key_type_t type, size_t bits);
void wipers_generation(psa_key_type_t type, size_t bits);
void wipers_export(psa_key_type_t type, size_t bits);
void wipers_agreement(psa_algorithm_t alg, psa_key_type_t type, size_t bits);
void wipers_signature(enum subject_kind kind, psa_algorithm_t alg, psa_key_type_t type,
                      size_t bits);

/* End the program unless a call succeeded. */
void wipers_need(psa_status_t status);

/* Print what is no secret. */
void wipers_public(const uint8_t *data, size_t size);

/* Secret bytes: from the entropy, and not by way of the driver. */
void wipers_draw(uint8_t *output, size_t size);

/* A key of secret bytes. 0 `bits`: of a length that the algorithm takes. */
psa_key_id_t wipers_key(psa_algorithm_t alg, psa_key_type_t type, size_t bits,
                        psa_key_usage_t usage);

#endif
