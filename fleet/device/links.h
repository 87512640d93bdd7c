/* SPDX-License-Identifier: Apache-2.0 */
/* Reading links (RFC 6690, 2): the answer to the question for a resource. */
#ifndef FLEET_LINKS_H
#define FLEET_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Find the first link of a resource type whose target is a path at whoever says so, as "/rd" is: no
 * URI, no query, nothing that is percent-encoded, and no control characters.
 *   path  the target without the slash in front, and a zero behind it
 *   size  its room
 * false: there is none before the links end, or are malformed, or the path does not fit; what is in
 * `path` means nothing then.
 */
bool fleet_links_find(const uint8_t *links, size_t length, const char *type, char *path,
                      size_t size);

#endif
