/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of clients that want more than is theirs: any function, values, handles, pointers and
 * lengths, structures of any content. A client's memory changes after each copy by the
 * trusted side, it may lose that memory meanwhile, and it calls during a call. The memory
 * can be touched only where the transport copies: else the sanitizer ends the run.
 */
#include <sanitizer/asan_interface.h>

#include <psa/internal_trusted_storage.h>

#include "../../../ports/common/flash_model.h"
#include "../../../storage/store.h"
#include "../../../wall/loopback/loopback.h"
#include "../../../wall/trusted/run.h"
#include "../../../wall/trusted/serve.h"
#include "../../../wall/trusted/transport.h"
#include "../common/fuzz.h"

#define BUFFERS 512u
#define AREA 96u /* of a buffer that is where a client would have it */
#define CALLS 16u
#define SEEN 8u
#define UNTOUCHED 0x5au /* of serve.c, in the first byte of an output */

#define VICTIM 9u

_Static_assert(AREA *(CORRAL_WALL_INPUTS + CORRAL_WALL_OUTPUTS) <= BUFFERS, "one behind another");

struct memory {
    struct corral_wall_call call;
    uint8_t buffers[BUFFERS];
};

/* The client's memory, and its expected content. */
static struct memory *memory;
static struct memory expected;

static struct fuzz_input *input;
static corral_owner_t client; /* whose message is served, 0 between two */

/* Of the message that is served. */
static struct corral_wall_call taken;
static uint8_t copies[CORRAL_WALL_INPUTS][sizeof(struct memory)];
static size_t copied;
static bool has_run;
static psa_status_t returned;

/* Results are sent again: handles, identifiers of keys. */
static uint32_t seen[SEEN];
static unsigned seen_count;

static bool is_zero(const uint8_t *data, size_t size)
{
    uint8_t all = 0;

    while (size-- > 0) {
        all |= *data++;
    }
    return all == 0;
}

static void hide(void)
{
    ASAN_POISON_MEMORY_REGION(memory, sizeof *memory);
}

static void show(void)
{
    ASAN_UNPOISON_MEMORY_REGION(memory, sizeof *memory);
}

/* The client changes its memory, or does not. */
static void change_memory(void)
{
    const uint8_t change = fuzz_byte(input);
    const size_t at = fuzz_place(input, sizeof *memory);

    ((uint8_t *)memory)[at] ^= change;
    ((uint8_t *)&expected)[at] ^= change;
}

bool __wrap_corral_wall_fetch_call(corral_owner_t of, struct corral_wall_call *to,
                                   const struct corral_wall_call *from);
bool __real_corral_wall_fetch_call(corral_owner_t of, struct corral_wall_call *to,
                                   const struct corral_wall_call *from);

bool __wrap_corral_wall_fetch_call(corral_owner_t of, struct corral_wall_call *to,
                                   const struct corral_wall_call *from)
{
    show();
    const bool is_done = __real_corral_wall_fetch_call(of, to, from);
    if (client != 0 && is_done) {
        taken = *to;
        change_memory();
    }
    if (client != 0) {
        hide();
    }
    return is_done;
}

bool __wrap_corral_wall_fetch(corral_owner_t of, void *to, const void *from, size_t length);
bool __real_corral_wall_fetch(corral_owner_t of, void *to, const void *from, size_t length);

/* Inputs come one after the other, each once, before the function runs. */
bool __wrap_corral_wall_fetch(corral_owner_t of, void *to, const void *from, size_t length)
{
    if (client == 0) {
        return __real_corral_wall_fetch(of, to, from, length);
    }
    FUZZ_CHECK(!has_run && of == client && length > 0);
    while (copied < CORRAL_WALL_INPUTS && taken.inputs[copied].length == 0) {
        copied++;
    }
    FUZZ_CHECK(copied < corral_wall_shapes[taken.function].inputs);
    FUZZ_CHECK(from == taken.inputs[copied].data && length == taken.inputs[copied].length);
    show();
    const bool is_done = __real_corral_wall_fetch(of, to, from, length);
    if (is_done) {
        memcpy(copies[copied++], to, length);
        change_memory();
    }
    hide();
    return is_done;
}

bool __wrap_corral_wall_deliver(corral_owner_t of, void *to, const void *from, size_t length);
bool __real_corral_wall_deliver(corral_owner_t of, void *to, const void *from, size_t length);

