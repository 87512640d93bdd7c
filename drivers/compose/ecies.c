/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The key agreement of ECIES (SEC 1, 5.1.3 steps 1 to 4, 5.1.4 steps 2 to 5). The cofactor of the
 * Weierstrass curves is 1, and that of the Montgomery ones is in their private keys (RFC 7748), so
 * that cofactor ECDH is ECDH.
 */
#include <corral/drivers/compose/entry_points.h>

#include <corral/dispatch/agreement.h>
#include <corral/dispatch/key.h>
#include <corral/driver.h>

/* Of P-521; a driver may append the public key to a fresh pair. */
#define MAX_PRIVATE 66u
#define MAX_PUBLIC 133u

static size_t size_of(const psa_key_attributes_t *attributes)
{
    return ((size_t)attributes->bits + 7) / 8;
}

/* The ephemeral pair: its public key, and the secret it shares with the peer. */
static psa_status_t agree(const psa_key_attributes_t *attributes, const uint8_t *pair,
                          const uint8_t *peer, size_t peer_length, uint8_t *secret,
                          size_t secret_size, size_t *secret_length, uint8_t *public_key,
                          size_t public_size, size_t *public_length)
{
    psa_status_t status = corral_dispatch_export_public_key(attributes, pair, size_of(attributes),
                                                            public_key, public_size, public_length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return corral_dispatch_key_agreement(PSA_ALG_ECDH, attributes, pair, size_of(attributes), peer,
                                         peer_length, secret, secret_size, secret_length);
}

/*
 * Agree on a secret with the owner of an ECC public key by a fresh pair, whose public key is the
 * ciphertext (ECIES of SEC 1), and get it out of that.
 *   PSA_ERROR_INVALID_ARGUMENT    `ciphertext` is no public key on the curve
 */
psa_status_t compose_encapsulate(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg, uint8_t *secret,
                                 size_t secret_size, size_t *secret_length, uint8_t *ciphertext,
                                 size_t ciphertext_size, size_t *ciphertext_length)
{
    psa_key_attributes_t ephemeral = *attributes;
    uint8_t pair[MAX_PRIVATE + MAX_PUBLIC];
    size_t length;

    (void)alg;
    if (ciphertext_size < key_buffer_size) { /* both are public keys on the same curve */
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    ephemeral.type = PSA_KEY_TYPE_KEY_PAIR_OF_PUBLIC_KEY(attributes->type);
    psa_status_t status = corral_dispatch_generate_key(&ephemeral, pair, sizeof pair, &length);
    if (status == PSA_SUCCESS) {
        status = agree(&ephemeral, pair, key_buffer, key_buffer_size, secret, secret_size,
                       secret_length, ciphertext, ciphertext_size, ciphertext_length);
    }
    corral_wipe(pair, sizeof pair);
    return status;
}

psa_status_t compose_decapsulate(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg,
                                 const uint8_t *ciphertext, size_t ciphertext_length,
                                 uint8_t *secret, size_t secret_size, size_t *secret_length)
{
    (void)alg;
    return corral_dispatch_key_agreement(PSA_ALG_ECDH, attributes, key_buffer, key_buffer_size,
                                         ciphertext, ciphertext_length, secret, secret_size,
                                         secret_length);
}
