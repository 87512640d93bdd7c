/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the transports of this folder have beside port.h. Each is in ports/, under the name of the
 * port that it goes with, and defines port.h's functions, too.
 */
#ifndef FLEET_TRANSPORT_H
#define FLEET_TRANSPORT_H

#include "port.h"

/* What the option "directory" is if the directory is to be found (discovery.h). */
#define FLEET_MULTICAST "multicast"

/* Begin: open what messages go through, as the options say. false: it is not to be had. */
bool fleet_transport_start(void);

/*
 * What this run was given under a name of small letters: on POSIX the environment's FLEET_NAME.
 * NULL: nothing, or there is nobody to give anything.
 */
const char *fleet_transport_option(const char *name);

#endif
