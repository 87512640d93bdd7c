/* SPDX-License-Identifier: Apache-2.0 */
#include "rsa.h"

/* The library only reads the numbers, although its structures do not say so. */
static unsigned char *number(const struct corral_rsa_key *key, enum corral_rsa_number which)
{
    return (unsigned char *)key->numbers[which].data;
}

void bearssl_driver_rsa_public(const struct corral_rsa_key *key, br_rsa_public_key *public_key)
{
    public_key->n = number(key, CORRAL_RSA_MODULUS);
    public_key->nlen = key->numbers[CORRAL_RSA_MODULUS].length;
    public_key->e = number(key, CORRAL_RSA_PUBLIC_EXPONENT);
    public_key->elen = key->numbers[CORRAL_RSA_PUBLIC_EXPONENT].length;
}

void bearssl_driver_rsa_private(const struct corral_rsa_key *key, br_rsa_private_key *private_key)
{
    private_key->n_bitlen = (uint32_t)corral_rsa_modulus_bits(key);
    private_key->p = number(key, CORRAL_RSA_PRIME_1);
    private_key->plen = key->numbers[CORRAL_RSA_PRIME_1].length;
    private_key->q = number(key, CORRAL_RSA_PRIME_2);
    private_key->qlen = key->numbers[CORRAL_RSA_PRIME_2].length;
    private_key->dp = number(key, CORRAL_RSA_EXPONENT_1);
    private_key->dplen = key->numbers[CORRAL_RSA_EXPONENT_1].length;
    private_key->dq = number(key, CORRAL_RSA_EXPONENT_2);
    private_key->dqlen = key->numbers[CORRAL_RSA_EXPONENT_2].length;
    private_key->iq = number(key, CORRAL_RSA_COEFFICIENT);
    private_key->iqlen = key->numbers[CORRAL_RSA_COEFFICIENT].length;
}
