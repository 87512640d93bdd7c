/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface of a port: entropy, an I2C bus, time, locks and storage. A port implements the
 * functions that its boards' capabilities promise (HAS_ENTROPY, HAS_I2C, HAS_THREADS, HAS_TASKS,
 * HAS_PROCESSES, HAS_FLASH, HAS_FILES, HAS_DEVICE_KEY, HAS_COUNTER, HAS_ATTESTATION, HAS_UPDATE,
 * HAS_UPDATE_COUNTER, HAS_BOOT_MEMORY), and the key of elements if its boards declare one. The
 * linker names a function that is missing.
 */
#ifndef CORRAL_PORT_H
#define CORRAL_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/bindings.h>
#include <psa/crypto_library.h>
#include <psa/error.h>
#include <psa/initial_attestation.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Read raw output of the board's entropy source (HAS_ENTROPY).
 *   output         `size` bytes are written on success
 *   estimate_bits  entropy that these bytes hold together, in bits, at most 8 * size
 * The core asks for more until the generator has enough. It checks the source's health against the
 * estimate (NIST SP 800-90B): the first 1,024 bytes are tested and discarded (4.3), and all others
 * are tested, too (4.4).
 * On failure the output is not used.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  the source does not deliver
 */
psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits);

/*
 * Sources that a board lists beside this one (further_entropy), NAME by NAME, have the same
 * contract and are judged apart:
 *   psa_status_t corral_port_entropy_NAME(uint8_t *output, size_t size, size_t *estimate_bits);
 * corral/dispatch/random.h, which is generated, declares those of the build.
 */

/*
 * Tell copies of this program's memory apart (HAS_PROCESSES): a number that is never again what it
 * was when the memory was copied, in one of the two that go on from there at least. A process
 * made by fork(), clone() or the like therefore sees a number that its parent has never seen. The
 * same holds for a machine resumed from a snapshot, if the system reports that; the port's README
 * lists the cases that it cannot notice. Where a port cannot know, it gives a new number each time.
 * The core asks under lock 0 before and after it draws random bytes. In a copy it restarts the
 * generator with fresh entropy, and draws interrupted output again. Ports whose memory is never
 * copied omit HAS_PROCESSES, and nothing is compiled.
 */
uint32_t corral_port_generation(void);

/*
 * Write `length` bytes to the device at the 7-bit `address` of I2C bus `bus` (HAS_I2C), with start
 * and stop conditions. `length` 0 sends only the address. Address 0 with no or one byte
 * holds SDA low for long enough to wake an ATECC608 when the bus runs at 100 kHz or
 * less; a missing acknowledgement is then no error.
 *   PSA_ERROR_COMMUNICATION_FAILURE  not acknowledged, or the bus is stuck
 */
psa_status_t corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data,
                                   size_t length);

/*
 * Read `length` bytes from the device at the 7-bit `address` of I2C bus `bus` (HAS_I2C).
 * On failure the content of `data` is unspecified.
 *   PSA_ERROR_COMMUNICATION_FAILURE  not acknowledged, or the bus is stuck
 */
psa_status_t corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length);

#define CORRAL_ELEMENT_KEY_SIZE 32

/*
 * Fetch the key that this board shares with its element at `location`, for boards that declare such
 * a key (ATECC608: a slot of kind write_key). Private keys are encrypted under it on their way into
 * the element, and provisioning puts it there. An attacker with this key and access to the bus
 * can replace keys in the element, and read imported keys. Each device should have its own.
 *   key  CORRAL_ELEMENT_KEY_SIZE bytes; the caller wipes them. Not used on failure.
 *   any failure is passed on to the application, and nothing was sent to the element
 */
psa_status_t corral_port_element_key(uint32_t location, uint8_t *key);

#define CORRAL_PIN_MAX_SIZE 128

/*
 * Fetch the PIN of the token at `location` (HAS_PKCS11). Asked for at each login, and not kept.
 *   pin     up to CORRAL_PIN_MAX_SIZE bytes; the caller wipes them. Not used on failure.
 *   length  of the PIN
 *   any failure is passed on to the application, and the token was not asked
 */
psa_status_t corral_port_element_pin(uint32_t location, uint8_t *pin, size_t *length);

/* Return after at least `microseconds` (HAS_I2C: element drivers wait for their chips). */
void corral_port_delay_us(uint32_t microseconds);

/*
 * Take and give back lock number `lock`, one of CORRAL_LOCK_COUNT (HAS_THREADS). Lock 0 guards
 * the key slots and the random generator; lock 1 + i guards element i of each driver. The next
 * five locks guard the storage, its manifest, the persistent keys, the initialisation and
 * protected storage (corral/lock.h). Locks are not recursive; the library takes lock 0 while it
 * holds another one, never the reverse. Called only in builds with CORRAL_THREADS.
 */
