/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CORE_COMMON_INLINE_H
#define CORRAL_CORE_COMMON_INLINE_H

/*
 * Of a function that several share, each with other constants: expanded in each, because one copy
 * of it would link to all of them the drivers that any of them calls.
 */
#if defined(__GNUC__)
#define CORRAL_EXPANDED static inline __attribute__((always_inline))
#else
#define CORRAL_EXPANDED static inline
#endif

/* The contrary, for rare cases: the common path stays short. */
#if defined(__GNUC__)
#define CORRAL_APART static __attribute__((noinline))
#else
#define CORRAL_APART static
#endif

/* For conditions that nearly always hold: the compiler lays out the code for it. */
#if defined(__GNUC__)
#define CORRAL_USUALLY(condition) __builtin_expect((condition), true)
#else
#define CORRAL_USUALLY(condition) (condition)
#endif

#endif
