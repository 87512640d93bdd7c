/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding a directory by multicast (RFC 9176, 4.1): the device asks a group, and registers at a
 * directory that answers. A directory that is found needs no trust: messages to it are
 * signed for its challenge, and contain no secret. There where FLEET_FINDS (port.h).
 */
#ifndef FLEET_DISCOVERY_H
#define FLEET_DISCOVERY_H

#include "state.h"

/* Whether the directory that the settings want is looked for in the group, from now on. */
void fleet_look_for_directory(bool does);

/* Returns the present setting. */
bool fleet_finds_directory(void);

/*
 * Ask the group, if no directory is found already, and wait for the answer for as long as its
 * leisure is. After a useless directory the next one that answers is taken, if there
 * are several. Returns false if there is none, or no random number; the device leaves
 * the group alone for a while, as fleet_lose_directory() does.
 */
bool fleet_find_directory(struct fleet_device *device);

/* The path of the directory that was found. */
const char *fleet_found_path(void);

/*
 * The directory that was found does not answer, or rejects: the device looks for another
 * one. The first pause is one to two minutes, the next two to four, and so on, up to one to
 * two hours. It is never shorter than the pause that the directory just asked for.
 */
void fleet_lose_directory(struct fleet_device *device);

#endif
