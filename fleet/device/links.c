/* SPDX-License-Identifier: Apache-2.0 */
#include "links.h"

#include <string.h>

/* Links that are being read. */
struct source {
    const uint8_t *at;
    const uint8_t *end;
};

/* Part of them. */
struct part {
    const uint8_t *data;
    size_t length;
};

/* Whether the next character is this one, which is then passed; spaces before it are, too. */
static bool pass(struct source *source, char wanted)
{
    while (source->at < source->end && *source->at == ' ') {
        source->at++;
    }
    if (source->at == source->end || *source->at != (uint8_t)wanted) {
        return false;
    }
    source->at++;
    return true;
}

/* The part before one of these characters, or before the end. */
static struct part take_before(struct source *source, const char *enders)
{
    const uint8_t *begin = source->at;

    while (source->at < source->end && (*source->at == 0 || strchr(enders, *source->at) == NULL)) {
        source->at++;
    }
    return (struct part){begin, (size_t)(source->at - begin)};
}

/* A value behind its equals sign. false: its quotation mark has no other. */
static bool take_value(struct source *source, struct part *value)
{
    if (!pass(source, '"')) {
        *value = take_before(source, ";, ");
        return true;
    }
    const uint8_t *begin = source->at;
    while (source->at < source->end && *source->at != '"') {
        /* A character after a backslash ends nothing. */
        source->at += *source->at == '\\' && source->end - source->at > 1 ? 2 : 1;
    }
    *value = (struct part){begin, (size_t)(source->at - begin)};
    return pass(source, '"');
}

static bool is_text(const struct part *part, const char *text)
{
    return part->length == strlen(text) && memcmp(part->data, text, part->length) == 0;
}

/* Whether one of the words of a value is this type. */
static bool has_word(const struct part *value, const char *type)
{
    struct source source = {value->data, value->data + value->length};

    while (source.at < source.end) {
        const struct part word = take_before(&source, " ");
        if (is_text(&word, type)) {
            return true;
        }
        source.at += source.at < source.end; /* the space */
    }
    return false;
}

/* Pass over a link's attributes. false: they are malformed. */
static bool take_attributes(struct source *source, const char *type, bool *is_of_type)
{
    bool is_first = true; /* an attribute that comes again does not count (3.1) */

    while (pass(source, ';')) {
        struct part value = {source->at, 0}; /* of an attribute without one */
        while (pass(source, ' ')) {
        }
        const struct part name = take_before(source, "=;, ");
        if (pass(source, '=') && !take_value(source, &value)) {
            return false;
        }
        if (is_text(&name, "rt") && is_first) {
            is_first = false;
            *is_of_type = has_word(&value, type);
        }
    }
    return true;
}

/* Whether a target is a path that can be asked for as it is. */
static bool is_path(const struct part *target)
{
    if (target->length == 0 || target->data[0] != '/' ||
        (target->length > 1 && target->data[1] == '/')) {
        return false;
    }
    for (size_t i = 0; i < target->length; i++) {
        if (target->data[i] <= ' ' || strchr("%?#\x7f", target->data[i]) != NULL) {
            return false;
        }
    }
    return true;
}

bool fleet_links_find(const uint8_t *links, size_t length, const char *type, char *path,
                      size_t size)
{
    struct source source = {links, links + length};

    do {
        bool is_of_type = false;
        if (!pass(&source, '<')) {
            return false;
        }
        const struct part target = take_before(&source, ">");
        if (!pass(&source, '>') || !take_attributes(&source, type, &is_of_type)) {
            return false;
        }
        if (is_of_type && is_path(&target) && target.length <= size) {
            memcpy(path, target.data + 1, target.length - 1);
            path[target.length - 1] = '\0';
            return true;
        }
    } while (pass(&source, ','));
    return false;
}