/* Each write is an output of the message when it was copied; zeros if there is none. */
bool __wrap_corral_wall_deliver(corral_owner_t of, void *to, const void *from, size_t length)
{
    if (client == 0) {
        return __real_corral_wall_deliver(of, to, from, length);
    }
    const size_t at = (uintptr_t)to - (uintptr_t)memory;
    bool is_output = false;
    for (size_t i = 0; i < corral_wall_shapes[taken.function].outputs; i++) {
        is_output = is_output || (to == taken.outputs[i].data && length <= taken.outputs[i].size);
    }
    FUZZ_CHECK(has_run && of == client && is_output);
    FUZZ_CHECK(returned == PSA_SUCCESS || is_zero(from, length));
    show();
    const bool is_done = __real_corral_wall_deliver(of, to, from, length);
    if (is_done) {
        memcpy((uint8_t *)&expected + at, from, length);
        change_memory();
    }
    hide();
    return is_done;
}

bool __wrap_corral_wall_deliver_reply(corral_owner_t of, struct corral_wall_call *to,
                                      const struct corral_wall_reply *from, bool is_short);
bool __real_corral_wall_deliver_reply(corral_owner_t of, struct corral_wall_call *to,
                                      const struct corral_wall_reply *from, bool is_short);

bool __wrap_corral_wall_deliver_reply(corral_owner_t of, struct corral_wall_call *to,
                                      const struct corral_wall_reply *from, bool is_short)
{
    show();
    const bool is_done = __real_corral_wall_deliver_reply(of, to, from, is_short);
    if (client != 0 && is_done) {
        memcpy((uint8_t *)&expected + ((uintptr_t)to - (uintptr_t)memory), from, sizeof *from);
    }
    return is_done;
}

/* The function gets what was copied, and room that is empty, as all behind it is. */
static void check_call(const struct corral_wall_call *call)
{
    const struct corral_wall_shape *const shape = &corral_wall_shapes[call->function];
    const uint8_t *end = NULL;
    const uint8_t *begin = NULL;

    FUZZ_CHECK(call->function == taken.function);
    FUZZ_CHECK(memcmp(call->reply.words, taken.reply.words, sizeof taken.reply.words) == 0);
    for (size_t i = 0; i < shape->inputs; i++) {
        const uint8_t *const data = call->inputs[i].data;
        FUZZ_CHECK(call->inputs[i].length == taken.inputs[i].length);
        FUZZ_CHECK(memcmp(data, copies[i], call->inputs[i].length) == 0);
        FUZZ_CHECK(end == NULL || data == end);
        begin = begin == NULL ? data : begin;
        end = data + call->inputs[i].length;
    }
    for (size_t i = 0; i < shape->outputs; i++) {
        const struct corral_wall_output *const output = &call->outputs[i];
        const uint8_t *const data = output->data;
        FUZZ_CHECK(output->size <= taken.outputs[i].size);
        FUZZ_CHECK(end == NULL || data == end);
        FUZZ_CHECK(output->size == 0 ||
                   (data[0] == UNTOUCHED && is_zero(data + 1, output->size - 1)));
        begin = begin == NULL ? data : begin;
        end = data + output->size;
    }
    if (begin != NULL) {
        const size_t used = (size_t)(end - begin);
        FUZZ_CHECK(used <= CORRAL_WALL_BUFFER_SIZE);
        FUZZ_CHECK(is_zero(end, CORRAL_WALL_BUFFER_SIZE - used));
    }
}

/* The client calls again, or loses all of its memory but the message, or that, too. */
static void disturb(void)
{
    switch (fuzz_below(input, 8)) {
    case 1: {
        const corral_owner_t at_work = client;
        client = 0;
        FUZZ_CHECK(corral_wall_serve(at_work, &memory->call) == PSA_ERROR_INSUFFICIENT_MEMORY);
        FUZZ_CHECK(corral_wall_forget(at_work) == PSA_ERROR_INSUFFICIENT_MEMORY);
        client = at_work;
        break;
    }
    case 2:
        corral_wall_loopback.memory.size = sizeof memory->call;
        break;
    case 3:
        corral_wall_loopback.memory.size = 1;
        break;
    default:
        break;
    }
}

psa_status_t __wrap_corral_wall_run(struct corral_wall_call *call);
psa_status_t __real_corral_wall_run(struct corral_wall_call *call);

psa_status_t __wrap_corral_wall_run(struct corral_wall_call *call)
{
    if (client != 0) {
        FUZZ_CHECK(corral_owner == client && !has_run);
        check_call(call);
        disturb();
    }
    has_run = true;
    returned = __real_corral_wall_run(call);
    return returned;
}

