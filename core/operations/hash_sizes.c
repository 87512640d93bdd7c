/* SPDX-License-Identifier: Apache-2.0 */
#include "hash_sizes.h"

/* Of one hash, and of eight that follow each other, by their number in an algorithm identifier. */
#define LENGTH(number) (uint8_t) PSA_HASH_LENGTH(number)
#define EIGHT(first)                                                                               \
    LENGTH(first), LENGTH((first) + 1), LENGTH((first) + 2), LENGTH((first) + 3),                  \
        LENGTH((first) + 4), LENGTH((first) + 5), LENGTH((first) + 6), LENGTH((first) + 7)

/* The macro as a table, which is shorter than its comparisons. */
static const uint8_t lengths[] = {EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24)};

bool corral_hash_length_fits(psa_algorithm_t alg, size_t length)
{
    const size_t field = (size_t)(alg & 0xff);

    return length != 0 && (field == 0 || (field < sizeof lengths && lengths[field] == length));
}
