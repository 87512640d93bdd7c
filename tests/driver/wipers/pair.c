/* SPDX-License-Identifier: Apache-2.0 */
#include "wipers.h"

#define USAGES (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_DERIVE)
/* A point or a signature of the largest curve. */
#define ROOM 133u
#define SCALAR_ROOM 66u
#define INPUT_SIZE 64u

static psa_key_attributes_t attributes_of(struct wipers_case is)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, is.type);
    psa_set_key_bits(&attributes, is.bits);
    psa_set_key_algorithm(&attributes, is.alg);
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
static psa_key_id_t import(struct wipers_case is)
{
    const psa_key_attributes_t attributes = attributes_of(is);
    uint8_t scalar[SCALAR_ROOM];
    psa_key_id_t key;

    wipers_draw(scalar, sizeof scalar);
    if (is.bits % 8 != 0) {
        scalar[0] = 0;
    }
    wipers_need(psa_import_key(&attributes, scalar, (is.bits + 7) / 8, &key));
    return key;
}

enum input { HASH, MESSAGE, HASH_CONTEXT, MESSAGE_CONTEXT };

static void sign(enum input what, psa_key_id_t key, psa_algorithm_t alg)
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
    switch (what) {
    case MESSAGE:
        status = psa_sign_message(key, alg, input, size, signature, ROOM, &length);
        break;
    case HASH:
        status = psa_sign_hash(key, alg, input, size, signature, ROOM, &length);
        break;
    case HASH_CONTEXT:
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

WIPERS_CALL(generate)
{
    const psa_key_attributes_t attributes = attributes_of(is);
    psa_key_id_t key;

    wipers_need(psa_generate_key(&attributes, &key));
    publish(key);
    wipers_need(psa_destroy_key(key));
}

WIPERS_CALL(export_public)
{
    const psa_key_id_t key = import(is);

    publish(key);
    wipers_need(psa_destroy_key(key));
}

static void sign_once(enum input what, struct wipers_case is)
{
    const psa_key_id_t key = import(is);

    sign(what, key, is.alg);
    wipers_need(psa_destroy_key(key));
}

WIPERS_CALL(sign_hash)
{
    sign_once(HASH, is);
}

WIPERS_CALL(sign_message)
{
    sign_once(MESSAGE, is);
}

WIPERS_CALL(sign_hash_context)
{
    sign_once(HASH_CONTEXT, is);
}

WIPERS_CALL(sign_message_context)
{
    sign_once(MESSAGE_CONTEXT, is);
}

WIPERS_CALL(agreement)
{
    const psa_key_id_t key = import(is);

    agree(key, is.alg);
    wipers_need(psa_destroy_key(key));
}
