/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding a directory by multicast (RFC 9176, 4.1): a group is asked, and who answers that it is
 * one is registered at. Being found makes nobody trusted: what is said to a directory is signed for
 * its challenge, and it learns nothing that is secret. There where FLEET_FINDS (port.h).
 */
#ifndef FLEET_DISCOVERY_H
#define FLEET_DISCOVERY_H

#include "state.h"

/* Whether the directory that the settings want is looked for in the group, from now on. */
void fleet_look_for_directory(bool does);

/* Whether it is. */
bool fleet_finds_directory(void);

/*
 * Ask the group, if no directory is found already, and wait for the answer for as long as its
 * leisure is. After a directory of no use the next one to answer is taken, if more than one does.
 * false: there is none, or no random number; the device leaves the group alone for a while, as
 * fleet_lose_directory() has it.
 */
bool fleet_find_directory(struct fleet_device *device);

/* The path of the directory that was found. */
const char *fleet_found_path(void);

/*
 * The directory that was found does not answer, or refuses: another one is looked for, after one
 * to two minutes at first, then after two to four, and so on, up to one to two hours; and not
 * before the directory is to be left alone no more, if it asked for that just now.
 */
void fleet_lose_directory(struct fleet_device *device);

#endif
