/* SPDX-License-Identifier: Apache-2.0 */
/* How long a task waits for a lock of the library, by a counter that follows instructions. */
#include <stdio.h>

#include <corral/lock.h>

#include "tasks.h"

#define LOW 2
#define MEDIUM 3
#define HIGH 4

/* A free-running counter: 40 instructions each. */
#define COUNTER (*(const volatile uint32_t *)0x40028018u)
#define LIMIT 250000u /* of the counter: 10 million instructions, how long the medium task spins */

static volatile bool is_served;
static volatile uint32_t held_for;
static volatile uint32_t waited_for;
static volatile uint32_t spun_for;

static void spin(unsigned times)
{
    for (volatile unsigned i = 0; i < times; i++) {
    }
}

/* Has the lock for some ticks. */
static void low(void *unused)
{
    const uint32_t begun = COUNTER;

    (void)unused;
    corral_port_lock(CORRAL_LOCK_CORE);
    spin(100000);
    corral_port_unlock(CORRAL_LOCK_CORE);
    held_for = COUNTER - begun;
    vTaskSuspend(NULL);
}

static void medium(void *unused)
{
    (void)unused;
    vTaskDelay(3);
    const uint32_t begun = COUNTER;
    while (!is_served && COUNTER - begun < LIMIT) {
    }
    spun_for = COUNTER - begun;
    vTaskSuspend(NULL);
}

static void high(void *unused)
{
    uint8_t output[16];

    (void)unused;
    vTaskDelay(2);
    const uint32_t begun = COUNTER;
    NEED(psa_generate_random(output, sizeof output));
    waited_for = COUNTER - begun;
    is_served = true;
    vTaskSuspend(NULL);
}

static void run_three(void)
{
    TaskHandle_t started[TASKS];

    is_served = false;
    vTaskPrioritySet(NULL, HIGH + 1);
    started[0] = tasks_start(0, low, LOW);
    started[1] = tasks_start(1, medium, MEDIUM);
    started[2] = tasks_start(2, high, HIGH);
    /* Behind all of them. */
    vTaskPrioritySet(NULL, LOW - 1);
    for (unsigned i = 0; i < TASKS; i++) {
        vTaskDelete(started[i]);
    }
    printf("low held %lu, high waited %lu, medium spun %lu\n", (unsigned long)held_for,
           (unsigned long)waited_for, (unsigned long)spun_for);
}

static void lock__low_task_has_it_and_a_medium_one_spins__high_one_waits_for_the_low_alone(void)
{
    run_three();
    CHECK(waited_for > 0 && waited_for < 2 * held_for);
    CHECK(spun_for < LIMIT / 100);
}

/* The test above would notice locks without inheritance. */
static void semaphore__low_task_has_it_and_a_medium_one_spins__high_one_waits_for_both(void)
{
    tasks_lock_without_inheritance(true);
    run_three();
    tasks_lock_without_inheritance(false);
    CHECK(waited_for >= LIMIT);
    CHECK(spun_for >= LIMIT);
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
        vTaskDelay(2);
        CHECK(!is_served);
    }
    corral_port_unlock(CORRAL_LOCK_CORE);
    CHECK(is_served);
    vTaskDelete(task);
}

static void draw_without_end(void *unused)
{
    uint8_t output[16];

    (void)unused;
    for (;;) {
        NEED(psa_generate_random(output, sizeof output));
    }
}

#define DRAWS 20u

/* A task of the same priority that has the lock most of the time does not keep another one out. */
static void lock__task_of_the_same_priority_never_rests__comes_in_between(void)
{
    vTaskPrioritySet(NULL, LOW);
    const TaskHandle_t task = tasks_start(0, draw_without_end, LOW);
    const TickType_t begun = xTaskGetTickCount();
    for (unsigned i = 0; i < DRAWS; i++) {
        uint8_t output[16];
        NEED(psa_generate_random(output, sizeof output));
    }
    const TickType_t passed = xTaskGetTickCount() - begun;
    vTaskDelete(task);
    printf("%u draws in %lu ticks\n", DRAWS, (unsigned long)passed);
    CHECK(passed < 5 * DRAWS);
}

static const struct test_case tests[] = {
    TEST(lock__low_task_has_it_and_a_medium_one_spins__high_one_waits_for_the_low_alone),
    TEST(semaphore__low_task_has_it_and_a_medium_one_spins__high_one_waits_for_both),
    TEST(lock__waiting_is_aborted__task_waits_on),
    TEST(lock__task_of_the_same_priority_never_rests__comes_in_between),
};

TEST_SUITE(waiting, tests);
