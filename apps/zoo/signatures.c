/* SPDX-License-Identifier: Apache-2.0 */
/* Keys made in their location; only the public key and a signature are visible. */
#include "zoo.h"

#define SIGNATURE_SIZE 64 /* of both: ECDSA with P-256, and Ed25519 */

struct signing {
    uint8_t digest[DIGEST_SIZE]; /* of the input */
    uint8_t signature[SIGNATURE_SIZE];
    size_t signature_length;
    uint8_t public_key[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
    size_t public_key_length;
};

static void sign_with_ecdsa(struct item *item, psa_key_id_t key, struct signing *made)
{
    const psa_algorithm_t alg = PSA_ALG_ECDSA(PSA_ALG_SHA_256);

    if (item_ok(item, "psa_sign_hash",
                psa_sign_hash(key, alg, made->digest, sizeof made->digest, made->signature,
                              sizeof made->signature, &made->signature_length))) {
        item_ok(item, "psa_verify_hash",
                psa_verify_hash(key, alg, made->digest, sizeof made->digest, made->signature,
                                made->signature_length));
    }
}

/* This algorithm takes its message in one piece: here the digest of the input is the message. */
static void sign_with_eddsa(struct item *item, psa_key_id_t key, struct signing *made)
{
    const psa_algorithm_t alg = PSA_ALG_PURE_EDDSA;

    if (item_ok(item, "psa_sign_message",
                psa_sign_message(key, alg, made->digest, sizeof made->digest, made->signature,
                                 sizeof made->signature, &made->signature_length))) {
        item_ok(item, "psa_verify_message",
                psa_verify_message(key, alg, made->digest, sizeof made->digest, made->signature,
                                   made->signature_length));
    }
}

typedef void sign_function(struct item *item, psa_key_id_t key, struct signing *made);

/* Make a key, sign, verify, give its public part and destroy it. */
static bool sign(struct item *item, const psa_key_attributes_t *attributes,
                 sign_function *sign_digest, struct signing *made)
{
    psa_key_id_t key;
    size_t length;

    if (!hash_input(item, PSA_ALG_SHA_256, made->digest, sizeof made->digest, &length) ||
        !item_ok(item, "psa_generate_key", psa_generate_key(attributes, &key))) {
        return false;
    }
    sign_digest(item, key, made);
    item_ok(item, "psa_export_public_key",
            psa_export_public_key(key, made->public_key, sizeof made->public_key,
                                  &made->public_key_length));
    destroy(item, key);
    return item->status == PSA_SUCCESS;
}

static void print(const struct signing *made)
{
    item_bytes("public_key", made->public_key, made->public_key_length);
    item_bytes("signature", made->signature, made->signature_length);
}

static void show_ecdsa(const struct place *place)
{
    const psa_key_attributes_t attributes = attributes_at(
        place, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256,
        PSA_ALG_ECDSA(PSA_ALG_SHA_256), PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH);
    struct signing made;
    struct item item;

    item_begin(&item, "ECDSA_SIGN_SECP_R1_256", "ECDSA P-256, SHA-256", place);
    if (sign(&item, &attributes, sign_with_ecdsa, &made)) {
        item_text("check", "ecdsa");
        item_text("curve", "P-256");
        item_text("hash", "sha256");
        print(&made);
    }
    item_end(&item);
}

static void show_eddsa(const struct place *place)
{
    const psa_key_attributes_t attributes = attributes_at(
        place, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS), 255, PSA_ALG_PURE_EDDSA,
        PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    struct signing made;
    struct item item;

    item_begin(&item, "PURE_EDDSA_SIGN_TWISTED_EDWARDS_255", "Ed25519", place);
    if (sign(&item, &attributes, sign_with_eddsa, &made)) {
        item_text("check", "eddsa");
        item_text("curve", "Ed25519");
        item_bytes("message", made.digest, sizeof made.digest);
        print(&made);
    }
    item_end(&item);
}

void show_signatures(const struct place *place)
{
    show_ecdsa(place);
    show_eddsa(place);
}
