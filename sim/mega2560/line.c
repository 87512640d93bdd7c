/* SPDX-License-Identifier: Apache-2.0 */
#include "line.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <avr_uart.h>
#include <sim_avr.h>

/* The line is looked at once a millisecond, in which no more than eleven bytes come at 115200. */
enum { STEP_CYCLES = BOARD_HZ / 1000, STEP_NS = 1000000, STEP_BYTES = 11 };
enum { NS_PER_S = 1000000000 };
/* A computer that was busy for longer does not catch up: the program would miss what comes. */
enum { LATE_NS = 20 * STEP_NS };

enum { NOBODY = -1 };

struct line {
    struct board *board;
    int peer;
    bool is_full;   /* the USART takes no more */
    int64_t due_ns; /* when the computer's clock should show the next step */
};

static int64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void hang_up(struct line *line)
{
    close(line->peer);
    line->peer = NOBODY;
}

static void send_character(struct avr_irq_t *irq, uint32_t value, void *context)
{
    struct line *line = context;
    const uint8_t byte = (uint8_t)value;

    (void)irq;
    if (line->peer != NOBODY && send(line->peer, &byte, 1, MSG_NOSIGNAL) != 1) {
        hang_up(line);
    }
}

static void take_xon(struct avr_irq_t *irq, uint32_t value, void *context)
{
    (void)irq;
    (void)value;
    ((struct line *)context)->is_full = false;
}

static void take_xoff(struct avr_irq_t *irq, uint32_t value, void *context)
{
    (void)irq;
    (void)value;
    ((struct line *)context)->is_full = true;
}

/* Take what has come, as much as the line brings in a step. */
static void receive(struct line *line)
{
    struct avr_irq_t *input =
        avr_io_getirq(line->board->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);

    for (int i = 0; i < STEP_BYTES && line->peer != NOBODY && !line->is_full; i++) {
        uint8_t byte;
        const ssize_t length = recv(line->peer, &byte, 1, MSG_DONTWAIT);
        if (length == 1) {
            avr_raise_irq(input, byte);
        } else if (length == 0) {
            hang_up(line);
        } else {
            return;
        }
    }
}

/* Let the computer's clock catch up with the board's. */
static void keep_step(struct line *line)
{
    const int64_t now = clock_ns();

    line->due_ns += STEP_NS;
    if (line->due_ns + LATE_NS < now) {
        line->due_ns = now;
    }
    if (line->due_ns > now) {
        const struct timespec rest = {0, (long)(line->due_ns - now)};
        nanosleep(&rest, NULL);
    }
}

static avr_cycle_count_t step(struct avr_t *avr, avr_cycle_count_t when, void *context)
{
    struct line *line = context;

    (void)avr;
    keep_step(line);
    receive(line);
    return when + STEP_CYCLES;
}

/* Remove a socket without a listening process, and nothing but a socket. */
static void unlink_socket(const char *path)
{
    struct stat found;

    if (lstat(path, &found) == 0 && S_ISSOCK(found.st_mode)) {
        (void)unlink(path);
    }
}

/* Wait for the one who is at the other end. */
static int await(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int peer = NOBODY;

    if (strlen(path) >= sizeof address.sun_path) {
        fprintf(stderr, "mega2560-sim: %s: too long for a socket\n", path);
        return NOBODY;
    }
    memcpy(address.sun_path, path, strlen(path));
    unlink_socket(path); /* of a run that was killed */
    const int listening = socket(AF_UNIX, SOCK_STREAM, 0);
    if (listening >= 0 && bind(listening, (struct sockaddr *)&address, sizeof address) == 0 &&
        listen(listening, 1) == 0) {
        peer = accept(listening, NULL, NULL);
        unlink_socket(path);
    }
    if (peer < 0) {
        perror(path);
    }
    if (listening >= 0) {
        close(listening);
    }
    return peer;
}

struct line *line_new(struct board *board, const char *path)
{
    struct line *line = calloc(1, sizeof *line);

    if (line == NULL) {
        return NULL;
    }
    *line = (struct line){.board = board, .peer = await(path), .due_ns = clock_ns()};
    if (line->peer < 0) {
        free(line);
        return NULL;
    }
    struct avr_irq_t *irqs = avr_io_getirq(board->avr, AVR_IOCTL_UART_GETIRQ('0'), 0);
    avr_irq_register_notify(irqs + UART_IRQ_OUTPUT, send_character, line);
    avr_irq_register_notify(irqs + UART_IRQ_OUT_XON, take_xon, line);
    avr_irq_register_notify(irqs + UART_IRQ_OUT_XOFF, take_xoff, line);
    avr_cycle_timer_register(board->avr, STEP_CYCLES, step, line);
    return line;
}

void line_free(struct line *line)
{
    if (line != NULL && line->peer != NOBODY) {
        hang_up(line);
    }
    free(line);
}
