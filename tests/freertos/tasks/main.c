/* SPDX-License-Identifier: Apache-2.0 */
/* The port's locks are counted on their way, and may be replaced by others. */
#include <corral/port.h>

#include "tasks.h"

void __real_corral_port_lock(unsigned lock);
void __real_corral_port_unlock(unsigned lock);
void __wrap_corral_port_lock(unsigned lock);
void __wrap_corral_port_unlock(unsigned lock);

static bool is_without;
static StaticSemaphore_t places[CORRAL_LOCK_COUNT];
static SemaphoreHandle_t semaphores[CORRAL_LOCK_COUNT];
static volatile bool is_held[CORRAL_LOCK_COUNT];

void __wrap_corral_port_lock(unsigned lock)
{
    if (is_without) {
        REQUIRE(xSemaphoreTake(semaphores[lock], portMAX_DELAY) == pdTRUE);
    } else {
        __real_corral_port_lock(lock);
    }
    is_held[lock] = true;
}

void __wrap_corral_port_unlock(unsigned lock)
{
    is_held[lock] = false;
    if (is_without) {
        REQUIRE(xSemaphoreGive(semaphores[lock]) == pdTRUE);
    } else {
        __real_corral_port_unlock(lock);
    }
}

unsigned tasks_locks(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < CORRAL_LOCK_COUNT; i++) {
        count += is_held[i];
    }
    return count;
}

void tasks_lock_without_inheritance(bool without)
{
    is_without = without;
    for (unsigned i = 0; without && i < CORRAL_LOCK_COUNT; i++) {
        semaphores[i] = xSemaphoreCreateBinaryStatic(&places[i]);
        (void)xSemaphoreGive(semaphores[i]);
    }
}

static StaticTask_t tasks[TASKS];

TaskHandle_t tasks_start(unsigned number, void (*function)(void *), UBaseType_t priority)
{
    static StackType_t stacks[TASKS][STACK_WORDS];

    return xTaskCreateStatic(function, "test", STACK_WORDS, NULL, priority, stacks[number],
                             &tasks[number]);
}

TaskHandle_t tasks_started(unsigned number)
{
    return (TaskHandle_t)&tasks[number];
}

int main(void)
{
    return test_initialise_and_run(test_suites, test_suite_count);
}
