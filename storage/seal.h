/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sealing what goes to storage: AES-128-SIV (RFC 5297) under the key of the device, by
 * the drivers of CMAC and CTR in this build. SIV needs no nonce, so nothing has to be
 * drawn, kept or counted; two records are alike only if name and content are.
 */
#ifndef CORRAL_STORAGE_SEAL_H
#define CORRAL_STORAGE_SEAL_H

#include <stddef.h>
#include <stdint.h>

#include <psa/error.h>

#define CORRAL_SEAL_TAG_SIZE 16u

/*
 * Encrypt `data` in place and compute the tag over it and over `header`, which stays in clear. On
 * failure `data` is wiped.
 *   other than success  from the port (the device key) or from the drivers
 */
psa_status_t corral_seal(const uint8_t *header, size_t header_size, uint8_t *data, size_t size,
                         uint8_t tag[CORRAL_SEAL_TAG_SIZE]);

/*
 * The reverse. On failure `data` is wiped.
 *   PSA_ERROR_DATA_CORRUPT  not sealed by this device with this header
 */
psa_status_t corral_unseal(const uint8_t *header, size_t header_size, uint8_t *data, size_t size,
                           const uint8_t tag[CORRAL_SEAL_TAG_SIZE]);

/*
 * A pseudorandom function of a header and 16 bytes, under the same key. No two uses of the seal
 * have headers of one length: so none of its values is the tag of something stored.
 */
psa_status_t corral_seal_digest(const uint8_t *header, size_t header_size,
                                const uint8_t data[CORRAL_SEAL_TAG_SIZE],
                                uint8_t digest[CORRAL_SEAL_TAG_SIZE]);

/* AES-128-SIV itself, with one header, for test vectors: K1 (S2V), then K2 (CTR). */
psa_status_t corral_siv_tag(const uint8_t key[16], const uint8_t *header, size_t header_size,
                            uint8_t *data, size_t size, uint8_t tag[CORRAL_SEAL_TAG_SIZE]);
psa_status_t corral_siv_crypt(const uint8_t key[16], const uint8_t tag[CORRAL_SEAL_TAG_SIZE],
                              uint8_t *data, size_t size);

#endif
