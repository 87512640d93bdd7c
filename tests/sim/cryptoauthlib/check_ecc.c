/* SPDX-License-Identifier: Apache-2.0 */
/* CryptoAuthLib and the chip: signatures, validation of public keys, key agreement, import. */
#include "check.h"

#include "host/atca_host.h"

#include <string.h>

void check_signatures(void)
{
    uint8_t public_key[64];
    uint8_t again[64];
    uint8_t signature[64];
    uint8_t stored[64];
    uint8_t nonce[32];
    bool verified = false;

    OK(atcab_genkey(SLOT_SIGN, public_key));
    OK(atcab_get_pubkey(SLOT_SIGN, again));
    TRUE(memcmp(public_key, again, 64) == 0);
    OK(atcab_sign(SLOT_SIGN, digest, signature));
    print("sign_public", public_key, 64);
    print("sign_signature", signature, 64);
    OK(atcab_verify_extern(digest, signature, public_key, &verified));
    TRUE(verified);
    OK(atcab_write_pubkey(SLOT_PUBLIC, public_key));
    OK(atcab_read_pubkey(SLOT_PUBLIC, stored));
    TRUE(memcmp(public_key, stored, 64) == 0);
    OK(atcab_verify_stored(digest, signature, SLOT_PUBLIC, &verified));
    TRUE(verified);
    OK(atcab_random(nonce));
    OK(atcab_verify_extern_mac(digest, signature, public_key, nonce, protect_key, &verified));
    TRUE(verified);
    OK(atcab_verify_stored_mac(digest, signature, SLOT_PUBLIC, nonce, protect_key, &verified));
    TRUE(verified);
    signature[63] ^= 1;
    OK(atcab_verify_extern(digest, signature, public_key, &verified));
    TRUE(!verified);
    OK(atcab_verify_stored(digest, signature, SLOT_PUBLIC, &verified));
    TRUE(!verified);
    REFUSED(atcab_sign(SLOT_MAC, digest, signature));
}

/* Internal signature over a GenKey digest, as the library composes it. */
void check_internal_signature(void)
{
    uint8_t nonce_in[20] = {1, 2, 3};
    uint8_t random_out[32];
    uint8_t public_key[64];
    uint8_t signature[64];
    uint8_t serial[9];
    uint8_t zone[128];
    uint8_t message_digest[32];
    atca_temp_key_t tempkey;
    atca_nonce_in_out_t nonce = {.mode = NONCE_MODE_SEED_UPDATE,
                                 .num_in = nonce_in,
                                 .rand_out = random_out,
                                 .temp_key = &tempkey};
    atca_gen_key_in_out_t genkey = {.mode = GENKEY_MODE_DIGEST,
                                    .key_id = SLOT_AGREE,
                                    .public_key = public_key,
                                    .public_key_size = 64,
                                    .sn = serial,
                                    .temp_key = &tempkey};
    atca_sign_internal_in_out_t sign = {.mode = SIGN_MODE_INCLUDE_SN,
                                        .key_id = SLOT_SIGN,
                                        .sn = serial,
                                        .temp_key = &tempkey,
                                        .digest = message_digest};

    memset(&tempkey, 0, sizeof(tempkey));
    OK(atcab_read_serial_number(serial));
    OK(atcab_read_config_zone(zone));
    OK(atcab_genkey(SLOT_AGREE, NULL));
    OK(atcab_nonce_rand(nonce_in, random_out));
    OK(atcab_genkey_base(GENKEY_MODE_DIGEST, SLOT_AGREE, NULL, public_key));
    OK(atcab_sign_internal(SLOT_SIGN, false, true, signature));
    OK(atcah_nonce(&nonce));
    OK(atcah_gen_key_msg(&genkey));
    OK(atcah_config_to_sign_internal(ATECC608, &sign, zone));
    OK(atcah_sign_internal_msg(ATECC608, &sign));
    print("internal_digest", message_digest, 32);
    print("internal_signature", signature, 64);
    REFUSED(atcab_sign_internal(SLOT_SIGN, false, true, signature)); /* TempKey is used up */
}

/* The digest of the public key in a slot, over a nonce that both sides know. */
static void load_public_digest(uint16_t slot)
{
    static uint8_t nonce[32] = {9};
    uint8_t other[3] = {GENKEY_MODE_PUBKEY_DIGEST, (uint8_t)slot, 0};

    OK(atcab_nonce(nonce));
    OK(atcab_genkey_base(GENKEY_MODE_PUBKEY_DIGEST, slot, other, NULL));
}

/* Let the parent's private key sign the digest of a stored public key and change its validity with
 * that. */
