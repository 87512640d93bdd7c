/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the core that a driver may call. Nothing else of the core is visible to
 * drivers, and nothing here needs the library to be initialised, except corral_random().
 */
#ifndef CORRAL_DRIVER_H
#define CORRAL_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <psa/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Overwrite `size` bytes with zeros in a way that the compiler does not remove, whatever is known
 * about the later use of the buffer. `size` may be 0, and `buffer` is then not read.
 */
void corral_wipe(void *buffer, size_t size);

/*
 * Copy `size` bytes, a word at a time on processors that have words. The buffers are disjoint or
 * the same; `size` may be 0, and neither buffer is then touched.
 */
void corral_copy(void *to, const void *from, size_t size);

/*
 * Move a text to where a driver works on it in place, because it reads it twice: an application may
 * change its own meanwhile. The buffers may overlap; `size` may be 0.
 */
static inline void corral_move(uint8_t *to, const uint8_t *from, size_t size)
{
    if (to != from && size > 0) {
        memmove(to, from, size);
    }
}

/*
 * Take the data of a key to be imported, if they fit. The driver then reads this copy,
 * because an application may change its data meanwhile. Returns false, and copies
 * nothing, if they are more than `size` bytes.
 */
static inline bool corral_take_key(uint8_t *key_buffer, size_t size, const uint8_t *data,
                                   size_t length)
{
    if (size < length) {
        return false;
    }
    corral_copy(key_buffer, data, length);
    return true;
}

/*
 * Compare two buffers of `size` bytes in a time that depends on `size` alone.
 * Returns true when all bytes agree; buffers of size 0 agree.
 */
bool corral_equal(const uint8_t *a, const uint8_t *b, size_t size);

/*
 * True when the two regions share a byte: an empty one shares none, wherever it points. The
 * differences are taken modulo the address space, so that a region may reach its end.
 */
static inline bool corral_overlap(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    const uintptr_t a_begin = CORRAL_ADDRESS(a);
    const uintptr_t b_begin = CORRAL_ADDRESS(b);

    return a_size != 0 && b_size != 0 && (a_begin - b_begin < b_size || b_begin - a_begin < a_size);
}

/*
 * Proves, in a driver's source, that the driver's own `context` has room for a `structure` of its
 * library, and its alignment. Contexts repeat these structures because applications see contexts
 * and no library's headers; the library is handed a pointer to the context, converted. For that the
 * core and the glue are compiled without assumptions on types (-fno-strict-aliasing): where a
 * compiler sees all sides at once, by link-time optimisation, it may not reorder them.
 */
#define CORRAL_REPEATS(context, structure)                                                         \
    _Static_assert(sizeof(context) >= sizeof(structure) &&                                         \
                       _Alignof(context) >= _Alignof(structure),                                   \
                   #context " repeats " #structure)

/*
 * Fill `output` with `size` bytes of the library's random generator (NIST SP 800-90A, seeded from
 * the board's entropy). Every callback of a library that asks for randomness ends here.
 * On failure `output` holds zeros, and the caller must give up: the bytes are not random.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  the board has no entropy source, or its health test failed
 *   PSA_ERROR_NOT_SUPPORTED         the build has no random generator (PSA_WANT_GENERATE_RANDOM)
 *   PSA_ERROR_COMMUNICATION_FAILURE the generator is an element that does not answer
 */
psa_status_t corral_random(uint8_t *output, size_t size);

#ifdef __cplusplus
}
#endif

#endif
