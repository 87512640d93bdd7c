/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A known private key into every place: memory, an element with a write key, one without. Prints
 * the status of each step with its place; the caller knows which steps have to fail, and how.
 */
#include <string.h>

#include "../../harness/material.h"
#include "../places.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA_256 PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define MAX_PAIRS 8

static psa_key_attributes_t pair_at(size_t place, psa_key_usage_t usage)
{
    return attributes_at(place, PAIR, 0, ECDSA_256,
                         PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH | usage);
}

/* It has the known public key, signs, stays where it is, and goes. */
static void use(size_t place, psa_key_id_t key)
{
    uint8_t data[65];
    uint8_t signature[64];
    size_t length;

    report(place, "export-public", psa_export_public_key(key, data, sizeof data, &length));
    report_text(place, memcmp(data, p256_public, sizeof data));
    report(place, "sign",
           psa_sign_hash(key, ECDSA_256, p256_hash, 32, signature, sizeof signature, &length));
    report(place, "verify", psa_verify_hash(key, ECDSA_256, p256_hash, 32, signature, length));
    report(place, "export", psa_export_key(key, data, sizeof data, &length));
    report(place, "destroy", psa_destroy_key(key));
}

static psa_status_t import(size_t place, size_t size, psa_key_id_t *key)
{
    const psa_key_attributes_t attributes = pair_at(place, PSA_KEY_USAGE_EXPORT);
    static const uint8_t zeros[32];

    return psa_import_key(&attributes, size == 0 ? zeros : p256_private, size == 0 ? 32 : size,
                          key);
}

/* A key in memory, copied to where it can go. */
static psa_status_t copy(size_t place, psa_key_id_t *key)
{
    const psa_key_attributes_t here = pair_at(0, PSA_KEY_USAGE_COPY);
    const psa_key_attributes_t there = pair_at(place, 0);
    psa_key_id_t source;

    psa_status_t status = psa_import_key(&here, p256_private, 32, &source);
    if (status == PSA_SUCCESS) {
        status = psa_copy_key(source, &there, key);
        (void)psa_destroy_key(source);
    }
    return status;
}

/* Take every slot of the element, and try to import into none. */
static void fill(size_t place)
{
    psa_key_attributes_t attributes = pair_at(place, 0);
    psa_key_id_t keys[MAX_PAIRS];
    psa_key_id_t key;
    size_t count = 0;

    psa_set_key_bits(&attributes, 256);
    while (count < MAX_PAIRS && psa_generate_key(&attributes, &keys[count]) == PSA_SUCCESS) {
        count++;
    }
    report(place, "generate-full", psa_generate_key(&attributes, &key));
    report(place, "import-full", import(place, 32, &key));
    while (count > 0) {
        report(place, "destroy", psa_destroy_key(keys[--count]));
    }
}

static void try_place(size_t place)
{
    psa_key_id_t key;

    psa_status_t status = import(place, 32, &key);
    report(place, "import", status);
    if (status == PSA_SUCCESS) {
        use(place, key);
    }
    report(place, "import-short", import(place, 31, &key));
    report(place, "import-zero", import(place, 0, &key));
    if (place > 0) {
        status = copy(place, &key);
        report(place, "copy", status);
        if (status == PSA_SUCCESS) {
            use(place, key);
        }
        fill(place);
    }
}

int main(void)
{
    return at_each_place(try_place);
}
