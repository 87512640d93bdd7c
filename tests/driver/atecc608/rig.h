/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three virtual chips for the driver: SE0 and SE1 on bus 0, SE2 on bus 1 under the address of SE0.
 * The port functions that the driver needs are here too; time is the simulator's.
 */
#ifndef TESTS_ATECC608_RIG_H
#define TESTS_ATECC608_RIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atecc608_sim.h>
#include <corral/devices.h>
#include <corral/drivers/atecc608/entry_points.h>

#define CHIPS 3
#define P256_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define P256_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)

/* How many slots of each kind every device declares: slots 0 to 2, 5 and 6, 9. Only SE2
 * has a write key, in slot 10. */
#define PAIRS 3
#define CIPHER_KEYS 2
#define MAC_KEYS 1
#define RESERVED_SLOT 3 /* a pair that was in the chip before */
#define WRITE_KEY_SLOT 10
#define CONTEXT_SIZE 8u

extern struct atecc608_sim_bus *buses[2];
extern struct atecc608_sim_chip *chips[CHIPS];

/* Execution times of the chips made next, in percent of the longest that the data sheet gives. */
extern uint32_t rig_percent;

/* The output of corral_port_element_key() and corral_random(), and their statuses. */
extern uint8_t rig_write_key[32];
extern psa_status_t rig_write_key_status;
extern psa_status_t rig_random_status;

/* Fresh chips as they leave the factory. Each already has the address that its device wants. */
void rig_fresh(void);

/* Fresh chips, provisioned for the slots of their devices. Slot RESERVED_SLOT holds a pair. */
void rig_ready(void);

/* Free the chips; also checks that every lock was given back. */
void rig_end(void);

/* Provision chip `index`, fresh until now. */
void rig_provision(size_t index);

/* Forget what the driver knows of every chip, as after a restart of the host. */
void rig_restart_host(void);

/* Attributes of a volatile key at the location of device `index`. */
psa_key_attributes_t attributes_of(size_t index, psa_key_type_t type, size_t bits);

/* A key made by allocate and generate, or import; exits when that fails. */
void make_pair(size_t index, uint8_t context[CONTEXT_SIZE]);
void make_key(size_t index, psa_key_type_t type, const uint8_t *data, size_t length,
              uint8_t context[CONTEXT_SIZE]);

/* A heap buffer of exactly this size with a copy of `data`, or 0xA5 if that is NULL. The caller
 * frees it. */
uint8_t *exact(const uint8_t *data, size_t size);

/* Whether all bytes have this value. */
bool all(const uint8_t *data, size_t size, uint8_t value);

extern unsigned failures;
void check(bool ok, const char *file, int line, const char *what);
void check_status(psa_status_t got, psa_status_t wanted, const char *file, int line,
                  const char *what);
#define CHECK(expression) check((expression), __FILE__, __LINE__, #expression)
#define EXPECT(wanted, call) check_status((call), (wanted), __FILE__, __LINE__, #call)
#define NEED(call)                                                                                 \
    do {                                                                                           \
        psa_status_t need_status = (call);                                                         \
        if (need_status != PSA_SUCCESS) {                                                          \
            check_status(need_status, PSA_SUCCESS, __FILE__, __LINE__, #call);                     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Let each of `count` transactions fail in each way in turn: `check` is given the fault, as the
 * simulator takes it. Says how many there were. */
void rig_each_fault(uint32_t count, void (*check)(const char *fault));

/* Print the verdict; the exit status of the program. */
int rig_verdict(void);

/* --- references, by libcrypto --- */

bool reference_on_curve(const uint8_t point[65]);
bool reference_verify(const uint8_t point[65], const uint8_t *hash, size_t hash_length,
                      const uint8_t signature[64]);
/* A random pair: private value and point. */
void reference_pair(uint8_t scalar[32], uint8_t point[65]);
void reference_sign(const uint8_t scalar[32], const uint8_t *hash, size_t hash_length,
                    uint8_t signature[64]);
void reference_ecdh(const uint8_t scalar[32], const uint8_t peer[65], uint8_t secret[32]);
void reference_sha256(const uint8_t *data, size_t length, uint8_t digest[32]);
void reference_hmac(const uint8_t *key, size_t key_length, const uint8_t *data, size_t length,
                    uint8_t mac[32]);
void reference_cmac(const uint8_t key[16], const uint8_t *data, size_t length, uint8_t mac[16]);
/* `name` as libcrypto calls the cipher: "AES-128-ECB", "AES-128-CBC", "AES-128-CTR". */
void reference_cipher(const char *name, const uint8_t key[16], const uint8_t iv[16], bool encrypt,
                      const uint8_t *input, size_t length, uint8_t *output);
void reference_random(uint8_t *output, size_t size);

#endif
