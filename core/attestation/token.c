/* SPDX-License-Identifier: Apache-2.0 */
/* Initial attestation: claims of RFC 9783 in a COSE_Sign1, written where the caller wants them. */
#include <psa/initial_attestation.h>

#include <corral/builtin_keys.h>
#include <corral/cbor.h>
#include <corral/dispatch/sign.h>
#include <corral/driver.h>
#include <corral/lock.h>
#include <corral/port.h>
#include <psa/crypto.h>

#include "../common/initialised.h"
#include "../common/output.h"
#include "../common/owner.h"
#include "../keys/hold.h"

#define HASH_SIZE 32u
#define SIGNATURE_SIZE 64u
#define PUBLIC_KEY_SIZE 65u
#define PROFILE "tag:psacertified.org,2023:psa#tfm"

/* The number of the trusted side's own program, or where there is no wall: never 0. */
#define OWN_CLIENT 1

/* Keys of claims, and keys of the entries for a part of the software (4.6). */
enum {
    NONCE = 10,
    INSTANCE = 256,
    EAT_PROFILE = 265,
    BOOT_SEED = 268,
    CLIENT = 2394,
    LIFECYCLE = 2395,
    IMPLEMENTATION = 2396,
    SOFTWARE = 2399,
    CLAIMS = 8,
    PART_TYPE = 1,
    PART_MEASUREMENT = 2,
    PART_VERSION = 4,
    PART_SIGNER = 5,
    PART_CLAIMS = 4
};

/* A COSE_Sign1 begins so (RFC 9052, 4.2): tag 18, four items, {1: -7} for ES256, an empty map. */
static const uint8_t cose_begin[] = {0xd2, 0x84, 0x43, 0xa1, 0x01, 0x26, 0xa0};
/* Of a token, beside its payload and the heads of that and of the signature. */
#define AROUND_SIZE (sizeof cose_begin + SIGNATURE_SIZE)
/* The signed bytes begin so (4.4): four items, the context, {1: -7}, no data of an application. */
static const uint8_t signed_begin[] = {0x84, 0x6a, 'S', 'i',  'g',  'n',  'a',  't', 'u',
                                       'r',  'e',  '1', 0x43, 0xa1, 0x01, 0x26, 0x40};

/* The content of a token, and its length. */
struct token {
    const uint8_t *challenge;
    size_t challenge_size;
    int32_t client;
    struct corral_attested attested;
    uint8_t boot_seed[HASH_SIZE];
    uint8_t instance[1 + HASH_SIZE]; /* 1: a random number, or what is as good as one */
    size_t payload_size;
    size_t size;
};

/* Of this start: two tokens with one value were made without a restart in between. */
static uint8_t boot_seed[HASH_SIZE];
static bool has_boot_seed;

static psa_status_t take_boot_seed(uint8_t seed[HASH_SIZE])
{
    psa_status_t status = psa_generate_random(seed, HASH_SIZE);

    if (status == PSA_SUCCESS) {
        corral_lock_enter(CORRAL_LOCK_CORE);
        if (!has_boot_seed) {
            corral_copy(boot_seed, seed, HASH_SIZE);
            has_boot_seed = true;
        }
        corral_copy(seed, boot_seed, HASH_SIZE);
        corral_lock_leave(CORRAL_LOCK_CORE);
    }
    return status;
}

/* The verifier identifies the device by the hash of its public key. */
static psa_status_t identify(uint8_t instance[1 + HASH_SIZE])
{
    uint8_t key[PUBLIC_KEY_SIZE];
    size_t length;

    psa_status_t status = psa_export_public_key(CORRAL_KEY_ATTESTATION, key, sizeof key, &length);
    if (status == PSA_SUCCESS) {
        status = psa_hash_compute(PSA_ALG_SHA_256, key, length, instance + 1, HASH_SIZE, &length);
    }
    instance[0] = 1;
    return status;
}

