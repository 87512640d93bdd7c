/* SPDX-License-Identifier: Apache-2.0 */
/* Reading links (RFC 6690, 2): the answer to the question for a resource. */
#ifndef FLEET_LINKS_H
#define FLEET_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Find the first link of a resource type whose target is a path on the sender, such as "/rd".
 * Skips targets that are URIs, have a query, or contain percent-encoded or control characters.
 *   path  the target without the slash in front, and a zero behind it
 *   size  bytes of `path`
 * Returns false if the links end or are malformed before such a link is found whose path fits. Then
 * the content of `path` means nothing.
 */
bool fleet_links_find(const uint8_t *links, size_t length, const char *type, char *path,
                      size_t size);

#endif
