/* SPDX-License-Identifier: Apache-2.0 */
/* Attempts of the client, once in a run. */
#include "client.h"

#include <string.h>

#include <corral/bindings.h>
#include <corral/board.h>
#include <psa/crypto.h>

static void nothing(void)
{
}

/* State that survives the client's reset: no variable of the program is there. */
struct kept {
    uint32_t mark;
    psa_key_id_t key;
    psa_hash_operation_t operation;
};

#define KEPT ((volatile struct kept *)spare_memory)
#define MARK 0x6b657074u

static psa_status_t import(psa_key_id_t *key)
{
    static const uint8_t material[16] = {1};
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_RAW_DATA);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    return psa_import_key(&attributes, material, sizeof material, key);
}

static void come_back(void)
{
    psa_hash_operation_t operation = KEPT->operation;
    uint8_t data[16];
    size_t length;
    size_t count = 0;
    psa_key_id_t key;

    KEPT->mark = 0;
    const bool is_clean =
        psa_export_key(KEPT->key, data, sizeof data, &length) == PSA_ERROR_INVALID_HANDLE &&
        psa_hash_update(&operation, data, sizeof data) == PSA_ERROR_BAD_STATE;
    while (import(&key) == PSA_SUCCESS) {
        count++;
    }
    corral_board_print(is_clean && count == CORRAL_SINGLE_KEY_SLOTS ? "nothing left\n" : "left\n");
}

static void restart(void)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    psa_key_id_t key = PSA_KEY_ID_NULL;

    if (KEPT->mark == MARK) {
        come_back();
        return;
    }
    if (psa_crypto_init() != PSA_SUCCESS || import(&key) != PSA_SUCCESS ||
        psa_hash_setup(&operation, PSA_ALG_SHA_256) != PSA_SUCCESS) {
        return;
    }
    KEPT->mark = MARK;
    KEPT->key = key;
    KEPT->operation.handle = operation.handle;
    start_again();
}

/* By the entropy of the trusted side. */
static void draw(void)
{
    uint8_t random[16];
    const bool is_drawn = psa_crypto_init() == PSA_SUCCESS &&
                          psa_generate_random(random, sizeof random) == PSA_SUCCESS;

    corral_board_print(is_drawn ? "random\n" : "none\n");
}

static const struct attack any[] = {{"nothing", nothing}, {"restart", restart}, {"draw", draw}};

static void run_named(const struct attack *among, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, among[i].name) == 0) {
            among[i].run();
            corral_board_print("goes on\n");
        }
    }
}

void attack(const char *name)
{
    corral_board_print("begins\n");
    run_named(any, sizeof any / sizeof any[0], name);
    run_named(attacks, attack_count, name);
}