static void write_bytes(struct corral_cbor *writer, int32_t key, const uint8_t *data, size_t size)
{
    corral_cbor_int(writer, key);
    corral_cbor_bytes(writer, data, size);
}

static void write_text(struct corral_cbor *writer, int32_t key, const char *text)
{
    corral_cbor_int(writer, key);
    corral_cbor_text(writer, text);
}

static void write_number(struct corral_cbor *writer, int32_t key, int32_t value)
{
    corral_cbor_int(writer, key);
    corral_cbor_int(writer, value);
}

/* Only texts that are written are measured, not those that are counted. */
static psa_status_t write_part(struct corral_cbor *writer, const struct corral_attested_part *part)
{
    psa_status_t status = PSA_SUCCESS;
    uint8_t hash[HASH_SIZE] = {0};
    size_t length;

    if (writer->data != NULL) {
        status = psa_hash_compute(PSA_ALG_SHA_256, part->code, part->code_size, hash, sizeof hash,
                                  &length);
    }
    corral_cbor_head(writer, CORRAL_CBOR_MAP, PART_CLAIMS);
    write_text(writer, PART_TYPE, part->type);
    write_bytes(writer, PART_MEASUREMENT, hash, sizeof hash);
    write_text(writer, PART_VERSION, part->version);
    write_bytes(writer, PART_SIGNER, part->signer, HASH_SIZE);
    return status;
}

/* In the order of a deterministic encoding: by their keys. */
static psa_status_t write_claims(struct corral_cbor *writer, const struct token *token)
{
    const struct corral_attested *const attested = &token->attested;
    psa_status_t status = PSA_SUCCESS;

    corral_cbor_head(writer, CORRAL_CBOR_MAP, CLAIMS);
    write_bytes(writer, NONCE, token->challenge, token->challenge_size);
    write_bytes(writer, INSTANCE, token->instance, sizeof token->instance);
    write_text(writer, EAT_PROFILE, PROFILE);
    write_bytes(writer, BOOT_SEED, token->boot_seed, sizeof token->boot_seed);
    write_number(writer, CLIENT, token->client);
    write_number(writer, LIFECYCLE, attested->lifecycle);
    write_bytes(writer, IMPLEMENTATION, attested->implementation, HASH_SIZE);
    corral_cbor_int(writer, SOFTWARE);
    corral_cbor_head(writer, CORRAL_CBOR_ARRAY, attested->part_count);
    for (uint8_t i = 0; i < attested->part_count && status == PSA_SUCCESS; i++) {
        status = write_part(writer, &attested->parts[i]);
    }
    return status;
}

/* Clients of a wall have negative numbers, whatever their transport calls them. */
static psa_status_t number_caller(int32_t *client)
{
    const corral_owner_t caller = CORRAL_WALL ? corral_owner : 0;

    if (caller > INT32_MAX) {
        return PSA_ERROR_GENERIC_ERROR;
    }
    *client = caller == 0 ? OWN_CLIENT : -(int32_t)caller;
    return PSA_SUCCESS;
}

/* Check what is asked for, and find out all that the length follows from. */
static psa_status_t begin(struct token *token, const uint8_t *challenge, size_t challenge_size)
{
    struct corral_cbor writer;

    if (challenge_size != PSA_INITIAL_ATTEST_CHALLENGE_SIZE_32 &&
        challenge_size != PSA_INITIAL_ATTEST_CHALLENGE_SIZE_48 &&
        challenge_size != PSA_INITIAL_ATTEST_CHALLENGE_SIZE_64) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_is_initialised()) {
        return PSA_ERROR_SERVICE_FAILURE;
    }
    *token = (struct token){.challenge = challenge, .challenge_size = challenge_size};
    psa_status_t status = number_caller(&token->client);
    if (status == PSA_SUCCESS) {
        status = corral_port_attested(&token->attested);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    corral_cbor_begin(&writer, NULL, PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE - AROUND_SIZE);
    (void)write_claims(&writer, token);
    token->payload_size = writer.length;
    corral_cbor_head(&writer, CORRAL_CBOR_BYTES, token->payload_size);
    corral_cbor_head(&writer, CORRAL_CBOR_BYTES, SIGNATURE_SIZE);
    token->size = writer.length + AROUND_SIZE;
    return writer.is_full ? PSA_ERROR_GENERIC_ERROR : PSA_SUCCESS;
}

