/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of the virtio crypto device (OASIS, Virtual I/O Device 1.1, 5.9.7). */
#include "session.h"

#include <stdalign.h>

#include <corral/driver.h>
#include <corral/virtio.h>

#define DEVICE_CRYPTO 20u
#define QUEUE_DATA 0u
#define QUEUE_CONTROL 1u /* behind the one queue for data that QEMU's device has by default */

/* Settings (5.9.4). */
#define SETTING_STATUS 0x00u
#define SETTING_QUEUES 0x04u
#define SETTING_SERVICES 0x08u
#define SETTING_SIZE_MAX 0x30u /* of all that a request reads and writes; 64 bits */
#define STATUS_READY 1u
#define SERVICE_CIPHER 1u

#define CREATE_SESSION 0x02u
#define DESTROY_SESSION 0x03u
#define ENCRYPT 0x00u
#define DECRYPT 0x01u
#define FOR_ENCRYPTION 1u
#define FOR_DECRYPTION 2u
#define TYPE_CIPHER 1u

/* The answers of the device. */
#define ANSWER_OK 0u
#define ANSWER_UNSUPPORTED 3u
#define ANSWER_NO_SPACE 5u
#define ANSWER_NONE 0xffu /* not one of the device's: it wrote nothing */

/* Longer texts are cut, so the sizes of two of them with their headers fit 32 bits. */
#define TEXT_MAX UINT32_C(0x40000000)

struct create_request {
    uint32_t operation;
    uint32_t mode;
    uint32_t flag;
    uint32_t queue;
    uint32_t key_mode;
    uint32_t key_size;
    uint32_t direction;
    uint32_t unused[9];
    uint32_t type;
    uint32_t padding;
};

struct destroy_request {
    uint32_t operation;
    uint32_t mode;
    uint32_t flag;
    uint32_t queue;
    uint32_t session[2];
    uint32_t unused[12];
};

struct text_request {
    uint32_t operation;
    uint32_t mode;
    uint32_t session[2];
    uint32_t flag;
    uint32_t padding;
    uint32_t iv_size;
    uint32_t input_size;
    uint32_t output_size;
    uint32_t unused[7];
    uint32_t type;
    uint32_t end;
};

struct create_reply {
    uint32_t session[2];
    uint32_t answer;
    uint32_t padding;
};

#define REQUEST_SIZE 72u
_Static_assert(sizeof(struct create_request) == REQUEST_SIZE &&
                   sizeof(struct destroy_request) == REQUEST_SIZE &&
                   sizeof(struct text_request) == REQUEST_SIZE,
               "requests are as long as the device wants them");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the processor's words are the device's");

/* Memory that the device reads and writes; not on the stack, which would have another
 * use if the device is late. */
static struct {
    union {
        struct create_request create;
        struct destroy_request destroy;
        struct text_request text;
    } request;
    struct create_reply reply;
    uint8_t block[VIRTIO_CRYPTO_BLOCK_SIZE];
    uint8_t answer;
} shared;

static alignas(16) volatile struct corral_virtio_queue queues[2];
static struct corral_virtio device = {.kind = DEVICE_CRYPTO, .queues = queues, .queue_count = 2};

static struct corral_virtio_part part_of(const volatile void *memory, size_t size)
{
    return (struct corral_virtio_part){(uintptr_t)memory, (uint32_t)size};
}

/* The words of a number, the low one first. */
static void put_number(uint32_t words[2], uint64_t number)
{
    words[0] = (uint32_t)number;
    words[1] = (uint32_t)(number >> 32);
}

static psa_status_t status_of(uint32_t answer)
{
    switch (answer) {
    case ANSWER_OK:
        return PSA_SUCCESS;
    case ANSWER_UNSUPPORTED:
        return PSA_ERROR_NOT_SUPPORTED;
    case ANSWER_NO_SPACE:
        return PSA_ERROR_INSUFFICIENT_MEMORY;
    default:
        return PSA_ERROR_HARDWARE_FAILURE;
    }
}

/* Whether there is a device, ready for ciphers, with the queues at the expected numbers. */
static bool is_ready(void)
{
    return corral_port_virtio_begin(&device) &&
           (corral_port_virtio_setting(&device, SETTING_STATUS) & STATUS_READY) != 0 &&
           (corral_port_virtio_setting(&device, SETTING_SERVICES) & SERVICE_CIPHER) != 0 &&
           corral_port_virtio_setting(&device, SETTING_QUEUES) == QUEUE_CONTROL &&
           virtio_crypto_longest_text() != 0;
}

