/* SPDX-License-Identifier: Apache-2.0 */
/* nRF51 Series Reference Manual, 29: the UART, sending only, at 115200 baud. */
#include "../uart/uart.h"

#include <stdint.h>

#define UART ((uintptr_t)0x40002000)
#define UART_TASKS_STARTTX (*(volatile uint32_t *)(UART + 0x008))
#define UART_EVENTS_TXDRDY (*(volatile uint32_t *)(UART + 0x11c))
#define UART_ENABLE (*(volatile uint32_t *)(UART + 0x500))
#define UART_PSELTXD (*(volatile uint32_t *)(UART + 0x50c))
#define UART_TXD (*(volatile uint32_t *)(UART + 0x51c))
#define UART_BAUDRATE (*(volatile uint32_t *)(UART + 0x524))

#define GPIO ((uintptr_t)0x50000000)
#define GPIO_OUTSET (*(volatile uint32_t *)(GPIO + 0x508))
#define GPIO_DIRSET (*(volatile uint32_t *)(GPIO + 0x518))

#define ENABLED 4u
#define BAUD_115200 0x01d7e000u
#define PIN_MASK (UINT32_C(1) << NRF51_UART_TXD_PIN)

void uart_start(void)
{
    /* An idle line is high, also while the UART does not drive it. */
    GPIO_OUTSET = PIN_MASK;
    GPIO_DIRSET = PIN_MASK;
    UART_PSELTXD = NRF51_UART_TXD_PIN;
    UART_BAUDRATE = BAUD_115200;
    UART_ENABLE = ENABLED;
    UART_TASKS_STARTTX = 1;
}

void uart_put(char character)
{
    UART_EVENTS_TXDRDY = 0;
    UART_TXD = (uint8_t)character;
    while (UART_EVENTS_TXDRDY == 0) {
    }
}
