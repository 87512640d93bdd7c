/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attestation of boards that have no secrets of their own. The key is published here: a token
 * proves nothing but that its parts fit together, and itself says that nothing is secured.
 */
#include <corral/port.h>
#include <corral/version.h>

#include "../common/code.h"

psa_status_t corral_port_attestation_key(uint8_t key[32])
{
    for (unsigned i = 0; i < 32; i++) {
        key[i] = (uint8_t)(0x51 + 5 * i);
    }
    return PSA_SUCCESS;
}

psa_status_t corral_port_attested(struct corral_attested *attested)
{
    static const uint8_t implementation[32] = "Corral, emulated: protects none";
    static const uint8_t nobody[32];
    struct corral_attested_part *const part = &attested->parts[0];

    part->type = "PRoT";
    part->version = CORRAL_VERSION;
    part->signer = nobody;
    part->code = program_code(&part->code_size);
    attested->implementation = implementation;
    attested->lifecycle = CORRAL_LIFECYCLE_ASSEMBLY_AND_TEST;
    attested->part_count = 1;
    return PSA_SUCCESS;
}
