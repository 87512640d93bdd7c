/* SPDX-License-Identifier: Apache-2.0 */
/* Check the settings in FreeRTOSConfig.h that the sources of this folder need. */
#ifndef NEEDS_H
#define NEEDS_H

#include <FreeRTOS.h>

#include <semphr.h>
#include <task.h>

#if configSUPPORT_STATIC_ALLOCATION != 1 || configUSE_MUTEXES != 1
#error "FreeRTOSConfig.h: set configSUPPORT_STATIC_ALLOCATION and configUSE_MUTEXES to 1"
#endif
#if INCLUDE_xSemaphoreGetMutexHolder != 1 || INCLUDE_xTaskGetSchedulerState != 1
#error "FreeRTOSConfig.h: set INCLUDE_xSemaphoreGetMutexHolder, INCLUDE_xTaskGetSchedulerState to 1"
#endif

#endif