static void set_validity(uint16_t slot, bool invalidate)
{
    static uint8_t nonce_in[32] = {9};
    uint8_t genkey_other[3] = {GENKEY_MODE_PUBKEY_DIGEST, (uint8_t)slot, 0};
    uint8_t serial[9];
    uint8_t public_key[64];
    uint8_t zone[128];
    uint8_t signature[64];
    uint8_t message_digest[32];
    uint8_t other_data[19];
    bool verified = false;
    atca_temp_key_t tempkey;
    atca_nonce_in_out_t nonce = {
        .mode = NONCE_MODE_PASSTHROUGH, .num_in = nonce_in, .temp_key = &tempkey};
    atca_gen_key_in_out_t genkey = {.mode = GENKEY_MODE_PUBKEY_DIGEST,
                                    .key_id = slot,
                                    .public_key = public_key,
                                    .public_key_size = 64,
                                    .other_data = genkey_other,
                                    .sn = serial,
                                    .temp_key = &tempkey};
    atca_sign_internal_in_out_t sign = {.mode =
                                            invalidate ? SIGN_MODE_INVALIDATE : SIGN_MODE_INTERNAL,
                                        .key_id = SLOT_SIGN,
                                        .sn = serial,
                                        .temp_key = &tempkey,
                                        .digest = message_digest,
                                        .for_invalidate = invalidate,
                                        .verify_other_data = other_data};

    memset(&tempkey, 0, sizeof(tempkey));
    OK(atcab_read_serial_number(serial));
    OK(atcab_read_config_zone(zone));
    OK(atcab_read_pubkey(slot, public_key));
    load_public_digest(slot);
    OK(atcab_sign_internal(SLOT_SIGN, invalidate, false, signature));
    OK(atcah_nonce(&nonce));
    OK(atcah_gen_key_msg(&genkey));
    OK(atcah_config_to_sign_internal(ATECC608, &sign, zone));
    OK(atcah_sign_internal_msg(ATECC608, &sign));
    load_public_digest(slot);
    if (invalidate) {
        OK(atcab_verify_invalidate(slot, signature, other_data, &verified));
    } else {
        OK(atcab_verify_validate(slot, signature, other_data, &verified));
    }
    TRUE(verified);
}

void check_validation(void)
{
    uint8_t public_key[64];
    uint8_t signature[64];
    bool verified = true;

    OK(atcab_get_pubkey(SLOT_AGREE, public_key));
    OK(atcab_write_pubkey(SLOT_VALIDATED, public_key));
    OK(atcab_sign(SLOT_AGREE, digest, signature));
    REFUSED(atcab_verify_stored(digest, signature, SLOT_VALIDATED, &verified));
    TRUE(!verified);
    set_validity(SLOT_VALIDATED, false);
    OK(atcab_verify_stored(digest, signature, SLOT_VALIDATED, &verified));
    TRUE(verified);
    REFUSED(atcab_write_pubkey(SLOT_VALIDATED, public_key)); /* a valid key cannot be overwritten */
    set_validity(SLOT_VALIDATED, true);
    REFUSED(atcab_verify_stored(digest, signature, SLOT_VALIDATED, &verified));
}

void check_agreement(void)
{
    uint8_t public_key[64];
    uint8_t secret[32];
    uint8_t other[32];
    uint8_t nonce_in[20] = {7};

    OK(atcab_ecdh(SLOT_SIGN, peer, secret));
    print("ecdh_secret", secret, 32);
    OK(atcab_ecdh_ioenc(SLOT_SIGN, peer, other, protect_key));
    TRUE(memcmp(secret, other, 32) == 0);
    OK(atcab_get_pubkey(SLOT_AGREE, public_key));
    OK(atcab_ecdh_enc(SLOT_AGREE, peer, secret, protect_key, SLOT_PROTECT, nonce_in));
    print("ecdh_slot_public", public_key, 64);
    print("ecdh_slot_secret", secret, 32);
    REFUSED(atcab_ecdh_ioenc(SLOT_AGREE, peer, other, protect_key)); /* its results stay inside */
    OK(atcab_genkey(ATCA_TEMPKEY_KEYID, public_key));
    OK(atcab_ecdh_tempkey(peer, secret));
    print("ecdh_tempkey_public", public_key, 64);
    print("ecdh_tempkey_secret", secret, 32);
}

void check_import(void)
{
    uint8_t private_key[36] = {0};
    uint8_t public_key[64];
    uint8_t nonce_in[20] = {5};

    OK(atcab_random(private_key + 4));
    private_key[4] &= 0x7F; /* below the order */
    OK(atcab_priv_write(SLOT_IMPORT, private_key, SLOT_PROTECT, protect_key, nonce_in));
    OK(atcab_get_pubkey(SLOT_IMPORT, public_key));
    print("import_private", private_key + 4, 32);
    print("import_public", public_key, 64);
    REFUSED(atcab_priv_write(SLOT_SIGN, private_key, SLOT_PROTECT, protect_key, nonce_in));
}
