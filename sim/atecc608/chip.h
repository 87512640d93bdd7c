/* SPDX-License-Identifier: Apache-2.0 */
/* The chip's insides, shared by the files of this folder only.
 *
 * The bus: bus.c (addresses, wake, sleep, time), packet.c (framing), faults.c (injected faults).
 * Access beside the bus: look.c.
 * Memory: zones.c (three zones), nvm.c (image file), permissions.c (rules of the configuration).
 * Commands: command.c (their table), cmd_*.c (each), tempkey.c (volatile buffers).
 * Arithmetic by libcrypto: crypto.c.
 */
#ifndef ATECC608_SIM_CHIP_H
#define ATECC608_SIM_CHIP_H

#include "atecc608_sim.h"

/* Status bytes of a four-byte response (data sheet, "Status/Error Codes"). */
enum {
    STATUS_OK = 0x00,
    STATUS_MISCOMPARE = 0x01,
    STATUS_PARSE = 0x03,
    STATUS_ECC_FAULT = 0x05,
    STATUS_SELF_TEST = 0x07,
    STATUS_HEALTH = 0x08,
    STATUS_EXECUTION = 0x0F,
    STATUS_WAKE = 0x11,
    STATUS_WATCHDOG = 0xEE,
    STATUS_COMMUNICATION = 0xFF,
};

enum opcode {
    OP_READ = 0x02,
    OP_MAC = 0x08,
    OP_WRITE = 0x12,
    OP_GENDIG = 0x15,
    OP_NONCE = 0x16,
    OP_LOCK = 0x17,
    OP_RANDOM = 0x1B,
    OP_DERIVE_KEY = 0x1C,
    OP_UPDATE_EXTRA = 0x20,
    OP_COUNTER = 0x24,
    OP_CHECK_MAC = 0x28,
    OP_INFO = 0x30,
    OP_GENKEY = 0x40,
    OP_SIGN = 0x41,
    OP_ECDH = 0x43,
    OP_VERIFY = 0x45,
    OP_PRIV_WRITE = 0x46,
    OP_SHA = 0x47,
    OP_AES = 0x51,
    OP_KDF = 0x56,
    OP_SELF_TEST = 0x77,
};

enum { ZONE_CONFIG, ZONE_OTP, ZONE_DATA };

enum {
    CONFIG_SIZE = 128,
    OTP_SIZE = 64,
    DATA_SIZE = 8 * 36 + 416 + 7 * 72,
    SLOT_COUNT = 16,
    BLOCK_SIZE = 32,
    WORD_SIZE = 4,
    KEY_SIZE = 32,
    PUBLIC_KEY_SIZE = 64,
    SIGNATURE_SIZE = 64,
    COMMAND_OVERHEAD = 7,   /* count, opcode, param1, two of param2, two of CRC */
    COMMAND_MAX_SIZE = 155, /* the largest packet of the chip */
    RESPONSE_MAX_SIZE = 155,
    COUNTER_MAX = 2097151,
    TEMPKEY_ID = 0xFFFF,
};

/* Offsets in the configuration zone. */
enum {
    CONFIG_AES_ENABLE = 13,
    CONFIG_I2C_ADDRESS = 16,
    CONFIG_COUNT_MATCH = 18,
    CONFIG_CHIP_MODE = 19,
    CONFIG_SLOT_CONFIG = 20,
    CONFIG_COUNTERS = 52,
    CONFIG_VOLATILE_KEY_PERMISSION = 69,
    CONFIG_KDF_IV_LOCATION = 72,
    CONFIG_KDF_IV_STRING = 73,
    CONFIG_USER_EXTRA = 84,
    CONFIG_USER_EXTRA_ADD = 85,
    CONFIG_LOCK_VALUE = 86,
    CONFIG_LOCK_CONFIG = 87,
    CONFIG_SLOT_LOCKED = 88,
    CONFIG_CHIP_OPTIONS = 90,
    CONFIG_KEY_CONFIG = 96,
};

