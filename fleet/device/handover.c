/* SPDX-License-Identifier: Apache-2.0 */
#include "handover.h"

#include <string.h>

#include "object.h"

#if FLEET_HANDS_OVER

/* The header that says whose hand-over it is, which no signature covers: where it is put into what
 * was signed, behind the head of the array and the protected header. */
#define SIGNER 4
#define HEADER_AT 5u
#define MAP_OF_TWO 0xa2u
#define SIGNER_SIZE (1u + 1u + FLEET_IDENTITY_SIZE)

_Static_assert(FLEET_HANDOVER_SIZE + 96u <= FLEET_MESSAGE_SIZE,
               "a message holds it, with path and challenge");

/* Name the signer in an object of `length` bytes. Labels of a map ascend: 4 is before 6. */
static void name_signer(uint8_t *object, size_t length, const uint8_t id[FLEET_IDENTITY_SIZE])
{
    uint8_t *first = object + HEADER_AT + 1u;
    struct corral_cbor writer;

    memmove(first + SIGNER_SIZE, first, length - HEADER_AT - 1u);
    object[HEADER_AT] = MAP_OF_TWO;
    corral_cbor_begin(&writer, first, SIGNER_SIZE);
    corral_cbor_int(&writer, SIGNER);
    corral_cbor_bytes(&writer, id, FLEET_IDENTITY_SIZE);
}

psa_status_t fleet_handover_write(const struct fleet_identity *identity,
                                  const struct fleet_identity *successor,
                                  const struct fleet_number *number, uint8_t *output,
                                  size_t *length)
{
    uint8_t statement[FLEET_STATEMENT_SIZE];
    uint8_t named[1u + FLEET_IDENTITY_SIZE];
    struct corral_cbor stated;
    struct corral_cbor bound;

    *length = 0;
    corral_cbor_begin(&stated, statement, sizeof statement);
    corral_cbor_head(&stated, CORRAL_CBOR_MAP, 3);
    psa_status_t status = fleet_identity_write(successor, true, &stated);
    if (status != PSA_SUCCESS || stated.is_full) {
        return status != PSA_SUCCESS ? status : PSA_ERROR_BUFFER_TOO_SMALL;
    }
    corral_cbor_begin(&bound, named, sizeof named);
    corral_cbor_bytes(&bound, successor->id, FLEET_IDENTITY_SIZE);
    const struct fleet_object object = {.purpose = FLEET_HANDOVER,
                                        .bound = named,
                                        .bound_length = bound.length,
                                        .payload = statement,
                                        .payload_length = stated.length,
                                        .number = *number};
    status =
        fleet_object_sign(identity, &object, output, FLEET_HANDOVER_SIZE - SIGNER_SIZE, length);
    if (status == PSA_SUCCESS) {
        name_signer(output, *length, identity->id);
        *length += SIGNER_SIZE;
    }
    return status;
}

psa_status_t fleet_handover_keep(const struct fleet_identity *identity,
                                 const struct fleet_identity *successor)
{
    uint8_t object[FLEET_HANDOVER_SIZE];
    struct fleet_sequence sequence;
    struct fleet_number number;
    size_t length;

    psa_status_t status = fleet_sequence_start(&sequence, fleet_identity_sequence(identity));
    if (status == PSA_SUCCESS) {
        status = fleet_sequence_take(&sequence, &number);
    }
    if (status == PSA_SUCCESS) {
        status = fleet_handover_write(identity, successor, &number, object, &length);
    }
    if (status == PSA_SUCCESS) {
        status = fleet_entry_write(fleet_identity_handover(successor), object, length);
    }
    return status;
}

psa_status_t fleet_handover_find(const struct fleet_identity *successor)
{
    struct psa_storage_info_t info;

    return psa_its_get_info(FLEET_ENTRIES + fleet_identity_handover(successor), &info);
}

psa_status_t fleet_handover_read(const struct fleet_identity *successor, uint8_t *output,
                                 size_t size, size_t *length)
{
    const psa_storage_uid_t uid = FLEET_ENTRIES + fleet_identity_handover(successor);
    struct psa_storage_info_t info;

    const psa_status_t status = psa_its_get_info(uid, &info);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return info.size > size ? PSA_ERROR_BUFFER_TOO_SMALL
                            : psa_its_get(uid, 0, size, output, length);
}

psa_status_t fleet_handover_forget(const struct fleet_identity *successor)
{
    return fleet_entry_remove(fleet_identity_handover(successor));
}

psa_status_t fleet_hand_over(struct fleet_identity *identity)
{
    struct fleet_identity successor;

    /* Only keys that are those of the identity can speak for it. */
    psa_status_t status = fleet_identity_start(identity, identity->profile);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = fleet_handover_find(identity);
    if (status != PSA_ERROR_DOES_NOT_EXIST) {
        return status == PSA_SUCCESS ? PSA_ERROR_BAD_STATE : status;
    }
    status = fleet_identity_prepare(identity, &successor);
    if (status == PSA_SUCCESS) {
        status = fleet_handover_keep(identity, &successor);
    }
    return status == PSA_SUCCESS ? fleet_identity_adopt(identity, &successor) : status;
}

#endif
