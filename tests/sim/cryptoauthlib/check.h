/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of this check. */
#ifndef TESTS_SIM_CRYPTOAUTHLIB_CHECK_H
#define TESTS_SIM_CRYPTOAUTHLIB_CHECK_H

#include "cryptoauthlib.h"

/* Slots of the configuration in check.c. */
enum {
    SLOT_SIGN = 0,       /* private key: signs, agrees, output in the clear */
    SLOT_AGREE = 2,      /* private key: ECDH into slot 3 */
    SLOT_AGREED = 3,     /* read encrypted under slot 4 */
    SLOT_PROTECT = 4,    /* IO protection key; key of encrypted reads and writes */
    SLOT_SECRET = 5,     /* read and written encrypted under slot 4 */
    SLOT_IMPORT = 6,     /* private key: generated, or written encrypted under slot 4 */
    SLOT_MAC = 7,        /* HMAC, MAC, CheckMac, KDF key */
    SLOT_DATA = 8,       /* clear */
    SLOT_AES = 9,        /* two AES-128 keys */
    SLOT_DERIVED = 10,   /* clear: target of KDF */
    SLOT_PUBLIC = 11,    /* public key, used as it is */
    SLOT_VALIDATED = 13, /* public key that slot 11 must validate */
};

extern uint8_t peer[64];        /* public key of the host's side */
extern uint8_t digest[32];      /* of the signed text */
extern uint8_t protect_key[32]; /* in SLOT_PROTECT */
extern uint8_t mac_key[32];     /* in SLOT_MAC */

/* Calls that must succeed, that the chip must refuse, conditions that must hold; else the program
 * ends. */
#define OK(call) expect((call), ATCA_SUCCESS, #call, __FILE__, __LINE__)
#define REFUSED(call) expect((call), ATCA_EXECUTION_ERROR, #call, __FILE__, __LINE__)
#define TRUE(condition) require((condition), #condition, __FILE__, __LINE__)

void expect(ATCA_STATUS actual, ATCA_STATUS expected, const char *text, const char *file, int line);
void require(bool ok, const char *text, const char *file, int line);

/* One line "name hex" for test_cryptoauthlib.py. */
void print(const char *name, const uint8_t *data, size_t length);

/* Keys of P-256 (check_ecc.c). */
void check_signatures(void);
void check_internal_signature(void);
void check_validation(void);
void check_agreement(void);
void check_import(void);

/* Everything else that computes (check_symmetric.c). */
void check_hashes(void);
void check_aes(void);
void check_gcm(void);
void check_kdf(void);
void check_macs(void);
void check_gendig(void);

#endif
