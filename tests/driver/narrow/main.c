/* SPDX-License-Identifier: Apache-2.0 */
#include "narrow.h"

#include <string.h>

#include <corral/board.h>

#define FIELDS 4u
/* All fields of a row together: the command line says more for signatures by trees. */
#ifndef NARROW_ROW_ROOM
#define NARROW_ROW_ROOM 640u
#endif

uint8_t narrow_output[NARROW_ROOM];
size_t narrow_length;

psa_key_id_t narrow_key(const struct narrow_row *row, psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_set_key_type(&attributes, row->type);
    psa_set_key_algorithm(&attributes, row->alg);
    psa_set_key_usage_flags(&attributes, usage);
    (void)psa_import_key(&attributes, row->key.data, row->key.length, &key);
    return key;
}

bool narrow_wrote(const struct narrow_bytes *wanted)
{
    return narrow_length == wanted->length &&
           memcmp(narrow_output, wanted->data, wanted->length) == 0;
}

/* false: the input is over, or is none. */
static bool take(uint8_t *bytes, size_t size)
{
    size_t length;

    return corral_board_input_read(bytes, size, &length) && length == size;
}

static bool take_row(struct narrow_row *row, narrow_check **check)
{
    static uint8_t room[NARROW_ROW_ROOM];
    struct narrow_bytes *const fields[FIELDS] = {&row->key, &row->iv, &row->input, &row->output};
    uint8_t head[2];
    size_t used = 0;

    if (!take(head, 1)) {
        return false;
    }
    *check = narrow_names[head[0]].check;
    row->alg = narrow_names[head[0]].alg;
    row->type = narrow_names[head[0]].type;
    for (size_t i = 0; i < FIELDS; i++) {
        if (!take(head, sizeof head)) {
            return false;
        }
        *fields[i] = (struct narrow_bytes){room + used, (size_t)head[0] << 8 | head[1]};
        if (NARROW_ROW_ROOM - used < fields[i]->length || !take(room + used, fields[i]->length)) {
            return false;
        }
        used += fields[i]->length;
    }
    return true;
}

int main(void)
{
    struct narrow_row row;
    narrow_check *check;

    if (psa_crypto_init() != PSA_SUCCESS || !corral_board_input_rewind()) {
        return 1;
    }
    while (take_row(&row, &check)) {
        corral_board_print(check(&row) ? "y" : "n");
    }
    corral_board_print("\n");
    return 0;
}
