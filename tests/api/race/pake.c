/* SPDX-License-Identifier: Apache-2.0 */
#include "race.h"

#define P256 PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, (uint32_t)PSA_ECC_FAMILY_SECP_R1, 256u)
#define NAME(text) ((const uint8_t *)(text)), (sizeof(text) - 1)

static const uint8_t password[8] = {'a', ' ', 's', 'e', 'c', 'r', 'e', 't'};

static bool begin(struct worker *worker, psa_pake_operation_t *side, psa_key_id_t key,
                  bool is_client)
{
    psa_pake_cipher_suite_t suite = psa_pake_cipher_suite_init();

    psa_pake_cs_set_algorithm(&suite, PSA_ALG_JPAKE(PSA_ALG_SHA_256));
    psa_pake_cs_set_primitive(&suite, P256);
    psa_pake_cs_set_key_confirmation(&suite, PSA_PAKE_UNCONFIRMED_KEY);
    if (!USE(worker, psa_pake_setup(side, key, &suite))) {
        return false;
    }
    const psa_status_t user = is_client ? psa_pake_set_user(side, NAME("client"))
                                        : psa_pake_set_user(side, NAME("server"));
    return GO_ON(worker, user) &&
           GO_ON(worker, is_client ? psa_pake_set_peer(side, NAME("server"))
                                   : psa_pake_set_peer(side, NAME("client")));
}

/* A share with its proof. */
static bool pass(struct worker *worker, psa_pake_operation_t *from, psa_pake_operation_t *to)
{
    const psa_pake_step_t steps[] = {PSA_PAKE_STEP_KEY_SHARE, PSA_PAKE_STEP_ZK_PUBLIC,
                                     PSA_PAKE_STEP_ZK_PROOF};
    uint8_t message[PSA_PAKE_OUTPUT_MAX_SIZE];
    bool ok = true;
    size_t n = 0;

    for (unsigned i = 0; ok && i < 3; i++) {
        ok = GO_ON(worker, psa_pake_output(from, steps[i], message, sizeof message, &n)) &&
             GO_ON(worker, psa_pake_input(to, steps[i], message, n));
    }
    return ok;
}

static void compare(struct worker *worker, psa_pake_operation_t *client,
                    psa_pake_operation_t *server)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    uint8_t secret[65];
    psa_key_id_t first;
    psa_key_id_t second;
    size_t n;

    if (!END(worker, psa_pake_get_shared_key(client, &attributes, &first))) {
        return;
    }
    SUCCEEDS(worker, psa_export_key(first, secret, sizeof secret, &n));
    SUCCEEDS(worker, psa_destroy_key(first));
    if (END(worker, psa_pake_get_shared_key(server, &attributes, &second))) {
        race_take(worker, second, secret, n);
        worker->done++;
    }
}

static void do_jpake(struct worker *worker, psa_key_id_t key)
{
    psa_pake_operation_t client = PSA_PAKE_OPERATION_INIT;
    psa_pake_operation_t server = PSA_PAKE_OPERATION_INIT;

    if (begin(worker, &client, key, true) && begin(worker, &server, key, false) &&
        pass(worker, &client, &server) && pass(worker, &client, &server) &&
        pass(worker, &server, &client) && pass(worker, &server, &client) &&
        pass(worker, &client, &server) && pass(worker, &server, &client)) {
        compare(worker, &client, &server);
    }
    SUCCEEDS(worker, psa_pake_abort(&client));
    SUCCEEDS(worker, psa_pake_abort(&server));
}

RACE_KEYED(jpake, 1, PSA_KEY_TYPE_PASSWORD, 0, PSA_ALG_JPAKE(PSA_ALG_SHA_256), PSA_KEY_USAGE_DERIVE,
           password);
