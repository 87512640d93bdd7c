/* SPDX-License-Identifier: Apache-2.0 */
/* A session of DTLS 1.2 by Mbed TLS between a device and its server, both in this memory. */
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Make both ends, once: with a key that both have, or with certificates on P-256 at both ends.
 * Returns 0, or what Mbed TLS returned.
 */
int session_prepare(bool has_psk);

/* Shake hands, anew if there was a session. Returns 0, or what Mbed TLS returned. */
int session_open(void);

/* End the session: the device says so. Returns 0, or what Mbed TLS returned. */
int session_close(void);

/* Write a message as the device. Returns 0, or what Mbed TLS returned. */
int session_write(const uint8_t *message, size_t length);

/* Read a message as the device. Returns its length; 0: none came, or it is not good. */
size_t session_read(uint8_t *message, size_t size);

/* Let the server read what came, and answer. Returns 0, or what Mbed TLS returned. */
int session_serve(void);

#endif
