/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver under test, as generated from its driver.json and the configuration that binds it:
 * a row for each case of a mechanism that it serves.
 */
#ifndef TEST_SUBJECT_H
#define TEST_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include <psa/crypto.h>

enum subject_kind {
    SUBJECT_HASH,
    SUBJECT_MAC,
    SUBJECT_CIPHER,
    SUBJECT_SIGN_HASH,
    SUBJECT_VERIFY_HASH,
    SUBJECT_SIGN_MESSAGE,
    SUBJECT_VERIFY_MESSAGE,
    SUBJECT_AGREEMENT,
    SUBJECT_DH,
    SUBJECT_DERIVATION,
    SUBJECT_GENERATE,
    SUBJECT_IMPORT_PAIR,
    SUBJECT_IMPORT_PUBLIC,
    SUBJECT_EXPORT_PUBLIC,
    SUBJECT_RANDOM,
    SUBJECT_RSA_KEY,
    SUBJECT_RSA_GENERATE,
    SUBJECT_RSA_SIGN,
    SUBJECT_RSA_VERIFY,
    SUBJECT_RSA_SIGN_MESSAGE,
    SUBJECT_RSA_VERIFY_MESSAGE,
    SUBJECT_RSA_ENCRYPT,
    SUBJECT_RSA_DECRYPT,
    SUBJECT_AEAD,
    SUBJECT_XOF,
    SUBJECT_WRAP,
    SUBJECT_DECAPSULATE,
    SUBJECT_SEED_SIGN,
    SUBJECT_SEED_DERIVE,
    SUBJECT_SIGN_HASH_CONTEXT,
    SUBJECT_SIGN_MESSAGE_CONTEXT,
    SUBJECT_PAKE,  /* type and bits: of the group, as a public key */
    SUBJECT_TOKEN, /* type: of the password */
    SUBJECT_KEEP_IMPORT,
    SUBJECT_KEEP_GENERATE,
    SUBJECT_COPY,
};

struct subject_row {
    const char *mechanism;
    enum subject_kind kind;
    psa_algorithm_t alg; /* of the algorithms of the row one; wildcards stand for SHA-256 */
    psa_key_type_t type;
    size_t bits;         /* 0: any */
    bool can_suspend;    /* hashes: the driver exports its state */
    const char *order;   /* Weierstrass curves: order, DH: prime, hexadecimal; else NULL */
    const size_t *sizes; /* with bits 0, of the keys that an element takes; NULL: any */
    size_t size_count;
};

extern const struct subject_row subject_rows[];
extern const size_t subject_row_count;
/* Where the driver's keys live: 0 unless it is opaque. */
extern const psa_key_location_t subject_location;

/* Whether tests/driver/residue runs the tests that look for secrets on this board, each twice. */
extern const bool subject_has_residue_run;

/*
 * The driver's functions that dispatch may call in this build, and how often it has: the linker
 * leads each call through a counter.
 */
extern const char *const subject_functions[];
extern const size_t subject_function_count;
extern uint32_t subject_hits[];

/* A test, to be the last one: every function has been called. */
void probe__every_function_of_the_driver__was_called(void);

/* Run `test` over the rows of a kind, or skip the test if there are none. */
void subject_for_each(enum subject_kind kind, void (*test)(const struct subject_row *row));

/* True if the driver has a row of this kind. */
bool subject_has(enum subject_kind kind);

/* Attributes for a key of the row, where the driver's keys live. */
psa_key_attributes_t subject_attributes(const struct subject_row *row, psa_key_usage_t usage);

/*
 * A key of the row for `usage`, destroyed after the test: symmetric ones from `data` (`size`
 * bytes), pairs generated, public keys without data those of generated pairs.
 */
psa_key_id_t subject_key(const struct subject_row *row, psa_key_usage_t usage, const uint8_t *data,
                         size_t size);

/*
 * What a setup answered: whether there is an operation in parts. An element may work in one call
 * only; any other failure ends the test.
 */
