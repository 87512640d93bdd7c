/* SPDX-License-Identifier: Apache-2.0 */
/* A task is deleted at any time: it leaves no lock and no hold. */
#include <psa/internal_trusted_storage.h>

#include "../../../core/keys/pool.h"
#include "tasks.h"

#define ECDSA_256 PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define LOW 1
#define HIGH 3
#define STORED 5u

/* How often the task is deleted, each time so many ticks later after its start. */
#define TIMES 20u
#define STEP 9u

static volatile psa_key_id_t pair;

static psa_key_attributes_t pair_attributes(void)
{
    return test_attributes(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256, ECDSA_256,
                           PSA_KEY_USAGE_SIGN_HASH);
}

static psa_status_t import_pair(const psa_key_attributes_t *attributes, psa_key_id_t *key)
{
    return psa_import_key(attributes, p256_private, sizeof p256_private, key);
}

/* Make keys, sign, and store, without end. P-256 takes most of the time. */
static void work(void *unused)
{
    const psa_key_attributes_t attributes = pair_attributes();
    psa_key_attributes_t stored =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    (void)unused;
    psa_set_key_id(&stored, STORED);
    for (;;) {
        uint8_t signature[64];
        psa_key_id_t key = PSA_KEY_ID_NULL;
        size_t length;

        (void)psa_import_key(&stored, aes_key, sizeof aes_key, &key);
        (void)psa_its_set(1, sizeof aes_key, aes_key, PSA_STORAGE_FLAG_NONE);
        (void)import_pair(&attributes, (psa_key_id_t *)&pair);
        (void)psa_sign_hash(pair, ECDSA_256, p256_hash, 32, signature, sizeof signature, &length);
        (void)psa_destroy_key(pair);
        (void)psa_destroy_key(STORED);
    }
}

/* How many key pairs can be made now. They are destroyed again. */
static unsigned room_for_pairs(void)
{
    const psa_key_attributes_t attributes = pair_attributes();
    psa_key_id_t keys[CORRAL_KEY_PAIR_SLOTS + 1];
    unsigned n = 0;

    while (n <= CORRAL_KEY_PAIR_SLOTS && import_pair(&attributes, &keys[n]) == PSA_SUCCESS) {
        n++;
    }
    for (unsigned i = 0; i < n; i++) {
        EXPECT(PSA_SUCCESS, psa_destroy_key(keys[i]));
    }
    return n;
}

static bool is_in_call(TaskHandle_t task)
{
    return pvTaskGetThreadLocalStoragePointer(task, 0) != NULL;
}

/* Returns whether it was in a call when it was deleted. */
static bool delete_after(unsigned ticks, bool is_suspended)
{
    const TaskHandle_t task = tasks_start(0, work, LOW);

    vTaskDelay(ticks);
    const bool was_inside = is_in_call(task);
    if (is_suspended) {
        vTaskSuspend(task);
        vTaskDelay(1);
    }
    vTaskDelete(task);
    test_context("ticks", ticks);
    REQUIRE(tasks_locks() == 0);
    REQUIRE(corral_holds() == 0);
    /* The keys of a deleted task remain. */
    (void)psa_destroy_key(pair);
    (void)psa_destroy_key(STORED);
    return was_inside;
}

static void delete_at_any_time(bool is_suspended)
{
    unsigned inside = 0;

    vTaskPrioritySet(NULL, HIGH);
    for (unsigned i = 0; i < TIMES; i++) {
        inside += delete_after(1 + STEP * i, is_suspended);
    }
    test_context(NULL, 0);
    CHECK(inside > 0 || !CORRAL_MARK_CALLS);
    CHECK(room_for_pairs() == CORRAL_KEY_PAIR_SLOTS);
    EXPECT(PSA_SUCCESS, psa_its_remove(1));
}

static void delete__task_in_a_call__leaves_nothing_taken(void)
{
    delete_at_any_time(false);
}

static void delete__task_suspended_in_a_call__leaves_nothing_taken(void)
{
    delete_at_any_time(true);
}

static void end_self(void *done)
{
    (void)done;
    NEED(psa_generate_random((uint8_t[16]){0}, 16));
    vTaskDelete(NULL);
}

static void delete__task_itself_and_between_calls__does_not_wait(void)
{
    vTaskPrioritySet(NULL, LOW);
    (void)tasks_start(1, end_self, HIGH);
    CHECK(tasks_locks() == 0);
    /* The idle task frees it; until then its memory is not to be used again. */
    vTaskDelay(2);
}

/* A task that is about to be resumed by others, once, when the scheduler has been resumed. */
static TaskHandle_t parked;

BaseType_t __real_xTaskResumeAll(void);
BaseType_t __wrap_xTaskResumeAll(void);

BaseType_t __wrap_xTaskResumeAll(void)
{
    const TaskHandle_t task = parked;
    const BaseType_t has_yielded = __real_xTaskResumeAll();

    if (task != NULL && xTaskGetSchedulerState() == taskSCHEDULER_RUNNING) {
        parked = NULL;
        if (eTaskGetState(task) == eSuspended) {
            vTaskResume(task);
            taskYIELD();
        }
    }
    return has_yielded;
}

static void park_and_work(void *unused)
{
    vTaskSuspend(NULL);
    work(unused);
}

static void delete__task_that_another_resumes_meanwhile__leaves_nothing_taken(void)
{
    vTaskPrioritySet(NULL, LOW);
    const TaskHandle_t task = tasks_start(0, park_and_work, HIGH);
    vTaskPrioritySet(task, LOW);
    parked = task;
    vTaskDelete(task);
    REQUIRE(parked == NULL);
    REQUIRE(tasks_locks() == 0);
    REQUIRE(corral_holds() == 0);
}

/* How often the port called the API in a call, and whether the outer call stayed marked. */
static bool is_nesting;
static unsigned nested;
static bool is_marked;

psa_status_t __real_corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size);
psa_status_t __wrap_corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size);

psa_status_t __wrap_corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size)
{
    if (is_nesting) {
        NEED(psa_generate_random((uint8_t[16]){0}, 16));
        nested++;
        is_marked = is_marked && is_in_call(xTaskGetCurrentTaskHandle());
    }
    return __real_corral_port_flash_write(offset, data, size);
}

static void call__from_a_function_of_the_port__leaves_the_outer_call_marked(void)
{
    is_nesting = is_marked = true;
    EXPECT(PSA_SUCCESS, psa_its_set(1, sizeof aes_key, aes_key, PSA_STORAGE_FLAG_NONE));
    is_nesting = false;
    CHECK(nested > 0);
    CHECK(is_marked || !CORRAL_MARK_CALLS);
    CHECK(!is_in_call(xTaskGetCurrentTaskHandle()));
    EXPECT(PSA_SUCCESS, psa_its_remove(1));
}

static const struct test_case tests[] = {
    TEST(call__from_a_function_of_the_port__leaves_the_outer_call_marked),
    TEST(delete__task_that_another_resumes_meanwhile__leaves_nothing_taken),
    TEST(delete__task_itself_and_between_calls__does_not_wait),
    TEST(delete__task_in_a_call__leaves_nothing_taken),
    TEST(delete__task_suspended_in_a_call__leaves_nothing_taken),
};

TEST_SUITE(deleted, tests);
