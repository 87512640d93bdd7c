/* SPDX-License-Identifier: Apache-2.0 */
/* A boot loader's part in cryptography: the maker's key, an image, its signature. The header has
 * them, and is made for each measurement (bench/corral_bench/boot.py). */
#include <psa/crypto.h>

#include BOOT_DATA

int main(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    psa_set_key_type(&attributes, BOOT_TYPE);
    psa_set_key_bits(&attributes, BOOT_BITS);
    psa_set_key_algorithm(&attributes, BOOT_ALG);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_status_t status = psa_crypto_init();
    if (status == PSA_SUCCESS) {
        status = psa_import_key(&attributes, boot_key, sizeof boot_key, &key);
    }
    if (status == PSA_SUCCESS) {
        status = psa_verify_message(key, BOOT_ALG, boot_image, sizeof boot_image, boot_signature,
                                    sizeof boot_signature);
    }
    return status == PSA_SUCCESS ? 0 : 1;
}
