/* SPDX-License-Identifier: Apache-2.0 */
/* The EEPROM in a file, so stored bytes are there in the next run. */
#ifndef EEPROM_H
#define EEPROM_H

#include "board.h"

/*
 * Let a started board have the content of the file `path`, which is made, erased, if it is not
 * there. Each byte that changes is in the file at once. false: the reason is on standard error.
 */
bool eeprom_open(const struct board *board, const char *path);

#endif
