/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of AWS-LC that every mechanism needs, in place of crypto.c and mem.c, which have its
 * heap, locks and self-tests. The constructor is in the object that defines the processor's
 * capabilities, so that a linker takes both or none.
 */
#include <corral/driver.h>

#include <stdlib.h>

#include <openssl/mem.h>

#if !(defined(OPENSSL_X86_64) || defined(OPENSSL_AARCH64)) || !defined(OPENSSL_LINUX)
#error "The driver awslc needs 64-bit Linux on x86-64 or AArch64: set CORRAL_DRIVER_AWSLC=n"
#endif

/* The environment of a program must not switch its processor's instructions off, or on. */
static inline char *no_variable(void)
{
    return NULL;
}
#define getenv(name) no_variable()

#include <crypto/fipsmodule/cpucap/cpucap.c> /* NOLINT(bugprone-suspicious-include) */
#if defined(OPENSSL_X86_64)
#include <crypto/fipsmodule/cpucap/cpu_intel.c> /* NOLINT(bugprone-suspicious-include) */
#else
#undef AARCH64_DIT_SUPPORTED                            /* its switch has a lock */
#include <crypto/fipsmodule/cpucap/cpu_aarch64.c>       /* NOLINT(bugprone-suspicious-include) */
#include <crypto/fipsmodule/cpucap/cpu_aarch64_linux.c> /* NOLINT(bugprone-suspicious-include) */
#endif

/*
 * Keys are expanded in the way of the instructions that use them, so the capabilities never change
 * after this. It runs before main() and before constructors without a priority, in one thread.
 */
__attribute__((constructor(101))) static void detect_capabilities(void)
{
    OPENSSL_cpuid_setup();
}

void OPENSSL_cleanse(void *ptr, size_t len)
{
    corral_wipe(ptr, len);
}

int CRYPTO_memcmp(const void *a, const void *b, size_t len)
{
    return !corral_equal(a, b, len);
}
