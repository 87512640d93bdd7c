/* SPDX-License-Identifier: Apache-2.0 */
/* A key made at the place agrees on a secret with a peer, whose key is local and made to be shown.
 */
#include "zoo.h"

#define PRIVATE_SIZE 32 /* of both curves */

struct curve {
    const char *mechanism;
    const char *title;
    const char *openssl_name;
    psa_key_type_t pair;
    size_t bits;
};

static const struct curve curves[] = {
    {"ECDH_SECP_R1_256", "ECDH P-256", "P-256", PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1),
     256},
    {"ECDH_MONTGOMERY_255", "X25519", "X25519",
     PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY), 255},
};

struct agreement {
    uint8_t peer_private[PRIVATE_SIZE];
    size_t peer_private_length;
    uint8_t peer_public[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
    size_t peer_public_length;
    uint8_t public_key[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
    size_t public_key_length;
    uint8_t shared[PSA_RAW_KEY_AGREEMENT_OUTPUT_MAX_SIZE];
    size_t shared_length;
};

static bool make_peer(struct item *item, const struct curve *curve, struct agreement *made)
{
    const struct place local = {"", PSA_KEY_LOCATION_LOCAL_STORAGE};
    const psa_key_attributes_t attributes =
        attributes_at(&local, curve->pair, curve->bits, PSA_ALG_ECDH, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t peer;

    if (!item_ok(item, "psa_generate_key", psa_generate_key(&attributes, &peer))) {
        return false;
    }
    item_ok(item, "psa_export_key",
            psa_export_key(peer, made->peer_private, sizeof made->peer_private,
                           &made->peer_private_length));
    item_ok(item, "psa_export_public_key",
            psa_export_public_key(peer, made->peer_public, sizeof made->peer_public,
                                  &made->peer_public_length));
    destroy(item, peer);
    return item->status == PSA_SUCCESS;
}

static void agree(struct item *item, const psa_key_attributes_t *attributes, struct agreement *made)
{
    psa_key_id_t key;

    if (!item_ok(item, "psa_generate_key", psa_generate_key(attributes, &key))) {
        return;
    }
    item_ok(item, "psa_export_public_key",
            psa_export_public_key(key, made->public_key, sizeof made->public_key,
                                  &made->public_key_length));
    item_ok(item, "psa_raw_key_agreement",
            psa_raw_key_agreement(PSA_ALG_ECDH, key, made->peer_public, made->peer_public_length,
                                  made->shared, sizeof made->shared, &made->shared_length));
    destroy(item, key);
}

static void show(const struct place *place, const struct curve *curve)
{
    const psa_key_attributes_t attributes =
        attributes_at(place, curve->pair, curve->bits, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);
    struct agreement made = {0};
    struct item item;

    item_begin(&item, curve->mechanism, curve->title, place);
    if (make_peer(&item, curve, &made)) {
        agree(&item, &attributes, &made);
    }
    if (item.status == PSA_SUCCESS) {
        item_text("check", "ecdh");
        item_text("curve", curve->openssl_name);
        item_bytes("public_key", made.public_key, made.public_key_length);
        item_bytes("peer_private", made.peer_private, made.peer_private_length);
        item_bytes("peer_public", made.peer_public, made.peer_public_length);
        item_bytes("shared", made.shared, made.shared_length);
    }
    item_end(&item);
}

void show_agreements(const struct place *place)
{
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        show(place, &curves[i]);
    }
}
