/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How constants of the API get their types, and pointers become numbers: in C, and in C++, which
 * may be asked to warn of casts that are written as in C.
 */
#ifndef CORRAL_CAST_H
#define CORRAL_CAST_H

#include <stdint.h>

#ifdef __cplusplus
#define CORRAL_CAST(type, value) (static_cast<type>(value))
#define CORRAL_ADDRESS(pointer) (reinterpret_cast<uintptr_t>(pointer))
#else
#define CORRAL_CAST(type, value) ((type)(value))
#define CORRAL_ADDRESS(pointer) ((uintptr_t)(pointer))
#endif

#endif
