/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for a lock of the library, and for whom. No test depends on the time that passes. */
#include <stdio.h>

#include <corral/lock.h>

#include "tasks.h"

#define LOW 2
#define MEDIUM 3
#define HIGH 4

static volatile bool is_served;
static volatile bool has_medium_run;
static volatile bool had_medium_run; /* when the high one was served */

static void medium(void *unused)
{
    (void)unused;
    has_medium_run = true;
    vTaskSuspend(NULL);
}

static void high(void *unused)
{
    uint8_t output[16];

    (void)unused;
    NEED(psa_generate_random(output, sizeof output));
    had_medium_run = has_medium_run;
    is_served = true;
    vTaskSuspend(NULL);
}

/* Has the lock while the other two start. Each of them runs at once if its priority is higher. */
static void low(void *unused)
{
    (void)unused;
    corral_port_lock(CORRAL_LOCK_CORE);
    (void)tasks_start(2, high, HIGH);
    CHECK(!is_served);
    (void)tasks_start(1, medium, MEDIUM);
    corral_port_unlock(CORRAL_LOCK_CORE);
    vTaskSuspend(NULL);
}

static void run_three(void)
{
    is_served = false;
    has_medium_run = false;
    vTaskPrioritySet(NULL, LOW - 1);
    (void)tasks_start(0, low, LOW);
    /* All three have suspended themselves. */
    CHECK(is_served && has_medium_run);
    for (unsigned i = 0; i < TASKS; i++) {
        vTaskDelete(tasks_started(i));
    }
}

static void lock__low_task_has_it_and_a_medium_one_starts__high_one_waits_for_the_low_alone(void)
{
    run_three();
    CHECK(!had_medium_run);
}

/* The test above would notice locks without inheritance. */
static void semaphore__low_task_has_it_and_a_medium_one_starts__high_one_waits_for_both(void)
{
    tasks_lock_without_inheritance(true);
    run_three();
    tasks_lock_without_inheritance(false);
    CHECK(had_medium_run);
}

static void draw_once(void *unused)
{
    uint8_t output[16];

    (void)unused;
    NEED(psa_generate_random(output, sizeof output));
    is_served = true;
    vTaskSuspend(NULL);
}

static void lock__waiting_is_aborted__task_waits_on(void)
{
    is_served = false;
    vTaskPrioritySet(NULL, LOW);
    corral_port_lock(CORRAL_LOCK_CORE);
    const TaskHandle_t task = tasks_start(0, draw_once, HIGH);
    for (unsigned i = 0; i < 3; i++) {
        CHECK(xTaskAbortDelay(task) == pdPASS);
        while (eTaskGetState(task) != eBlocked) {
            vTaskDelay(1);
        }
        CHECK(!is_served);
    }
    corral_port_unlock(CORRAL_LOCK_CORE);
    CHECK(is_served);
    vTaskDelete(task);
}

static volatile unsigned drawn;

static void draw_without_end(void *unused)
{
    uint8_t output[16];

    (void)unused;
    for (;;) {
        NEED(psa_generate_random(output, sizeof output));
        drawn++;
    }
}

#define DRAWS 20u

/* A task of the same priority that has the lock most of the time does not keep another one out. */
static void lock__task_of_the_same_priority_never_rests__comes_in_between(void)
{
    unsigned other = 0;

    vTaskPrioritySet(NULL, LOW);
    const TaskHandle_t task = tasks_start(0, draw_without_end, LOW);
    for (unsigned i = 0; i < DRAWS; i++) {
        uint8_t output[16];
        /* The next tick comes while the other one has the lock, most often. */
        vTaskDelay(1);
        const unsigned before = drawn;
        NEED(psa_generate_random(output, sizeof output));
        other += drawn - before;
    }
    vTaskDelete(task);
    printf("%u draws, %u of the other task meanwhile\n", DRAWS, other);
    CHECK(other < 5 * DRAWS);
}

static const struct test_case tests[] = {
    TEST(lock__low_task_has_it_and_a_medium_one_starts__high_one_waits_for_the_low_alone),
    TEST(semaphore__low_task_has_it_and_a_medium_one_starts__high_one_waits_for_both),
    TEST(lock__waiting_is_aborted__task_waits_on),
    TEST(lock__task_of_the_same_priority_never_rests__comes_in_between),
};

TEST_SUITE(waiting, tests);