#define CORRAL_LOCK_COUNT (6u + CORRAL_ELEMENT_COUNT)

void corral_port_lock(unsigned lock);
void corral_port_unlock(unsigned lock);

/*
 * A call of the API begins or ends in this thread (HAS_TASKS). For systems in which one thread can
 * delete another at any time: the port delays the deletion until the call has ended, when the
 * thread has no lock and holds no key. A function of the port that calls the API nests its call.
 */
void corral_port_call_begin(void);
void corral_port_call_end(void);

/* The flash that a port gives to the storage, as the storage has to treat it (HAS_FLASH). */
struct corral_flash_geometry {
    uint32_t page_size;  /* bytes that are erased together; a multiple of write_size */
    uint16_t page_count; /* 2 or more, only for the storage */
    uint8_t write_size;  /* bytes that are written together: a power of two, 1 to 32 */
    bool can_clear;      /* written data may be overwritten once more, with zeros */
};

/* The geometry, which never changes while the storage is in use. */
const struct corral_flash_geometry *corral_port_flash(void);

/*
 * Read, write and erase (HAS_FLASH). Offsets count from the first page; the storage stays inside
 * the pages. Erased bytes are 0xff. Offset and size of a write are multiples of write_size. The
 * caller has erased the range, unless all data is zero and the geometry has can_clear. Bytes
 * are programmed in ascending order: if power fails during a write, the bytes after that point
 * are still erased. After a failure the content of the touched bytes or page is unspecified.
 *   PSA_ERROR_STORAGE_FAILURE  the flash does not do it
 */
psa_status_t corral_port_flash_read(uint32_t offset, uint8_t *data, size_t size);
psa_status_t corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size);
psa_status_t corral_port_flash_erase(uint16_t page);

/*
 * The flash of firmware updates (HAS_UPDATE): two pages for the state, then two slots of equal
 * size. page_count is 4 or more; of an odd number the last page is unused. page_size is a multiple
 * of 32. The other functions follow the contract of the three above, in pages and offsets of their
 * own. A range that a power cut tore can be read, as any bytes.
 */
const struct corral_flash_geometry *corral_port_update_flash(void);
psa_status_t corral_port_update_read(uint32_t offset, uint8_t *data, size_t size);
psa_status_t corral_port_update_write(uint32_t offset, const uint8_t *data, size_t size);
psa_status_t corral_port_update_erase(uint16_t page);

#define CORRAL_UPDATE_KEY_SIZE 65u

/*
 * Fetch the public key that verifies images (HAS_UPDATE): an uncompressed point of P-256. It is in
 * memory that an update cannot change.
 *   any failure is passed on, and the image is not accepted
 */
psa_status_t corral_port_update_key(uint8_t key[CORRAL_UPDATE_KEY_SIZE]);

/*
 * Reset the device (HAS_UPDATE). Returns before that, if at all.
 *   PSA_ERROR_NOT_SUPPORTED  only the user can
 */
psa_status_t corral_port_update_reboot(void);

/*
 * The lowest security counter that an image must have to start (HAS_UPDATE_COUNTER). Nothing can
 * set it back: fuses, a replay-protected block of a memory chip, flash that only the boot loader
 * writes. It is read at each start and by psa_fwu_finish(), and raised only by the boot loader.
 *   *value  0 when the device is new
 *   PSA_ERROR_STORAGE_FAILURE, PSA_ERROR_COMMUNICATION_FAILURE  it cannot be read
 */
psa_status_t corral_port_update_counter_read(uint32_t *value);

/*
 * Raise it to `value`, which is higher. When power fails meanwhile it has the old or the new value.
 *   any failure leaves it as it is
 */
psa_status_t corral_port_update_counter_raise(uint32_t value);

/*
 * The memory that the boot loader copies images to (HAS_BOOT_MEMORY), which is linked for it:
 * `*size` bytes. Neither the boot loader nor its variables and stack are there.
 */
uint8_t *corral_port_boot_memory(size_t *size);

/*
 * Start an image in that memory (HAS_BOOT_MEMORY), as a reset would. It may use all memory that the
 * boot loader used. Returns if the image cannot start: the stack or the first instruction would not
 * be in the memory of the image.
 */
void corral_port_boot_start(const uint8_t *code, size_t size);

/* Whose numbers they are; each user has a space of its own. */
enum corral_space { CORRAL_SPACE_ITS, CORRAL_SPACE_PS, CORRAL_SPACE_KEYS, CORRAL_SPACE_ROLLBACK };

/* Names an entry of the storage: its owner (enum corral_space) and its number there. */
struct corral_entry_name {
    uint64_t uid;
    uint8_t space; /* 0 to 7 */
};

