/* SPDX-License-Identifier: Apache-2.0 */
#include "begin.h"

#include "../../../core/common/initialised.h"
#include "../../../ports/common/counter_model.h"
#include "../../../ports/common/flash_model.h"
#include "../../../storage/rollback.h"
#include "../../../storage/store.h"
#include "../../../wall/trusted/serve.h"
#include "../../persistent_elements/chips.h"
#include "../arena.h"

static const struct corral_flash_geometry geometry = {2048, 16, 8, false};

void stored_restart(corral_owner_t client)
{
    static const corral_owner_t clients[] = {1, 2, 3, 0x102};

    (void)flash_model_power_on();
    (void)chips_power_on();
    for (size_t i = 0; i < sizeof clients / sizeof clients[0]; i++) {
        EXPECT(PSA_SUCCESS, corral_wall_forget(clients[i]));
    }
    chips_restart();
    corral_initialised = false;
    corral_store_unmount();
    corral_rollback_forget();
    call_as(client);
    NEED(psa_crypto_init());
}

void stored_begin(void)
{
    flash_model_reset(&geometry);
    counter_model_set(0);
    stored_restart(2);
    call_as(1);
}