/* State that survives power loss. */
struct nvm {
    uint8_t config[CONFIG_SIZE];
    uint8_t otp[OTP_SIZE];
    uint8_t data[DATA_SIZE];
    uint32_t counter[2];
};

/* TempKey and its flags (data sheet, "TempKey"). */
struct tempkey {
    uint8_t value[64];
    bool valid;
    bool is_64;         /* 64 bytes were loaded */
    bool is_input;      /* SourceFlag: the value came from the host, not from the generator */
    bool gen_dig;       /* GenDigData: key_id took part through GenDig */
    bool gen_key;       /* GenKeyData: key_id took part through GenKey */
    bool no_mac;        /* NoMacFlag: a key with SlotConfig.NoMac took part */
    bool holds_private; /* an ephemeral P-256 private key, not data */
    uint8_t key_id;
};

/* A SHA-256 computation in progress, in the form that the chip reads out and takes back. */
struct sha_state {
    bool active;
    bool is_hmac;
    uint8_t hmac_key[64]; /* zero padded; used again at the end */
    uint32_t h[8];
    uint32_t total; /* bytes hashed so far, those in block included */
    uint8_t block[64];
    uint8_t block_length;
};

/* State that idle keeps, and that sleep, the watchdog and power loss clear. */
struct volatile_state {
    struct tempkey tempkey;
    uint8_t digest_buffer[64]; /* Message Digest Buffer */
    uint8_t digest_buffer_length;
    uint8_t alternate_key[32]; /* Alternate Key Buffer */
    bool alternate_key_valid;
    struct sha_state sha;
    bool authorized; /* a CheckMac with authorizing_key succeeded */
    uint8_t authorizing_key;
};

enum power_state { STATE_ASLEEP, STATE_IDLE, STATE_WAKING, STATE_AWAKE, STATE_BUSY };

enum fault_kind {
    FAULT_NONE,
    FAULT_NAK,
    FAULT_CRC,
    FAULT_GARBAGE,
    FAULT_SILENCE,
    FAULT_WATCHDOG,
    FAULT_POWER,
    FAULT_POWER_AFTER,
    FAULT_STATUS,
};

enum { FAULTS_PER_CHIP = 16 };

struct fault {
    enum fault_kind kind;
    uint8_t status; /* FAULT_STATUS: the answer */
    uint64_t
        first; /* number of the first transaction it concerns, counted from the chip's making */
    uint64_t repeats; /* how many transactions, UINT64_MAX for all that follow */
};

struct atecc608_sim_chip {
    struct atecc608_sim_bus *bus;
    char *nvm_path;
    struct nvm nvm;
    struct nvm before; /* memory before the command in execution: restored when power is lost */
    struct volatile_state ram;
    bool latch; /* persistent latch: survives sleep, not power loss */
    uint32_t time_percent;

    enum power_state state;
    uint8_t address;
    uint64_t ready_at;    /* waking or busy until then */
    uint64_t watchdog_at; /* falls asleep then, if awake */

    uint8_t command[COMMAND_MAX_SIZE];
    size_t command_length;
    uint8_t response[RESPONSE_MAX_SIZE];
    size_t response_length; /* 0 when there is nothing to read */
    size_t response_position;

    struct fault faults[FAULTS_PER_CHIP];
    uint8_t injected_status; /* FAULT_STATUS: answer the next command with it, 0 for none */
    uint64_t seen;           /* transactions since the chip was made */
    uint32_t transactions;   /* transactions since the counter was reset */
};

/* A command as it came in, checked for length and CRC. */
struct command {
    uint8_t opcode;
    uint8_t param1;
    uint16_t param2;
    const uint8_t *data;
    size_t length; /* of data */
};

/* --- packet.c --- */

/* CRC-16, polynomial 0x8005, least significant data bit first, initial value 0. */
uint16_t packet_crc(const uint8_t *data, size_t length);

