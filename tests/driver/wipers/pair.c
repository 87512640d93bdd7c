/* SPDX-License-Identifier: Apache-2.0 */
#include "wipers.h"

#define USAGES (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_DERIVE)
/* A point or a signature of the largest curve. */
#define ROOM 133u
#define SCALAR_ROOM 66u
#define INPUT_SIZE 64u

static psa_key_attributes_t attributes_for(psa_algorithm_t alg, psa_key_type_t type, size_t bits)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, bits);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, USAGES);
    return attributes;
}

static void publish(psa_key_id_t key)
{
    uint8_t point[ROOM];
    size_t length;

    wipers_need(psa_export_public_key(key, point, sizeof point, &length));
    wipers_public(point, length);
}

/* A pair from random bytes, where nothing is generated: alone, code of a library is inlined. */
static psa_key_id_t import(psa_algorithm_t alg, psa_key_type_t type, size_t bits)
{
    const psa_key_attributes_t attributes = attributes_for(alg, type, bits);
    uint8_t scalar[SCALAR_ROOM];
    psa_key_id_t key;

    wipers_draw(scalar, sizeof scalar);
    if (bits % 8 != 0) {
        scalar[0] = 0;
    }
    wipers_need(psa_import_key(&attributes, scalar, (bits + 7) / 8, &key));
    return key;
}

static void sign(enum subject_kind kind, psa_key_id_t key, psa_algorithm_t alg)
{
    static const uint8_t context[1] = "x";
    const size_t of_alg = PSA_HASH_LENGTH(PSA_ALG_GET_HASH(alg));
    const size_t size = of_alg == 0 ? 32 : of_alg;
    uint8_t input[INPUT_SIZE];
    uint8_t signature[ROOM];
    size_t length;
    psa_status_t status;

    wipers_draw(input, sizeof input);
    wipers_public(input, sizeof input);
    switch (kind) {
    case SUBJECT_SIGN_MESSAGE:
        status = psa_sign_message(key, alg, input, size, signature, ROOM, &length);
        break;
    case SUBJECT_SIGN_HASH:
        status = psa_sign_hash(key, alg, input, size, signature, ROOM, &length);
        break;
    case SUBJECT_SIGN_HASH_CONTEXT:
        status =
            psa_sign_hash_with_context(key, alg, input, size, context, 1, signature, ROOM, &length);
        break;
    default:
        status = psa_sign_message_with_context(key, alg, input, size, context, 1, signature, ROOM,
                                               &length);
        break;
    }
    wipers_need(status);
    wipers_public(signature, length);
}

static void agree(psa_key_id_t key, psa_algorithm_t alg)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t shared[SCALAR_ROOM];
    psa_key_id_t agreed;
    size_t length;

    wipers_need(psa_raw_key_agreement(alg, key, wipers_peer, wipers_peer_size, shared,
                                      sizeof shared, &length));
    psa_set_key_type(&attributes, PSA_KEY_TYPE_RAW_DATA);
    wipers_need(psa_key_agreement(key, wipers_peer, wipers_peer_size, alg, &attributes, &agreed));
    wipers_need(psa_destroy_key(agreed));
}

void wipers_generation(psa_key_type_t type, size_t bits)
{
    const psa_key_attributes_t attributes = attributes_for(PSA_ALG_NONE, type, bits);
    psa_key_id_t key;

    wipers_need(psa_generate_key(&attributes, &key));
    publish(key);
    wipers_need(psa_destroy_key(key));
}

void wipers_export(psa_key_type_t type, size_t bits)
{
    const psa_key_id_t key = import(PSA_ALG_NONE, type, bits);

    publish(key);
    wipers_need(psa_destroy_key(key));
}

void wipers_signature(enum subject_kind kind, psa_algorithm_t alg, psa_key_type_t type, size_t bits)
{
    const psa_key_id_t key = import(alg, type, bits);

    sign(kind, key, alg);
    wipers_need(psa_destroy_key(key));
}

void wipers_agreement(psa_algorithm_t alg, psa_key_type_t type, size_t bits)
{
    const psa_key_id_t key = import(alg, type, bits);

    agree(key, alg);
    wipers_need(psa_destroy_key(key));
}
