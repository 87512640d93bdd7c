/* SPDX-License-Identifier: Apache-2.0 */
/* One representative use of each mechanism, by the entry point that it is named after. */
#ifndef USES_H
#define USES_H

#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

/*
 * A mechanism, and the key that it is used with; length 0: there is none, or it is generated. Where
 * no driver signs, the signature that is verified is here, too.
 */
struct use {
    const char *mechanism;
    psa_status_t (*once)(const struct use *use);
    psa_algorithm_t alg;
    psa_key_type_t type;
    size_t bits;
    const uint8_t *key;
    size_t length;
    const uint8_t *signature;
    size_t signature_length;
};

/* Each does what else is needed, then the call that counts, and notes what this took. */
psa_status_t use_aead_encrypt(const struct use *use);
psa_status_t use_asymmetric_decrypt(const struct use *use);
psa_status_t use_asymmetric_encrypt(const struct use *use);
psa_status_t use_cipher_encrypt(const struct use *use);
psa_status_t use_export_public_key(const struct use *use);
psa_status_t use_generate_key(const struct use *use);
psa_status_t use_get_random(const struct use *use);
psa_status_t use_hash_compute(const struct use *use);
psa_status_t use_import_key(const struct use *use);
psa_status_t use_key_agreement(const struct use *use);
psa_status_t use_mac_compute(const struct use *use);
psa_status_t use_sign_hash(const struct use *use);
psa_status_t use_verify_hash(const struct use *use);
psa_status_t use_verify_message(const struct use *use);

#endif
