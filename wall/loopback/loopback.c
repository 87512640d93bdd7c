/* SPDX-License-Identifier: Apache-2.0 */
#include "loopback.h"

#include <corral/driver.h>

#include "../client/cross.h"
#include "../trusted/serve.h"
#include "../trusted/transport.h"

struct corral_wall_loopback corral_wall_loopback = {.client = 1, .memory = {0, SIZE_MAX}};

psa_status_t corral_wall_cross(struct corral_wall_call *call)
{
    return corral_wall_serve(corral_wall_loopback.client, call);
}

bool corral_wall_accepts(corral_owner_t client, const void *to, size_t length)
{
    return client == corral_wall_loopback.client &&
           corral_wall_region_holds(&corral_wall_loopback.memory, to, length);
}

bool corral_wall_fetch(corral_owner_t client, void *to, const void *from, size_t length)
{
    const bool may_read = corral_wall_accepts(client, from, length);

    if (may_read) {
        corral_copy(to, from, length);
    }
    return may_read;
}

bool corral_wall_deliver(corral_owner_t client, void *to, const void *from, size_t length)
{
    const bool may_write = corral_wall_accepts(client, to, length);

    if (may_write) {
        corral_copy(to, from, length);
    }
    return may_write;
}

bool corral_wall_fetch_call(corral_owner_t client, struct corral_wall_call *to,
                            const struct corral_wall_call *from)
{
    return corral_wall_accepts(client, from, sizeof *from) &&
           corral_wall_fetch(client, to, from, sizeof *to);
}

bool corral_wall_deliver_reply(corral_owner_t client, struct corral_wall_call *to,
                               const struct corral_wall_reply *from, bool is_short)
{
    (void)is_short;
    return corral_wall_deliver(client, &to->reply, from, sizeof *from);
}
