/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the transports of this folder beside port.h. Each is in ports/, under
 * the name of the port that it goes with, and defines port.h's functions, too.
 */
#ifndef FLEET_TRANSPORT_H
#define FLEET_TRANSPORT_H

#include "port.h"

/* The value of the option "directory" if the directory is to be found (discovery.h). */
#define FLEET_MULTICAST "multicast"

/* Begin: open what messages go through, as the options say. false: it is not to be had. */
bool fleet_transport_start(void);

/*
 * The value of an option of this run with a name of small letters: on POSIX the
 * environment's FLEET_NAME. NULL: there is none, or the system has no options.
 */
const char *fleet_transport_option(const char *name);

#endif
