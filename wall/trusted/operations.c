/* SPDX-License-Identifier: Apache-2.0 */
#include "operations.h"

#include <corral/driver.h>

#define INDEX_BITS 8
#define INDEX_MASK ((1u << INDEX_BITS) - 1)

static struct corral_wall_operation table[CORRAL_WALL_OPERATIONS];

/* Operations ever begun, in the bits above those of the index; never 0 in a handle. */
static uint32_t begun;

/* Each kind begins with its algorithm, which says whether it is active (corral/operations.h). */
static bool is_active(const struct corral_wall_operation *operation)
{
    const psa_algorithm_t *const alg = (const psa_algorithm_t *)(const void *)&operation->as;

    return *alg != PSA_ALG_NONE;
}

void corral_wall_number_from(uint32_t number)
{
    begun = number & ~(uint32_t)INDEX_MASK;
}

static psa_status_t open_inactive(uint8_t kind, struct corral_wall_operation **operation)
{
    struct corral_wall_operation *found = NULL;
    size_t mine = 0;

    for (size_t i = 0; i < CORRAL_WALL_OPERATIONS; i++) {
        if (table[i].handle == 0) {
            found = &table[i];
        } else if (table[i].owner == corral_owner) {
            mine++;
        }
    }
    if (found == NULL || mine >= CORRAL_OWNER_SHARE(CORRAL_WALL_OPERATIONS)) {
        return PSA_ERROR_INSUFFICIENT_MEMORY;
    }
    corral_wipe(&found->as, sizeof found->as);
    found->owner = corral_owner;
    found->kind = kind;
    *operation = found;
    return PSA_SUCCESS;
}

psa_status_t corral_wall_open(uint32_t handle, uint8_t kind,
                              struct corral_wall_operation **operation)
{
    const size_t index = (size_t)(handle & INDEX_MASK);

    if (handle == 0) {
        return open_inactive(kind, operation);
    }
    if (index >= CORRAL_WALL_OPERATIONS || table[index].handle != handle ||
        table[index].owner != corral_owner || table[index].kind != kind) {
        return PSA_ERROR_BAD_STATE;
    }
    *operation = &table[index];
    return PSA_SUCCESS;
}

uint32_t corral_wall_close(struct corral_wall_operation *operation)
{
    if (!is_active(operation)) {
        operation->handle = 0;
    } else if (operation->handle == 0) {
        begun += 1u << INDEX_BITS;
        begun += begun == 0 ? 1u << INDEX_BITS : 0;
        operation->handle = begun | (uint32_t)(operation - table);
    }
    return operation->handle;
}

psa_status_t corral_wall_abort_all(void)
{
    psa_status_t result = PSA_SUCCESS;

    for (size_t i = 0; i < CORRAL_WALL_OPERATIONS; i++) {
        if (table[i].handle != 0 && table[i].owner == corral_owner) {
            const psa_status_t status = corral_wall_abort(&table[i]);
            result = result == PSA_SUCCESS ? status : result;
            corral_wipe(&table[i], sizeof table[i]);
        }
    }
    return result;
}