bool subject_started(psa_status_t status);

/* Bytes of a private and of a public key of the row, and of a signature by it. */
size_t subject_private_size(const struct subject_row *row);
size_t subject_public_size(const struct subject_row *row);
size_t subject_signature_size(const struct subject_row *row);

/* Tests of the files beside this one, by family: those that look for what is left of secrets. */
#define SUBJECT_SECRET_TESTS(X)                                                                    \
    X(hash__secret_hashed__leaves_no_byte_of_it)                                                   \
    X(mac__key_destroyed__leaves_no_byte_of_it)                                                    \
    X(cipher__key_destroyed__leaves_no_byte_of_it)                                                 \
    X(aead__key_destroyed__leaves_no_byte_of_it)                                                   \
    X(wrap__key_destroyed__leaves_no_byte_of_it)                                                   \
    X(generate__pair_destroyed__leaves_no_byte_of_it)                                              \
    X(random__drawn__leaves_no_byte_of_it)                                                         \
    X(encapsulation__keys_destroyed__leave_no_byte)                                                \
    X(seed_sign__key_destroyed__leaves_no_byte_of_it)                                              \
    X(seed_derive__seeds__give_one_key_and_stay_nowhere)                                           \
    X(sign__key_destroyed__leaves_no_byte_of_it)                                                   \
    X(sign__with_context__leaves_no_byte_of_the_key)                                               \
    X(agreement__key_destroyed__leaves_no_byte_of_key_or_secret)                                   \
    X(dh__key_destroyed__leaves_no_byte_of_key_or_secret)                                          \
    X(derivation__key_destroyed__leaves_no_byte_of_key_or_output)                                  \
    X(token__keys_destroyed__leave_no_byte)                                                        \
    X(pake__keys_destroyed__leave_no_byte)                                                         \
    X(rsa_key__destroyed__leaves_no_byte_of_it)                                                    \
    X(rsa_generate__pair_destroyed__leaves_no_byte_of_it)                                          \
    X(rsa_decrypt__key_destroyed__leaves_no_byte_of_it)                                            \
    X(rsa_sign__key_destroyed__leaves_no_byte_of_it)