static uint32_t any_word(void)
{
    static const uint32_t known[] = {
        1,
        2,
        16,
        32,
        PSA_ALG_SHA_256,
        PSA_ALG_HMAC(PSA_ALG_SHA_256),
        PSA_ALG_CTR,
        PSA_ALG_CBC_PKCS7,
        PSA_ALG_CCM,
        PSA_ALG_SHAKE128,
        PSA_ALG_HKDF(PSA_ALG_SHA_256),
        PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256),
        PSA_ALG_ECDSA(PSA_ALG_SHA_256),
        PSA_ALG_KW,
        PSA_KEY_DERIVATION_INPUT_SECRET,
        PSA_KEY_DERIVATION_INPUT_PASSWORD,
        PSA_KEY_DERIVATION_INPUT_SALT,
        PSA_KEY_DERIVATION_INPUT_INFO,
        PSA_KEY_DERIVATION_INPUT_COST,
    };
    const unsigned of = fuzz_byte(input);

    switch (of >> 6) {
    case 0:
        return of == 0 ? 0 : seen[of % SEEN];
    case 1:
        return known[of % (sizeof known / sizeof known[0])];
    case 2:
        return of % 64;
    default:
        return (uint32_t)fuzz_byte(input) << 24 | (uint32_t)fuzz_byte(input) << 8 | of % 64;
    }
}

/* The structures that functions take, and attributes with which a key can be made. */
static size_t put_structure(uint8_t *at)
{
    static const psa_key_type_t types[] = {
        PSA_KEY_TYPE_HMAC,     PSA_KEY_TYPE_AES,
        PSA_KEY_TYPE_DERIVE,   PSA_KEY_TYPE_RAW_DATA,
        PSA_KEY_TYPE_PASSWORD, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)};
    static const size_t sizes[] = {sizeof(psa_custom_key_parameters_t),
                                   sizeof(psa_pake_cipher_suite_t),
                                   sizeof(psa_key_attributes_t) - 1};
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    const unsigned of = fuzz_below(input, 32);

    _Static_assert(sizeof(psa_pake_cipher_suite_t) <= AREA, "it fits");
    if (of >= 28) {
        return sizes[of % (sizeof sizes / sizeof sizes[0])];
    }
    psa_set_key_type(&attributes, types[of % (sizeof types / sizeof types[0])]);
    psa_set_key_bits(&attributes, (size_t)fuzz_below(input, 4) * 128);
    psa_set_key_algorithm(&attributes, any_word());
    psa_set_key_usage_flags(&attributes, (psa_key_usage_t)~fuzz_byte(input));
    if (of >= 20) {
        psa_set_key_id(&attributes, of % 4); /* persistent, unless it is 0 */
    }
    memcpy(at, &attributes, sizeof attributes);
    return sizeof attributes;
}

/* Where a client has no memory, or not so much. */
static uint8_t *elsewhere(size_t *length)
{
    static uint8_t others[64];
    uint8_t *const end = (uint8_t *)(memory + 1);
    const unsigned how = fuzz_byte(input);

    *length = how >> 3;
    switch (how % 8) {
    case 0:
        return (uint8_t *)memory - 1 - fuzz_below(input, 64);
    case 1:
        return end - fuzz_below(input, 32);
    case 2:
        return (uint8_t *)(UINTPTR_MAX - fuzz_byte(input));
    case 3:
        *length = SIZE_MAX - fuzz_byte(input);
        return memory->buffers;
    case 4:
        *length = (size_t)1 << (how >> 3) << fuzz_below(input, 33);
        return memory->buffers;
    case 5:
        *length = 1;
        return NULL;
    case 6:
        return others;
    default:
        return end;
    }
}

/* A buffer of a message, which a client may have at this place. */
static uint8_t *any_buffer(size_t place, bool is_input, size_t *length)
{
    uint8_t *const at = memory->buffers + place * AREA;
    const unsigned how = fuzz_byte(input);

    if (how >= 240) {
        return elsewhere(length);
    }
    if (how >= 224) {
        *length = fuzz_byte(input);
        return memory->buffers + fuzz_place(input, BUFFERS - 255);
    }
    if (how >= 160) {
        *length = is_input       ? put_structure(at)
                  : how % 4 == 0 ? sizeof(struct psa_storage_info_t)
                                 : sizeof(psa_key_attributes_t);
        return at;
    }
    *length = how <= AREA ? how : 32;
    for (size_t i = 0; is_input && i < *length && i < 8; i++) {
        at[i] = fuzz_byte(input);
    }
    return at;
}

static struct corral_wall_call *make_message(void)
{
    struct corral_wall_call *const call = &memory->call;
    struct corral_wall_shape shape = {.inputs = CORRAL_WALL_INPUTS, .outputs = CORRAL_WALL_OUTPUTS};
    const unsigned function = fuzz_byte(input);

