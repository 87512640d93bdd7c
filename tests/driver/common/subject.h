/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver under test, as generated from its driver.json and the configuration that
 * binds it: a row for each case of a mechanism that it runs.
 */
#ifndef TEST_SUBJECT_H
#define TEST_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "../../harness/harness.h"

/*
 * The kind of a row, identified by its address. The test of a kind defines it, with the
 * entry points of a driver for it; driver_subject.py reads them, and knows the keys of
 * kinds without any here.
 */
struct subject_kind {
    const char *entry_points;
};
#define SUBJECT_KIND(name, entry_points) const struct subject_kind subject_##name = {entry_points}

struct subject_row {
    const char *mechanism;
    const struct subject_kind *kind;
    psa_algorithm_t alg; /* of the algorithms of the row one; wildcards stand for SHA-256 */
    psa_key_type_t type;
    size_t bits;         /* 0: any */
    bool can_suspend;    /* hashes: the driver exports its state */
    const char *order;   /* Weierstrass curves: order, DH: prime, hexadecimal; else NULL */
    const size_t *sizes; /* with bits 0, of the keys that an element takes; NULL: any */
    size_t size_count;
    bool only_computes; /* the driver's function has been at its edges with another row's key */
};

extern const struct subject_row subject_rows[];
extern const size_t subject_row_count;
/* Where the driver's keys live: 0 unless it is opaque. */
extern const psa_key_location_t subject_location;
/* Whether RSA pairs can be imported there: an element may only use those that it makes. */
extern const bool subject_imports_rsa;

/* Whether tests/driver/residue runs the tests that look for secrets on this board, each twice. */
extern const bool subject_has_residue_run;

/*
 * The driver's functions that dispatch may call in this build, and how often it has: the linker
 * leads each call through a counter.
 */
extern const char *const subject_functions[];
extern const size_t subject_function_count;
extern uint32_t subject_hits[];

/*
 * Heads of tests, which are listed from the sources of this folder (harness/suites.py):
 *   SUBJECT_TEST  of the common suite
 *   SECRET_TEST   also of tests/driver/residue: it works with secrets, or is there for functions
 *                 that no other such test calls
 *   RESIDUE_TEST only of the latter
 */
#define SUBJECT_TEST(claim) TEST_FUNCTION(claim)
#define SECRET_TEST(claim) TEST_FUNCTION(claim)
#define RESIDUE_TEST(claim) TEST_FUNCTION(claim)

/* A test, to be the last one: every function has been called. */
void probe__every_function_of_the_driver__was_called(void);

/* Run `test` over the rows of a kind, or of two, or skip the test if there are none. */
void subject_for_each(const struct subject_kind *kind, void (*test)(const struct subject_row *row));
void subject_for_each_of(const struct subject_kind *one, const struct subject_kind *other,
                         void (*test)(const struct subject_row *row));

/*
 * The same beyond right results: buffers too short or on top of each other, forged
 * input, a generator that fails. Unless there is more time, one key of each type (of
 * each family of curves) and function of the driver is enough for that on an emulated
 * processor, and the first and the last on a PC. Keys of Ed448, slow as they are, have
 * edges only on a PC: if a driver has no others, the test is skipped.
 */
void subject_for_edges(const struct subject_kind *kind,
                       void (*test)(const struct subject_row *row));
void subject_for_edges_of(const struct subject_kind *one, const struct subject_kind *other,
                          void (*test)(const struct subject_row *row));

/* Attributes for a key of the row, where the driver's keys live. */
psa_key_attributes_t subject_attributes(const struct subject_row *row, psa_key_usage_t usage);

/*
 * A key of the row for `usage`, destroyed after the test: symmetric ones from `data` (`size`
 * bytes), pairs generated, public keys without data those of generated pairs.
 */
psa_key_id_t subject_key(const struct subject_row *row, psa_key_usage_t usage, const uint8_t *data,
                         size_t size);

/*
 * The result of a setup: whether there is an operation in parts. An element may work in
 * one call only; any other failure ends the test.
 */
bool subject_started(psa_status_t status);

/* Bytes of a private and of a public key of the row, and of a signature by it. */
size_t subject_private_size(const struct subject_row *row);
size_t subject_public_size(const struct subject_row *row);
size_t subject_signature_size(const struct subject_row *row);

#endif
