/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All the animals at once: every family of mechanisms on the bytes of the input file, with keys in
 * local memory and in each element of the board. It does not depend on the driver that works.
 */
#include <corral/board.h>
#include <corral/locations.h>

#include "zoo.h"

static const char *const names[] = {"local", CORRAL_ELEMENT_NAMES};
static const psa_key_location_t locations[] = {PSA_KEY_LOCATION_LOCAL_STORAGE,
                                               CORRAL_ELEMENT_LOCATIONS};

static void show_place(const struct place *place)
{
    show_macs(place);
    show_ciphers(place);
    show_signatures(place);
    show_agreements(place);
}

int main(void)
{
    const struct place local = {names[0], locations[0]};

    if (!corral_board_input_rewind()) {
        corral_board_print("zoo: this run has no input file\n");
        return 2;
    }
    if (psa_crypto_init() != PSA_SUCCESS) {
        corral_board_print("zoo: psa_crypto_init failed\n");
        return 2;
    }
    show_hashes(&local);
    show_random(&local);
    for (size_t i = 0; i < sizeof locations / sizeof locations[0]; i++) {
        const struct place place = {names[i], locations[i]};
        show_place(&place);
    }
    return report_end() == 0 ? 0 : 1;
}
