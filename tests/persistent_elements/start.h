/* SPDX-License-Identifier: Apache-2.0 */
/* A device with elements that is switched off and on within one program. */
#ifndef TESTS_PERSISTENT_ELEMENTS_START_H
#define TESTS_PERSISTENT_ELEMENTS_START_H

/* device_off() of the host and of the chips; power is back, psa_crypto_init() is not called yet. */
void start_off(void);

/* start_off(), then psa_crypto_init(), which must succeed. */
void start_again(void);

/* start_again() with empty storage. */
void start_fresh(void);

#endif
