/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of a device, and its state from one message to the next. */
#ifndef FLEET_STATE_H
#define FLEET_STATE_H

#include "exchange.h"
#include "identity.h"
#include "sequence.h"
#include "sizes.h"

/* How a device takes part. Remembered by the device, not copied. */
struct fleet_settings {
    struct fleet_profile profile;
    uint8_t confirm_every;    /* every n-th reading is confirmable; 1: each */
    bool has_directory;       /* register there, too */
    const char *registration; /* path at the broker; NULL: "reg" */
    const char *directory;    /* path at the directory; NULL: "rd", or as it was found */
    const char *links;        /* in link-format, for the directory; NULL: none */
    const uint8_t *group;     /* identities of the group, ascending, its own among them */
    uint8_t group_size;       /* how many; 0: it is in none */
};

/* How long a peer is to be left alone: milliseconds of the port's clock, 0 if not at all. */
struct fleet_patience {
    uint32_t since;
    uint32_t duration;
};

struct fleet_device {
    /* Small and used often, so in front: farther off each use is a longer instruction. */
    const struct fleet_settings *settings;
    struct fleet_identity identity;
    bool is_registered; /* at the broker */
    bool is_in_directory;
    bool is_new_here; /* nothing was published since the registration */
    uint8_t since_confirmed;
    uint16_t backoff[2]; /* by enum fleet_peer: seconds after its latest refusal; 0: none */
    struct fleet_patience patience[2]; /* by enum fleet_peer */
    struct fleet_sequence sequence;
    struct fleet_link link;
    char path[FLEET_PATH_SIZE]; /* of the topic's data, without a slash in front */
#if FLEET_PAIRING
    struct fleet_pairing *pairing; /* to be forgotten with the identity; NULL: none */
#endif
};

#endif