psa_status_t virtio_crypto_session_begin(virtio_crypto_cipher_operation_t *operation,
                                         const uint8_t *key, size_t key_size)
{
    const struct corral_virtio_part parts[] = {
        part_of(&shared.request, REQUEST_SIZE),
        part_of(key, key_size),
        part_of(&shared.reply, sizeof shared.reply),
    };

    if (!is_ready()) {
        return PSA_ERROR_HARDWARE_FAILURE;
    }
    shared.request.create = (struct create_request){
        .operation = CREATE_SESSION,
        .mode = operation->mode,
        .key_mode = operation->mode,
        .key_size = (uint32_t)key_size,
        .direction = operation->is_encrypt ? FOR_ENCRYPTION : FOR_DECRYPTION,
        .type = TYPE_CIPHER,
    };
    shared.reply.answer = ANSWER_NONE;
    if (!corral_port_virtio_ask(&device, QUEUE_CONTROL, parts, 2, 1)) {
        return PSA_ERROR_HARDWARE_FAILURE;
    }
    const psa_status_t status = status_of(shared.reply.answer);
    operation->session = (uint64_t)shared.reply.session[1] << 32 | shared.reply.session[0];
    operation->has_session = status == PSA_SUCCESS;
    return status;
}

psa_status_t virtio_crypto_session_end(virtio_crypto_cipher_operation_t *operation)
{
    const struct corral_virtio_part parts[] = {
        part_of(&shared.request, REQUEST_SIZE),
        part_of(&shared.answer, sizeof shared.answer),
    };

    if (!operation->has_session) {
        return PSA_SUCCESS;
    }
    operation->has_session = false;
    shared.request.destroy = (struct destroy_request){.operation = DESTROY_SESSION};
    put_number(shared.request.destroy.session, operation->session);
    shared.answer = ANSWER_NONE;
    const bool is_ended =
        corral_port_virtio_ask(&device, QUEUE_CONTROL, parts, 1, 1) && shared.answer == ANSWER_OK;
    return is_ended ? PSA_SUCCESS : PSA_ERROR_HARDWARE_FAILURE;
}

size_t virtio_crypto_longest_text(void)
{
    uint32_t size = corral_port_virtio_setting(&device, SETTING_SIZE_MAX);

    if (corral_port_virtio_setting(&device, SETTING_SIZE_MAX + 4) != 0 || size > 2 * TEXT_MAX) {
        size = 2 * TEXT_MAX;
    }
    /* Beside input and output there is an IV. */
    return size / 2 < VIRTIO_CRYPTO_BLOCK_SIZE
               ? 0
               : (size / 2 - VIRTIO_CRYPTO_BLOCK_SIZE / 2) & ~(VIRTIO_CRYPTO_BLOCK_SIZE - 1);
}

/* The parts of a text, those that are not empty. Returns how many the device reads. */
static size_t name_parts(const virtio_crypto_cipher_operation_t *operation,
                         const struct virtio_crypto_text *text,
                         struct corral_virtio_part parts[CORRAL_VIRTIO_PARTS], size_t *count)
{
    size_t to_read = 0;

    parts[to_read++] = part_of(&shared.request, REQUEST_SIZE);
    if (operation->mode != VIRTIO_CRYPTO_ECB) {
        parts[to_read++] = part_of(operation->iv, VIRTIO_CRYPTO_BLOCK_SIZE);
    }
    if (text->input_length != 0) {
        parts[to_read++] = part_of(text->input, text->input_length);
    }
    if (text->last_input != NULL) {
        parts[to_read++] = part_of(text->last_input, VIRTIO_CRYPTO_BLOCK_SIZE);
    }
    *count = to_read;
    if (text->output_length != 0) {
        parts[(*count)++] = part_of(text->output, text->output_length);
    }
    if (text->is_last_taken) {
        parts[(*count)++] = part_of(shared.block, VIRTIO_CRYPTO_BLOCK_SIZE);
    }
    parts[(*count)++] = part_of(&shared.answer, sizeof shared.answer);
    return to_read;
}

psa_status_t virtio_crypto_session_run(const virtio_crypto_cipher_operation_t *operation,
                                       const struct virtio_crypto_text *text,
                                       uint8_t last[VIRTIO_CRYPTO_BLOCK_SIZE])
{
    struct corral_virtio_part parts[CORRAL_VIRTIO_PARTS];
    psa_status_t status = PSA_ERROR_HARDWARE_FAILURE;
    const size_t size = text->output_length + (text->is_last_taken ? VIRTIO_CRYPTO_BLOCK_SIZE : 0);
    size_t count;

    const size_t to_read = name_parts(operation, text, parts, &count);
    shared.request.text = (struct text_request){
        .operation = operation->is_encrypt ? ENCRYPT : DECRYPT,
        .mode = operation->mode,
        .iv_size = operation->mode == VIRTIO_CRYPTO_ECB ? 0 : VIRTIO_CRYPTO_BLOCK_SIZE,
        .input_size = (uint32_t)size,
        .output_size = (uint32_t)size,
        .type = TYPE_CIPHER,
    };
    put_number(shared.request.text.session, operation->session);
    shared.answer = ANSWER_NONE;
    if (corral_port_virtio_ask(&device, QUEUE_DATA, parts, to_read, count - to_read) &&
        shared.answer == ANSWER_OK) {
        status = PSA_SUCCESS;
    }
    if (text->is_last_taken) {
        corral_copy(last, shared.block, VIRTIO_CRYPTO_BLOCK_SIZE);
        corral_wipe(shared.block, sizeof shared.block);
    }
    return status;
}
