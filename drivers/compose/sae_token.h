/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seed of a password token of WPA3-SAE (IEEE 802.11-2024, 12.4.4.2.3) over any HMAC; who knows
 * the group makes the token of it.
 */
#ifndef COMPOSE_SAE_TOKEN_H
#define COMPOSE_SAE_TOKEN_H

#include "hkdf.h"

typedef compose_hkdf_extract_operation_t compose_sae_token_operation_t;

#endif
