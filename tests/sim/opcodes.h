/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the chip's commands and answers, as data sheets print them. */
#ifndef TESTS_SIM_OPCODES_H
#define TESTS_SIM_OPCODES_H

enum {
    READ = 0x02,
    MAC = 0x08,
    WRITE = 0x12,
    GENDIG = 0x15,
    NONCE = 0x16,
    LOCK = 0x17,
    RANDOM = 0x1B,
    DERIVE_KEY = 0x1C,
    UPDATE_EXTRA = 0x20,
    COUNTER = 0x24,
    CHECK_MAC = 0x28,
    INFO = 0x30,
    GENKEY = 0x40,
    SIGN = 0x41,
    ECDH = 0x43,
    VERIFY = 0x45,
    PRIV_WRITE = 0x46,
    SHA = 0x47,
    AES = 0x51,
    KDF = 0x56,
    SELF_TEST = 0x77,
};

enum {
    OK = 0x00,
    MISCOMPARE = 0x01,
    PARSE = 0x03,
    ECC_FAULT = 0x05,
    REFUSED = 0x0F,
};

#endif
