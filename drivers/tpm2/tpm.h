/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A TPM, for one call of an entry point. Nothing is kept between two calls, neither here nor in the
 * TPM: a call connects, derives the storage key, opens a session, and removes both in the end. So a
 * child of fork(), another process, or a TPM that was reset finds nothing to mind. A call
 *
 *     tpm2_open(); ...; return tpm2_close(&call, status);
 *
 * holds the TPM's lock in between.
 */
#ifndef TPM2_TPM_H
#define TPM2_TPM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tss2/tss2_esys.h>

#include <corral/devices.h>
#include <psa/crypto.h>

#define TPM2_NAME_SIZE 34u /* of an object: an algorithm and a hash of SHA-256 */

/* One call's view of a TPM. */
struct tpm2_call {
    const struct tpm2_device *device;
    const char *name_of_tcti;
    TSS2_TCTI_CONTEXT *tcti;
    ESYS_CONTEXT *esys;
    ESYS_TR storage;   /* the storage key, parent of all others */
    ESYS_TR session;   /* salted by it: checks every answer, and encrypts the first parameter */
    ESYS_TR key;       /* of the call, if it uses one */
    sigset_t mask;     /* the thread's */
    bool is_pipe_ours; /* a broken pipe would be of this call's making */
    bool has_failed;   /* something may be left in the TPM */
    uint8_t name[TPM2_NAME_SIZE]; /* of the storage key */
    unsigned lock;
};

/*
 * Begin a call. tpm2_close() ends it also after a failure.
 *   PSA_ERROR_COMMUNICATION_FAILURE  no TPM answers, or the answer is not that of a TPM
 *   PSA_ERROR_NOT_PERMITTED          the owner hierarchy has a password
 */
psa_status_t tpm2_open(struct tpm2_call *call, size_t index);

/* End a call: remove from the TPM all that it made, give back the lock, and return `status`. */
psa_status_t tpm2_close(struct tpm2_call *call, psa_status_t status);

/* The status for a result of tpm2-tss. Notes in the call that it has failed. */
psa_status_t tpm2_status(struct tpm2_call *call, TSS2_RC result);

/* The same, but `malformed` if the TPM finds a parameter that is none of its type or of its key. */
psa_status_t tpm2_status_of_data(struct tpm2_call *call, TSS2_RC result, psa_status_t malformed);

/* Wipe and free a structure that tpm2-tss made; null: there is none. */
void tpm2_free(void *structure, size_t size);

/*
 * Copy a number of the TPM, with zeros in front, into exactly `size` bytes.
 *   PSA_ERROR_COMMUNICATION_FAILURE  it is longer, or 0
 */
psa_status_t tpm2_number(uint8_t *output, size_t size, const uint8_t *number, size_t length);

#endif
