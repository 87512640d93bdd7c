/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the client's library that is not Corral: see legacy.h. As a program it does nothing.
 */
#include "legacy.h"

psa_status_t psa_open_key(psa_key_id_t key, psa_key_id_t *handle)
{
    psa_key_attributes_t attributes;
    psa_status_t status = psa_get_key_attributes(key, &attributes);

    *handle = status == PSA_SUCCESS ? key : PSA_KEY_ID_NULL;
    return status == PSA_ERROR_INVALID_HANDLE ? PSA_ERROR_DOES_NOT_EXIST : status;
}

psa_status_t psa_close_key(psa_key_id_t handle)
{
    return handle == PSA_KEY_ID_NULL ? PSA_SUCCESS : psa_purge_key(handle);
}

void psa_reset_key_attributes(psa_key_attributes_t *attributes)
{
    corral_inline_reset_key_attributes(attributes);
}

/* The client's own main() comes first. */
__attribute__((weak)) int main(void)
{
    return psa_crypto_init() == PSA_SUCCESS ? 0 : 1;
}
