/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random sequences of calls on both sides of a key exchange by password, against a model
 * that keeps names and messages. Values come from the other side, or from the fuzzer.
 */
#include "../../harness/machines/pake.h"
#include "../common/fuzz.h"

#define JPAKE PSA_ALG_JPAKE(PSA_ALG_SHA_256)
#define SPAKE2P PSA_ALG_SPAKE2P_HMAC(PSA_ALG_SHA_256)
#define SAE PSA_ALG_WPA3_SAE_FIXED(PSA_ALG_SHA_256)
#define P256 PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, (uint32_t)PSA_ECC_FAMILY_SECP_R1, 256u)
#define ROOM 12u
#define MAX_STEPS 18u
#define MAX_VALUE 96u

enum { USER, PEER, CONTEXT };

static const char *const names[] = {"c", "s", "", "another", "thirteen here", "mac, a", "mac, b"};
#define NAMES 7u
#define MACS 5u

struct value {
    size_t length;
    uint8_t data[MAX_VALUE];
};

static struct side {
    psa_pake_operation_t operation;
    psa_algorithm_t alg;
    enum pake_kind kind; /* of SPAKE2+ in either role while it has none */
    unsigned state;
    const char *identities[3];
    size_t used;
    struct value sent[MAX_STEPS];
    size_t sent_count;
    size_t received;
    struct value last[PAKE_COMMIT + 1]; /* of WPA3-SAE */
} sides[2];

static struct machine_made tables[PAKE_KINDS];

static psa_key_id_t keys[3];
/* IEEE 802.11-2020, J.10. */
static const uint8_t token[64] = {
    0xb6, 0xe3, 0x8c, 0x98, 0x75, 0x0c, 0x68, 0x4b, 0x5d, 0x17, 0xc3, 0xd8, 0xc9, 0xa4, 0x10, 0x0b,
    0x39, 0x93, 0x12, 0x79, 0x18, 0x7c, 0xa6, 0xcc, 0xed, 0x5f, 0x37, 0xef, 0x46, 0xdd, 0xfa, 0x97,
    0x56, 0x87, 0xe9, 0x72, 0xe5, 0x0f, 0x73, 0xe3, 0x89, 0x88, 0x61, 0xe7, 0xed, 0xad, 0x21, 0xbe,
    0xa7, 0xd5, 0xf6, 0x22, 0xdf, 0x88, 0x24, 0x3b, 0xb8, 0x04, 0x92, 0x0a, 0xe8, 0xe6, 0x47, 0xfa};

/* Whether a call said what it must, which is `otherwise` where it is in its place. */
static bool says(struct side *side, unsigned call, psa_status_t status, psa_status_t otherwise)
{
    return machine_moves(&tables[side->kind].machine, &side->state, call, status, otherwise);
}

static psa_status_t expected(const struct side *side, unsigned call, psa_status_t otherwise)
{
    return machine_status(&tables[side->kind].machine, side->state, call, otherwise);
}

/* How many steps there are to choose from. */
static unsigned steps_of(const struct side *side)
{
    return side->alg == SAE ? 8 : 4;
}

static psa_pake_step_t step_of(unsigned step)
{
    return (psa_pake_step_t)(PSA_PAKE_STEP_KEY_SHARE + step);
}

static void keep(struct side *side, unsigned step, const uint8_t *data, size_t length)
{
    if (side->alg != SAE) {
        side->sent[side->sent_count].length = length;
        memcpy(side->sent[side->sent_count].data, data, length);
        side->sent_count++;
    } else if (step != PAKE_KEY_ID) {
        side->last[step].length = length;
        memcpy(side->last[step].data, data, length);
    }
}

static void call_output(struct side *side, unsigned step, unsigned missing)
{
    const size_t needed = PSA_PAKE_OUTPUT_SIZE(side->alg, P256, step_of(step));
    const size_t size = missing < needed ? needed - missing : 0;
    const unsigned call = pake_step(&tables[side->kind], step, true);
    uint8_t *const output = fuzz_room(size);
    size_t length = 99;

    const psa_status_t status =
        psa_pake_output(&side->operation, step_of(step), output, size, &length);
    FUZZ_CHECK(says(side, call, status,
                    call == PAKE_FOREIGN ? PSA_ERROR_INVALID_ARGUMENT
                    : size < needed      ? PSA_ERROR_BUFFER_TOO_SMALL
                                         : PSA_SUCCESS));
    FUZZ_CHECK(length == (status == PSA_SUCCESS ? needed : 0));
    if (status == PSA_SUCCESS) {
        keep(side, step, output, length);
    }
    free(output);
}

/* The tests of the API check the content of values. */
static void call_input(struct side *side, unsigned step, const uint8_t *value, size_t length)
{
    const unsigned call = pake_step(&tables[side->kind], step, false);
    const psa_status_t status = psa_pake_input(&side->operation, step_of(step), value, length);
    const bool is_proof = step == PAKE_PROOF || step == PAKE_CONFIRM;

    FUZZ_CHECK(says(side, call, status,
                    call != PAKE_FOREIGN && (status == PSA_SUCCESS ||
                                             (is_proof && status == PSA_ERROR_INVALID_SIGNATURE))
                        ? status
                        : PSA_ERROR_INVALID_ARGUMENT));
    side->received += status == PSA_SUCCESS;
}

