/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of one priority, which the tick of the kernel takes turns with. */
#include <FreeRTOS.h>

#include <semphr.h>
#include <task.h>

#include "harness.h"
#include "threads.h"

#define TASKS 4
#define STACK_WORDS 32768u

const unsigned test_thread_count = TASKS;

static struct {
    StaticTask_t task;
    StackType_t stack[STACK_WORDS];
    void (*function)(void *argument);
    void *argument;
} tasks[TASKS];

static SemaphoreHandle_t ended;
/* By turns, so that a task which is fast takes no place of the turn before. */
static SemaphoreHandle_t gates[2];
static unsigned turn;
static unsigned at_gate;

static void run(void *number)
{
    const unsigned i = (unsigned)(uintptr_t)number;

    tasks[i].function(tasks[i].argument);
    (void)xSemaphoreGive(ended);
    vTaskSuspend(NULL); /* the test deletes it */
}

void test_threads_run(void (*function)(void *argument), void *const arguments[])
{
    static StaticSemaphore_t place_of_ended;
    static StaticSemaphore_t places_of_gates[2];
    TaskHandle_t handles[TASKS];

    ended = xSemaphoreCreateCountingStatic(TASKS, 0, &place_of_ended);
    for (unsigned i = 0; i < 2; i++) {
        gates[i] = xSemaphoreCreateCountingStatic(TASKS, 0, &places_of_gates[i]);
    }
    for (unsigned i = 0; i < TASKS; i++) {
        tasks[i].function = function;
        tasks[i].argument = arguments[i];
        handles[i] = xTaskCreateStatic(run, "test", STACK_WORDS, (void *)(uintptr_t)i,
                                       uxTaskPriorityGet(NULL), tasks[i].stack, &tasks[i].task);
    }
    for (unsigned i = 0; i < TASKS; i++) {
        REQUIRE(xSemaphoreTake(ended, portMAX_DELAY) == pdTRUE);
    }
    for (unsigned i = 0; i < TASKS; i++) {
        vTaskDelete(handles[i]);
    }
}

void test_threads_meet(void)
{
    taskENTER_CRITICAL();
    const SemaphoreHandle_t gate = gates[turn];
    const bool is_last = ++at_gate == TASKS;
    if (is_last) {
        at_gate = 0;
        turn = 1 - turn;
    }
    taskEXIT_CRITICAL();
    for (unsigned i = 1; is_last && i < TASKS; i++) {
        (void)xSemaphoreGive(gate);
    }
    if (!is_last) {
        REQUIRE(xSemaphoreTake(gate, portMAX_DELAY) == pdTRUE);
    }
}

void test_thread_pause(void)
{
    vTaskDelay(pdMS_TO_TICKS(3) + 1);
}
