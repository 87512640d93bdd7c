/* SPDX-License-Identifier: Apache-2.0 */
#include "zoo.h"

static void show(const struct place *local, const char *mechanism, const char *title,
                 const char *hash_name, psa_algorithm_t alg)
{
    uint8_t hash[PSA_HASH_MAX_SIZE];
    struct item item;
    size_t length;

    item_begin(&item, mechanism, title, local);
    if (hash_input(&item, alg, hash, sizeof hash, &length)) {
        item_text("check", "hash");
        item_text("hash", hash_name);
        item_bytes("digest", hash, length);
    }
    item_end(&item);
}

/* For engines that keep no state between calls: here the input of the digest is the
 * message. */
static void show_at_once(const struct place *local)
{
    uint8_t message[DIGEST_SIZE];
    uint8_t hash[DIGEST_SIZE];
    struct item item;
    size_t length;

    item_begin(&item, "SHA_256", "SHA-256 at once", local);
    if (hash_input(&item, PSA_ALG_SHA_256, message, sizeof message, &length) &&
        item_ok(&item, "psa_hash_compute",
                psa_hash_compute(PSA_ALG_SHA_256, message, length, hash, sizeof hash, &length))) {
        item_text("check", "hash_at_once");
        item_text("hash", "sha256");
        item_bytes("message", message, sizeof message);
        item_bytes("digest", hash, length);
    }
    item_end(&item);
}

void show_hashes(const struct place *local)
{
    show_at_once(local);
    show(local, "SHA_256", "SHA-256", "sha256", PSA_ALG_SHA_256);
    show(local, "SHA_384", "SHA-384", "sha384", PSA_ALG_SHA_384);
    show(local, "SHA_512", "SHA-512", "sha512", PSA_ALG_SHA_512);
}
