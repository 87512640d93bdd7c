/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of a text that comes in parts. */
#include "../show.h"

static psa_status_t hash_parts(uint8_t hash[PSA_HASH_LENGTH(PSA_ALG_SHA_256)], size_t *length)
{
    static const uint8_t parts[2][10] = {"one text, ", "two parts."};
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;

    psa_status_t status = psa_hash_setup(&operation, PSA_ALG_SHA_256);
    for (unsigned i = 0; i < 2 && status == PSA_SUCCESS; i++) {
        status = psa_hash_update(&operation, parts[i], sizeof parts[i]);
    }
    status =
        THEN(status, psa_hash_finish(&operation, hash, PSA_HASH_LENGTH(PSA_ALG_SHA_256), length));
    /* After a failure the operation is given back; after success this does nothing. */
    (void)psa_hash_abort(&operation);
    return status;
}

int main(void)
{
    uint8_t hash[PSA_HASH_LENGTH(PSA_ALG_SHA_256)];
    size_t length = 0;

    psa_status_t status = psa_crypto_init();
    status = THEN(status, hash_parts(hash, &length));
    show("hash", hash, length);
    return show_end(status);
}
