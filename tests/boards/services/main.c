/* SPDX-License-Identifier: Apache-2.0 */
/* Does with the board's services what its input file asks for; a letter, then what it needs. */
#include <corral/board.h>
#include <corral/port.h>

#define STATUS_OTHER 99

/* Print the rest of the input. */
static int echo(void)
{
    char text[8];
    size_t length;

    do {
        if (!corral_board_input_read((uint8_t *)text, sizeof text - 1, &length)) {
            return STATUS_OTHER;
        }
        text[length] = '\0';
        corral_board_print(text);
    } while (length == sizeof text - 1);
    return 0;
}

/* Print raw entropy in hexadecimal. */
static int show_entropy(void)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t raw[8];
    size_t bits;

    if (corral_port_entropy(raw, sizeof raw, &bits) != PSA_SUCCESS) {
        return STATUS_OTHER;
    }
    for (size_t i = 0; i < sizeof raw; i++) {
        const char text[3] = {digits[raw[i] >> 4], digits[raw[i] & 15], '\0'};
        corral_board_print(text);
    }
    return (int)bits;
}

/* Push the stack down until it meets the variables. */
static int dig(volatile uint8_t *above)
{
    volatile uint8_t here[64];

    here[0] = *above;
    return dig(here) + here[0];
}

int main(void)
{
    uint8_t letter;
    size_t length;

    if (!corral_board_input_rewind()) {
        corral_board_print("no input\n");
        return STATUS_OTHER;
    }
    if (!corral_board_input_read(&letter, 1, &length) || length != 1) {
        return STATUS_OTHER;
    }
    switch (letter) {
    case 'e':
        return echo();
    case 'r':
        return show_entropy();
    case 'd':
        return dig(&letter);
    default:
        corral_board_exit(letter);
    }
}
