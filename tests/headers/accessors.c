/* SPDX-License-Identifier: Apache-2.0 */
/* The functions on key attributes and cipher suites, run on the host; returns the failures. */
#include <psa/crypto.h>
#include <stdio.h>

#define EXPECT(e)                                                                                  \
    do {                                                                                           \
        if (!(e)) {                                                                                \
            printf("line %d: %s\n", __LINE__, #e);                                                 \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

int main(void)
{
    int failures = 0;
    psa_key_attributes_t a = PSA_KEY_ATTRIBUTES_INIT;
    psa_pake_cipher_suite_t suite = psa_pake_cipher_suite_init();

    EXPECT(psa_get_key_lifetime(&a) == PSA_KEY_LIFETIME_VOLATILE && psa_get_key_id(&a) == 0);
    EXPECT(psa_get_key_type(&a) == PSA_KEY_TYPE_NONE && psa_get_key_bits(&a) == 0);
    EXPECT(psa_get_key_usage_flags(&a) == 0 && psa_get_key_algorithm(&a) == PSA_ALG_NONE);

    /* An identifier makes a volatile key persistent, where it is. */
    psa_set_key_lifetime(&a, 0x80000100);
    psa_set_key_id(&a, 7);
    EXPECT(psa_get_key_lifetime(&a) == 0x80000101 && psa_get_key_id(&a) == 7);
    /* It leaves another persistence alone. */
    psa_set_key_lifetime(&a, 0x000001ff);
    EXPECT(psa_get_key_id(&a) == 7);
    psa_set_key_id(&a, 8);
    EXPECT(psa_get_key_lifetime(&a) == 0x000001ff && psa_get_key_id(&a) == 8);
    /* A volatile lifetime in any location takes the identifier away. */
    psa_set_key_lifetime(&a, 0x00000200);
    EXPECT(psa_get_key_lifetime(&a) == 0x00000200 && psa_get_key_id(&a) == PSA_KEY_ID_NULL);

    psa_set_key_usage_flags(&a, PSA_KEY_USAGE_SIGN_HASH);
    EXPECT(psa_get_key_usage_flags(&a) == (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE));
    psa_set_key_usage_flags(&a, PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_EXPORT);
    EXPECT(psa_get_key_usage_flags(&a) ==
           (PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_VERIFY_MESSAGE));
    psa_set_key_usage_flags(&a, PSA_KEY_USAGE_SIGN_MESSAGE);
    EXPECT(psa_get_key_usage_flags(&a) == PSA_KEY_USAGE_SIGN_MESSAGE);

    psa_set_key_bits(&a, 65528);
    EXPECT(psa_get_key_bits(&a) == 65528);
    psa_set_key_bits(&a, 65529);
    EXPECT(psa_get_key_bits(&a) == 65535);
    psa_set_key_bits(&a, 65536UL + 256); /* must not come back as 256 */
    EXPECT(psa_get_key_bits(&a) == 65535);

    psa_set_key_type(&a, PSA_KEY_TYPE_AES);
    psa_set_key_algorithm(&a, PSA_ALG_CMAC);
    EXPECT(psa_get_key_type(&a) == PSA_KEY_TYPE_AES && psa_get_key_algorithm(&a) == PSA_ALG_CMAC);
    psa_set_key_id(&a, 9);
    psa_reset_key_attributes(&a);
    EXPECT(psa_get_key_type(&a) == 0 && psa_get_key_bits(&a) == 0 && psa_get_key_id(&a) == 0);
    EXPECT(psa_get_key_lifetime(&a) == 0 && psa_get_key_usage_flags(&a) == 0);
    EXPECT(psa_get_key_algorithm(&a) == 0);

    EXPECT(psa_pake_cs_get_key_confirmation(&suite) == PSA_PAKE_CONFIRMED_KEY);
    EXPECT(psa_pake_cs_get_algorithm(&suite) == 0 && psa_pake_cs_get_primitive(&suite) == 0);
    psa_pake_cs_set_algorithm(&suite, PSA_ALG_JPAKE(PSA_ALG_SHA_256));
    psa_pake_cs_set_primitive(&suite, 0x01120100);
    psa_pake_cs_set_key_confirmation(&suite, PSA_PAKE_UNCONFIRMED_KEY);
    EXPECT(psa_pake_cs_get_algorithm(&suite) == PSA_ALG_JPAKE(PSA_ALG_SHA_256));
    EXPECT(psa_pake_cs_get_primitive(&suite) == 0x01120100);
    EXPECT(psa_pake_cs_get_key_confirmation(&suite) == PSA_PAKE_UNCONFIRMED_KEY);
    return failures;
}
