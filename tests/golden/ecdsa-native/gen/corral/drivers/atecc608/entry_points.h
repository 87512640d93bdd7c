/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of drivers/atecc608 that dispatch calls. Each source that defines one includes
 * this, so that one which is not as it is called does not compile. Dispatch has matched location,
 * algorithm, type and size, the core has checked policy and arguments. Lengths are written on
 * success only; PSA_ERROR_BUFFER_TOO_SMALL and PSA_ERROR_NOT_SUPPORTED mean that nothing was
 * written.
 * Generated from a configuration, board native and each driver.json. Made by
 * corral.generate.driver_headers of dispatch/entry_points.toml.
 */
#ifndef CORRAL_DRIVERS_ATECC608_ENTRY_POINTS_H
#define CORRAL_DRIVERS_ATECC608_ENTRY_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include <corral/derivation.h>
#include <corral/pake.h>
#include <psa/crypto.h>

#include <corral/drivers/atecc608/atecc608_contexts.h>
#include <corral/drivers/atecc608/atecc608_device.h>

/*
 * hash_compute. Hash a whole message, which may overlap the hash.
 * PSA_ERROR_BUFFER_TOO_SMALL: hash_size is less than the hash
 */
psa_status_t atecc608_hash_compute(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                   uint8_t *hash, size_t hash_size, size_t *hash_length);

/* hash_setup. Begin a hash. Hashes that share a context may share what goes on with it. */
psa_status_t atecc608_hash_setup(atecc608_hash_operation_t *operation, psa_algorithm_t alg);

/* hash_update. Take the next part of the message, which may be empty. */
psa_status_t atecc608_hash_update(atecc608_hash_operation_t *operation, const uint8_t *input,
                                  size_t input_length);

/*
 * hash_finish. Write the hash, and give back what the operation holds beside its context, which the
 * core wipes. Abort may come after that, and finds nothing to give back.
 * PSA_ERROR_BUFFER_TOO_SMALL: hash_size is less than the hash
 */
psa_status_t atecc608_hash_finish(atecc608_hash_operation_t *operation, uint8_t *hash,
                                  size_t hash_size, size_t *hash_length);

/* hash_abort. Give back what the operation holds beside its context, which the core wipes. */
psa_status_t atecc608_hash_abort(atecc608_hash_operation_t *operation);

/*
 * mac_compute. Compute the MAC of a whole message; truncation is the core's.
 * PSA_ERROR_BUFFER_TOO_SMALL: mac_size is less than the whole MAC
 */
psa_status_t atecc608_hmac_compute(const psa_key_attributes_t *attributes,
                                   const uint8_t *key_buffer, size_t key_buffer_size,
                                   psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                   uint8_t *mac, size_t mac_size, size_t *mac_length);

/* mac_setup. Begin a MAC, for computation and verification alike. */
psa_status_t atecc608_cmac_setup(atecc608_cmac_operation_t *operation,
                                 const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg);

/* mac_update. Take the next part of the message. */
psa_status_t atecc608_cmac_update(atecc608_cmac_operation_t *operation, const uint8_t *input,
                                  size_t input_length);

/*
 * mac_finish. Write the whole MAC; truncation and comparison are the core's. Give back what the
 * operation holds beside its context. Abort may come after that, and finds nothing to give back.
 * PSA_ERROR_BUFFER_TOO_SMALL: mac_size is less than the MAC
 */
psa_status_t atecc608_cmac_finish(atecc608_cmac_operation_t *operation, uint8_t *mac,
                                  size_t mac_size, size_t *mac_length);

/* mac_abort. Give back what the operation holds beside its context, which the core wipes. */
psa_status_t atecc608_cmac_abort(atecc608_cmac_operation_t *operation);

/*
 * cipher_encrypt_setup. Begin an encryption. Padding, and the rest of a block, are the core's to
 * keep.
 */
psa_status_t atecc608_cipher_encrypt_setup(atecc608_cipher_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           psa_algorithm_t alg);

/* cipher_decrypt_setup. Begin a decryption. */
psa_status_t atecc608_cipher_decrypt_setup(atecc608_cipher_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           psa_algorithm_t alg);

/*
 * cipher_set_iv. Set the initialisation vector, of the length that the algorithm has. A mode
 * without one needs no such function.
 */
psa_status_t atecc608_cipher_set_iv(atecc608_cipher_operation_t *operation, const uint8_t *iv,
                                    size_t iv_length);

/*
 * cipher_update. Process input: whole blocks of a block mode, any number of bytes of a stream mode;
 * of XTS the last call alone has a rest, behind at least one block. The output is as long as the
 * input, and apart from it or at the same place.
 * PSA_ERROR_BUFFER_TOO_SMALL: output_size is less than the input
 */
psa_status_t atecc608_cipher_update(atecc608_cipher_operation_t *operation, const uint8_t *input,
                                    size_t input_length, uint8_t *output, size_t output_size,
                                    size_t *output_length);

/* cipher_abort. Give back what the operation holds beside its context, which the core wipes. */
psa_status_t atecc608_cipher_abort(atecc608_cipher_operation_t *operation);

