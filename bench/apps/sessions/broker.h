/* SPDX-License-Identifier: Apache-2.0 */
/* A broker that answers as that of a fleet does (docs/fleet/PROTOCOL.md, 4 and 5), and verifies
 * nothing: its work is not counted. */
#ifndef BROKER_H
#define BROKER_H

#include <stddef.h>
#include <stdint.h>

/* The path of the data of the device's topic. */
#define BROKER_PATH "d/0-b79b"
/* Room for the longest answer. */
#define BROKER_ANSWER_SIZE 64u

/* Answer a message of the device. Returns the length of the answer; 0: it asked for none. */
size_t broker_answer(const uint8_t *message, size_t length, uint8_t answer[BROKER_ANSWER_SIZE]);

#endif
