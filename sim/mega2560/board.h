/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ATmega2560 at 16 MHz with an image in its flash, USART0 on standard output, and the host that
 * ports/avr/host.h talks to.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <sim_avr.h>
#include <sim_core.h>

enum { BOARD_HZ = 16000000 };
/* A program sets the two halves of the stack pointer one after the other. */
enum { BOARD_STEPS_OF_CHANGE = 4 };

/* The traffic on the I2C bus. */
struct board_traffic {
    uint64_t transfers; /* from start to stop */
    uint64_t bytes;     /* address bytes included */
    uint64_t cycles;    /* of the processor, in that time */
};

struct board {
    struct avr_t *avr;
    FILE *input;   /* the input of the program; NULL: there is none */
    FILE *entropy; /* random bytes; NULL: of this computer's kernel */
    bool is_mute;  /* USART0 is not on standard output */
    bool is_over;  /* the program asked for the end */
    int status;    /* and this is its exit status */
    struct board_traffic traffic;
    uint16_t data_end;  /* first address of RAM that no variable occupies */
    unsigned met_steps; /* instructions in a row for which the stack was below that */
};

/*
 * Make the board and load the ELF file `elf`. The members `input`, `entropy` and
 * `is_mute` are the caller's and keep their values. false: the reason is on standard error.
 */
bool board_start(struct board *board, const char *elf);

/* The stack pointer: the address below the byte pushed last. */
static inline uint16_t board_stack(const struct board *board)
{
    return (uint16_t)(board->avr->data[R_SPL] | board->avr->data[R_SPH] << 8);
}

static inline bool board_timer_is_due(const struct avr_t *avr)
{
    return avr->cycle_timers.timer != NULL && avr->cycle_timers.timer->when <= avr->cycle;
}

/* As avr_run() does, which looks after each instruction through what is seldom there. */
static inline void board_execute(struct avr_t *avr)
{
    if (avr->state == cpu_Running) {
        avr->pc = avr_run_one(avr);
    }
    if (avr->state != cpu_Running) {
        avr_run(avr);
        return;
    }
    if (board_timer_is_due(avr)) {
        avr_cycle_timer_process(avr);
    }
    if (avr->interrupt_state != 0) {
        avr_service_interrupts(avr);
    }
}

/* Execute one instruction. */
static inline void board_step(struct board *board)
{
    board_execute(board->avr);
    board->met_steps = board_stack(board) < board->data_end ? board->met_steps + 1 : 0;
}

/* Whether the processor has not stopped. */
static inline bool board_can_step(const struct board *board)
{
    return board->avr->state == cpu_Running || board->avr->state == cpu_Sleeping;
}

/* Say on standard error how the program ended that did not ask for its end: status 255. */
void board_end_crash(struct board *board);

/*
 * Whether the program can go on. false at its end, after a crash and when its stack has met its
 * variables; board->status is the exit status then, 255 after what is not an end.
 */
static inline bool board_is_running(struct board *board)
{
    const bool can_go_on = board_can_step(board) && board->met_steps <= BOARD_STEPS_OF_CHANGE;

    if (!board->is_over && !can_go_on) {
        board_end_crash(board);
    }
    return !board->is_over && can_go_on;
}

#endif
