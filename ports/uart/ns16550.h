/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a 16550, by number: they are one byte or four wide, as the processor has them. */
#ifndef NS16550_H
#define NS16550_H

#define NS16550_TRANSMIT 0
#define NS16550_INTERRUPTS 1
#define NS16550_FIFO 2
#define NS16550_LINE_CONTROL 3
#define NS16550_MODEM_CONTROL 4
#define NS16550_LINE_STATUS 5

#define NS16550_EIGHT_BITS_NO_PARITY 3u
#define NS16550_TRANSMIT_EMPTY 0x20u

#endif
