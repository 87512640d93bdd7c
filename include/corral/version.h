/* SPDX-License-Identifier: Apache-2.0 */
/* The version of the library, of its tools and of its packages, by the rules of semver.org. */
#ifndef CORRAL_VERSION_H
#define CORRAL_VERSION_H

#define CORRAL_VERSION_MAJOR 0
#define CORRAL_VERSION_MINOR 2
#define CORRAL_VERSION_PATCH 0

#define CORRAL_VERSION_TEXT(major, minor, patch) #major "." #minor "." #patch
#define CORRAL_VERSION_OF(major, minor, patch) CORRAL_VERSION_TEXT(major, minor, patch)
/* As a string: "MAJOR.MINOR.PATCH". */
#define CORRAL_VERSION                                                                             \
    CORRAL_VERSION_OF(CORRAL_VERSION_MAJOR, CORRAL_VERSION_MINOR, CORRAL_VERSION_PATCH)

#endif
