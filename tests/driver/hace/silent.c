/* SPDX-License-Identifier: Apache-2.0 */
#include "silent.h"

static volatile uint32_t *status_register(void);

/* Names of the driver that is linked, too. */
#define hace_driver_hash_compute silent_hash_compute
#define hace_driver_md5 silent_md5
#define hace_driver_sha1 silent_sha1
#define hace_driver_sha224 silent_sha224
#define hace_driver_sha256 silent_sha256
#define hace_driver_sha384 silent_sha384
#define hace_driver_sha512 silent_sha512
#define HACE_STATUS (*status_register())

#include "../../../drivers/hace/hash.c"

static uint32_t looks;
static uint32_t done_at;

/* Each access, of which the first one of a job clears it, finds it anew. */
static volatile uint32_t *status_register(void)
{
    static volatile uint32_t value;

    looks++;
    value = looks == done_at ? STATUS_HASH_DONE : 0;
    return &value;
}

psa_status_t silent_sha_256(const uint8_t message[8], uint8_t hash[32], size_t *length)
{
    return silent_hash_compute(&silent_sha256, PSA_ALG_SHA_256, message, 8, hash, 32, length);
}

void silent_done_at(uint32_t look)
{
    looks = 0;
    done_at = look;
}

uint32_t silent_looks(void)
{
    return looks;
}
