/* SPDX-License-Identifier: Apache-2.0 */
/* Agreeing on a secret with the commander: PROTOCOL.md, 6. */
#include "pairing.h"

#include <string.h>

#if FLEET_PAIRING

#if !FLEET_OBEYS
#error "FLEET_PAIRING needs FLEET_OBEYS: a slot for the key of who commands"
#endif

#if FLEET_ARGUMENT_SIZE < 65
#error "FLEET_PAIRING needs FLEET_ARGUMENT_SIZE of 65 at least: a key on P-256 is offered so"
#endif

#define OFFER "cf1-pair"
#define CONFIRMATION "cf1-paired"
#define DERIVATION PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, PSA_ALG_HKDF(PSA_ALG_SHA_256))
#define KEY_BITS 256u

void fleet_pairing_forget(struct fleet_pairing *pairing)
{
    (void)psa_key_derivation_abort(&pairing->operation);
    pairing->is_offered = false;
}

void fleet_pairing_end(struct fleet_device *device)
{
    if (device->pairing != NULL) {
        fleet_pairing_forget(device->pairing);
    }
}

/* Derive what both sides confirm with, and hand out the device's. The hash of the command covers
 * who offers, the key, and by its signature the device and its challenge. */
static psa_status_t derive(const struct fleet_identity *identity,
                           psa_key_derivation_operation_t *operation,
                           const struct fleet_command *command,
                           uint8_t confirmation[FLEET_CONFIRMATION_SIZE])
{
    uint8_t info[1u + sizeof OFFER + 1u + FLEET_IDENTITY_SIZE];
    struct corral_cbor writer;

    corral_cbor_begin(&writer, info, sizeof info);
    corral_cbor_head(&writer, CORRAL_CBOR_ARRAY, 2);
    corral_cbor_text(&writer, OFFER);
    corral_cbor_bytes(&writer, identity->id, FLEET_IDENTITY_SIZE);
    psa_status_t status = psa_key_derivation_setup(operation, DERIVATION);
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_input_bytes(operation, PSA_KEY_DERIVATION_INPUT_SALT,
                                                command->hash, sizeof command->hash);
    }
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_key_agreement(operation, PSA_KEY_DERIVATION_INPUT_SECRET,
                                                  fleet_identity_agreement(identity), command->data,
                                                  command->length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_input_bytes(operation, PSA_KEY_DERIVATION_INPUT_INFO, info,
                                                writer.length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_output_bytes(operation, confirmation, FLEET_CONFIRMATION_SIZE);
    }
    return status;
}

static psa_status_t take_offer(struct fleet_device *device, struct fleet_pairing *pairing,
                               const struct fleet_command *command)
{
    uint8_t confirmation[FLEET_CONFIRMATION_SIZE];

    fleet_pairing_forget(pairing);
    device->pairing = pairing;
    psa_status_t status = PSA_ERROR_INVALID_ARGUMENT;
    if (command->kind == FLEET_DATA && device->identity.profile->agreement != FLEET_NO_KEY) {
        status = derive(&device->identity, &pairing->operation, command, confirmation);
    }
    if (status != PSA_SUCCESS) {
        fleet_pairing_forget(pairing);
        return status;
    }
    fleet_identity_copy(pairing->id, device->identity.id);
    pairing->is_offered = true;
    return fleet_command_confirm(device, command, confirmation);
}

/* Keep the secret that is next, in the place of an earlier one. */
static psa_status_t keep(const struct fleet_identity *identity,
                         psa_key_derivation_operation_t *operation)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = fleet_identity_pairing(identity);

    const psa_status_t status = fleet_key_destroy(key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    psa_set_key_id(&attributes, key);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_bits(&attributes, KEY_BITS);
    psa_set_key_algorithm(&attributes, PSA_ALG_HMAC(PSA_ALG_SHA_256));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    return psa_key_derivation_output_key(&attributes, operation, &key);
}

static psa_status_t take_confirmation(const struct fleet_identity *identity,
                                      struct fleet_pairing *pairing,
                                      const struct fleet_command *command)
{
    psa_status_t status = PSA_ERROR_BAD_STATE;

    if (pairing->is_offered && fleet_identity_is(pairing->id, identity->id)) {
        status = command->kind != FLEET_DATA || command->length != FLEET_CONFIRMATION_SIZE
                     ? PSA_ERROR_INVALID_SIGNATURE
                     : psa_key_derivation_verify_bytes(&pairing->operation, command->data,
                                                       FLEET_CONFIRMATION_SIZE);
    }
    if (status == PSA_SUCCESS) {
        status = keep(identity, &pairing->operation);
    }
    fleet_pairing_forget(pairing);
    return status;
}

/* The reported result of a failure. */
static uint8_t result_of(psa_status_t status)
{
    return status == PSA_SUCCESS ? FLEET_DONE
           : status == PSA_ERROR_INVALID_ARGUMENT || status == PSA_ERROR_INVALID_SIGNATURE
               ? FLEET_WRONG_ARGUMENT
               : FLEET_FAILED;
}

bool fleet_pairing_take(struct fleet_device *device, struct fleet_pairing *pairing,
                        const struct fleet_command *command, bool *is_paired, psa_status_t *status)
{
    *is_paired = false;
    if (strcmp(command->name, OFFER) == 0) {
        *status = take_offer(device, pairing, command);
        if (pairing->is_offered) { /* it was told of */
            return true;
        }
    } else if (strcmp(command->name, CONFIRMATION) == 0) {
        *status = take_confirmation(&device->identity, pairing, command);
        *is_paired = *status == PSA_SUCCESS;
    } else {
        return false;
    }
    const psa_status_t told = fleet_device_report(device, command, result_of(*status), NULL);
    *status = *status == PSA_SUCCESS ? told : *status;
    return true;
}

#endif