/* The hash of the signed bytes: a beginning, and the payload as the token has it, with its head. */
static psa_status_t hash_signed(const uint8_t *payload, size_t size, uint8_t hash[HASH_SIZE])
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    size_t length;

    psa_status_t status = psa_hash_setup(&operation, PSA_ALG_SHA_256);
    if (status == PSA_SUCCESS) {
        status = psa_hash_update(&operation, signed_begin, sizeof signed_begin);
    }
    if (status == PSA_SUCCESS) {
        status = psa_hash_update(&operation, payload, size);
    }
    if (status == PSA_SUCCESS) {
        status = psa_hash_finish(&operation, hash, HASH_SIZE, &length);
    }
    (void)psa_hash_abort(&operation);
    return status;
}

/* Bypasses the key's policy, which permits no use. */
static psa_status_t sign(const uint8_t hash[HASH_SIZE], uint8_t signature[SIGNATURE_SIZE])
{
    struct corral_key *key;
    size_t length;

    psa_status_t status = corral_key_hold(CORRAL_KEY_ATTESTATION, &key);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_sign_hash(&key->attributes, corral_key_data(key), key->length,
                                           PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash, HASH_SIZE,
                                           signature, SIGNATURE_SIZE, &length);
        corral_key_release(key);
    }
    return status;
}

/*
 * Write it, as the trusted side's own program; `output` has room for all of it. It is made in a
 * copy, so that another thread cannot change claims between their writing and their hash.
 */
static psa_status_t make(struct token *token, uint8_t *output)
{
    uint8_t made[PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE];
    uint8_t hash[HASH_SIZE];
    struct corral_cbor writer;

    psa_status_t status = take_boot_seed(token->boot_seed);
    if (status == PSA_SUCCESS) {
        status = identify(token->instance);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    corral_cbor_begin(&writer, made, token->size);
    corral_cbor_raw(&writer, cose_begin, sizeof cose_begin);
    corral_cbor_head(&writer, CORRAL_CBOR_BYTES, token->payload_size);
    status = write_claims(&writer, token);
    if (status == PSA_SUCCESS) {
        status = hash_signed(made + sizeof cose_begin, writer.length - sizeof cose_begin, hash);
    }
    corral_cbor_head(&writer, CORRAL_CBOR_BYTES, SIGNATURE_SIZE);
    if (status == PSA_SUCCESS) {
        status = sign(hash, made + writer.length);
    }
    if (status == PSA_SUCCESS) {
        corral_copy(output, made, token->size);
    }
    return status;
}

psa_status_t psa_initial_attest_get_token(const uint8_t *auth_challenge, size_t challenge_size,
                                          uint8_t *token_buf, size_t token_buf_size,
                                          size_t *token_size)
{
    struct token token;

    *token_size = 0;
    psa_status_t status = begin(&token, auth_challenge, challenge_size);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (token_buf_size < token.size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const corral_owner_t caller = corral_owner_become(0);
    status = make(&token, token_buf);
    (void)corral_owner_become(caller);
    *token_size = token.size;
    return corral_output_done(status, token_buf, token_buf_size, token_size);
}

psa_status_t psa_initial_attest_get_token_size(size_t challenge_size, size_t *token_size)
{
    struct token token;

    *token_size = 0;
    psa_status_t status = begin(&token, NULL, challenge_size);
    if (status == PSA_SUCCESS) {
        *token_size = token.size;
    }
    return status;
}