/* Put a response into the output buffer, count and CRC added. length 1..RESPONSE_MAX_SIZE - 3. */
void packet_respond(struct atecc608_sim_chip *chip, const uint8_t *data, size_t length);

/* A four-byte response with a status. */
void packet_respond_status(struct atecc608_sim_chip *chip, uint8_t status);

/* Split the packet in the command buffer. false: CRC or count is wrong. */
bool packet_parse(const struct atecc608_sim_chip *chip, struct command *command);

/* --- command.c --- */

/* Run one command. Returns its status; with STATUS_OK the command may have put data into
 * output[0..*output_length-1], otherwise *output_length stays 0 and the status is the answer. */
typedef uint8_t command_function(struct atecc608_sim_chip *chip, const struct command *command,
                                 uint8_t *output, size_t *output_length);

command_function cmd_aes, cmd_check_mac, cmd_counter, cmd_derive_key, cmd_ecdh, cmd_gendig,
    cmd_genkey, cmd_info, cmd_kdf, cmd_lock, cmd_mac, cmd_nonce, cmd_priv_write, cmd_random,
    cmd_read, cmd_self_test, cmd_sha, cmd_sign, cmd_update_extra, cmd_verify, cmd_write;

/* Execute the packet in the command buffer and put the answer into the output buffer.
 * Returns the execution time in microseconds of virtual time. */
uint32_t command_execute(struct atecc608_sim_chip *chip);

/* --- zones.c --- */

/* Memory as it leaves the factory, with a random serial number. false: no randomness. */
bool zones_factory(struct nvm *nvm, uint8_t address);

bool zones_config_locked(const struct atecc608_sim_chip *chip);
bool zones_data_locked(const struct atecc608_sim_chip *chip);
bool zones_slot_locked(const struct atecc608_sim_chip *chip, unsigned int slot);

size_t zones_slot_size(unsigned int slot);
uint8_t *zones_slot(struct atecc608_sim_chip *chip, unsigned int slot);
const uint8_t *zones_slot_const(const struct atecc608_sim_chip *chip, unsigned int slot);

/* The nine bytes of the serial number, in order. */
void zones_serial(const struct atecc608_sim_chip *chip, uint8_t serial[9]);

/* --- nvm.c --- */

/* Read the image at path. Returns 1 when read, 0 when there is no such file, -1 on failure with the
 * reason in error. */
int nvm_load(const char *path, struct nvm *nvm, char *error, size_t error_size);

/* Write the image at path: a temporary file beside it, then rename. The same return of the reason.
 */
bool nvm_store(const char *path, const struct nvm *nvm, char *error, size_t error_size);

/* --- permissions.c --- */

/* SlotConfig and KeyConfig of a slot, taken apart. */
struct slot_rules {
    uint8_t read_key;
    bool no_mac;
    bool limited_use;
    bool encrypt_read;
    bool is_secret;
    uint8_t write_key;
    uint8_t write_config;
    bool is_private;
    bool pub_info;
    uint8_t key_type;
    bool lockable;
    bool needs_random;
    bool needs_authorization;
    uint8_t authorizing_key;
    bool persistent_disable;
};

enum { KEY_TYPE_P256 = 4, KEY_TYPE_AES = 6, KEY_TYPE_OTHER = 7 };

/* ReadKey of a slot that holds a P-256 private key has a meaning of its own. */
enum {
    PRIVATE_SIGN_EXTERNAL = 1,
    PRIVATE_SIGN_INTERNAL = 2,
    PRIVATE_ECDH = 4,
    PRIVATE_ECDH_TO_NEXT_SLOT = 8,
};

/* Bits of WriteConfig. */
enum { WRITE_GENKEY = 2, WRITE_ENCRYPTED = 4, WRITE_NEVER = 8 };

struct slot_rules permissions_of(const struct atecc608_sim_chip *chip, unsigned int slot);

