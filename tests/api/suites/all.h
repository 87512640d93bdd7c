/* SPDX-License-Identifier: Apache-2.0 */
/* The suites of this folder, for programs that run all of them: X(name) for each. */
#ifndef TEST_API_SUITES_ALL_H
#define TEST_API_SUITES_ALL_H

#include "../../harness/harness.h"

#define API_SUITES(X)                                                                              \
    X(keys)                                                                                        \
    X(create)                                                                                      \
    X(slots)                                                                                       \
    X(policy)                                                                                      \
    X(copy)                                                                                        \
    X(hash)                                                                                        \
    X(xof)                                                                                         \
    X(mac)                                                                                         \
    X(cipher)                                                                                      \
    X(wrap)                                                                                        \
    X(encapsulation)                                                                               \
    X(sign)                                                                                        \
    X(agreement)                                                                                   \
    X(derivation)                                                                                  \
    X(derived_keys)                                                                                \
    X(derivation_agreement)                                                                        \
    X(random)                                                                                      \
    X(defects)                                                                                     \
    X(statuses)

#define API_SUITE_DECLARED(name) extern const struct test_suite suite_##name;
#define API_SUITE_LISTED(name) &suite_##name,

API_SUITES(API_SUITE_DECLARED)

#endif
