/* SPDX-License-Identifier: Apache-2.0 */
/* A row for main.c, as it is without a measurement: to be included in a table. */
{
    .mechanism = "SHA_256",
    .once = use_hash_compute,
    .alg = PSA_ALG_SHA_256,
},
