/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <corral/board.h>

static unsigned results;
static unsigned failures;

static void print_number(unsigned value)
{
    char digits[11];
    size_t at = sizeof digits - 1;

    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + value % 10u);
        value /= 10u;
    } while (value != 0);
    corral_board_print(digits + at);
}

static void print_member(const char *name)
{
    corral_board_print(",\"");
    corral_board_print(name);
    corral_board_print("\":");
}

void item_begin(struct item *item, const char *mechanism, const char *title,
                const struct place *place)
{
    item->status = PSA_SUCCESS;
    item->step = "";
    corral_board_print("corral-result {\"mechanism\":\"");
    corral_board_print(mechanism);
    corral_board_print("\"");
    item_text("title", title);
    item_text("location", place->name);
}

bool item_ok(struct item *item, const char *step, psa_status_t status)
{
    if (item->status == PSA_SUCCESS && status != PSA_SUCCESS) {
        item->status = status;
        item->step = step;
    }
    return status == PSA_SUCCESS;
}

void item_text(const char *name, const char *text)
{
    print_member(name);
    corral_board_print("\"");
    corral_board_print(text);
    corral_board_print("\"");
}

void item_bytes_begin(const char *name)
{
    print_member(name);
    corral_board_print("\"");
}

void item_bytes_add(const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char text[65];
    size_t used = 0;

    for (size_t i = 0; i < size; i++) {
        text[used++] = digits[bytes[i] >> 4];
        text[used++] = digits[bytes[i] & 15u];
        if (used == sizeof text - 1 || i + 1 == size) {
            text[used] = '\0';
            corral_board_print(text);
            used = 0;
        }
    }
}

void item_bytes_end(void)
{
    corral_board_print("\"");
}

void item_bytes(const char *name, const uint8_t *bytes, size_t size)
{
    item_bytes_begin(name);
    item_bytes_add(bytes, size);
    item_bytes_end();
}

void item_end(const struct item *item)
{
    results++;
    if (item->status != PSA_SUCCESS) {
        item_text("step", item->step);
        failures += item->status != PSA_ERROR_NOT_SUPPORTED;
    }
    print_member("status");
    corral_board_print(item->status < 0 ? "-" : "");
    print_number((unsigned)(item->status < 0 ? -item->status : item->status));
    corral_board_print("}\n");
}

unsigned report_end(void)
{
    corral_board_print("corral-done {\"results\":");
    print_number(results);
    print_member("failed");
    print_number(failures);
    corral_board_print("}\n");
    return failures;
}
