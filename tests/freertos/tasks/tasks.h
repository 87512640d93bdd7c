/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of tasks share. */
#ifndef TASKS_H
#define TASKS_H

#include <stdbool.h>

#include <FreeRTOS.h>

#include <semphr.h>
#include <task.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"

#define STACK_WORDS 4096u

/* A task with a stack of its own: at most one of each number at a time. */
#define TASKS 3u
TaskHandle_t tasks_start(unsigned number, void (*function)(void *), UBaseType_t priority);

/* The task that was started last with this number. */
TaskHandle_t tasks_started(unsigned number);

/* Locks of the library that tasks have now. */
unsigned tasks_locks(void);

/* Let locks be semaphores, whose holder inherits no priority, and back. No lock is taken. */
void tasks_lock_without_inheritance(bool without);

#endif
