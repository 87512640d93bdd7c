/* SPDX-License-Identifier: Apache-2.0 */
/* One key in every element of the board, and in memory: they agree on a MAC. */
#include <string.h>

#include <corral/board.h>
#include <corral/locations.h>
#include <psa/crypto.h>

static const psa_key_location_t locations[] = {PSA_KEY_LOCATION_LOCAL_STORAGE,
                                               CORRAL_ELEMENT_LOCATIONS};

static psa_status_t mac_at(psa_key_location_t location, uint8_t mac[32])
{
    static const uint8_t data[32] = "a key that every place is given";
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = PSA_KEY_ID_NULL;
    size_t length;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_algorithm(&attributes, PSA_ALG_HMAC(PSA_ALG_SHA_256));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, location));
    psa_status_t status = psa_import_key(&attributes, data, sizeof data, &key);
    if (status == PSA_SUCCESS) {
        status = psa_mac_compute(key, PSA_ALG_HMAC(PSA_ALG_SHA_256), (const uint8_t *)"message", 7,
                                 mac, 32, &length);
    }
    const psa_status_t destroyed = psa_destroy_key(key);
    return status == PSA_SUCCESS ? destroyed : status;
}

int main(void)
{
    uint8_t macs[sizeof locations / sizeof locations[0]][32];
    bool is_well = psa_crypto_init() == PSA_SUCCESS;

    for (size_t i = 0; i < sizeof locations / sizeof locations[0]; i++) {
        is_well = mac_at(locations[i], macs[i]) == PSA_SUCCESS && is_well;
        is_well = is_well && memcmp(macs[i], macs[0], sizeof macs[i]) == 0;
    }
    corral_board_print(is_well ? "vaults: pass\n" : "vaults: FAIL\n");
    return is_well ? 0 : 1;
}
