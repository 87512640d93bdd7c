/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The policy check, against the specification (PSA Crypto 1.5, 9.8.1 and 10, encodings as in
 * Appendix B): for any two algorithms and any usage the policy permits what the reference below
 * does, and nothing else. Vendors' own algorithms (the highest bit) are left out.
 */
#include "../../core/keys/policy.h"

#include "proof.h"

#define WILDCARD 0x00008000u
#define LENGTH 0x003f0000u
#define ANY_HASH 0xffu
#define VERIFY (PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE)

static unsigned length_of(psa_algorithm_t alg)
{
    return (alg & LENGTH) >> 16;
}

/* Whether the two differ in nothing but these bits. */
static bool agree_but_for(psa_algorithm_t a, psa_algorithm_t b, psa_algorithm_t bits)
{
    return (a | bits) == (b | bits);
}

static bool category_is(psa_algorithm_t alg, unsigned category)
{
    return alg >> 24 == category;
}

/* B.1.9: hash-and-sign algorithms, of which the last 8 bits are the hash. */
static bool has_hash(psa_algorithm_t alg)
{
    switch (alg & ~ANY_HASH) {
    case 0x06000200u: /* RSA PKCS#1 v1.5 */
    case 0x06000300u: /* RSA PSS, salt as long as the hash */
    case 0x06001300u: /* RSA PSS, any salt */
    case 0x06000600u: /* ECDSA */
    case 0x06000700u: /* deterministic ECDSA */
    case 0x06004600u: /* HashML-DSA */
    case 0x06004700u: /* deterministic HashML-DSA */
        return true;
    default:
        return false;
    }
}

/* 10.9: a signature that one verifies is verified by the other. 0x0600060x: also "any hash or none"
 * of both. */
static psa_algorithm_t randomised(psa_algorithm_t alg)
{
    if (category_is(alg, 0x06) &&
        ((alg & 0xfe00u) == 0x0600u || alg == 0x06004500u || (alg & ~ANY_HASH) == 0x06004700u) &&
        (alg & 0x00ff0000u) == 0) {
        return alg & ~(psa_algorithm_t)0x0100u;
    }
    return alg;
}

/* Bytes of the MACs that this configuration computes; 0: it does not. */
static unsigned full_length_of(psa_key_type_t type, psa_algorithm_t alg)
{
    if (agree_but_for(alg, 0x03800009u, LENGTH) && type == 0x1100) { /* HMAC with SHA-256 */
        return 32;
    }
    return agree_but_for(alg, 0x03c00200u, LENGTH) && type == 0x2400 ? 16 : 0; /* CMAC with AES */
}

/* B.1.4, B.1.6: a bound of 0 is none, and one that no MAC or tag of the algorithm reaches, too. */
static bool is_as_long(psa_key_type_t type, psa_algorithm_t policy, psa_algorithm_t alg)
{
    const unsigned full = category_is(alg, 0x05) ? 16 : full_length_of(type, alg);

    return length_of(policy) != 0 && (full == 0 || length_of(policy) <= full) &&
           /* 0 stands for a MAC in full, which is longer than any that was shortened. */
           ((length_of(alg) == 0 && category_is(alg, 0x03)) || length_of(alg) >= length_of(policy));
}

static bool wildcard_includes(psa_key_type_t type, psa_algorithm_t policy, psa_algorithm_t alg)
{
    if (policy == 0x04c09300u) { /* CCM* with any tag: without one, or CCM */
        return alg == 0x04c01300u || agree_but_for(alg, 0x05500100u, LENGTH | WILDCARD);
    }
    if (category_is(policy, 0x03) || category_is(policy, 0x05)) {
        return (policy & WILDCARD) != 0 && (alg & WILDCARD) == 0 && is_as_long(type, policy, alg) &&
               agree_but_for(policy, alg, LENGTH | WILDCARD);
    }
    if (has_hash(policy) && (policy & ANY_HASH) == ANY_HASH) {
        const bool is_raw = alg == 0x06000200u; /* RSA PKCS#1 v1.5 without hash */
        return agree_but_for(policy, alg, ANY_HASH) && (alg & ANY_HASH) != ANY_HASH &&
               ((alg & ANY_HASH) != 0 || is_raw);
    }
    if (category_is(policy, 0x09) && (policy & 0xffffu) == 0) {
        return agree_but_for(policy, alg, 0xffffu); /* with any key derivation */
    }
    return false;
}

static bool specified(psa_key_type_t type, psa_algorithm_t policy, psa_key_usage_t usage,
                      psa_algorithm_t alg)
{
    if (alg == PSA_ALG_NONE || policy == alg || wildcard_includes(type, policy, alg)) {
        return true;
    }
    const psa_algorithm_t a = randomised(policy);
    const psa_algorithm_t b = randomised(alg);
    return (usage & ~VERIFY) == 0 && (a == b || wildcard_includes(type, a, b));
}

/*
 * An algorithm of the specification. Undefined values are no policy: those with bits
 * that have no meaning in a category.
 */
static psa_algorithm_t any_algorithm(void)
{
    const psa_algorithm_t alg = nondet_uint32();

    GIVEN((alg & 0x80000000u) == 0);
    GIVEN(!category_is(alg, 0x06) || has_hash(alg) || (alg & ANY_HASH) != ANY_HASH);
    return alg;
}

/* Wildcards are policies: no operation runs by one. */
static bool is_wildcard(psa_algorithm_t alg)
{
    return alg == 0x04c09300u || (has_hash(alg) && (alg & ANY_HASH) == ANY_HASH) ||
           ((category_is(alg, 0x03) || category_is(alg, 0x05)) && (alg & WILDCARD) != 0);
}

void prove_covers(void)
{
    const psa_algorithm_t policy = any_algorithm();
    const psa_algorithm_t alg = any_algorithm();
    const psa_key_usage_t usage = nondet_uint32();
    psa_key_attributes_t attributes = nondet_attributes();

    attributes.algorithm = policy;
    const bool is_permitted =
        (usage & ~attributes.usage) == 0 && specified(attributes.type, policy, usage, alg);
    CLAIM(corral_policy_permits(&attributes, usage, alg) ==
              (is_permitted ? PSA_SUCCESS : PSA_ERROR_NOT_PERMITTED),
          "what is specified is permitted, and nothing else");
}

/* psa_copy_key(): "the resulting key can only be used in a way that conforms to both". */
void prove_intersection(void)
{
    const psa_algorithm_t a = any_algorithm();
    const psa_algorithm_t b = any_algorithm();
    const psa_algorithm_t alg = any_algorithm();
    const psa_key_usage_t usage = nondet_uint32();
    const psa_key_type_t type = nondet_attributes().type;
    const psa_algorithm_t both = corral_policy_intersection(type, a, b);

    CLAIM(both == corral_policy_intersection(type, b, a), "the order does not matter");
    CLAIM(corral_policy_intersection(type, a, a) == a, "the same on both sides stays");
    GIVEN(alg != PSA_ALG_NONE && !is_wildcard(alg));
    const bool by_a = specified(type, a, usage, alg);
    const bool by_b = specified(type, b, usage, alg);
    if (both != PSA_ALG_NONE && specified(type, both, usage, alg)) {
        CLAIM(by_a && by_b, "a copy permits no more than either policy");
    }
    /* Only in verification two policies may have more in common than one algorithm can express. */
    if ((usage & ~VERIFY) != 0 && by_a && by_b) {
        CLAIM(both != PSA_ALG_NONE && specified(type, both, usage, alg), "nor less than both");
    }
}
