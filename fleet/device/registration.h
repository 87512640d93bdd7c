/* SPDX-License-Identifier: Apache-2.0 */
/* Registering at broker and directory: PROTOCOL.md, 4. */
#ifndef FLEET_REGISTRATION_H
#define FLEET_REGISTRATION_H

#include "state.h"

/* Seconds until the next registration at the directory: it holds an entry for 90,000
 * (RFC 9176, 5), and none after its restart. */
#define FLEET_RENEWAL 43200u

/*
 * Register at the broker and, if the settings say so, at the directory. Publishing does it when it
 * has to be done; an application calls this if it wants to know before. A directory that is silent
 * or refuses keeps no reading from the broker: it is tried again when it may be.
 *   PSA_ERROR_BAD_STATE              the time for which the broker asked to wait is not over
 *   PSA_ERROR_COMMUNICATION_FAILURE  no answer came
 *   PSA_ERROR_NOT_PERMITTED          refused; the next call within the time that the server asked
 *                                    for is PSA_ERROR_BAD_STATE. Without such a time it is one
 *                                    minute, and twice as long after each refusal, up to an hour
 *   PSA_ERROR_BUFFER_TOO_SMALL       FLEET_MESSAGE_SIZE, FLEET_STATEMENT_SIZE or FLEET_PATH_SIZE is
 *   whatever else taking a number and signing return
 */
psa_status_t fleet_device_register(struct fleet_device *device);

/*
 * Register at the directory if the settings contain one, and no pause is running. The next time
 * is in FLEET_RENEWAL, or after a failure in fleet_backoff(), or when the directory said.
 */
void fleet_enter_directory(struct fleet_device *device);

#endif
