/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CoAP messages (RFC 7252, 3): written into memory of the caller, and read in place. Nothing is
 * sent here; exchange.h does that.
 */
#ifndef FLEET_COAP_H
#define FLEET_COAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fleet_coap_type {
    FLEET_COAP_CON = 0, /* to be acknowledged */
    FLEET_COAP_NON = 1,
    FLEET_COAP_ACK = 2,
    FLEET_COAP_RST = 3,
};

/* Codes: the class in three bits, the detail in five. */
#define FLEET_COAP_CODE(class, detail) ((uint8_t)((class) << 5 | (detail)))
#define FLEET_COAP_CLASS(code) ((uint8_t)((code) >> 5))
#define FLEET_COAP_EMPTY FLEET_COAP_CODE(0, 0)
#define FLEET_COAP_GET FLEET_COAP_CODE(0, 1)
#define FLEET_COAP_POST FLEET_COAP_CODE(0, 2)
#define FLEET_COAP_PUT FLEET_COAP_CODE(0, 3)
#define FLEET_COAP_DELETE FLEET_COAP_CODE(0, 4)
#define FLEET_COAP_CREATED FLEET_COAP_CODE(2, 1)
#define FLEET_COAP_CHANGED FLEET_COAP_CODE(2, 4)
#define FLEET_COAP_CONTENT FLEET_COAP_CODE(2, 5)
#define FLEET_COAP_UNAUTHORIZED FLEET_COAP_CODE(4, 1)
#define FLEET_COAP_BAD_OPTION FLEET_COAP_CODE(4, 2)
#define FLEET_COAP_NOT_FOUND FLEET_COAP_CODE(4, 4)
#define FLEET_COAP_CONFLICT FLEET_COAP_CODE(4, 9)
#define FLEET_COAP_TOO_MANY FLEET_COAP_CODE(4, 29) /* RFC 8516 */

enum fleet_coap_option {
    FLEET_COAP_LOCATION_PATH = 8,
    FLEET_COAP_URI_PATH = 11,
    FLEET_COAP_CONTENT_FORMAT = 12,
    FLEET_COAP_MAX_AGE = 14,
    FLEET_COAP_URI_QUERY = 15,
    FLEET_COAP_ACCEPT = 17,
    FLEET_COAP_LOCATION_QUERY = 20,
    FLEET_COAP_ECHO = 252,        /* RFC 9175 */
    FLEET_COAP_NO_RESPONSE = 258, /* RFC 7967 */
};

/* Whether a receiver that does not know an option must reject the message (5.4.1). */
static inline bool fleet_coap_is_critical(uint16_t option)
{
    return (option & 1u) != 0;
}

#define FLEET_COAP_MAX_TOKEN 8u
#define FLEET_COAP_MAX_ECHO 40u

/* The head of a message: its type, and the exchange it belongs to. */
struct fleet_coap_head {
    uint8_t type; /* enum fleet_coap_type */
    uint8_t code;
    uint16_t id; /* of the message */
    uint8_t token_length;
    uint8_t token[FLEET_COAP_MAX_TOKEN];
};

/* A message that is being written. Data that does not fit is left out, and the end returns an
 * error. */
struct fleet_coap_writer {
    uint8_t *data;
    size_t size;
    size_t length;
    uint16_t option; /* the number of the latest */
    bool is_full;
};

/* Begin a message in `size` bytes at `data`. */
void fleet_coap_begin(struct fleet_coap_writer *writer, uint8_t *data, size_t size,
                      const struct fleet_coap_head *head);

/* Add an option. Options come in the order of their numbers. */
void fleet_coap_option(struct fleet_coap_writer *writer, uint16_t number, const uint8_t *value,
                       size_t length);

/* Add an option whose value is a number, in the fewest bytes. */
void fleet_coap_uint(struct fleet_coap_writer *writer, uint16_t number, uint32_t value);

/* Add an option whose value is a text, given as a string that ends with a zero. */
void fleet_coap_text(struct fleet_coap_writer *writer, uint16_t number, const char *text);

/*
 * Add an option for each segment of `path`, between its slashes. A slash at the end
 * makes an empty segment, which is one, too; an empty path makes none.
 */
void fleet_coap_path(struct fleet_coap_writer *writer, uint16_t number, const char *path);

/*
 * Begin the payload, which ends the message. Returns where it is to be written, and in *room how
 * much fits there; 0 if the message is full already.
 */
uint8_t *fleet_coap_payload(struct fleet_coap_writer *writer, size_t *room);

/* Say how long the payload became, which is at least 1; 0: it did not fit. */
void fleet_coap_payload_is(struct fleet_coap_writer *writer, size_t length);

/* The length of the message, 0 if it did not fit. */
size_t fleet_coap_end(const struct fleet_coap_writer *writer);

/* A message that was read; it points into the memory from which it was read. */
struct fleet_coap_message {
    struct fleet_coap_head head;
    const uint8_t *options;
    size_t options_length;
    const uint8_t *payload;
    size_t payload_length;
};

/* Results of reading. */
enum fleet_coap_reading {
    FLEET_COAP_READ,
    FLEET_COAP_MALFORMED, /* to be rejected if it asks for it; the head says type and number */
    FLEET_COAP_UNKNOWN,   /* too short for a head, or of another version: to be ignored (3) */
};

/* Read the message in `length` bytes at `data`, all options included. */
enum fleet_coap_reading fleet_coap_read(const uint8_t *data, size_t length,
                                        struct fleet_coap_message *message);

/* An option of a message that was read. Begin with all zeros. */
struct fleet_coap_option_value {
    uint16_t number;
    size_t length;
    const uint8_t *value;
    size_t next; /* where the one after it begins */
};

/* Go to the next option of a message. false: there is no further one. */
bool fleet_coap_next(const struct fleet_coap_message *message,
                     struct fleet_coap_option_value *option);

/* Find the first option of this number. false: there is none. */
bool fleet_coap_find(const struct fleet_coap_message *message, uint16_t number,
                     struct fleet_coap_option_value *option);

/* The number that an option holds; zeros in front are allowed (3.2). A number that is
 * too large becomes the largest. */
uint32_t fleet_coap_number(const struct fleet_coap_option_value *option);

#endif
