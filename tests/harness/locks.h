/* SPDX-License-Identifier: Apache-2.0 */
/* The port's locks, watched; programs that link locks.c let the linker redirect them there. */
#ifndef TEST_LOCKS_H
#define TEST_LOCKS_H

/*
 * Fail the test unless this thread holds the lock, a number of corral/lock.h. The program ends if
 * it is the one that was left out: that has been noticed.
 */
void locks_need(unsigned lock);

#endif