/* The other side's message at this place, if there is one, sometimes with a byte changed. */
static void pass(struct side *side, const struct side *other, unsigned step, unsigned change)
{
    if (side->received < other->sent_count) {
        const struct value *const sent = &other->sent[side->received];
        uint8_t *const value = fuzz_room(sent->length);

        memcpy(value, sent->data, sent->length);
        if (change < sent->length) {
            value[change] ^= 1;
        }
        call_input(side, step, value, sent->length);
        free(value);
    }
}

/* The same of WPA3-SAE, whose steps may come more than once; no group was rejected. */
static void pass_sae(struct side *side, const struct side *other, unsigned step, unsigned change)
{
    uint8_t value[MAX_VALUE] = {(uint8_t)change, 0};
    size_t length = step == PAKE_COUNT ? 2 : 0;

    if (step == PAKE_COMMIT || step == PAKE_CONFIRM) {
        length = other->last[step].length;
        memcpy(value, other->last[step].data, length);
        if (length == 0) {
            return;
        }
        if (change < length) {
            value[change] ^= 1;
        }
    }
    call_input(side, step, value, length);
}

/* The next step of an order, whatever it is. */
static void call_next(struct side *side, const struct side *other, struct fuzz_input *input)
{
    const unsigned choice = fuzz_byte(input);

    const unsigned steps = steps_of(side);

    for (unsigned i = 0; i < 2 * steps; i++) {
        const unsigned step = (i + choice) % steps;
        const bool is_output = (i < steps) == (choice % 2 == 0);

        const unsigned call = is_output ? step : PAKE_INPUT + step;

        if (expected(side, call, PSA_SUCCESS) == PSA_SUCCESS) {
            if (is_output) {
                call_output(side, step, 0);
            } else if (side->alg == SAE) {
                pass_sae(side, other, step, choice > 240 ? choice - 240 : MAX_VALUE);
            } else {
                pass(side, other, step, choice > 200 ? choice : MAX_VALUE);
            }
            return;
        }
    }
}

static void call_setup(struct side *side, psa_algorithm_t alg)
{
    psa_pake_cipher_suite_t suite = psa_pake_cipher_suite_init();

    psa_pake_cs_set_algorithm(&suite, alg);
    psa_pake_cs_set_primitive(&suite, P256);
    psa_pake_cs_set_key_confirmation(&suite, alg == JPAKE ? PSA_PAKE_UNCONFIRMED_KEY
                                                          : PSA_PAKE_CONFIRMED_KEY);
    const psa_key_id_t key = keys[alg == JPAKE ? 0 : alg == SPAKE2P ? 1 : 2];
    const psa_status_t status = psa_pake_setup(&side->operation, key, &suite);
    FUZZ_CHECK(says(side, PAKE_SETUP, status, PSA_SUCCESS));
    if (status == PSA_SUCCESS) {
        const psa_pake_operation_t operation = side->operation;

        memset(side, 0, sizeof *side);
        side->operation = operation;
        side->state = PAKE_SET_UP;
        side->alg = alg;
        side->kind = alg == JPAKE ? PAKE_OF_JPAKE : alg == SPAKE2P ? PAKE_OF_CLIENT : PAKE_OF_SAE;
    }
}

static void call_role(struct side *side, psa_pake_role_t role)
{
    const bool is_one = side->alg != SPAKE2P
                            ? role == PSA_PAKE_ROLE_NONE
                            : role == PSA_PAKE_ROLE_CLIENT || role == PSA_PAKE_ROLE_SERVER;
    const psa_status_t status = psa_pake_set_role(&side->operation, role);

    FUZZ_CHECK(
        says(side, PAKE_SET_ROLE, status, is_one ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT));
    if (status == PSA_SUCCESS && role == PSA_PAKE_ROLE_SERVER) {
        side->kind = PAKE_OF_SERVER;
    }
}

/* The status of a name, or a context, in its place. */
static psa_status_t expected_identity(const struct side *side, unsigned what, const char *name)
{
    const char *const other = what < CONTEXT ? side->identities[1 - what] : NULL;

    if (side->alg != SPAKE2P && ((side->alg == SAE ? strlen(name) != 6 : name[0] == 0) ||
                                 (other != NULL && strcmp(name, other) == 0))) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return strlen(name) > ROOM - side->used ? PSA_ERROR_INSUFFICIENT_MEMORY : PSA_SUCCESS;
}