/*
 * sign_hash. Sign a hash, which may overlap the signature.
 * PSA_ERROR_BUFFER_TOO_SMALL: signature_size is less than the signature
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers, or none that can be used
 */
psa_status_t atecc608_sign_hash(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *hash,
                                size_t hash_length, uint8_t *signature, size_t signature_size,
                                size_t *signature_length);

/*
 * verify_hash. Verify the signature of a hash; of keys in memory with a public key.
 * PSA_ERROR_INVALID_SIGNATURE: not that key's signature, of whatever length
 */
psa_status_t atecc608_verify_hash(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *hash,
                                  size_t hash_length, const uint8_t *signature,
                                  size_t signature_length);

/*
 * key_agreement. Write the secret shared with the owner of the peer's public key. The output may
 * overlap that key.
 * PSA_ERROR_INVALID_ARGUMENT: the peer's key is none, or not one that goes with this one
 * PSA_ERROR_BUFFER_TOO_SMALL: output_size is less than the secret, whatever the peer's key is
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers to blind with
 */
psa_status_t atecc608_key_agreement(psa_algorithm_t alg, const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    const uint8_t *peer_key, size_t peer_key_length,
                                    uint8_t *output, size_t output_size, size_t *output_length);

/*
 * import_key. Take in a key in PSA's export format: copy it, since an application may change it
 * meanwhile, check the copy, and say its size. Of type, size and family the attributes have what
 * the application set; a size of 0 asks for that of the data. The buffer of a key that does not
 * come to be is wiped by the core.
 * PSA_ERROR_INVALID_ARGUMENT: not a key of this type
 * PSA_ERROR_BUFFER_TOO_SMALL: the key is longer than key_buffer_size
 * PSA_ERROR_NOT_SUPPORTED: a key of a size that the driver does not have
 */
psa_status_t atecc608_import_private_key(const psa_key_attributes_t *attributes,
                                         const uint8_t *data, size_t data_length,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length, size_t *bits);
psa_status_t atecc608_import_public_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                        size_t data_length, uint8_t *key_buffer,
                                        size_t key_buffer_size, size_t *key_buffer_length,
                                        size_t *bits);
psa_status_t atecc608_import_symmetric_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length, size_t *bits);

/*
 * generate_key. Make a key of the attributes' type and size. The public key may follow the private
 * one, if key_buffer_size has room for both.
 * PSA_ERROR_BUFFER_TOO_SMALL: no room for the key
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers, or none that make a key
 */
psa_status_t atecc608_generate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                   size_t key_buffer_size, size_t *key_buffer_length);
psa_status_t atecc608_generate_symmetric_key(const psa_key_attributes_t *attributes,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length);

/*
 * export_public_key. Write the public key of a pair in PSA's export format; of an element also that
 * of a public key.
 * PSA_ERROR_BUFFER_TOO_SMALL: data_size is less than the key
 */
psa_status_t atecc608_export_public_key(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        uint8_t *data, size_t data_size, size_t *data_length);

/*
 * allocate_key. Find a place for a key of these attributes and write the key's context. Nothing of
 * the element changes yet.
 * PSA_ERROR_INSUFFICIENT_STORAGE: no place is free
 */
psa_status_t atecc608_allocate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                   size_t key_buffer_size);

/*
 * destroy_key. Make the key unusable and give its place back. After a failure the key is still
 * there, and can be destroyed later.
 */
psa_status_t atecc608_destroy_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size);

/*
 * restore_key. Ours: the key's context was stored in an earlier run. Called at psa_crypto_init(),
 * without any bus transfer, before the element is asked for anything; a context that was allocated
 * and not created then goes to destroy_key.
 * PSA_ERROR_INVALID_HANDLE: the place belongs to a later key
 */
psa_status_t atecc608_restore_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                  size_t key_buffer_size);

/*
 * attach_key. Give a key object to a key that is in the element already, by its label; write its
 * context, and its size into the attributes.
 * PSA_ERROR_INVALID_ARGUMENT: not a label of this driver
 * PSA_ERROR_DOES_NOT_EXIST: no key there, or one of another type
 * PSA_ERROR_NOT_PERMITTED: another key object has it
 */
psa_status_t atecc608_attach_key(psa_key_attributes_t *attributes, const uint8_t *label,
                                 size_t label_length, uint8_t *key_buffer, size_t key_buffer_size,
                                 size_t *key_buffer_length);

/* copy_key. Copy a key within its location. */
psa_status_t atecc608_copy_public_key(const psa_key_attributes_t *attributes,
                                      const uint8_t *source_key_buffer,
                                      size_t source_key_buffer_size, uint8_t *key_buffer,
                                      size_t key_buffer_size, size_t *key_buffer_length);

/*
 * get_random. Write random bytes, at most as many as asked for and at least one.
 * PSA_ERROR_INSUFFICIENT_ENTROPY: the generator has to be seeded first, or its source failed
 */
psa_status_t atecc608_get_random(atecc608_random_context_t *context, uint8_t *output,
                                 size_t output_size, size_t *output_length);

#endif
