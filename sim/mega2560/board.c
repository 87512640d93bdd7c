/* SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <avr_uart.h>
#include <sim_elf.h>

/* Data addresses of the registers, and the values, of ports/avr/host.h. */
enum { REGISTER_REQUEST = 0x4A, REGISTER_BYTE = 0x4B };
enum { REQUEST_ENTROPY = 1, REQUEST_REWIND = 2, REQUEST_READ = 3, REQUEST_EXIT = 4 };
enum { ANSWER_DONE = 0xD0, ANSWER_REFUSED = 0 };

enum { STATUS_CRASH = 255 };
enum { RAM_START = 0x200 };

/* simavr tells what it does; only what went wrong is for the user. */
static void log_errors(struct avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr;
    if (level == LOG_ERROR) {
        vfprintf(stderr, format, arguments);
    }
}

/* Sleeping takes simulated time only. */
static void sleep_nowhere(struct avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr;
    (void)cycles;
}

static bool draw(struct board *board, uint8_t *byte)
{
    if (board->entropy != NULL) {
        return fread(byte, 1, 1, board->entropy) == 1;
    }
    return getrandom(byte, 1, 0) == 1;
}

static bool answer(struct board *board, uint8_t request)
{
    uint8_t *byte = &board->avr->data[REGISTER_BYTE];

    switch (request) {
    case REQUEST_ENTROPY:
        return draw(board, byte);
    case REQUEST_REWIND:
        return board->input != NULL && fseek(board->input, 0, SEEK_SET) == 0;
    case REQUEST_READ:
        return board->input != NULL && fread(byte, 1, 1, board->input) == 1;
    case REQUEST_EXIT:
        board->is_over = true;
        board->status = *byte;
        return true;
    default:
        return false;
    }
}

static void take_request(struct avr_t *avr, avr_io_addr_t address, uint8_t value, void *context)
{
    avr->data[address] = answer(context, value) ? ANSWER_DONE : ANSWER_REFUSED;
}

static void print_character(struct avr_irq_t *irq, uint32_t value, void *context)
{
    (void)irq;
    (void)context;
    putchar((int)(value & 0xff));
    if (value == '\n') {
        fflush(stdout);
    }
}

static void connect_console(const struct board *board)
{
    uint32_t flags = 0; /* neither lines on the terminal nor naps of the computer */
    struct avr_t *avr = board->avr;

    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    if (!board->is_mute) {
        avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT),
                                print_character, NULL);
    }
}

bool board_start(struct board *board, const char *elf)
{
    elf_firmware_t firmware;

    avr_global_logger_set(log_errors);
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(elf, &firmware) != 0) {
        fprintf(stderr, "mega2560-sim: %s: no ELF file that can be read\n", elf);
        return false;
    }
    board->avr = avr_make_mcu_by_name("atmega2560");
    if (board->avr == NULL) {
        fprintf(stderr, "mega2560-sim: this simavr has no ATmega2560\n");
        return false;
    }
    avr_init(board->avr);
    firmware.frequency = BOARD_HZ;
    avr_load_firmware(board->avr, &firmware);
    board->avr->sleep = sleep_nowhere;
    board->avr->run_cycle_limit = 1; /* one instruction at a time */
    board->data_end = (uint16_t)(RAM_START + firmware.datasize + firmware.bsssize);
    avr_register_io_write(board->avr, REGISTER_REQUEST, take_request, board);
    connect_console(board);
    return true;
}

void board_end_crash(struct board *board)
{
    const struct avr_t *avr = board->avr;
    const char *reason =
        board_can_step(board) ? "the stack has met the variables" : "the processor stopped";

    fflush(stdout);
    fprintf(stderr, "mega2560-sim: %s at %#lx\n", reason, (unsigned long)avr->pc);
    board->status = STATUS_CRASH;
}