static void call_identity(struct side *side, unsigned what, const char *name)
{
    const uint8_t *const data = (const uint8_t *)name;
    psa_pake_operation_t *const operation = &side->operation;
    const psa_status_t status = what == USER ? psa_pake_set_user(operation, data, strlen(name))
                                : what == PEER
                                    ? psa_pake_set_peer(operation, data, strlen(name))
                                    : psa_pake_set_context(operation, data, strlen(name));
    const unsigned call = what == CONTEXT ? PAKE_SET_CONTEXT : PAKE_SET_USER + what;

    FUZZ_CHECK(says(side, call, status, expected_identity(side, what, name)));
    if (status == PSA_SUCCESS) {
        side->identities[what] = name;
        side->used += strlen(name);
    }
}

static void call_key(struct side *side)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = 1;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_DERIVE);
    const psa_status_t status = psa_pake_get_shared_key(&side->operation, &attributes, &key);
    FUZZ_CHECK(says(side, PAKE_GET_KEY, status, PSA_SUCCESS));
    FUZZ_CHECK((key != PSA_KEY_ID_NULL) == (status == PSA_SUCCESS));
    FUZZ_CHECK(psa_destroy_key(key) == PSA_SUCCESS);
}

static void call_abort(struct side *side)
{
    FUZZ_CHECK(psa_pake_abort(&side->operation) == PSA_SUCCESS);
    side->state = MACHINE_INACTIVE;
}

/* Both sides as an application would set them up. */
static void begin(psa_algorithm_t alg)
{
    for (unsigned i = 0; i < 2; i++) {
        call_abort(&sides[i]);
        call_setup(&sides[i], alg);
        call_identity(&sides[i], USER, names[alg == SAE ? MACS + i : i]);
        call_identity(&sides[i], PEER, names[alg == SAE ? MACS + 1 - i : 1 - i]);
        if (alg == SPAKE2P) {
            call_role(&sides[i], i == 0 ? PSA_PAKE_ROLE_CLIENT : PSA_PAKE_ROLE_SERVER);
        }
    }
}

static void call_any_output(struct side *side, struct fuzz_input *input)
{
    const unsigned step = fuzz_below(input, steps_of(side));

    call_output(side, step, fuzz_below(input, 4));
}

static void call_wrong_input(struct side *side, struct fuzz_input *input)
{
    const unsigned step = fuzz_below(input, steps_of(side));
    size_t length;
    uint8_t *const value = fuzz_bytes(input, 70, &length);

    call_input(side, step, value, length);
    free(value);
}

static psa_algorithm_t alg_of(unsigned action)
{
    return (action & 0x60) == 0x60 ? SAE : (action & 0x20) == 0 ? JPAKE : SPAKE2P;
}

static void step(struct fuzz_input *input)
{
    static const psa_pake_role_t roles[] = {PSA_PAKE_ROLE_NONE, PSA_PAKE_ROLE_CLIENT,
                                            PSA_PAKE_ROLE_SERVER, PSA_PAKE_ROLE_FIRST, 0x77};
    const unsigned action = fuzz_byte(input);
    struct side *const side = &sides[action >> 7];
    const struct side *const other = &sides[1 - (action >> 7)];

    switch (action % 32) {
    case 0:
        begin(alg_of(action));
        break;
    case 1:
        call_setup(side, alg_of(action));
        break;
    case 2:
        call_role(side, roles[fuzz_below(input, 5)]);
        break;
    case 3:
    case 4:
    case 5:
        call_identity(side, action % 32 - 3, names[fuzz_below(input, NAMES)]);
        break;
    case 6:
        call_key(side);
        break;
    case 7:
        call_abort(side);
        break;
    case 8:
        call_any_output(side, input);
        break;
    case 9:
        call_wrong_input(side, input);
        break;
    default:
        call_next(side, other, input);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t pair[64];

    memset(sides, 0, sizeof sides);
    for (unsigned i = 0; i < PAKE_KINDS; i++) {
        pake_unfold((enum pake_kind)i, &tables[i]);
    }
    memset(pair, 0x11, sizeof pair);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_DERIVE);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_PASSWORD);
    psa_set_key_algorithm(&attributes, JPAKE);
    FUZZ_CHECK(psa_import_key(&attributes, (const uint8_t *)"a secret", 8, &keys[0]) ==
               PSA_SUCCESS);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_SPAKE2P_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_algorithm(&attributes, SPAKE2P);
    FUZZ_CHECK(psa_import_key(&attributes, pair, sizeof pair, &keys[1]) == PSA_SUCCESS);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_WPA3_SAE_ECC(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_algorithm(&attributes, SAE);
    FUZZ_CHECK(psa_import_key(&attributes, token, sizeof token, &keys[2]) == PSA_SUCCESS);
    begin(size % 2 == 0 ? JPAKE : SPAKE2P);
    while (input.size > 0) {
        step(&input);
        FUZZ_CHECK(corral_holds() == 0);
    }
    for (unsigned i = 0; i < 3; i++) {
        call_abort(&sides[i % 2]);
        FUZZ_CHECK(psa_destroy_key(keys[i]) == PSA_SUCCESS);
    }
    return 0;
}
