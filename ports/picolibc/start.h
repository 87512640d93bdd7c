/* SPDX-License-Identifier: Apache-2.0 */
/* From a processor with a stack to main(). */
#ifndef START_H
#define START_H

/* Make variables what the program expects, switch the console on, and run it. */
_Noreturn void start_program(void);

/* main(), and the end of the run with its result. An operating system has its own. */
_Noreturn void run_main(void);

/* End the run because of a fault of the program: status 255. */
_Noreturn void stop_at_fault(void);

#endif
