/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations of the wall's clients (wall/trusted/operations.c), from any table of them to one of
 * that kind again: a handle leads to the operation that it was given for, of its own client and
 * kind; no two have the same. A client that is forgotten (wall/trusted/serve.c) has none.
 * And the check of a buffer in a region (wall/region.h).
 */
#include "../../wall/trusted/operations.c"
#include "../../wall/region.h"
#include "../../wall/trusted/serve.c"
#include "proof.h"

const void *nondet_pointer(void);

corral_owner_t corral_owner;

static corral_owner_t client;

/* Of a whole operation, the checked part. */
void corral_wipe(void *buffer, size_t size)
{
    CLAIM(__CPROVER_w_ok(buffer, size), "what is wiped is there");
    for (size_t i = 0; i < CORRAL_WALL_OPERATIONS; i++) {
        if (buffer == &table[i] && size == sizeof table[i]) {
            table[i].handle = 0;
            table[i].owner = 0;
        }
    }
}

/* Of forgetting, the calls of other parts. */
static bool is_forgotten;

psa_status_t corral_keys_forget(void)
{
    CLAIM(corral_owner == client && client != 0 && is_busy, "keys are forgotten as the client");
    is_forgotten = true;
    return nondet_status();
}

psa_status_t corral_wall_abort(struct corral_wall_operation *operation)
{
    CLAIM(operation->handle != 0 && operation->owner == corral_owner, "its own is aborted");
    return nondet_status();
}

/* Each operation that is active has a handle with its place and a number. */
static bool operations_are_sound(void)
{
    bool is_sound = (begun & INDEX_MASK) == 0;

    for (size_t i = 0; i < CORRAL_WALL_OPERATIONS; i++) {
        is_sound = is_sound && (table[i].handle == 0 || ((table[i].handle & INDEX_MASK) == i &&
                                                         table[i].handle > INDEX_MASK));
    }
    return is_sound;
}

static void any_operations(void)
{
    __CPROVER_havoc_object(table);
    begun = nondet_uint32();
    GIVEN(operations_are_sound());
}

void prove_forget(void)
{
    client = nondet_uint32();
    is_busy = nondet_bool();
    any_operations();
    const size_t other = nondet_uint8();
    GIVEN(other < CORRAL_WALL_OPERATIONS);
    const struct corral_wall_operation before = table[other];
    const bool was_busy = is_busy;
    const psa_status_t status = corral_wall_forget(client);

    CLAIM(is_busy == was_busy && corral_owner == 0, "nobody is at work afterwards");
    CLAIM(is_forgotten == (client != 0 && !was_busy), "a client is forgotten, and nobody else");
    CLAIM(is_forgotten || status != PSA_SUCCESS, "success is to be forgotten");
    CLAIM(!is_forgotten || table[other].handle == 0 || table[other].owner != client,
          "it has no operation any more");
    CLAIM((is_forgotten && before.owner == client) || table[other].handle == before.handle,
          "others have theirs");
}

void prove_open(void)
{
    struct corral_wall_operation *operation = NULL;
    const uint32_t handle = nondet_uint32();
    const uint8_t kind = nondet_uint8();

    any_operations();
    corral_owner = nondet_uint32();
    const psa_status_t status = corral_wall_open(handle, kind, &operation);
    CLAIM((operation != NULL) == (status == PSA_SUCCESS), "an operation comes with success");
    CLAIM(status == PSA_SUCCESS ||
              status == (handle == 0 ? PSA_ERROR_INSUFFICIENT_MEMORY : PSA_ERROR_BAD_STATE),
          "the statuses of operations.h");
    if (status != PSA_SUCCESS) {
        return;
    }
    CLAIM(operation >= table && operation < table + CORRAL_WALL_OPERATIONS, "it is in the table");
    CLAIM(operation->handle == handle, "it has this handle");
    CLAIM(operation->owner == corral_owner, "it is the client's own");
    CLAIM(operation->kind == kind, "it is of the kind that is asked for");
    if (handle == 0) {
        size_t mine = 0;
        for (size_t i = 0; i < CORRAL_WALL_OPERATIONS; i++) {
            mine += table[i].handle != 0 && table[i].owner == corral_owner ? 1 : 0;
        }
        CLAIM(mine < CORRAL_OWNER_SHARE(CORRAL_WALL_OPERATIONS), "it has its share and no more");
    }
    CLAIM(operations_are_sound(), "operations are sound again");
}

void prove_close(void)
{
    any_operations();
    const size_t at = nondet_uint8();
    const size_t other = nondet_uint8();
    GIVEN(at < CORRAL_WALL_OPERATIONS && other < CORRAL_WALL_OPERATIONS);
    const uint32_t before = table[at].handle;
    const uint32_t others = table[other].handle;
    const uint32_t number = begun >> INDEX_BITS;
    const bool was_active = is_active(&table[at]);
    const uint32_t handle = corral_wall_close(&table[at]);
    CLAIM(handle == table[at].handle && (handle != 0) == was_active, "what is active has a handle");
    CLAIM(handle == 0 || before == 0 || handle == before, "and keeps it");
    CLAIM(handle == 0 || before != 0 ||
              handle >> INDEX_BITS == (number == UINT32_MAX >> INDEX_BITS ? 1 : number + 1),
          "a new one has the next number");
    CLAIM(other == at || (table[other].handle == others && (others == 0 || others != handle)),
          "no two have the same");
    CLAIM(operations_are_sound(), "operations are sound again");
}

/* Of any buffer each byte is in the region, if all of it is said to be. */
void prove_region(void)
{
    const struct corral_wall_region region = {nondet_size(), nondet_size()};
    const void *const buffer = nondet_pointer();
    const uintptr_t at = (uintptr_t)buffer;
    const size_t length = nondet_size();
    const size_t byte = nondet_size();

    GIVEN(region.size <= UINTPTR_MAX - region.begin);
    const bool holds = corral_wall_region_holds(&region, buffer, length);
    const bool is_in = byte <= UINTPTR_MAX - at && at + byte >= region.begin &&
                       at + byte - region.begin < region.size;
    CLAIM(!holds || byte >= length || is_in, "each byte is in the region");
    CLAIM(holds || length > region.size || at < region.begin ||
              at - region.begin > region.size - length,
          "what is in it is held");
}