    call->function = function < 0xfe ? function % CORRAL_WALL_FUNCTIONS : UINT32_MAX - function;
    if (call->function < CORRAL_WALL_FUNCTIONS) {
        shape = corral_wall_shapes[call->function];
    }
    for (size_t i = 0; i < CORRAL_WALL_WORDS; i++) {
        call->reply.words[i] = any_word();
    }
    for (size_t i = 0; i < shape.inputs; i++) {
        call->inputs[i].data = any_buffer(i, true, &call->inputs[i].length);
    }
    for (size_t i = 0; i < shape.outputs; i++) {
        const size_t place = CORRAL_WALL_INPUTS + i;
        call->outputs[i].data = any_buffer(place, false, &call->outputs[i].size);
    }
    return fuzz_byte(input) != 0xff
               ? call
               : (struct corral_wall_call *)(void *)(memory->buffers +
                                                     (fuzz_place(input, BUFFERS) & ~7u));
}

/* A client that is now at work has this memory and no other. */
static void call_as(corral_owner_t who, const void *begin, size_t size)
{
    corral_wall_loopback.client = who;
    corral_wall_loopback.memory.begin = (uintptr_t)begin;
    corral_wall_loopback.memory.size = size;
}

static void send(void)
{
    const corral_owner_t who = 2 + fuzz_below(input, 2);
    struct corral_wall_call *const call = make_message();

    expected = *memory;
    copied = 0;
    has_run = false;
    returned = PSA_SUCCESS;
    call_as(who, memory, sizeof *memory);
    client = who;
    const psa_status_t status = corral_wall_serve(who, call);
    client = 0;
    show();
    FUZZ_CHECK(corral_owner == 0);
    FUZZ_CHECK(memcmp(memory, &expected, sizeof expected) == 0);
    FUZZ_CHECK(has_run || status == PSA_ERROR_INVALID_ARGUMENT ||
               status == PSA_ERROR_INSUFFICIENT_MEMORY);
    for (size_t i = 0; i < 2 && status == PSA_SUCCESS; i++) {
        seen[seen_count++ % SEEN] = expected.call.reply.words[i];
    }
    if (fuzz_byte(input) == 0xff) {
        FUZZ_CHECK(corral_wall_forget(who) == PSA_SUCCESS);
    }
}

/* The data of another client, which stay unchanged. */
static const uint8_t secret[] = "what is in a key of somebody else";
static psa_key_id_t key;
static psa_hash_operation_t hash;

static void victim_begins(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    call_as(VICTIM, NULL, SIZE_MAX);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_RAW_DATA);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    FUZZ_CHECK(psa_import_key(&attributes, secret, sizeof secret, &key) == PSA_SUCCESS);
    hash = psa_hash_operation_init();
    FUZZ_CHECK(psa_hash_setup(&hash, PSA_ALG_SHA_256) == PSA_SUCCESS);
    FUZZ_CHECK(psa_hash_update(&hash, secret, 20) == PSA_SUCCESS);
    FUZZ_CHECK(psa_its_set(1, sizeof secret, secret, 0) == PSA_SUCCESS);
}

static void victim_goes_on(void)
{
    uint8_t data[sizeof secret];
    uint8_t digest[PSA_HASH_LENGTH(PSA_ALG_SHA_256)];
    size_t length;

    call_as(VICTIM, NULL, SIZE_MAX);
    FUZZ_CHECK(psa_export_key(key, data, sizeof data, &length) == PSA_SUCCESS);
    FUZZ_CHECK(length == sizeof secret && memcmp(data, secret, length) == 0);
    FUZZ_CHECK(psa_its_get(1, 0, sizeof data, data, &length) == PSA_SUCCESS);
    FUZZ_CHECK(length == sizeof secret && memcmp(data, secret, length) == 0);
    FUZZ_CHECK(psa_hash_update(&hash, secret + 20, sizeof secret - 20) == PSA_SUCCESS);
    FUZZ_CHECK(psa_hash_finish(&hash, digest, sizeof digest, &length) == PSA_SUCCESS);
    FUZZ_CHECK(psa_hash_compare(PSA_ALG_SHA_256, secret, sizeof secret, digest, length) ==
               PSA_SUCCESS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct corral_flash_geometry geometry = {2048, 3, 1, true};
    struct fuzz_input all = {data, size};

    input = &all;
    memory = (struct memory *)(void *)fuzz_room(sizeof *memory);
    memset(seen, 0, sizeof seen);
    seen_count = 0;
    flash_model_reset(&geometry);
    corral_store_unmount();
    victim_begins();
    for (unsigned i = 0; i < CALLS && all.size > 0; i++) {
        send();
    }
    victim_goes_on();
    for (corral_owner_t who = 2; who <= VICTIM; who++) {
        FUZZ_CHECK(corral_wall_forget(who) == PSA_SUCCESS);
    }
    free(memory);
    return 0;
}
