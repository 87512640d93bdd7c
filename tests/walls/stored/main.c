/* SPDX-License-Identifier: Apache-2.0 */
/* The stored data of a client on the other side of a wall: the suites of persistent
 * keys and of storage that see no more than an application does. */
#include <corral/bindings.h>
#include <psa/internal_trusted_storage.h>
#include <psa/protected_storage.h>

#include "../../../wall/gate/gate.h"
#include "../../persistent/restarts.h"
#include "../../storage/media.h"

#define NUMBERS 30u /* the limit of the suites' counters */

/* The client starts again; runs of another program show the machine's power-on. */
void device_restart(void)
{
    NEED(corral_wall_meet(CORRAL_CONFIG_HASH));
    NEED(psa_crypto_init());
}

/* The flash is the other side's: all removable entries are removed. */
void device_fresh(const struct corral_flash_geometry *geometry)
{
    (void)geometry;
    device_restart();
    for (psa_key_id_t id = 1; id <= NUMBERS; id++) {
        (void)psa_destroy_key(id);
        (void)psa_its_remove(id);
        (void)psa_ps_remove(id);
    }
    (void)psa_destroy_key(PSA_KEY_ID_USER_MAX);
    (void)psa_its_remove(UINT32_MAX);
}

void media_fresh(const struct corral_flash_geometry *geometry)
{
    device_fresh(geometry);
}

bool media_restart(void)
{
    device_restart();
    return false;
}

int main(void)
{
    return test_initialise_and_run(test_suites, test_suite_count);
}