/* Whether a slot holds a P-256 private key, or a P-256 public key. */
bool permissions_is_private(const struct slot_rules *rules);
bool permissions_is_public(const struct slot_rules *rules);

/* Check what every cryptographic use of a key asks for (zones locked, authorisation, random nonce,
 * latch, number of uses) and count the use. STATUS_OK or the status to answer. */
uint8_t permissions_use_key(struct atecc608_sim_chip *chip, unsigned int slot);

/* --- tempkey.c --- */

/* Load TempKey with 32 or 64 bytes, all flags cleared but valid and is_input. */
void tempkey_set(struct atecc608_sim_chip *chip, const uint8_t *value, size_t length,
                 bool is_input);

/* Make TempKey invalid and forget its value. */
void tempkey_clear(struct atecc608_sim_chip *chip);

/* Replace the first 32 bytes, keeping the flags. */
void tempkey_replace(struct atecc608_sim_chip *chip, const uint8_t value[32]);

/* The flags as one byte, in the layout of Sign(Internal) and Info(State): KeyID in bits 0 to 3,
 * then SourceFlag, GenDigData, GenKeyData, NoMacFlag. */
uint8_t tempkey_flags(const struct tempkey *tempkey);

/* Load the Message Digest Buffer with 32 or 64 bytes. */
void digest_buffer_set(struct atecc608_sim_chip *chip, const uint8_t *value, size_t length);

/* The 32-byte message of Sign and Verify: from TempKey or from the Message Digest Buffer.
 * NULL when the source holds none. */
const uint8_t *message_source(const struct atecc608_sim_chip *chip, bool from_digest_buffer);

/* --- cmd_gendig.c: the form that GenDig, Write, PrivWrite and DeriveKey hash --- */

/* SHA-256 over first[32], opcode, param1, param2, SN[8], SN[0..1], zeros up to 96 - last_length
 * bytes, last[0..last_length-1]: 96 bytes in all for a 32-byte last. zeros: how many between. */
void mac_digest(const struct atecc608_sim_chip *chip, const uint8_t first[32],
                const uint8_t header[4], size_t zeros, const uint8_t *last, size_t last_length,
                uint8_t digest[32]);

/* Encrypt data[0..length-1], a multiple of 32, under the IO protection key with a fresh nonce.
 * STATUS_OK or the status to answer. */
uint8_t io_protect(const struct atecc608_sim_chip *chip, uint8_t *data, size_t length,
                   uint8_t nonce[32]);

/* The IO protection key, NULL when ChipOptions does not enable it. */
const uint8_t *io_protection_key(const struct atecc608_sim_chip *chip);

/* ChipOptions, configuration bytes 90 and 91. */
uint16_t chip_options(const struct atecc608_sim_chip *chip);

enum { CHIP_OPTION_IO_PROTECTION = 0x0002, CHIP_OPTION_KDF_AES = 0x0004 };

/* --- time.c --- */

/* Maximum execution time of an opcode at the chip's clock divider, in microseconds. */
uint32_t time_of(const struct atecc608_sim_chip *chip, uint8_t opcode);

/* Nominal watchdog interval by ChipMode: 1.3 s or 13 s. */
uint64_t time_watchdog(const struct atecc608_sim_chip *chip);

/* --- faults.c --- */

/* Count one transaction and return the fault that concerns it, FAULT_NONE kind if none. */
struct fault fault_next(struct atecc608_sim_chip *chip);

/* Damage bytes as the fault says: flip one bit near the end, or replace them all. */
void fault_damage(enum fault_kind kind, uint8_t *data, size_t length);

/* --- bus.c, used by faults and by the API --- */

/* Supply lost and back. keep: changes of the memory by the command in execution stay. */
void bus_power_loss(struct atecc608_sim_chip *chip, bool keep);

/* Bring the chip's state up to the bus's time. */
void bus_advance(struct atecc608_sim_chip *chip);

#endif
