/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/element_key.h"

psa_status_t corral_port_element_key(uint32_t location, uint8_t *key)
{
    element_key_of_nobody(location, key);
    return PSA_SUCCESS;
}
