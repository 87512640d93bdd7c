/* SPDX-License-Identifier: Apache-2.0 */
#include "wipers.h"

#include <corral/board.h>
#include <corral/port.h>

/* A point, for the one algorithm that derives from such. */
#define POINT_SIZE 65u
#define KEY_SIZE 64u

void wipers_need(psa_status_t status)
{
    char text[] = "-999\n";

    if (status == PSA_SUCCESS) {
        return;
    }
    for (unsigned i = 3, rest = (unsigned)-status; i > 0; i--, rest /= 10) {
        text[i] = (char)('0' + rest % 10);
    }
    corral_board_print("status ");
    corral_board_print(text);
    corral_board_exit(1);
}

void wipers_public(const uint8_t *data, size_t size)
{
    corral_board_print("public ");
    for (size_t i = 0; i < size; i++) {
        const char text[] = {(char)('a' + (data[i] >> 4)), (char)('a' + (data[i] & 15)), 0};
        corral_board_print(text);
    }
    corral_board_print("\n");
}

void wipers_draw(uint8_t *output, size_t size)
{
    size_t bits;

    wipers_need(corral_port_entropy(output, size, &bits));
}

psa_key_id_t wipers_key(struct wipers_case is, psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    const size_t any_size = is.alg == PSA_ALG_TLS12_ECJPAKE_TO_PMS ? POINT_SIZE : KEY_SIZE;
    uint8_t data[POINT_SIZE];
    psa_key_id_t key;

    wipers_draw(data, sizeof data);
    data[0] = 0x04;
    psa_set_key_type(&attributes, is.type);
    psa_set_key_algorithm(&attributes, is.alg);
    psa_set_key_usage_flags(&attributes, usage);
    wipers_need(psa_import_key(&attributes, data, is.bits == 0 ? any_size : is.bits / 8, &key));
    return key;
}

int main(void)
{
    wipers_need(psa_crypto_init());
    wipers_rows();
    corral_board_print("wipers: pass\n");
    return 0;
}
