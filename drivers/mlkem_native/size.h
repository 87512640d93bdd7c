/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entry points of one parameter set. Included once by each mlkem<size>.c, which defines
 * MLK_CONFIG_PARAMETER_SET, CIPHERTEXT_SIZE and depths of stack; the library comes with it, as one
 * unit in which everything is static. A key pair is its two seeds, d || z, and is expanded each
 * time that it is used (FIPS 203, 7.1): 64 bytes in a slot instead of up to 3168. Statuses beside
 * those of every driver:
 *   import       PSA_ERROR_INVALID_ARGUMENT  a public key with numbers out of range (7.2); a pair
 *                                            without a size: seeds do not tell it
 *   decapsulate  PSA_ERROR_INVALID_ARGUMENT  a ciphertext of another length. A forged one gives a
 *                                            secret that is known to no other party.
 */
#include <corral/drivers/mlkem_native/entry_points.h>

#include <string.h>

#include <corral/driver.h>
#include <corral/stack.h>
#include <mlkem/mlkem_native_bcm.c> /* NOLINT(bugprone-suspicious-include) */

#define PASTE(a, b, c) a##b##c
#define NAME_OF(size, entry_point) PASTE(mlkem_native_driver_, size, _##entry_point)
#define ENTRY_POINT(name) NAME_OF(MLK_CONFIG_PARAMETER_SET, name)

/* FIPS 203, table 3; the library forgets its own names at its end. */
#define PUBLIC_SIZE (MLK_CONFIG_PARAMETER_SET / 2 * 3 + 32u)
#define PRIVATE_SIZE (MLK_CONFIG_PARAMETER_SET * 3 + 96u)
#define SEEDS_SIZE 64u
#define COINS_SIZE 32u
#define SECRET_SIZE 32u

/*
 * The library wipes its buffers, but not what Keccak and the compiler leave in frames. Inlined into
 * a caller of a wiper, its frame would be above the wiper's range; so they stay separate.
 */
static CORRAL_STACK_APART int expand(uint8_t *public_key, uint8_t *private_key,
                                     const uint8_t *seeds)
{
    return mlkem_native_keypair_derand(public_key, private_key, seeds);
}

static CORRAL_STACK_APART int encapsulate(uint8_t *ciphertext, uint8_t *secret,
                                          const uint8_t *public_key, const uint8_t *coins)
{
    return mlkem_native_enc_derand(ciphertext, secret, public_key, coins);
}

/*
 * The library decrypts a ciphertext and compares it afterwards. In the caller's memory another
 * thread could change it in between, and learn about the key from the result. It is therefore
 * copied over the public key, which is never shorter and is a part of the private one.
 */
static CORRAL_STACK_APART int decapsulate(uint8_t *secret, const uint8_t *ciphertext,
                                          const uint8_t *seeds)
{
    uint8_t room[PUBLIC_SIZE];
    uint8_t private_key[PRIVATE_SIZE];

    int failed = mlkem_native_keypair_derand(room, private_key, seeds);
    if (failed == 0) {
        memcpy(room, ciphertext, CIPHERTEXT_SIZE);
        failed = mlkem_native_dec(secret, room, private_key);
    }
    return failed;
}

_Static_assert(CIPHERTEXT_SIZE <= PUBLIC_SIZE, "a ciphertext is no longer than a public key");

CORRAL_STACK_LOCAL_WIPER(wipe_stack_expand, EXPAND_STACK)
CORRAL_STACK_LOCAL_WIPER(wipe_stack_encapsulate, ENCAPSULATE_STACK)
CORRAL_STACK_LOCAL_WIPER(wipe_stack_decapsulate, DECAPSULATE_STACK)

psa_status_t ENTRY_POINT(import_key)(const psa_key_attributes_t *attributes, const uint8_t *data,
                                     size_t data_length, uint8_t *key_buffer,
                                     size_t key_buffer_size, size_t *key_buffer_length,
                                     size_t *bits)
{
    const bool is_pair = PSA_KEY_TYPE_IS_KEY_PAIR(attributes->type);

    if (data_length != (is_pair ? SEEDS_SIZE : PUBLIC_SIZE) || (is_pair && attributes->bits == 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (!is_pair && mlkem_native_check_pk(key_buffer) != 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *key_buffer_length = data_length;
    *bits = MLK_CONFIG_PARAMETER_SET;
    return PSA_SUCCESS;
}

psa_status_t ENTRY_POINT(export_public_key)(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            uint8_t *data, size_t data_size, size_t *data_length)
{
    uint8_t private_key[PRIVATE_SIZE];

    (void)attributes;
    if (key_buffer_size != SEEDS_SIZE) {
        return PSA_ERROR_DATA_INVALID;
    }
    if (data_size < PUBLIC_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const int failed = expand(data, private_key, key_buffer);
    wipe_stack_expand();
    corral_wipe(private_key, sizeof private_key);
    if (failed != 0) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    *data_length = PUBLIC_SIZE;
    return PSA_SUCCESS;
}

psa_status_t ENTRY_POINT(encapsulate)(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      psa_algorithm_t alg, uint8_t *secret, size_t secret_size,
                                      size_t *secret_length, uint8_t *ciphertext,
                                      size_t ciphertext_size, size_t *ciphertext_length)
{
    uint8_t coins[COINS_SIZE];

    (void)attributes;
    (void)alg;
    if (key_buffer_size != PUBLIC_SIZE) {
        return PSA_ERROR_DATA_INVALID;
    }
    if (secret_size < SECRET_SIZE || ciphertext_size < CIPHERTEXT_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = corral_random(coins, sizeof coins);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const int failed = encapsulate(ciphertext, secret, key_buffer, coins);
    wipe_stack_encapsulate();
    corral_wipe(coins, sizeof coins);
    if (failed != 0) {
        return PSA_ERROR_DATA_INVALID;
    }
    *secret_length = SECRET_SIZE;
    *ciphertext_length = CIPHERTEXT_SIZE;
    return PSA_SUCCESS;
}

psa_status_t ENTRY_POINT(decapsulate)(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      psa_algorithm_t alg, const uint8_t *ciphertext,
                                      size_t ciphertext_length, uint8_t *secret, size_t secret_size,
                                      size_t *secret_length)
{
    (void)attributes;
    (void)alg;
    if (key_buffer_size != SEEDS_SIZE) {
        return PSA_ERROR_DATA_INVALID;
    }
    if (ciphertext_length != CIPHERTEXT_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (secret_size < SECRET_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const int failed = decapsulate(secret, ciphertext, key_buffer);
    wipe_stack_decapsulate();
    if (failed != 0) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    *secret_length = SECRET_SIZE;
    return PSA_SUCCESS;
}
