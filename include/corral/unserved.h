/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points that no driver of a build supports: the headers of dispatch define them
 * by these macros, a line for each. As with the functions of other builds, arguments
 * are evaluated and counted; nothing is done with them.
 */
#ifndef CORRAL_UNSERVED_H
#define CORRAL_UNSERVED_H

#include <psa/crypto.h>

/* A call with so many arguments: PSA_ERROR_NOT_SUPPORTED. */
#define CORRAL_UNSERVED_1(a) ((void)(a), PSA_ERROR_NOT_SUPPORTED)
#define CORRAL_UNSERVED_2(a, ...) ((void)(a), CORRAL_UNSERVED_1(__VA_ARGS__))
#define CORRAL_UNSERVED_3(a, ...) ((void)(a), CORRAL_UNSERVED_2(__VA_ARGS__))
#define CORRAL_UNSERVED_4(a, ...) ((void)(a), CORRAL_UNSERVED_3(__VA_ARGS__))
#define CORRAL_UNSERVED_5(a, ...) ((void)(a), CORRAL_UNSERVED_4(__VA_ARGS__))
#define CORRAL_UNSERVED_6(a, ...) ((void)(a), CORRAL_UNSERVED_5(__VA_ARGS__))
#define CORRAL_UNSERVED_7(a, ...) ((void)(a), CORRAL_UNSERVED_6(__VA_ARGS__))
#define CORRAL_UNSERVED_8(a, ...) ((void)(a), CORRAL_UNSERVED_7(__VA_ARGS__))
#define CORRAL_UNSERVED_9(a, ...) ((void)(a), CORRAL_UNSERVED_8(__VA_ARGS__))
#define CORRAL_UNSERVED_10(a, ...) ((void)(a), CORRAL_UNSERVED_9(__VA_ARGS__))
#define CORRAL_UNSERVED_11(a, ...) ((void)(a), CORRAL_UNSERVED_10(__VA_ARGS__))
#define CORRAL_UNSERVED_12(a, ...) ((void)(a), CORRAL_UNSERVED_11(__VA_ARGS__))
#define CORRAL_UNSERVED_13(a, ...) ((void)(a), CORRAL_UNSERVED_12(__VA_ARGS__))

/* An abort: there is nothing to clean up, and no status. */
#define CORRAL_UNSERVED_ABORT(context) ((void)(context))

#endif
