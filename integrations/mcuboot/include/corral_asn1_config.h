/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MBEDTLS_CONFIG_FILE for MCUboot's ext/mbedtls-asn1, which reads keys of Ed25519 and of ECIES.
 */
#ifndef CORRAL_ASN1_CONFIG_H
#define CORRAL_ASN1_CONFIG_H

#define MBEDTLS_ASN1_PARSE_C

#endif
