/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A boot loader: chooses the image, loads and verifies it, and starts it. It keeps no secret,
 * so it leaves its memory to the image as it is.
 */
#include <corral/board.h>
#include <corral/port.h>
#include <corral/update.h>
#include <psa/crypto.h>

/* Any status but success: three digits and a sign. */
static void print_status(psa_status_t status)
{
    char text[] = "-000\n";
    uint32_t left = 0u - (uint32_t)status;

    for (size_t i = 3; i > 0; i--) {
        text[i] = (char)('0' + left % 10u);
        left /= 10u;
    }
    corral_board_print(text);
}

int main(void)
{
    struct corral_update_image image;
    size_t size;
    uint8_t *const memory = corral_port_boot_memory(&size);

    psa_status_t status = psa_crypto_init();
    if (status == PSA_SUCCESS) {
        status = corral_update_boot_into(memory, size, &image);
    }
    if (status == PSA_SUCCESS) {
        corral_port_boot_start(memory, image.size);
        status = PSA_ERROR_NOT_SUPPORTED; /* it is linked for other memory */
    }
    corral_board_print("boot: no image starts: ");
    print_status(status);
    return 1;
}