/*
 * Entries in a file system (HAS_FILES), instead of flash. `flags` is kept with the data.
 * Writing replaces an entry or makes a new one, wholly or not at all, also when power fails. Of
 * corral_port_entry_read(), *length is the size of the whole entry; at most `size` bytes of it from
 * `offset` on are read. Bit 7 of the flags (0x80) says that the write belongs to a removal, which
 * may use the room that the port reserves for removals. A port does not store this bit.
 * corral_port_entry_next() gives the lowest number in name->space above name->uid.
 *   PSA_ERROR_DOES_NOT_EXIST        there is no such entry, or no further one
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room
 *   PSA_ERROR_DATA_CORRUPT          the file is not as it was written; `flags` are those by which
 *                                   its checksum is right, if there are any, else what it
 *                                   says, or stay as they were
 *   PSA_ERROR_STORAGE_FAILURE       the file system does not do it
 */
psa_status_t corral_port_entry_write(const struct corral_entry_name *name, uint8_t flags,
                                     const uint8_t *data, size_t length);
psa_status_t corral_port_entry_read(const struct corral_entry_name *name, size_t offset,
                                    uint8_t *data, size_t size, size_t *length, uint8_t *flags);
psa_status_t corral_port_entry_remove(const struct corral_entry_name *name);
psa_status_t corral_port_entry_next(struct corral_entry_name *name);

#define CORRAL_DEVICE_KEY_SIZE 32u

/*
 * The key of this device (HAS_DEVICE_KEY): 32 bytes that are unique to the device and never
 * change, derived only for this library from a secret of the hardware. Stored keys are
 * sealed with it, and CORRAL_KEY_HARDWARE is derived from it. The caller wipes `key`.
 *   PSA_ERROR_STORAGE_FAILURE  it cannot be had
 */
psa_status_t corral_port_device_key(uint8_t key[CORRAL_DEVICE_KEY_SIZE]);

/*
 * The key that signs attestation tokens (HAS_ATTESTATION): a private key on P-256, big-endian, that
 * no other device has. The verifier of tokens received its public key when the device
 * was made. If the device has no key because its memory is erased, the port returns an
 * error: no caller checks whether the number is a valid key. The caller wipes `key`.
 *   PSA_ERROR_STORAGE_FAILURE  it cannot be had
 */
psa_status_t corral_port_attestation_key(uint8_t key[32]);

/* A part of the software, as a token lists it (RFC 9783, 4.4.1). */
struct corral_attested_part {
    const char *type; /* "BL", "PRoT", "ARoT", "App" */
    const char *version;
    const uint8_t *signer; /* 32 bytes: SHA-256 of the public key that verified its signature */
    const uint8_t *code;   /* as it is in memory: the token has its SHA-256 */
    size_t code_size;
};

/* States of a device's security that a token can name; the lower byte is the port's. */
#define CORRAL_LIFECYCLE_ASSEMBLY_AND_TEST 0x1000u
#define CORRAL_LIFECYCLE_PROVISIONING 0x2000u
#define CORRAL_LIFECYCLE_SECURED 0x3000u
#define CORRAL_LIFECYCLE_NON_ROOT_DEBUG 0x4000u
#define CORRAL_LIFECYCLE_RECOVERABLE_ROOT_DEBUG 0x5000u
#define CORRAL_LIFECYCLE_DECOMMISSIONED 0x6000u

#define CORRAL_ATTESTED_PARTS_MAX 2u

/* Facts about device and software that a token contains. */
struct corral_attested {
    const uint8_t *implementation; /* 32 bytes that name the hardware and its first code */
    uint16_t lifecycle;
    uint8_t part_count; /* 1 at least */
    struct corral_attested_part parts[CORRAL_ATTESTED_PARTS_MAX];
};

/*
 * Say what is attested (HAS_ATTESTATION). The memory behind its pointers does not
 * change. Only the lifecycle may be another one the next time. Texts must not make a
 * token longer than PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE.
 *   any failure is passed on to the caller that requests a token
 */
psa_status_t corral_port_attested(struct corral_attested *attested);

/*
 * A counter that nothing can set back, not even erasing the storage (HAS_COUNTER): fuses, a
 * replay-protected block of a memory chip, a counter of a secure element. It is advanced twice by
 * each start, and once by each change of a stored key or of an entry of protected storage. If it
 * has a maximum, the library cannot be initialised after that, and the port should warn in time.
 *   *value  what it was last advanced to, 0 when the device is new
 *   PSA_ERROR_STORAGE_FAILURE, PSA_ERROR_COMMUNICATION_FAILURE  it cannot be had
 */
psa_status_t corral_port_counter_read(uint32_t *value);

/*
 * Advance it to `value`, which is one more than it is. When power fails meanwhile it is at either.
 *   PSA_ERROR_STORAGE_FAILURE, PSA_ERROR_COMMUNICATION_FAILURE  it may have been advanced or not
 */
psa_status_t corral_port_counter_advance(uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