/* All the others. */
#define SUBJECT_TESTS(X)                                                                           \
    X(hash__short_buffer__is_too_small)                                                            \
    X(hash__chunks__give_the_same)                                                                 \
    X(hash__suspended__goes_on)                                                                    \
    X(hash__suspended__holds_what_is_specified)                                                    \
    X(hash__copied_operation__goes_on)                                                             \
    X(hash__nothing_hashed__agrees_in_parts)                                                       \
    X(hash__output_over_the_input__gives_the_same)                                                 \
    X(xof__chunks__give_the_same)                                                                  \
    X(xof__moved_operation__goes_on)                                                               \
    X(mac__short_buffer__leaves_no_hold)                                                           \
    X(mac__chunks__give_the_same)                                                                  \
    X(mac__forged_or_cut__is_an_invalid_signature)                                                 \
    X(mac__nothing_authenticated__agrees_in_parts)                                                 \
    X(mac__output_over_the_input__gives_the_same)                                                  \
    X(mac__keys_of_every_size__agree_in_parts)                                                     \
    X(cipher__every_length__comes_back)                                                            \
    X(cipher__short_buffer__leaves_no_hold)                                                        \
    X(cipher__chunks__give_the_same)                                                               \
    X(cipher__overlapping_buffers__give_the_same)                                                  \
    X(cipher__overlapping_update__gives_the_same)                                                  \
    X(cipher__copied_operation__goes_on)                                                           \
    X(aead__every_length__comes_back)                                                              \
    X(aead__short_buffer__leaves_no_hold)                                                          \
    X(aead__forged_or_cut__is_an_invalid_signature)                                                \
    X(aead__chunks__give_the_same)                                                                 \
    X(aead__overlapping_buffers__give_the_same)                                                    \
    X(aead__empty_region_in_the_output__overlaps_nothing)                                          \
    X(aead__overlapping_update__gives_the_same)                                                    \
    X(aead__moved_operation__goes_on)                                                              \
    X(wrap__every_length__comes_back)                                                              \
    X(encapsulation__both_sides__get_the_same)                                                     \
    X(encapsulation__short_buffer__leaves_no_hold)                                                 \
    X(encapsulation__forged__gives_nothing_of_the_secret)                                          \
    X(encapsulation__no_entropy__gives_nothing)                                                    \
    X(seed_sign__result__verifies)                                                                 \
    X(seed_sign__context__belongs_to_the_signature)                                                \
    X(seed_sign__context_in_the_output__verifies)                                                  \
    X(seed_sign__short_buffer__is_too_small)                                                       \
    X(sign__result__verifies)                                                                      \
    X(sign__short_buffer__leaves_no_hold)                                                          \
    X(sign__large_buffer__says_what_it_wrote)                                                      \
    X(sign__output_over_the_input__verifies)                                                       \
    X(sign__no_entropy__gives_no_signature)                                                        \
    X(sign__context__belongs_to_the_signature)                                                     \
    X(verify__forged__is_an_invalid_signature)                                                     \
    X(verify__any_length__is_an_invalid_signature)                                                 \
    X(verify__halves_out_of_range__is_an_invalid_signature)                                        \
    X(agreement__both_sides__get_the_same)                                                         \
    X(agreement__short_buffer__is_told_before_a_wrong_peer_and_leaves_no_hold)                     \
    X(agreement__peer_that_cannot_be__is_refused)                                                  \
    X(agreement__output_over_the_peer__gives_the_same)                                             \
    X(dh__both_sides__get_the_same)                                                                \
    X(dh__short_buffer__leaves_no_hold)                                                            \
    X(dh__peer_that_cannot_be__is_refused)                                                         \
    X(dh__private_key_out_of_range__is_refused)                                                    \
    X(dh__generated_pair__can_be_imported)                                                         \
    X(derivation__chunks__give_the_same)                                                           \
    X(derivation__copied_operation__goes_on)                                                       \
    X(derivation__every_input__counts)                                                             \
    X(token__every_input__counts)                                                                  \
    X(pake__both_sides__get_the_same)                                                              \
    X(pake__forged__is_refused)                                                                    \
    X(pake__no_entropy__gives_nothing)                                                             \
    X(generate__pairs__differ_and_can_be_imported)                                                 \
    X(generate__no_entropy__gives_no_key)                                                          \
    X(import__scalar_out_of_range__is_refused)                                                     \
    X(import__pair_of_wrong_length__is_refused)                                                    \
    X(import__public_key_that_cannot_be__is_refused)                                               \
    X(export_public__short_buffer__is_too_small)                                                   \
    X(export_public__imported_pair__matches_the_generated_one)                                     \
    X(keep__imported_secret__is_not_given_away)                                                    \
    X(keep__generated_secret__is_not_given_away)                                                   \
    X(keep__copy__outlives_the_first)                                                              \
    X(random__every_size__fills_the_buffer)                                                        \
    X(random__no_entropy__gives_nothing)                                                           \
    X(rsa_key__imported__comes_back)                                                               \
    X(rsa_generate__pair__can_be_imported)                                                         \
    X(rsa_sign__result__verifies)                                                                  \
    X(rsa_sign__output_over_the_input__verifies)                                                   \
    X(rsa_sign__no_entropy__gives_no_signature)                                                    \
    X(rsa_verify__forged__is_an_invalid_signature)                                                 \
    X(rsa_encrypt__text__comes_back)                                                               \
    X(rsa_decrypt__forged__is_invalid_padding)

#define SUBJECT_DECLARE(test) void test(void);
SUBJECT_TESTS(SUBJECT_DECLARE)
SUBJECT_SECRET_TESTS(SUBJECT_DECLARE)
/* The least that calls the functions by which a driver verifies. */
SUBJECT_DECLARE(verify__signed_input__verifies)

#endif
